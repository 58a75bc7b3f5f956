"""Level rays of whole batches: which plane a device looks along, which caster suits its rays, and how many threads.

A plane is what one layer of sensors sees at one height: the walls that cross it, with lists built when a cell is first
looked from, and the width of every round thing there. Devices that look along the same plane share it.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from understudy.engines.rays import lists as wall_lists
from understudy.engines.rays.grid import CONE, SPHERE, Grid, Obstacles, build
from understudy.engines.rays.lists import Lists, build_lists
from understudy.engines.rays.packed import Packed, pack, packed_beams, packed_cones, packed_scan
from understudy.engines.rays.scan import Bodies, Fan, Work, sort_bodies, work
from understudy.engines.rays.simd import WIDTH
from understudy.engines.rays.table import RayTable

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BODY_CELL_M = 2.0
FEW = 200  # robots below which a second thread costs more than it gives
_ROOM = 1 << 14  # walls in lists at first


class Movers(Protocol):
    """What can move, as the caster needs it; rows of robots come first."""

    @property
    def place(self) -> Array:
        """Return x, y, heading by row."""
        ...

    @property
    def reach(self) -> Array:
        """Return the radius that holds each outline (m)."""
        ...

    @property
    def corners(self) -> Ints:
        """Return how many corners each has; 0 is a disc."""
        ...

    @property
    def outline(self) -> Array:
        """Return the corners, counter-clockwise."""
        ...

    @property
    def height(self) -> Array:
        """Return from where to where each reaches (m)."""
        ...

    @property
    def mask(self) -> Ints:
        """Return which layers see each."""
        ...


class Plane:
    """What one layer sees at one height."""

    def __init__(self, fixed: Obstacles, layer: int, z: float, low: Array, high: Array) -> None:
        seen = (fixed.seg_mask & layer != 0) & (fixed.seg_z[:, 0] <= z) & (z <= fixed.seg_z[:, 1])
        self.seg: Array = np.ascontiguousarray(fixed.seg[seen])
        nothing = fixed._replace(seg=self.seg, disc=np.zeros((0, 3)))
        self.grid: Grid = build(nothing, (float(low[0]), float(low[1])), (float(high[0]), float(high[1])))
        self.reach = 0.0
        self.bodies: Bodies

    def reach_to(self, limit: float) -> None:
        """Make sure that lists hold what is up to *limit* away; begins them anew if they do not."""
        if limit > self.reach:
            self.reach, self._used = limit, 0
            self.lists: Lists = wall_lists.no_lists(self.grid, _ROOM)
            self._scratch = wall_lists.scratch(len(self.seg))

    def learn(self, cells: Ints) -> None:
        """Build the lists of cells that somebody looks from for the first time."""
        done = 0
        while True:
            done, self._used = build_lists(
                cells, done, self.seg, self.grid, self.reach, self.lists, self._used, self._scratch
            )
            if done == len(cells):
                return
            self.lists = wall_lists.grown(self.lists, self._used)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Rays of a table that one caster serves: those at one height, of one kind."""

    z: float
    columns: Ints | None  # None: all of the table
    fan: Fan
    rays: Array | None  # None: a fan; else planes of origin x, y and direction x, y
    count: int
    reach: float
    half_rad: float  # half the width of cones; 0: rays


