"""Joints of a robot: they rotate or slide its parts and devices, moved by servos.

A joint sits on the robot's body or on another joint. Its frame is its mount, rotated about its axis, or moved along it,
by its position; parts and devices that name the joint are mounted in that frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import ClassVar

from understudy import elementary
from understudy.errors import nearest
from understudy.frozen import frozen
from understudy.world.records import rule
from understudy.world.shapes import Mount


@frozen
class Revolute:
    """A joint that turns."""

    kind: ClassVar[str] = "revolute"
    low_rad: float = rule(-math.pi / 2, doc="lower joint limit")
    high_rad: float = rule(math.pi / 2, doc="upper joint limit")
    endless: bool = rule(False, doc="true: it turns continuously, without joint limits")
    start_rad: float = rule(0.0, doc="position at the start")
    max_rad_s: float = rule(3.0, above=0.0, doc="maximum speed of its servo")
    motor_n_m: float = rule(0.0, least=0.0, doc="torque of its servo; 0: three times the stretched-out load")

    @property
    def ends(self) -> tuple[float, float]:
        """Return its joint limits (rad)."""
        return (-math.inf, math.inf) if self.endless else (self.low_rad, self.high_rad)

    @property
    def start(self) -> float:
        """Return its position at the start (rad)."""
        return self.start_rad

    @property
    def fastest(self) -> float:
        """Return the maximum speed of its servo (rad/s)."""
        return self.max_rad_s

    @property
    def strength(self) -> float:
        """Return the torque of its servo, 0 if it is derived (N m)."""
        return self.motor_n_m


@frozen
class Prismatic:
    """A joint that slides."""

    kind: ClassVar[str] = "prismatic"
    low_m: float = 0.0
    high_m: float = 0.1
    start_m: float = rule(0.0, doc="position at the start")
    max_m_s: float = rule(0.1, above=0.0, doc="maximum speed of its servo")
    motor_n: float = rule(0.0, least=0.0, doc="force of its servo; 0: three times its load")

    @property
    def ends(self) -> tuple[float, float]:
        """Return its joint limits (m)."""
        return self.low_m, self.high_m

    @property
    def start(self) -> float:
        """Return its position at the start (m)."""
        return self.start_m

    @property
    def fastest(self) -> float:
        """Return the maximum speed of its servo (m/s)."""
        return self.max_m_s

    @property
    def strength(self) -> float:
        """Return the force of its servo, 0 if it is derived (N)."""
        return self.motor_n


@frozen(kw_only=True)
class Joint:
    """A joint with a servo; a gear if it follows another joint."""

    name: str = rule(form="name")
    motion: Revolute | Prismatic = rule(inline=True)
    joint: str = rule("", doc="the parent joint; default: the robot's body")
    mount: Mount = rule(Mount(), doc="its pose at position 0, relative to its parent")
    axis: tuple[float, float, float] = rule((0.0, 0.0, 1.0), doc="axis of rotation, or direction of sliding")
    driven: bool = rule(True, doc="false: passive, without a servo")
    follows: str = rule("", doc="another joint to which it is geared (mimic joint): it has no servo of its own")
    ratio: float = rule(1.0, doc="of a gear: its motion per unit of the other joint's motion")

    @property
    def upright(self) -> bool:
        """Return whether it turns about a vertical axis of an upright mount: it pans."""
        level = self.mount.pitch_rad == 0.0 and self.mount.roll_rad == 0.0
        return isinstance(self.motion, Revolute) and level and self.axis[:2] == (0.0, 0.0)


def ordered(joints: Sequence[Joint]) -> tuple[Joint, ...]:
    """Return joints sorted so that each follows its parent, otherwise in the given order; joints in cycles are dropped.

    >>> [joint.name for joint in ordered((Joint(name="tilt", motion=Revolute(), joint="pan"),
    ...                                   Joint(name="pan", motion=Revolute())))]
    ['pan', 'tilt']
    """
    made: list[Joint] = []
    below = {""}
    while fresh := [joint for joint in joints if joint.joint in below and joint.name not in below]:
        made += fresh
        below |= {joint.name for joint in fresh}
    return tuple(made)


def findings(joints: Sequence[Joint]) -> Iterator[tuple[str, str, str]]:
    """Yield joint, key and message for each error in the joints of a robot."""
    known = {joint.name: joint for joint in joints}
    held = {joint.name for joint in ordered(joints)}
    for joint in joints:
        if joint.joint and joint.joint not in known:
            yield joint.name, "joint", f"no such joint {joint.joint!r} {nearest(joint.joint, known)}"
        elif joint.name not in held:
            yield joint.name, "joint", "the joints form a cycle; one of them must be mounted on the body"
        yield from _gear(joint, known)
        yield from _range(joint)


def _range(joint: Joint) -> Iterator[tuple[str, str, str]]:
    if not elementary.hypot(*joint.axis) > 0.0:
        yield joint.name, "axis", "invalid axis: all its numbers are 0"
    low, high = joint.motion.ends
    unit = "rad" if isinstance(joint.motion, Revolute) else "m"
    if low >= high:
        yield joint.name, f"low_{unit}", f"must be below high_{unit}, {high:g}"
    elif not low <= joint.motion.start <= high:
        yield joint.name, f"start_{unit}", f"must be from {low:g} to {high:g}, got {joint.motion.start:g}"


def _gear(joint: Joint, known: dict[str, Joint]) -> Iterator[tuple[str, str, str]]:
    if not joint.follows:
        return
    leader = known.get(joint.follows)
    if leader is None or leader is joint:
        others = [name for name in known if name != joint.name]
        yield joint.name, "follows", f"no such joint {joint.follows!r} {nearest(joint.follows, others)}"
    elif leader.follows:
        yield joint.name, "follows", f"{leader.name} itself follows {leader.follows}; let both follow {leader.follows}"
    elif not joint.ratio:
        yield joint.name, "ratio", "must not be 0"
