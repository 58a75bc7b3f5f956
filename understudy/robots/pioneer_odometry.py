"""Where a Pioneer's wheels say that it is, miscounted as MobileSim miscounts: by shares of way and turn."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy import elementary
from understudy.compiled import kernel
from understudy.rng import uniform
from understudy.robots.pioneer_sheet import NO_ERRORS, PioneerSheet
from understudy.sensors.base import Array
from understudy.units import US_PER_S, wrap_rad

Errors = tuple[float, float, float]
_ERROR_STAGE, _ERROR_PERIOD_US = np.uint64(1), 100_000


@kernel()
def _direction(angle):  # type: ignore[no-untyped-def]
    """Return cosine and sine; every robot asks in every tick, and compiled it takes a quarter as long."""
    return elementary.direction(angle)


class Odometry(NamedTuple):
    """Place and speed by the wheels, the wheel reading that they rest on, and the way and turn since the start."""

    x_m: float = 0.0
    y_m: float = 0.0
    heading_rad: float = 0.0
    m_s: float = 0.0
    lateral_m_s: float = 0.0
    rad_s: float = 0.0
    stalled: bool = False
    left_m: float = 0.0
    right_m: float = 0.0
    lateral_m: float = 0.0
    stamp_us: int = -1
    way_m: float = 0.0
    turned_rad: float = 0.0

    def advanced(self, wheels: Array, stamp_us: int, track_m: float, errors: Errors = NO_ERRORS) -> Odometry:
        """Return the odometry after a wheel reading: left, right and sideways travel (m), stalled.

        *errors* are the shares by which way, sideways and turn are miscounted; speeds are not.
        """
        left, right, lateral, stalled = wheels.tolist()
        if not math.isfinite(left + right + lateral):  # dead encoders count nothing
            return self._replace(m_s=0.0, lateral_m_s=0.0, rad_s=0.0, stalled=False, stamp_us=stamp_us)
        left_step, right_step, side = left - self.left_m, right - self.right_m, lateral - self.lateral_m
        ahead, turn = (left_step + right_step) / 2, (right_step - left_step) / track_m
        rate = US_PER_S / (stamp_us - self.stamp_us) if 0 <= self.stamp_us < stamp_us else 0.0
        x, y, turned = ahead + ahead * errors[0], side + side * errors[1], turn + turn * errors[2]
        middle = self.heading_rad + turned / 2  # the chord of the arc points along its middle heading
        cos, sin = _direction(middle) if x or y else (1.0, 0.0)
        return Odometry(
            self.x_m + x * cos - y * sin, self.y_m + x * sin + y * cos, wrap_rad(self.heading_rad + turned),
            ahead * rate, side * rate, turn * rate, stalled > 0.5, left, right, lateral, stamp_us,
            self.way_m + x, self.turned_rad + turned,
        )  # fmt: skip


def miscounts(sheet: PioneerSheet, key: tuple[int, int], stamp_us: int) -> Errors:
    """Return the shares by which a wheel reading is miscounted: ahead, to the side, turning."""
    if sheet.odometry_error == NO_ERRORS or sheet.odometry_errors == "constant":
        return sheet.odometry_error
    sample = stamp_us // _ERROR_PERIOD_US if sheet.odometry_errors == "always" else 0
    drawn = (2.0 * float(uniform(*key, sample, _ERROR_STAGE, n)) - 1.0 for n in range(3))
    ahead, side, turn = (most * share for most, share in zip(sheet.odometry_error, drawn))
    return ahead, side, turn
