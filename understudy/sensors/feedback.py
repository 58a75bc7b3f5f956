"""What a servo tells of its joint: where it is, how fast it moves, how hard it pushes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from understudy.sensors.base import Array, Rows, Sampled, Truth
from understudy.sensors.card import Card, Number
from understudy.sensors.imperfection import PlainNoise
from understudy.world.plain import rule
from understudy.world.shapes import Mount

_CARD = Card(
    "feedback",
    "Position, speed and effort of the joint that carries it, as servos with a bus report them.",
    sources=("position, speed and load are what the servos of hobby robots with a bus tell",),
    modelled=("the true position and speed of the joint, and the torque or force of its servo",),
    not_modelled=("play of the gears between motor and joint", "a reading of effort that is made from the current"),
    numbers=(Number("period_us", "estimate: 50 times a second, as hobby servos are asked"),),
)


@dataclass(frozen=True, slots=True)
class Feedback(Sampled):
    """Tells of the joint that its device names."""

    kind: ClassVar[str] = "feedback"
    card: ClassVar[Card] = _CARD
    on_joint: ClassVar[bool] = True
    period_us: int = rule(20_000, least=0, doc="time between two samples; 0: at every tick")
    noise: PlainNoise = rule(PlainNoise(), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return position (rad or m), speed (rad/s or m/s) and effort (N m or N)."""
        return ("position", "speed", "effort")

    def scales(self) -> Array:
        """Return how much of the noise each gets: it is one of the position."""
        return np.array([1.0, 0.0, 0.0])

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write how the joints move."""
        known = truth.engine.chain.rows
        joints = [known[robot, truth.joint] for robot in rows.tolist()]
        out[:] = np.column_stack(truth.engine.joints())[joints]
