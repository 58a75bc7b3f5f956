"""How a Pioneer moves: three axes, each with one goal at a time and its own speed ramps.

An axis holds a speed, covers a distance, or (rotation) turns to a heading. A new command replaces only the goal of its
own axis, so that a robot may turn to a heading while it drives. A distance ends with a brake ramp that stops exactly at
the goal, where MobileSim creeps: its speed is proportional to the remaining distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from understudy.units import wrap_rad

DONE_M, DONE_RAD = 0.0005, 0.0003  # tolerance of a goal; MobileSim's for headings is 0.0003 rad
QUICK_M_S2, QUICK_RAD_S2 = 9.999, math.radians(9999.0)  # deceleration of ESTOP


class AxisLimits(NamedTuple):
    """Limits of an axis: greatest speed, cruise speed, acceleration, deceleration; 0 is unlimited (m or rad)."""

    most: float
    cruise: float
    accel: float
    decel: float
    done: float = DONE_M

    def with_ramps(self, accel: float | None, decel: float | None) -> AxisLimits:
        """Return the limits with other ramps; None: unchanged."""
        accel, decel = self.accel if accel is None else accel, self.decel if decel is None else decel
        return self._replace(accel=accel, decel=decel)


@dataclass(slots=True)
class Axis:
    """One axis: its goal, and the current speed of its ramp."""

    mode: Literal["speed", "way", "heading"] = "speed"
    goal: float = 0.0  # speed, remaining distance, or heading
    asked: float = 0.0

    def go(self, speed: float) -> None:
        """Hold a speed."""
        self.mode, self.goal = "speed", speed

    def cover(self, way: float) -> None:
        """Cover a distance and stop."""
        self.mode, self.goal = "way", way

    def face(self, heading_rad: float) -> None:
        """Turn to a heading and stop."""
        self.mode, self.goal = "heading", heading_rad

    def advance(self, bounds: AxisLimits, moved: float, heading_rad: float, dt_s: float, held: bool) -> float:
        """Return the speed for the next *dt_s*, after the axis has *moved*; if *held*, it comes to rest."""
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
        if abs(left) <= bounds.done and self.asked == 0.0:  # done: a change of odometry must not restart it
            self.go(0.0)
        return self.asked


def ramp(speed: float, target: float, accel: float, decel: float, dt_s: float) -> float:
    """Return *speed* after *dt_s* of a ramp to *target*; a rate of 0 is instantaneous.

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


def approach(speed: float, left: float, bounds: AxisLimits, dt_s: float) -> float:
    """Return the speed for the next *dt_s* with the distance *left*: accelerate, cruise, brake in time, stop there."""
    far = abs(left)
    if far <= bounds.done:  # only the braking distance is left
        return ramp(speed, 0.0, 0.0, bounds.decel, dt_s)
    cruise = min(bounds.cruise, bounds.most)
    # after one more step at this speed, the brake must still be able to stop within the remaining distance
    decel = bounds.decel
    fastest = decel * (math.sqrt(dt_s * dt_s + 2.0 * far / decel) - dt_s) if decel else far / dt_s
    target = math.copysign(min(cruise, fastest), left)
    if speed * target > 0.0 and 0.0 < abs(speed) - abs(target) <= 2.0 * decel * dt_s:
        return target  # on the braking curve
    return ramp(speed, target, bounds.accel, decel, dt_s)


def clip(value: float, limit: float) -> float:
    """Return *value* within +-*limit*."""
    return max(-limit, min(limit, value))
