"""Classic v-omega driving, motors, encoders and servos: handles, metres, radians."""

from __future__ import annotations

from typing import Any

from . import classic_constants as names
from .calls import current, robios
from .frame import DRIVING
from .values import real, whole

__all__ = [
    "MOTORDrive", "MOTORInit", "MOTORRelease", "PositionType", "QUADInit", "QUADODORead", "QUADODOReset", "QUADRead",
    "QUADRelease", "QUADReset", "SERVOInit", "SERVORelease", "SERVOSet", "SpeedType", "VWDriveCurve", "VWDriveDone",
    "VWDriveRemain", "VWDriveStraight", "VWDriveTurn", "VWDriveWait", "VWGetPosition", "VWGetSpeed", "VWInit",
    "VWRelease", "VWSetPosition", "VWSetSpeed", "VWStalled", "VWStartControl", "VWStopControl",
]  # fmt: skip
HANDLE, WRONG = 1, -1
SERVOS = 12
M_PER_TICK = 0.054 * 3.141592653589793 / 1100  # of an S4, if the robot does not tell


class PositionType:
    """A position: x, y (m) and phi (rad)."""

    def __init__(self, x: float = 0.0, y: float = 0.0, phi: float = 0.0) -> None:
        self.x, self.y, self.phi = x, y, phi

    def __repr__(self) -> str:
        return f"PositionType(x={self.x}, y={self.y}, phi={self.phi})"


class SpeedType:
    """Speeds: v (m/s) and w (rad/s)."""

    def __init__(self, v: float = 0.0, w: float = 0.0) -> None:
        self.v, self.w = v, w

    def __repr__(self) -> str:
        return f"SpeedType(v={self.v}, w={self.w})"


class _Driver:
    """Whether VWInit was called, and where odometers of wheels were reset (ticks)."""

    open = False
    reset_at = [0, 0]  # noqa: RUF012


_driver = _Driver()


def _is_open(handle: Any) -> bool:
    return _driver.open and whole(handle) == HANDLE


def _order(handle: Any, name: str, *values: Any) -> int:
    if not _is_open(handle):
        return WRONG
    current().order(name, *values)
    return 0


@robios(starts=True)
def VWInit(semantics: Any = names.VW, timescale: Any = 1) -> int:
    """Start v-omega driving and return its handle."""
    _driver.open = True
    return HANDLE


@robios(starts=True)
def VWRelease(handle: Any) -> int:
    """Stop, and release v-omega driving."""
    result = _order(handle, "SetSpeed", 0.0, 0.0, 0.0)
    _driver.open = _driver.open and result != 0
    return result


@robios(starts=True)
def VWSetSpeed(handle: Any, v: Any, w: Any) -> int:
    """Drive at these speeds until further notice (m/s, rad/s)."""
    return _order(handle, "SetSpeed", real(v), real(w), 0.0)


@robios(starts=True)
def VWGetSpeed(handle: Any, speed: Any = None) -> Any:
    """Return the measured speeds as SpeedType; with one, store them there."""
    if not _is_open(handle):
        return WRONG
    frame = current().settle()
    if speed is None:
        return SpeedType(frame.m_s, frame.rad_s)
    speed.v, speed.w = frame.m_s, frame.rad_s
    return 0


@robios(starts=True)
def VWSetPosition(handle: Any, x: Any, y: Any, phi: Any) -> int:
    """Set the odometry (m, rad)."""
    return _order(handle, "SetPosition", real(x), real(y), real(phi))


@robios(starts=True)
def VWGetPosition(handle: Any, position: Any = None) -> Any:
    """Return the odometry as PositionType; with one, store it there."""
    if not _is_open(handle):
        return WRONG
    frame = current().settle()
    if position is None:
        return PositionType(frame.x_m, frame.y_m, frame.rad)
    position.x, position.y, position.phi = frame.x_m, frame.y_m, frame.rad
    return 0


@robios(starts=True)
def VWStartControl(handle: Any, Vv: Any, Tv: Any, Vw: Any, Tw: Any) -> int:
    """Switch the speed controller on with these parameters."""
    return _order(handle, "Control", True, real(Vv), real(Tv), real(Vw), real(Tw))


@robios(starts=True)
def VWStopControl(handle: Any) -> int:
    """Switch the speed controller off."""
    return _order(handle, "Control", False, 0.0, 0.0, 0.0, 0.0)


@robios(starts=True)
def VWDriveStraight(handle: Any, delta: Any, v: Any) -> int:
    """Drive a distance; negative is backwards (m, m/s)."""
    return _order(handle, "Straight", real(delta), abs(real(v)))


@robios(starts=True)
def VWDriveTurn(handle: Any, delta: Any, w: Any) -> int:
    """Turn on the spot, counter-clockwise if positive (rad, rad/s)."""
    return _order(handle, "Turn", real(delta), abs(real(w)))


