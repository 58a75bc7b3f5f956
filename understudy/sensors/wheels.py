"""Wheel encoders: the path that each side has rolled, and whether the motors are held."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy.sensors.base import Array, Rows, Sampled, Truth
from understudy.sensors.imperfection import LengthNoise
from understudy.world.plain import rule
from understudy.world.shapes import Mount


@dataclass(frozen=True, slots=True)
class Encoders(Sampled):
    """What the motor controller knows of its wheels."""

    kind: ClassVar[str] = "encoders"
    period_us: int = rule(0, least=0, doc="0: at every tick")
    noise: LengthNoise = rule(LengthNoise(), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the values of a reading."""
        return ("left_m", "right_m", "lateral_m", "stalled")

    def scales(self) -> Array:
        """Return how much of the noise each value gets."""
        return np.array([1.0, 1.0, 1.0, 0.0])

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write the path of each side (m) and the stall flag."""
        out[:, :3] = truth.travel[rows]
        out[:, 3] = truth.stalled[rows]
