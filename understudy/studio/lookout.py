"""Makes scene descriptions and frames of a run, in the simulation's thread and only while a browser watches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from understudy.frozen import frozen
from understudy.sim.clock import Gauge
from understudy.sim.view import ORIGIN, Place, Structure, View
from understudy.studio import describe, frames
from understudy.studio.frames import Array, Flag, Frame, FrameBlock
from understudy.studio.gallery import Gallery
from understudy.world.robot import Ackermann

STANDING_M_S = 0.01


@frozen
class BeamRequest:
    """The beams that all browsers together request: of all robots, or of the named robots."""

    all_robots: bool = False
    robots: frozenset[str] = frozenset()


class Lookout:
    """Makes descriptions and frames of the current run."""

    def __init__(self, gallery: Gallery | None = None) -> None:
        self.gallery = gallery or Gallery()
        self.epoch = 0
        self._sequence = 0
        self._gauge = Gauge()
        self._seen: Structure | None = None
        self._anchors: dict[str, Place] = {}  # true pose of each robot when its odometry was last set to zero
        self._moved: set[str] = set()  # robots whose odometry is not zero

    def new_structure(self, view: View) -> bool:
        """Return whether browsers need a new description: another run, or other things or shapes."""
        now, before = view.structure(), self._seen
        if before is not None and now.is_same(before):
            return False
        if before is None or not now.is_same_run(before):
            self._anchors, self._moved = {}, set()
        self._seen = now
        self.epoch += 1
        return True

    def describe(self, view: View) -> dict[str, Any]:
        """Return the description of the current epoch."""
        starts = {robot.name: robot.pose for robot in view.start.robots}
        for robot, pose in zip(view.robots, view.poses()):
            start = starts.get(robot.name)
            place = _where(pose) if start is None else (start.x_m, start.y_m, start.heading_rad)
            self._anchors.setdefault(robot.name, place)
        estimating = [row for row, robot in enumerate(view.robots) if view.odometry(robot.name) is not None]
        return {**describe.description(view, self.epoch, self.gallery), "odometry": estimating}

    def frame(self, view: View, request: BeamRequest, flags: Flag) -> Frame:
        """Return everything that moves."""
        self._sequence += 1
        blocks = (
            frames.poses3(np.concatenate([view.poses(), view.movables()[1], view.limbs()])),
            frames.poses2(list(self._estimates(view))),
            frames.rolling(rolling(view)),
            frames.contacts(view.contacts()[:, 1:5]),
            *_ranges(view, request),
        )
        time_s = view.t_us / 1e6
        return Frame(self._sequence, self.epoch, time_s, self._gauge.factor(time_s), flags, blocks)

    def _estimates(self, view: View) -> Iterator[Place]:
        """Yield the pose estimates of robots in world coordinates, from where their odometry was last set to zero."""
        for robot, pose in zip(view.robots, view.poses()):
            estimate = view.odometry(robot.name)
            if estimate is None:
                continue
            if estimate != ORIGIN:
                self._moved.add(robot.name)
            elif view.t_us == 0 or robot.name in self._moved:  # not started yet, or set to zero just now
                self._anchors[robot.name] = _where(pose)
                self._moved.discard(robot.name)
            yield _seen_from(self._anchors.get(robot.name, ORIGIN), estimate)


def rolling(view: View) -> Array:
    """Return wheel motion of every robot: travel left, right and sideways (m), and steered curvature (1/m)."""
    poses, twists = view.poses(), view.twists()
    rows = np.zeros((len(poses), 4))
    rows[:, :3] = view.travel()
    for row, robot in enumerate(view.robots):
        if isinstance(robot.built.drive, Ackermann):
            rows[row, 3] = _curvature(robot.built.drive, poses[row], twists[row])
    return rows


def _curvature(drive: Ackermann, pose: Array, twist: Array) -> float:
    """Return the curvature that a car drives, within its steering limit (1/m); 0 while it stands."""
    ahead = twist[0] * math.cos(pose[5]) + twist[1] * math.sin(pose[5])
    most = math.tan(drive.max_steer_rad) / drive.wheelbase_m
    return 0.0 if abs(ahead) < STANDING_M_S else float(np.clip(twist[5] / ahead, -most, most))


def _where(pose: Sequence[float] | Any) -> Place:
    return float(pose[0]), float(pose[1]), float(pose[5])


def _seen_from(anchor: Place, place: Place) -> Place:
    """Return a pose relative to *anchor* in world coordinates.

    >>> _seen_from((1.0, 2.0, math.pi / 2), (3.0, 0.0, 0.0))
    (1.0, 5.0, 1.5707963267948966)
    """
    (ax, ay, turn), (x, y, heading) = anchor, place
    cos, sin = math.cos(turn), math.sin(turn)
    return round(ax + cos * x - sin * y, 9), round(ay + sin * x + cos * y, 9), turn + heading


def _ranges(view: View, request: BeamRequest) -> Iterator[FrameBlock]:
    """Yield the ranges of the requested devices, a block for each group."""
    if not request.all_robots and not request.robots:
        return
    for group in view.ray_groups():
        chosen = [
            i for i, path in enumerate(group.paths)
            if group.valid[i] and (request.all_robots or path.partition("/")[0] in request.robots)
        ]  # fmt: skip
        if chosen:
            values = view.ranges(group, chosen)
            lost = view.lost(group, chosen, values) if group.kind == "laser" else None
            yield frames.ranges(group.number, group.rows[chosen], values, group.table.limit_m, lost)
