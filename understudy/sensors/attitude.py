"""Attitude of robots in the world, and the resulting positions, velocities and axes of their devices."""

from __future__ import annotations

import numpy as np

from understudy.elementary import arrays
from understudy.sensors.base import Array
from understudy.world.rotations import shift, turns_of
from understudy.world.shapes import Mount


def cross(a: Array, b: Array) -> Array:
    """Return the cross products of vectors, one row each; NumPy's own takes ten times as long for few rows."""
    (ax, ay, az), (bx, by, bz) = a.T, b.T
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[..., 0], out[..., 1], out[..., 2] = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    return out


def places(poses: Array, mount: Mount) -> Array:
    """Return the world position of a device of each robot (m)."""
    return np.asarray(poses[:, :3] + arrays.product(turns_of(poses), shift(mount)))


def speeds(poses: Array, twists: Array, mount: Mount) -> Array:
    """Return the world velocity of a device of each robot (m/s)."""
    return np.asarray(twists[:, :3] + cross(twists[:, 3:], arrays.product(turns_of(poses), shift(mount))))
