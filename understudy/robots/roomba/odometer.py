"""Distance and angle since they were last read, and encoder counts; all from the wheels, never from the pose."""

from __future__ import annotations

import math
from dataclasses import dataclass

from understudy.sensors.base import Device

MOST = 32_767.0
COUNTS = 65_536


@dataclass(slots=True)
class WheelCounters:
    """The counters of the wheels (m, mm, rad)."""

    left_m: float = 0.0
    right_m: float = 0.0
    stamp_us: int = -1
    stalled: bool = False
    distance_mm: float = 0.0
    turn_rad: float = 0.0
    turn_mm: float = 0.0  # half of the wheels' difference
    trip_mm: float = 0.0  # since a wait began
    trip_rad: float = 0.0

    def update(self, wheels: Device | None, track_m: float) -> None:
        """Take the newest reading of the wheels."""
        if wheels is None or wheels.stamp_us < 0 or wheels.stamp_us == self.stamp_us:
            return
        left, right, _, stalled = wheels.read().tolist()
        if not math.isfinite(left + right):  # failed encoders do not count
            return
        left_step, right_step = left - self.left_m, right - self.right_m
        ahead_mm, half_mm = 500 * (left_step + right_step), 500 * (right_step - left_step)
        turn = (right_step - left_step) / track_m
        self.distance_mm = _capped(self.distance_mm + ahead_mm)
        self.turn_rad = _capped(self.turn_rad + turn, math.radians(MOST))
        self.turn_mm = _capped(self.turn_mm + half_mm)
        self.trip_mm += ahead_mm
        self.trip_rad += turn
        self.left_m, self.right_m, self.stalled, self.stamp_us = left, right, stalled > 0.5, wheels.stamp_us

    def take_distance_mm(self, lose: bool) -> int:
        """Return the distance and clear it; the fraction stays unless *lose*."""
        whole, self.distance_mm = taken(self.distance_mm, lose)
        return whole

    def take_angle_deg(self, lose: bool) -> int:
        """Return the angle in degrees and clear it."""
        whole, rest = taken(math.degrees(self.turn_rad), lose)
        self.turn_rad, self.turn_mm = math.radians(rest), 0.0
        return whole

    def take_angle_mm(self, lose: bool) -> int:
        """Return the angle as half of the wheels' difference and clear it (mm)."""
        whole, self.turn_mm = taken(self.turn_mm, lose)
        self.turn_rad = 0.0
        return whole

    def counts(self, per_m: float) -> tuple[int, int]:
        """Return the encoder counts of the left and the right wheel."""
        return math.floor(self.left_m * per_m) % COUNTS, math.floor(self.right_m * per_m) % COUNTS


def _capped(value: float, most: float = MOST) -> float:
    """Return a counter that stops at its end instead of wrapping around."""
    return max(-most - 1.0, min(most, value))


def taken(value: float, lose: bool) -> tuple[int, float]:
    """Return the whole number that a client gets, at most 32767, and what stays for the next time.

    >>> taken(2.75, False), taken(-2.75, True), taken(40000.0, False)
    ((3, -0.25), (-2, 0.0), (32767, 0.0))
    """
    if value >= MOST or value <= -MOST - 1.0:
        return (32_767, 0.0) if value > 0.0 else (-32_768, 0.0)
    whole = int(value) if lose else round(value)
    return whole, 0.0 if lose else value - whole
