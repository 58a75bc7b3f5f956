"""Which cells of a grid each obstacle lies in, and the lists of what lies in each cell.

An obstacle is in a bounding box and in strips: a wall is in one, a rotated box in two. Most cells of the box of a long
wall at an angle are beside the wall, so `cells_near` takes from every row of cells only those that the strips reach.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SPARE_CELLS, _SPARE_SHARE = 1.0, 1e-6  # margins of strips for rounding: an exact test follows


class Strips(NamedTuple):
    """For each obstacle: the centres of its cells have |normal . (centre - through)| <= reach."""

    normal: Array  # (N, 2), of any length
    through: Array  # (N, 2), a point in the middle of the strip
    reach: Array  # (N,), times the length of the normal


def box_cells(boxes: Array, low: Array, cell: float, nx: int, ny: int) -> tuple[Ints, Ints]:
    """Return the first and the last cell, column and row, of each box x0, y0, x1, y1."""
    first = np.floor((boxes[:, :2] - low) / cell - 1e-9).astype(np.int64).clip(0)
    return first, np.floor((boxes[:, 2:] - low) / cell + 1e-9).astype(np.int64).clip(None, (nx - 1, ny - 1))


def cells_near(first: Ints, last: Ints, strips: tuple[Strips, ...], low: Array, cell: float) -> tuple[Ints, Ints, Ints]:
    """Return owner, column and row of all cells from *first* to *last* near the strips, and a few more."""
    size = (last - first + 1).clip(0)
    owner, nth = _counted(np.where(size[:, 0] > 0, size[:, 1], 0))
    row = first[owner, 1] + nth
    left, right = first[owner, 0].astype(np.float64), last[owner, 0].astype(np.float64)
    y = low[1] + (row + 0.5) * cell
    for strip in strips:
        begin, end = _columns(strip, owner, y, float(low[0]), cell)
        left, right = np.maximum(left, begin), np.minimum(right, end)
    count = np.maximum(right - left + 1.0, 0.0).astype(np.int64)
    line, across = _counted(count)
    return owner[line], np.where(count > 0, left, 0.0).astype(np.int64)[line] + across, row[line]


def _columns(strip: Strips, owner: Ints, y: Array, x0: float, cell: float) -> tuple[Array, Array]:
    """Return the first and the last column, not rounded to the grid, where a strip crosses the row of cells at y."""
    across = strip.normal[:, 0]
    along = across == 0.0  # a strip along the rows has all columns
    by = np.where(along, 1.0, across)[owner]
    off = strip.normal[owner, 1] * (y - strip.through[owner, 1])
    wide = np.where(along, np.inf, strip.reach * (1.0 + _SPARE_SHARE))[owner]
    with np.errstate(over="ignore"):  # a strip that is almost along the rows
        one, other = (-off - wide) / by, (-off + wide) / by
    at = strip.through[owner, 0] - x0
    begin, end = (at + np.minimum(one, other)) / cell - 0.5, (at + np.maximum(one, other)) / cell - 0.5
    return np.ceil(begin - _SPARE_CELLS), np.floor(end + _SPARE_CELLS)


def _counted(counts: Ints) -> tuple[Ints, Ints]:
    """Return the number of each place, as often as its count says, and the numbers from 0 for each place."""
    place = np.repeat(np.arange(len(counts)), counts)
    return place, np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)


def lists_by_cell(cells: Ints, held: Ints, count: int) -> tuple[Ints, Ints]:
    """Return where the list of each of *count* cells begins, with the end of the last, and the lists one by one."""
    start = np.zeros(count + 1, np.int64)
    np.add.at(start, cells + 1, 1)  # not bincount, which makes a second array of millions of cells
    np.cumsum(start, out=start)
    return start, held[np.argsort(cells, kind="stable")]
