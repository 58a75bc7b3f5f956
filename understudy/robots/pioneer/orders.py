"""Commands of a Pioneer's firmware, as frozen values; numbers are in the units of ARCOS (mm, degrees)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# ---- motion: each replaces the motion of its own axis only


@dataclass(frozen=True, slots=True)
class Vel:
    """Translate at this speed; rotation is unchanged."""

    mm_s: float


@dataclass(frozen=True, slots=True)
class Rvel:
    """Rotate at this rate, counter-clockwise; translation is unchanged."""

    deg_s: float


@dataclass(frozen=True, slots=True)
class LateralVel:
    """Move sideways at this speed, + is left; only on robots with such a drive."""

    mm_s: float


@dataclass(frozen=True, slots=True)
class Vel2:
    """Set the speeds of the left and the right wheels, in steps that the model defines (20 mm/s)."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Travel:
    """Drive a distance along the path and stop there."""

    mm: float


@dataclass(frozen=True, slots=True)
class Head:
    """Turn to a heading of the odometry, in the shorter direction, and hold it."""

    deg: float


@dataclass(frozen=True, slots=True)
class TurnBy:
    """Turn by an angle, + is left, and stop there."""

    deg: float


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop all axes with the normal deceleration."""


@dataclass(frozen=True, slots=True)
class QuickStop:
    """Stop all axes with the maximum deceleration; motion commands are ignored until the robot has stopped."""


@dataclass(frozen=True, slots=True)
class Enable:
    """Switch the motors on or off; off also cancels the motion."""

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
    """Set the acceleration (+) or deceleration (-) of an axis; 0 is unlimited."""

    axis: Literal["ahead", "turn", "lateral"]
    rate: float  # mm/s2 or deg/s2


@dataclass(frozen=True, slots=True)
class BumpStall:
    """Let these bumpers count as a stall: 0 none, 1 front, 2 rear, 3 both."""

    rings: int


@dataclass(frozen=True, slots=True)
class SetOdometry:
    """Set the pose of the odometry."""

    x_m: float = 0.0
    y_m: float = 0.0
    heading_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class SwitchSonar:
    """Switch all sonar arrays on or off."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetLaser:
    """Set a scanner: *mode* 0 off, 1 plain, 2 with reflectance; *start*, *end* in degrees; *step* in 1/100 degree."""

    laser: int  # counted from 0
    what: Literal["mode", "start", "end", "step"]
    value: int


@dataclass(frozen=True, slots=True)
class Pulse:
    """Reset the watchdog and do nothing else."""


# ---- accessories


@dataclass(frozen=True, slots=True)
class DigitalOut:
    """Set the outputs that have a 1 in *mask*."""

    mask: int
    states: int


@dataclass(frozen=True, slots=True)
class DigitalIn:
    """Set the values that the eight digital inputs of the user I/O port read."""

    states: int


@dataclass(frozen=True, slots=True)
class AnalogIn:
    """Set the value that an analog input reads (V)."""

    port: int
    volts: float


@dataclass(frozen=True, slots=True)
class SelectAnalog:
    """Report this analog input in the status packet."""

    port: int


@dataclass(frozen=True, slots=True)
class Grip:
    """Move the gripper: a number of ARIA's list (1 open, 2 close, 3 stop, 4 up, 5 down ... 17 carry)."""

    action: int


@dataclass(frozen=True, slots=True)
class GripValue:
    """Give the value for the last gripper action, in steps of 20 ms."""

    value: int


@dataclass(frozen=True, slots=True)
class ServoPulse:
    """Set the pulse width of a servo (1 pan, 2 tilt), in steps of 10 us."""

    port: int
    width: int


@dataclass(frozen=True, slots=True)
class Joystick:
    """Set the position of the robot's own joystick: x to the right, y ahead, -1 to 1; throttle 0 to 1."""

    x: float = 0.0
    y: float = 0.0
    throttle: float = 1.0
    fire: bool = False
    other: bool = False


@dataclass(frozen=True, slots=True)
class JoyDrive:
    """Allow the robot's own joystick to drive while its button is pressed."""

    on: bool


@dataclass(frozen=True, slots=True)
class Beep:
    """Play tones: pairs of duration (20 ms) and half-cycle (1 ms / 20)."""

    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PlaySound:
    """Play a sound of the robot's own list."""

    number: int


@dataclass(frozen=True, slots=True)
class SoundOn:
    """Switch sounds on or off."""

    on: bool


# ---- commands that only a simulator has


@dataclass(frozen=True, slots=True)
class PlaceRobot:
    """Teleport the robot; None leaves a coordinate unchanged (m, rad)."""

    x_m: float | None = None
    y_m: float | None = None
    heading_rad: float | None = None


@dataclass(frozen=True, slots=True)
class BatteryTest:
    """Set the reported battery level in decivolts, or percent if it has a state of charge; 0: its own value."""

    value: int


@dataclass(frozen=True, slots=True)
class HeatTest:
    """Set or clear the overheating flag."""

    on: bool


@dataclass(frozen=True, slots=True)
class TemperatureTest:
    """Set the reported temperature in degrees Celsius; -128: none."""

    celsius: int


@dataclass(frozen=True, slots=True)
class Describe:
    """Write the state of the firmware into the log."""

    why: str = ""
