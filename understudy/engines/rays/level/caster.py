"""Level rays of whole batches: the plane of a device, the caster that suits its rays, and the number of threads.

A plane is what one layer of sensors sees at one height: the walls that cross it, with lists built when a cell is first
used, and the width of every round thing there. Devices on the same plane share it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.engines.cells import OUTSIDE
from understudy.engines.rays.level import visible_walls as wall_lists
from understudy.engines.rays.level.grid import CONE, NOTHING, SPHERE, Grid, Obstacles, build
from understudy.engines.rays.level.scan import Bodies, Fan, Work, work
from understudy.engines.rays.level.visible_walls import Lists, build_lists
from understudy.engines.rays.packed import BEAMS, CONES, SCAN, Packed, cast_rows, cast_rows_hits, pack, settle
from understudy.engines.rays.simd.llvm import WIDTH, aligned
from understudy.engines.rays.table import Hits, RayTable
from understudy.frozen import frozen

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BODY_CELL_M = 2.0
_CELLS_PER_BODY = 16  # more cells than that take longer to clear than they save
_ROOM = 1 << 14  # initial room for walls in lists


class MovingBodies(Protocol):
    """The movable bodies, as the caster needs them; rows of robots come first."""

    @property
    def world(self) -> Ints:
        """Return in which world each is; who is in another is not seen."""
        ...

    @property
    def place(self) -> Array:
        """Return x, y, heading by row."""
        ...

    @property
    def reach(self) -> Array:
        """Return the radius that contains each outline (m)."""
        ...

    @property
    def corners(self) -> Ints:
        """Return the number of corners of each; 0 is a disc."""
        ...

    @property
    def kind(self) -> Ints:
        """Return whether a body without corners is a cylinder, a cone or a sphere."""
        ...

    @property
    def outline(self) -> Array:
        """Return the corners, counter-clockwise."""
        ...

    @property
    def height(self) -> Array:
        """Return the lower and upper end of each (m)."""
        ...

    @property
    def mask(self) -> Ints:
        """Return the layers that see each."""
        ...

    @property
    def reflectance(self) -> Array:
        """Return the reflectance of each."""
        ...


class Plane:
    """What one layer sees at one height."""

    def __init__(self, fixed: Obstacles, layer: int, z: float, low: Array, high: Array) -> None:
        seen = (fixed.seg_mask & layer != 0) & (fixed.seg_z[:, 0] <= z) & (z <= fixed.seg_z[:, 1])
        self.seg: Array = np.ascontiguousarray(fixed.seg[seen])
        self.reflectance: Array = fixed.seg_reflectance[seen]
        nothing = fixed._replace(seg=self.seg, disc=np.zeros((0, 3)))
        self.grid: Grid = build(nothing, (float(low[0]), float(low[1])), (float(high[0]), float(high[1])))
        self.reach, self.margin = 0.0, 0.0
        self.bodies: Bodies

    def reach_to(self, limit: float, margin: float) -> None:
        """Start lists of everything up to *limit* away, for rays that start up to *margin* outside a cell."""
        self.reach, self.margin, self._used = limit, margin, 0
        self.lists: Lists = wall_lists.no_lists(self.grid, _ROOM, margin)
        self._scratch = wall_lists.scratch(len(self.seg))

    def learn(self, cells: Ints) -> None:
        """Build the lists of cells that are used for the first time."""
        done = 0
        while True:
            done, self._used = build_lists(
                cells, done, self.seg, self.grid, self.reach, self.lists, self._used, self._scratch
            )
            if done == len(cells):
                return
            self.lists = wall_lists.grown(self.lists, self._used)


@frozen(eq=False)
class RayGroup:
    """Rays of a table for one caster: those at one height, of one kind and width."""

    kind: int  # SCAN, CONES or BEAMS
    z: float
    columns: Ints | None  # None: all of the table
    fan: Fan
    rays: Array  # planes of origin x, y and direction x, y; none for a scan
    count: int
    reach: float
    half_rad: float  # half the width of cones; 0: rays


@dataclass(slots=True, eq=False)
class PlaneView:
    """Rays on a plane for compiled code: one packed world per thread, valid for one *version*."""

    part: RayGroup
    plane: Plane
    version: int
    worlds: tuple[Packed, ...]


class Sight:
    """Casts level rays for the robots of an engine."""

    def __init__(self, fixed: Obstacles, low: Array, high: Array, threads: int) -> None:
        self._fixed, self._low, self._high = fixed, low, high
        self.threads = max(1, threads)
        self.version = 0  # increases when arrays that packed worlds refer to were replaced
        self._planes: dict[tuple[int, float], Plane] = {}
        self._plans: dict[int, tuple[RayTable, tuple[RayGroup, ...]]] = {}
        self._views: dict[tuple[int, int], PlaneView] = {}
        self._stale = True

    def populate(self, movers: MovingBodies) -> None:
        """Set the bodies: the movable ones, and the fixed round things, which all worlds share."""
        self._movers, discs = movers, len(self._fixed.disc)
        self._moving = len(movers.place)
        count = self._moving + discs
        self._place: Array = np.zeros((count, 3))
        self._place[self._moving :, :2] = self._fixed.disc[:, :2]
        self._lay_cells(movers.world, discs)
        self._order: Ints = np.zeros(count, np.int64)
        self._x, self._y, self._cos, self._sin = np.zeros((4, count))
        self._cursor: Ints = np.zeros(count, np.int64)
        self._everyone: Ints = np.arange(self._moving)
        self._work: tuple[Work, ...] = ()
        self._plans.clear()
        self._views.clear()
        bases = np.unique(movers.height[:, 0])
        self._one_base = float(bases[0]) if len(bases) == 1 else None  # all stand on the same floor
        self._corners: Ints = np.concatenate([movers.corners, np.zeros(discs, np.int64)])
        self._outline: Array = np.concatenate([movers.outline, np.zeros((discs, *movers.outline.shape[1:]))])
        for (layer, z), plane in self._planes.items():
            plane.bodies = self._bodies(layer, z)
        self._unsorted = (self._bodies(0, 0.0), movers.place, self._place, self._cursor)
        cells = len(self._start) - 1
        first = cells if self._common == OUTSIDE else self._common
        self._sorting = pack(*self._unsorted, 0, self._moving, 0, first)
        if discs:
            bodies, place = self._unsorted[0], self._place
            settle(*pack(bodies, place[:0], place, self._cursor, self._moving, count, first, cells))
        self.version += 1
        self.moved()

    def _lay_cells(self, world: Ints, discs: int) -> None:
        """Choose the cells into which bodies are sorted: small, but not many more than bodies of one world."""
        size, crowds = np.maximum(self._high - self._low, BODY_CELL_M), np.bincount(world, minlength=1)
        bodies = int(crowds.max()) + discs
        self._cell = max(BODY_CELL_M, math.sqrt(size[0] * size[1] / (_CELLS_PER_BODY * (bodies + 1))))
        self._cells = (math.ceil(size[0] / self._cell), math.ceil(size[1] / self._cell))
        cells = self._cells[0] * self._cells[1]
        self._common = len(crowds) * cells if discs else OUTSIDE
        self._home: Ints = np.concatenate([world * cells, np.full(discs, self._common)])
        self._start: Ints = np.zeros((len(crowds) + (discs > 0)) * cells + 1, np.int64)

    def moved(self) -> None:
        """Record that something has moved since the last cast."""
        self._stale = True

    def settle(self) -> None:
        """Sort the bodies by their present positions."""
        if self._stale:
            settle(*self._sorting)
            self._stale = False

    def neighbours(self, robots: int) -> Ints:
        """Return this many first rows in an order in which neighbours are near each other."""
        return self._order[self._order < robots]

    def _bodies(self, layer: int, z: float) -> Bodies:
        """Return the bodies as a plane sees them."""
        movers, fixed = self._movers, self._fixed
        widths = _widths(movers.reach, movers.height, movers.kind, z)
        moving = np.where(_crosses(movers.height, movers.mask, layer, z), widths, 0.0)
        widths = _widths(fixed.disc[:, 2], fixed.disc_z, fixed.disc_kind, z)
        still = np.where(_crosses(fixed.disc_z, fixed.disc_mask, layer, z), widths, 0.0)
        radius = np.concatenate([moving, still])
        x0, y0 = float(self._low[0]), float(self._low[1])
        return Bodies(
            x0, y0, 1.0 / self._cell, *self._cells, self._start, self._order, self._x, self._y, self._cos,
            self._sin, radius, self._corners, self._outline, self._home, self._common,
            float(radius.max(initial=0.0)),
        )  # fmt: skip

    def _plane(self, layer: int, z: float, limit: float, margin: float) -> Plane:
        key = (layer, z)
        if key not in self._planes:
            self._planes[key] = Plane(self._fixed, layer, z, self._low, self._high)
            self._planes[key].bodies = self._bodies(layer, z)
        plane = self._planes[key]
        if limit > plane.reach or margin > plane.margin:
            plane.reach_to(max(limit, plane.reach), max(margin, plane.margin))
            self.version += 1
        return plane

    # ---- for compiled code

    def view(self, table: RayTable) -> PlaneView | None:
        """Return what compiled code needs to cast a table for any robot; None if robots or rays differ in height."""
        parts = self._plan(table) if table.level and self._one_base is not None else ()
        return self._view(parts[0], table, self._one_base) if len(parts) == 1 and self._one_base is not None else None

    def _view(self, part: RayGroup, table: RayTable, base: float) -> PlaneView:
        """Return a part's rays on the plane above *base*, repacked if an array was replaced."""
        plane = self._plane(table.layer, base + part.z, table.limit_m, part.reach)
        view = self._views.get((id(part), id(plane)))
        if view is None or view.version != self.version:
            self._make_room(part.count)
            worlds = tuple(
                pack(
                    part.fan, plane.grid, plane.seg, plane.lists, plane.bodies, room, self._movers.place,
                    part.rays, part.half_rad, part.reach,
                )
                for room in self._work
            )  # fmt: skip
            view = PlaneView(part, plane, self.version, worlds)
            self._views[id(part), id(plane)] = view
        return view

    def _make_room(self, rays: int) -> None:
        """Allocate work space for each thread."""
        if not self._work or len(self._work[0].z) < rays + WIDTH:
            self._work = tuple(work(rays, self._moving) for _ in range(self.threads))
            self.version += 1

    def learn(self, view: PlaneView, cells: Ints) -> None:
        """Build the lists that a cast lacked."""
        before = view.plane.lists.walls
        view.plane.learn(cells)
        self.version += view.plane.lists.walls is not before

    # ---- from Python

    def cast(self, table: RayTable, rows: Ints, out: Array) -> None:
        """Write the distances along the level rays of *table* for the robots *rows* into *out* (m)."""
        self.settle()
        if self._one_base is not None and len(parts := self._plan(table)) == 1 and parts[0].columns is None:
            self._cast_share(parts[0], table, self._one_base, rows, out)
            return
        for part, base, some in self._shares(table, rows):
            columns = np.arange(out.shape[1]) if part.columns is None else part.columns
            whole = part.columns is None and len(some) == len(rows)
            target = out if whole else np.empty((len(some), len(columns)))
            self._cast_share(part, table, base, rows[some], target)
            if not whole:
                out[np.ix_(some, columns)] = target

    def cast_hits(self, table: RayTable, rows: Ints, out: Array, hits: Hits) -> None:
        """Do the same as `cast`, and write what was hit; *robot* includes everything that can move."""
        self.settle()
        for part, base, some in self._shares(table, rows):
            columns = np.arange(out.shape[1]) if part.columns is None else part.columns
            where, shape = np.ix_(some, columns), (len(some), len(columns))
            target, which, cosine = np.empty(shape), np.empty(shape, np.int64), np.empty(shape)
            plane = self._cast_share(part, table, base, rows[some], target, which, cosine)
            bright, upright = self._looks(plane, base + part.z)
            out[where], hits.cosine[where] = target, cosine * upright[which]  # nothing is -1, the last entry
            hits.reflectance[where], mover = bright[which], which - len(plane.seg)
            hits.robot[where] = np.where((mover >= 0) & (mover < self._moving), mover, NOTHING)

    def _looks(self, plane: Plane, z: float) -> tuple[Array, Array]:
        """Return reflectance and uprightness at z of everything that can be hit on a plane; the last is for nothing."""
        movers, fixed = self._movers, self._fixed
        bright = (plane.reflectance, movers.reflectance, fixed.disc_reflectance, [0.0])
        moving = _upright(movers.reach, movers.height, movers.kind, z)
        still = _upright(fixed.disc[:, 2], fixed.disc_z, fixed.disc_kind, z)
        return np.concatenate(bright), np.concatenate([np.ones(len(plane.seg)), moving, still, [1.0]])

    def _shares(self, table: RayTable, rows: Ints) -> Iterator[tuple[RayGroup, float, Ints]]:
        """Yield the parts of a table, each with the robots, by their index in *rows*, that stand on one floor."""
        heights = self._movers.height[rows, 0]
        for part in self._plan(table):
            for base in [self._one_base] if self._one_base is not None else np.unique(heights):
                yield part, float(base), np.flatnonzero(heights == base)

    def _cast_share(
        self, part: RayGroup, table: RayTable, base: float, rows: Ints, out: Array, *hits: npt.NDArray[Any]
    ) -> Plane:
        """Cast for robots on one floor; those that lack a list are repeated when it has been built."""
        todo, view = self._everyone[: len(rows)], self._view(part, table, base)
        while len(todo):
            whole, real = view.worlds[0]
            if hits:
                missing = cast_rows_hits[part.kind](0, len(todo), todo, rows, whole, real, out, *hits)
            else:
                missing = cast_rows(part.kind, 0, len(todo), todo, rows, whole, real, out)
            if not missing:
                break
            todo = self._work[0].undone[:missing].copy()
            self.learn(view, self._work[0].missing[:missing])
            view = self._view(part, table, base)
        return view.plane

    def _plan(self, table: RayTable) -> tuple[RayGroup, ...]:
        known = self._plans.get(id(table))
        if known is None or known[0] is not table:
            known = self._plans[id(table)] = (table, tuple(_parts(table)))
        return known[1]


