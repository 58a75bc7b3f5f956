"""Pacing: how simulated time follows the wall clock, and how fast it runs. The only module that sleeps."""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from collections.abc import Callable

log = logging.getLogger(__name__)

GIVE_UP_S = 0.5  # lag beyond which the clock is re-anchored instead of catching up
MAX_BURST = 10  # ticks of catching up before other threads may run


class Clock:
    """Delays ticks so that they come at *speed* times real time; None is as fast as possible."""

    def __init__(
        self,
        tick_us: int,
        speed: float | None = None,
        now: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], None] = time.sleep,
        excused: Callable[[], bool] = lambda: False,
    ) -> None:
        self._tick_s = tick_us / 1e6
        self._now, self._sleep = now, sleep
        self._excused = excused  # a lag has a cause that was reported already
        self._speed = _checked(speed)
        self._anchor: tuple[float, int] | None = None  # (wall time, tick) at the same moment
        self._burst = 0
        self.skipped_s = 0.0

    @property
    def speed(self) -> float | None:
        """Return the multiple of real time, None for as fast as possible."""
        return self._speed

    @speed.setter
    def speed(self, factor: float | None) -> None:
        self._speed = _checked(factor)
        self.forget()

    def forget(self) -> None:
        """Anchor the clock at the next tick, after a pause or a change of speed."""
        self._anchor = None

    def lead_s(self, tick: int, speed: float) -> float:
        """Return the time until *tick* is due; negative when late (s)."""
        if self._anchor is None:
            self._anchor = (self._now(), tick)
        wall, first = self._anchor
        return wall + (tick - first) * self._tick_s / speed - self._now()

    def pace(self, tick: int, speed: float | None) -> None:
        """Wait until *tick* is due at *speed*."""
        if speed is None:
            self.forget()
            return
        lead = self.lead_s(tick, speed)
        if lead > 0.0:
            self._burst = 0
            self._sleep(lead)
        elif lead < -GIVE_UP_S:
            self._re_anchor(-lead)
        else:
            self._catch_up()

    def _catch_up(self) -> None:
        self._burst += 1
        if self._burst >= MAX_BURST:
            self._burst = 0
            self._sleep(0.0)

    def _re_anchor(self, late_s: float) -> None:
        self.skipped_s += late_s
        level = logging.DEBUG if self._excused() else logging.WARNING
        log.log(level, "the simulation is %.1f s behind real time: the lag is skipped, not caught up", late_s)
        self.forget()


class Gauge:
    """Measures how fast simulated time passes, over about a second."""

    def __init__(self, marks: int = 30) -> None:
        self._marks: deque[tuple[float, float]] = deque(maxlen=marks)

    def factor(self, time_s: float) -> float:
        """Return simulated seconds per second."""
        if self._marks and time_s < self._marks[-1][1]:
            self._marks.clear()
        self._marks.append((time.monotonic(), time_s))
        (wall_s, first_s), (now_s, last_s) = self._marks[0], self._marks[-1]
        return (last_s - first_s) / (now_s - wall_s) if now_s > wall_s else 0.0


def _checked(speed: float | None) -> float | None:
    """Return a speed; raises ValueError if time cannot pass at it."""
    if speed is not None and not 0.0 < speed < math.inf:
        raise ValueError(f"speed: want a number above 0, or None for as fast as possible, got {speed}")
    return speed
