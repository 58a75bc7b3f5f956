"""The last measurement of a device, for drawing: its rays and where they ended, in the world.

It can be read at any time; reading changes nothing in the run.
"""

from __future__ import annotations

import dataclasses
import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.engines.base import Seen
from understudy.engines.rays.table import RayTable
from understudy.sensors.base import Array
from understudy.sensors.batch import Batch
from understudy.sensors.carried import seen_from
from understudy.sensors.places import in_world, turned

_STEP_RAD = math.radians(1.0)  # between the rays that find the direction of an echo within a cone


class Traces(NamedTuple):
    """One row per value of a reading: start, end (x, y, z in m), and whether something was there."""

    starts: Array
    ends: Array
    echoes: npt.NDArray[np.bool_]


def traces(batch: Batch, row: int, engine: Seen) -> Traces:
    """Return the rays of one device of a batch, with the lengths of its newest reading or else the true ones."""
    if batch.table is None or batch.samples == 0:
        return Traces(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, np.bool_))
    if batch.looks is None:
        batch.looks = spread_out(batch.table)
    rays, robot, engine = batch.looks, batch.rows[row : row + 1], seen_from(engine, batch.joint)
    said = distances(batch, row)
    true = _true(rays, robot, engine).reshape(len(said), -1)
    nearest = np.arange(len(said)) * true.shape[1] + _chosen(true, rays)
    lengths = np.where(np.isnan(said), true.reshape(-1)[nearest], said)
    poses = engine.poses()[robot]
    starts, ways = in_world(poses, rays.origins)[0][nearest], turned(poses, rays.directions)[0][nearest]
    return Traces(starts, starts + lengths[:, None] * ways, np.asarray(lengths < rays.limit_m))


def distances(batch: Batch, row: int) -> Array:
    """Return the distances in the newest reading; NaN where unknown (m)."""
    sheet, reading = batch.sheet, batch.values[row]
    ranges: Array | None = sheet.ranges(reading)
    return np.full(len(reading), np.nan) if ranges is None else ranges


def true_distances(batch: Batch, row: int, engine: Seen) -> Array:
    """Return the present true distances of one device of a batch, a value for each of its reading (m)."""
    assert batch.table is not None
    true = _true(batch.table, batch.rows[row : row + 1], seen_from(engine, batch.joint))
    return np.asarray(true.reshape(len(distances(batch, row)), -1).min(axis=1))


def _true(rays: RayTable, robot: npt.NDArray[np.int64], engine: Seen) -> Array:
    """Return the present true distances along all rays (m)."""
    hits = np.empty((1, len(rays.origins)))
    engine.cast(rays, robot, hits)
    if rays.lengths is not None:
        hits[hits >= rays.lengths] = rays.limit_m
    return hits.reshape(-1)


def _chosen(true: Array, rays: RayTable) -> npt.NDArray[np.int64]:
    """Return the ray along which each value is drawn: the direction of the echo, or the middle one."""
    ways = rays.directions.reshape(*true.shape, 3)
    middle = (ways * ways.mean(axis=1, keepdims=True)).sum(axis=2).argmax(axis=1)
    return np.asarray(np.where(true.min(axis=1) < rays.limit_m, true.argmin(axis=1), middle))


def spread_out(table: RayTable) -> RayTable:
    """Return the same rays, with a fan of rays in place of each cone."""
    widths = np.broadcast_to(table.cone_rad, len(table.origins))
    if not widths.any():
        return table
    counts = 2 * np.ceil(widths / 2 / _STEP_RAD).astype(np.int64) + 1
    turns = np.concatenate([np.linspace(-width / 2, width / 2, count) for width, count in zip(widths, counts)])
    x, y, z = np.repeat(table.directions, counts, axis=0).T
    cos, sin = arrays.cos(turns), arrays.sin(turns)
    return dataclasses.replace(
        table,
        origins=np.repeat(table.origins, counts, axis=0),
        directions=np.column_stack([cos * x - sin * y, sin * x + cos * y, z]),
        cone_rad=0.0,
        lengths=None if table.lengths is None else np.repeat(table.lengths, counts),
    )
