"""Meshes as terrain: the highest triangle over each point of a grid; the space below an overhang is filled."""

from __future__ import annotations

import logging
import math

import numpy as np
import numpy.typing as npt

from understudy.assets.heights.grids import MOST_HEIGHTS
from understudy.errors import FormatError
from understudy.world.scene import Heights
from understudy.world.terrain import Terrain
from understudy.world.triangles import Triangles

log = logging.getLogger(__name__)
Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_FEWEST, _MOST = 64, 1024  # points along the longer side, unless a cell is given
_AT_ONCE = 2_000_000  # pairs of a triangle and a point
_EDGE = 1e-9
_APART = 1e-3  # of the size: surfaces further apart in height are an overhang


def rasterised(body: Triangles, heights: Heights) -> Terrain:
    """Return the terrain that a mesh covers; warns of overhangs."""
    low, high = body.bounds_m
    wide, deep = float(high[0] - low[0]), float(high[1] - low[1])
    if not (wide > 0.0 and deep > 0.0):
        raise FormatError(f"{heights.file}: the mesh is vertical, so it cannot be the ground")
    points = min(max(int(2 * math.sqrt(len(body.faces))), _FEWEST), _MOST)
    cell = heights.cell_m or max(wide, deep) / points
    columns, rows = max(round(wide / cell), 1) + 1, max(round(deep / cell), 1) + 1
    if columns * rows > MOST_HEIGHTS:
        raise FormatError(f"{heights.file}: too many heights: {columns} x {rows}; use a larger cell_m")
    step = np.array([wide / (columns - 1), deep / (rows - 1)])
    top, under = _surfaces(body, low, step, columns, rows)
    hanging = int((top - under > _APART * body.size_m).sum())
    if hanging:
        log.warning("%s: %d of %d points have an overhang; robots drive on its top", heights.file, hanging, top.size)
    values = np.where(np.isfinite(top), top, low[2]).astype(np.float32)
    return Terrain(values, float(low[0]), float(low[1]), float(step[0]), float(step[1]))


def _surfaces(body: Triangles, low: Array, step: Array, columns: int, rows: int) -> tuple[Array, Array]:
    """Return the highest surface over each point, and the lowest of those that face up."""
    top, under = np.full(columns * rows, -np.inf), np.full(columns * rows, np.inf)
    corners = body.corners.copy()
    corners[:, :, :2] = (corners[:, :, :2] - low[:2]) / step
    first = np.ceil(corners[:, :, :2].min(axis=1) - _EDGE).clip(0).astype(np.int64)
    last = np.floor(corners[:, :, :2].max(axis=1) + _EDGE).clip(None, [columns - 1, rows - 1]).astype(np.int64)
    size = (last - first + 1).clip(0)
    counts = size[:, 0] * size[:, 1]
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        done = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, done + _AT_ONCE, side="right")), start + 1)
        rows_of = np.arange(start, stop)
        at, z, up = _heights(corners[rows_of], first[rows_of], size[rows_of], counts[rows_of], columns)
        np.maximum.at(top, at, z)
        np.minimum.at(under, at[up], z[up])
        start = stop
    return top.reshape(rows, columns), np.minimum(under, top).reshape(rows, columns)


def _heights(
    corners: Array, first: Ints, size: Ints, counts: Ints, columns: int
) -> tuple[Ints, Array, npt.NDArray[np.bool_]]:
    """Return for some triangles the points within them, the heights there, and whether the triangle faces up."""
    owner = np.repeat(np.arange(len(counts)), counts)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    x, y = first[owner, 0] + step % size[owner, 0], first[owner, 1] + step // size[owner, 0]
    a, b, c = corners[owner].swapaxes(0, 1)
    ux, uy, vx, vy = b[:, 0] - a[:, 0], b[:, 1] - a[:, 1], c[:, 0] - a[:, 0], c[:, 1] - a[:, 1]
    area = ux * vy - uy * vx
    flat = np.where(area == 0.0, np.nan, area)
    s = ((x - a[:, 0]) * vy - (y - a[:, 1]) * vx) / flat
    t = ((y - a[:, 1]) * ux - (x - a[:, 0]) * uy) / flat
    inside = (s >= -_EDGE) & (t >= -_EDGE) & (s + t <= 1.0 + _EDGE)
    z = a[:, 2] + s * (b[:, 2] - a[:, 2]) + t * (c[:, 2] - a[:, 2])
    return (y * columns + x)[inside], z[inside], (area > 0.0)[inside]
