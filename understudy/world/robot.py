"""A robot as data: body, drive, devices, units, ports; and its placement."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from understudy import elementary
from understudy.frozen import frozen
from understudy.world.drive_stages import DriveStageSpec
from understudy.world.joints import Joint
from understudy.world.looks import Look
from understudy.world.materials import Surface
from understudy.world.motors import WHEEL, Motor, driven
from understudy.world.records import rule
from understudy.world.shapes import GeoPose, Mount, Pose
from understudy.world.vehicle import BodyPart, Castor, Dynamics, Wheel


@frozen
class Circle:
    """A round body."""

    kind: ClassVar[str] = "circle"
    radius_m: float = rule(above=0.0)
    height_m: float = rule(0.25, above=0.0)
    mass_kg: float = rule(5.0, above=0.0)

    def reach_m(self) -> float:
        """Return the radius about the centre of rotation that contains the outline (m)."""
        return self.radius_m


@frozen
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


@frozen
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


@frozen
class Differential:
    """Two driven wheels side by side, with the limits of the motors."""

    kind: ClassVar[str] = "differential"
    max_lateral_m_s: ClassVar[float] = 0.0
    track_m: float = rule(above=0.0)
    wheel_radius_m: float = rule(0.1, above=0.0)
    max_m_s: float = rule(1.0, above=0.0)
    max_rad_s: float = rule(math.pi, above=0.0)
    accel_m_s2: float = rule(5.0, above=0.0)
    accel_rad_s2: float = rule(20.0, above=0.0)


@frozen
class Skid(Differential):
    """Driven wheels or tracks on both sides, turning by skidding."""

    kind: ClassVar[str] = "skid"


@frozen
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


@frozen
class Ackermann:
    """A car: steered front wheels, no turning on the spot."""

    kind: ClassVar[str] = "ackermann"
    max_lateral_m_s: ClassVar[float] = 0.0
    wheelbase_m: float = rule(above=0.0)
    track_m: float = rule(0.4, above=0.0)
    wheel_radius_m: float = rule(0.1, above=0.0)
    max_steer_rad: float = rule(math.radians(35.0), above=0.0, most=1.5)
    max_m_s: float = rule(1.0, above=0.0)
    max_rad_s: float = rule(math.pi, above=0.0)
    accel_m_s2: float = rule(5.0, above=0.0)
    accel_rad_s2: float = rule(20.0, above=0.0)


@frozen
class Undriven:
    """No drive: an arm that is bolted down, or a passive body."""

    kind: ClassVar[str] = "none"
    bolted: bool = rule(True, doc="false: it can fall, tip and be pushed, such as a robot on legs")
    # values that devices and engines read from any drive; odometry divides by the track, so it is not 0
    track_m: ClassVar[float] = 1.0
    wheel_radius_m: ClassVar[float] = 0.1
    max_m_s: ClassVar[float] = 0.0
    max_lateral_m_s: ClassVar[float] = 0.0
    max_rad_s: ClassVar[float] = 0.0
    accel_m_s2: ClassVar[float] = 1.0
    accel_rad_s2: ClassVar[float] = 1.0


DriveSpec = Differential | Skid | Omni | Ackermann | Undriven


Forbidden = Literal["exit", "reset", "map", "move"]
SceneForbidden = Literal["exit", "reset", "map", "move", "time", "orders"]


@frozen(kw_only=True)
class DeviceSpec:
    """A sensor or actuator on the robot: a name, a mount and a data sheet; no intelligence."""

    name: str = rule(form="name")
    model: str = rule("", doc="a device of the catalogue, such as ping: it provides the kind and all values not given")
    sheet: Any = rule(inline=True, kinds="devices")
    joint: str = rule("", doc="the joint that carries it; default: the robot's body")
    mount: Mount = rule(Mount())


@frozen(kw_only=True)
class UnitSpec:
    """A firmware instance: its settings, which devices its inputs are bound to, and what its outputs drive."""

    name: str = rule(form="name")
    sheet: Any = rule(inline=True, kinds="units")
    uses: tuple[tuple[str, str], ...] = rule((), pairs=True, doc="input of the firmware = name of a device")
    drives: tuple[tuple[str, str], ...] = rule(
        (), pairs=True, doc="output of the firmware = wheel:left, wheel:right, wheel:both, joint:NAME or device:NAME"
    )
    motor: Motor = rule(Motor(), doc="the motors of its outputs")

    @property
    def moves_robot(self) -> bool:
        """Return whether the unit drives the robot: by itself, or with an output that is bound to a wheel."""
        return bool(self.sheet.drives) or any(driven(text).sort == WHEEL for _, text in self.drives)


@frozen(kw_only=True)
class AnyPort:
    """What ports of robots and of scenes have: which protocol is spoken over which link."""

    name: str = rule(form="name")
    sheet: Any = rule(inline=True, kinds="protocols", tag="protocol")
    link: str = rule()
    gate: str = "free"
    forbid: tuple[str, ...] = ()
    baud: int = rule(0, least=0, most=4_000_000, doc="of the device at power-on; 0: the port has no serial line")
    pace: bool = rule(False, doc="true: bytes take the time that the baud rate requires")
    wrong_baud: Literal["garbage", "silence"] = rule("garbage", doc="what a client at another baud rate gets")


@frozen(kw_only=True)
class Port(AnyPort):
    """A port of a robot: which unit speaks."""

    unit: str = rule()
    gate: Literal["free", "reply"] = rule("free", doc="reply: time waits until the client has answered")
    forbid: tuple[Forbidden, ...] = rule((), doc="what its client may not do to the simulation")


@frozen(kw_only=True)
class ScenePort(AnyPort):
    """A port of the scene, for a protocol that speaks of all robots."""

    gate: Literal["free", "reply", "hold"] = rule(
        "free",
        doc="reply: time waits until the client has answered; hold: time advances only when the client requests it",
    )
    forbid: tuple[SceneForbidden, ...] = rule((), doc="what its client may not do to the simulation")


@frozen(kw_only=True)
class RobotModel:
    """The robot described by a catalogue file."""

    summary: str = ""
    body: Body = rule(tag="shape")
    drive: DriveSpec = rule()
    surface: Surface = rule(Surface(), inline=True)
    dynamics: Dynamics = rule(Dynamics())
    drive_stages: tuple[DriveStageSpec, ...] = rule((), key="drive_stage", keyed=True)
    wheels: tuple[Wheel, ...] = rule((), key="wheel", keyed=True)
    castors: tuple[Castor, ...] = rule((), key="castor", keyed=True)
    joints: tuple[Joint, ...] = rule((), key="joint", keyed=True)
    parts: tuple[BodyPart, ...] = rule((), key="part", keyed=True)
    passing: tuple[tuple[str, str], ...] = rule(
        (), doc='pairs of parts that never collide; "body" is one too, "*" are all'
    )
    looks: tuple[Look, ...] = rule((), key="look", keyed=True)
    devices: tuple[DeviceSpec, ...] = rule((), key="device", keyed=True)
    units: tuple[UnitSpec, ...] = rule((), key="unit", keyed=True)
    ports: tuple[Port, ...] = rule((), key="port", keyed=True)
    card: Mapping[str, Any] | None = rule(None, doc="validity card: sources, what is modelled, what is not")

    @property
    def bolted(self) -> bool:
        """Return whether it is fixed to the world."""
        return isinstance(self.drive, Undriven) and self.drive.bolted


@frozen
class Program:
    """The user's program that drives a placed robot: a file, or a command that starts a process of its own."""

    file: str = rule("", unless=("command",), doc="a Python program (.py), or an image that a unit of the robot takes")
    mode: Literal["gated", "realtime"] = rule("gated", doc="realtime: in parallel, the clock does not wait")
    args: tuple[str, ...] = ()
    command: tuple[str, ...] = rule((), doc="a process that drives the robot: the command and its arguments")
    folder: str = rule("", doc="where the command runs; default: the folder of the scene")
    clock: Literal["", "shared"] = rule(
        "", doc="shared: the command is an unmodified program that talks to ports; it runs in simulated time"
    )
    interface: Literal["", "robios"] = rule("", doc="robios: a RoBIOS program, in Python, C or C++, or an executable")

    @property
    def may_be_command(self) -> bool:
        """Say whether what stands as its file, with a space or without a suffix, may be a command line.

        It is one if there is no such file; the reader of the scene decides that.
        """
        return bool(self.file) and (" " in self.file or "." not in self.file.rpartition("/")[2])

    @property
    def title(self) -> str:
        """Return how messages name it."""
        return self.file or " ".join(self.command)


@frozen
class PlacedRobot:
    """A robot placed in a scene; *parts* is None until the scene is resolved."""

    kind: ClassVar[str] = "robot"
    name: str = rule("", form="name", doc="default: generated from the model")
    model: str = rule("", doc="a name of the catalogue or a robot file; default: body and drive are given here")
    label: str = ""
    place: GeoPose | Pose = rule(Pose(), inline=True, tag="")
    colour: str = rule("#cc3311", form="colour")
    program: Program | None = rule(None, shorthand="file")
    noise: Literal["", "perfect"] = rule("", doc="perfect: every sensor of this robot reads the true values")
    overrides: Mapping[str, Any] | None = rule(None, doc="values given here that override the model's")
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
