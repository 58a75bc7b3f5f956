"""Puts a studio together: a stage, a desk, a journal, the web server and its pages."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from understudy.sim.collisions import Collisions
from understudy.sim.sim import Sim
from understudy.studio.desk import Desk
from understudy.studio.hub import Hub
from understudy.studio.journal import Journal
from understudy.studio.server import RECONNECT_S, WEB, Address, Server, reserve
from understudy.studio.stage import Stage

log = logging.getLogger(__name__)


@contextmanager
def studio(
    sim: Sim, title: str = "", *, host: str = "127.0.0.1", port: int | None = None, names: Sequence[str] = ()
) -> Iterator[tuple[Stage, Address]]:
    """Serve a studio on *sim* while the block runs; the block runs the stage. Raises LinkError."""
    listener, address = reserve(host, port)
    hub, journal, collisions = Hub(), Journal(), Collisions()
    stage = Stage(sim, hub, title)
    stage.warm_up()
    desk = Desk(stage, hub)
    logger = logging.getLogger("understudy")
    logger.addHandler(journal)
    sim.attach(journal)
    sim.attach(collisions)
    server = Server(_app(stage, desk, journal, hub), listener, address, names)
    server.start()
    try:
        yield stage, address
    finally:
        server.stop()
        logger.removeHandler(journal)


def _app(stage: Stage, desk: Desk, journal: Journal, hub: Hub) -> Any:
    """Return the web application."""
    from fastapi import FastAPI
    from nicegui import app as pages
    from nicegui import ui
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route, WebSocketRoute

    from understudy.studio.page import Page

    web = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    async def ground_picture(request: Request) -> Response:
        picture = stage.sim.start.ground.picture
        return Response(stage.sim.files.get(picture, b""), headers={"cache-control": "no-store"})

    web.router.routes += [WebSocketRoute("/stream", hub.serve), Route("/ground-picture", ground_picture)]
    pages.add_static_files("/web", WEB, max_cache_age=0)

    def root() -> None:
        Page(stage, desk, journal)

    ui.run_with(
        web, root=root, title=f"{stage.title or 'Understudy'} - Understudy", dark=None, show_welcome_message=False,
        reconnect_timeout=RECONNECT_S,
    )  # fmt: skip
    return web
