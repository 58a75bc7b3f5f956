"""A single laser beam: a range finder with one fixed ray."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from understudy.engines.rays.table import RayTable
from understudy.frozen import frozen
from understudy.sensors.base import PERIOD, Array, Sampled
from understudy.sensors.cards import distance
from understudy.sensors.cards.card import Card
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.lobes import Lobe, lobe_table, range_findings
from understudy.world.records import rule
from understudy.world.shapes import Mount


@frozen
class Beam(Sampled):
    """A laser range finder that does not scan."""

    kind: ClassVar[str] = "beam"
    card: ClassVar[Card] = distance.BEAM
    period_us: int = rule(20_000, least=0, doc=PERIOD)
    min_m: float = rule(0.05, least=0.0)
    max_m: float = rule(40.0, above=0.0)
    noise: LengthNoise = rule(LengthNoise(sigma_m=0.01), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the range (m)."""
        return ("range_m",)

    def floor(self) -> float:
        """Return the lower limit of a reading (m)."""
        return self.min_m

    def nothing(self) -> float:
        """Return the range that means "no echo" (m)."""
        return self.max_m

    def findings(self) -> Iterator[tuple[str, str]]:
        """Yield key and message for each invalid combination of values."""
        return range_findings((Mount(),), self.min_m, self.max_m)

    def table(self, mount: Mount) -> RayTable:
        """Return the one ray, in the robot's frame."""
        return lobe_table(mount, (Mount(),), (Lobe(0.0, self.max_m),), self.max_m, "laser")

    def ranges(self, reading: Array) -> Array:
        """Return the distance in a reading (m)."""
        return reading
