"""Commands of a Pioneer's firmware, as frozen values; numbers are in the units of ARCOS (mm, degrees)."""

from __future__ import annotations

from typing import Literal

from understudy.frozen import frozen

# ---- motion: each replaces the motion of its own axis only


@frozen
class Vel:
    """Translate at this speed; rotation is unchanged."""

    mm_s: float


@frozen
class Rvel:
    """Rotate at this rate, counter-clockwise; translation is unchanged."""

    deg_s: float


@frozen
class LateralVel:
    """Move sideways at this speed, + is left; only on robots with such a drive."""

    mm_s: float


@frozen
class Vel2:
    """Set the speeds of the left and the right wheels, in steps that the model defines (20 mm/s)."""

    left: int
    right: int


@frozen
class Travel:
    """Drive a distance along the path and stop there."""

    mm: float


@frozen
class Head:
    """Turn to a heading of the odometry, in the shorter direction, and hold it."""

    deg: float


@frozen
class TurnBy:
    """Turn by an angle, + is left, and stop there."""

    deg: float


@frozen
class Stop:
    """Stop all axes with the normal deceleration."""


@frozen
class QuickStop:
    """Stop all axes with the maximum deceleration; motion commands are ignored until the robot has stopped."""


@frozen
class Enable:
    """Switch the motors on or off; off also cancels the motion."""

    on: bool


# ---- settings of a session


@frozen
class SetSpeed:
    """Cruise at this speed in Travel."""

    mm_s: float


@frozen
class SetTurnRate:
    """Turn at this rate in Head and Turn."""

    deg_s: float


@frozen
class SetAccel:
    """Set the acceleration (+) or deceleration (-) of an axis; 0 is unlimited."""

    axis: Literal["ahead", "turn", "lateral"]
    rate: float  # mm/s2 or deg/s2


@frozen
class BumpStall:
    """Let these bumpers count as a stall: 0 none, 1 front, 2 rear, 3 both."""

    rings: int


@frozen
class SetOdometry:
    """Set the pose of the odometry."""

    x_m: float = 0.0
    y_m: float = 0.0
    heading_rad: float = 0.0


@frozen
class SwitchSonar:
    """Switch all sonar arrays on or off."""

    on: bool


@frozen
class SetLaser:
    """Set a scanner: *mode* 0 off, 1 plain, 2 with reflectance; *start*, *end* in degrees; *step* in 1/100 degree."""

    laser: int  # counted from 0
    what: Literal["mode", "start", "end", "step"]
    value: int


@frozen
class Pulse:
    """Reset the watchdog and do nothing else."""


# ---- accessories


@frozen
class DigitalOut:
    """Set the outputs that have a 1 in *mask*."""

    mask: int
    states: int


@frozen
class DigitalIn:
    """Set the values that the eight digital inputs of the user I/O port read."""

    states: int


@frozen
class AnalogIn:
    """Set the value that an analog input reads (V)."""

    port: int
    volts: float


@frozen
class SelectAnalog:
    """Report this analog input in the status packet."""

    port: int


@frozen
class Grip:
    """Move the gripper: a number of ARIA's list (1 open, 2 close, 3 stop, 4 up, 5 down ... 17 carry)."""

    action: int


@frozen
class GripValue:
    """Give the value for the last gripper action, in steps of 20 ms."""

    value: int


@frozen
class ServoPulse:
    """Set the pulse width of a servo (1 pan, 2 tilt), in steps of 10 us."""

    port: int
    width: int


@frozen
class Joystick:
    """Set the position of the robot's own joystick: x to the right, y ahead, -1 to 1; throttle 0 to 1."""

    x: float = 0.0
    y: float = 0.0
    throttle: float = 1.0
    fire: bool = False
    other: bool = False


@frozen
class JoyDrive:
    """Allow the robot's own joystick to drive while its button is pressed."""

    on: bool


@frozen
class Beep:
    """Play tones: pairs of duration (20 ms) and half-cycle (1 ms / 20)."""

    pairs: tuple[tuple[int, int], ...]


@frozen
class PlaySound:
    """Play a sound of the robot's own list."""

    number: int


@frozen
class SoundOn:
    """Switch sounds on or off."""

    on: bool


# ---- commands that only a simulator has


@frozen
class PlaceRobot:
    """Teleport the robot; None leaves a coordinate unchanged (m, rad)."""

    x_m: float | None = None
    y_m: float | None = None
    heading_rad: float | None = None


@frozen
class BatteryTest:
    """Set the reported battery level in decivolts, or percent if it has a state of charge; 0: its own value."""

    value: int


@frozen
class HeatTest:
    """Set or clear the overheating flag."""

    on: bool


@frozen
class TemperatureTest:
    """Set the reported temperature in degrees Celsius; -128: none."""

    celsius: int


@frozen
class Describe:
    """Write the state of the firmware into the log."""

    why: str = ""
