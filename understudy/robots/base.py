"""The unit contract: firmware between wire and wheels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

from understudy.sensors.base import Device
from understudy.world.changes import Change, Done
from understudy.world.news import News
from understudy.world.robot import RobotModel
from understudy.world.shapes import Mount, Pose

Tree = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Drive:
    """Move like this until told otherwise; every unit with wheels understands it (m/s, rad/s, m/s to the left)."""

    m_s: float = 0.0
    rad_s: float = 0.0
    lateral_m_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Session:
    """A client has connected to a port of the unit, or has gone."""

    open: bool


class Wheels(Protocol):
    """The handle by which a unit moves its robot."""

    def set(self, m_s: float, rad_s: float, lateral_m_s: float = 0.0) -> None:
        """Ask the drive for this motion from the next engine step on."""
        ...

    def asked(self) -> tuple[float, float, float]:
        """Return what was asked for last: forward m/s, turn rad/s, m/s to the left."""
        ...

    def twist(self) -> tuple[float, float, float]:
        """Return the true motion: forward m/s, left m/s, turn rad/s."""
        ...


class Servo(Protocol):
    """The handle by which a unit moves a joint of its robot."""

    def aim(self, position: float) -> None:
        """Go to a position from the next engine step on (rad or m)."""
        ...

    def turn(self, speed: float) -> None:
        """Move at a speed from the next engine step on (rad/s or m/s)."""
        ...

    def position(self) -> float:
        """Return where it is (rad or m)."""
        ...

    def speed(self) -> float:
        """Return how fast it moves (rad/s or m/s)."""
        ...

    def effort(self) -> float:
        """Return how hard its servo pushes (N m or N)."""
        ...


class Here(Protocol):
    """What only a simulator can tell a robot: where it truly is."""

    mapped: bool  # whether there is a map at all

    def pose(self) -> Pose:
        """Return the true pose (m, rad)."""
        ...

    def geodetic(self, mount: Mount) -> tuple[float, float, float] | None:
        """Return latitude, longitude (deg) and altitude (m) of a point of the robot; None if that is not known."""
        ...

    def reception(self, mount: Mount) -> bool:
        """Say whether a GPS antenna at a point of the robot sees the sky."""
        ...


@dataclass(frozen=True, slots=True)
class Wiring:
    """What a unit is connected to; made anew whenever the world changes its structure."""

    robot: str
    model: RobotModel
    devices: Mapping[str, Device]  # by the unit's own name for the input
    wheels: Wheels
    start_us: int  # UTC at simulated time zero, microseconds since 1970
    key: tuple[int, int] = (0, 0)  # of the unit's own random numbers
    here: Here | None = None  # None on a workbench
    joints: Mapping[str, Servo] = field(default_factory=dict)  # by name


class Unit(Protocol):
    """The firmware's behaviour: ramps, watchdog, safety, counters. One per [unit.NAME] of a robot.

    A class has ``Sheet`` (a frozen record with ``kind``, the settings a scene may give), ``inputs`` (name -> kind of
    device that its ``uses`` may bind, ``*`` for any), ``drives`` (does it move the robot), ``commands`` (the values
    `order` takes) and ``ticks`` (does `tick` do anything; units that only pass orders on are not called).
    """

    Sheet: ClassVar[type]
    inputs: ClassVar[Mapping[str, str]]
    drives: ClassVar[bool]
    commands: ClassVar[tuple[type, ...]]
    ticks: ClassVar[bool]

    def __init__(self, sheet: Any, wiring: Wiring) -> None: ...

    def rewire(self, wiring: Wiring) -> None:
        """Take new handles; behaviour goes on."""
        ...

    def order(self, command: Any) -> None:
        """Take one command, in the exchange phase."""
        ...

    def tick(self, now_us: int, dt_us: int) -> None:
        """Advance by one tick and set the wheels; *dt_us* is 0 while the clock is held."""
        ...

    def panel(self) -> Any:
        """Return what the unit's face shows, as a frozen value; made only when somebody looks."""
        ...

    def state(self) -> Tree:
        """Return all that influences the future, as a tree of plain values."""
        ...

    def restore(self, state: Tree) -> None:
        """Go on from a saved state, to the bit."""
        ...


@runtime_checkable
class Asking(Protocol):
    """A unit that also asks for changes of the world or tells news."""

    def asks(self) -> Sequence[Change | News]:
        """Return what the firmware has asked for since the last call, in order."""
        ...

    def done(self, outcome: Done) -> None:
        """Hear what became of a change that this unit asked for."""
        ...
