"""Assembles a studio: the web server, its pages, and the simulation that it shows.

The server starts first: while a scene is loaded and compiled, or while the user chooses a map, pages show a waiting
page; they reload when the simulation is ready.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from understudy.folders import user_state
from understudy.sim.collisions import Collisions
from understudy.sim.sim import Sim
from understudy.studio import pictures
from understudy.studio.body_limit import BodyLimit
from understudy.studio.commands import Commands
from understudy.studio.file_desk import FileDesk, Opener
from understudy.studio.journal import Journal
from understudy.studio.pictures import Album
from understudy.studio.runner import Runner
from understudy.studio.server import RECONNECT_S, WEB, Server, reserve
from understudy.studio.stream import Stream
from understudy.studio.workspace import Workspace

log = logging.getLogger(__name__)
PageBuilder = Callable[[], None]  # builds a page


class Studio:
    """One web server and what it shows; at most one per process."""

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int | None = None,
        names: Sequence[str] = (),
        start_page: PageBuilder | None = None,
    ) -> None:
        listener, self.address = reserve(host, port)
        self.runner: Runner | None = None
        self.start_page = start_page
        self.stream, self.journal, self.album = Stream(), Journal(), Album()
        self.commands: Commands | None = None
        self.desk: FileDesk | None = None
        logging.getLogger("understudy").addHandler(self.journal)
        self._server = Server(_app(self), listener, self.address, names)
        self._server.start()

    @property
    def url(self) -> str:
        """Return the URL for a browser on this machine."""
        return self.address.url

    def show(
        self,
        sim: Sim,
        title: str = "",
        path: Path | None = None,
        opener: Opener | None = None,
        examples: Path | None = None,
    ) -> Runner:
        """Show a simulation; the caller runs it with the returned runner.

        *path* is its file. With an *opener*, users can open other scenes, those of the folder *examples* too: the
        runner returns then, and the caller shows what is `following`.
        """
        runner = Runner(sim, self.stream, title)
        runner.warm_up()
        sim.attach(self.journal)
        sim.attach(Collisions())
        workspace = Workspace(sim, path, Path.cwd())
        runner.dirty = workspace.is_dirty
        self.commands = commands = Commands(runner, self.stream)
        runner.history = lambda: commands.history
        self.desk = FileDesk(runner, self.stream, workspace, opener, examples)
        self.runner = runner
        sim.clock.forget()  # do not catch up with the time that loading took
        return runner

    def rescue(self, sim: Sim) -> None:
        """Keep changes of the scene that were not saved; called when a run ends."""
        if self.desk is not None and not Runner.is_tape(sim):
            self.desk.workspace.rescue(sim, user_state() / "understudy" / "unsaved")

    def following(self) -> tuple[Sim, Path | None] | None:
        """Return the simulation that a user wants to see instead of the one that was shown, and its file."""
        found = self.desk.following if self.desk is not None else None
        if found is not None:
            self.runner = self.commands = self.desk = None  # pages wait for the next one
            self.stream.forget()
        return found

    def close(self) -> None:
        """Stop the server and disconnect all browsers."""
        self._server.stop()
        self.album.close()
        logging.getLogger("understudy").removeHandler(self.journal)

    def __enter__(self) -> Studio:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()


def _app(studio: Studio) -> Any:
    """Return the web application."""
    from fastapi import FastAPI
    from nicegui import app as pages
    from nicegui import ui
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Route, WebSocketRoute

    from understudy.studio import map_choice
    from understudy.studio.page import Page
    from understudy.studio.waiting_page import waiting_page

    async def ground_picture(request: Request) -> Response:
        sim = studio.runner.sim if studio.runner is not None else None
        data = sim.files.get(sim.start.ground.picture, b"") if sim is not None else b""
        return Response(data, media_type="application/octet-stream", headers={"cache-control": "no-store"})

    def thing_picture(request: Request) -> Response:  # not async: decoding is slow, so it runs in a worker thread
        data = studio.runner.gallery.png(request.path_params["name"]) if studio.runner is not None else None
        if data is None:
            return Response(status_code=404)
        return Response(data, media_type="image/png", headers={"cache-control": "private, max-age=86400, immutable"})

    async def keep_picture(request: Request) -> Response:
        kept = studio.album.keep(request.path_params["take"], int(request.path_params["number"]), await request.body())
        return Response(status_code=204 if kept else 404)

    @ui.page("/")
    def root() -> None:
        if studio.runner is not None and studio.commands is not None and studio.desk is not None:
            Page(studio, studio.runner, studio.commands, studio.desk)
        else:
            waiting_page(studio.journal, studio.start_page, lambda: studio.runner is not None)

    web = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    web.router.routes += [
        WebSocketRoute("/stream", studio.stream.serve),
        Route("/ground-picture", ground_picture),
        Route("/gallery/{name}", thing_picture),
        Route("/pictures/{take}/{number:int}", keep_picture, methods=["POST"]),
    ]

    @pages.exception_handler(404)  # NiceGUI's handler builds a page, with a client that waits for a browser
    async def not_found(request: Request, problem: Exception) -> Response:
        return PlainTextResponse("page not found\n", status_code=404)

    pages.add_static_files("/web", WEB, max_cache_age=0)
    ui.run_with(web, title="Understudy", dark=None, show_welcome_message=False, reconnect_timeout=RECONNECT_S)
    form = 10_000  # bytes of the form around an uploaded file
    limits = (
        (re.compile(r"/_nicegui/client/[^/]+/upload/[^/]+"), map_choice.MOST_BYTES + form),
        (re.compile(r"/pictures/[^/]+/[^/]+"), pictures.MOST_BYTES),
    )
    return BodyLimit(web, limits)
