"""Which walls are visible from a cell of the grid: lists, built when a cell is first used.

A list holds the walls within range of the cell, near to far, without those that a single nearer wall hides from all of
it. That test is rigorous: if the lines from all four corners of the cell to both ends of a wall are blocked by one
segment, so is every line between, because the shadow of a segment is convex.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.engines.cells import cell_index
from understudy.engines.rays.level.grid import Grid
from understudy.engines.rays.simd.llvm import WIDTH, aligned
from understudy.jit import inner, kernel

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

LENGTH = 9  # bits for the length of a list
MOST_WALLS = 504  # a cell that sees more walls uses the grid walk
UNKNOWN, TOO_MANY = -1, -2
COLUMNS = 6  # of a block of walls
AX, AY, BX, BY, AWAY, WHICH = (WIDTH * n for n in range(COLUMNS))
_FAR = 1e9  # position of the padding walls
_HAIR_M = 1e-9  # anything nearer to a wall's line is on it


class Lists(NamedTuple):
    """Lists of all cells in one buffer; *start* is UNKNOWN for unused cells.

    The buffer has room for *room* walls, in blocks of WIDTH that have columns: ax, ay, bx, by relative to the cell's
    corner, the distance of the wall from the cell, and the wall's number. Every list is padded to a multiple of WIDTH
    with invisible walls. A list is valid for origins in its cell or at most *margin* outside it.
    """

    start: Ints  # by cell: number of walls in the buffer before its own; the lowest LENGTH bits are its count
    walls: Array
    room: int
    margin: float


class Scratch(NamedTuple):
    """Work space, for one builder at a time."""

    seen_for: Ints  # by wall: the cell that has it as a candidate
    candidates: Ints  # a heap: the nearest is first
    distance: Array  # of the candidates
    kept: Ints
    away: Array  # distances of the kept walls
    hiders: Ints  # kept walls, those that hide most first


def no_lists(grid: Grid, room: int, margin: float = 0.0) -> Lists:
    """Return empty lists."""
    return Lists(np.full(grid.nx * grid.ny, UNKNOWN, np.int64), aligned(COLUMNS * room), room, margin)


def grown(lists: Lists, used: int) -> Lists:
    """Return the same lists with twice the room."""
    room = 2 * lists.room
    walls = aligned(COLUMNS * room)
    walls[: COLUMNS * used] = lists.walls[: COLUMNS * used]
    return lists._replace(walls=walls, room=room)


def scratch(walls: int) -> Scratch:
    """Return work space for a map of this many walls."""
    most = MOST_WALLS + 1
    return Scratch(
        np.full(walls, -1, np.int64), np.zeros(walls, np.int64), np.zeros(walls),
        np.zeros(most, np.int64), np.zeros(most), np.zeros(most, np.int64),
    )  # fmt: skip


@inner(counted=False)
def _blocks(cx, cy, ex, ey, ax, ay, bx, by):
    """Return whether the segment a-b is between the points c and e, or e on it."""
    wx, wy = bx - ax, by - ay
    side_c = wx * (cy - ay) - wy * (cx - ax)
    side_e = wx * (ey - ay) - wy * (ex - ax)
    hair = _HAIR_M * (abs(wx) + abs(wy))
    if abs(side_c) <= hair or (side_e > hair if side_c > 0.0 else side_e < -hair):
        return False
    dx, dy = ex - cx, ey - cy
    return (dx * (ay - cy) - dy * (ax - cx)) * (dx * (by - cy) - dy * (bx - cx)) <= 0.0


@inner(counted=False)
def _distance(ax, ay, bx, by, x0, y0, x1, y1):
    """Return the distance between a wall and a box (m)."""
    dx, dy = bx - ax, by - ay
    enter, leave = 0.0, 1.0
    inside = True
    for side in range(4):
        p = -dx if side == 0 else dx if side == 1 else -dy if side == 2 else dy
        q = ax - x0 if side == 0 else x1 - ax if side == 1 else ay - y0 if side == 2 else y1 - ay
        if p == 0.0:
            inside = inside and q >= 0.0
        elif p < 0.0:
            enter = max(enter, q / p)
        else:
            leave = min(leave, q / p)
    if inside and enter <= leave:
        return 0.0
    best = math.inf
    for end in range(2):
        px, py = (ax, ay) if end == 0 else (bx, by)
        ux, uy = max(x0 - px, px - x1, 0.0), max(y0 - py, py - y1, 0.0)
        best = min(best, ux * ux + uy * uy)
    length2 = max(dx * dx + dy * dy, 1e-300)
    for corner in range(4):
        cx, cy = x0 if corner & 1 else x1, y0 if corner & 2 else y1
        t = min(max(((cx - ax) * dx + (cy - ay) * dy) / length2, 0.0), 1.0)
        ux, uy = ax + t * dx - cx, ay + t * dy - cy
        best = min(best, ux * ux + uy * uy)
    return math.sqrt(best)


@inner(counted=False)
def _hides(seg, w, k, x0, y0, x1, y1):
    """Return whether wall *w* hides wall *k* from the whole box."""
    for corner in range(4):
        cx, cy = x0 if corner & 1 else x1, y0 if corner & 2 else y1
        for end in range(0, 4, 2):
            ex, ey = seg[k, end], seg[k, end + 1]
            if not _blocks(cx, cy, ex, ey, seg[w, 0], seg[w, 1], seg[w, 2], seg[w, 3]):
                return False
    return True


@inner(counted=False)
def _candidates(cell, x0, y0, x1, y1, seg, grid, reach, work):
    """Collect the walls within *reach* of a box as a heap, the nearest first; return how many."""
    i0 = max(0, cell_index((x0 - reach - grid.x0) / grid.cell, grid.nx) - 1)
    i1 = min(grid.nx, cell_index((x1 + reach - grid.x0) / grid.cell, grid.nx) + 2)
    j0 = max(0, cell_index((y0 - reach - grid.y0) / grid.cell, grid.ny) - 1)
    j1 = min(grid.ny, cell_index((y1 + reach - grid.y0) / grid.cell, grid.ny) + 2)
    count = np.int64(0)
    for j in range(j0, j1):
        for p in range(grid.seg_start[j * grid.nx + i0], grid.seg_start[j * grid.nx + i1]):
            k = grid.seg_index[p]
            if work.seen_for[k] == cell:
                continue
            work.seen_for[k] = cell
            d = _distance(seg[k, 0], seg[k, 1], seg[k, 2], seg[k, 3], x0, y0, x1, y1)
            if d < reach:
                _put_in(work.candidates, work.distance, count, k, d)
                count += 1
    return count


@inner(counted=False)
def _nearer(d, k, e, n):
    """Return whether wall *k* at *d* comes before wall *n* at *e*."""
    return d < e or (d == e and k < n)


@inner(counted=False)
def _put_in(heap, distance, q, k, d):
    """Insert a wall into a heap of *q*."""
    while q > 0 and _nearer(d, k, distance[(q - 1) // 2], heap[(q - 1) // 2]):
        up = (q - 1) // 2
        heap[q], distance[q] = heap[up], distance[up]
        q = up
    heap[q], distance[q] = k, d


@inner(counted=False)
def _take_out(heap, distance, count):
    """Remove the nearest from a heap, of which *count* stay."""
    k, d, q = heap[count], distance[count], 0
    while 2 * q + 1 < count:
        down = 2 * q + 1
        if down + 1 < count and _nearer(distance[down + 1], heap[down + 1], distance[down], heap[down]):
            down += 1
        if _nearer(d, k, distance[down], heap[down]):
            break
        heap[q], distance[q] = heap[down], distance[down]
        q = down
    heap[q], distance[q] = k, d


@inner(counted=False)
def _is_hidden(k, kept, seg, x0, y0, x1, y1, hiders):
    """Return whether one of the kept walls hides wall *k* from a box; one that does is tested earlier next time."""
    for q in range(kept):
        w = hiders[q]
        if _hides(seg, w, k, x0, y0, x1, y1):
            hiders[q], hiders[q // 2] = hiders[q // 2], w
            return True
    return False


@inner(counted=False)
def _choose(cell, x0, y0, x1, y1, seg, grid, reach, work):
    """Choose the walls that may be visible from a box, near to far; return how many, or TOO_MANY."""
    count, kept = _candidates(cell, x0, y0, x1, y1, seg, grid, reach, work), np.int64(0)
    while count > 0:
        k, d = work.candidates[0], work.distance[0]
        count -= 1
        _take_out(work.candidates, work.distance, count)
        if not _is_hidden(k, kept, seg, x0, y0, x1, y1, work.hiders):
            if kept == MOST_WALLS:
                return TOO_MANY
            work.kept[kept], work.away[kept], work.hiders[kept] = k, d, k
            kept += 1
    return kept


@inner(counted=False)
def wall_at(n):
    """Return where in the buffer the first column of wall *n* is; for the first of a block all others follow."""
    return COLUMNS * n - (COLUMNS - 1) * (n % WIDTH)


@inner(counted=False)
def _write(cell, x0, y0, kept, padded, seg, lists, used, work):
    """Write the kept walls after the *used* walls of the buffer, padded to *padded*."""
    for q in range(padded):
        for column in range(COLUMNS):
            value = _FAR
            if q < kept:
                k = work.kept[q]
                value = work.away[q] if column == AWAY // WIDTH else float(k)
                if column < AWAY // WIDTH:
                    value = seg[k, column] - (x0 if column % 2 == 0 else y0)
            lists.walls[wall_at(used + q) + WIDTH * column] = value
    lists.start[cell] = used << LENGTH | kept


@kernel()
def build_lists(cells, first, seg, grid, reach, lists, used, work):
    """Build the lists of cells[first:] that are unknown; return how many are done and how much is used.

    Stops early where the buffer may have no room left.
    """
    more = lists.margin
    for p in range(first, cells.shape[0]):
        cell = cells[p]
        if lists.start[cell] != UNKNOWN:
            continue
        if used + MOST_WALLS > lists.room:
            return p, used
        x0, y0 = grid.x0 + (cell % grid.nx) * grid.cell, grid.y0 + (cell // grid.nx) * grid.cell
        x1, y1 = x0 + grid.cell, y0 + grid.cell
        kept = _choose(cell, x0 - more, y0 - more, x1 + more, y1 + more, seg, grid, reach, work)
        if kept == TOO_MANY:
            lists.start[cell] = TOO_MANY
        else:
            padded = (kept + WIDTH - 1) // WIDTH * WIDTH
            _write(cell, x0, y0, kept, padded, seg, lists, used, work)
            used += padded
    return cells.shape[0], used
