"""Grasped things: they move with the robot and do not collide while held."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from understudy import elementary
from understudy.engines.base import Engine
from understudy.errors import ChangeRefused
from understudy.frozen import frozen
from understudy.world import changes
from understudy.world.changes import Grasp, Release
from understudy.world.records import from_plain, to_plain
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Scene, Solid
from understudy.world.shapes import Pose


@frozen
class Held:
    """A thing that a robot holds: its pose relative to the robot (m, rad), and whether it was an obstacle before."""

    thing: str
    x_m: float
    y_m: float
    heading_rad: float
    obstacle: bool

    def pose(self, robot: Pose, thing: Pose) -> Pose:
        """Return the pose of the thing when the robot is at *robot*."""
        x, y = _out(robot, self.x_m, self.y_m)
        return dataclasses.replace(thing, x_m=x, y_m=y, heading_rad=robot.heading_rad + self.heading_rad)


class Grasps:
    """What each robot holds."""

    def __init__(self) -> None:
        self.held: dict[str, Held] = {}  # by robot

    def grasp(self, scene: Scene, change: Grasp) -> Scene:
        """Let a robot grasp the nearest movable thing; return the scene in which the thing is not an obstacle."""
        robot = changes.find(scene, change.robot)
        if not isinstance(robot, PlacedRobot) or change.robot in self.held:
            why = f"holds {self.held[robot.name].thing} already" if robot.name in self.held else "is not a robot"
            raise ChangeRefused(f"{change.robot} {why}")
        thing = self._nearest(scene, _out(robot.pose, change.x_m, change.y_m), change.reach_m)
        if thing is None:
            raise ChangeRefused(f"{change.robot} cannot grasp: no movable thing within {change.reach_m:g} m")
        self.held[change.robot] = _seen_from(robot.pose, thing)
        return _solid(scene, thing.name, False)

    def _nearest(self, scene: Scene, point: tuple[float, float], reach_m: float) -> Solid | Ball | None:
        taken = {held.thing for held in self.held.values()}
        x, y = point
        things = [thing for thing in _movable(scene) if thing.name not in taken]
        free = [(elementary.hypot(each.pose.x_m - x, each.pose.y_m - y), each) for each in things]
        distance, thing = min(free, key=lambda pair: pair[0], default=(math.inf, None))
        return thing if distance <= reach_m else None

    def release(self, scene: Scene, change: Release) -> Scene:
        """Let a robot release what it holds; return the scene in which the thing is an obstacle again if it was one."""
        if change.robot not in self.held:
            raise ChangeRefused(f"{change.robot} holds nothing")
        held = self.held.pop(change.robot)
        return _solid(scene, held.thing, held.obstacle)

    def carry(self, engine: Engine) -> None:
        """Move the held things with their robots."""
        scene = engine.scene()
        for name, held in self.held.items():
            robot, thing = changes.find(scene, name), changes.find(scene, held.thing)
            assert isinstance(robot, PlacedRobot)
            assert isinstance(thing, Solid | Ball)
            engine.move(held.thing, held.pose(robot.pose, thing.pose))

    def forget_lost(self, scene: Scene) -> None:
        """Drop grasps whose robot or thing is no longer in the scene."""
        if self.held:
            names = {thing.name for thing in scene.things()}
            self.held = {robot: held for robot, held in self.held.items() if {robot, held.thing} <= names}

    def state(self) -> dict[str, Any]:
        """Return the grasps, by robot."""
        return {robot: to_plain(held) for robot, held in self.held.items()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a saved state."""
        self.held = {robot: from_plain(Held, plain) for robot, plain in state.items()}


def _movable(scene: Scene) -> list[Solid | Ball]:
    return [*(solid for solid in scene.objects if solid.mass_kg), *scene.balls]


def _out(pose: Pose, x_m: float, y_m: float) -> tuple[float, float]:
    """Return a point of the robot in world coordinates (m)."""
    cos, sin = elementary.cos(pose.heading_rad), elementary.sin(pose.heading_rad)
    return pose.x_m + cos * x_m - sin * y_m, pose.y_m + sin * x_m + cos * y_m


def _seen_from(pose: Pose, thing: Solid | Ball) -> Held:
    cos, sin = elementary.cos(pose.heading_rad), elementary.sin(pose.heading_rad)
    x, y = thing.pose.x_m - pose.x_m, thing.pose.y_m - pose.y_m
    turned = thing.pose.heading_rad - pose.heading_rad
    return Held(thing.name, cos * x + sin * y, cos * y - sin * x, turned, thing.surface.obstacle)


def _solid(scene: Scene, name: str, obstacle: bool) -> Scene:
    thing = changes.find(scene, name)
    assert isinstance(thing, Solid | Ball)
    surface = dataclasses.replace(thing.surface, obstacle=obstacle)
    return changes.apply(scene, changes.Replace(name, dataclasses.replace(thing, surface=surface)))
