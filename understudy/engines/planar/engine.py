"""The planar engine behind the contract: a floor plan, robots as rows, one compiled call per tick."""

from __future__ import annotations

import dataclasses
import logging
import math

import numpy as np
import numpy.typing as npt

from understudy.engines.base import Array, Rows, Tree
from understudy.engines.planar import layout
from understudy.engines.planar.motion import advance
from understudy.engines.rays.sight import Sight
from understudy.engines.rays.table import RayTable
from understudy.engines.rays.tilted import Tilted
from understudy.errors import EngineError
from understudy.world import changes
from understudy.world.robot import Robot
from understudy.world.scene import Ball, Ground, Scene, Solid, Wall
from understudy.world.shapes import Pose

log = logging.getLogger(__name__)


class PlanarEngine:
    """Robots on a flat floor: z, roll and pitch stay what the scene says."""

    def __init__(self, scene: Scene, threads: int = 1) -> None:
        layout.refuse_what_is_not_flat(scene)
        self._threads = threads
        self._dt = scene.tick_us / 1e6
        self._scene = scene
        self._lay_out_fixed()
        self._lay_out_movers()
        _say_what_is_not_pushed(scene)

    def _lay_out_fixed(self) -> None:
        self._fixed = layout.obstacles(self._scene)
        self._grid = layout.grid(self._scene, self._fixed)
        self._sight = Sight(self._fixed, *layout.bounds(self._scene, self._fixed), self._threads)

    def _lay_out_movers(self) -> None:
        """Make the rows of everything that can move, at rest where the scene has it."""
        robots = self._scene.robots
        self._drives, self._movers = layout.drives(robots), layout.movers(self._scene)
        count, every = len(robots), len(self._movers.place)
        self._poses = np.array([_row(robot.pose) for robot in robots]).reshape(-1, 6)
        self._speed, self._travel = np.zeros((count, 3)), np.zeros((count, 3))
        self._stalled = np.zeros(count, np.bool_)
        self._proposed = np.zeros((every, 3))
        self._contact, self._contacts, self._contact_count = np.zeros(4), np.zeros((count, 5)), 0
        self._sight.populate(self._movers)
        self._tilted = Tilted(self._scene)

    def step(self, targets: Array) -> None:
        """Advance one tick; a row of *targets* is forward m/s, left m/s, turn rad/s."""
        self._contact_count = advance(
            self._movers, self._speed, self._travel, self._stalled, targets, self._drives, self._dt,
            self._grid, self._fixed, self._proposed, self._contact, self._contacts,
        )  # fmt: skip
        self._sight.moved()

    def poses(self) -> Array:
        """Return x, y, z, roll, pitch, yaw of every robot (m, rad); a view."""
        place = self._movers.place[: len(self._poses)]
        self._poses[:, 0], self._poses[:, 1], self._poses[:, 5] = place[:, 0], place[:, 1], place[:, 2]
        return self._poses

    def twists(self) -> Array:
        """Return the velocities of every robot in the world's frame (m/s, rad/s)."""
        heading = self._movers.place[: len(self._poses), 2]
        cos, sin = np.cos(heading), np.sin(heading)
        v, lateral = self._speed[:, 0], self._speed[:, 1]
        rows = np.zeros((len(self._poses), 6))
        rows[:, 0], rows[:, 1], rows[:, 5] = cos * v - sin * lateral, sin * v + cos * lateral, self._speed[:, 2]
        return rows

    def travel(self) -> Array:
        """Return the path rolled by the left and right wheels and sideways (m); a view."""
        return self._travel

    def stalled(self) -> npt.NDArray[np.bool_]:
        """Say for every robot whether something holds it back; a view."""
        return self._stalled

    def contacts(self) -> Array:
        """Return robot row, x, y, normal x, normal y of every contact of the last step."""
        return self._contacts[: self._contact_count].copy()

    def cast(self, table: RayTable, rows: Rows, out: Array) -> None:
        """Write the distance to the first hit along each ray of each robot of *rows* into *out* (m)."""
        if table.level:
            self._sight.cast(table, rows, out)
        else:
            self._tilted.cast(table, rows, self._movers, out)

    def become(self, scene: Scene) -> None:
        """Take a changed scene; robots that keep their name keep their motion."""
        layout.refuse_what_is_not_flat(scene)
        before, kept = self._scene, self._state_by_name()
        self._scene = scene
        if _fixed(scene) != _fixed(before):
            self._lay_out_fixed()
        self._lay_out_movers()
        for row, robot in enumerate(scene.robots):
            if robot.name in kept:
                self._movers.place[row], self._speed[row], self._travel[row], self._stalled[row] = kept[robot.name]
        self._sight.moved()

    def _state_by_name(self) -> dict[str, tuple[Array, Array, Array, bool]]:
        """Return what each robot keeps when the world changes its structure."""
        return {
            robot.name: (place.copy(), speed.copy(), travel.copy(), bool(stalled))
            for robot, place, speed, travel, stalled in zip(
                self._scene.robots, self._movers.place, self._speed, self._travel, self._stalled
            )
        }

    def move(self, name: str, pose: Pose) -> None:
        """Put a thing elsewhere, at rest; odometry does not notice."""
        thing = changes.find(self._scene, name)
        if not isinstance(thing, Robot):
            self.become(changes.apply(self.scene(), changes.Move(name, pose)))
            return
        if pose.pitch_rad or pose.roll_rad:
            raise EngineError(f"{name} cannot be tilted: the planar engine is flat; use --engine rigid")
        row = [robot.name for robot in self._scene.robots].index(name)
        self._movers.place[row] = pose.x_m, pose.y_m, math.remainder(pose.heading_rad, math.tau)
        self._movers.height[row] += pose.z_m - self._poses[row, 2]
        self._poses[row, 2] = pose.z_m
        self._speed[row] = 0.0
        self._sight.moved()
        self._stalled[row] = False

    def scene(self) -> Scene:
        """Return the scene as it is now, poses included."""
        robots = tuple(
            dataclasses.replace(robot, place=_pose(row)) for robot, row in zip(self._scene.robots, self.poses())
        )
        return dataclasses.replace(self._scene, robots=robots)

    def state(self) -> Tree:
        """Return all that influences the future, robots by row."""
        return {
            "place": self._movers.place.copy(),
            "speed": self._speed.copy(),
            "travel": self._travel.copy(),
            "stalled": self._stalled.copy(),
        }

    def restore(self, state: Tree) -> None:
        """Go on from a saved state; the next step is bit-identical."""
        self._movers.place[:] = state["place"]
        self._sight.moved()
        self._speed[:] = state["speed"]
        self._travel[:] = state["travel"]
        self._stalled[:] = state["stalled"]


def _fixed(scene: Scene) -> tuple[Ground, tuple[Wall, ...], tuple[Solid, ...], tuple[Ball, ...]]:
    return scene.ground, scene.walls, scene.objects, scene.balls


def _row(pose: Pose) -> tuple[float, ...]:
    return pose.x_m, pose.y_m, pose.z_m, pose.roll_rad, pose.pitch_rad, math.remainder(pose.heading_rad, math.tau)


def _pose(row: Array) -> Pose:
    x, y, z, roll, pitch, yaw = (float(value) for value in row)
    return Pose(x, y, z, yaw, pitch, roll)


def _say_what_is_not_pushed(scene: Scene) -> None:
    movable = [solid.name for solid in scene.objects if solid.mass_kg] + [ball.name for ball in scene.balls]
    if movable:
        log.warning("the planar engine does not push things yet; these stand still: %s", ", ".join(movable))
