"""Between pictures and outlines: the edges of dark regions as straight pieces, and regions filled from their edges.

Cells are counted from the lower left; the corner between the first four cells is (1, 1).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def edges(dark: Bools) -> Ints:
    """Return the edges of the dark cells as the longest straight pieces, a row each: x1, y1, x2, y2 (cells).

    Cells outside are not dark. Rows of *dark* count upwards.

    >>> edges(np.array([[True, True]])).tolist()
    [[0, 0, 2, 0], [0, 1, 2, 1], [0, 0, 0, 1], [2, 0, 2, 1]]
    """
    level, low, high = _runs(dark)
    flat = np.column_stack([low, level, high, level])
    level, low, high = _runs(np.ascontiguousarray(dark.T))
    return np.concatenate([flat, np.column_stack([level, low, level, high])])


def _runs(dark: Bools) -> tuple[Ints, Ints, Ints]:
    """Return the runs of edges between each row and the next: which edge, first and last corner."""
    rows, columns = dark.shape
    differs = np.zeros((rows + 1, columns + 2), np.bool_)  # an empty column on both sides ends every run
    differs[0, 1:-1], differs[-1, 1:-1] = dark[0], dark[-1]
    np.not_equal(dark[1:], dark[:-1], out=differs[1:-1, 1:-1])
    changes = differs[:, 1:] != differs[:, :-1]
    level, corner = np.nonzero(changes)
    return level[::2], corner[::2], corner[1::2]


def fill(into: Bools, pieces: Array) -> None:
    """Mark the cells whose centre is inside the closed outlines formed by *pieces*, without holes (cells)."""
    rows, columns = into.shape
    up = pieces[pieces[:, 1] != pieces[:, 3]]
    swapped = up[:, 1] > up[:, 3]
    up[swapped] = up[swapped][:, [2, 3, 0, 1]]
    first = np.ceil(up[:, 1] - 0.5).clip(0, rows).astype(np.int64)
    last = np.ceil(up[:, 3] - 0.5).clip(0, rows).astype(np.int64)
    count = np.maximum(last - first, 0)
    piece = np.repeat(np.arange(len(up)), count)
    row = np.arange(len(piece)) - np.repeat(np.cumsum(count) - count, count) + first[piece]
    share = (row + 0.5 - up[piece, 1]) / (up[piece, 3] - up[piece, 1])
    x = up[piece, 0] + share * (up[piece, 2] - up[piece, 0])
    column = np.ceil(x - 0.5).clip(0, columns).astype(np.int64)
    crossings = np.zeros((rows, columns + 1), np.uint8)
    np.bitwise_xor.at(crossings, (row, column), np.uint8(1))
    into |= np.bitwise_xor.accumulate(crossings[:, :-1], axis=1).astype(np.bool_)


def draw(into: Bools, pieces: Array) -> None:
    """Mark every cell that one of the straight *pieces* passes through (cells); a border belongs to the upper cell."""
    rows, columns = into.shape
    for x1, y1, x2, y2 in pieces.tolist():
        cuts = np.concatenate([[0.0, 1.0], _cuts(x1, x2), _cuts(y1, y2)])
        cuts.sort()
        middle = (cuts[1:] + cuts[:-1]) / 2 if len(cuts) > 2 else np.array([0.5])
        x = np.floor(x1 + middle * (x2 - x1)).astype(np.int64)
        y = np.floor(y1 + middle * (y2 - y1)).astype(np.int64)
        x[x == columns] = columns - 1  # the upper border belongs to the last cell
        y[y == rows] = rows - 1
        good = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
        into[y[good], x[good]] = True


def _cuts(low: float, high: float) -> Array:
    """Return the fractions of the way from *low* to *high* at which it crosses whole numbers."""
    if low == high:
        return np.empty(0)
    lines = np.arange(np.ceil(min(low, high)), np.floor(max(low, high)) + 1)
    shares: Array = (lines - low) / (high - low)
    return shares[(shares > 0.0) & (shares < 1.0)]