@robios(starts=True)
def VWDriveCurve(handle: Any, delta_l: Any, delta_phi: Any, v: Any) -> int:
    """Drive an arc of a length while the heading changes by an angle (m, rad, m/s)."""
    if real(delta_l) == 0.0:
        return 0 if _is_open(handle) else WRONG
    return _order(handle, "Curve", real(delta_l), real(delta_phi), abs(real(v)))


@robios(starts=True)
def VWDriveRemain(handle: Any) -> float:
    """Return what remains of the command (m; rad of a turn); 0.0 when it has finished."""
    return abs(float(current().settle().remaining_m)) if _is_open(handle) else 0.0


@robios(starts=True)
def VWDriveDone(handle: Any) -> int:
    """Return 1 if the command has finished, 0 while the robot moves, -1 for a wrong handle."""
    if not _is_open(handle):
        return WRONG
    return 0 if current().settle().flags & DRIVING else 1


@robios(starts=True)
def VWDriveWait(handle: Any) -> int:
    """Wait until the command has finished, or has failed at an obstacle."""
    if not _is_open(handle):
        return WRONG
    session = current()
    session.settle()
    session.wait_for(lambda: not session.frame.flags & DRIVING, DRIVING)
    return 0


@robios(starts=True)
def VWStalled(handle: Any) -> int:
    """Return 1 if a motor is stalled, 0 if not, -1 for a wrong handle."""
    return int(bool(current().settle().stalled)) if _is_open(handle) else WRONG


# ---- motors, servos, encoders: a handle is a bit, 1 for the first


def _handle(semantics: Any, first: int, count: int) -> int:
    place = first - whole(semantics)  # names count downwards
    return 1 << place if 0 <= place < count else 0


def _each(handles: Any, count: int, name: str, *values: int) -> int:
    mask = whole(handles)
    if not 0 < mask < 1 << count:
        return WRONG
    for place in range(count):
        if mask >> place & 1:
            current().order(name, place + 1, *values)
    return 0


@robios(starts=True)
def MOTORInit(semantics: Any) -> int:
    """Return the handle of a motor: MOTOR_LEFT or MOTOR_RIGHT; 0 if there is none."""
    return _handle(semantics, names.MOTOR_LEFT, 2)


@robios(starts=True)
def MOTORDrive(handles: Any, speed: Any) -> int:
    """Power motors (-100 to 100 percent)."""
    return _each(handles, 2, "MotorDrive", max(-100, min(whole(speed), 100)))


@robios(starts=True)
def MOTORRelease(handles: Any) -> int:
    """Stop and release motors."""
    return _each(handles, 2, "MotorDrive", 0)


@robios(starts=True)
def SERVOInit(semantics: Any) -> int:
    """Return the handle of a servo: SERVO1 to SERVO12; 0 if there is none."""
    return _handle(semantics, names.SERVO1, SERVOS)


@robios(starts=True)
def SERVOSet(handles: Any, angle: Any) -> int:
    """Move servos (0 to 255)."""
    return _each(handles, SERVOS, "ServoSet", max(0, min(whole(angle), 255)))


@robios(starts=True)
def SERVORelease(handles: Any) -> int:
    """Release servos; they stay where they are."""
    return 0 if 0 < whole(handles) < 1 << SERVOS else WRONG


@robios(starts=True)
def QUADInit(semantics: Any) -> int:
    """Return the handle of an encoder: QUAD_LEFT or QUAD_RIGHT; 0 if there is none."""
    return _handle(semantics, names.QUAD_LEFT, 2)


def _ticks(handle: Any) -> int:
    place = whole(handle) - 1
    return int(current().settle().encoders[place]) if place in (0, 1) else 0


@robios(starts=True)
def QUADRead(handle: Any) -> int:
    """Return the ticks of an encoder."""
    return _ticks(handle)


@robios(starts=True)
def QUADReset(handles: Any) -> int:
    """Set encoders to 0."""
    return _each(handles, 2, "EncoderReset")


@robios(starts=True)
def QUADRelease(handles: Any) -> int:
    """Release encoders."""
    return 0 if 0 < whole(handles) < 4 else WRONG


@robios(starts=True)
def QUADODORead(handle: Any) -> float:
    """Return how far a wheel has rolled since QUADODOReset (m)."""
    place = whole(handle) - 1
    if place not in (0, 1):
        return 0.0
    scale = float(current().greeting.values.get("m_per_tick", M_PER_TICK))
    return (_ticks(handle) - _driver.reset_at[place]) * scale


@robios(starts=True)
def QUADODOReset(handles: Any) -> int:
    """Count the way of wheels from here."""
    mask = whole(handles)
    if not 0 < mask < 4:
        return WRONG
    for place in (0, 1):
        if mask >> place & 1:
            _driver.reset_at[place] = _ticks(1 << place)
    return 0
