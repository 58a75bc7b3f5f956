"""Infra-red rangers: distance as metres, volts or counts; switches; EyeBot's position-sensitive devices."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np

from understudy.engines.rays.table import RayTable
from understudy.frozen import frozen
from understudy.sensors.base import PERIOD, Array, Sampled, Truth
from understudy.sensors.cards import distance
from understudy.sensors.cards.card import Card
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.lobes import LOBES, RAYS, Lobe, lobe_table, range_findings
from understudy.world.records import rule
from understudy.world.shapes import Mount

PSD_OUT_OF_RANGE = 9999  # RoBIOS
_RING = "positions on the device, one value each"
_CONE = "width of the beam, if it has no lobes"
_BEYOND = 1.5  # a switch measures this many times its switching distance, so that noise can make it switch too early


@frozen
class Infrared(Sampled):
    """A triangulation ranger; with a *curve* it gives volts, as ambiguous below its range as the real part."""

    kind: ClassVar[str] = "infrared"
    card: ClassVar[Card] = distance.INFRARED
    period_us: int = rule(40_000, least=0, doc=PERIOD)
    ring: tuple[Mount, ...] = rule((Mount(),), doc=_RING)
    cone_rad: float = rule(math.radians(4.0), least=0.0, most=math.pi, doc=_CONE)
    rays_per_cone: int = rule(0, least=0, most=1000, doc=RAYS)
    lobes: tuple[Lobe, ...] = rule((), file=True, doc=LOBES)
    min_m: float = rule(0.10, least=0.0, doc="without a curve, no reading is below this")
    max_m: float = rule(0.80, above=0.0, doc="the range; with a curve, its last distance counts instead")
    curve: tuple[tuple[float, float], ...] = rule((), doc="points [m, V], distances increasing; default: reads metres")
    counts: int = rule(0, least=0, doc="number of A/D steps up to full_v, such as 1024; 0: the reading is in volts")
    full_v: float = rule(5.0, above=0.0, doc="full scale of the A/D converter")
    noise: LengthNoise = rule(LengthNoise(relative=0.02), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one value per place: metres, volts or counts."""
        unit = "range_m" if not self.curve else "counts" if self.counts else "volts"
        return tuple(f"{unit}[{i}]" for i in range(len(self.ring)))

    def floor(self) -> float:
        """Return the minimum distance that is measured (m)."""
        return 0.0 if self.curve else self.min_m

    def nothing(self) -> float:
        """Return the distance that means "no echo" (m)."""
        return self.curve[-1][0] if self.curve else self.max_m

    def findings(self) -> Iterator[tuple[str, str]]:
        """Yield key and message for each invalid combination of values."""
        yield from range_findings(self.ring, self.min_m, self.max_m)
        if self.curve and (len(self.curve) < 2 or any(a >= b for (a, _), (b, _) in pairwise(self.curve))):
            yield "curve", "needs two or more points [m, V] with increasing distances"
        elif self.curve and self.curve[0][0] < 0.0:
            yield "curve", f"distances must be at least 0, got {self.curve[0][0]:g}"

    def table(self, mount: Mount) -> RayTable:
        """Return the axes of all cones, or the rays that represent them, in the robot's frame."""
        lobes = self.lobes or (Lobe(self.cone_rad, self.nothing(), rays=self.rays_per_cone),)
        return lobe_table(mount, self.ring, lobes, self.nothing(), "infrared")

    def finish(self, truth: Truth, out: Array) -> None:
        """Convert distances to the device's output."""
        out[:] = self._reported(out)

    def blank(self) -> Array:
        """Return the reading of a device that is dead or off: nothing in range."""
        return self._reported(np.full(len(self.ring), self.nothing()))

    def _reported(self, distances: Array) -> Array:
        if not self.curve:
            return distances
        volts: Array = np.interp(distances, *np.array(self.curve).T)
        if self.counts:
            volts = np.clip(np.floor(volts / self.full_v * self.counts), 0, self.counts - 1)
        return volts

    def ranges(self, reading: Array) -> Array:
        """Return the distances in a reading, assuming that nothing is nearer than the peak of the curve (m)."""
        if not self.curve:
            return reading
        volts = (reading + 0.5) * self.full_v / self.counts if self.counts else reading
        points = np.array(self.curve)
        falling = points[points[:, 1].argmax() :][::-1]
        return np.asarray(np.interp(volts, falling[:, 1], falling[:, 0]))


