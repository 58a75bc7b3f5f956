"""The unit contract: firmware between the serial protocol and the actuators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import PurePosixPath
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from understudy.frozen import frozen
from understudy.sensors.base import Device
from understudy.sensors.filters import Call
from understudy.world.changes import Change, Done
from understudy.world.motion import Motion
from understudy.world.news import At, News
from understudy.world.robot import RobotModel
from understudy.world.shapes import Mount, Pose

Tree = dict[str, Any]


@frozen
class Drive:
    """Move like this until the next command; every unit with wheels accepts it (m/s, rad/s, m/s to the left)."""

    m_s: float = 0.0
    rad_s: float = 0.0
    lateral_m_s: float = 0.0

    @classmethod
    def at(cls, motion: Motion) -> Drive:
        """Return the command for this motion."""
        return cls(motion.ahead_m_s, motion.turn_rad_s, motion.left_m_s)

    @property
    def motion(self) -> Motion:
        """Return the commanded motion."""
        return Motion(self.m_s, self.lateral_m_s, self.rad_s)


@frozen
class Offer:
    """Something that a user can do at a unit's face, such as a key or a button: what it says, and its order."""

    label: str
    order: Any


@frozen
class Session:
    """A client has connected to a port of the unit, or has disconnected."""

    open: bool
    port: str = ""  # path of the port, set by the run; a unit may have several


class Sessions:
    """The ports of a unit that have a client."""

    def __init__(self) -> None:
        self.ports: list[str] = []

    def take(self, session: Session) -> bool:
        """Note a session; returns whether it is the first one to open or the last one to close."""
        if session.open:
            self.ports = [*(port for port in self.ports if port != session.port), session.port]
            return len(self.ports) == 1
        was_there = session.port in self.ports
        self.ports = [port for port in self.ports if port != session.port]
        return was_there and not self.ports


class DriveHandle(Protocol):
    """The handle by which a unit moves its robot."""

    def set(self, motion: Motion) -> None:
        """Command this motion from the next engine step on."""
        ...

    def asked(self) -> Motion:
        """Return the last commanded motion."""
        ...

    def twist(self) -> Motion:
        """Return the true motion."""
        ...


class JointDrive(Protocol):
    """The handle by which a unit moves a joint of its robot."""

    def aim(self, position: float) -> None:
        """Move to a position from the next engine step on (rad or m)."""
        ...

    def turn(self, speed: float) -> None:
        """Move at a speed from the next engine step on (rad/s or m/s)."""
        ...

    def position(self) -> float:
        """Return the joint's position (rad or m)."""
        ...

    def speed(self) -> float:
        """Return the joint's speed (rad/s or m/s)."""
        ...

    def effort(self) -> float:
        """Return the torque or force of its servo (N m or N)."""
        ...


class Output(Protocol):
    """The handle by which a unit powers one of its outputs: a motor on a wheel or a joint, or a device.

    Speeds are those of the rim of a wheel (m/s) or of a joint (rad/s or m/s).
    """

    def set(self, power: float) -> None:
        """Give it a share of full power, from -1 to 1, from the next engine step on; 0 brakes."""
        ...

    def brake(self) -> None:
        """Stop the motor fast, or switch the device off."""
        ...

    def coast(self) -> None:
        """Let the motor roll out, or switch the device off."""
        ...

    def speed(self) -> float:
        """Return how fast the wheel or joint truly moves in the direction of positive power; 0 of a device."""
        ...

    def current_a(self) -> float:
        """Return the current (A), positive if it drives forwards; high if the motor is held."""
        ...


class OpenOutput:
    """An output that nothing is connected to."""

    def set(self, power: float) -> None:
        """Do nothing."""

    def brake(self) -> None:
        """Do nothing."""

    def coast(self) -> None:
        """Do nothing."""

    def speed(self) -> float:
        """Return 0."""
        return 0.0

    def current_a(self) -> float:
        """Return 0."""
        return 0.0


class TruePlace(Protocol):
    """The ground truth that only a simulator can give a robot: its true pose."""

    mapped: bool  # whether there is a map at all

    def pose(self) -> Pose:
        """Return the true pose (m, rad)."""
        ...

    def geodetic(self, mount: Mount) -> tuple[float, float, float] | None:
        """Return latitude, longitude (deg) and altitude (m) of a point of the robot; None if unknown."""
        ...

    def reception(self, mount: Mount) -> bool:
        """Return whether a GPS antenna at a point of the robot sees the sky."""
        ...

    def dirty(self, mount: Mount) -> bool:
        """Return whether a point of the robot is above dirt."""
        ...


@frozen
class Code:
    """A user's file that a unit executes, only through *call*, which raises ProgramError for every failure."""

    file: str
    run: Callable[[], dict[str, Any]]  # executes the file with modules of its own and returns its globals
    call: Call


