"""Odometry of an EyeBot: pose, speeds and ticks from the readings of its encoders, never from the true pose."""

from __future__ import annotations

import math
from dataclasses import dataclass

from understudy import elementary
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
        if not math.isfinite(left + right + lateral):  # failed encoders do not count
            return
        ahead = (left - self.left_m + right - self.right_m) / 2
        turn = (right - self.right_m - left + self.left_m) / track_m
        self._move(ahead, lateral - self.lateral_m, turn)
        seconds = (wheels.stamp_us - self.stamp_us) / 1e6
        if self.stamp_us >= 0:
            self.m_s, self.rad_s = ahead / seconds, turn / seconds
        self.left_m, self.right_m, self.lateral_m, self.stamp_us = left, right, lateral, wheels.stamp_us

    def _move(self, ahead: float, lateral: float, turn: float) -> None:
        cos, sin = elementary.direction(self.rad + turn / 2)
        chord = 1.0 if abs(turn) < 1e-9 else 2.0 * elementary.sin(turn / 2) / turn
        self.x_m += chord * (ahead * cos - lateral * sin)
        self.y_m += chord * (ahead * sin + lateral * cos)
        self.rad = wrap_rad(self.rad + turn)
        self.path_m += ahead
        self.turned_rad += turn

    def set(self, x_m: float, y_m: float, rad: float) -> None:
        """Set the pose."""
        self.x_m, self.y_m, self.rad = x_m, y_m, wrap_rad(rad)

    def wheels_m(self) -> tuple[float, float, float, float]:
        """Return the path of wheels 1 to 4: left and right, then the rear ones, which roll apart when it slides."""
        lateral = self.lateral_m
        return self.left_m - lateral, self.right_m + lateral, self.left_m + lateral, self.right_m - lateral
