"""Rays that are not level: cast in three dimensions, in a world that is built at the first such cast."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from understudy.assets.files import Contents
from understudy.assets.library import Library
from understudy.elementary import arrays
from understudy.engines.rays.table import Hits, RayTable
from understudy.world.rotations import turns_of
from understudy.world.scene import Scene

if TYPE_CHECKING:
    from understudy.engines.joints import Chain
    from understudy.engines.rays.spatial.hits import HitDetails, Numbers
    from understudy.engines.rays.spatial.solids import SolidWorld
    from understudy.engines.rays.spatial.texture_lookup import TextureLookup

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_FAN_RAD = math.radians(1.0)  # between two rays that represent a cone
_NEAR_M = 1e-6  # anything this near to the end of a line of sight does not block it


class Upright(Protocol):
    """The movable bodies on a floor: x, y, heading, lower and upper end."""

    @property
    def place(self) -> Array:
        """Return x, y, heading by row."""
        ...

    @property
    def height(self) -> Array:
        """Return the lower and upper end of each (m)."""
        ...


class Tilted:
    """Casts rays of any direction among the solids, meshes and terrain of a scene with upright bodies."""

    def __init__(self, scene: Scene, files: Contents | None = None) -> None:
        self._scene, self._files = scene, Library.of(files)
        self._robots = len(scene.robots)
        self._built = False
        self._fans: dict[int, tuple[RayTable, RayTable, Ints]] = {}
        self._numbers: Numbers | None = None
        self._texture_lookup: TextureLookup | None = None
        self.joints: Callable[[], tuple[Chain, Array]] | None = None  # returns the joints and their positions

    def cast(
        self, table: RayTable, rows: Ints, movers: Upright | None, out: Array, places: Array | None = None
    ) -> None:
        """Write the distance along each ray of each robot of *rows* into *out* (m); *places* are other frames' poses.

        A cone counts as the ray along its axis.
        """
        from understudy.engines.rays.spatial import solids  # compiles: only scenes that look up or down need it

        self._place(movers)
        solids.cast_from_places(table, rows, self._frames(rows, places), self._world, out)

    def see(self, table: RayTable, rows: Ints, movers: Upright | None, out: Array, places: Array | None = None) -> None:
        """Write distances as `cast` does (m); for a cone, that to the nearest hit of a fan of rays."""
        if not np.any(np.asarray(table.cone_rad) > 0.0):
            self.cast(table, rows, movers, out, places)
            return
        fan, first = self._fan(table)
        hits = np.empty((len(rows), len(fan.origins)))
        self.cast(fan, rows, movers, hits, places)
        out[:] = np.minimum.reduceat(hits, first, axis=1)

    def _frames(self, rows: Ints, places: Array | None) -> Array:
        """Return the poses that the rays of *rows* start from."""
        return self._poses[rows] if places is None else places

    def _fan(self, table: RayTable) -> tuple[RayTable, Ints]:
        """Return the rays that represent the cones of a table, and where those of each begin."""
        known = self._fans.get(id(table))
        if known is None or known[0] is not table:
            known = self._fans[id(table)] = (table, *_spread(table))
        return known[1], known[2]

    def cast_hits(
        self, table: RayTable, rows: Ints, movers: Upright | None, out: Array, hits: Hits, places: Array | None = None
    ) -> None:
        """Write the distance along each ray of each robot of *rows* (m), and what was hit."""
        from understudy.engines.rays.spatial import normals, solids

        self._place(movers)
        which, frames = np.empty(out.shape, np.int64), self._frames(rows, places)
        solids.cast_from_places(table, rows, frames, self._world, out, which)
        turns = turns_of(frames)[:, None]
        origins, ways = (normals.turned(turns, vectors) for vectors in (table.origins, table.directions))
        points = frames[:, None, :3] + origins + out[..., None] * ways
        normals.describe(self._world, which, points, ways, self._robots, hits)

    def cast_world(
        self, origins: Array, ways: Array, limit_m: float, layer: int, owners: Ints, movers: Upright | None, out: Array,
        hits: Hits,
    ) -> Array:  # fmt: skip
        """Write the distance along each ray in the world frame (m) and what was hit; return the normals there."""
        from understudy.engines.rays.spatial import normals, solids

        self._place(movers)
        distances, which = np.empty((len(origins), 1)), np.empty((len(origins), 1), np.int64)
        solids.cast_ahead(_looking(origins, ways), owners, limit_m, layer, self._world, distances, which)
        out[:] = distances[:, 0]
        points = origins + distances * ways
        return normals.describe(self._world, which[:, 0], points, ways, self._robots, hits)

    def cast_things(
        self, table: RayTable, rows: Ints, movers: Upright | None, out: Array, places: Array | None = None
    ) -> HitDetails:
        """Write the distance along each ray of each robot of *rows* (m); return the things that were hit."""
        from understudy.engines.rays.spatial import hits, solids, texture_lookup

        self._place(movers)
        which, frames = np.empty(out.shape, np.int64), self._frames(rows, places)
        solids.cast_from_places(table, rows, frames, self._world, out, which)
        self._numbers = self._numbers or hits.numbers_of(self._scene)
        self._texture_lookup = self._texture_lookup or texture_lookup.TextureLookup(
            self._scene, self._world.textures, self._files
        )
        return hits.things_met(self._world, self._numbers, self._texture_lookup, table, frames, out, which)

    def matter(self, movers: Upright | None) -> SolidWorld:
        """Return everything that rays can hit, at its present position."""
        self._place(movers)
        return self._world

    def clear(self, origins: Array, ends: Array, passed: Ints, layer: int, movers: Upright | None) -> Bools:
        """Return for each pair of points whether nothing is between them except the two movers of *passed*."""
        from understudy.engines.rays.spatial import solids
        from understudy.engines.rays.spatial.solid_shapes import NOTHING

        self._place(movers)
        away = ends - origins
        length = arrays.lengths(away)
        places = _looking(origins, away)
        hits, which = np.empty((len(origins), 1)), np.empty((len(origins), 1), np.int64)
        limit = float(length.max(initial=_NEAR_M))
        solids.cast_ahead(places, passed[:, 0], limit, layer, self._world, hits, which)
        met = which[:, 0]
        other = (passed[:, 1] >= 0) & (self._world.owners(met) == passed[:, 1])
        return np.asarray((met == NOTHING) | (hits[:, 0] >= length - _NEAR_M) | other)

    def _place(self, movers: Upright | None) -> None:
        """Build the world at the first use, and update the poses of movable things."""
        from understudy.engines.rays.spatial import solids
        from understudy.engines.rays.spatial.matter import scene_world

        assert movers is not None
        if not self._built:
            self._world = scene_world(self._scene, self._files)
            self._poses = np.zeros((len(movers.place), 6))
            self._built = True
        self._poses[:, 0:2], self._poses[:, 2] = movers.place[:, 0:2], movers.height[:, 0]
        self._poses[:, 5] = movers.place[:, 2]
        solids.place_moving(self._world, self._poses)
        self._carry()

    def _carry(self) -> None:
        """Update the poses of what joints carry; only cameras see it."""
        if self._world.carried is not None and self.joints is not None:
            from understudy.engines.rays.spatial.worn_looks import put_carried

            put_carried(self._world, self._poses, *self.joints())


def _looking(origins: Array, ways: Array) -> Array:
    """Return the poses of frames at *origins* that look along *ways*."""
    places = np.zeros((len(origins), 6))
    places[:, :3] = origins
    places[:, 4] = arrays.atan2(-ways[:, 2], arrays.hypot(ways[:, 0], ways[:, 1]))
    places[:, 5] = arrays.atan2(ways[:, 1], ways[:, 0])
    return places


def _spread(table: RayTable) -> tuple[RayTable, Ints]:
    widths = np.broadcast_to(table.cone_rad, len(table.origins))
    counts = np.where(widths > 0.0, 2 * np.ceil(widths / 2 / _FAN_RAD).astype(np.int64) + 1, 1)
    angles = np.concatenate([np.linspace(-w / 2, w / 2, n) if n > 1 else np.zeros(1) for w, n in zip(widths, counts)])
    origins, ways = (np.repeat(array, counts, axis=0) for array in (table.origins, table.directions))
    cos, sin = arrays.cos(angles), arrays.sin(angles)
    turned = np.column_stack([cos * ways[:, 0] - sin * ways[:, 1], sin * ways[:, 0] + cos * ways[:, 1], ways[:, 2]])
    first = np.concatenate([[0], np.cumsum(counts)[:-1]])
    fan = replace(table, origins=origins, directions=turned, fan=None, cone_rad=0.0, lengths=None)
    return fan, first.astype(np.int64)
