"""What a device has last seen, for drawing: the rays it looked along and where they ended, in the world.

Whoever draws may ask at any time; asking changes nothing of the run.
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

_STEP_RAD = math.radians(1.0)  # between the rays that find out where in a cone the echo came from


class Traces(NamedTuple):
    """One row for each value of a reading: from where, to where (x, y, z in m), and whether something was there."""

    starts: Array
    ends: Array
    echoes: npt.NDArray[np.bool_]


def traces(batch: Batch, row: int, engine: Seen) -> Traces:
    """Return the rays of one device of a batch: as long as its newest reading says, or else as the truth is now."""
    if batch.table is None or batch.samples == 0:
        return Traces(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, np.bool_))
    if batch.looks is None:
        batch.looks = spread_out(batch.table)
    rays, robot, engine = batch.looks, batch.rows[row : row + 1], seen_from(engine, batch.joint)
    said = told(batch, row)
    true = _true(rays, robot, engine).reshape(len(said), -1)
    nearest = np.arange(len(said)) * true.shape[1] + _chosen(true, rays)
    lengths = np.where(np.isnan(said), true.reshape(-1)[nearest], said)
    poses = engine.poses()[robot]
    starts, ways = in_world(poses, rays.origins)[0][nearest], turned(poses, rays.directions)[0][nearest]
    return Traces(starts, starts + lengths[:, None] * ways, np.asarray(lengths < rays.limit_m))


def told(batch: Batch, row: int) -> Array:
    """Return the distances that the newest reading tells; nan where it does not (m)."""
    sheet, reading = batch.sheet, batch.values[row]
    told: Array = sheet.ranges(reading) if hasattr(sheet, "ranges") else np.full(len(reading), np.nan)
    return told


def _true(rays: RayTable, robot: npt.NDArray[np.int64], engine: Seen) -> Array:
    """Return the distances along all rays as they are now (m)."""
    hits = np.empty((1, len(rays.origins)))
    engine.cast(rays, robot, hits)
    if rays.lengths is not None:
        hits[hits >= rays.lengths] = rays.limit_m
    return hits.reshape(-1)


def _chosen(true: Array, rays: RayTable) -> npt.NDArray[np.int64]:
    """Return which of its rays each value is drawn along: where the echo came from, or the one in the middle."""
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
