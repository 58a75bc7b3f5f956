"""Sonar: rings of transducers, each with a beam in which the nearest echo counts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from understudy.engines.rays.table import RayTable
from understudy.frozen import frozen
from understudy.sensors.base import Array, Glance, Sampled
from understudy.sensors.cards import distance
from understudy.sensors.cards.card import Card
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.lobes import LOBES, RAYS, Lobe, lobe_table, range_findings
from understudy.sensors.sound import Reflection, filled, listen
from understudy.world.records import rule
from understudy.world.shapes import Mount


@frozen
class Sonar(Sampled):
    """A ring of transducers, described as on its data sheet."""

    kind: ClassVar[str] = "sonar"
    card: ClassVar[Card] = distance.SONAR
    ring: tuple[Mount, ...] = (Mount(),)
    cone_rad: float = rule(math.radians(30.0), least=0.0, most=math.pi, doc="width of the beam, if it has no lobes")
    rays_per_cone: int = rule(0, least=0, most=1000, doc=RAYS)
    lobes: tuple[Lobe, ...] = rule((), file=True, doc=LOBES)
    min_m: float = rule(0.10, least=0.0)
    max_m: float = rule(5.0, above=0.0)
    reflection: Reflection | None = rule(None, doc="how smooth surfaces reflect sound; default: every echo is detected")
    noise: LengthNoise = rule(LengthNoise(sigma_m=0.005), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return one range per transducer (m)."""
        return tuple(f"range_m[{i}]" for i in range(len(self.ring)))

    def floor(self) -> float:
        """Return the lower limit of a reading (m)."""
        return self.min_m

    def nothing(self) -> float:
        """Return the range that means "no echo" (m)."""
        return self.max_m

    def findings(self) -> Iterator[tuple[str, str]]:
        """Yield key and message for each invalid combination of values."""
        return range_findings(self.ring, self.min_m, self.max_m)

    @property
    def _beam(self) -> tuple[Lobe, ...]:
        lobes = self.lobes or (Lobe(self.cone_rad, self.max_m, rays=self.rays_per_cone),)
        return filled(lobes) if self.closer else lobes

    @property
    def closer(self) -> bool:
        """Return whether the angle of incidence matters."""
        return self.reflection is not None and self.noise.preset != "perfect"

    def table(self, mount: Mount) -> RayTable:
        """Return the axes of all cones, or the rays that represent them, in the robot's frame."""
        return lobe_table(mount, self.ring, self._beam, self.max_m, "sonar")

    def ranges(self, reading: Array) -> Array:
        """Return the distances in a reading (m)."""
        return reading

    def look(self, glance: Glance, out: Array) -> None:
        """Write the range of the first echo that each transducer detects (m)."""
        assert self.reflection is not None
        np.maximum(listen(glance, self.ring, self._beam, self.reflection), self.min_m, out=out)
