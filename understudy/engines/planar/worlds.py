"""Many copies of one scene in one engine: what sensors ask of an engine, with the robots of all worlds as its rows.

Row ``world * robots + robot`` is that robot of that world. Walls and everything else that stands still is there once.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.engines.base import Array, Rows, Tree
from understudy.engines.joints import Chain, JointMotion, chain_of
from understudy.engines.planar import layout, tables
from understudy.engines.planar.layout import Movers
from understudy.engines.planar.resting_contacts import COLUMNS
from understudy.engines.planar.rows import NOBODY, Arena, Ints, pack
from understudy.engines.planar.world_columns import Columns, advance_worlds, find_contacts_of_worlds
from understudy.engines.rays.level.caster import Sight
from understudy.engines.rays.table import Hits, RayTable
from understudy.engines.servos import ServoTargets
from understudy.errors import EngineError
from understudy.world.scene import Scene
from understudy.world.shapes import row_of

if TYPE_CHECKING:
    from understudy.engines.rays.spatial.hits import HitDetails
    from understudy.engines.rays.spatial.solids import SolidWorld

FEW = 200  # worlds below which a second thread costs more than it gives
_ALONE = "not supported in many worlds; run the scene alone (us.load)"


class _Desk:
    """Where one thread brings world after world: an arena, and places, speeds, paths and targets of one world."""

    def __init__(self, scene: Scene, movers: Movers, floor: tables.FixedPieces) -> None:
        robots, every = len(scene.robots), len(movers.place)
        floor = floor._replace(pieces=floor.pieces.copy())  # a search leaves marks on them
        self._own = movers.place.copy(), np.zeros((every, 3)), np.zeros((robots, 3))
        self.targets = np.zeros((robots, 3))
        self._keep(tables.arena(scene, movers, floor))

    def _keep(self, arena: Arena) -> None:
        self.arena, self.packed = arena, pack(*self._own, *arena)

    def advance(self, first: int, last: int, targets: Array, columns: Columns) -> None:
        """Advance some worlds by one tick."""
        while (first := advance_worlds(first, last, targets, self.targets, columns, self.packed)) < last:
            self._keep(tables.with_more_pairs(self.arena))


class PlanarWorlds:
    """Copies of a flat scene without joints; what needs the third dimension is refused."""

    def __init__(self, scene: Scene, count: int, threads: int = 1) -> None:
        layout.refuse_what_is_not_flat(scene)
        self._scene, self.count, self.robots = scene, count, len(scene.robots)
        self._chain = chain_of(scene)
        if len(self._chain):
            raise EngineError(f"{self._chain.paths[0]} is a joint: {_ALONE}")
        fixed, self._start = layout.obstacles(scene), layout.movers(scene)
        low, high = layout.bounds(scene, fixed)
        floor, self._piece_masks = tables.floor(fixed, low, high), tables.masks(fixed)
        self._desks = [_Desk(scene, self._start, floor) for _ in range(max(1, threads))]
        self._pool: ThreadPoolExecutor | None = None
        self._things = tuple(thing.name for thing in layout.things(scene))
        self._lay_out(fixed, low, high)

    def _lay_out(self, fixed: Any, low: Array, high: Array) -> None:
        """Make the rows of all worlds."""
        count, robots, every = self.count, self.robots, len(self._start.place)
        world = np.arange(count)[:, None]
        self._rows: Ints = np.concatenate(
            [
                world * robots + np.arange(robots),
                count * robots + world * (every - robots) + np.arange(every - robots),
            ],
            axis=1,
        )  # by world and mover
        movers = Movers(*(self._of_all(column) for column in self._start))
        movers = movers._replace(world=self._of_all(self._start.world) + self._world_of_rows())
        self._order: Ints = self._desks[0].arena.pairs["row"][:every].copy()
        self._columns = Columns(
            movers.place, np.zeros((count * every, 3)), np.zeros((count * robots, 3)),
            np.zeros(count * robots, np.int64), np.full(count * robots, NOBODY), np.tile(self._order, (count, 1)),
        )  # fmt: skip
        poses = np.array([row_of(robot.pose) for robot in self._scene.robots]).reshape(-1, 6)
        self._poses: Array = np.tile(poses, (count, 1))
        self._sight = Sight(fixed, low, high, len(self._desks))
        self._sight.populate(movers)
        self._moved()

    def _of_all(self, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return a column of one world's movers for the movers of all worlds."""
        made = np.empty((self._rows.size, *column.shape[1:]), column.dtype)
        made[self._rows] = column
        return made

    def _world_of_rows(self) -> Ints:
        world = np.empty(self._rows.size, np.int64)
        world[self._rows] = np.arange(self.count)[:, None]
        return world

    # ---- motion

    def step(self, targets: Array) -> None:
        """Advance all worlds one tick; a row of *targets* is forward m/s, left m/s, turn rad/s."""
        shares = len(self._desks) if self.count >= FEW else 1
        cuts = [self.count * share // shares for share in range(shares + 1)]
        others = [
            self._threads().submit(desk.advance, first, last, targets, self._columns)
            for desk, first, last in zip(self._desks[1:shares], cuts[1:], cuts[2:])
        ]
        self._desks[0].advance(0, cuts[1], targets, self._columns)
        for other in others:
            other.result()
        self._moved()

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(len(self._desks) - 1, "worlds")
        return self._pool

    def _moved(self) -> None:
        self._sight.moved()
        place = self._columns.place[: len(self._poses)]
        self._poses[:, 0], self._poses[:, 1], self._poses[:, 5] = place.T
        self._twists: Array | None = None
        self._contacts: Array | None = None

    def restart(self, worlds: Rows) -> None:
        """Put everything in some worlds where the scene has it, at rest."""
        rows, columns = self._rows[worlds], self._columns
        columns.place[rows], columns.speed[rows] = self._start.place, 0.0
        robots = rows[:, : self.robots]
        columns.travel[robots], columns.stalled[robots], columns.who[robots] = 0.0, 0, NOBODY
        columns.order[worlds] = self._order
        self._moved()

    def move(self, name: str, worlds: Rows, places: Array) -> None:
        """Put a robot or a thing elsewhere in some worlds, at rest: x, y, heading (m, rad)."""
        mover = layout.names(self._scene).index(name)
        rows, columns = self._rows[worlds, mover], self._columns
        columns.place[rows, :2] = places[:, :2]
        columns.place[rows, 2] = [math.remainder(heading, math.tau) for heading in places[:, 2].tolist()]
        columns.speed[rows] = 0.0
        if mover < self.robots:
            columns.stalled[rows], columns.who[rows] = 0, NOBODY
        self._moved()

    # ---- what sensors ask

    def poses(self) -> Array:
        """Return x, y, z, roll, pitch, yaw of every robot (m, rad); a view."""
        return self._poses

    def twists(self) -> Array:
        """Return the velocities of every robot in the world's frame (m/s, rad/s)."""
        if self._twists is None:
            heading = self._columns.place[: len(self._poses), 2]
            cos, sin = arrays.cos(heading), arrays.sin(heading)
            v, lateral, turn = self._columns.speed[: len(self._poses)].T
            self._twists = np.zeros((len(self._poses), 6))
            self._twists[:, 0], self._twists[:, 1] = cos * v - sin * lateral, sin * v + cos * lateral
            self._twists[:, 5] = turn
        return self._twists

    def travel(self) -> Array:
        """Return the path rolled by the left and right wheels and sideways (m); a view."""
        return self._columns.travel

    def stalled(self) -> npt.NDArray[np.bool_]:
        """Say for every robot whether something holds it back."""
        return self._columns.stalled.astype(np.bool_)

    def contacts(self) -> Array:
        """Return all that robots touch now or met in the last step; the columns are those of the contract."""
        if self._contacts is None:
            desk, found = self._desks[0], np.empty((2 * len(self._poses) + 16, COLUMNS))
            order = np.empty(len(self._start.place), np.int64)
            given = self._columns, desk.packed, order, self._start.mask, self._piece_masks
            while (count := find_contacts_of_worlds(*given, found)) > len(found):
                found = np.empty((count, COLUMNS))
            self._contacts = found[:count][np.argsort(found[:count, 0], kind="stable")]
        return self._contacts

    def cast(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> None:
        """Write the distance to the first hit along each ray of each robot of *rows* into *out* (m)."""
        if places is not None or not table.level:
            _refuse("rays that are not level")
        self._sight.cast(table, rows, out)

    def cast_hits(self, table: RayTable, rows: Rows, out: Array, hits: Hits, places: Array | None = None) -> None:
        """Write distances as `cast` does, and into *hits* what was met, (rows, rays)."""
        if places is not None or not table.level:
            _refuse("rays that are not level")
        self._sight.cast_hits(table, rows, out, hits)
        hits.robot[hits.robot >= len(self._poses)] = NOBODY

    def cast_world(
        self, origins: Array, directions: Array, limit_m: float, layer: int, owners: Rows, out: Array, hits: Hits
    ) -> Array:
        """Refuse rays that may go anywhere."""
        _refuse("rays through space")

    def cast_things(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> HitDetails:
        """Refuse cameras."""
        _refuse("pictures")

    def matter(self) -> SolidWorld:
        """Refuse drawings."""
        _refuse("pictures")

    def clear(self, origins: Array, ends: Array, passed: Rows, layer: int) -> npt.NDArray[np.bool_]:
        """Refuse lines of sight through space."""
        _refuse("lines of sight through space")

    @property
    def chain(self) -> Chain:
        """Return the joints: there are none."""
        return self._chain

    def joints(self) -> JointMotion:
        """Return how the joints move: there are none."""
        return JointMotion(*np.zeros((3, 0)))

    @property
    def sight(self) -> Sight:
        """Return the caster of level rays."""
        return self._sight

    # ---- what users ask

    def things(self) -> tuple[tuple[str, ...], Array]:
        """Return what else can move, by name, and where each is: x, y, heading by world and thing (m, rad)."""
        return self._things, self._columns.place[self.count * self.robots :].reshape(self.count, -1, 3)

    def state_of(self, world: int) -> Tree:
        """Return all that influences the future of one world, as the engine of that world alone does."""
        rows, columns = self._rows[world], self._columns
        robots = rows[: self.robots]
        return {
            "place": columns.place[rows],
            "speed": columns.speed[rows],
            "travel": columns.travel[robots],
            "stalled": columns.stalled[robots].astype(np.bool_),
            "pans": np.zeros((2, 0)),
            "servos": ServoTargets(self._chain).state(),
        }


def _refuse(what: str) -> NoReturn:
    raise EngineError(f"{what}: {_ALONE}")
