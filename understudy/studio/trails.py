"""The paths that robots have driven, recorded by the simulation: the same for every browser, at any speed.

Positions are sampled in simulated time. The recorder keeps a limited number of points of each robot; browsers get
the new points and the number of old ones that were dropped.
"""

from __future__ import annotations

import base64
import math
from collections import deque
from typing import Any, NamedTuple

import numpy as np

from understudy.sim.listeners import Snapshot
from understudy.sim.sim import Sim
from understudy.sim.view import View

PERIOD_US = 40_000  # simulated time between two samples
STEP_SHARE = 0.1  # of a robot's reach: shorter moves are not recorded
JUMP_M_S = 20.0  # faster: it was put elsewhere, and a new stroke begins
LONGEST_S = 0.1  # of a gap between two samples that is still joined
MOST_POINTS = 4000  # of one robot
MOST_IN_ALL = 60_000
NEW_STROKE = 0x8000


class TrailPoint(NamedTuple):
    """A point of a trail; *number* counts the points of all robots."""

    number: int
    owner: int
    x_m: float
    y_m: float
    z_m: float
    starts: bool


class TrailRecorder:
    """Records where robots go; a listener of the simulation."""

    def __init__(self) -> None:
        self.generation = 0  # changes when all trails are cleared
        self._names: dict[str, int] = {}
        self._points: dict[str, deque[TrailPoint]] = {}
        self._dropped: dict[str, int] = {}
        self._count = 0
        self._due_us = 0
        self._last_us = 0

    # ---- recording

    def begin(self, sim: Sim) -> None:
        """Clear the trails: a run begins."""
        self.clear()

    def tick(self, snapshot: Snapshot) -> None:
        """Sample the robots' positions if it is time to."""
        self.sample(snapshot)

    def end(self, reason: str) -> None:
        """Keep the trails of the ended run."""

    def clear(self) -> None:
        """Forget all points."""
        self.generation += 1
        self._names, self._points, self._dropped = {}, {}, {}
        self._count = self._due_us = self._last_us = 0

    def sample(self, view: View) -> None:
        """Record positions, at most once in a period of simulated time."""
        if view.t_us < self._last_us:  # a tape was wound back
            self.clear()
        if self._last_us and view.t_us < self._due_us:
            return
        seconds, self._last_us = (view.t_us - self._last_us) / 1e6, view.t_us
        self._due_us = view.t_us + PERIOD_US
        most = max(2, min(MOST_POINTS, MOST_IN_ALL // max(1, len(view.robots))))
        jump_m = JUMP_M_S * min(seconds, LONGEST_S)
        for robot, (x, y, z, *_) in zip(view.robots, view.poses().tolist()):
            self._add(robot.name, (x, y, z), robot.built.body.reach_m() * STEP_SHARE, jump_m, most)

    def _add(self, name: str, place: tuple[float, float, float], step_m: float, jump_m: float, most: int) -> None:
        points = self._points.setdefault(name, deque())
        far = math.dist(points[-1][2:4], place[:2]) if points else math.inf
        if far < step_m or not all(map(math.isfinite, place)):
            return
        owner = self._names.setdefault(name, len(self._names))
        if owner >= NEW_STROKE:
            return
        points.append(TrailPoint(self._count, owner, *place, far > max(jump_m, 3 * step_m)))
        self._count += 1
        if len(points) > most:
            points.popleft()
            self._dropped[name] = self._dropped.get(name, 0) + 1

    # ---- telling browsers

    @property
    def mark(self) -> tuple[int, int]:
        """Return what a browser that has got everything knows: generation and number of points."""
        return self.generation, self._count

    def news(self, known: tuple[int, int], dropped: dict[str, int]) -> dict[str, Any]:
        """Return the points since *known*; *dropped* counts the old points that the browser knows to be dropped."""
        first = known[1] if known[0] == self.generation else 0
        if not first:
            dropped.clear()
            dropped.update(self._dropped)
        fresh = sorted(point for points in self._points.values() for point in _since(points, first))
        gone = {name: count - dropped.get(name, 0) for name, count in self._dropped.items()}
        dropped.update(self._dropped)
        owners = np.array([point.owner | (NEW_STROKE if point.starts else 0) for point in fresh], "<u2")
        return {
            "kind": "trail", "generation": self.generation, "names": list(self._names), "owners": _text(owners),
            "points": _text(np.array([point[2:5] for point in fresh], "<f4")),
            "dropped": {name: count for name, count in gone.items() if count},
        }  # fmt: skip


def _since(points: deque[TrailPoint], first: int) -> list[TrailPoint]:
    """Return the points of a trail from a number on."""
    found = []
    for point in reversed(points):
        if point.number < first:
            break
        found.append(point)
    return found


def _text(rows: Any) -> str:
    return base64.b64encode(rows.tobytes()).decode("ascii")
