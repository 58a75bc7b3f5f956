"""Sonar: rings of transducers, each a cone of rays whose nearest echo counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy.engines.rays.table import RayTable
from understudy.sensors.base import Array, fan
from understudy.sensors.noise import Noise
from understudy.world.materials import layer_mask
from understudy.world.plain import rule
from understudy.world.shapes import Mount


@dataclass(frozen=True, slots=True)
class Sonar:
    """One ring of transducers, described as its data sheet describes it."""

    kind: ClassVar[str] = "sonar"
    ring: tuple[Mount, ...] = (Mount(),)
    cone_rad: float = rule(math.radians(30.0), least=0.0, most=math.pi)
    rays_per_cone: int = rule(
        0, least=0, most=1000, doc="0: the cone itself, exactly; else so many rays spread over it"
    )
    min_m: float = rule(0.10, least=0.0)
    max_m: float = rule(5.0, above=0.0)
    period_us: int = rule(100_000, above=0)
    phase_us: int = rule(0, least=0)
    latency_us: int = rule(0, least=0)
    noise: Noise = rule(Noise(sigma_m=0.005), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one range per transducer (m)."""
        return tuple(f"range_m[{i}]" for i in range(len(self.ring)))

    def scales(self) -> Array:
        """Return how much of the noise each value gets."""
        return np.ones(len(self.ring))

    def floor(self) -> float:
        """Return the least value that a reading can have (m)."""
        return self.min_m

    def nothing(self) -> float:
        """Return the range that means "no echo" (m)."""
        return self.max_m

    def table(self, mount: Mount) -> RayTable:
        """Return the rays of all transducers in the robot's frame, one cone after the other."""
        count = max(self.rays_per_cone, 1)
        spread = fan(self.cone_rad, count)
        cos, sin = math.cos(mount.yaw_rad), math.sin(mount.yaw_rad)
        origins, directions = [], []
        for disc in self.ring:
            origin = (mount.x_m + cos * disc.x_m - sin * disc.y_m, mount.y_m + sin * disc.x_m + cos * disc.y_m)
            angles = mount.yaw_rad + disc.yaw_rad + spread
            origins.append(np.tile([*origin, mount.z_m + disc.z_m], (count, 1)))
            directions.append(np.column_stack([np.cos(angles), np.sin(angles), np.zeros(count)]))
        width = self.cone_rad if self.rays_per_cone == 0 else 0.0
        layer = layer_mask(("sonar",))
        return RayTable(np.concatenate(origins), np.concatenate(directions), self.max_m, layer, cone_rad=width)

    def reduce(self, hits: Array, out: Array) -> None:
        """Write the nearest echo of each cone (m)."""
        if self.rays_per_cone > 1:
            hits = hits.reshape(len(hits), len(self.ring), self.rays_per_cone).min(axis=2)
        np.maximum(hits, self.min_m, out=out)
