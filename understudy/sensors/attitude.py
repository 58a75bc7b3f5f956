"""How robots lie in the world, and what that makes of the places, speeds and axes of their devices."""

from __future__ import annotations

import numpy as np

from understudy.sensors.base import Array
from understudy.world.shapes import Mount


def attitudes(poses: Array) -> Array:
    """Return the matrices that turn directions of the robots into the world's: roll, then pitch, then yaw."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(poses[:, 3:6].T), np.sin(poses[:, 3:6].T)
    rows = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def to_body(turns: Array, vectors: Array) -> Array:
    """Return the world's *vectors*, one per robot, in the robots' own axes."""
    return np.asarray(np.einsum("nij,ni->nj", turns, vectors))


def arm(mount: Mount) -> Array:
    """Return where on its robot a device sits (m)."""
    return np.array([mount.x_m, mount.y_m, mount.z_m])


def places(poses: Array, mount: Mount) -> Array:
    """Return where in the world a device of each robot is (m)."""
    return np.asarray(poses[:, :3] + attitudes(poses) @ arm(mount))


def speeds(poses: Array, twists: Array, mount: Mount) -> Array:
    """Return how fast in the world a device of each robot moves (m/s)."""
    return np.asarray(twists[:, :3] + np.cross(twists[:, 3:], attitudes(poses) @ arm(mount)))
