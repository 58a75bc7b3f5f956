"""A scene whose ground comes from a file: how large it is, where on Earth it lies, and everything standing on it."""

from __future__ import annotations

import math
import pathlib
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from understudy.errors import FormatError
from understudy.formats import fence
from understudy.world.plain import Mistake
from understudy.world.robot import Robot
from understudy.world.scene import Ball, Origin, Scene, Solid
from understudy.world.shapes import Pose

if TYPE_CHECKING:
    from understudy.world.terrain import Terrain

Standing = TypeVar("Standing", Solid, Ball)


def grounded(scene: Scene, folder: pathlib.Path | None) -> tuple[Scene, Terrain | None, list[Mistake]]:
    """Return a scene whose ground and origin are those of its terrain, that, and what is wrong with it."""
    heights = scene.ground.heights
    if heights is None or folder is None or not fence.is_file(folder / heights.file):
        return scene, None, []
    from understudy.formats import elevation  # most grounds are flat

    try:
        data = (folder / heights.file).read_bytes()
        terrain, origin = elevation.survey(data, scene.ground, _beside(folder / heights.file, data))
    except FormatError as problem:
        return scene, None, [Mistake(("ground", "heights", "file"), str(problem), elsewhere=(("ground", "heights"),))]
    if origin is not None and scene.origin and scene.origin.north_rad != math.pi / 2:
        text = "this ground knows where north is; leave north_deg out, it is along y"
        return scene, None, [Mistake(("origin", "north_rad"), text, elsewhere=(("origin",),))]
    ground = replace(scene.ground, size_m=terrain.size_m, center_m=terrain.center_m)
    return replace(scene, ground=ground, origin=_origin(scene.origin, origin)), terrain, []


def _beside(path: pathlib.Path, data: bytes) -> dict[str, bytes]:
    from understudy.formats import mesh

    return mesh.gathered(data, path.name, path.parent) if mesh.is_mesh(path.name) else {}


def _origin(given: Origin | None, found: Origin | None) -> Origin | None:
    """Return what the file knows, unless the scene says where it lies; its date always counts."""
    if found is None or given is None:
        return given or found
    if (given.latitude_deg, given.longitude_deg, given.altitude_m) != (0.0, 0.0, 0.0):
        return given
    return replace(found, date=given.date)


def stood(scene: Scene, terrain: Terrain) -> Scene:
    """Return a flat scene whose robots, objects and balls at height 0 stand on the terrain."""
    robots = tuple(_robot_stood(robot, terrain) for robot in scene.robots)
    objects = tuple(_thing_stood(solid, terrain) for solid in scene.objects)
    balls = tuple(_thing_stood(ball, terrain) for ball in scene.balls)
    return replace(scene, robots=robots, objects=objects, balls=balls)


def _robot_stood(robot: Robot, terrain: Terrain) -> Robot:
    return replace(robot, place=_raised(robot.place, terrain)) if isinstance(robot.place, Pose) else robot


def _thing_stood(thing: Standing, terrain: Terrain) -> Standing:
    return replace(thing, pose=_raised(thing.pose, terrain))


def _raised(pose: Pose, terrain: Terrain) -> Pose:
    return pose if pose.z_m else replace(pose, z_m=terrain.height_m(pose.x_m, pose.y_m))
