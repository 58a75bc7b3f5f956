"""What a robot is: body, drive, devices, units, ports; and where it is placed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from understudy import elementary
from understudy.world.joints import Joint
from understudy.world.looks import Look
from understudy.world.materials import Surface
from understudy.world.plain import rule
from understudy.world.shapes import GeoPose, Mount, Pose
from understudy.world.vehicle import Castor, Dynamics, Part, Wheel


@dataclass(frozen=True, slots=True)
class Circle:
    """A round body."""

    kind: ClassVar[str] = "circle"
    radius_m: float = rule(above=0.0)
    height_m: float = rule(0.25, above=0.0)
    mass_kg: float = rule(5.0, above=0.0)

    def reach_m(self) -> float:
        """Return the radius about the centre of rotation that contains the outline (m)."""
        return self.radius_m


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A box-shaped body; *offset_x_m* is its centre ahead of the centre of rotation."""

    kind: ClassVar[str] = "box"
    length_m: float = rule(above=0.0)
    width_m: float = rule(above=0.0)
    offset_x_m: float = 0.0
    height_m: float = rule(0.25, above=0.0)
    mass_kg: float = rule(5.0, above=0.0)

    def reach_m(self) -> float:
        """Return the radius about the centre of rotation that contains the outline (m)."""
        return elementary.hypot(self.length_m / 2 + abs(self.offset_x_m), self.width_m / 2)


@dataclass(frozen=True, slots=True)
class Polygon:
    """A convex body, its outline counter-clockwise about the centre of rotation."""

    kind: ClassVar[str] = "polygon"
    points_m: tuple[tuple[float, float], ...] = rule()
    height_m: float = rule(0.25, above=0.0)
    mass_kg: float = rule(5.0, above=0.0)

    def reach_m(self) -> float:
        """Return the radius about the centre of rotation that contains the outline (m)."""
        return max(elementary.hypot(x, y) for x, y in self.points_m)


Body = Circle | Rectangle | Polygon


@dataclass(frozen=True, slots=True)
class Differential:
    """Two driven wheels side by side; what the motors can do at most."""

    kind: ClassVar[str] = "differential"
    track_m: float = rule(above=0.0)
    wheel_radius_m: float = rule(0.1, above=0.0)
    max_m_s: float = rule(1.0, above=0.0)
    max_rad_s: float = rule(math.pi, above=0.0)
    accel_m_s2: float = rule(5.0, above=0.0)
    accel_rad_s2: float = rule(20.0, above=0.0)


@dataclass(frozen=True, slots=True)
class Skid(Differential):
    """Driven wheels or tracks on both sides, turning by slipping."""

    kind: ClassVar[str] = "skid"


@dataclass(frozen=True, slots=True)
class Omni:
    """A body that moves in any direction and turns at the same time."""

    kind: ClassVar[str] = "omni"
    track_m: float = rule(0.4, above=0.0)
    wheel_radius_m: float = rule(0.1, above=0.0)
    max_m_s: float = rule(1.0, above=0.0)
    max_lateral_m_s: float = rule(1.0, above=0.0)
    max_rad_s: float = rule(math.pi, above=0.0)
    accel_m_s2: float = rule(5.0, above=0.0)
    accel_rad_s2: float = rule(20.0, above=0.0)


@dataclass(frozen=True, slots=True)
class Ackermann:
    """A car: steered front wheels, no turning on the spot."""

    kind: ClassVar[str] = "ackermann"
    wheelbase_m: float = rule(above=0.0)
    track_m: float = rule(0.4, above=0.0)
    wheel_radius_m: float = rule(0.1, above=0.0)
    max_steer_rad: float = rule(math.radians(35.0), above=0.0, most=1.5)
    max_m_s: float = rule(1.0, above=0.0)
    max_rad_s: float = rule(math.pi, above=0.0)
    accel_m_s2: float = rule(5.0, above=0.0)
    accel_rad_s2: float = rule(20.0, above=0.0)


