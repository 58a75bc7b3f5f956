"""The footer: the state of the run, who is connected, and versions; of a tape also its timeline."""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from nicegui import ui

from understudy import __version__
from understudy.studio.runner import Runner


class StatusBar:
    """Built at the bottom of a page; *seek* goes to a position of a tape."""

    def __init__(self, runner: Runner, seek: Callable[[int], None]) -> None:
        self._runner, self._seek = runner, seek
        self._place: ui.slider | None = None
        self._wound_from: int | None = None  # where a tape was when winding began
        self.tool = ""
        with ui.footer().classes("us-chrome us-status items-center gap-4"):
            self._timeline()
            self._state = ui.label("ready").mark("state")
            self._users = ui.label("").tooltip("connected browsers")
            self._clients = ui.label("").tooltip("programs connected to ports").mark("clients")
            ui.space()
            start = runner.sim.start
            ui.label(f"seed {start.seed}").tooltip("seed of all noise")
            ui.label(f"{start.engine} engine, tick {start.tick_us / 1000:g} ms")
            ui.label(f"understudy {__version__}").tooltip(_versions()).mark("version")

    def _timeline(self) -> None:
        """Build the timeline of a tape; a live simulation has none."""
        sim = self._runner.sim
        if not Runner.is_tape(sim):
            return
        with ui.row().classes("full-width items-center no-wrap q-px-sm"):
            ui.icon("theaters").tooltip("this is a tape: you can scrub it, but not change it")
            self._place = ui.slider(min=sim.deck.first, max=sim.deck.length, value=sim.tick)
            self._place.props('aria-label="position on the tape"').classes("col").tooltip("scrub the tape").mark(
                "timeline"
            )
            self._place.on("change", lambda event: self._go(int(event.args)))
            self._winding = ui.linear_progress(0.0, show_value=False).classes("us-winding")
            self._winding.tooltip("winding the tape").mark("winding").set_visibility(False)
            ui.label(f"{sim.deck.length * sim.start.tick_us / 1e6:.1f} s").classes("us-quiet")

    def _go(self, position: int) -> None:
        self._wound_from = self._runner.sim.tick
        self._seek(position)

    def _show_winding(self, position: int, wanted: int | None) -> None:
        """Show how far a tape is on its way to a position, or where it is."""
        assert self._place is not None
        self._winding.set_visibility(wanted is not None)
        if wanted is None:
            self._wound_from = None
            self._place.set_value(position)
            return
        start = position if self._wound_from is None else min(self._wound_from, position)
        self._winding.set_value((position - start) / max(wanted - start, 1))

    def show(self, status: dict[str, Any]) -> None:
        """Show the status of the run."""
        self._users.text = f"{len(status['viewers'])} watching"
        self._clients.text = f"{len(status['clients'])} of {status['ports']} ports in use, {status['devices']} devices"
        if status["tape"] and self._place is not None:
            self._show_winding(status["tape"][2], status["winding"])
        running = "winding" if status["winding"] is not None else "paused" if status["paused"] else "running"
        self._state.text = f"place: {self.tool}" if self.tool else running


def _versions() -> str:
    """Return the versions of packages that results may depend on."""
    known = [f"Python {platform.python_version()}"]
    for name in ("numpy", "numba", "mujoco", "nicegui"):
        with contextlib.suppress(PackageNotFoundError):
            known.append(f"{name} {version(name)}")
    return ", ".join(known)
