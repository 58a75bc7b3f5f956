"""Plots of pinned values over time, as a NiceGUI element; implemented in `web/plots.js` with ECharts."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from pathlib import Path

import nicegui.elements.echart.echart  # noqa: F401 - puts ECharts into the page's import map
from nicegui import ui
from nicegui.element import Element

from understudy.sim.sim import Sim
from understudy.studio.heartbeat import Heartbeat
from understudy.studio.runner import Runner
from understudy.studio.scope import MOST_POINTS, Pin, Point, Scope

EVERY_S = 0.2


class Plots(Element, component=Path(__file__).parent / "web" / "plots.component.js"):
    """The plots of one page. What is pinned is recorded as long as the page is open."""

    def __init__(self, runner: Runner, heartbeat: Heartbeat, dark: bool) -> None:
        super().__init__()
        self._props["dark"] = dark
        self._runner, self.scope = runner, Scope()
        self._last = self._begun = 0
        self.on_pins: Callable[[], None] = lambda: None
        self.on("csv", self._download)
        self.on("unpin", lambda event: self.toggle(self.scope.pins[int(event.args)]))
        runner.ask(lambda sim: sim.attach(self.scope))
        self.client.on_delete(self._leave)
        heartbeat.every(EVERY_S, self._refresh)

    def be_dark(self, dark: bool) -> None:
        """Switch to the dark or light theme."""
        self._props["dark"] = dark
        self.update()

    def toggle(self, pin: Pin) -> None:
        """Plot a value, or stop plotting it."""
        self._runner.ask(lambda sim: self.scope.toggle(sim, pin))

    def _leave(self) -> None:
        self._runner.ask(self._detach)

    def _detach(self, sim: Sim) -> None:
        with contextlib.suppress(ValueError):  # the simulation has ended, or has dropped it already
            sim.detach(self.scope)

    def _refresh(self) -> None:
        scope = self.scope
        if scope.begun != self._begun:
            self._begun = scope.begun
            points = scope.after(0)
            self.run_method("begin", scope.titles(), list(map(_row, points)))
            self.on_pins()
        elif points := scope.after(self._last):
            self.run_method("add", list(map(_row, points)), MOST_POINTS)
        if points:
            self._last = points[-1].number

    def _download(self) -> None:
        ui.download.content(self.scope.csv(), "understudy-plot.csv", "text/csv")


def _row(point: Point) -> list[float | None]:
    """Return a point for a browser: the time and the values, None for those that are not numbers."""
    return [point.t_s, *(value if math.isfinite(value) else None for value in point.values)]
