"""The straight pieces of a wall, in whatever form it is given.

Dots (a scanner's map has tens of thousands) lie on a grid of their own size. Rows, columns and diagonals of neighbours
become one piece each, so that no ray passes between neighbours; a single dot becomes a cross.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from understudy.world.scene import Wall

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def pieces(wall: Wall) -> Array:
    """Return every piece of *wall*, a row each: x1, y1, x2, y2 (m); pieces of zero length are left out."""
    parts = [_line(wall), np.array(wall.pieces_m, np.float64).reshape(-1, 4)]
    if wall.dots_m:
        parts.append(joined(np.array(wall.dots_m), wall.dot_m))
    rows = np.concatenate(parts)
    long: Bools = (rows[:, :2] != rows[:, 2:]).any(axis=1)
    return rows if long.all() else rows[long]


def _line(wall: Wall) -> Array:
    points = np.array(wall.points_m, np.float64).reshape(-1, 2)
    if wall.closed:
        points = np.concatenate([points, points[:1]])
    return np.column_stack([points[:-1], points[1:]])


# ---- dots


MOST_CELLS = 1e9  # in a row: more would overflow the numbers of cells


def joined(dots: Array, size: float) -> Array:
    """Return pieces through all *dots*, each of which is *size* long and wide (m).

    >>> joined(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), 1.0).tolist()
    [[-0.5, 0.0, 2.5, 0.0]]
    """
    low = dots.min(axis=0)
    size = max(size, float((dots - low).max()) / MOST_CELLS)
    cells = _Cells(np.floor((dots - low) / size + 0.5).astype(np.int64))
    ends = [*cells.runs(), cells.crosses()]
    return np.tile(low, 2) + size * np.concatenate(ends)


class _Cells:
    """Cells of a grid, each once, and which of them are linked to the next one right, above, or across a corner."""

    def __init__(self, cells: Ints) -> None:
        self._wide = int(cells.max()) + 4  # empty columns, so that the end of a row is not a neighbour of the next
        self._keys = np.unique(cells[:, 1] * self._wide + cells[:, 0])
        self.y, self.x = np.divmod(self._keys, self._wide)
        self.right, self.up = self._linked(1, 0), self._linked(0, 1)
        self.rising = self._linked(1, 1) & ~self.right & ~self.up
        self.falling = self._linked(1, -1) & ~self.right & ~self._linked(0, -1)

    def _linked(self, dx: int, dy: int, given: Bools | None = None) -> Bools:
        """Return for each cell whether there is one at this offset; with *given*, whether that is true of it, too."""
        wanted = (self.y + dy) * self._wide + self.x + dx
        at = np.searchsorted(self._keys, wanted).clip(max=len(self._keys) - 1)
        found: Bools = self._keys[at] == wanted
        return found if given is None else found & given[at]

    def runs(self) -> list[Array]:
        """Return the pieces along rows, columns and diagonals; the first two reach to the edge of their last cells."""
        x, y = self.x, self.y
        return [
            self._run(self.right, y, x, 0.5, 0.0),
            self._run(self.up, x, y, 0.0, 0.5),
            self._run(self.rising, y - x, x, 0.0, 0.0),
            self._run(self.falling, y + x, x, 0.0, 0.0),
        ]

    def _run(self, linked: Bools, line: Ints, place: Ints, dx: float, dy: float) -> Array:
        """Return a piece for each row of cells that are *linked*, each to the next *place* of their *line*."""
        order = np.lexsort((place, line))
        links = linked[order]
        before = np.concatenate([[False], links[:-1]])
        first, last = order[links & ~before], order[before & ~links]
        return np.column_stack([self.x[first] - dx, self.y[first] - dy, self.x[last] + dx, self.y[last] + dy])

    def crosses(self) -> Array:
        """Return two pieces for each single cell."""
        near = self.right | self.up | self.rising | self.falling
        near |= self._linked(-1, 0) | self._linked(0, -1)
        near |= self._linked(-1, -1, self.rising) | self._linked(-1, 1, self.falling)
        x, y = self.x[~near], self.y[~near]
        flat, upright = np.column_stack([x - 0.5, y, x + 0.5, y]), np.column_stack([x, y - 0.5, x, y + 0.5])
        return np.concatenate([flat, upright])
