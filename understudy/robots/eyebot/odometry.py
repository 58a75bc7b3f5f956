"""Odometry of an EyeBot: pose, speeds and ticks from the readings of its encoders, never from the true pose."""

from __future__ import annotations

import math
from dataclasses import dataclass

from understudy import elementary
from understudy.jit import shared
from understudy.sensors.base import Device
from understudy.units import wrap_rad


@dataclass(slots=True)
class WheelOdometry:
    """Path of the wheels since the start, and the pose that it gives (m, rad)."""

    left_m: float = 0.0
    right_m: float = 0.0
    lateral_m: float = 0.0
    stamp_us: int = -1
    x_m: float = 0.0
    y_m: float = 0.0
    rad: float = 0.0
    m_s: float = 0.0
    rad_s: float = 0.0
    path_m: float = 0.0  # ahead, since the start
    turned_rad: float = 0.0

    def update(self, wheels: Device | None, track_m: float) -> None:
        """Take the newest reading of the encoders."""
        if wheels is None or wheels.stamp_us < 0 or wheels.stamp_us == self.stamp_us:
            return
        left, right, lateral, _ = wheels.read().tolist()
        if math.isfinite(left + right + lateral):  # failed encoders do not count
            reckon(self, left, right, lateral, wheels.stamp_us, track_m)

    def set(self, x_m: float, y_m: float, rad: float) -> None:
        """Set the pose."""
        self.x_m, self.y_m, self.rad = x_m, y_m, wrap_rad(rad)

    def wheels_m(self) -> tuple[float, float, float, float]:
        """Return the path of wheels 1 to 4: left and right, then the rear ones, which roll apart when it slides."""
        lateral = self.lateral_m
        return self.left_m - lateral, self.right_m + lateral, self.left_m + lateral, self.right_m - lateral


@shared
def reckon(odometry, left, right, lateral, stamp_us, track_m):
    """Take a reading of the encoders (m) into an odometry, or into a row with the same fields."""
    ahead = (left - odometry.left_m + right - odometry.right_m) / 2
    turn = (right - odometry.right_m - left + odometry.left_m) / track_m
    _move(odometry, ahead, lateral - odometry.lateral_m, turn)
    if odometry.stamp_us >= 0:
        seconds = (stamp_us - odometry.stamp_us) / 1e6
        odometry.m_s, odometry.rad_s = ahead / seconds, turn / seconds
    odometry.left_m, odometry.right_m, odometry.lateral_m, odometry.stamp_us = left, right, lateral, stamp_us


@shared
def _move(odometry, ahead, lateral, turn):
    cos, sin = elementary.direction(odometry.rad + turn / 2)
    chord = 1.0 if abs(turn) < 1e-9 else 2.0 * elementary.sin(turn / 2) / turn
    odometry.x_m += chord * (ahead * cos - lateral * sin)
    odometry.y_m += chord * (ahead * sin + lateral * cos)
    odometry.rad = _wrapped(odometry.rad + turn)
    odometry.path_m += ahead
    odometry.turned_rad += turn


@shared
def _wrapped(angle):
    """Return an angle wrapped into (-pi, pi], exactly as `wrap_rad` does, which kernels cannot call."""
    rest = math.copysign(abs(angle) % math.tau, angle)
    if rest > math.pi:
        return rest - math.tau
    return rest + math.tau if rest <= -math.pi else rest
