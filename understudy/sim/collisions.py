"""Logs collisions: a listener that logs each new contact of a robot once."""

from __future__ import annotations

import logging
import math

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.sim.listeners import Snapshot
from understudy.sim.sim import Sim
from understudy.world import outlines, walls
from understudy.world.outlines import Outline
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Scene

log = logging.getLogger(__name__)
QUIET_US = 1_000_000  # a repeated contact with the same thing is not logged again before this
NEAR_M = 0.05  # a thing farther from the point of contact was not touched

Array = npt.NDArray[np.float64]


class Collisions:
    """Logs ``scout hit desk at 1.20, 0.40`` when something begins to block a robot."""

    def __init__(self) -> None:
        self._held: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._logged: dict[tuple[str, str], int] = {}

    def begin(self, sim: Sim) -> None:
        """Watch this simulation."""
        self._held = np.zeros(len(sim.view().robots), np.bool_)
        self._logged.clear()

    def tick(self, snapshot: Snapshot) -> None:
        """Log the robots that have just been blocked."""
        held = np.array(snapshot.blocked(), np.bool_)
        if len(held) != len(self._held):
            self._held = np.zeros(len(held), np.bool_)
        fresh = held & ~self._held
        self._held = held
        if fresh.any():
            self._log(fresh, snapshot)

    def _log(self, fresh: npt.NDArray[np.bool_], snapshot: Snapshot) -> None:
        scene, t_us = snapshot.scene(), snapshot.t_us
        for row, x, y, *_ in snapshot.contacts().tolist():
            if fresh[int(row)]:
                robot = snapshot.robots[int(row)]
                other = nearest(scene, robot, x, y)
                if t_us - self._logged.get((robot.name, other), -QUIET_US) >= QUIET_US:
                    log.warning("%s hit %s at %.2f, %.2f", robot.name, other, x, y)
                self._logged[robot.name, other] = t_us

    def end(self, reason: str) -> None:
        """Do nothing: there is nothing to close."""


def nearest(scene: Scene, robot: PlacedRobot, x: float, y: float) -> str:
    """Return the name of the thing that a robot touches at a point, "something" if none is near."""
    best, name = NEAR_M, "something"
    for wall in scene.walls:
        away = _to_pieces(walls.pieces(wall), x, y) - wall.thickness_m / 2
        if away < best:
            best, name = away, wall.name
    others = [outlines.of_robot(other) for other in scene.robots if other.name != robot.name]
    things = [outline for solid in scene.objects for outline in outlines.of_solid(solid)]
    balls = [Outline(b.name, ((b.pose.x_m, b.pose.y_m),), b.radius_m, 0.0, 1.0) for b in scene.balls]
    for outline in (*others, *things, *balls):
        away = _to_pieces(_edges(outline), x, y) - outline.radius_m
        if away < best:
            best, name = away, outline.name
    return name


def _edges(outline: Outline) -> Array:
    points = np.array(outline.points)
    return np.column_stack([points, np.roll(points, -1, axis=0)])


def _to_pieces(rows: Array, x: float, y: float) -> float:
    """Return the distance from a point to the nearest line segment (m)."""
    if len(rows) == 0:
        return math.inf
    start, way = rows[:, :2], rows[:, 2:] - rows[:, :2]
    long = np.maximum((way * way).sum(axis=1), 1e-12)
    part = np.clip(((np.array([x, y]) - start) * way).sum(axis=1) / long, 0.0, 1.0)
    return float(arrays.hypot(*(start + part[:, None] * way - (x, y)).T).min())