@frozen
class Wiring:
    """What a unit is connected to; rebuilt whenever the structure of the scene changes."""

    robot: str
    model: RobotModel
    devices: Mapping[str, Device]  # by the unit's own name for the input
    wheels: DriveHandle
    start_us: int  # UTC at simulated time zero, microseconds since 1970
    key: tuple[int, int] = (0, 0)  # key of the unit's own random numbers
    here: TruePlace | None = None  # None on a workbench
    joints: Mapping[str, JointDrive] = field(default_factory=dict)  # by name
    outputs: Mapping[str, Output] = field(default_factory=dict)  # every output of the unit, connected or not
    code: Code | None = None  # of a unit whose sheet names a firmware


@frozen
class UnitSheet:
    """The settings of a unit that a scene may give; each has a ``kind``. The attributes below are defaults."""

    inputs: ClassVar[Mapping[str, str]] = {}  # name -> kind of device that ``uses`` may bind to it, ``*`` for any
    drives: ClassVar[bool] = False  # whether the unit moves the robot, by other means than outputs
    outputs: ClassVar[tuple[str, ...]] = ()  # names that ``drives`` may bind to wheels, joints and devices
    reads_all: ClassVar[bool] = False  # whether it gets all devices of the robot, by their own names
    numbered: ClassVar[bool] = False  # whether its programs know robots and objects by number (`world.numbering`)
    firmware: ClassVar[str] = ""  # the user's Python file that it executes; a sheet may have it as a field

    def fitted(self, device: Any) -> Any:
        """Return the data sheet of a device as this unit operates it; unchanged by default."""
        return device

    def perfect(self) -> Self:
        """Return the settings of the same unit without errors; unchanged by default."""
        return self


class Unit(Protocol):
    """Firmware behaviour: ramps, watchdog, safety, counters. One per [unit.NAME] of a robot.

    A class has ``Sheet`` (its `UnitSheet`), that one's ``inputs``, ``drives`` and ``outputs``, ``commands`` (the values
    `order` takes) and ``ticks`` (does `tick` do anything; units that only pass orders on are not called). Classes
    inherit from this one; what has a body or a value may be left out.
    """

    Sheet: ClassVar[type]
    inputs: ClassVar[Mapping[str, str]]
    drives: ClassVar[bool]
    outputs: ClassVar[tuple[str, ...]] = ()
    commands: ClassVar[tuple[type, ...]]
    ticks: ClassVar[bool]
    media: ClassVar[tuple[str, ...]] = ()  # to which it listens; what it hears comes as a `Heard` order
    # files that it takes as programs: suffix -> function from content and name to the order that downloads it
    programs: ClassVar[Mapping[str, Callable[[bytes, str], Any]]] = {}

    def __init__(self, sheet: Any, wiring: Wiring) -> None: ...

    @classmethod
    def check_program(cls, sheet: Any, data: bytes, name: str) -> None:
        """Raise ValueError for a file that a unit with these settings cannot take as a program."""
        cls.programs[PurePosixPath(name).suffix](data, name)

    def rewire(self, wiring: Wiring) -> None:
        """Replace the handles; the unit keeps its state."""
        ...

    def order(self, command: Any) -> Any:
        """Take one command, in the exchange phase; returns a frozen reply, or None.

        A value that is reset by reading is read by a command, never as a side effect of `tick`.
        Raises TypeError for what is not among its `commands`.
        """
        ...

    def tick(self, now_us: int, dt_us: int) -> None:
        """Advance by one tick and set the wheels; *dt_us* is 0 while time is paused."""
        ...

    def panel(self) -> Any:
        """Return the values for the unit's panel, as a frozen value; called only while a panel is shown."""
        ...

    def offers(self) -> tuple[Offer, ...]:
        """Return what a user can do at the panel now; each order is one of the unit's commands."""
        return ()

    def positions(self) -> tuple[At, ...]:
        """Return where the programs that the unit runs are, one for each task; called only while a panel is open."""
        return ()

    def state(self) -> Tree:
        """Return the complete state that later ticks depend on, as a tree of plain values."""
        ...

    def restore(self, state: Tree) -> None:
        """Continue from a saved state, bit-identically."""
        ...

    def pose_estimate(self) -> Pose | None:
        """Return the pose by its own odometry, from where that was last set to zero (m, rad); None if it has none."""
        return None

    def digest(self) -> Tree:
        """Return what the run's hash covers, optionally every tick; units with much memory return less than `state`."""
        return self.state()

    def keep(self) -> Tree:
        """Return what survives a reset, such as a downloaded program; an empty tree: nothing."""
        return {}

    def recall(self, kept: Tree) -> None:
        """Take what `keep` returned before the reset."""
        return


@runtime_checkable
class Asking(Protocol):
    """A unit that also requests changes of the scene, sends messages to other units or reports news."""

    def asks(self) -> Sequence[Change | News]:
        """Return what the firmware has requested since the last call, in order."""
        ...

    def done(self, outcome: Done) -> None:
        """Receive the outcome of a change that this unit requested."""
        ...
