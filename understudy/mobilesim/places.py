"""Start poses of robots: the map's home, the pose of --start, outside the map, or random.

Each further robot starts 1 m further in -y, as in MobileSim. If that place is occupied or behind a wall, a free place
is used that can be reached from the start.
"""

from __future__ import annotations

import math

import numpy as np

from understudy import rng
from understudy.mobilesim.options import Options
from understudy.world.clearance import STEP_M, Clearance, OutlineAt, shifted
from understudy.world.marks import start_pose
from understudy.world.scene import Scene
from understudy.world.shapes import Pose

OUTSIDE_M = 2.0
TRIES = 2000
_STAGE = np.uint64(0)


class StartPoses:
    """Hands out start poses, one after the other."""

    def __init__(self, scene: Scene, options: Options, count: int = 0) -> None:
        self._scene, self._start, self._seed = scene, options.start, options.seed
        self._clearance = Clearance(scene)
        self._count = count  # robots and boxes placed before
        self.moved: list[str] = []  # messages about those that got another place

    def next(self, who: str, outline_at: OutlineAt) -> Pose:
        """Return the start pose of the next robot or box, which has this outline."""
        pose = self._random(who, outline_at) if self._start == "random" else self._in_line(who, outline_at)
        self._clearance.take(outline_at(pose))
        self._count += 1
        return pose

    def first(self) -> Pose:
        """Return the start pose of the first robot, if there is room."""
        if isinstance(self._start, Pose):
            return self._start
        if self._start == "outside":
            (x, y), (wide, deep) = self._scene.ground.center_m, self._scene.ground.size_m
            return Pose(x - wide / 2 - OUTSIDE_M, y + deep / 2)
        return start_pose(self._scene.marks)

    def _in_line(self, who: str, outline_at: OutlineAt) -> Pose:
        wanted = shifted(self.first(), 0.0, -STEP_M * self._count)
        pose = self._clearance.in_line(self.first(), self._count, outline_at)
        if pose != wanted:
            self.moved.append(f"{who} starts at {_shown(pose)}: no room at {_shown(wanted)}")
        return pose

    def _random(self, who: str, outline_at: OutlineAt) -> Pose:
        """Return a random free pose on the map, deterministic by seed and robot; a place near the start if none."""
        key = rng.key(self._seed, f"start/{self._count}")
        for number in range(TRIES):
            pose = self._anywhere(key, number)
            if self._clearance.fits(outline_at(pose)):
                return pose
        self.moved.append(f"{who}: no free random place found on the map; placed near the start")
        return self._in_line(who, outline_at)

    def _anywhere(self, key: tuple[int, int], number: int) -> Pose:
        (x, y), (wide, deep) = self._scene.ground.center_m, self._scene.ground.size_m
        shares = [float(rng.uniform(*key, 0, _STAGE, 3 * number + draw)) for draw in range(3)]
        return Pose(
            x + (shares[0] - 0.5) * wide, y + (shares[1] - 0.5) * deep, heading_rad=(shares[2] - 0.5) * math.tau
        )


def _shown(pose: Pose) -> str:
    return f"{pose.x_m:.3f}, {pose.y_m:.3f} m"
