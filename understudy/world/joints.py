"""Joints of a robot: what turns or slides its parts and devices, and the servos that move them.

A joint sits on the robot's body or on another joint. Its frame is its mount, turned about its axis, or slid along it,
by its position; parts and devices that name the joint are mounted in that frame.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from understudy import elementary
from understudy.errors import nearest
from understudy.world.plain import rule
from understudy.world.shapes import Mount


@dataclass(frozen=True, slots=True)
class Revolute:
    """A joint that turns."""

    kind: ClassVar[str] = "revolute"
    low_rad: float = rule(-math.pi / 2, doc="how far it turns to one side")
    high_rad: float = rule(math.pi / 2, doc="and to the other")
    endless: bool = rule(False, doc="true: it turns any number of times, and has no ends")
    start_rad: float = rule(0.0, doc="where it is at the start")
    max_rad_s: float = rule(3.0, above=0.0, doc="how fast its servo turns at most")
    motor_n_m: float = rule(0.0, least=0.0, doc="torque of its servo; 0: three times what it bears stretched out")

    @property
    def ends(self) -> tuple[float, float]:
        """Return its lowest and highest position (rad)."""
        return (-math.inf, math.inf) if self.endless else (self.low_rad, self.high_rad)

    @property
    def start(self) -> float:
        """Return its position at the start (rad)."""
        return self.start_rad

    @property
    def fastest(self) -> float:
        """Return how fast its servo moves (rad/s)."""
        return self.max_rad_s

    @property
    def strength(self) -> float:
        """Return what its servo can bear, 0 if that is to be derived (N m)."""
        return self.motor_n_m


@dataclass(frozen=True, slots=True)
class Prismatic:
    """A joint that slides."""

    kind: ClassVar[str] = "prismatic"
    low_m: float = 0.0
    high_m: float = 0.1
    start_m: float = rule(0.0, doc="where it is at the start")
    max_m_s: float = rule(0.1, above=0.0, doc="how fast its servo slides at most")
    motor_n: float = rule(0.0, least=0.0, doc="force of its servo; 0: three times what it bears")

    @property
    def ends(self) -> tuple[float, float]:
        """Return its lowest and highest position (m)."""
        return self.low_m, self.high_m

    @property
    def start(self) -> float:
        """Return its position at the start (m)."""
        return self.start_m

    @property
    def fastest(self) -> float:
        """Return how fast its servo moves (m/s)."""
        return self.max_m_s

    @property
    def strength(self) -> float:
        """Return what its servo can bear, 0 if that is to be derived (N)."""
        return self.motor_n


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """A joint with a servo; a gear if it follows another joint."""

    name: str = rule(form="name")
    motion: Revolute | Prismatic = rule(inline=True)
    joint: str = rule("", doc="the joint that it sits on; left out: the robot's body")
    mount: Mount = rule(Mount(), doc="where it is when it is at 0, seen from what it sits on")
    axis: tuple[float, float, float] = rule((0.0, 0.0, 1.0), doc="about which it turns, or along which it slides")
    driven: bool = rule(True, doc="false: it has no servo and gives way")
    follows: str = rule("", doc="another joint, to which it is geared: it has no servo of its own")
    ratio: float = rule(1.0, doc="of a gear: how far it goes when the other goes by 1")

    @property
    def upright(self) -> bool:
        """Say whether it turns about an upright axis of an upright mount: it pans."""
        level = self.mount.pitch_rad == 0.0 and self.mount.roll_rad == 0.0
        return isinstance(self.motion, Revolute) and level and self.axis[:2] == (0.0, 0.0)


def ordered(joints: Sequence[Joint]) -> tuple[Joint, ...]:
    """Return joints so that each comes after the one that it sits on, otherwise as they stand; those in rings are lost.

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


def mistakes(joints: Sequence[Joint]) -> Iterator[tuple[str, str, str]]:
    """Yield joint, key and words for what is wrong with the joints of a robot."""
    known = {joint.name: joint for joint in joints}
    held = {joint.name for joint in ordered(joints)}
    for joint in joints:
        if joint.joint and joint.joint not in known:
            yield joint.name, "joint", f"no such joint {joint.joint!r} {nearest(joint.joint, known)}"
        elif joint.name not in held:
            yield joint.name, "joint", "sits on itself, by way of others; one of them must sit on the body"
        yield from _gear(joint, known)
        yield from _range(joint)


def _range(joint: Joint) -> Iterator[tuple[str, str, str]]:
    if not elementary.hypot(*joint.axis) > 0.0:
        yield joint.name, "axis", "has no direction: all its numbers are 0"
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
        yield joint.name, "follows", f"{leader.name} follows {leader.follows} itself; let both follow {leader.follows}"
    elif not joint.ratio:
        yield joint.name, "ratio", "must not be 0: a gear that does not turn is no gear"
