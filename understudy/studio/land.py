"""How high the ground is where somebody puts something."""

from __future__ import annotations

import dataclasses

from understudy.formats.library import Library
from understudy.sim.sim import Sim
from understudy.world.robot import Robot
from understudy.world.scene import Ground, Thing, Wall
from understudy.world.terrain import Terrain


class Land:
    """The terrain of the scene on stage, read once."""

    def __init__(self) -> None:
        self._ground: Ground | None = None
        self._terrain: Terrain | None = None

    def height_m(self, sim: Sim, x_m: float, y_m: float) -> float:
        """Return the height of the ground at a place (m); 0 where it is flat."""
        ground = sim.start.ground
        if ground is not self._ground:
            self._ground, self._terrain = ground, Library(sim.files).terrain(ground)
        return 0.0 if self._terrain is None else self._terrain.height_m(x_m, y_m)

    def stood_on(self, sim: Sim, thing: Thing) -> Thing:
        """Return a thing on the ground at its place; walls stand at zero, and lamps hang as high above it."""
        if isinstance(thing, Wall):
            return thing
        pose = thing.pose
        raised = dataclasses.replace(pose, z_m=pose.z_m + self.height_m(sim, pose.x_m, pose.y_m))
        if isinstance(thing, Robot):
            return dataclasses.replace(thing, place=raised)
        return dataclasses.replace(thing, pose=raised)
