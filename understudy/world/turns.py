"""Rotations as matrices: about x, then y, then z of fixed axes; that is roll, pitch and yaw."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.world.shapes import Mount

Array = npt.NDArray[np.float64]

_UPRIGHT = 1e-9  # how far from upright, as a sine, the angles of what looks up are told apart


def turn_of(roll: float, pitch: float, yaw: float) -> Array:
    """Return the rotation by three angles (rad)."""
    (cr, cp, cy), (sr, sp, sy) = ((f(roll), f(pitch), f(yaw)) for f in (elementary.cos, elementary.sin))
    return np.array([
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ])  # fmt: skip


def rotation(mount: Mount) -> Array:
    """Return the matrix that turns directions of what sits on a mount into those of what it is mounted on."""
    return turn_of(mount.roll_rad, mount.pitch_rad, mount.yaw_rad)


def shift(mount: Mount) -> Array:
    """Return where a mount is (m)."""
    return np.array([mount.x_m, mount.y_m, mount.z_m])


def about(axis: Array, angle: float) -> Array:
    """Return the rotation about an axis, a unit vector, by an angle (rad)."""
    cos, sin = elementary.cos(angle), elementary.sin(angle)
    x, y, z = axis.tolist()
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(cos * np.eye(3) + sin * across + (1.0 - cos) * np.outer(axis, axis))


def angles_of(turn: Array) -> tuple[float, float, float]:
    """Return roll, pitch and yaw of a rotation (rad)."""
    level = elementary.hypot(turn[0, 0], turn[1, 0])
    pitch = elementary.atan2(-turn[2, 0], level)
    if level < _UPRIGHT:  # it looks straight up or down: roll and yaw are one
        return 0.0, pitch, elementary.atan2(-turn[0, 1], turn[1, 1])
    return elementary.atan2(turn[2, 1], turn[2, 2]), pitch, elementary.atan2(turn[1, 0], turn[0, 0])
