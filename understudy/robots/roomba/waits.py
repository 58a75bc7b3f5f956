"""The wait commands of a Create: for a time, a distance, an angle or an event."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from understudy.robots.roomba.events import EVENTS
from understudy.robots.roomba.odometer import WheelCounters
from understudy.robots.roomba.orders import Wait, WaitKind
from understudy.units import US_PER_S

if TYPE_CHECKING:
    from understudy.robots.roomba.firmware import Roomba


@dataclass(slots=True)
class CurrentWait:
    """What the robot waits for; None: nothing."""

    kind: WaitKind | None = None
    amount: int = 0
    passed_us: int = 0

    def begin(self, wait: Wait, odometer: WheelCounters) -> None:
        """Begin to wait; the counter that it watches is cleared, and the client's own with it."""
        self.kind, self.amount, self.passed_us = wait.kind, wait.amount, 0
        odometer.trip_mm = odometer.trip_rad = 0.0
        if wait.kind == "distance":
            odometer.distance_mm = 0.0
        elif wait.kind == "angle":
            odometer.turn_rad = odometer.turn_mm = 0.0

    def is_over(self, unit: Roomba) -> bool:
        """Return whether the wait is over; then there is none any more."""
        over = self._is_met(unit)
        if over:
            self.kind = None
        return over

    def _is_met(self, unit: Roomba) -> bool:
        amount = self.amount
        match self.kind:
            case "time":
                return self.passed_us >= amount * US_PER_S // 10
            case "distance":
                return _reached(unit.odometer.trip_mm, amount)
            case "angle":
                return _reached(math.degrees(unit.odometer.trip_rad), amount)
            case "event":
                event = EVENTS.get(abs(amount))
                return event is None or event.test(unit) == (amount > 0)
        return True


def _reached(way: float, target: int) -> bool:
    """Return whether a way has come to its target, in the target's direction."""
    return way >= target if target >= 0 else way <= target
