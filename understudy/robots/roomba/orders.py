"""Commands and queries of a Roomba's firmware, and its replies; independent of bytes and opcodes."""

from __future__ import annotations

from typing import Literal

from understudy.frozen import frozen
from understudy.robots.roomba.sheet import Name

Mode = Literal["off", "passive", "safe", "full"]
WaitKind = Literal["time", "distance", "angle", "event", "queue"]


# ---- modes and power


@frozen
class Enter:
    """Change the mode, if the generation allows it from the present one."""

    way: Literal["start", "control", "safe", "full", "stop"]


@frozen
class Resume:
    """Return to the mode of a conversation that goes on after a reset of the simulation."""

    mode: Mode


@frozen
class PowerDown:
    """Switch off, as the power button does."""


@frozen
class Restart:
    """Start the firmware again; replies with a `Banner`."""


@frozen
class Wake:
    """End the sleep, as a pulse on the BRC pin does."""


@frozen
class Behave:
    """Start a built-in behaviour by name, or end it by ``stop``."""

    name: str


# ---- actuators


@frozen
class DriveArc:
    """Drive along an arc; the radius has special values, see `steering` (mm/s, mm)."""

    mm_s: int
    radius_mm: int


@frozen
class DriveWheels:
    """Set the speed of each wheel (mm/s)."""

    right_mm_s: int
    left_mm_s: int


@frozen
class DrivePwm:
    """Set the duty of each wheel's motor (-255 to 255)."""

    right: int
    left: int


@frozen
class Motors:
    """Set the duties of main brush, side brush and vacuum, or of the low side drivers 2, 1, 0 (-1 to 1)."""

    main: float
    side: float
    vacuum: float


@frozen
class Leds:
    """Set the lights: bits, and colour (0 green to 255 red) and intensity of the power light."""

    bits: int
    colour: int
    intensity: int


@frozen
class ScheduleLeds:
    """Set the lights of the schedule: bits of weekdays, bits of the other lights."""

    days: int
    bits: int


@frozen
class Digits:
    """Set the four digits of the display: segment bits, from left to right."""

    segments: tuple[int, int, int, int]


@frozen
class DigitalOut:
    """Set the digital outputs of the cargo bay (bits 0 to 2)."""

    bits: int


@frozen
class SendIr:
    """Send a byte by the infrared diode on low side driver 1."""

    code: int


@frozen
class Song:
    """Define a song: pairs of MIDI note and duration (1/64 s)."""

    number: int
    notes: tuple[tuple[int, int], ...]


@frozen
class Play:
    """Play a song."""

    number: int


# ---- buttons, schedule and clock


@frozen
class PushButtons:
    """Push buttons for 1/6 s; bits of the generation. Also what a user's finger does."""

    bits: int


@frozen
class Schedule:
    """Set the schedule: bits of the days, and hour and minute of each day from Sunday."""

    days: int
    times: tuple[tuple[int, int], ...]


@frozen
class SetClock:
    """Set the clock; day 0 is Sunday."""

    day: int
    hour: int
    minute: int


# ---- scripts and waits


@frozen
class StoreScript:
    """Keep a script."""

    code: tuple[int, ...]


@frozen
class ReadScript:
    """Ask for the script; replies with a `Script`."""


@frozen
class Wait:
    """Begin to wait: a time (1/10 s), a distance (mm), an angle (deg), an event, or for the next look at the queue."""

    kind: WaitKind
    amount: int = 0


@frozen
class AskWait:
    """Ask whether the wait is over; replies with a `WaitState`."""


# ---- questions


@frozen
class Identify:
    """Ask for the generation; replies with an `Identity`."""


@frozen
class AskMode:
    """Ask for the mode; replies with a `ModeIs`."""


@frozen
class Sense:
    """Read sensors by name, see `readings`; distance and angle are cleared. Replies with `Sensed`, unless off."""

    names: tuple[str, ...]


@frozen
class Streaming:
    """Note how many packets a client has in its stream."""

    packets: int


# ---- what only the world around the robot does


@frozen
class Cable:
    """Plug the charger's cable in, or pull it out."""

    plugged: bool


@frozen
class CargoBay:
    """Set the inputs of the cargo bay: digital bits 0 to 3, analog voltage (V)."""

    bits: int
    volts: float


# ---- replies


@frozen
class Identity:
    """Which generation it is."""

    generation: Name


@frozen
class ModeIs:
    """The present mode."""

    mode: Mode


@frozen
class Sensed:
    """The values of the sensors, in the order of the names."""

    values: tuple[int, ...]


@frozen
class Banner:
    """The text that the firmware prints when it starts."""

    text: str


@frozen
class Script:
    """The stored script."""

    code: tuple[int, ...]


@frozen
class WaitState:
    """Whether the wait is over."""

    over: bool
