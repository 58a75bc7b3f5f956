"""Rays among bodies that lie in any way, by the casters that the planar engine has.

While everybody stands level, level rays are cast as on a floor plan, which is exact and fast. Else every ray is cast in
three dimensions, and a cone becomes a fan of rays in its robot's own plane.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from understudy.engines.rays import solids
from understudy.engines.rays.matter import scene_world
from understudy.engines.rays.table import RayTable
from understudy.engines.rays.tilted import Tilted, Upright
from understudy.engines.rigid.rows import Array, Ints
from understudy.formats.library import Library
from understudy.world.scene import Scene

_FAN_RAD = math.radians(1.0)  # between two rays that stand for a cone


class Leaning(Tilted):
    """Casts rays of any direction among bodies whose poses have six numbers, one row of *poses* each."""

    def __init__(self, scene: Scene, poses: Array, files: Library) -> None:
        super().__init__(scene, files)
        moving = solids.with_parts(solids.moving_of(scene), scene)
        self.world = self._world = scene_world(scene, files, moving)
        self._poses, self._built, self._stale = poses, True, True
        self._fans: dict[int, tuple[RayTable, RayTable, Ints]] = {}

    def moved(self) -> None:
        """Hear that something has moved."""
        self._stale = True

    def _place(self, movers: Upright | None) -> None:
        if self._stale:
            solids.place_moving(self._world, self._poses)
            self._stale = False

    def see(self, table: RayTable, rows: Ints, out: Array) -> None:
        """Write the distance along each ray of each robot of *rows* into *out* (m); of a cone that to the nearest."""
        if not np.any(np.asarray(table.cone_rad) > 0.0):
            self.cast(table, rows, None, out)
            return
        fan, first = self._fan(table)
        hits = np.empty((len(rows), len(fan.origins)))
        self.cast(fan, rows, None, hits)
        out[:] = np.minimum.reduceat(hits, first, axis=1)

    def _fan(self, table: RayTable) -> tuple[RayTable, Ints]:
        """Return the rays that stand for the cones of a table, and where those of each begin."""
        known = self._fans.get(id(table))
        if known is None or known[0] is not table:
            known = self._fans[id(table)] = (table, *_spread(table))
        return known[1], known[2]


def _spread(table: RayTable) -> tuple[RayTable, Ints]:
    widths = np.broadcast_to(table.cone_rad, len(table.origins))
    counts = np.where(widths > 0.0, 2 * np.ceil(widths / 2 / _FAN_RAD).astype(np.int64) + 1, 1)
    angles = np.concatenate([np.linspace(-w / 2, w / 2, n) if n > 1 else np.zeros(1) for w, n in zip(widths, counts)])
    origins, ways = (np.repeat(array, counts, axis=0) for array in (table.origins, table.directions))
    cos, sin = np.cos(angles), np.sin(angles)
    turned = np.column_stack([cos * ways[:, 0] - sin * ways[:, 1], sin * ways[:, 0] + cos * ways[:, 1], ways[:, 2]])
    first = np.concatenate([[0], np.cumsum(counts)[:-1]])
    fan = replace(table, origins=origins, directions=turned, fan=None, cone_rad=0.0, lengths=None)
    return fan, first.astype(np.int64)
