"""The planar engine behind the contract: a floor plan, robots as rows, one compiled call per tick."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from understudy.assets.files import Contents
from understudy.assets.library import Library
from understudy.elementary import arrays
from understudy.engines.base import Array, Rows, Tree
from understudy.engines.joints import JointMotion, chain_of
from understudy.engines.planar import layout, tables
from understudy.engines.planar.ball import roll
from understudy.engines.planar.motion import BEGIN, DRIVE, FINISH, NO_ROOM, ROLL, advance
from understudy.engines.planar.push import shove
from understudy.engines.planar.resting_contacts import contacts
from understudy.engines.planar.rows import NOBODY, Arena, Ints, Records, pack
from understudy.engines.rays.level.caster import Sight
from understudy.engines.rays.spatial.caster import Tilted
from understudy.engines.rays.table import Hits, RayTable
from understudy.engines.servos import ServoTargets
from understudy.errors import EngineError
from understudy.jit import prepare
from understudy.world import changes
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Ground, Scene, Solid, Thing, Wall
from understudy.world.shapes import Pose, pose_of, row_of

if TYPE_CHECKING:
    from understudy.engines.rays.spatial.hits import HitDetails
    from understudy.engines.rays.spatial.solids import SolidWorld


class PlanarEngine:
    """Robots on a flat floor: z, roll and pitch stay what the scene says."""

    def __init__(self, scene: Scene, threads: int = 1, files: Contents | None = None) -> None:
        layout.refuse_what_is_not_flat(scene)
        self._threads, self._files = threads, Library.of(files)
        self._scene = scene
        self._lay_out_fixed()
        self._lay_out_movers()

    def _lay_out_fixed(self) -> None:
        fixed = layout.obstacles(self._scene)
        low, high = layout.bounds(self._scene, fixed)
        self._floor, self._masks = tables.floor(fixed, low, high), tables.masks(fixed)
        self._sight = Sight(fixed, low, high, self._threads)

    def _lay_out_movers(self) -> None:
        """Make the rows of everything that can move, at rest in the scene's poses."""
        robots = self._scene.robots
        self._movers = layout.movers(self._scene)
        count, every = len(robots), len(self._movers.place)
        self._laid = self._movers.place.copy()
        self._poses = np.array([row_of(robot.pose) for robot in robots]).reshape(-1, 6)
        self._speed, self._travel = np.zeros((every, 3)), np.zeros((count, 3))
        self._keep(tables.arena(self._scene, self._movers, self._floor))
        self._sight.populate(self._movers)
        self._tilted = Tilted(self._scene, self._files)
        self.chain = chain_of(self._scene)
        self._pans, self._servos = self.chain.starts, ServoTargets(self.chain)
        self._tilted.joints = lambda: (self.chain, self._pans)
        self._panning = np.zeros(len(self.chain))

    def _keep(self, arena: Arena) -> None:
        """Use these rows from now on."""
        self._arena, self._packed = arena, pack(self._movers.place, self._speed, self._travel, *arena)

    def step(self, targets: Array) -> None:
        """Advance one tick; a row of *targets* is forward m/s, left m/s, turn rad/s."""
        self.finish(targets, advance(BEGIN, targets, self._packed))

    def finish(self, targets: Array, wanted: int) -> None:
        """Do the rest of a tick that compiled code has begun, by what it *wanted* then."""
        while wanted:
            stage = BEGIN
            if wanted == NO_ROOM:
                self._keep(tables.with_more_pairs(self._arena))
            elif wanted == ROLL:
                roll(self._packed)
                stage = DRIVE
            else:
                shove(self._packed)
                stage = FINISH
            wanted = advance(stage, targets, self._packed)
        if len(self._pans):
            self._pan()
        self._sight.moved()

    def _pan(self) -> None:
        """Let servos turn what they carry; nothing blocks them."""
        tick_s = self._scene.tick_us / 1e6
        speeds = np.where(self._servos.driven, self._servos.speeds(self._pans, 1.0 / tick_s), 0.0)
        before, self._pans = self._pans, self.chain.geared(self._pans + speeds * tick_s)
        self._panning = (self._pans - before) / tick_s

    @property
    def packed(self) -> Ints:
        """Return the rows of this engine as its kernels take them; another array after a structural change."""
        return self._packed

    def aim(self, row: int, position: float) -> None:
        """Move a joint's servo to a position (rad)."""
        self._servos.aim(row, position)

    def turn(self, row: int, speed: float) -> None:
        """Move a joint's servo at a speed (rad/s)."""
        self._servos.turn(row, speed)

    def joints(self) -> JointMotion:
        """Return the present motion of the joints; the effort is unknown."""
        return JointMotion(self._pans, self._panning, np.zeros(len(self._pans)))

    def prepare(self) -> None:
        """Make sure that the kernels of a tick are compiled, also those for pushing and rolling balls."""
        prepare(advance, BEGIN, np.zeros((len(self._travel), 3)), self._packed)
        if layout.things(self._scene):
            prepare(shove, self._packed)
        if self._scene.balls:
            prepare(roll, self._packed)
        self.contacts()

    def poses(self) -> Array:
        """Return x, y, z, roll, pitch, yaw of every robot (m, rad); a view."""
        place = self._movers.place[: len(self._poses)]
        self._poses[:, 0], self._poses[:, 1], self._poses[:, 5] = place[:, 0], place[:, 1], place[:, 2]
        return self._poses

    def movables(self) -> tuple[tuple[str, ...], Array]:
        """Return the other movable objects, things and balls, by name, and their poses."""
        count = len(self._poses)
        things = layout.things(self._scene)
        rows = np.array([row_of(thing.pose) for thing in things]).reshape(-1, 6)
        rows[:, 0], rows[:, 1], rows[:, 5] = self._movers.place[count:].T
        return tuple(thing.name for thing in things), rows

    def structure(self) -> tuple[object, ...]:
        """Return the parts of the scene; unchanged parts stay the same objects."""
        scene = self._scene
        return scene.ground, scene.walls, scene.lights, scene.marks, self._movers, self._floor

    def twists(self) -> Array:
        """Return the velocities of every robot in the world frame (m/s, rad/s)."""
        heading = self._movers.place[: len(self._poses), 2]
        cos, sin = arrays.cos(heading), arrays.sin(heading)
        v, lateral, turn = self._speed[: len(self._poses)].T
        rows = np.zeros((len(self._poses), 6))
        rows[:, 0], rows[:, 1], rows[:, 5] = cos * v - sin * lateral, sin * v + cos * lateral, turn
        return rows

    def travel(self) -> Array:
        """Return the path rolled by the left and right wheels and sideways (m); a view."""
        return self._travel

    def stalled(self) -> npt.NDArray[np.bool_]:
        """Return for every robot whether it is stalled; a view."""
        return self._robots["stalled"].astype(np.bool_)

    def contacts(self) -> Array:
        """Return all present contacts of robots and those of the last step; the columns are those of the contract."""
        return contacts(self._packed, self._movers, self._masks, len(self._travel))

    @property
    def _robots(self) -> Records:
        return self._arena.rows[: len(self._travel)]

    def cast(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> None:
        """Write the distance to the first hit along each ray of each robot of *rows* into *out* (m)."""
        if places is not None:
            self._tilted.see(table, rows, self._movers, out, places)
        elif table.level:
            self._sight.cast(table, rows, out)
        else:
            self._tilted.cast(table, rows, self._movers, out)

    def cast_hits(self, table: RayTable, rows: Rows, out: Array, hits: Hits, places: Array | None = None) -> None:
        """Write distances as `cast` does, and into *hits* what was hit, (rows, rays)."""
        if table.level and places is None:
            self._sight.cast_hits(table, rows, out, hits)
            hits.robot[hits.robot >= len(self._poses)] = NOBODY
        else:
            self._tilted.cast_hits(table, rows, self._movers, out, hits, places)

    def cast_world(
        self, origins: Array, directions: Array, limit_m: float, layer: int, owners: Rows, out: Array, hits: Hits
    ) -> Array:
        """Write the distance along each ray in the world frame and what was hit; return the normals there."""
        return self._tilted.cast_world(origins, directions, limit_m, layer, owners, self._movers, out, hits)

    def cast_things(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> HitDetails:
        """Write distances as `cast` does; return the things that were hit."""
        return self._tilted.cast_things(table, rows, self._movers, out, places)

    def matter(self) -> SolidWorld:
        """Return everything that rays can hit, at its present position."""
        return self._tilted.matter(self._movers)

    def clear(self, origins: Array, ends: Array, passed: Rows, layer: int) -> npt.NDArray[np.bool_]:
        """Return for each pair of points (m) whether nothing that *layer* sees is between them."""
        return self._tilted.clear(origins, ends, passed, layer, self._movers)

    @property
    def sight(self) -> Sight:
        """Return the caster of level rays."""
        return self._sight

    def rebuild(self, scene: Scene) -> None:
        """Apply a changed scene; things with the same name and pose keep their motion; odometry is not affected."""
        layout.refuse_what_is_not_flat(scene)
        before, kept = self._scene, self._state_by_name()
        pans, servos = dict(zip(self.chain.paths, zip(self._pans, self._panning))), self._servos
        now = {thing.name: thing.pose for thing in (*self.scene().robots, *layout.things(self.scene()))}
        self._scene = scene
        if _fixed(scene) != _fixed(before):
            self._lay_out_fixed()
        self._lay_out_movers()
        for row, robot in enumerate(scene.robots):
            if robot.name not in kept:
                continue
            place, speed, self._travel[row], stalled = kept[robot.name]
            if now[robot.name] == robot.pose:
                self._movers.place[row], self._speed[row], self._robots["stalled"][row] = place, speed, stalled
        for row, thing in enumerate(layout.things(scene), len(scene.robots)):
            if now.get(thing.name) == thing.pose:
                self._movers.place[row], self._speed[row], _, _ = kept[thing.name]
        self._servos.keep(servos)
        for row, path in enumerate(self.chain.paths):
            self._pans[row], self._panning[row] = pans.get(path, (self._pans[row], 0.0))
        self._sight.moved()

    def _state_by_name(self) -> dict[str, tuple[Array, Array, Array, int]]:
        """Return what each mover keeps across a structural change of the world."""
        rest = len(self._speed) - len(self._travel)
        return {
            name: (place.copy(), speed.copy(), travel, int(stalled))
            for name, place, speed, travel, stalled in zip(
                layout.names(self._scene),
                self._movers.place,
                self._speed,
                [*self._travel.copy(), *np.zeros((rest, 3))],
                self._arena.rows["stalled"],
            )
        }

    def move(self, name: str, pose: Pose) -> None:
        """Move a thing to another pose, at rest; odometry is not affected."""
        thing, names = changes.find(self._scene, name), layout.names(self._scene)
        if isinstance(thing, PlacedRobot) and (pose.pitch_rad or pose.roll_rad):
            raise EngineError(f"{name}: the planar engine does not support tilted poses; use --engine rigid")
        if name not in names or (not isinstance(thing, PlacedRobot) and _leaves_floor(thing, pose)):
            self.rebuild(changes.apply(self.scene(), changes.Move(name, pose)))
            return
        row = names.index(name)
        self._movers.place[row] = pose.x_m, pose.y_m, math.remainder(pose.heading_rad, math.tau)
        self._speed[row] = 0.0
        if isinstance(thing, PlacedRobot):
            self._lift(row, pose.z_m)
            self._robots["stalled"][row], self._robots["who"][row] = False, NOBODY
        else:
            self._scene = changes.apply(self._scene, changes.Move(name, pose))
            self._laid[row] = self._movers.place[row]
        self._sight.moved()

    def _lift(self, row: int, z_m: float) -> None:
        self._movers.height[row] += z_m - self._poses[row, 2]
        self._robots["bottom"][row], self._robots["top"][row] = self._movers.height[row]
        self._poses[row, 2] = z_m

    def scene(self) -> Scene:
        """Return the scene in its present state, poses included."""
        robots = tuple(
            dataclasses.replace(robot, place=pose_of(row)) for robot, row in zip(self._scene.robots, self.poses())
        )
        scene = dataclasses.replace(self._scene, robots=robots)
        for row, thing in enumerate(layout.things(scene), len(robots)):
            if (self._movers.place[row] != self._laid[row]).any():
                x, y, heading = self._movers.place[row].tolist()
                pose = dataclasses.replace(thing.pose, x_m=x, y_m=y, heading_rad=heading)
                scene = changes.apply(scene, changes.Move(thing.name, pose))
        return scene

    def state(self) -> Tree:
        """Return everything that influences the future, by row."""
        return {
            "place": self._movers.place.copy(),
            "speed": self._speed.copy(),
            "travel": self._travel.copy(),
            "stalled": self.stalled(),
            "pans": np.stack([self._pans, self._panning]),
            "servos": self._servos.state(),
        }

    def restore(self, state: Tree) -> None:
        """Continue from a saved state; the next step is bit-identical."""
        self._movers.place[:] = state["place"]
        self._speed[:] = state["speed"]
        self._travel[:] = state["travel"]
        self._robots["stalled"], self._robots["who"] = state["stalled"], NOBODY
        self._pans, self._panning = np.array(state["pans"])
        self._servos.restore(state["servos"])
        tables.sort(self._arena, self._movers.place)
        self._sight.moved()


def _fixed(scene: Scene) -> tuple[Ground, tuple[Wall, ...], tuple[Solid, ...]]:
    return scene.ground, scene.walls, tuple(solid for solid in scene.objects if not solid.mass_kg)


def _leaves_floor(thing: Thing, pose: Pose) -> bool:
    """Return whether a movable thing would be lifted or tilted."""
    assert isinstance(thing, Solid | Ball)
    return pose.z_m != thing.pose.z_m or bool(pose.pitch_rad or pose.roll_rad)
