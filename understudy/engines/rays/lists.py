"""Which walls can be seen from a cell of the grid: lists, built when a cell is first looked from.

A list holds the walls within range of the cell, near to far, without those that one single nearer wall hides from all
of it. That test is rigorous: if the lines from all four corners of the cell to both ends of a wall are blocked by one
segment, so is every line between, for the shadow of a segment is convex.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.compiled import inner, kernel
from understudy.engines.rays.grid import Grid

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MOST_WALLS = 504  # a cell that sees more is left to the grid walker
UNKNOWN, TOO_MANY, NO_ROOM = -1, -2, -3
_EDGE = 1e-9


class Lists(NamedTuple):
    """Lists of all cells in one buffer; *start* is UNKNOWN for cells that nobody has looked from."""

    start: Ints  # by cell
    length: Ints  # by cell
    walls: Array  # four planes (ax, ay, bx, by) of *room* values each, relative to the cell's corner
    room: int


class Scratch(NamedTuple):
    """Room to work in, for one builder at a time."""

    seen_for: Ints  # by wall: the cell that has it as a candidate
    candidates: Ints
    distance: Array
    kept: Ints


def no_lists(grid: Grid, room: int) -> Lists:
    """Return lists that know nothing yet."""
    cells = grid.nx * grid.ny
    return Lists(np.full(cells, UNKNOWN, np.int64), np.zeros(cells, np.int64), np.zeros(4 * room), room)


def grown(lists: Lists, used: int) -> Lists:
    """Return the same lists with twice the room."""
    room = 2 * lists.room
    walls = np.zeros((4, room))
    walls[:, :used] = lists.walls.reshape(4, lists.room)[:, :used]
    return Lists(lists.start, lists.length, walls.reshape(-1), room)


def scratch(walls: int) -> Scratch:
    """Return room to work in for a map of so many walls."""
    return Scratch(
        np.full(walls, -1, np.int64), np.zeros(walls, np.int64), np.zeros(walls), np.zeros(MOST_WALLS + 1, np.int64)
    )


@inner()
def _blocks(cx, cy, ex, ey, ax, ay, bx, by):  # type: ignore[no-untyped-def]
    """Say whether the segment a-b stands between the points c and e."""
    wx, wy = bx - ax, by - ay
    side_c = wx * (cy - ay) - wy * (cx - ax)
    side_e = wx * (ey - ay) - wy * (ex - ax)
    if abs(side_c) < _EDGE or side_c * side_e > _EDGE:
        return False
    dx, dy = ex - cx, ey - cy
    return (dx * (ay - cy) - dy * (ax - cx)) * (dx * (by - cy) - dy * (bx - cx)) <= _EDGE


@inner()
def _distance(seg, k, x0, y0, x1, y1):  # type: ignore[no-untyped-def]
    """Return the distance between a wall and a box (m)."""
    ax, ay, bx, by = seg[k, 0], seg[k, 1], seg[k, 2], seg[k, 3]
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


@inner()
def _hides(seg, w, k, x0, y0, x1, y1):  # type: ignore[no-untyped-def]
    """Say whether wall *w* hides wall *k* from the whole cell."""
    for corner in range(4):
        cx, cy = x0 if corner & 1 else x1, y0 if corner & 2 else y1
        for end in range(0, 4, 2):
            ex, ey = seg[k, end], seg[k, end + 1]
            if not _blocks(cx, cy, ex, ey, seg[w, 0], seg[w, 1], seg[w, 2], seg[w, 3]):
                return False
    return True


@inner()
def _candidates(cell, seg, grid, reach, work):  # type: ignore[no-untyped-def]
    """Collect the walls within *reach* of a cell, near to far; return how many."""
    ci, cj = cell % grid.nx, cell // grid.nx
    x0, y0 = grid.x0 + ci * grid.cell, grid.y0 + cj * grid.cell
    around = int(math.ceil(reach / grid.cell)) + 1
    count = 0
    for j in range(max(0, cj - around), min(grid.ny, cj + around + 1)):
        for i in range(max(0, ci - around), min(grid.nx, ci + around + 1)):
            other = j * grid.nx + i
            for p in range(grid.seg_start[other], grid.seg_start[other + 1]):
                k = grid.seg_index[p]
                if work.seen_for[k] == cell:
                    continue
                work.seen_for[k] = cell
                d = _distance(seg, k, x0, y0, x0 + grid.cell, y0 + grid.cell)
                if d < reach:
                    q = count
                    while q > 0 and work.distance[q - 1] > d:
                        work.distance[q] = work.distance[q - 1]
                        work.candidates[q] = work.candidates[q - 1]
                        q -= 1
                    work.distance[q] = d
                    work.candidates[q] = k
                    count += 1
    return count


@kernel()
def build_lists(cells, first, seg, grid, reach, lists, used, work):  # type: ignore[no-untyped-def]
    """Build the lists of cells[first:] that are unknown; return how many are done and how much is used.

    Stops early where the buffer has no room left.
    """
    for p in range(first, cells.shape[0]):
        if lists.start[cells[p]] == UNKNOWN:
            length = _build_list(cells[p], seg, grid, reach, lists, used, work)
            if length == NO_ROOM:
                return p, used
            used += max(length, 0)
    return cells.shape[0], used


@inner()
def _build_list(cell, seg, grid, reach, lists, used, work):  # type: ignore[no-untyped-def]
    """Build the list of one cell behind the *used* values of the buffer; return its length, TOO_MANY or NO_ROOM."""
    count = _candidates(cell, seg, grid, reach, work)
    x0, y0 = grid.x0 + (cell % grid.nx) * grid.cell, grid.y0 + (cell // grid.nx) * grid.cell
    kept = 0
    for o in range(count):
        k = work.candidates[o]
        hidden = False
        for q in range(kept):
            if _hides(seg, work.kept[q], k, x0, y0, x0 + grid.cell, y0 + grid.cell):
                hidden = True
                break
        if not hidden:
            if kept == MOST_WALLS:
                lists.start[cell] = TOO_MANY
                return TOO_MANY
            work.kept[kept] = k
            kept += 1
    if used + kept + 8 > lists.room:
        for o in range(count):  # forget, so that the next try collects them again
            work.seen_for[work.candidates[o]] = -1
        return NO_ROOM
    for q in range(kept):
        k = work.kept[q]
        for plane in range(4):
            lists.walls[plane * lists.room + used + q] = seg[k, plane] - (x0 if plane % 2 == 0 else y0)
    lists.start[cell] = used
    lists.length[cell] = kept
    return kept
