"""Wheel odometry of a Pioneer, with MobileSim's error model: errors proportional to distance and rotation."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy import elementary
from understudy.jit import kernel
from understudy.rng import uniform
from understudy.robots.pioneer.sheet import NO_ERRORS, PioneerSheet
from understudy.sensors.base import Array
from understudy.units import US_PER_S, wrap_rad

OdometryErrors = tuple[float, float, float]
_ERROR_STAGE, _ERROR_PERIOD_US = np.uint64(1), 100_000


@kernel()
def _direction(angle):
    """Return cosine and sine; called for every robot in every tick, and four times as fast when compiled."""
    return elementary.direction(angle)


class WheelOdometry(NamedTuple):
    """Pose estimate and speed, the wheel reading that they are based on, and distance and rotation since the start."""

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

    def advanced(
        self, wheels: Array, stamp_us: int, track_m: float, errors: OdometryErrors = NO_ERRORS
    ) -> WheelOdometry:
        """Return the odometry after a wheel reading: left, right and sideways travel (m), stalled.

        *errors* are relative errors of distance ahead, distance sideways and rotation; speeds have no error.
        """
        left, right, lateral, stalled = wheels.tolist()
        if not math.isfinite(left + right + lateral):  # failed encoders do not count
            return self._replace(m_s=0.0, lateral_m_s=0.0, rad_s=0.0, stalled=False, stamp_us=stamp_us)
        left_step, right_step, side = left - self.left_m, right - self.right_m, lateral - self.lateral_m
        ahead, turn = (left_step + right_step) / 2, (right_step - left_step) / track_m
        rate = US_PER_S / (stamp_us - self.stamp_us) if 0 <= self.stamp_us < stamp_us else 0.0
        x, y, turned = ahead + ahead * errors[0], side + side * errors[1], turn + turn * errors[2]
        middle = self.heading_rad + turned / 2  # the chord of the arc points along its middle heading
        cos, sin = _direction(middle) if x or y else (1.0, 0.0)
        return WheelOdometry(
            self.x_m + x * cos - y * sin, self.y_m + x * sin + y * cos, wrap_rad(self.heading_rad + turned),
            ahead * rate, side * rate, turn * rate, stalled > 0.5, left, right, lateral, stamp_us,
            self.way_m + x, self.turned_rad + turned,
        )  # fmt: skip


def miscounts(sheet: PioneerSheet, key: tuple[int, int], stamp_us: int) -> OdometryErrors:
    """Return the relative errors of a wheel reading: ahead, sideways, rotation."""
    if sheet.odometry_error == NO_ERRORS or sheet.odometry_errors == "constant":
        return sheet.odometry_error
    sample = stamp_us // _ERROR_PERIOD_US if sheet.odometry_errors == "always" else 0
    drawn = (2.0 * float(uniform(*key, sample, _ERROR_STAGE, n)) - 1.0 for n in range(3))
    ahead, side, turn = (most * share for most, share in zip(sheet.odometry_error, drawn))
    return ahead, side, turn
