"""The rigid engine behind the contract: rigid bodies in three dimensions on MuJoCo, with our own wheel model."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.assets.files import Contents
from understudy.assets.library import Library
from understudy.engines.base import Array, Rows, Tree
from understudy.engines.joints import JointMotion, chain_of
from understudy.engines.planar import layout
from understudy.engines.rays.level.caster import Sight
from understudy.engines.rays.spatial.hits import HitDetails
from understudy.engines.rays.spatial.solids import SolidWorld
from understudy.engines.rays.table import Hits, RayTable
from understudy.engines.rigid import bodies
from understudy.engines.rigid.bouncing import Bouncing
from understudy.engines.rigid.driving import drive, packed
from understudy.engines.rigid.joint_bodies import AIM_1_S
from understudy.engines.rigid.rays import TiltedRays
from understudy.engines.rigid.readout import LOST, placed, read_out
from understudy.engines.rigid.rolling import bind
from understudy.engines.rigid.rows import CHANGING
from understudy.engines.rigid.standing import stand
from understudy.engines.rigid.surfaces import grips_of, is_flat, leaned
from understudy.engines.rigid.touching import touched
from understudy.engines.rigid.vehicle import vehicles_of
from understudy.engines.servos import ServoTargets
from understudy.errors import EngineError
from understudy.jit import prepare
from understudy.world import changes
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Light, Scene
from understudy.world.shapes import Pose, pose_of, row_of

log = logging.getLogger(__name__)
SUBSTEPS_US = (2_500, 1_000)  # tried in this order if the scene does not set it
_COUNTED = ("left", "right", "aside", "held", "stalled")  # the fields of a robot's row that change


def substep_us(scene: Scene) -> int:
    """Return the length of a sub-step, which divides the tick; raises EngineError with both values (us)."""
    if scene.substep_us:
        if scene.tick_us % scene.substep_us:
            raise EngineError(
                f"tick_us = {scene.tick_us} is not a multiple of substep_us = {scene.substep_us}; "
                "change tick_us or substep_us"
            )
        return scene.substep_us
    for step in SUBSTEPS_US:
        if scene.tick_us % step == 0:
            return step
    raise EngineError(
        f"tick_us = {scene.tick_us} is not a multiple of 2500 or 1000, the rigid engine's default sub-steps (us); "
        "change tick_us, or set substep_us"
    )


class _Kept(NamedTuple):
    """What a thing keeps across a structural change of the world."""

    pose: Pose
    at: Array  # seven numbers of MuJoCo's state, six of its velocity, six of its last acceleration
    speed: Array
    last: Array
    laid: Array | None  # the pose that it was placed in, if it has not moved
    counted: tuple[float, ...]
    wheels: npt.NDArray[np.void]


class RigidEngine:
    """Robots, things and balls with all degrees of freedom."""

    def __init__(self, scene: Scene, threads: int = 1, files: Contents | None = None) -> None:
        self._threads, self._files = threads, Library.of(files)
        self._lay_out(scene)

    def _lay_out(self, scene: Scene) -> None:
        """Build everything from a scene, at rest in the scene's poses."""
        step_us = substep_us(scene)
        self._step_s, self._substeps = step_us / 1e6, scene.tick_us // step_us
        self._model = bodies.build(scene, self._step_s, self._files)
        self._mj, self._scene = bodies.library(), scene
        self._data = self._mj.MjData(self._model.mj)
        self._at, self._speed, self._applied = self._data.qpos, self._data.qvel, self._data.qfrc_applied
        self._movers = bodies.movers(scene)
        self._vehicles = vehicles_of(scene, self._step_s)
        for row, rolling in self._model.rolling.items():
            robot = self._vehicles.robots[row]
            bind(self._vehicles.wheels[robot["first"] : robot["last"]], rolling, self._model.mj)
        count, robots = len(self._movers), len(scene.robots)
        self._every, self._twists = np.zeros((count, 6)), np.zeros((robots, 6))
        self._places = np.zeros((count, 3))
        self._laid = np.zeros((count, 7))
        self._laid_poses = np.zeros((count, 6))
        self._exact = np.zeros(count, np.bool_)
        self.chain, self._bound = chain_of(scene), self._model.joints
        self._servos, self._effort = ServoTargets(self.chain), np.zeros(len(self.chain))
        self._data.qpos[self._bound.at] = self.chain.starts
        for row, mover in enumerate(self._movers):
            self._lay(row, mover.pose)
        self._model.bolts.put(self._data)
        self._advance: Callable[[], None] = partial(self._mj.mj_step, self._model.mj, self._data)
        if scene.balls:
            self._advance = Bouncing(self._mj, self._model, self._data, scene).step
        self._look_around()
        self._changed()

    def _lay(self, row: int, pose: Pose) -> None:
        """Place a thing at rest."""
        terrain = self._files.terrain(self._scene.ground)
        if terrain is not None:
            pose = leaned(pose, terrain, bodies.reach_of(self._movers[row]))
        at = placed(pose, bodies.offset_of(self._movers[row]))
        if row < len(self._vehicles.robots):
            mine, model = self._vehicles.robots[row], self._scene.robots[row].built
            at = stand(at, self._vehicles.wheels[mine["first"] : mine["last"]], model, self._scene.gravity_m_s2)
        body = self._model.bodies[row]
        self._data.qpos[body["at"] : body["at"] + 7] = self._laid[row] = at
        for speeds in (self._data.qvel, self._data.qacc_warmstart):
            speeds[body["move"] : body["move"] + 6 + body["joints"]] = 0.0
        self._laid_poses[row] = row_of(pose)

    def _look_around(self) -> None:
        """Make the ray casters: one for any ray, and one for level rays if the scene is a floor plan."""
        self._leaning = TiltedRays(self._scene, self._every, self._files, self.chain)
        self._leaning.joints = lambda: (self.chain, self._at[self._bound.at])
        world = self._leaning.world
        self._grips = grips_of(self._scene, len(world.solids.tags), world.fixed)
        self._near = np.empty(max(len(world.solids.tags) - world.fixed, 1), np.int64)
        self._drive: Any = drive
        self._packed: tuple[npt.NDArray[Any], ...] = packed(
            self._data, self._model.bodies, self._vehicles, world, self._grips, self._near, self._step_s
        )  # fmt: skip
        if self._scene.ground.heights is not None or world.has_obstacle_meshes:
            self._look_at_rough(world)
        self._sight: Sight | None = None
        if is_flat(self._scene):
            fixed = layout.obstacles(self._scene)
            self._sight = Sight(fixed, *layout.bounds(self._scene, fixed), self._threads)
            self._sight.populate(layout.movers(self._scene)._replace(place=self._places))

    def _look_at_rough(self, world: SolidWorld) -> None:
        """Let wheels stand on terrain and meshes too."""
        from understudy.engines.rigid import wheel_contact_rough  # compiles: only scenes with terrain or meshes need it

        self._rough = wheel_contact_rough.rough_of(self._scene, world, self._files.terrain(self._scene.ground))
        if self._rough is not None:
            self._drive, self._packed = (
                wheel_contact_rough.drive_rough,
                (*self._packed, *wheel_contact_rough.packed_rough(self._rough)),
            )

    # ---- time

    def step(self, targets: Array) -> None:
        """Advance one tick; a row of *targets* is forward m/s, left m/s, turn rad/s."""
        bolts = self._model.bolts
        for _ in range(self._substeps):
            self._drive(targets, *self._packed)
            if len(self.chain):
                self._serve()
            self._advance()
            if len(bolts):
                bolts.hold(self._data)
        self._changed()

    def _serve(self) -> None:
        """Send speed commands to the servos."""
        rows = self._bound.driven
        speeds = self._servos.speeds(self._at[self._bound.at], min(AIM_1_S, 0.2 / self._step_s))
        self._data.ctrl[self._bound.servo[rows]] = speeds[rows]

    def aim(self, row: int, position: float) -> None:
        """Move a joint's servo to a position (rad or m)."""
        self._servos.aim(row, position)

    def turn(self, row: int, speed: float) -> None:
        """Move a joint's servo at a speed (rad/s or m/s)."""
        self._servos.turn(row, speed)

    def _changed(self) -> None:
        """Read out all poses and velocities."""
        level = read_out(
            self._at, self._speed, self._model.bodies, self._laid, self._laid_poses, self._exact, self._every,
            self._places, self._twists,
        )  # fmt: skip
        if level < 0:
            raise EngineError(
                f"{self._movers[LOST - level].name}: the simulation diverged (NaN). Check for overlapping bodies or "
                "extreme masses and stiffnesses; try a smaller substep_us"
            )
        self._level = bool(level)
        self._contacts: Array | None = None
        if len(self.chain):
            self._leaning.bend(self._at[self._bound.at])
        self._leaning.moved()
        if self._sight is not None:
            self._sight.moved()

    # ---- queries

    def prepare(self) -> None:
        """Make sure that the kernels of a tick are compiled."""
        prepare(self._drive, np.zeros((len(self._twists), 3)), *self._packed)

    def poses(self) -> Array:
        """Return x, y, z, roll, pitch, yaw of every robot (m, rad); a view."""
        return self._every[: len(self._twists)]

    def movables(self) -> tuple[tuple[str, ...], Array]:
        """Return the other movable objects, things and balls, by name, and their poses."""
        count = len(self._scene.robots)
        return tuple(mover.name for mover in self._movers[count:]), self._every[count:]

    def structure(self) -> tuple[object, ...]:
        """Return values that stay the same objects until things are added, removed, replaced, or fixed ones moved."""
        return self._scene.ground, self._scene.lights, self._scene.marks, self._movers, self._leaning

    def twists(self) -> Array:
        """Return the velocities of every robot in the world frame (m/s, rad/s); a view."""
        return self._twists

    def travel(self) -> Array:
        """Return the path rolled by the left and right wheels and sideways (m)."""
        robots = self._vehicles.robots
        return np.column_stack([robots["left"], robots["right"], robots["aside"]])

    def joints(self) -> JointMotion:
        """Return the present motion of the joints."""
        rows = self._bound.driven
        self._effort[rows] = self._data.actuator_force[self._bound.servo[rows]]
        return JointMotion(self._at[self._bound.at], self._speed[self._bound.move], self._effort)

    def stalled(self) -> npt.NDArray[np.bool_]:
        """Return for every robot whether it is stalled."""
        return self._vehicles.robots["stalled"].astype(np.bool_)

    def contacts(self) -> Array:
        """Return all present contacts of robots; the columns are those of the contract."""
        if self._contacts is None:
            for find in (self._mj.mj_kinematics, self._mj.mj_comPos, self._mj.mj_collision):
                find(self._model.mj, self._data)
            self._contacts = touched(self._model, self._data, len(self._twists))
        return self._contacts

    # ---- rays

    def cast(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> None:
        """Write the distance to the first hit along each ray of each robot of *rows* into *out* (m)."""
        sight = self.sight
        if table.level and sight is not None and places is None:
            sight.cast(table, rows, out)
        else:
            self._leaning.see(table, rows, None, out, places)

    def cast_hits(self, table: RayTable, rows: Rows, out: Array, hits: Hits, places: Array | None = None) -> None:
        """Write distances as `cast` does, for rays that are not cones, and into *hits* what was hit, (rows, rays)."""
        self._leaning.cast_hits(table, rows, None, out, hits, places)

    def cast_world(
        self, origins: Array, directions: Array, limit_m: float, layer: int, owners: Rows, out: Array, hits: Hits
    ) -> Array:
        """Write the distance along each ray in the world frame and what was hit; return the normals there."""
        return self._leaning.cast_world(origins, directions, limit_m, layer, owners, None, out, hits)

    def cast_things(self, table: RayTable, rows: Rows, out: Array, places: Array | None = None) -> HitDetails:
        """Write distances as `cast` does; return the things that were hit."""
        return self._leaning.cast_things(table, rows, None, out, places)

    def matter(self) -> SolidWorld:
        """Return everything that rays can hit, at its present position."""
        return self._leaning.matter(None)

    def clear(self, origins: Array, ends: Array, passed: Rows, layer: int) -> npt.NDArray[np.bool_]:
        """Return for each pair of points (m) whether nothing that *layer* sees is between them."""
        return self._leaning.clear(origins, ends, passed, layer, None)

    @property
    def sight(self) -> Sight | None:
        """Return the caster of level rays while all robots are level, else None."""
        return self._sight if self._level else None

    # ---- changes

    def rebuild(self, scene: Scene) -> None:
        """Apply a changed scene; things with the same name and pose keep their motion; odometry is not affected."""
        log.info("the scene has changed: rebuilding MuJoCo's model")
        kept, limbs, servos = self._kept(), self._kept_joints(), self._servos
        self._lay_out(scene)
        for row, mover in enumerate(self._movers):
            before = kept.get(mover.name)
            if before is not None and before.pose == mover.pose:
                self._go_on(row, before)
            elif before is not None and isinstance(mover, PlacedRobot):
                self._count_on(row, before)
                self._rest(row)
        self._model.bolts.put(self._data)
        self._servos.keep(servos)
        for row, path in enumerate(self.chain.paths):
            if path in limbs:
                self._at[self._bound.at[row]], self._speed[self._bound.move[row]] = limbs[path]
        self._changed()

    def _kept_joints(self) -> dict[str, tuple[float, float]]:
        """Return position and speed of each joint by its path."""
        rows = zip(self._at[self._bound.at].tolist(), self._speed[self._bound.move].tolist())
        return dict(zip(self.chain.paths, rows))

    def _kept(self) -> dict[str, _Kept]:
        data, robots, wheels = self._data, self._vehicles.robots, self._vehicles.wheels
        found = {}
        for row, (mover, pose) in enumerate(zip(self._movers, self._poses_now())):
            body = self._model.bodies[row]
            at, v = _spans(body)
            mine = robots[row] if row < len(robots) else None
            counted = () if mine is None else tuple(mine[name] for name in _COUNTED)
            own = wheels[:0] if mine is None else wheels[mine["first"] : mine["last"]]
            found[mover.name] = _Kept(
                pose, data.qpos[at].copy(), data.qvel[v].copy(), data.qacc_warmstart[v].copy(),
                self._laid_poses[row].copy() if self._exact[row] else None, counted, own.copy(),
            )  # fmt: skip
        return found

    def _go_on(self, row: int, before: _Kept) -> None:
        """Restore the motion of a thing from before the change."""
        body, data = self._model.bodies[row], self._data
        at, v = _spans(body)
        if len(before.at) != at.stop - at.start:  # its wheels have changed
            at, v = slice(at.start, at.start + 7), slice(v.start, v.start + 6)
        many, fast = at.stop - at.start, v.stop - v.start
        data.qpos[at], data.qvel[v] = before.at[:many], before.speed[:fast]
        data.qacc_warmstart[v] = before.last[:fast]
        if before.laid is not None:
            self._laid[row], self._laid_poses[row] = before.at[:7], before.laid
        if row < len(self._vehicles.robots):
            self._count_on(row, before)
            mine = self._vehicles.robots[row]
            wheels = self._vehicles.wheels[mine["first"] : mine["last"]]
            if len(wheels) == len(before.wheels):
                for name in CHANGING:
                    wheels[name] = before.wheels[name]

    def _count_on(self, row: int, before: _Kept) -> None:
        """Restore the path counters of a robot."""
        for name, value in zip(_COUNTED, before.counted):
            self._vehicles.robots[row][name] = value

    def move(self, name: str, pose: Pose) -> None:
        """Move a thing to another pose, at rest; odometry is not affected."""
        thing = changes.find(self._scene, name)
        row = next((row for row, mover in enumerate(self._movers) if mover.name == name), -1)
        changed = changes.apply(self.scene() if row < 0 else self._scene, changes.Move(name, pose))
        if row < 0:
            self._scene = changed if isinstance(thing, Light) else self._scene
            if not isinstance(thing, Light):
                self.rebuild(changed)
            return
        self._scene = changed
        if isinstance(thing, PlacedRobot):
            self._rest(row)
        self._lay(row, pose)
        self._model.bolts.put(self._data)
        self._changed()

    def _rest(self, row: int) -> None:
        """Stop a robot's wheels."""
        mine = self._vehicles.robots[row]
        mine["held"] = mine["stalled"] = 0
        for name in CHANGING:
            self._vehicles.wheels[name][mine["first"] : mine["last"]] = 0

    def _poses_now(self) -> list[Pose]:
        """Return the poses of all movable things; one that has not moved has exactly the pose it was given."""
        return [
            mover.pose if exact else pose_of(row)
            for mover, row, exact in zip(bodies.movers(self._scene), self._every, self._exact)
        ] if self._movers else []  # fmt: skip

    def scene(self) -> Scene:
        """Return the scene in its present state, poses included."""
        now = dict(zip((mover.name for mover in self._movers), self._poses_now()))
        robots = tuple(dataclasses.replace(robot, place=now[robot.name]) for robot in self._scene.robots)
        objects = tuple(
            dataclasses.replace(solid, pose=now[solid.name]) if solid.name in now else solid
            for solid in self._scene.objects
        )
        balls = tuple(dataclasses.replace(ball, pose=now[ball.name]) for ball in self._scene.balls)
        return dataclasses.replace(self._scene, robots=robots, objects=objects, balls=balls)

    # ---- saving

    def state(self) -> Tree:
        """Return everything that influences the future, in MuJoCo's order and by row."""
        robots, wheels = self._vehicles
        return {
            "at": self._data.qpos.copy(),
            "speed": self._data.qvel.copy(),
            "last": self._data.qacc_warmstart.copy(),
            "efforts": np.concatenate([self._data.ctrl, self._data.actuator_force]),
            "robots": np.column_stack([robots[name].astype(np.float64) for name in _COUNTED]),
            "wheels": np.column_stack([wheels[name].astype(np.float64) for name in CHANGING]),
            "servos": self._servos.state(),
        }

    def restore(self, state: Tree) -> None:
        """Continue from a saved state; the next step is bit-identical."""
        self._data.qpos[:], self._data.qvel[:] = state["at"], state["speed"]
        self._model.bolts.put(self._data)
        self._data.qacc_warmstart[:] = state["last"]
        self._data.ctrl[:], self._data.actuator_force[:] = np.split(state["efforts"], 2)
        robots, wheels = self._vehicles
        for name, column in zip(_COUNTED, state["robots"].T):
            robots[name] = column
        for name, column in zip(CHANGING, state["wheels"].T):
            wheels[name] = column
        self._servos.restore(state["servos"])
        self._changed()


def _spans(body: Any) -> tuple[slice, slice]:
    """Return the slices of a body's position and velocity, those of its wheels included."""
    return (
        slice(int(body["at"]), int(body["at"] + 7 + body["joints"])),
        slice(int(body["move"]), int(body["move"] + 6 + body["joints"])),
    )
