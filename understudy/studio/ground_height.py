"""The height of the ground where a user places something."""

from __future__ import annotations

import dataclasses

from understudy.assets.library import Library
from understudy.sim.sim import Sim
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ground, Thing, Wall
from understudy.world.terrain import Terrain


class GroundHeight:
    """The terrain of the shown scene, read once."""

    def __init__(self) -> None:
        self._ground: Ground | None = None
        self._terrain: Terrain | None = None

    def height_m(self, sim: Sim, x_m: float, y_m: float) -> float:
        """Return the height of the ground at a position (m); 0 without terrain."""
        ground = sim.start.ground
        if ground is not self._ground:
            self._ground, self._terrain = ground, Library(sim.files).terrain(ground)
        return 0.0 if self._terrain is None else self._terrain.height_m(x_m, y_m)

    def stood_on(self, sim: Sim, thing: Thing) -> Thing:
        """Return a thing raised by the height of the ground below it; walls stay at zero."""
        if isinstance(thing, Wall):
            return thing
        pose = thing.pose
        raised = dataclasses.replace(pose, z_m=pose.z_m + self.height_m(sim, pose.x_m, pose.y_m))
        if isinstance(thing, PlacedRobot):
            return dataclasses.replace(thing, place=raised)
        return dataclasses.replace(thing, pose=raised)
