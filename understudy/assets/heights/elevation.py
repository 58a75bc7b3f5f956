"""Terrain from files: height maps, ESRI ASCII grids, SRTM tiles, GeoTIFF and meshes; a window of them, in world metres.

A georeferenced file is projected to the plane that touches the Earth at its centre, which is the world's origin:
the terrain follows the curvature of the Earth below that plane, and GPS readings agree with maps.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.assets import archive
from understudy.assets.heights import grids
from understudy.assets.heights.from_mesh import rasterised
from understudy.assets.heights.georeference import Reference
from understudy.assets.heights.grids import HeightGrid
from understudy.assets.meshes import mesh
from understudy.errors import FormatError
from understudy.world.geo import GeoFrame
from understudy.world.scene import Ground, Heights, Origin
from understudy.world.shapes import Mesh
from understudy.world.terrain import Terrain
from understudy.world.triangles import Triangles

log = logging.getLogger(__name__)
Array = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]

_APART_M = 250.0  # spacing of the points that are projected; between them it is interpolated
_MOST_POINTS = 1_000_000  # of them
_BLOCK = 256  # rows at a time


def terrain(data: bytes, ground: Ground, others: Mapping[str, bytes] | None = None) -> Terrain:
    """Return the terrain of a ground whose heights are in *data*; raises FormatError that names the file."""
    return survey(data, ground, others)[0]


def survey(data: bytes, ground: Ground, others: Mapping[str, bytes] | None = None) -> tuple[Terrain, Origin | None]:
    """Return the terrain, and the origin at its centre if it is georeferenced; altitudes are relative to it."""
    heights = ground.heights
    assert heights is not None
    if is_mesh(data, heights):
        return rasterised(ground_mesh(data, ground, others), heights), None
    raster, reference = _cut(grids.read(*_unpacked(data, heights.file)), heights)
    values = _filled(raster, heights.file)
    if reference is None:
        return _plain(values, raster, ground)
    return _laid(values, reference, heights)


def cell_size_m(grid: HeightGrid) -> tuple[float, float]:
    """Return the grid spacing, east and north, in the middle of a grid (m); 1 where it is not known."""
    if grid.reference is None:
        return grid.cell_m or (1.0, 1.0)
    rows, columns = grid.values.shape
    return _cell_m(grid.reference, (columns - 1) / 2, (rows - 1) / 2)


def ground_mesh(data: bytes, ground: Ground, others: Mapping[str, bytes] | None = None) -> Triangles:
    """Return the triangles of a ground that is a mesh, centred on the ground (m)."""
    heights = ground.heights
    assert heights is not None
    body = mesh.read(data, Mesh(heights.file, heights.scale, node=heights.node), others, in_place=True)
    low, high = body.bounds_m
    shift = np.array([*ground.center_m, 0.0]) - (low + high) / 2 * [1.0, 1.0, 0.0]
    return body.moved(np.eye(3), shift)


def is_mesh(data: bytes, heights: Heights) -> bool:
    """Return whether heights are those of a mesh, which ray casting uses directly."""
    return mesh.is_mesh(_unpacked(data, heights.file)[1])


def _unpacked(data: bytes, file: str) -> tuple[bytes, str]:
    """Return a zipped or gzipped elevation file unpacked, and its name; other files unchanged."""
    if data.startswith(archive.GZIP) and file.lower().endswith(".gz"):
        return archive.gunzipped(data, file), file[: -len(".gz")]
    if not data.startswith(archive.SIGNATURE):
        return data, file
    inside = archive.unpacked(data, file)
    names = [name for name in sorted(inside) if name.lower().endswith(grids.SUFFIXES)]
    return (inside[names[0]], names[0]) if names else (data, file)


# ---- windows


def _cut(raster: HeightGrid, heights: Heights) -> tuple[HeightGrid, Reference | None]:
    """Return the selected part of a raster, and its georeference."""
    rows, columns = raster.values.shape
    column, row, wide, deep = _window(raster, heights)
    if column + wide > columns or row + deep > rows or wide < 2 or deep < 2 or column < 0 or row < 0:
        raise FormatError(
            f"{heights.file}: the window {column}, {row}, {wide} x {deep} is outside of {columns} x {rows} heights"
        )
    part = replace(raster, values=raster.values[row : row + deep, column : column + wide])
    return part, raster.reference.cut(column, row) if raster.reference else None


def _window(raster: HeightGrid, heights: Heights) -> tuple[int, int, int, int]:
    rows, columns = raster.values.shape
    if heights.window is not None:
        return heights.window
    if heights.middle_deg is None and heights.size_m is None:
        return 0, 0, columns, rows
    if raster.reference is None:
        raise FormatError(f"{heights.file}: is not georeferenced; give window instead of middle_deg and size_m")
    middle = heights.middle_deg or _middle_of(raster.reference, columns, rows)
    return _around(raster.reference, middle, heights.size_m, columns, rows)


def _middle_of(reference: Reference, columns: int, rows: int) -> tuple[float, float]:
    latitude, longitude = reference.to_geo(np.array([(columns - 1) / 2]), np.array([(rows - 1) / 2]))
    return float(latitude[0]), float(longitude[0])


def _around(
    reference: Reference, middle: tuple[float, float], size_m: tuple[float, float] | None, columns: int, rows: int
) -> tuple[int, int, int, int]:
    """Return the window about a position; without a size as large as possible."""
    at_column, at_row = (float(value[0]) for value in reference.to_pixel(*(np.array([value]) for value in middle)))
    wide = 2 * min(at_column, columns - 1 - at_column)
    deep = 2 * min(at_row, rows - 1 - at_row)
    if size_m is not None:
        east, north = _cell_m(reference, at_column, at_row)
        wide, deep = size_m[0] / east, size_m[1] / north
    column, row = round(at_column - wide / 2), round(at_row - deep / 2)
    return column, row, round(wide) + 1, round(deep) + 1


def _cell_m(reference: Reference, column: float, row: float) -> tuple[float, float]:
    """Return the grid spacing, east and north, at a position (m)."""
    latitude, longitude = reference.to_geo(np.array([column, column + 1, column]), np.array([row, row, row + 1]))
    frame = GeoFrame.from_origin(Origin(float(latitude[0]), float(longitude[0])))
    east = frame.to_local(float(latitude[1]), float(longitude[1]), 0.0)
    north = frame.to_local(float(latitude[2]), float(longitude[2]), 0.0)
    return elementary.hypot(*east[:2]), elementary.hypot(*north[:2])


def _filled(raster: HeightGrid, file: str) -> Floats:
    """Return the heights; missing ones are interpolated along the row."""
    values = np.array(raster.values, np.float32)
    missing = ~np.isfinite(values)
    if not math.isnan(raster.void):
        missing |= values == np.float32(raster.void)
    if missing.all():
        raise FormatError(f"{file}: there are no heights in the file, or in the window")
    if not missing.any():
        return values
    usual = np.float32(np.median(values[~missing]))
    columns = np.arange(values.shape[1])
    for row in np.flatnonzero(missing.any(axis=1)):
        gap = missing[row]
        values[row, gap] = usual if gap.all() else np.interp(columns[gap], columns[~gap], values[row, ~gap])
    return values


# ---- onto the ground


def _plain(values: Floats, raster: HeightGrid, ground: Ground) -> tuple[Terrain, Origin | None]:
    """Return heights without a georeference: a picture stretched over the ground, or cells of a known size."""
    heights = ground.heights
    assert heights is not None
    rows, columns = values.shape
    if raster.relative:
        values = (heights.low_m + values * np.float32(heights.high_m - heights.low_m)).astype(np.float32)
    cell = (heights.cell_m, heights.cell_m) if heights.cell_m else raster.cell_m
    step_x, step_y = cell or (ground.size_m[0] / (columns - 1), ground.size_m[1] / (rows - 1))
    x0, y0 = (ground.center_m[0] - step_x * (columns - 1) / 2, ground.center_m[1] - step_y * (rows - 1) / 2)
    made = Terrain(np.ascontiguousarray(values[::-1]), x0, y0, step_x, step_y)
    if raster.relative:
        return made, None
    middle_m = made.height_m(*ground.center_m)
    sunk = replace(made, heights=made.heights - np.float32(middle_m))
    return sunk, Origin(altitude_m=middle_m)


def _laid(values: Floats, reference: Reference, heights: Heights) -> tuple[Terrain, Origin]:
    """Return heights on the plane that touches the Earth at their centre, and that position."""
    rows, columns = values.shape
    latitude, longitude = heights.middle_deg or _middle_of(reference, columns, rows)
    if not (abs(latitude) < 90.0 and abs(longitude) <= 540.0):
        place = f"latitude {latitude:g}, longitude {longitude:g}"
        raise FormatError(f"{heights.file}: invalid georeference: {place}")
    if abs(longitude) > 180.0:
        longitude = (longitude + 180.0) % 360.0 - 180.0
    column, row = reference.to_pixel(np.array([latitude]), np.array([longitude]))
    origin = Origin(latitude, longitude, float(_sampled(values, column, row)[0]))
    step_x, step_y = _cell_m(reference, float(column[0]), float(row[0]))
    half_x, half_y = step_x * (columns - 1) / 2, step_y * (rows - 1) / 2
    flat = _resampled(values, reference, origin, (step_x, step_y), (half_x, half_y))
    return Terrain(flat, -half_x, -half_y, step_x, step_y), origin


def _resampled(
    values: Floats, reference: Reference, origin: Origin, step: tuple[float, float], half: tuple[float, float]
) -> Floats:
    """Return the heights above the plane at each point of a grid of the world, the south first."""
    rows, columns = values.shape
    fewest = math.ceil(math.sqrt(values.size / _MOST_POINTS))
    u, v = (_knots(count, max(int(_APART_M / cell), fewest)) for count, cell in zip((columns, rows), step))
    frame = GeoFrame.from_origin(origin)
    x, y = np.meshgrid(u * step[0] - half[0], v * step[1] - half[1])
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    for _ in range(3):  # fixed-point iteration: the height depends on the position and vice versa
        place = frame.geodetic(points)
        column, row = reference.to_pixel(place[:, 0], place[:, 1])
        altitude = _sampled(values, column, row)
        points[:, 2] += altitude - place[:, 2]
    drop = (points[:, 2] - altitude).reshape(x.shape)
    out = np.empty(values.shape, np.float32)
    for first in range(0, rows, _BLOCK):
        lines = np.arange(first, min(first + _BLOCK, rows))
        at = [_between(table.reshape(x.shape), u, v, columns, lines) for table in (column, row, drop)]
        out[lines] = _sampled(values, at[0], at[1]) + at[2]
    return out


def _knots(count: int, stride: int) -> Array:
    """Return every *stride*-th of a row of points, and the last one."""
    return np.unique(np.append(np.arange(0, count, stride), count - 1)).astype(np.float64)


def _between(table: Array, u: Array, v: Array, columns: int, lines: npt.NDArray[np.int64]) -> Array:
    """Return a table at knots u, v interpolated at all columns of some lines."""
    at = np.clip(np.searchsorted(v, lines, side="right") - 1, 0, len(v) - 2)
    share = ((lines - v[at]) / (v[at + 1] - v[at]))[:, None]
    across = table[at] * (1.0 - share) + table[at + 1] * share
    along = np.arange(columns)
    i = np.clip(np.searchsorted(u, along, side="right") - 1, 0, len(u) - 2)
    part = (along - u[i]) / (u[i + 1] - u[i])
    return np.asarray(across[:, i] * (1.0 - part) + across[:, i + 1] * part)


def _sampled(values: Floats, column: Array, row: Array) -> Array:
    """Return interpolated heights of the grid; outside it those of its edge."""
    rows, columns = values.shape
    u, v = np.clip(column, 0.0, columns - 1.0), np.clip(row, 0.0, rows - 1.0)
    i, j = np.minimum(u.astype(np.int64), columns - 2), np.minimum(v.astype(np.int64), rows - 2)
    u, v = u - i, v - j
    at = j * columns + i
    flat = values.reshape(-1)
    above = flat[at] * (1.0 - u) + flat[at + 1] * u
    below = flat[at + columns] * (1.0 - u) + flat[at + columns + 1] * u
    return np.asarray(above * (1.0 - v) + below * v)
