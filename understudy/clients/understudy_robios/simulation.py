"""Functions that only the simulator has: true poses of robots and objects (mm, degrees).

`EYESIM_HEADING` sets the headings of these functions: `clockwise` as in EyeSim of 2023 to 2025, `north` as in 2017 to
2019 (0 along +y); otherwise counter-clockwise, 0 along +x, as everywhere else.
"""

from __future__ import annotations

import math
import os
import struct
from typing import Any

from .calls import current, robios
from .values import IntResult, degrees, rounded, store, whole

__all__ = [
    "SIMGetObject", "SIMGetObjectCount", "SIMGetPose", "SIMGetRobot", "SIMGetRobotCount", "SIMSetObject", "SIMSetPose",
    "SIMSetRobot",
]  # fmt: skip
_POSE = struct.Struct("<4d")


def heading_rad(phi_deg: float) -> float:
    """Return the heading in the world of an angle that a program gives."""
    convention = os.environ.get("EYESIM_HEADING", "")
    turned = -phi_deg if convention == "clockwise" else phi_deg + 90 if convention == "north" else phi_deg
    return math.radians(turned)


def angle_deg(rad: float) -> int:
    """Return the angle that a program gets for a heading in the world."""
    convention = os.environ.get("EYESIM_HEADING", "")
    turned = -rad if convention == "clockwise" else rad - math.pi / 2 if convention == "north" else rad
    return degrees(turned)


def _pose(query: str, number: int) -> list[int]:
    session = current()
    session.settle()
    answer = session.query(query, number)
    if len(answer) != _POSE.size:
        session.complain(f"no {query.lower()} has the number {number}")
        return [0, 0, 0, 0]
    x_m, y_m, z_m, rad = _POSE.unpack(answer)
    return [rounded(x_m * 1000), rounded(y_m * 1000), rounded(z_m * 1000), angle_deg(rad)]


def _given(values: list[int], targets: tuple[Any, ...]) -> Any:
    if targets[0] is None:
        return [IntResult(value) for value in values]
    for target, value in zip(targets, values):
        store(target, value)
    return 0


def _place(name: str, number: Any, x: Any, y: Any, z: Any, phi: Any) -> int:
    lengths = [whole(value) / 1000 for value in (x, y, z)]
    current().order(name, whole(number), *lengths, heading_rad(whole(phi)))
    return 0


@robios(starts=True)
def SIMGetRobot(id: Any = 0, x: Any = None, y: Any = None, z: Any = None, phi: Any = None) -> Any:
    """Return the true pose of a robot [x, y, z, phi]; 0 is this one."""
    return _given(_pose("ROBOT", whole(id)), (x, y, z, phi))


@robios(starts=True)
def SIMSetRobot(id: Any, x: Any, y: Any, z: Any = None, phi: Any = None) -> int:
    """Place a robot; 0 is this one. The odometry stays."""
    if phi is None:  # the version without an id
        return _place("MoveRobot", 0, id, x, y, 0 if z is None else z)
    return _place("MoveRobot", id, x, y, z, phi)


@robios(starts=True)
def SIMGetObject(id: Any, x: Any = None, y: Any = None, z: Any = None, phi: Any = None) -> Any:
    """Return the true pose of an object [x, y, z, phi]."""
    return _given(_pose("OBJECT", whole(id)), (x, y, z, phi))


@robios(starts=True)
def SIMSetObject(id: Any, x: Any, y: Any, z: Any, phi: Any) -> int:
    """Place an object."""
    return _place("MoveObject", id, x, y, z, phi)


def _counts() -> tuple[int, int]:
    session = current()
    session.settle()
    answer = session.query("COUNTS")
    return struct.unpack("<II", answer) if len(answer) == 8 else (1, 0)


@robios(starts=True)
def SIMGetRobotCount() -> int:
    """Return the number of robots."""
    return int(_counts()[0])


@robios(starts=True)
def SIMGetObjectCount() -> int:
    """Return the number of objects."""
    return int(_counts()[1])


@robios(starts=True)
def SIMGetPose(x: Any = None, y: Any = None, phi: Any = None) -> Any:
    """Return the true pose of this robot [x, y, phi] (name of 2017)."""
    east, north, _, angle = _pose("ROBOT", 0)
    return _given([east, north, angle], (x, y, phi))


@robios(starts=True)
def SIMSetPose(x: Any, y: Any, phi: Any) -> int:
    """Place this robot (name of 2017)."""
    return _place("MoveRobot", 0, x, y, 0, phi)
