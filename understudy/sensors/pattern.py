"""Beam patterns: where around a device a pole is detected, found by placing one there and reading the device.

There is one pole and one device per position, all measured at once; the robots are invisible.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy import engines
from understudy.elementary import arrays
from understudy.engines.base import Engine
from understudy.errors import EngineError
from understudy.sensors.base import Array, RaySheet, Truth
from understudy.sensors.batch import Batch
from understudy.sensors.surroundings import Surroundings
from understudy.sensors.traces import spread_out
from understudy.world.materials import Surface
from understudy.world.robot import Circle, Differential, PlacedRobot, RobotModel
from understudy.world.scene import Ground, Scene, Solid
from understudy.world.shapes import Cylinder, Mount, Pose

Bools = npt.NDArray[np.bool_]

_UNSEEN = RobotModel(body=Circle(1e-3), drive=Differential(0.1), surface=Surface(seen_by=(), obstacle=False))
_TICK_US = 5_000
_FEWEST = 9  # positions across a narrow beam
_MARGIN = 0.77  # of the pole's width around the beam; not a round number, so that the pole never just touches the beam


@dataclass(frozen=True, eq=False)
class Pattern:
    """Where a pole of *target_m* is detected: a grid of positions, ahead of the robot (x) and to its left (y)."""

    target_m: float
    x_m: Array  # increasing, evenly spaced
    y_m: Array
    seen: Bools  # (y, x)

    @property
    def steps_m(self) -> tuple[float, float]:
        """Return the grid spacing, ahead and to the side (m)."""
        return float(self.x_m[1] - self.x_m[0]), float(self.y_m[1] - self.y_m[0])

    def at(self, x_m: Array, y_m: Array) -> Bools:
        """Return for each point whether the pole is detected at the nearest grid position; False off the grid."""
        columns, rows = (
            np.rint((at - axis[0]) / (axis[1] - axis[0])) for at, axis in ((x_m, self.x_m), (y_m, self.y_m))
        )
        inside = (columns >= 0) & (columns < len(self.x_m)) & (rows >= 0) & (rows < len(self.y_m))
        found = np.zeros(np.shape(x_m), np.bool_)
        found[inside] = self.seen[rows[inside].astype(np.int64), columns[inside].astype(np.int64)]
        return found

    def farthest_m(self) -> float:
        """Return the largest distance from the robot's centre at which the pole is detected; 0: never (m)."""
        away = arrays.hypot(self.x_m[None, :], self.y_m[:, None])
        return float(away[self.seen].max(initial=0.0))


def pattern(
    sheet: Any, target_m: float, mount: Mount | None = None, number: int | None = None, fine: int = 100
) -> Pattern:
    """Return where a device detects a pole, over at most fine x fine positions; *number* selects a single value."""
    mount = mount or Mount(z_m=1.0)
    if sheet.table(mount) is None:
        raise EngineError(f"a {sheet.kind} casts no rays, so it has no beam pattern")
    quiet = replace(sheet, noise=replace(sheet.noise, preset="perfect"), phase_us=0, latency_us=0)
    x_m, y_m, far_m = _grid(quiet, mount, target_m, fine)
    places = np.array([(x, y) for y in y_m.tolist() for x in x_m.tolist()] + [(far_m, far_m)])
    values = _read(quiet, mount, target_m, places, far_m)
    noticed = values != values[-1]
    seen = noticed.any(axis=1) if number is None else noticed[:, number]
    return Pattern(target_m, x_m, y_m, seen[:-1].reshape(len(y_m), len(x_m)))


def _grid(sheet: RaySheet, mount: Mount, target_m: float, fine: int) -> tuple[Array, Array, float]:
    """Return positions around everything that the device may reach, and a distance at which it detects nothing (m)."""
    rays = spread_out(sheet.table(mount))
    lengths = np.full(len(rays.origins), rays.limit_m) if rays.lengths is None else rays.lengths
    ends = rays.origins + np.minimum(lengths, rays.limit_m)[:, None] * rays.directions
    points = np.concatenate([rays.origins, ends])[:, :2]
    low, high = points.min(axis=0) - _MARGIN * target_m, points.max(axis=0) + _MARGIN * target_m
    counts = np.maximum(np.ceil((fine - 1) * (high - low) / (high - low).max()) + 1, _FEWEST).astype(np.int64)
    x_m, y_m = (np.linspace(*ends) for ends in zip(low, high, counts.tolist()))
    return x_m, y_m, 2.0 * (rays.limit_m + target_m + float(np.abs(points).max()))


def _read(sheet: RaySheet, mount: Mount, target_m: float, places: Array, far_m: float) -> Array:
    """Return the reading of the device with the pole at each position."""
    robots = tuple(
        PlacedRobot(name=f"r{i}", place=Pose(-x, -y), parts=_UNSEEN) for i, (x, y) in enumerate(places.tolist())
    )
    pole = Solid(name="pole", shape=Cylinder(target_m / 2, 2.0 * (far_m + abs(mount.z_m))))
    scene = Scene(ground=Ground((4.0 * far_m, 4.0 * far_m)), objects=(pole,), robots=robots)
    engine: Engine = engines.make("planar", scene)
    batch = Batch(sheet, mount, [f"{robot.name}/it" for robot in robots], range(len(robots)), 0, _TICK_US)
    batch.sense(Truth(0, engine, Surroundings(scene)), engine.cast)
    return batch.values


def width_rad(seen: Pattern, distance_m: float) -> float:
    """Return the width of the pattern at a distance from the robot's centre (rad)."""
    angles = np.radians(np.arange(-180.0, 180.0, 0.25))
    return math.radians(0.25) * int(seen.at(distance_m * arrays.cos(angles), distance_m * arrays.sin(angles)).sum())
