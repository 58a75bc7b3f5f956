"""Motors, encoders and servos; they count from 1."""

from __future__ import annotations

import struct
from typing import Any

from .calls import REFUSED, current, robios
from .values import whole

__all__ = [
    "MOTORPID",
    "ENCODERRead",
    "ENCODERReset",
    "MOTORDrive",
    "MOTORDriveRaw",
    "MOTORPIDOff",
    "MOTORSpeed",
    "SERVODone",
    "SERVOGet",
    "SERVORange",
    "SERVOSet",
    "SERVOSetAngle",
    "SERVOSetExtension",
    "SERVOSetRaw",
    "SERVOStalled",
    "SERVOWait",
]  # fmt: skip
_targets: dict[int, int] = {}  # where servos were sent


def _order(name: str, *values: Any) -> int:
    current().order(name, *map(whole, values))
    return 0


@robios(starts=True)
def MOTORDrive(motor: Any, speed: Any) -> int:
    """Power a motor (-100 to 100 percent); ends a drive command."""
    return _order("MotorDrive", motor, max(-100, min(whole(speed), 100)))


@robios(starts=True)
def MOTORDriveRaw(motor: Any, speed: Any) -> int:
    """Power a motor; here the same as MOTORDrive."""
    return _order("MotorDrive", motor, max(-100, min(whole(speed), 100)))


@robios(starts=True)
def MOTORPID(motor: Any, p: Any, i: Any, d: Any) -> int:
    """Set the parameters of a motor's speed controller (1 to 255)."""
    return _order("MotorPid", motor, p, i, d)


@robios(starts=True)
def MOTORPIDOff(motor: Any) -> int:
    """Switch a motor's speed controller off."""
    return _order("MotorPid", motor, 0, 0, 0)


@robios(starts=True)
def MOTORSpeed(motor: Any, ticks: Any) -> int:
    """Turn a motor at a controlled speed (encoder ticks per 1/100 s)."""
    return _order("MotorSpeed", motor, ticks)


@robios(starts=True)
def ENCODERRead(quad: Any) -> int:
    """Return the ticks of an encoder, 1 to 4; 0 for one that the robot does not have."""
    number = whole(quad)
    return int(current().settle().encoders[number - 1]) if 1 <= number <= 4 else 0


@robios(starts=True)
def ENCODERReset(quad: Any) -> int:
    """Set an encoder to 0."""
    return _order("EncoderReset", quad)


@robios(starts=True)
def SERVOSet(servo: Any, angle: Any) -> int:
    """Move a servo (0 to 255, 128 is the centre); servos 1 and 2 pan and tilt the camera."""
    _targets[whole(servo)] = max(0, min(whole(angle), 255))
    return _order("ServoSet", servo, _targets[whole(servo)])


@robios(starts=True)
def SERVOSetRaw(servo: Any, angle: Any) -> int:
    """Move a servo; here the same as SERVOSet."""
    _targets[whole(servo)] = max(0, min(whole(angle), 255))
    return _order("ServoSet", servo, _targets[whole(servo)])


@robios(starts=True)
def SERVORange(servo: Any, low: Any, high: Any) -> int:
    """Set the limits of a servo's pulses."""
    return _order("ServoRange", servo, low, high)


def _position(servo: int) -> int:
    """Return where a servo is; 128 for one that the robot does not have."""
    session = current()
    session.settle()
    answer = session.query("SERVO", servo)
    return int(struct.unpack("<i", answer)[0]) if len(answer) == 4 else 128


def _arrived(servo: int) -> bool:
    return servo not in _targets or _position(servo) == _targets[servo]


@robios(starts=True)
def SERVOGet(servo: Any) -> int:
    """Return the position of a servo, 0 to 255."""
    return _position(whole(servo))


@robios(starts=True)
def SERVODone(servo: Any) -> int:
    """Return 1 if a servo has reached its position, 0 while it moves."""
    return int(_arrived(whole(servo)))


@robios(starts=True)
def SERVOWait(servo: Any) -> int:
    """Wait until a servo has reached its position; 1 if it stopped before."""
    number, before = whole(servo), -1
    while not _arrived(number):
        position = _position(number)
        current().wait_until(current().now_us + 50_000)
        if position == before:
            return 1
        before = position
    return 0


@robios(starts=True)
def SERVOStalled(servo: Any) -> int:
    """Return whether a servo is blocked: never, here."""
    return 0


@robios(starts=True, support=REFUSED)
def SERVOSetExtension(servo: Any, extension: Any) -> int:
    """Refuse to extend a linear servo of an arm (returns 1)."""
    return 1


@robios(starts=True, support=REFUSED)
def SERVOSetAngle(servo: Any, angle: Any) -> int:
    """Refuse to turn a joint of an arm (returns 1)."""
    return 1
