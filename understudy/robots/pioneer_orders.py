"""What a Pioneer's firmware can be told, as frozen values; numbers are in the units of ARCOS (mm, degrees)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# ---- motion: each replaces the motion of its own axis only


@dataclass(frozen=True, slots=True)
class Vel:
    """Translate at this speed; rotation goes on as it was."""

    mm_s: float


@dataclass(frozen=True, slots=True)
class Rvel:
    """Rotate at this rate, counter-clockwise; translation goes on as it was."""

    deg_s: float


@dataclass(frozen=True, slots=True)
class LateralVel:
    """Move sideways at this speed, + is left; only robots that can."""

    mm_s: float


@dataclass(frozen=True, slots=True)
class Vel2:
    """Let the left and the right wheels roll, in steps that the model sets (20 mm/s)."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Travel:
    """Drive so far along the path and stop there."""

    mm: float


@dataclass(frozen=True, slots=True)
class Head:
    """Turn to a heading of the odometry, the short way round, and hold it."""

    deg: float


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn by an angle, + is left, and stop there."""

    deg: float


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop all axes with the normal deceleration."""


@dataclass(frozen=True, slots=True)
class QuickStop:
    """Stop all axes as hard as can be; motion commands are ignored until the robot stands."""


@dataclass(frozen=True, slots=True)
class Enable:
    """Switch the motors; off also cancels the motion."""

    on: bool


# ---- settings of a session


@dataclass(frozen=True, slots=True)
class SetSpeed:
    """Cruise at this speed in Travel."""

    mm_s: float


@dataclass(frozen=True, slots=True)
class SetTurnRate:
    """Turn at this rate in Head and Turn."""

    deg_s: float


@dataclass(frozen=True, slots=True)
class SetAccel:
    """Speed up (+) or slow down (-) by this much; 0 is at once."""

    axis: Literal["ahead", "turn", "lateral"]
    rate: float  # mm/s2 or deg/s2


@dataclass(frozen=True, slots=True)
class BumpStall:
    """Let these bumpers count as a stall: 0 none, 1 front, 2 rear, 3 both."""

    rings: int


@dataclass(frozen=True, slots=True)
class SetOdometry:
    """Let the odometry say that the robot stands here."""

    x_m: float = 0.0
    y_m: float = 0.0
    heading_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class Sonar:
    """Switch all sonar arrays."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetLaser:
    """Set a scanner: *mode* 0 off, 1 plain, 2 with reflectance; *start*, *end* in degrees; *step* in 1/100 degree."""

    laser: int  # counted from 0
    what: Literal["mode", "start", "end", "step"]
    value: int


@dataclass(frozen=True, slots=True)
class Pulse:
    """A sign of life: satisfies the watchdog and does nothing else."""


# ---- accessories


@dataclass(frozen=True, slots=True)
class DigitalOut:
    """Set the outputs that have a 1 in *mask*."""

    mask: int
    states: int


@dataclass(frozen=True, slots=True)
class DigitalIn:
    """Let the eight digital inputs of the user's port read this."""

    states: int


@dataclass(frozen=True, slots=True)
class AnalogIn:
    """Let an analog input read this (V)."""

    port: int
    volts: float


@dataclass(frozen=True, slots=True)
class SelectAnalog:
    """Report this analog input in the status."""

    port: int


@dataclass(frozen=True, slots=True)
class Grip:
    """Move the gripper: a number of ARIA's list (1 open, 2 close, 3 stop, 4 up, 5 down ... 17 carry)."""

    action: int


@dataclass(frozen=True, slots=True)
class GripValue:
    """Give the number that the last gripper action needs, in steps of 20 ms."""

    value: int


@dataclass(frozen=True, slots=True)
class Servo:
    """Let a servo (1 pan, 2 tilt) follow a pulse of this width, in steps of 10 us."""

    port: int
    width: int


@dataclass(frozen=True, slots=True)
class Joystick:
    """Hold the robot's own joystick like this: x to the right, y ahead, -1 to 1; throttle 0 to 1."""

    x: float = 0.0
    y: float = 0.0
    throttle: float = 1.0
    fire: bool = False
    other: bool = False


@dataclass(frozen=True, slots=True)
class JoyDrive:
    """Let the robot's own joystick drive while its button is pressed."""

    on: bool


@dataclass(frozen=True, slots=True)
class Beep:
    """Sound tones: pairs of duration (20 ms) and half-cycle (1 ms / 20)."""

    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PlaySound:
    """Play a sound of the robot's own list."""

    number: int


@dataclass(frozen=True, slots=True)
class SoundOn:
    """Let the robot be heard, or not."""

    on: bool


# ---- what only a simulator does


@dataclass(frozen=True, slots=True)
class Place:
    """Put the robot elsewhere; what is None stays (m, rad)."""

    x_m: float | None = None
    y_m: float | None = None
    heading_rad: float | None = None


@dataclass(frozen=True, slots=True)
class BatteryTest:
    """Let the battery say so many decivolts, or percent where it has a state of charge; 0: its own value."""

    value: int


@dataclass(frozen=True, slots=True)
class HeatTest:
    """Set or clear the fault flag of heat."""

    on: bool


@dataclass(frozen=True, slots=True)
class TemperatureTest:
    """Let the thermometer say so many degrees Celsius; -128: it has none."""

    celsius: int


@dataclass(frozen=True, slots=True)
class Describe:
    """Write the state of the firmware into the log."""

    why: str = ""
