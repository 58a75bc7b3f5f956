"""Scanning rangers: one ray per direction, evenly over a field."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy.engines.rays.table import RayTable, Spread
from understudy.sensors import distance_cards
from understudy.sensors.base import Array, Sampled, fan, rotation
from understudy.sensors.card import Card
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.lobes import range_mistakes
from understudy.world.materials import layer_mask
from understudy.world.plain import rule
from understudy.world.shapes import Mount


@dataclass(frozen=True, slots=True)
class Sweep:
    """Exactly where the rays of a scanner point: the first one, and how far the next is from each (rad)."""

    start_rad: float = rule(least=-2 * math.pi, most=2 * math.pi)
    step_rad: float = rule(above=0.0, most=2 * math.pi)


@dataclass(frozen=True, slots=True)
class Laser(Sampled):
    """A scanner's data sheet; ray 0 is the rightmost, angles grow counter-clockwise."""

    kind: ClassVar[str] = "laser"
    card: ClassVar[Card] = distance_cards.LASER
    field_rad: float = rule(math.pi, above=0.0, most=2 * math.pi)
    rays: int = rule(181, least=1, most=100_000)
    sweep: Sweep | None = rule(None, doc="where the rays point, instead of field_rad: as a client has set the scanner")
    min_m: float = rule(0.0, least=0.0)
    max_m: float = rule(8.0, above=0.0)
    noise: LengthNoise = rule(LengthNoise(sigma_m=0.01, lost=0.001), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one range per ray (m)."""
        return tuple(f"range_m[{i}]" for i in range(self.rays))

    def floor(self) -> float:
        """Return the least value that a reading can have (m)."""
        return self.min_m

    def nothing(self) -> float:
        """Return the range that means "no echo" (m)."""
        return self.max_m

    def mistakes(self) -> Iterator[tuple[str, str]]:
        """Yield key and words for what does not fit together."""
        return range_mistakes((Mount(),), self.min_m, self.max_m)

    def angles_rad(self) -> Array:
        """Return the direction of each ray about the device's axis (rad)."""
        if self.sweep is not None:
            return np.asarray(self.sweep.start_rad + self.sweep.step_rad * np.arange(self.rays), np.float64)
        return fan(self.field_rad, self.rays)

    def table(self, mount: Mount) -> RayTable:
        """Return the rays of one device in the robot's frame."""
        angles = self.angles_rad()
        directions = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(self.rays)]) @ rotation(mount).T
        origins = np.tile([mount.x_m, mount.y_m, mount.z_m], (self.rays, 1))
        level = mount.pitch_rad == mount.roll_rad == 0.0
        spread = Spread(mount.x_m, mount.y_m, mount.z_m, mount.yaw_rad, angles) if level else None
        return RayTable(origins, directions, self.max_m, layer_mask(("laser",)), spread)

    def ranges(self, reading: Array) -> Array:
        """Return the distances that a reading tells (m)."""
        return reading
