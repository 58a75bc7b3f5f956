"""Infrared light that a Roomba receives: virtual walls, the beams of a home base, remote controls, other robots."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict

from understudy.frozen import frozen
from understudy.robots.base import Tree
from understudy.robots.roomba.sheet import Generation
from understudy.world.media import Heard

HOLD_US = 120_000  # a beam counts for so long after it was received
VIRTUAL_WALL = 162
RED, GREEN, FIELD = 8, 4, 1
MOST_BEAMS = 16
_OLD_BASE, _NEW_BASE, _OLD_FIELD = 240, 160, 2
_SIDE_RAD = math.radians(100.0)  # the left and right receivers see this far to their side ...
_ACROSS_RAD = math.radians(10.0)  # ... and this far to the other


@frozen
class ReceivedBeam:
    """One character as it was received; the bearing is that of its sender, left is positive."""

    code: int
    until_us: int
    distance_m: float
    bearing_rad: float

    @property
    def buoys(self) -> int:
        """Return which lamps of a home base it comes from, as bits RED, GREEN, FIELD; 0: none."""
        if self.code & 0xF1 == _OLD_BASE:  # 255 is no light at all
            old = self.code & 0x0F
            return old & (RED | GREEN) | (FIELD if old & _OLD_FIELD else 0)
        return self.code & (RED | GREEN | FIELD) if self.code & 0xF2 == _NEW_BASE else 0

    @property
    def on_left(self) -> bool:
        """Return whether the left receiver sees it."""
        return -_ACROSS_RAD <= self.bearing_rad <= _SIDE_RAD

    @property
    def on_right(self) -> bool:
        """Return whether the right receiver sees it."""
        return -_SIDE_RAD <= self.bearing_rad <= _ACROSS_RAD


class Beams:
    """The light of the last moments."""

    def __init__(self, generation: Generation) -> None:
        self._generation = generation
        self.received: list[ReceivedBeam] = []

    def hear(self, heard: Heard, now_us: int) -> None:
        """Take what came by infrared light."""
        for code in heard.data[:MOST_BEAMS]:
            beam = ReceivedBeam(code, now_us + HOLD_US, heard.distance_m, heard.bearing_rad)
            others = [each for each in self.received if each.code != code]
            self.received = [*others, beam][-MOST_BEAMS:]

    def fade(self, now_us: int) -> None:
        """Forget what was received long ago."""
        if self.received:
            self.received = [beam for beam in self.received if beam.until_us > now_us]

    @property
    def virtual_wall(self) -> bool:
        """Return whether a virtual wall is in sight."""
        return any(beam.code == VIRTUAL_WALL for beam in self.received)

    @property
    def character(self) -> int:
        """Return what the receiver on top reports."""
        return self._reported(self.received)

    @property
    def left_character(self) -> int:
        """Return what the left receiver reports."""
        return self._reported(beam for beam in self.received if beam.on_left)

    @property
    def right_character(self) -> int:
        """Return what the right receiver reports."""
        return self._reported(beam for beam in self.received if beam.on_right)

    @property
    def home(self) -> ReceivedBeam | None:
        """Return the nearest buoy of a home base, or None."""
        buoys = [beam for beam in self.received if beam.buoys & (RED | GREEN)]
        return min(buoys, key=lambda beam: beam.distance_m, default=None)

    @property
    def force_field(self) -> bool:
        """Return whether the force field of a home base is seen."""
        return any(beam.buoys & FIELD for beam in self.received)

    @property
    def newest(self) -> ReceivedBeam | None:
        """Return the beam that was received last, or None."""
        return self.received[-1] if self.received else None

    def docked(self, reach_m: float) -> bool:
        """Return whether a home base is so near that its contacts touch."""
        return any(beam.buoys and beam.distance_m <= reach_m for beam in self.received)

    def _reported(self, beams: Iterable[ReceivedBeam]) -> int:
        """Return the character for several beams: lamps of a home base add up, otherwise the newest counts."""
        base, red, green, field = self._generation.buoys
        lamps, other = 0, self._generation.no_ir
        for beam in beams:
            lamps |= beam.buoys
            if not beam.buoys and (beam.code != VIRTUAL_WALL or base == _NEW_BASE):
                other = beam.code
        if not lamps:
            return other
        return base | (red if lamps & RED else 0) | (green if lamps & GREEN else 0) | (field if lamps & FIELD else 0)

    def state(self) -> list[Tree]:
        """Return the beams."""
        return [asdict(beam) for beam in self.received]

    def restore(self, state: list[Tree]) -> None:
        """Continue with saved beams."""
        self.received = [ReceivedBeam(**beam) for beam in state]
