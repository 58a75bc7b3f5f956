"""The verb ``studio``: a scene in the browser."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import webbrowser

from understudy.errors import UnderstudyError
from understudy.sim.sim import Sim

log = logging.getLogger("understudy.cli")


def show(sim: Sim, title: str, args: argparse.Namespace) -> None:
    """Show the run in the browser until somebody quits or its seconds are over; raises LinkError."""
    try:
        from understudy.studio.app import studio
    except ImportError as problem:
        raise UnderstudyError(
            f"the studio needs a package that is not here ({problem.name}): pip install 'understudy[studio]'"
        ) from problem
    with studio(sim, title, host=args.host, port=args.port, names=args.name) as (stage, address):
        log.info("the studio is at %s", address.url)
        if address.token:
            log.warning(
                "other machines can reach the studio with this address: it holds the token, keep it to yourself"
            )
        if not args.no_browser and can_show():
            webbrowser.open(address.url)
        stage.run(args.seconds)


def can_show() -> bool:
    """Say whether a browser could open a window here."""
    return (
        os.name == "nt"
        or sys.platform == "darwin"
        or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    )