class Sight:
    """Casts level rays for the robots of an engine."""

    def __init__(self, fixed: Obstacles, low: Array, high: Array, threads: int) -> None:
        self._fixed, self._low, self._high = fixed, low, high
        self._threads = max(1, threads)
        self._pool: ThreadPoolExecutor | None = None
        self._planes: dict[tuple[int, float], Plane] = {}
        self._plans: dict[int, tuple[RayTable, tuple[Part, ...]]] = {}
        self._packed: dict[int, tuple[Part, tuple[Array, ...], list[Packed]]] = {}
        self._work: list[Work] = []
        self._stale = True

    def populate(self, movers: Movers) -> None:
        """Take another set of bodies: those that can move, and the round things that cannot."""
        self._movers, discs = movers, len(self._fixed.disc)
        self._moving = len(movers.place)
        count = self._moving + discs
        self._place: Array = np.zeros((count, 3))
        self._place[self._moving :, :2] = self._fixed.disc[:, :2]
        size = np.maximum(self._high - self._low, BODY_CELL_M)
        self._cells = (math.ceil(size[0] / BODY_CELL_M), math.ceil(size[1] / BODY_CELL_M))
        self._start: Ints = np.zeros(self._cells[0] * self._cells[1] + 1, np.int64)
        self._order: Ints = np.zeros(count, np.int64)
        self._x, self._y, self._heading = np.zeros(count), np.zeros(count), np.zeros(count)
        self._cursor: Ints = np.zeros(count, np.int64)
        self._everyone: Ints = np.arange(self._moving)
        self._work = []
        self._plans.clear()
        self._packed.clear()
        bases = np.unique(movers.height[:, 0])
        self._one_base = float(bases[0]) if len(bases) == 1 else None  # all stand on the same floor
        self._corners: Ints = np.concatenate([movers.corners, np.zeros(discs, np.int64)])
        self._outline: Array = np.concatenate([movers.outline, np.zeros((discs, *movers.outline.shape[1:]))])
        for (layer, z), plane in self._planes.items():
            plane.bodies = self._bodies(layer, z)
        self.moved()

    def moved(self) -> None:
        """Hear that something has moved since the last cast."""
        self._stale = True

    def _bodies(self, layer: int, z: float) -> Bodies:
        """Return the bodies as a plane sees them."""
        movers, fixed = self._movers, self._fixed
        moving = np.where(_crosses(movers.height, movers.mask, layer, z), movers.reach, 0.0)
        widths = _widths(fixed, z)
        still = np.where(_crosses(fixed.disc_z, fixed.disc_mask, layer, z), widths, 0.0)
        radius = np.concatenate([moving, still])
        x0, y0 = float(self._low[0]), float(self._low[1])
        return Bodies(
            x0, y0, 1.0 / BODY_CELL_M, *self._cells, self._start, self._order, self._x, self._y, self._heading,
            radius, self._corners, self._outline, float(radius.max(initial=0.0)),
        )  # fmt: skip

    def _plane(self, layer: int, z: float, limit: float) -> Plane:
        key = (layer, z)
        if key not in self._planes:
            self._planes[key] = Plane(self._fixed, layer, z, self._low, self._high)
            self._planes[key].bodies = self._bodies(layer, z)
        plane = self._planes[key]
        plane.reach_to(limit)
        return plane

    def cast(self, table: RayTable, rows: Ints, out: Array) -> None:
        """Write the distances along the level rays of *table* for the robots *rows* into *out* (m)."""
        if self._stale:
            self._place[: self._moving] = self._movers.place
            bodies = next(iter(self._planes.values())).bodies if self._planes else self._bodies(0, 0.0)
            sort_bodies(self._place, bodies, self._cursor)
            self._stale = False
        for part in self._plan(table):
            target = out if part.columns is None else np.empty((len(rows), len(part.columns)))
            self._cast_part(part, table, rows, target)
            if part.columns is not None:
                out[:, part.columns] = target

    def _cast_part(self, part: Part, table: RayTable, rows: Ints, out: Array) -> None:
        if self._one_base is not None:
            self._spread(part, self._plane(table.layer, self._one_base + part.z, table.limit_m), rows, out)
            return
        for base in np.unique(self._movers.height[rows, 0]):
            plane = self._plane(table.layer, float(base) + part.z, table.limit_m)
            chosen = np.nonzero(self._movers.height[rows, 0] == base)[0]
            some = np.empty((len(chosen), out.shape[1]))
            self._spread(part, plane, rows[chosen], some)
            out[chosen] = some

    def _spread(self, part: Part, plane: Plane, rows: Ints, out: Array) -> None:
        """Cast for all rows, in slices on several threads if there are many; rows that lack a list are done again."""
        todo = self._everyone[: len(rows)]
        while len(todo):
            shares = self._threads if len(todo) >= FEW else 1
            missing = self._run(part, plane, shares, todo, rows, out)
            if not any(missing):
                return
            for share, count in enumerate(missing):
                plane.learn(self._work[share].missing[:count])
            todo = np.concatenate([self._work[share].undone[:count] for share, count in enumerate(missing)])

    def _run(self, part: Part, plane: Plane, shares: int, todo: Ints, rows: Ints, out: Array) -> list[int]:
        """Cast for the rows *todo* and return how many of each share lacked a list."""
        worlds = self._worlds(part, plane, shares)
        if shares == 1:
            return [_cast_slice(part, worlds[0], 0, len(todo), todo, rows, out)]
        cuts = [len(todo) * share // shares for share in range(shares + 1)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads - 1, "rays")
        others = [
            self._pool.submit(_cast_slice, part, worlds[share], cuts[share], cuts[share + 1], todo, rows, out)
            for share in range(1, shares)
        ]
        mine = _cast_slice(part, worlds[0], 0, cuts[1], todo, rows, out)
        return [mine, *(other.result() for other in others)]

    def _worlds(self, part: Part, plane: Plane, shares: int) -> list[Packed]:
        """Return what every thread needs to know, packed; made anew when something of it was replaced."""
        if len(self._work) < shares or len(self._work[0].z) < part.count + WIDTH:
            rays = max(part.count, len(self._work[0].z) if self._work else 0)
            self._work = [work(rays, len(self._everyone)) for _ in range(max(shares, len(self._work)))]
        key = (plane.lists.walls, plane.bodies.radius, self._work[0].z, self._movers.place)
        known = self._packed.get(id(part))
        if (
            known is None
            or known[0] is not part
            or len(known[2]) < shares
            or any(a is not b for a, b in zip(known[1], key))
        ):
            worlds = [
                pack(part.fan, plane.grid, plane.seg, plane.lists, plane.bodies, room, self._movers.place)
                for room in self._work
            ]
            known = self._packed[id(part)] = (part, key, worlds)
        return known[2]

    def _plan(self, table: RayTable) -> tuple[Part, ...]:
        known = self._plans.get(id(table))
        if known is None or known[0] is not table:
            known = self._plans[id(table)] = (table, tuple(_parts(table)))
        return known[1]


def _cast_slice(part: Part, world: Packed, first: int, last: int, todo: Ints, rows: Ints, out: Array) -> int:
    """Cast the rays of the rows todo[first:last]; return how many lacked a list."""
    if part.rays is None:
        return int(packed_scan(first, last, todo, rows, world.whole, world.real, out))
    if part.half_rad > 0.0:
        return int(
            packed_cones(first, last, todo, rows, part.rays, part.half_rad, part.reach, world.whole, world.real, out)
        )
    return int(packed_beams(first, last, todo, rows, part.rays, part.reach, world.whole, world.real, out))


def _crosses(height: Array, mask: Ints, layer: int, z: float) -> npt.NDArray[np.bool_]:
    return np.asarray((mask & layer != 0) & (height[:, 0] <= z) & (z <= height[:, 1]))


def _widths(fixed: Obstacles, z: float) -> Array:
    """Return the radius that each round thing shows at height z (m)."""
    r, low, high = fixed.disc[:, 2], fixed.disc_z[:, 0], fixed.disc_z[:, 1]
    cone = r * (high - z) / (high - low)
    sphere = np.sqrt(np.maximum(r * r - (z - (low + high) / 2) ** 2, 0.0))
    return np.where(fixed.disc_kind == CONE, cone, np.where(fixed.disc_kind == SPHERE, sphere, r))


def _parts(table: RayTable) -> list[Part]:
    """Return how a table of level rays is cast: as one fan, or ray by ray, height by height."""
    if table.fan is not None:
        return [Part(table.fan.z, None, _fan(table.fan, table.limit_m), None, table.fan.rays, 0.0, 0.0)]
    parts = []
    heights = np.unique(table.origins[:, 2])
    for z in heights:
        chosen = np.nonzero(table.origins[:, 2] == z)[0]
        origins, directions = table.origins[chosen, :2], table.directions[chosen, :2]
        rays = np.concatenate([*origins.T, *directions.T])
        reach = float(np.hypot(origins[:, 0], origins[:, 1]).max())
        columns = None if len(heights) == 1 else chosen
        parts.append(Part(float(z), columns, _no_fan(table.limit_m), rays, len(chosen), reach, table.cone_rad / 2))
    return parts


def _fan(spread: Any, limit: float) -> Fan:
    rays = spread.rays
    cos, sin = np.zeros(rays + 2 * WIDTH), np.zeros(rays + 2 * WIDTH)
    cos[:rays], sin[:rays] = np.cos(spread.angles), np.sin(spread.angles)
    first = float(spread.angles[0])
    per_rad = (rays - 1) / (float(spread.angles[-1]) - first) if rays > 1 else 1.0
    wide = spread.angles[-1] - first > math.pi + 1e-9
    return Fan(cos, sin, rays, first, per_rad, bool(wide), spread.x, spread.y, spread.yaw, limit)


def _no_fan(limit: float) -> Fan:
    """Return a fan that stands in where only its shape is asked for."""
    return Fan(np.zeros(2 * WIDTH), np.zeros(2 * WIDTH), 1, 0.0, 1.0, True, 0.0, 0.0, 0.0, limit)
