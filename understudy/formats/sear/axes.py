"""SEAR's axes and ours. SEAR: world X north, Y up, Z east; body X left, Y up, Z forward. Ours: z up, x east or forward.

Both frames of SEAR map to ours by the same change of letters: its (x, y, z) are our (y, z, x).
Rotations have the order of SEAR's game engine, jMonkeyEngine: about X, then Z, then Y of fixed axes, right-handed.
"""

from __future__ import annotations

import math

import numpy as np

from understudy import elementary
from understudy.elementary import arrays
from understudy.world.rotations import Array, about, angles_of
from understudy.world.shapes import Mount, Pose

Triple = tuple[float, float, float]

_LEVEL = 1e-12
_X, _Y, _Z = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])  # SEAR's axes in ours


def ours(x: float, y: float, z: float) -> Triple:
    """Return a vector of SEAR in our axes: east or forward, north or left, up.

    >>> ours(1.0, 2.0, 3.0)
    (3.0, 1.0, 2.0)
    """
    return z, x, y


def sears(x: float, y: float, z: float) -> Triple:
    """Return a vector of ours in SEAR's axes.

    >>> sears(3.0, 1.0, 2.0)
    (1.0, 2.0, 3.0)
    """
    return y, z, x


def turn(rotate: Triple) -> Array:
    """Return SEAR's ``rotate(x, y, z)``, in degrees, as a matrix of our axes."""
    x, y, z = (math.radians(angle) for angle in rotate)
    return np.asarray(arrays.product(about(_Y, y), about(_Z, z), about(_X, x)))


def degrees(matrix: Array) -> Triple:
    """Return the ``rotate(x, y, z)`` of a matrix of our axes, in degrees."""
    sear = np.array([[matrix[b, a] for a in (1, 2, 0)] for b in (1, 2, 0)])
    z = elementary.asin(max(-1.0, min(1.0, sear[1, 0])))
    if abs(sear[1, 0]) > 1.0 - _LEVEL:  # gimbal lock: only the sum of the other two is defined
        return 0.0, math.degrees(elementary.atan2(sear[0, 2], sear[2, 2])), math.degrees(z)
    y = elementary.atan2(-sear[2, 0], sear[0, 0])
    x = elementary.atan2(-sear[1, 2], sear[1, 1])
    return math.degrees(x), math.degrees(y), math.degrees(z)


def combined(first: Triple, second: Triple) -> Triple:
    """Return the rotation that turns by *first*, then by *second* about the axes of the turned object (degrees)."""
    if first == (0.0, 0.0, 0.0):
        return second
    if not (first[0] or first[2] or second[0] or second[2]):
        return 0.0, first[1] + second[1], 0.0
    return degrees(arrays.product(turn(first), turn(second)))


def angles(rotate: Triple, matrix: Array) -> Triple:
    """Return our roll, pitch and yaw (rad); a turn about SEAR's Y alone is exact."""
    if rotate[0] == 0.0 and rotate[2] == 0.0:
        return 0.0, 0.0, math.radians(rotate[1])
    return angles_of(matrix)


def pose(move: Triple, rotate: Triple, extra: Array | None = None) -> Pose:
    """Return the pose of an object; *extra* is a turn of what is inside it, in its own axes."""
    matrix = turn(rotate) if extra is None else arrays.product(turn(rotate), extra)
    roll, pitch, yaw = angles(rotate, matrix) if extra is None else angles_of(matrix)
    east, north, up = ours(*move)
    return Pose(east, north, up, yaw, pitch, roll)


def mount(move: Triple, rotate: Triple) -> Mount:
    """Return the mount of a component in the robot's frame of SEAR, in our axes."""
    at = pose(move, rotate)
    return Mount(at.x_m, at.y_m, at.z_m, at.heading_rad, at.pitch_rad, at.roll_rad)
