"""V-omega driving: commands replace each other and do not block; millimetres and degrees."""

from __future__ import annotations

import math
from typing import Any

from .calls import current, robios
from .frame import DRIVING
from .values import degrees, real, rounded, store, whole

__all__ = [
    "VWControl", "VWControlOff", "VWCurve", "VWDone", "VWDrive", "VWDriveDone", "VWDriveRemain", "VWDriveWait",
    "VWGetPosition", "VWGetSpeed", "VWRemain", "VWSetPosition", "VWSetSpeed", "VWStalled", "VWStraight", "VWTurn",
    "VWWait",
]  # fmt: skip
_last = {"turn": False}  # whether the newest command is a turn: what remains of it is an angle


def _drive(name: str, *values: float) -> int:
    _last["turn"] = name == "Turn"
    current().order(name, *values)
    return 0


@robios(starts=True)
def VWSetSpeed(linSpeed: Any, angSpeed: Any) -> int:
    """Drive at these speeds until further notice (mm/s, degrees/s); 0, 0 stops."""
    return _drive("SetSpeed", whole(linSpeed) / 1000, math.radians(whole(angSpeed)), 0.0)


@robios(starts=True)
def VWGetSpeed(linSpeed: Any = None, angSpeed: Any = None) -> Any:
    """Return the measured speeds [mm/s, degrees/s]; with two ctypes ints, store them there."""
    frame = current().settle()
    values = [rounded(frame.m_s * 1000), rounded(math.degrees(frame.rad_s))]
    return _results(values, (linSpeed, angSpeed))


@robios(starts=True)
def VWSetPosition(x: Any, y: Any, phi: Any) -> int:
    """Set the odometry (mm, degrees)."""
    current().order("SetPosition", whole(x) / 1000, whole(y) / 1000, math.radians(whole(phi)))
    return 0


@robios(starts=True)
def VWGetPosition(x: Any = None, y: Any = None, phi: Any = None) -> Any:
    """Return the odometry [x mm, y mm, phi degrees]; with three ctypes ints, store it there."""
    frame = current().settle()
    values = [rounded(frame.x_m * 1000), rounded(frame.y_m * 1000), degrees(frame.rad)]
    return _results(values, (x, y, phi))


def _results(values: list[int], targets: tuple[Any, ...]) -> Any:
    if targets[0] is None:
        return values
    for target, value in zip(targets, values):
        store(target, value)
    return 0


@robios(starts=True)
def VWStraight(dist: Any, lin_speed: Any = 200) -> int:
    """Drive a distance; its sign is the direction (mm, mm/s)."""
    return _drive("Straight", whole(dist) / 1000, abs(whole(lin_speed)) / 1000)


@robios(starts=True)
def VWTurn(angle: Any, ang_speed: Any = 60) -> int:
    """Turn on the spot, to the left if positive (degrees, degrees/s)."""
    return _drive("Turn", math.radians(whole(angle)), math.radians(abs(whole(ang_speed))))


@robios(starts=True)
def VWCurve(dist: Any, angle: Any, lin_speed: Any = 200) -> int:
    """Drive an arc of a length while the heading changes by an angle (mm, degrees, mm/s); length 0 does nothing."""
    if whole(dist) == 0:
        return 0
    return _drive("Curve", whole(dist) / 1000, math.radians(whole(angle)), abs(whole(lin_speed)) / 1000)


@robios(starts=True)
def VWDrive(dx: Any, dy: Any, lin_speed: Any = 200) -> int:
    """Drive an arc to a point dx ahead and dy to the left (mm, mm/s); 1 unless dx is more than dy."""
    if whole(dx) <= abs(whole(dy)):
        return 1
    return _drive("DriveTo", whole(dx) / 1000, whole(dy) / 1000, abs(whole(lin_speed)) / 1000)


@robios(starts=True)
def VWRemain() -> int:
    """Return what remains of the command (mm; degrees of a turn)."""
    remaining = current().settle().remaining_m
    return abs(rounded(math.degrees(remaining) if _last["turn"] else remaining * 1000))


@robios(starts=True)
def VWDone() -> int:
    """Return 1 if no drive command is running, 0 while one is."""
    return 0 if current().settle().flags & DRIVING else 1


@robios(starts=True)
def VWWait() -> int:
    """Wait until the drive command has finished, or has failed at an obstacle."""
    session = current()
    session.settle()
    session.wait_for(lambda: not session.frame.flags & DRIVING, DRIVING)
    return 0


@robios(starts=True)
def VWStalled() -> int:
    """Return the stalled motors: 0 none, 1 left, 2 right, 3 both."""
    return int(current().settle().stalled)


@robios(starts=True)
def VWControl(Vv: Any, Tv: Any, Vw: Any, Tw: Any) -> int:
    """Switch the speed controller on with these parameters."""
    current().order("Control", True, real(Vv), real(Tv), real(Vw), real(Tw))
    return 0


@robios(starts=True)
def VWControlOff() -> int:
    """Switch the speed controller off."""
    current().order("Control", False, 0.0, 0.0, 0.0, 0.0)
    return 0


def VWDriveDone() -> int:
    """Return 1 if no drive command is running (early name of VWDone)."""
    return VWDone()


def VWDriveRemain() -> int:
    """Return what remains of the command (early name of VWRemain)."""
    return VWRemain()


def VWDriveWait() -> int:
    """Wait until the drive command has finished (early name of VWWait)."""
    return VWWait()
