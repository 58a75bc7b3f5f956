"""A scene as an occupancy grid: the cells with something that a robot collides with or a laser detects."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from understudy.assets.pictures.grey_picture import MOST_PIXELS
from understudy.elementary import arrays
from understudy.errors import FormatError
from understudy.formats.pictures import trace
from understudy.world import outlines, walls
from understudy.world.materials import Surface
from understudy.world.outlines import Outline
from understudy.world.resolve import edged, merged
from understudy.world.scene import Scene

Array = npt.NDArray[np.float64]

_USUAL_M = 0.05
_ROUND = 32  # corners of round shapes
_INWARDS = 1e-4  # so that an edge on the border of cells counts as inside only


@dataclass(frozen=True)
class OccupancyRaster:
    """The occupied cells, counted from the lower left corner."""

    dark: npt.NDArray[np.bool_]
    corner_m: tuple[float, float]
    resolution_m: float


def rendered(scene: Scene, resolution_m: float | None = None) -> OccupancyRaster:
    """Return walls and objects of *scene* (includes and edge too) as cells, without robots and balls."""
    scene = edged(merged(scene))
    things = [*_outlines(scene)]
    cell_m = resolution_m or _cell_m(scene, bool(things))
    areas = [walls.pieces(wall) for wall in scene.walls if wall.solid and _is_there(wall.surface)]
    low, high = _bounds(scene, things, areas, cell_m)
    columns, rows = (max(math.ceil(size / cell_m - 1e-6), 1) for size in (high[0] - low[0], high[1] - low[1]))
    if columns * rows > MOST_PIXELS:
        raise FormatError(f"too many cells: {columns} x {rows} (at most {MOST_PIXELS:,}); use larger cells")
    dark = np.zeros((rows, columns), np.bool_)
    corner = np.array(low)
    for area in areas:
        trace.fill(dark, _cells(area, corner, cell_m))
    for thing in things:
        _put(dark, thing, corner, cell_m)
    return OccupancyRaster(dark, (float(low[0]), float(low[1])), cell_m)


def _is_there(surface: Surface) -> bool:
    return surface.obstacle or "laser" in surface.seen_by


def _outlines(scene: Scene) -> Iterator[Outline]:
    for wall in scene.walls:
        if not wall.solid and _is_there(wall.surface):
            yield from outlines.of_wall(wall)
    for solid in scene.objects:
        if _is_there(solid.surface):
            yield from outlines.of_solid(solid)


def _cell_m(scene: Scene, more: bool) -> float:
    """Return the pixel size of the scene's source picture, finer if there is *more* in it; else the default (m)."""
    grid_m = _grid_m(scene)
    if grid_m is None:
        return _USUAL_M
    return grid_m / math.ceil(grid_m / _USUAL_M - 1e-6) if more else grid_m


def _grid_m(scene: Scene) -> float | None:
    """Return the pixel size of the picture that solid walls come from, if their edges lie on a grid (m)."""
    parts = [walls.pieces(wall) for wall in scene.walls if wall.solid]
    if not parts:
        return None
    pieces = np.concatenate(parts)
    cell_m = float(np.abs(pieces[:, 2:] - pieces[:, :2]).max(axis=1).min())
    steps = (pieces - pieces[0, [0, 1, 0, 1]]) / cell_m
    return round(cell_m, 9) if np.abs(steps - np.rint(steps)).max() < 1e-3 else None


def _bounds(scene: Scene, things: list[Outline], areas: list[Array], cell_m: float) -> tuple[Array, Array]:
    """Return the lower left and upper right corner of the ground and of everything beyond it (m)."""
    middle, half = np.array(scene.ground.center_m), np.array(scene.ground.size_m) / 2
    points = [np.round([middle - half, middle + half], 9)]
    for thing in things:
        ends = np.array(thing.points)
        points += [ends - thing.radius_m, ends + thing.radius_m]
    points += [area.reshape(-1, 2) for area in areas]
    all_points = np.concatenate(points)
    low, high = all_points.min(axis=0), all_points.max(axis=0)
    # grow by whole cells, so that the ground's own grid is kept
    steps = np.ceil(np.maximum(points[0][0] - low, 0.0) / cell_m - 1e-6)
    return np.round(points[0][0] - steps * cell_m, 9), high


def _cells(pieces: Array, corner: Array, cell_m: float) -> Array:
    """Return pieces in cells; coordinates within rounding error of a border are snapped to it."""
    cells: Array = (pieces - np.tile(corner, 2)) / cell_m
    whole = np.rint(cells)
    return np.where(np.abs(cells - whole) < 1e-6, whole, cells)


def _put(dark: npt.NDArray[np.bool_], thing: Outline, corner: Array, cell_m: float) -> None:
    """Mark the cells that an outline touches: its edge, and its interior if it has one."""
    points = _corners(thing)
    ends = np.concatenate([points[1:], points[:1]]) if len(points) > 2 else points[1:]
    cells = _cells(np.column_stack([points[: len(ends)], ends]), corner, cell_m)
    if len(points) > 2:
        _fill_inside(dark, cells)
        middle = cells[:, :2].mean(axis=0)
        cells += _INWARDS * (np.tile(middle, 2) - cells)
    trace.draw(dark, cells)


def _fill_inside(dark: npt.NDArray[np.bool_], cells: Array) -> None:
    """Fill one closed outline, looking only at the part of the picture where it is."""
    rows, columns = dark.shape
    xs, ys = cells[:, [0, 2]], cells[:, [1, 3]]
    left, right = (int(np.clip(value, 0, columns)) for value in (math.floor(xs.min()), math.ceil(xs.max())))
    below, above = (int(np.clip(value, 0, rows)) for value in (math.floor(ys.min()), math.ceil(ys.max())))
    if left < right and below < above:
        trace.fill(dark[below:above, left:right], cells - [left, below, left, below])


def _corners(thing: Outline) -> Array:
    """Return the corners of an outline with its radius: a circle, a thick piece, or an unchanged polygon."""
    points = np.array(thing.points)
    if not thing.radius_m:
        return points
    if len(points) == 1:
        turns = np.arange(_ROUND) * (2 * math.pi / _ROUND)
        return np.asarray(points + thing.radius_m * np.column_stack([arrays.cos(turns), arrays.sin(turns)]))
    ahead = (points[1] - points[0]) / arrays.hypot(*(points[1] - points[0]))
    side = thing.radius_m * np.array([-ahead[1], ahead[0]])
    return np.array([points[0] - side, points[1] - side, points[1] + side, points[0] + side])
