"""Where the parts of devices are in the world, and where they look."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.sensors.attitude import arm, attitudes
from understudy.sensors.base import Array, rotation
from understudy.world.shapes import Mount


def on_robot(mount: Mount, parts: Sequence[Mount]) -> Array:
    """Return where the parts of a device are in its robot's frame, (parts, 3) (m)."""
    offsets = np.array([arm(part) for part in parts]).reshape(-1, 3)
    return arm(mount) + offsets @ rotation(mount).T


def axes(mount: Mount, parts: Sequence[Mount]) -> Array:
    """Return where the parts of a device look in its robot's frame: unit vectors, (parts, 3)."""
    return np.array([rotation(mount) @ rotation(part)[:, 0] for part in parts]).reshape(-1, 3)


def turned(poses: Array, directions: Array) -> Array:
    """Return directions of a robot's frame in the world, for every robot, (robots, directions, 3)."""
    turns = attitudes(poses)[:, None]
    x, y, z = directions.T[:, None, :, None]
    # term by term: what one robot gets must not depend on how many there are
    return np.asarray(turns[..., 0] * x + turns[..., 1] * y + turns[..., 2] * z)


def in_world(poses: Array, points: Array) -> Array:
    """Return points of a robot's frame in the world, for every robot, (robots, points, 3) (m)."""
    return np.asarray(poses[:, None, :3] + turned(poses, points))
