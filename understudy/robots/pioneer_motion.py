"""How a Pioneer moves: three axes, each with one thing to do at a time and ramps of its own.

An axis holds a speed, covers a way, or (turning) faces a heading. What is new replaces only what its own axis was
doing, so that a robot may turn to a heading while it drives. Ways end in a brake that comes to rest on the spot, where
MobileSim's creep: its speed is proportional to what is left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from understudy.units import wrap_rad

DONE_M, DONE_RAD = 0.0005, 0.0003  # near enough; MobileSim's heading is done within 0.0003 rad
QUICK_M_S2, QUICK_RAD_S2 = 9.999, math.radians(9999.0)  # of ESTOP


class Bounds(NamedTuple):
    """What an axis keeps to: greatest speed, speed on a way, ramps up and down; a ramp of 0 is at once (m or rad)."""

    most: float
    cruise: float
    accel: float
    decel: float
    done: float = DONE_M

    def with_ramps(self, accel: float | None, decel: float | None) -> Bounds:
        """Return the bounds with other ramps; None: as they are."""
        accel, decel = self.accel if accel is None else accel, self.decel if decel is None else decel
        return self._replace(accel=accel, decel=decel)


@dataclass(slots=True)
class Axis:
    """One axis: what it does, and how fast its ramp is going."""

    mode: Literal["speed", "way", "heading"] = "speed"
    goal: float = 0.0  # speed, way that is left, or heading
    asked: float = 0.0

    def go(self, speed: float) -> None:
        """Hold a speed."""
        self.mode, self.goal = "speed", speed

    def cover(self, way: float) -> None:
        """Go so far and stop."""
        self.mode, self.goal = "way", way

    def face(self, heading_rad: float) -> None:
        """Turn to a heading and stop."""
        self.mode, self.goal = "heading", heading_rad

    def advance(self, bounds: Bounds, moved: float, heading_rad: float, dt_s: float, held: bool) -> float:
        """Return the speed for the next *dt_s*, after the axis has *moved*; what is *held* comes to rest."""
        if self.mode == "speed":
            if self.asked != self.goal or held:
                target = 0.0 if held else clip(self.goal, bounds.most)
                self.asked = ramp(self.asked, target, bounds.accel, bounds.decel, dt_s)
            return self.asked
        left = wrap_rad(self.goal - heading_rad) if self.mode == "heading" else self.goal - moved
        if self.mode == "way":
            self.goal = left
        self.asked = (
            ramp(self.asked, 0.0, 0.0, bounds.decel, dt_s) if held else approach(self.asked, left, bounds, dt_s)
        )
        if abs(left) <= bounds.done and self.asked == 0.0:  # done: new odometry must not start it again
            self.go(0.0)
        return self.asked


def ramp(speed: float, target: float, accel: float, decel: float, dt_s: float) -> float:
    """Return *speed* after *dt_s* on its way to *target*; a rate of 0 is instantaneous.

    >>> ramp(0.0, 0.2, 0.3, 0.6, 0.1), ramp(0.1, -0.2, 0.3, 1.0, 0.2)
    (0.03, -0.03)
    """
    if speed * target < 0.0:  # slow down to zero first, then speed up in the time that is left
        braking_s = abs(speed) / decel if decel else 0.0
        if dt_s < braking_s:
            return speed - math.copysign(decel * dt_s, speed)
        speed, dt_s = 0.0, dt_s - braking_s
    rate = accel if abs(target) > abs(speed) else decel
    if not rate or abs(target - speed) <= rate * dt_s:
        return target
    return speed + math.copysign(rate * dt_s, target - speed)


def approach(speed: float, left: float, bounds: Bounds, dt_s: float) -> float:
    """Return the speed for the next *dt_s* when *left* is still to go: ramp up, cruise, brake in time, stop there."""
    far = abs(left)
    if far <= bounds.done:  # what is left is just what the brake takes
        return ramp(speed, 0.0, 0.0, bounds.decel, dt_s)
    cruise = min(bounds.cruise, bounds.most)
    # after one more step at this speed the brake must still be able to stop within what is left then
    decel = bounds.decel
    fastest = decel * (math.sqrt(dt_s * dt_s + 2.0 * far / decel) - dt_s) if decel else far / dt_s
    target = math.copysign(min(cruise, fastest), left)
    if speed * target > 0.0 and 0.0 < abs(speed) - abs(target) <= 2.0 * decel * dt_s:
        return target  # on the braking curve
    return ramp(speed, target, bounds.accel, decel, dt_s)


def clip(value: float, limit: float) -> float:
    """Return *value* within +-*limit*."""
    return max(-limit, min(limit, value))