def _crosses(height: Array, mask: Ints, layer: int, z: float) -> npt.NDArray[np.bool_]:
    return np.asarray((mask & layer != 0) & (height[:, 0] <= z) & (z <= height[:, 1]))


def _widths(radius: Array, height: Array, kind: Ints, z: float) -> Array:
    """Return the radius of each round thing at height z (m)."""
    low, high = height.T
    cone = radius * (high - z) / np.where(kind == CONE, high - low, 1.0)
    sphere = np.sqrt(np.maximum(radius * radius - np.square(z - (low + high) / 2), 0.0))
    return np.where(kind == CONE, cone, np.where(kind == SPHERE, sphere, radius))


def _upright(radius: Array, height: Array, kind: Ints, z: float) -> Array:
    """Return the horizontal part of the normals of round things at height z; 1 for a cylinder."""
    cone = (height[:, 1] - height[:, 0]) / arrays.hypot(height[:, 1] - height[:, 0], radius)
    sphere = _widths(radius, height, kind, z) / radius
    return np.where(kind == CONE, cone, np.where(kind == SPHERE, sphere, 1.0))


def _parts(table: RayTable) -> list[RayGroup]:
    """Return how a table of level rays is cast: as one fan, or ray by ray, grouped by height and width."""
    if table.fan is not None:
        fan = _fan(table.fan, table.limit_m)
        return [RayGroup(SCAN, table.fan.z, None, fan, np.zeros(0), table.fan.rays, 0.0, 0.0)]
    parts, widths = [], np.broadcast_to(table.cone_rad, len(table.origins))
    groups = np.unique(np.column_stack([table.origins[:, 2], widths]), axis=0)
    for z, width in groups:
        chosen = np.nonzero((table.origins[:, 2] == z) & (widths == width))[0]
        origins, directions = table.origins[chosen, :2], table.directions[chosen, :2]
        rays = np.concatenate([*origins.T, *directions.T])
        reach = float(arrays.hypot(origins[:, 0], origins[:, 1]).max())
        columns = None if len(groups) == 1 else chosen
        kind, fan = CONES if width > 0.0 else BEAMS, _no_fan(table.limit_m)
        parts.append(RayGroup(kind, float(z), columns, fan, rays, len(chosen), reach, float(width) / 2))
    return parts


def _fan(spread: Any, limit: float) -> Fan:
    rays = spread.rays
    cos, sin = aligned(rays + 2 * WIDTH), aligned(rays + 2 * WIDTH)
    cos[:rays], sin[:rays] = arrays.cos(spread.angles), arrays.sin(spread.angles)
    first = float(spread.angles[0])
    per_rad = (rays - 1) / (float(spread.angles[-1]) - first) if rays > 1 else 1.0
    wide = spread.angles[-1] - first > math.pi + 1e-9
    return Fan(cos, sin, rays, first, per_rad, bool(wide), spread.x, spread.y, spread.yaw, limit)


def _no_fan(limit: float) -> Fan:
    """Return a placeholder fan where only its shape matters."""
    return Fan(np.zeros(2 * WIDTH), np.zeros(2 * WIDTH), 1, 0.0, 1.0, True, 0.0, 0.0, 0.0, limit)
