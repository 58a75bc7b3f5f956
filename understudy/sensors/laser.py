"""Scanning rangers: one ray per direction, evenly over a field."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy.engines.rays.table import RayTable, Spread
from understudy.sensors.base import Array, Sampled, fan, rotation
from understudy.sensors.card import Card, Number
from understudy.sensors.imperfection import LengthNoise
from understudy.world.materials import layer_mask
from understudy.world.plain import rule
from understudy.world.shapes import Mount

_CARD = Card(
    "laser",
    "Distances along a fan of rays, by default such as a SICK LMS200 gives them in millimetre mode.",
    sources=(
        "SICK LMS200: 180 degrees in steps of 1, to 8 m in millimetre mode, statistical error 5 mm, systematic 15 mm",
        "MobileSim manual: the laser of a Pioneer",
    ),
    modelled=(
        "the exact distance to walls, things and robots that a laser sees, however the mount is tilted",
        "white noise, lost readings, shortest and longest range",
    ),
    not_modelled=(
        "the width of the beam: an edge is hit or missed, there is nothing in between",
        "the turning of the mirror: a scan is taken at one moment",
        "glass, mirrors, dazzling light, surfaces too dark to be seen from afar",
    ),
    numbers=(
        Number("period_us", "MobileSim: one scan for each status packet, 100 ms"),
        Number("field_rad", "SICK LMS200: 180 deg"),
        Number("rays", "SICK LMS200: steps of 1 deg"),
        Number("max_m", "SICK LMS200: its millimetre mode reaches 8 m"),
        Number("noise.sigma_m", "estimate: between the statistical and the systematic error of an LMS200"),
        Number("noise.lost", "estimate"),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sweep:
    """Exactly where the rays of a scanner point: the first one, and how far the next is from each (rad)."""

    start_rad: float = rule(least=-2 * math.pi, most=2 * math.pi)
    step_rad: float = rule(above=0.0, most=2 * math.pi)


@dataclass(frozen=True, slots=True)
class Laser(Sampled):
    """A scanner's data sheet; ray 0 is the rightmost, angles grow counter-clockwise."""

    kind: ClassVar[str] = "laser"
    card: ClassVar[Card] = _CARD
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
