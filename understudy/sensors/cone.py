"""Sonar: rings of transducers, each a cone of rays whose nearest echo counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy.engines.rays.table import RayTable
from understudy.sensors.base import Array, Sampled, fan, rotation
from understudy.sensors.card import Card, Number
from understudy.sensors.imperfection import LengthNoise
from understudy.world.materials import layer_mask
from understudy.world.plain import rule
from understudy.world.shapes import Mount

_RINGS, _AROUND = (0.5, 1.0), 8  # a tilted cone: its axis, and rays on rings at these shares of its half-angle

_CARD = Card(
    "sonar",
    "The nearest echo in the cone of each transducer of a ring, by default such as a Pioneer's.",
    sources=(
        "MobileSim 0.9.8, its robot model file: 0.1 to 5 m",
        "SEAR dissertation 5.6.2.1: cones, the nearest hit counts",
    ),
    modelled=(
        "the nearest thing in a cone of the plane, exactly; on a tilted mount, rays spread over the cone",
        "white noise, shortest and longest range",
    ),
    not_modelled=(
        "surfaces that turn the sound away: a real sonar misses smooth walls at more than some 40 degrees",
        "several echoes, crosstalk between transducers and robots, the time that the sound takes",
        "a cone that narrows with the distance, the speed of sound in warm and cold air",
    ),
    numbers=(
        Number("period_us", "MobileSim: one set of ranges for each status packet, 100 ms"),
        Number("cone_rad", "estimate: 30 deg; MobileSim casts one ray for each transducer"),
        Number("min_m", "MobileSim model file"),
        Number("max_m", "MobileSim model file"),
        Number("noise.sigma_m", "estimate; MobileSim has 0.25 mm"),
    ),
)


@dataclass(frozen=True, slots=True)
class Sonar(Sampled):
    """One ring of transducers, described as its data sheet describes it."""

    kind: ClassVar[str] = "sonar"
    card: ClassVar[Card] = _CARD
    ring: tuple[Mount, ...] = (Mount(),)
    cone_rad: float = rule(math.radians(30.0), least=0.0, most=math.pi)
    rays_per_cone: int = rule(
        0, least=0, most=1000, doc="0: the cone itself, exactly; else so many rays spread over it"
    )
    min_m: float = rule(0.10, least=0.0)
    max_m: float = rule(5.0, above=0.0)
    noise: LengthNoise = rule(LengthNoise(sigma_m=0.005), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one range per transducer (m)."""
        return tuple(f"range_m[{i}]" for i in range(len(self.ring)))

    def floor(self) -> float:
        """Return the least value that a reading can have (m)."""
        return self.min_m

    def nothing(self) -> float:
        """Return the range that means "no echo" (m)."""
        return self.max_m

    def table(self, mount: Mount) -> RayTable:
        """Return the axes of all transducers, or the rays of their cones one after the other, in the robot's frame."""
        level = mount.pitch_rad == mount.roll_rad == 0.0 and not any(d.pitch_rad or d.roll_rad for d in self.ring)
        exact = level and self.rays_per_cone == 0
        turn, here = rotation(mount), np.array([mount.x_m, mount.y_m, mount.z_m])
        rays = np.array([[1.0, 0.0, 0.0]]) if exact else self._rays(level)
        origins, directions = [], []
        for disc in self.ring:
            origins.append(np.tile(here + turn @ [disc.x_m, disc.y_m, disc.z_m], (len(rays), 1)))
            directions.append(rays @ (turn @ rotation(disc)).T)
        layer, width = layer_mask(("sonar",)), self.cone_rad if exact else 0.0
        return RayTable(np.concatenate(origins), np.concatenate(directions), self.max_m, layer, cone_rad=width)

    def _rays(self, level: bool) -> Array:
        """Return the rays that stand for one cone about the x axis: a fan in the plane, or rings around the axis."""
        if self.rays_per_cone or level:
            angles = fan(self.cone_rad, self.rays_per_cone)
            return np.column_stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))])
        rings = [(0.0, 0.0), *((half, turn) for half in _RINGS for turn in np.arange(_AROUND) * 2 * math.pi / _AROUND)]
        half, turn = np.array(rings).T * np.array([[self.cone_rad / 2], [1.0]])
        return np.column_stack([np.cos(half), np.sin(half) * np.cos(turn), np.sin(half) * np.sin(turn)])
