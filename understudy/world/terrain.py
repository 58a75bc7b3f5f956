"""Terrain as numbers: heights at the corners of a grid of cells, each cell two triangles.

The diagonal of a cell runs from its corner of least x and y to that of greatest x and y, as in MuJoCo.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from understudy.frozen import frozen
from understudy.world.triangles import Triangles

Heights = npt.NDArray[np.float32]
Array = npt.NDArray[np.float64]


@frozen(eq=False)
class Terrain:
    """Heights by row (y grows) and column (x grows), the position of the first, and their spacing (m)."""

    heights: Heights  # (rows, columns), at least 2 x 2
    x0_m: float
    y0_m: float
    step_x_m: float
    step_y_m: float

    @property
    def size_m(self) -> tuple[float, float]:
        """Return its size in x and y (m)."""
        rows, columns = self.heights.shape
        return (columns - 1) * self.step_x_m, (rows - 1) * self.step_y_m

    @property
    def center_m(self) -> tuple[float, float]:
        """Return the centre (m)."""
        width, depth = self.size_m
        return self.x0_m + width / 2, self.y0_m + depth / 2

    def height_m(self, x_m: float, y_m: float) -> float:
        """Return the height at a position (m); outside the terrain that of its nearest edge."""
        rows, columns = self.heights.shape
        u = min(max((x_m - self.x0_m) / self.step_x_m, 0.0), columns - 1.0)
        v = min(max((y_m - self.y0_m) / self.step_y_m, 0.0), rows - 1.0)
        i, j = min(int(u), columns - 2), min(int(v), rows - 2)
        (a, b), (c, d) = self.heights[j : j + 2, i : i + 2].astype(np.float64).tolist()
        u, v = u - i, v - j
        return float(a + (b - a) * u + (d - b) * v if u >= v else a + (d - c) * u + (c - a) * v)

    def triangles(self) -> Triangles:
        """Return its surface as triangles."""
        rows, columns = self.heights.shape
        x, y = np.meshgrid(self.x0_m + np.arange(columns) * self.step_x_m, self.y0_m + np.arange(rows) * self.step_y_m)
        vertices = np.column_stack([x.ravel(), y.ravel(), self.heights.astype(np.float64).ravel()])
        corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
        lower = np.column_stack([corner, corner + 1, corner + columns + 1])
        upper = np.column_stack([corner, corner + columns + 1, corner + columns])
        return Triangles(vertices, np.stack([lower, upper], axis=1).reshape(-1, 3))
