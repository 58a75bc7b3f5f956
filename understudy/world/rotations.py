"""Rotations, as matrices and quaternions: about x, then y, then z of fixed axes; that is roll, pitch and yaw.

Functions of cosines and sines take numbers or arrays, and kernels compile them too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.elementary import arrays
from understudy.world.shapes import Mount

Array = npt.NDArray[np.float64]

_UPRIGHT = 1e-9  # gimbal lock: sine of the angle from vertical below which roll and yaw cannot be separated


def turn_of(roll: float, pitch: float, yaw: float) -> Array:
    """Return the rotation by three angles (rad)."""
    (cr, sr), (cp, sp), (cy, sy) = map(elementary.direction, (roll, pitch, yaw))
    return np.array(matrix_rows(cr, sr, cp, sp, cy, sy)).reshape(3, 3)


def turns_of(poses: Array) -> Array:
    """Return the rotations of poses, (N, 3, 3); a row is x, y, z, roll, pitch, yaw (m, rad)."""
    if len(poses) == 1:
        return turn_of(*poses[0, 3:6].tolist())[None]
    (cr, cp, cy), (sr, sp, sy) = arrays.cos(poses[:, 3:6]).T, arrays.sin(poses[:, 3:6]).T
    return np.stack(matrix_rows(cr, sr, cp, sp, cy, sy), axis=-1).reshape(-1, 3, 3)


def matrix_rows(cr: Any, sr: Any, cp: Any, sp: Any, cy: Any, sy: Any) -> tuple[Any, ...]:
    """Return a rotation by rows from cosine and sine of roll, pitch and yaw."""
    return (
        cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
        sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
        -sp, cp * sr, cp * cr,
    )  # fmt: skip


def rotation(mount: Mount) -> Array:
    """Return the rotation matrix from the frame of a mount to the frame that it is mounted on."""
    return turn_of(mount.roll_rad, mount.pitch_rad, mount.yaw_rad)


@lru_cache(maxsize=256)
def direction(mount: Mount) -> Array:
    """Return where a mount looks, as a unit vector that is not to be changed."""
    ahead = rotation(mount)[:, 0]
    ahead.flags.writeable = False
    return ahead


def shift(mount: Mount) -> Array:
    """Return the position of a mount (m)."""
    return np.array([mount.x_m, mount.y_m, mount.z_m])


def joined(outer: Mount, inner: Mount) -> Mount:
    """Return the mount of something that is mounted on another mount."""
    if inner == Mount() or outer == Mount():
        return outer if inner == Mount() else inner
    turn = rotation(outer)
    roll, pitch, yaw = angles_of(_product(turn, rotation(inner)))
    x, y, z = (shift(outer) + _product(turn, shift(inner)[:, None])[:, 0]).tolist()
    return Mount(x, y, z, yaw, pitch, roll)


def _product(a: Array, b: Array) -> Array:
    """Return the product of a 3 x 3 matrix and another, with the same bits on every processor."""
    return a[:, :1] * b[:1] + a[:, 1:2] * b[1:2] + a[:, 2:] * b[2:]


def about(axis: Array, angle: float) -> Array:
    """Return the rotation about an axis, a unit vector, by an angle (rad)."""
    cos, sin = elementary.cos(angle), elementary.sin(angle)
    x, y, z = axis.tolist()
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(cos * np.eye(3) + sin * across + (1.0 - cos) * np.outer(axis, axis))


def quaternion_of(cr: Any, sr: Any, cp: Any, sp: Any, cy: Any, sy: Any) -> tuple[Any, Any, Any, Any]:
    """Return w, x, y, z from cosine and sine of half of roll, pitch and yaw."""
    return (
        cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy,
    )  # fmt: skip


def quaternion_rows(w: Any, x: Any, y: Any, z: Any) -> tuple[Any, ...]:
    """Return the rotation of a unit quaternion by rows."""
    return (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
    )  # fmt: skip


def turn_of_quaternion(w: float, x: float, y: float, z: float) -> Array:
    """Return the rotation of a quaternion of any non-zero length."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return np.array([
        [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
    ])  # fmt: skip


def angles_of(turn: Array) -> tuple[float, float, float]:
    """Return roll, pitch and yaw of a rotation (rad)."""
    level = elementary.hypot(turn[0, 0], turn[1, 0])
    pitch = elementary.atan2(-turn[2, 0], level)
    if level < _UPRIGHT:  # gimbal lock: only the sum of roll and yaw is defined
        return 0.0, pitch, elementary.atan2(-turn[0, 1], turn[1, 1])
    return elementary.atan2(turn[2, 1], turn[2, 2]), pitch, elementary.atan2(turn[1, 0], turn[0, 0])
