"""Positions and directions of the parts of devices in the world."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.elementary import arrays
from understudy.engines.rays.table import no_hits
from understudy.sensors.base import Array, Rows, Truth
from understudy.world.rotations import rotation, shift, turns_of
from understudy.world.shapes import Mount


def on_robot(mount: Mount, parts: Sequence[Mount]) -> Array:
    """Return the positions of a device's parts in its robot's frame, (parts, 3) (m)."""
    offsets = np.array([shift(part) for part in parts]).reshape(-1, 3)
    return np.asarray(shift(mount) + arrays.product(offsets, rotation(mount).T))


def axes(mount: Mount, parts: Sequence[Mount]) -> Array:
    """Return the directions of a device's parts in its robot's frame: unit vectors, (parts, 3)."""
    return np.array([arrays.product(rotation(mount), rotation(part)[:, 0]) for part in parts]).reshape(-1, 3)


def turned(poses: Array, directions: Array) -> Array:
    """Return directions of a robot's frame in the world, for every robot, (robots, directions, 3)."""
    turns = turns_of(poses)[:, None]
    x, y, z = directions.T[:, None, :, None]
    # term by term: the result for one robot must not depend on the number of robots
    return np.asarray(turns[..., 0] * x + turns[..., 1] * y + turns[..., 2] * z)


def in_world(poses: Array, points: Array) -> Array:
    """Return points of a robot's frame in the world, for every robot, (robots, points, 3) (m)."""
    return np.asarray(poses[:, None, :3] + turned(poses, points))


def below(
    truth: Truth, rows: Rows, points: Array, ways: Array, ground: Array, layer: int, usual_m: float | Array
) -> Array:
    """Return the distance along *ways*, (robots, points, 3), to something below points of robots (m).

    *ground* is the distance to the floor at height 0. A robot at its usual distance from the floor stands on it; rays
    are cast only for the others.
    """
    far = np.asarray(ground > usual_m)
    if not far.any():
        return ground
    count = int(np.count_nonzero(far))
    away, hits = np.empty(count), no_hits(count)
    owners, found = np.broadcast_to(rows[:, None], far.shape)[far], ground.copy()
    limit = float(ground[far].max())
    truth.engine.cast_world(points[far], np.ascontiguousarray(ways[far]), limit, layer, owners, away, hits)
    found[far] = np.minimum(away, ground[far])
    return found
