"""The verb ``studio``: a scene in the browser."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import webbrowser
from collections.abc import Callable
from typing import TYPE_CHECKING

from understudy.cli import collector
from understudy.errors import UnderstudyError

if TYPE_CHECKING:
    from understudy.studio.app import Studio

log = logging.getLogger("understudy.cli")


def open_studio(args: argparse.Namespace, lobby: Callable[[], None] | None = None) -> Studio:
    """Return a studio that shows a lobby, and tell where it is; raises LinkError."""
    try:
        from understudy.studio.app import Studio
    except ImportError as problem:
        raise UnderstudyError(
            f"the studio needs a package that is not here ({problem.name}): pip install 'understudy[studio]'"
        ) from problem
    studio = Studio(host=args.host, port=args.port, names=args.name, lobby=lobby)
    collector.release()  # it may wait for somebody's choice now
    log.info("the studio is at %s", studio.url)
    if studio.address.away:
        log.info("for other machines it is at %s", studio.address.away)
    if studio.address.token:
        log.warning("other machines can reach the studio with this address: it holds the token, keep it to yourself")
    if not args.no_browser and can_show():
        webbrowser.open(studio.url)
    return studio


def can_show() -> bool:
    """Say whether a browser could open a window here."""
    return (
        os.name == "nt"
        or sys.platform == "darwin"
        or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    )
