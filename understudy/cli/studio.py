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


def open_studio(args: argparse.Namespace, start_page: Callable[[], None] | None = None) -> Studio:
    """Start the web studio with a waiting page, log its address and open a browser; raises LinkError."""
    try:
        from understudy.studio.app import Studio
    except ImportError as problem:
        raise UnderstudyError(
            f"the studio needs the package {problem.name}, which is not installed: pip install 'understudy[studio]'"
        ) from problem
    studio = Studio(host=args.host, port=args.port, names=args.name, start_page=start_page)
    collector.release()  # from here it may wait for the user's choice
    log.info("the studio is at %s", studio.url)
    if studio.address.away:
        log.info("from other machines: %s", studio.address.away)
    if studio.address.token:
        log.warning("other machines can reach the studio with this address; it contains the token, keep it secret")
    if not args.no_browser and can_show():
        webbrowser.open(studio.url)
    return studio


def can_show() -> bool:
    """Return whether a browser can open a window here."""
    return (
        os.name == "nt"
        or sys.platform == "darwin"
        or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    )
