"""What can go wrong: faults as plain values that links, sensors and drives obey."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from understudy.world.plain import rule

Effect = Literal["dead", "stuck"]


@dataclass(frozen=True, slots=True)
class Fault:
    """A part at *path* (``scout/front``, ``scout/host``, or ``scout`` for its drive) fails, or recovers.

    A *dead* sensor reads nothing, a *stuck* one repeats its last reading; a dead drive gives no torque, a stuck one
    keeps its last target; a dead or stuck link carries no byte.
    """

    path: str
    effect: Effect = "dead"
    active: bool = rule(True, doc="false: the part works again")
