"""Commands of an EyeBot's firmware, in SI units; independent of the API (RoBIOS-7 or classic) and of the wire."""

from __future__ import annotations

from understudy.frozen import frozen

# ---- v-omega driving: a new command replaces the running one


@frozen
class SetSpeed:
    """Drive at these speeds until further notice; all zero stops (m/s, rad/s, m/s to the left)."""

    m_s: float
    rad_s: float
    left_m_s: float = 0.0


@frozen
class SetPosition:
    """Set the odometry (m, rad)."""

    x_m: float
    y_m: float
    rad: float


@frozen
class Straight:
    """Drive a distance; its sign is the direction, the speed counts as absolute value."""

    distance_m: float
    m_s: float


@frozen
class Turn:
    """Turn on the spot; positive angles are to the left."""

    angle_rad: float
    rad_s: float


@frozen
class Curve:
    """Drive an arc of this length while the heading changes by this angle."""

    distance_m: float
    angle_rad: float
    m_s: float


@frozen
class DriveTo:
    """Drive an arc to a point in the robot's frame."""

    ahead_m: float
    left_m: float
    m_s: float


@frozen
class Control:
    """Switch the speed controller on with its parameters (Vv, Tv, Vw, Tw), or off."""

    on: bool
    v_gain: float = 0.0
    v_time: float = 0.0
    w_gain: float = 0.0
    w_time: float = 0.0


# ---- motors, encoders, servos; numbers count from 1


@frozen
class MotorDrive:
    """Power a motor (percent, -100 to 100); ends a v-omega command."""

    motor: int
    percent: int


@frozen
class MotorSpeed:
    """Turn a motor at a controlled speed (encoder ticks per 1/100 s); ends a v-omega command."""

    motor: int
    ticks: int


@frozen
class MotorPid:
    """Set the parameters of a motor's speed controller; all zero switches it off."""

    motor: int
    p: int
    i: int
    d: int


@frozen
class EncoderReset:
    """Set an encoder to 0."""

    encoder: int


@frozen
class ServoSet:
    """Move a servo to a position, 0 to 255."""

    servo: int
    position: int


@frozen
class ServoRange:
    """Set the limits of a servo's pulses."""

    servo: int
    low: int
    high: int


# ---- radio, sound, inputs and outputs


@frozen
class RadioPower:
    """Switch the radio on or off; off, it hears nothing and forgets what it has heard."""

    on: bool


@frozen
class RadioSend:
    """Send a message to the robot of this name; without a name, to all robots."""

    robot: str
    data: bytes


@frozen
class RadioTake:
    """Drop messages up to this number: the program has them."""

    number: int


@frozen
class Tone:
    """Play a tone; 0 Hz ends it."""

    hertz: int
    duration_us: int


@frozen
class PlayFile:
    """Play a sound file, known by its name and length only."""

    duration_us: int
    name: str


@frozen
class DigitalSetup:
    """Set the direction of a digital line, 1 to 16: i input, o output, I input with pull-up, J input with pull-down."""

    line: int
    direction: str


@frozen
class DigitalWrite:
    """Set a digital output."""

    line: int
    high: bool


@frozen
class SetInput:
    """Apply a level from outside: to a digital line (0 or 1) or to an analog channel (0 to 1023); 0 is none."""

    line: int = 0
    channel: int = 0
    level: int = 0
