"""Ground from an elevation file: its size, its geographic origin, and everything placed at its height."""

from __future__ import annotations

import math
import pathlib
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from understudy.assets import fence
from understudy.errors import FormatError
from understudy.world.records import Finding
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Origin, Scene, Solid, Thing
from understudy.world.shapes import Pose

if TYPE_CHECKING:
    from understudy.world.terrain import Terrain

Standing = TypeVar("Standing", Solid, Ball)


def grounded(scene: Scene, folder: pathlib.Path | None) -> tuple[Scene, Terrain | None, list[Finding]]:
    """Return a scene with the size and origin of its terrain, the terrain, and the errors in it."""
    heights = scene.ground.heights
    if heights is None or folder is None or not fence.is_file(folder / heights.file):
        return scene, None, []
    from understudy.assets.heights import elevation  # most grounds are flat

    try:
        data = fence.read_bytes(folder / heights.file)
        terrain, origin = elevation.survey(data, scene.ground, _beside(folder / heights.file, data))
    except FormatError as problem:
        return scene, None, [Finding(("ground", "heights", "file"), str(problem), elsewhere=(("ground", "heights"),))]
    if origin is not None and scene.origin and scene.origin.north_rad != math.pi / 2:
        text = "this terrain is georeferenced, with north along y; leave north_deg out"
        return scene, None, [Finding(("origin", "north_rad"), text, elsewhere=(("origin",),))]
    ground = replace(scene.ground, size_m=terrain.size_m, center_m=terrain.center_m)
    return replace(scene, ground=ground, origin=_origin(scene.origin, origin)), terrain, []


def _beside(path: pathlib.Path, data: bytes) -> dict[str, bytes]:
    from understudy.assets.meshes import mesh

    return mesh.gathered(data, path.name, path.parent) if mesh.is_mesh(path.name) else {}


def _origin(given: Origin | None, found: Origin | None) -> Origin | None:
    """Return the file's origin unless the scene gives one; the scene's date always applies."""
    if found is None or given is None:
        return given or found
    if (given.latitude_deg, given.longitude_deg, given.altitude_m) != (0.0, 0.0, 0.0):
        return given
    return replace(found, date=given.date)


def stood(scene: Scene, terrain: Terrain) -> Scene:
    """Return a flat scene with its robots, objects and balls at height 0 placed on the terrain."""
    robots = tuple(_robot_stood(robot, terrain) for robot in scene.robots)
    objects = tuple(_thing_stood(solid, terrain) for solid in scene.objects)
    balls = tuple(_thing_stood(ball, terrain) for ball in scene.balls)
    return replace(scene, robots=robots, objects=objects, balls=balls)


def stood_thing(thing: Thing, terrain: Terrain) -> Thing:
    """Return a thing that is to come, standing on the terrain if it is a robot, an object or a ball at height 0."""
    if isinstance(thing, PlacedRobot):
        return _robot_stood(thing, terrain)
    if isinstance(thing, Solid):
        return _thing_stood(thing, terrain)
    return _thing_stood(thing, terrain) if isinstance(thing, Ball) else thing


def _robot_stood(robot: PlacedRobot, terrain: Terrain) -> PlacedRobot:
    return replace(robot, place=_raised(robot.place, terrain)) if isinstance(robot.place, Pose) else robot


def _thing_stood(thing: Standing, terrain: Terrain) -> Standing:
    return replace(thing, pose=_raised(thing.pose, terrain))


def _raised(pose: Pose, terrain: Terrain) -> Pose:
    return pose if pose.z_m else replace(pose, z_m=terrain.height_m(pose.x_m, pose.y_m))
