"""What a scene provides to its sensors besides motion: geographic origin, air, GPS reception, robots.

Created once for each structure of the world; one row per robot where robots differ.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.assets.files import Contents
from understudy.engines.base import Engine
from understudy.sensors.camera.drawings import Easel
from understudy.sensors.floor import GroundPicture, floor_of, palette_of
from understudy.sensors.lighting import bulbs_of, sources_of
from understudy.units import US_PER_S
from understudy.world.geo import GeoFrame
from understudy.world.scene import Scene

Array = npt.NDArray[np.float64]

_DAY_US, _HOUR_US = 86_400 * US_PER_S, 3_600 * US_PER_S
_DEG_PER_HOUR = 15.0  # the rotation of the Earth


class Surroundings:
    """The constant facts of a flat scene.

    A row of *shadows* is a rectangle of the floor without GPS reception: x, y of its centre, heading, length, width.
    So is a row of *dirt*, on which cleaning robots find dirt.
    """

    def __init__(
        self, scene: Scene, shadows: Array | None = None, files: Contents | None = None, dirt: Array | None = None
    ) -> None:
        self.frame = GeoFrame.from_origin(scene.origin)
        self.on_earth = scene.origin is not None  # otherwise magnetic north is unknown
        self.gravity_m_s2 = scene.gravity_m_s2
        self.tracks_m: Array = np.array([robot.built.drive.track_m for robot in scene.robots])
        self._air = scene.air
        self.ambient, self.lights = scene.ambient, sources_of(scene.lights)
        self._lights = frozenset(light.name for light in scene.lights)
        self._ground, self._files = scene.ground, {} if files is None else files
        self._floor: GroundPicture | None = None
        self.palette = palette_of(scene)
        self.bulbs = bulbs_of(scene.lights)
        self.easel = Easel(scene, self._files)
        self._shadows: Array = np.empty((0, 5)) if shadows is None else shadows
        self._dirt: Array = np.empty((0, 5)) if dirt is None else dirt

    @property
    def floor(self) -> GroundPicture:
        """Return the ground as devices see it, its picture decoded; raises FormatError that names the file."""
        self._floor = self._floor or floor_of(self._ground, self._files)
        return self._floor

    def keep_floor(self, before: Surroundings) -> None:
        """Take over the decoded ground of earlier surroundings if it is the same."""
        if before._ground == self._ground and before._files is self._files:
            self._floor = before._floor

    def light_up(self, engine: Engine, name: str) -> None:
        """Update after the thing of this name was moved: a light shines from its new position."""
        if name in self._lights:
            lights = engine.scene().lights
            self.lights, self.bulbs = sources_of(lights), bulbs_of(lights)

    def reception(self, x_m: Array, y_m: Array) -> npt.NDArray[np.bool_]:
        """Return for each point of the floor whether a GPS receiver has reception there."""
        return ~_inside(self._shadows, x_m, y_m)

    def dirty(self, x_m: float, y_m: float) -> bool:
        """Return whether there is dirt on a point of the floor."""
        return bool(len(self._dirt)) and bool(_inside(self._dirt, np.array([x_m]), np.array([y_m]))[0])

    def air_c(self, t_us: int) -> float:
        """Return the temperature of the air at a simulated time (degrees Celsius)."""
        local_us = (self.frame.start_us + t_us) % _DAY_US
        hour = local_us / _HOUR_US + math.degrees(self.frame.longitude_rad) / _DEG_PER_HOUR
        return self._air.temperature_c + self._air.swing_c * elementary.cos(
            math.tau * (hour - self._air.warmest_h) / 24.0
        )


def _inside(areas: Array, x_m: Array, y_m: Array) -> npt.NDArray[np.bool_]:
    """Return for each point whether it is in one of the areas."""
    inside = np.zeros(len(x_m), np.bool_)
    for x, y, heading, length, width in areas:
        cos, sin = elementary.cos(heading), elementary.sin(heading)
        ahead, left = cos * (x_m - x) + sin * (y_m - y), cos * (y_m - y) - sin * (x_m - x)
        inside |= ~((np.abs(ahead) > length / 2) | (np.abs(left) > width / 2))
    return inside