@frozen
class Proximity(Sampled):
    """A switch that closes when something is nearer than its switching distance."""

    kind: ClassVar[str] = "proximity"
    card: ClassVar[Card] = distance.PROXIMITY
    period_us: int = rule(40_000, least=0, doc=PERIOD)
    ring: tuple[Mount, ...] = rule((Mount(),), doc=_RING)
    cone_rad: float = rule(math.radians(4.0), least=0.0, most=math.pi, doc=_CONE)
    rays_per_cone: int = rule(0, least=0, most=1000, doc=RAYS)
    lobes: tuple[Lobe, ...] = rule((), file=True, doc=LOBES)
    switch_m: float = rule(0.24, above=0.0, doc="the switching distance")
    active: Literal["high", "low"] = rule(
        "high", doc="high: 1 when something is near; low: 0 then, and 1 when nothing is"
    )
    noise: LengthNoise = rule(LengthNoise(sigma_m=0.003), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one switch per place."""
        return tuple(f"near[{i}]" for i in range(len(self.ring)))

    def floor(self) -> float:
        """Return the minimum distance that is measured (m)."""
        return 0.0

    def nothing(self) -> float:
        """Return the distance that means "no echo" (m)."""
        return _BEYOND * self.switch_m

    def findings(self) -> Iterator[tuple[str, str]]:
        """Yield key and message for each invalid combination of values."""
        return range_findings(self.ring, 0.0, self.switch_m)

    def table(self, mount: Mount) -> RayTable:
        """Return the axes of all cones, or the rays that represent them, in the robot's frame."""
        lobes = self.lobes or (Lobe(self.cone_rad, self.nothing(), rays=self.rays_per_cone),)
        return lobe_table(mount, self.ring, lobes, self.nothing(), "infrared")

    def finish(self, truth: Truth, out: Array) -> None:
        """Convert distances to switch states."""
        out[:] = (out < self.switch_m) == (self.active == "high")

    def blank(self) -> Array:
        """Return the reading of a device that is dead or off: nothing in range."""
        return np.full(len(self.ring), float(self.active == "low"))

    def ranges(self, reading: Array) -> Array:
        """Return the distances in a reading: NaN where something is near, at an unknown distance (m)."""
        return np.where(reading == (self.active == "high"), np.nan, self.nothing())


@frozen
class Psd(Sampled):
    """EyeBot's position-sensitive device: whole millimetres, and special values below and above its range."""

    kind: ClassVar[str] = "psd"
    card: ClassVar[Card] = distance.PSD
    period_us: int = rule(70_000, least=0, doc=PERIOD)
    ring: tuple[Mount, ...] = rule((Mount(),), doc=_RING)
    cone_rad: float = rule(0.0, least=0.0, most=math.pi, doc=f"{_CONE}; 0: a single ray")
    rays_per_cone: int = rule(0, least=0, most=1000, doc=RAYS)
    lobes: tuple[Lobe, ...] = rule((), file=True, doc=LOBES)
    min_m: float = rule(0.10, least=0.0)
    max_m: float = rule(0.80, above=0.0)
    below_mm: int = rule(PSD_OUT_OF_RANGE, least=0, doc="the reading when something is nearer than min_m")
    above_mm: int = rule(PSD_OUT_OF_RANGE, least=0, doc="the reading when nothing is nearer than max_m")
    noise: LengthNoise = rule(LengthNoise(sigma_m=0.01), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one distance per place."""
        return tuple(f"range_mm[{i}]" for i in range(len(self.ring)))

    def floor(self) -> float:
        """Return the minimum distance that is measured (m)."""
        return 0.0

    def nothing(self) -> float:
        """Return the distance that means "no echo" (m)."""
        return self.max_m

    def findings(self) -> Iterator[tuple[str, str]]:
        """Yield key and message for each invalid combination of values."""
        return range_findings(self.ring, self.min_m, self.max_m)

    def table(self, mount: Mount) -> RayTable:
        """Return the axes of all cones, or the rays that represent them, in the robot's frame."""
        lobes = self.lobes or (Lobe(self.cone_rad, self.max_m, rays=self.rays_per_cone),)
        return lobe_table(mount, self.ring, lobes, self.max_m, "infrared")

    def finish(self, truth: Truth, out: Array) -> None:
        """Convert distances to millimetres, or to the special values if out of range."""
        inside = np.where(out < self.min_m, self.below_mm, np.rint(1000.0 * out))
        out[:] = np.where(out < self.max_m, inside, self.above_mm)

    def blank(self) -> Array:
        """Return the reading of a device that is dead or off: nothing in range."""
        return np.full(len(self.ring), float(self.above_mm))

    def ranges(self, reading: Array) -> Array:
        """Return the distances in a reading; max_m where it is out of range (m)."""
        out = (reading == self.below_mm) | (reading == self.above_mm)
        return np.where(out, self.max_m, reading / 1000.0)