@dataclass(frozen=True, slots=True)
class Undriven:
    """Nothing that drives: an arm that is bolted to where it is put, or something that only lies or stands there."""

    kind: ClassVar[str] = "none"
    bolted: bool = rule(True, doc="false: it falls, tips and can be pushed, as what stands on legs does")
    # what devices and engines ask of any drive; a track of 0 would make odometers divide by it
    track_m: ClassVar[float] = 1.0
    wheel_radius_m: ClassVar[float] = 0.1
    max_m_s: ClassVar[float] = 0.0
    max_rad_s: ClassVar[float] = 0.0
    accel_m_s2: ClassVar[float] = 1.0
    accel_rad_s2: ClassVar[float] = 1.0


Drive = Differential | Skid | Omni | Ackermann | Undriven


Forbidden = Literal["exit", "reset", "map", "move"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A sensor or actuator on the robot: a name, a mount and a data sheet; no intelligence."""

    name: str = rule(form="name")
    model: str = rule("", doc="a device of the catalogue, such as ping: its kind and values count where none are given")
    sheet: Any = rule(inline=True, kinds="devices")
    joint: str = rule("", doc="the joint that carries it; left out: the robot's body")
    mount: Mount = rule(Mount())


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A firmware instance: its settings, and which devices its inputs are bound to."""

    name: str = rule(form="name")
    sheet: Any = rule(inline=True, kinds="units")
    uses: tuple[tuple[str, str], ...] = rule((), pairs=True, doc="input of the firmware = name of a device")


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """A plug: which unit speaks which protocol over which link."""

    name: str = rule(form="name")
    unit: str = rule()
    sheet: Any = rule(inline=True, kinds="protocols", tag="protocol")
    link: str = rule()
    gate: Literal["free", "reply"] = rule("free", doc="reply: time waits until the client has answered")
    forbid: tuple[Forbidden, ...] = rule((), doc="what its client may not do to the simulation")


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotModel:
    """What a catalogue file describes."""

    summary: str = ""
    body: Body = rule(tag="shape")
    drive: Drive = rule()
    surface: Surface = rule(Surface(), inline=True)
    dynamics: Dynamics = rule(Dynamics())
    wheels: tuple[Wheel, ...] = rule((), key="wheel", keyed=True)
    castors: tuple[Castor, ...] = rule((), key="castor", keyed=True)
    joints: tuple[Joint, ...] = rule((), key="joint", keyed=True)
    parts: tuple[Part, ...] = rule((), key="part", keyed=True)
    passing: tuple[tuple[str, str], ...] = rule(
        (), doc='pairs of parts that never collide; "body" is one too, "*" are all'
    )
    looks: tuple[Look, ...] = rule((), key="look", keyed=True)
    devices: tuple[Device, ...] = rule((), key="device", keyed=True)
    units: tuple[Unit, ...] = rule((), key="unit", keyed=True)
    ports: tuple[Port, ...] = rule((), key="port", keyed=True)
    card: Mapping[str, Any] | None = rule(None, doc="validity card: sources, what is modelled, what is not")

    @property
    def bolted(self) -> bool:
        """Say whether it stays where it is put whatever happens."""
        return isinstance(self.drive, Undriven) and self.drive.bolted


@dataclass(frozen=True, slots=True)
class Program:
    """The user's program that drives a placed robot."""

    file: str = rule()
    mode: Literal["gated", "realtime"] = rule("gated", doc="realtime: it runs beside the clock, which does not wait")
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Robot:
    """A robot placed in a scene; *parts* is None until the scene is resolved."""

    name: str = rule("", form="name", doc="left out: made from the model")
    model: str = rule("", doc="a name of the catalogue or a robot file; left out: body and drive stand here")
    label: str = ""
    place: GeoPose | Pose = rule(Pose(), inline=True, tag="")
    colour: str = rule("#cc3311", form="colour")
    program: Program | None = rule(None, shorthand="file")
    noise: Literal["", "perfect"] = rule("", doc="perfect: every sensor of this robot reads the truth")
    overrides: Mapping[str, Any] | None = rule(None, doc="what stands here beside the model's own values")
    parts: RobotModel | None = None

    @property
    def built(self) -> RobotModel:
        """Return the model of a resolved robot."""
        assert self.parts is not None, f"{self.name} is not resolved"
        return self.parts

    @property
    def pose(self) -> Pose:
        """Return the pose of a resolved robot."""
        assert isinstance(self.place, Pose), f"{self.name} is not resolved"
        return self.place
