"""What an LMS-200 can be set to: variants, operating modes, measuring modes, configuration; and its laser's data sheet.

The mirror turns 75 times a second and measures once per degree. A finer step is interlaced over two or four turns.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from understudy.sensors.laser import Laser

TURN_US = 13_333
INSTALLATION, DIAGNOSIS = 0x00, 0x10
ALL_VALUES, ON_REQUEST, MEAN, SUB_RANGE, MEAN_SUB_RANGE = 0x24, 0x25, 0x26, 0x27, 0x28
PARTIAL, WITH_REFLECTIVITY = 0x2A, 0x50
MONITORING = (ALL_VALUES, ON_REQUEST, MEAN, SUB_RANGE, MEAN_SUB_RANGE, PARTIAL, WITH_REFLECTIVITY)
AVERAGING, CUTTING = (MEAN, MEAN_SUB_RANGE), (SUB_RANGE, MEAN_SUB_RANGE, WITH_REFLECTIVITY)
LEAST_MEAN, MOST_MEAN = 2, 250
PASSWORD = "SICK_LMS"


class Variant(NamedTuple):
    """A field of view (deg) and an angular step (1/100 deg)."""

    angle_deg: int
    step: int

    @property
    def readings(self) -> int:
        """Return the number of readings of a full scan."""
        return self.angle_deg * 100 // self.step + 1

    @property
    def turns(self) -> int:
        """Return how many turns of the mirror a full scan takes."""
        return 100 // self.step

    @property
    def partials(self) -> tuple[int, ...]:
        """Return the numbers of its partial scans: where each begins, in quarters of a degree."""
        return tuple(range(0, 4, 4 // self.turns))


VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        "180/1": Variant(180, 100),
        "180/0.5": Variant(180, 50),
        "100/1": Variant(100, 100),
        "100/0.5": Variant(100, 50),
        "100/0.25": Variant(100, 25),
    }
)


class MeasuringMode(NamedTuple):
    """A measuring mode: bits of a value, and the bits above them that hold the reflectivity."""

    bits: int
    meaning: str
    reflectivity_bits: int = 0
    amplitude: bool = False  # reflectivity instead of the range

    @property
    def beyond(self) -> int:
        """Return the value that means "farther than the maximum"."""
        return (1 << self.bits) - 9

    @property
    def reflects(self) -> bool:
        """Return whether reflectivity is measured."""
        return bool(self.reflectivity_bits) or self.amplitude


MEASURING: Mapping[int, MeasuringMode] = MappingProxyType(
    {
        0x00: MeasuringMode(13, "fields A and B, dazzle"),
        0x01: MeasuringMode(13, "reflectivity, 8 levels", 3),
        0x02: MeasuringMode(13, "fields A, B and C"),
        0x03: MeasuringMode(14, "reflectivity, 4 levels", 2),
        0x04: MeasuringMode(14, "fields A and B"),
        0x05: MeasuringMode(15, "reflectivity, 2 levels", 1),
        0x06: MeasuringMode(15, "field A"),
        0x0F: MeasuringMode(16, "no flags"),
        0x3F: MeasuringMode(16, "reflectivity instead of ranges", amplitude=True),
    }
)

BLOCK_C, BLOCK_D, BLOCK_E = 4, 5, 6  # availability, measuring mode, unit
REAL_TIME_INDEX = 0b10  # in block C
SHORTEST_WRITE = 7
# blanking 2, stop and peak threshold, availability, measuring mode, unit, temporary and subtractive fields, multiple
# evaluation, restart, restart time, suppressed objects, 15 of contours, evaluations 2, restart times 2, dazzle 2
FACTORY = (0, 0, 70, 0, 0, 0, 1, 0, 0, 2, 2, 0, 0, *(0,) * 15, 0, 0, 2, 0, 0, 0)


def accepts(data: tuple[int, ...]) -> bool:
    """Return whether a configuration, or the first bytes of one, can be written."""
    return len(data) >= SHORTEST_WRITE and data[BLOCK_D] in MEASURING and data[BLOCK_E] in (0, 1)


def unit_m(configuration: tuple[int, ...]) -> float:
    """Return the length of one unit of a reading (m)."""
    return 0.001 if configuration[BLOCK_E] else 0.01


def laser_sheet(own: Laser, variant: Variant, mode: int, configuration: tuple[int, ...], range_m: float) -> Laser:
    """Return the data sheet of the scanner's laser as it is set."""
    measuring = MEASURING[configuration[BLOCK_D]]
    beyond_m = range_m if measuring.amplitude else measuring.beyond * unit_m(configuration)
    turns = 1 if mode == PARTIAL else variant.turns
    return dataclasses.replace(
        own,
        field_rad=math.radians(variant.angle_deg),
        rays=variant.readings,
        sweep=None,
        max_m=min(range_m, beyond_m),
        period_us=round(TURN_US * turns),
        reflectance=measuring.reflects or mode == WITH_REFLECTIVITY,
    )
