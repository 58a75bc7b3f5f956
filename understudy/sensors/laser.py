"""Scanning rangers: one ray per direction, evenly over a field."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from understudy.elementary import arrays
from understudy.engines.rays.table import Hits, RayTable, Spread, no_hits
from understudy.frozen import frozen
from understudy.sensors import spots
from understudy.sensors.base import Array, Glance, Sampled, fan
from understudy.sensors.cards import distance
from understudy.sensors.cards.card import Card
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.lobes import range_findings
from understudy.sensors.noise import SIGNAL, draw_uniform
from understudy.world.materials import layer_mask
from understudy.world.records import rule
from understudy.world.rotations import rotation
from understudy.world.shapes import Mount

_REACH = "range of a plain matt surface at right angles; shorter for dark or oblique ones; 0: all alike"
_PULSE = "echoes within a spot that are less than this apart merge into one distance"


@frozen
class Sweep:
    """The exact ray directions of a scanner: the first one, and the step to each next one (rad)."""

    start_rad: float = rule(least=-2 * math.pi, most=2 * math.pi)
    step_rad: float = rule(above=0.0, most=2 * math.pi)


@frozen
class Laser(Sampled):
    """A scanner's data sheet; ray 0 is the rightmost, angles grow counter-clockwise."""

    kind: ClassVar[str] = "laser"
    card: ClassVar[Card] = distance.LASER
    field_rad: float = rule(math.pi, above=0.0, most=2 * math.pi)
    rays: int = rule(181, least=1, most=100_000)
    sweep: Sweep | None = rule(None, doc="ray directions instead of field_rad, as configured by a client")
    min_m: float = rule(0.0, least=0.0)
    max_m: float = rule(8.0, above=0.0)
    reflectance: bool = rule(False, doc="true: add the reflectance of each ray's hit after the ranges")
    reach_m: float = rule(0.0, least=0.0, doc=_REACH)
    grazing_rad: float = rule(0.0, least=0.0, most=math.pi / 2, doc="surfaces at a smaller grazing angle give no echo")
    spot_rad: float = rule(0.0, least=0.0, most=0.2, doc="beam width, for readings at edges; 0: none")
    pulse_m: float = rule(0.5, least=0.0, doc=_PULSE)
    noise: LengthNoise = rule(LengthNoise(sigma_m=0.01, lost=0.001), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one range per ray (m), optionally followed by its reflectance."""
        names = ("range_m", "reflectance") if self.reflectance else ("range_m",)
        return tuple(f"{name}[{i}]" for name in names for i in range(self.rays))

    def scales(self) -> Array:
        """Return the noise factor of each value: only ranges are noisy."""
        return np.repeat([1.0, 0.0] if self.reflectance else [1.0], self.rays)

    def floor(self) -> float:
        """Return the lower limit of a reading (m)."""
        return self.min_m

    def nothing(self) -> float:
        """Return the range that means "no echo" (m)."""
        return self.max_m

    def blank(self) -> Array:
        """Return the reading of a device that is dead or off: nothing in range."""
        return self.max_m * self.scales()

    def findings(self) -> Iterator[tuple[str, str]]:
        """Yield key and message for each invalid combination of values."""
        return range_findings((Mount(),), self.min_m, self.max_m)

    def angles_rad(self) -> Array:
        """Return the direction of each ray around the device's axis (rad)."""
        if self.sweep is not None:
            return np.asarray(self.sweep.start_rad + self.sweep.step_rad * np.arange(self.rays), np.float64)
        return fan(self.field_rad, self.rays)

    def ranges(self, reading: Array) -> Array:
        """Return the distances in a reading (m)."""
        return reading[: self.rays]

    def table(self, mount: Mount) -> RayTable:
        """Return the rays of one device in the robot's frame; a spot is several adjacent rays."""
        angles = (self.angles_rad()[:, None] + self._across()).reshape(-1)
        directions = arrays.product(
            np.column_stack([arrays.cos(angles), arrays.sin(angles), np.zeros(len(angles))]), rotation(mount).T
        )
        origins = np.tile([mount.x_m, mount.y_m, mount.z_m], (len(angles), 1))
        even = mount.pitch_rad == mount.roll_rad == 0.0 and len(angles) == self.rays
        spread = Spread(mount.x_m, mount.y_m, mount.z_m, mount.yaw_rad, angles) if even else None
        return RayTable(origins, directions, self.max_m, layer_mask(("laser",)), spread)

    def _across(self) -> Array:
        """Return the rays that represent a spot, relative to its centre (rad)."""
        return fan(self.spot_rad, spots.RAYS if self.spot_rad and self._spoiled else 1)

    @property
    def _spoiled(self) -> bool:
        return self.noise.preset != "perfect"

    @property
    def closer(self) -> bool:
        """Return whether it matters what the rays hit."""
        return self.reflectance or (self._spoiled and bool(self.reach_m or self.grazing_rad or self.spot_rad))

    def look(self, glance: Glance, out: Array) -> None:
        """Write the echo of each spot: the range, and optionally the reflectance."""
        ranges, hits = self._cast(glance)
        reach_m, grazing_rad = (self.reach_m, self.grazing_rad) if self._spoiled else (0.0, 0.0)
        strong = spots.strengths(ranges, hits, self.max_m, reach_m, grazing_rad)
        by_spot = (len(out), self.rays, -1)
        distance, strength, part = spots.merged(
            ranges.reshape(by_spot), strong.reshape(by_spot), self.max_m, self.pulse_m
        )
        if reach_m:
            draws = draw_uniform(glance.keys, glance.sample, SIGNAL, self.rays)
            distance[draws >= spots.chances(strength)] = self.max_m
        out[:, : self.rays] = np.maximum(distance, self.min_m)
        if self.reflectance:
            out[:, self.rays :] = np.where(part, hits.reflectance.reshape(by_spot), 0.0).max(axis=2)

    def _cast(self, glance: Glance) -> tuple[Array, Hits]:
        """Return distances and what was hit; casting distances alone is faster, if they are enough."""
        shape, engine = (len(glance.rows), len(glance.table.origins)), glance.truth.engine
        ranges, hits = np.empty(shape), no_hits(*shape)
        if self.reflectance or self.reach_m or self.grazing_rad:
            engine.cast_hits(glance.table, glance.rows, ranges, hits)
        else:
            engine.cast(glance.table, glance.rows, ranges)
            hits.cosine[:] = 1.0
        return ranges, hits

    def settle(self, out: Array) -> None:
        """Set the reflectance to zero where there is no echo."""
        if self.reflectance:
            out[:, self.rays :][out[:, : self.rays] == self.max_m] = 0.0
