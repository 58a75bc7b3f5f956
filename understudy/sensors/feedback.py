"""Servo feedback: position, speed and effort of a joint."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from understudy.frozen import frozen
from understudy.sensors.base import PERIOD, Array, Rows, Sampled, Truth
from understudy.sensors.cards.card import Card, Number
from understudy.sensors.imperfection import PlainNoise
from understudy.world.records import rule
from understudy.world.shapes import Mount

_CARD = Card(
    "feedback",
    "Position, speed and effort of the joint that carries it, as reported by bus servos.",
    sources=("bus servos of hobby robots report position, speed and load",),
    modelled=("the true position and speed of the joint, and the torque or force of its servo",),
    not_modelled=("gear backlash between motor and joint", "effort estimated from the motor current"),
    numbers=(Number("period_us", "estimate: 50 Hz, as hobby servos are polled"),),
)


@frozen
class Feedback(Sampled):
    """Reports on the joint that its device names."""

    kind: ClassVar[str] = "feedback"
    card: ClassVar[Card] = _CARD
    on_joint: ClassVar[bool] = True
    period_us: int = rule(20_000, least=0, doc=PERIOD)
    noise: PlainNoise = rule(PlainNoise(), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return position (rad or m), speed (rad/s or m/s) and effort (N m or N)."""
        return ("position", "speed", "effort")

    def scales(self) -> Array:
        """Return the noise factor of each value: only the position is noisy."""
        return np.array([1.0, 0.0, 0.0])

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write the motion of the joints."""
        known = truth.engine.chain.rows
        joints = [known[robot, truth.joint] for robot in rows.tolist()]
        out[:] = np.column_stack(truth.engine.joints())[joints]
