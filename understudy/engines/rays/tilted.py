"""Rays that are not level: cast in three dimensions, in a world that is built when the first of them is asked for."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from understudy.engines.rays.table import RayTable
from understudy.world.scene import Scene

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Upright(Protocol):
    """What can move on a floor: x, y, heading, and from where to where it reaches."""

    @property
    def place(self) -> Array:
        """Return x, y, heading by row."""
        ...

    @property
    def height(self) -> Array:
        """Return from where to where each reaches (m)."""
        ...


class Tilted:
    """Casts rays of any direction among the solids of a scene whose bodies stand upright."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._built = False

    def cast(self, table: RayTable, rows: Ints, movers: Upright, out: Array) -> None:
        """Write the distance along each ray of each robot of *rows* into *out* (m)."""
        from understudy.engines.rays import solids  # compiles: only scenes that look up or down need it

        if not self._built:
            self._world = solids.world_of(solids.solids_of(self._scene), solids.moving_of(self._scene))
            self._poses = np.zeros((len(movers.place), 6))
            self._built = True
        self._poses[:, 0:2], self._poses[:, 2] = movers.place[:, 0:2], movers.height[:, 0]
        self._poses[:, 5] = movers.place[:, 2]
        solids.place_moving(self._world, self._poses)
        solids.cast_solid_rows(table, rows, self._poses, self._world, out)
