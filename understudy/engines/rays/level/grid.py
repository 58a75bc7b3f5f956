"""Uniform grid over a floor plan, and single rays that walk it cell by cell.

Obstacles are upright: segments and round things with a height range and a mask of the layers that they reflect.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.engines.cells import cell_index
from understudy.engines.rays.level.cell_lists import Strips, box_cells, cells_near, lists_by_cell
from understudy.jit import inner

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

CYLINDER, CONE, SPHERE = 0, 1, 2
_MOST_CELLS, _MOST_ACROSS = 4_000_000, 100_000
_MOST_LISTED = 8_000_000  # limit for the cells of all bounding boxes, from which lists are made, at about 70 bytes each
HAIR_M = 1e-9  # half thickness of a wall: anything nearer is on it
NOTHING = -1  # the thing hit by a ray that hits nothing


class Grid(NamedTuple):
    """Cells and the walls in each, as CSR lists."""

    x0: float
    y0: float
    cell: float
    nx: int
    ny: int
    seg_start: Ints
    seg_index: Ints


class Obstacles(NamedTuple):
    """Everything fixed: segments ax, ay, bx, by and discs x, y, r; heights, layers, solidity, brightness of each."""

    seg: Array  # (S, 4)
    seg_z: Array  # (S, 2)
    seg_mask: Ints
    seg_solid: npt.NDArray[np.bool_]
    seg_reflectance: Array
    disc: Array  # (D, 3)
    disc_z: Array  # (D, 2)
    disc_kind: Ints
    disc_mask: Ints
    disc_solid: npt.NDArray[np.bool_]
    disc_reflectance: Array


def cells_over(width_m: float, depth_m: float, spans: Array) -> tuple[float, int, int]:
    """Return the cell width of a grid over an area, and the number of cells each way.

    They are 1 m wide, more if cells, or the lists of their contents, would be too many. *spans* are width and
    depth of the bounding box of each obstacle (m).

    >>> cells_over(40.0, 20.5, np.empty((0, 2))), cells_over(1e8, 2.0, np.empty((0, 2)))
    ((1.0, 40, 21), (1000.0, 100000, 1))
    """
    cell = max(1.0, math.sqrt(width_m * depth_m / _MOST_CELLS), max(width_m, depth_m) / _MOST_ACROSS)
    inside = np.minimum(spans, (width_m, depth_m))
    while (inside / cell + 2.0).prod(axis=1).sum() > max(_MOST_LISTED, 9 * len(spans)):
        cell *= 2.0
    return cell, max(1, math.ceil(width_m / cell)), max(1, math.ceil(depth_m / cell))


def build(obstacles: Obstacles, low: tuple[float, float], high: tuple[float, float]) -> Grid:
    """Return a grid of walls that covers all between *low* and *high*, with cells of 1 m or more on large maps."""
    boxes = boxes_of(obstacles.seg)
    cell, nx, ny = cells_over(high[0] - low[0], high[1] - low[1], boxes[:, 2:] - boxes[:, :2])
    return Grid(*low, cell, nx, ny, *wall_lists(boxes, obstacles.seg, np.array(low), cell, nx, ny))


def boxes_of(segs: Array) -> Array:
    """Return the bounding boxes of segments: x0, y0, x1, y1."""
    return np.column_stack([np.minimum(segs[:, :2], segs[:, 2:]), np.maximum(segs[:, :2], segs[:, 2:])])


def wall_lists(boxes: Array, segs: Array, low: Array, cell: float, nx: int, ny: int) -> tuple[Ints, Ints]:
    """Return CSR lists of the boxes, and of the segments in them, that touch each cell; a point fills its box."""
    along = segs[:, 2:] - segs[:, :2]
    reach = cell / 2 * np.abs(along).sum(axis=1) * (1.0 + 1e-9) + 1e-9
    strip = Strips(np.column_stack([-along[:, 1], along[:, 0]]), segs[:, :2], reach)
    owner, i, j = cells_near(*box_cells(boxes, low, cell, nx, ny), (strip,), low, cell)
    hit = _touches(segs[owner], low[0] + (i + 0.5) * cell, low[1] + (j + 0.5) * cell, cell / 2)
    return lists_by_cell((j * nx + i)[hit], owner[hit], nx * ny)


def _touches(segs: Array, cx: Array, cy: Array, half: float) -> npt.NDArray[np.bool_]:
    """Return for each pair whether the line of a segment passes through a cell (conservative)."""
    dx, dy = segs[:, 2] - segs[:, 0], segs[:, 3] - segs[:, 1]
    off = np.abs(dx * (cy - segs[:, 1]) - dy * (cx - segs[:, 0]))
    return np.asarray(off <= half * (np.abs(dx) + np.abs(dy)) * (1.0 + 1e-9) + 1e-9)


@inner(counted=False)
def ray_segment(ox, oy, c, s, ax, ay, bx, by, best):
    """Return the distance to a segment along a ray, or *best* if that is nearer or the ray misses.

    A ray along a segment hits its near end; one that starts on it hits it at 0.
    """
    qx, qy = ax - ox, ay - oy
    dx, dy = bx - ax, by - ay
    den = c * dy - s * dx
    tn = qx * dy - qy * dx
    un = qx * s - qy * c
    if tn * tn <= HAIR_M * HAIR_M * (dx * dx + dy * dy):
        return _graze(qx, qy, dx, dy, c, s, best)
    if den < 0.0:
        den, tn, un = -den, -tn, -un
    if den > 0.0 and un >= 0.0 and un <= den and tn >= 0.0 and tn < best * den:
        return tn / den
    return best


@inner(counted=False)
def _graze(qx, qy, dx, dy, c, s, best):
    """Return the distance to a segment from q along d whose line passes through the start of a ray."""
    t = min(max(-(qx * dx + qy * dy) / max(dx * dx + dy * dy, 1e-300), 0.0), 1.0)
    nx, ny = qx + t * dx, qy + t * dy
    if nx * nx + ny * ny <= HAIR_M * HAIR_M:
        return 0.0
    along = c * nx + s * ny
    return min(best, along) if along > 0.0 and abs(c * ny - s * nx) <= HAIR_M else best


@inner(counted=False)
def _enter(o, d, low, high):
    """Return the interval of a ray inside a slab."""
    if d == 0.0:
        return (-math.inf, math.inf) if low <= o <= high else (math.inf, -math.inf)
    near, far = (low - o) / d, (high - o) / d
    return (near, far) if near <= far else (far, near)


@inner(copied=False, counted=False)
def walk_walls(ox, oy, c, s, limit, grid, seg):
    """Return the distance to the first wall along a level ray, walking the grid, and which; *limit* (m), NOTHING."""
    x_in, x_out = _enter(ox, c, grid.x0, grid.x0 + grid.nx * grid.cell)
    y_in, y_out = _enter(oy, s, grid.y0, grid.y0 + grid.ny * grid.cell)
    begin = max(0.0, max(x_in, y_in))
    end = min(x_out, y_out)
    if begin > end or begin >= limit:
        return limit, NOTHING
    px, py = (ox + c * begin - grid.x0) / grid.cell, (oy + s * begin - grid.y0) / grid.cell
    i, j = cell_index(px, grid.nx), cell_index(py, grid.ny)
    step_x, step_y = (1 if c > 0.0 else -1), (1 if s > 0.0 else -1)
    next_x = begin + ((i + (step_x > 0)) - px) * grid.cell / c if c != 0.0 else math.inf
    next_y = begin + ((j + (step_y > 0)) - py) * grid.cell / s if s != 0.0 else math.inf
    best, which = limit, NOTHING
    while True:
        cell = j * grid.nx + i
        for p in range(grid.seg_start[cell], grid.seg_start[cell + 1]):
            k = grid.seg_index[p]
            t = ray_segment(ox, oy, c, s, seg[k, 0], seg[k, 1], seg[k, 2], seg[k, 3], best)
            if t < best:
                best, which = t, k
        if min(next_x, next_y) >= best:
            return best, which
        if next_x < next_y:
            i += step_x
            next_x += grid.cell / abs(c)
            if i < 0 or i >= grid.nx:
                return best, which
        else:
            j += step_y
            next_y += grid.cell / abs(s)
            if j < 0 or j >= grid.ny:
                return best, which


@inner(counted=False)
def cosine_of(c, s, seg, k):
    """Return the cosine between a level ray and the normal of the wall that it hits; 0 for NOTHING."""
    if k == NOTHING:
        return 0.0
    dx, dy = seg[k, 2] - seg[k, 0], seg[k, 3] - seg[k, 1]
    return abs(c * dy - s * dx) / math.sqrt(max(dx * dx + dy * dy, 1e-300))
