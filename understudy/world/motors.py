"""What the outputs of a unit drive, and the motors between: wheels and joints of the robot, or devices."""

from __future__ import annotations

from typing import NamedTuple

from understudy.frozen import frozen
from understudy.world.records import rule

WHEEL, JOINT, DEVICE = "wheel", "joint", "device"
SIDES = ("left", "right", "both")  # both: one motor that drives the wheels of both sides


class Driven(NamedTuple):
    """What an output drives: ``wheel:left`` is the left wheel."""

    sort: str  # WHEEL, JOINT or DEVICE
    name: str


def driven(text: str) -> Driven:
    """Return what a value of ``drives`` names.

    >>> driven("joint:arm")
    Driven(sort='joint', name='arm')
    """
    sort, _, name = text.partition(":")
    return Driven(sort, name)


@frozen
class Motor:
    """The motors of a unit's outputs: a speed that follows the power with a time constant, and a current."""

    max_m_s: float = rule(0.0, least=0.0, doc="rim speed of a wheel at full power; 0: max_m_s of the drive")
    spin_up_us: int = rule(100_000, least=0, doc="time constant with which the speed follows the power")
    coast_us: int = rule(400_000, least=0, doc="time constant of rolling out without power")
    brake_us: int = rule(30_000, least=0, doc="time constant of braking")
    stall_a: float = rule(1.5, above=0.0, doc="current of a motor that is held at full power")
    idle_a: float = rule(0.1, least=0.0, doc="current at full power and full speed")
    supply_v: float = rule(9.0, above=0.0, doc="voltage of the outputs; a device draws its power_w from it")
    reversed: tuple[str, ...] = rule((), doc="outputs whose motor turns the other way")
