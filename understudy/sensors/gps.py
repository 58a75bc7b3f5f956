"""GPS receivers: a geodetic fix of the antenna, speed and course over ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy.sensors.base import Array, Rows, Sampled, Truth
from understudy.sensors.imperfection import LengthNoise
from understudy.world.plain import rule
from understudy.world.shapes import Mount


@dataclass(frozen=True, slots=True)
class Gps(Sampled):
    """A receiver with white position error, twice as large in height."""

    kind: ClassVar[str] = "gps"
    period_us: int = rule(1_000_000, least=0)
    satellites: int = rule(8, least=0, most=12)
    hdop: float = rule(1.2, above=0.0)
    noise: LengthNoise = rule(LengthNoise(sigma_m=1.5), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the values of a reading."""
        return ("latitude_deg", "longitude_deg", "altitude_m", "speed_m_s", "course_deg", "fix", "satellites", "hdop")

    def scales(self) -> Array:
        """Return how much of the noise each value gets: east, north, up while it is added."""
        return np.array([1.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0])

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write the antenna's place in the world (m), its speed and direction; `finish` makes it geodetic."""
        poses, twists = truth.poses[rows], truth.twists[rows]
        cos, sin = np.cos(poses[:, 5]), np.sin(poses[:, 5])
        arm = np.column_stack([cos * mount.x_m - sin * mount.y_m, sin * mount.x_m + cos * mount.y_m])
        out[:, 0:2] = poses[:, 0:2] + arm
        out[:, 2] = poses[:, 2] + mount.z_m
        east = twists[:, 0] - twists[:, 5] * arm[:, 1]
        north = twists[:, 1] + twists[:, 5] * arm[:, 0]
        out[:, 3] = np.hypot(east, north)
        out[:, 4] = np.arctan2(north, east)
        out[:, 5:] = (1.0, self.satellites, self.hdop)

    def finish(self, truth: Truth, out: Array) -> None:
        """Turn metres into latitude and longitude; a lost reading is a receiver without a fix."""
        lost = np.isnan(out).any(axis=1)
        out[:, 0:3] = truth.frame.geodetic(out[:, 0:3])
        out[:, 4] = truth.frame.bearing_deg(out[:, 4])
        out[lost, 5:7] = 0.0
        out[lost, 0:5] = np.nan
