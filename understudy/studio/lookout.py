"""Looks at a run and makes frames of it, in the simulation's thread and only when somebody watches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.formats.files import Contents
from understudy.formats.library import Library
from understudy.sensors.traces import told
from understudy.sim.clock import Gauge
from understudy.sim.run import Run
from understudy.studio import describe, frames
from understudy.studio.frames import Array, Block, Flag, Frame
from understudy.world.robot import Ackermann, Robot

Place = tuple[float, float, float]  # x, y (m), heading (rad)
STANDING_M_S = 0.01
NOWHERE: Place = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the browsers together want to see of the devices: all robots' beams, or those of the robots named."""

    everybody: bool = False
    robots: frozenset[str] = frozenset()


class Lookout:
    """Makes descriptions and frames of the run that is on."""

    def __init__(self) -> None:
        self.epoch = 0
        self._sequence = 0
        self._gauge = Gauge()
        self._scene_of: tuple[Any, ...] = ()
        self._anchors: dict[str, Place] = {}  # where each robot was when its odometry was last set to zero
        self._library = Library({})  # meshes are decoded once, not at every change
        self._library_of: Contents | None = None
        self._astray: set[str] = set()  # robots whose odometry does not stand at zero

    def new_structure(self, run: Run) -> bool:
        """Say whether a browser needs a new description: another run, other things, or things of another form."""
        now = (run, run.batches, *run.engine.structure())
        same = len(now) == len(self._scene_of) and all(a is b for a, b in zip(now, self._scene_of))
        if not same:
            if not self._scene_of or self._scene_of[0] is not run:
                self._anchors, self._astray = {}, set()
            self._scene_of = now
            self.epoch += 1
        return not same

    def describe(self, run: Run) -> dict[str, Any]:
        """Return the description of the present epoch."""
        starts = {robot.name: robot.pose for robot in run.start.robots}
        for robot, pose in zip(run.robots, run.engine.poses()):
            start = starts.get(robot.name)
            place = _where(pose) if start is None else (start.x_m, start.y_m, start.heading_rad)
            self._anchors.setdefault(robot.name, place)
        beliefs = [row for row, robot in enumerate(run.robots) if odometry(run, robot) is not None]
        if run.files is not self._library_of:
            self._library_of, self._library = run.files, Library(run.files)
        return {**describe.description(run, self.epoch, self._library), "odometry": beliefs}

    def frame(self, run: Run, wish: Wish, flags: Flag) -> Frame:
        """Return everything that moves."""
        poses = run.engine.poses()
        self._sequence += 1
        blocks = (
            frames.poses3(np.concatenate([poses, run.engine.movables()[1], _limbs(run)])),
            frames.poses2(list(self._beliefs(run))),
            frames.rolling(rolling(run)),
            frames.contacts(run.engine.contacts()[:, 1:5]),
            *_ranges(run, wish),
        )
        time_s = run.t_us / 1e6
        return Frame(self._sequence, self.epoch, time_s, self._gauge.factor(time_s), flags, blocks)

    def _beliefs(self, run: Run) -> Iterator[Place]:
        """Yield where robots believe to be, counted from where their odometry was last set to zero."""
        for robot, pose in zip(run.robots, run.engine.poses()):
            believed = odometry(run, robot)
            if believed is None:
                continue
            if believed != NOWHERE:
                self._astray.add(robot.name)
            elif run.tick == 0 or robot.name in self._astray:  # it has not begun yet, or was set to zero just now
                self._anchors[robot.name] = _where(pose)
                self._astray.discard(robot.name)
            yield _seen_from(self._anchors.get(robot.name, NOWHERE), believed)


def odometry(run: Run, robot: Robot) -> Place | None:
    """Return where a robot's firmware or odometry device believes it to be, None if it has neither."""
    for unit in robot.built.units:
        at = getattr(run.units.get(f"{robot.name}/{unit.name}"), "odometry", None)
        if at is not None:
            return at.x_m, at.y_m, at.heading_rad
    for device in robot.built.devices:
        if device.sheet.kind == "odometry":
            x, y, heading = run.readings[f"{robot.name}/{device.name}"].read()[:3].tolist()
            return (x, y, heading) if math.isfinite(x + y + heading) else NOWHERE
    return None


def rolling(run: Run) -> Array:
    """Return what wheels show of every robot: their paths, left, right, aside (m), and the curve they steer (1/m)."""
    rows = np.zeros((len(run.robots), 4))
    rows[:, :3] = run.engine.travel()
    for row, robot in enumerate(run.robots):
        if isinstance(robot.built.drive, Ackermann):
            rows[row, 3] = _sharpness(robot.built.drive, run.engine.poses()[row], run.engine.twists()[row])
    return rows


def _sharpness(drive: Ackermann, pose: Array, twist: Array) -> float:
    """Return how sharp a curve a car drives, within what it can steer (1/m); 0 while it stands."""
    ahead = twist[0] * math.cos(pose[5]) + twist[1] * math.sin(pose[5])
    most = math.tan(drive.max_steer_rad) / drive.wheelbase_m
    return 0.0 if abs(ahead) < STANDING_M_S else float(np.clip(twist[5] / ahead, -most, most))


def _limbs(run: Run) -> Array:
    """Return where the joints of all robots are, as rows of poses."""
    chain = run.engine.chain
    return chain.places(run.engine.joints().position, run.engine.poses()) if len(chain) else np.zeros((0, 6))


def _where(pose: Sequence[float] | Any) -> Place:
    return float(pose[0]), float(pose[1]), float(pose[5])


def _seen_from(anchor: Place, place: Place) -> Place:
    """Return a place that is given relative to *anchor* in the world.

    >>> _seen_from((1.0, 2.0, math.pi / 2), (3.0, 0.0, 0.0))
    (1.0, 5.0, 1.5707963267948966)
    """
    (ax, ay, turn), (x, y, heading) = anchor, place
    cos, sin = math.cos(turn), math.sin(turn)
    return round(ax + cos * x - sin * y, 9), round(ay + sin * x + cos * y, 9), turn + heading


def _ranges(run: Run, wish: Wish) -> Iterator[Block]:
    """Yield what the wished devices tell, a block for each batch."""
    for number, batch in enumerate(run.batches):
        if batch.table is None or batch.samples == 0:
            continue
        chosen = [
            i for i, path in enumerate(batch.paths)
            if not batch.off[i] and (wish.everybody or path.partition("/")[0] in wish.robots)
        ]  # fmt: skip
        if chosen:
            distances = np.array([told(batch, i) for i in chosen])
            yield frames.ranges(number, batch.rows[chosen], distances, batch.table.limit_m)
