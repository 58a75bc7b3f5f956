"""The files that a scene names, except programs: pictures, height fields, meshes. Names are relative to the scene."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from understudy.world.changes import OpenMap
from understudy.world.events import brought_scenes, with_thing
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ground, Scene, SceneEvent, Solid, Thing, Wall
from understudy.world.shapes import Mesh


def file_names(scene: Scene) -> Iterator[str]:
    """Yield the name of every file of a scene."""
    yield from filter(None, (scene.ground.picture, scene.ground.heights.file if scene.ground.heights else ""))
    yield from filter(None, (wall.picture for wall in scene.walls))
    for solid in scene.objects:
        yield from filter(None, (solid.picture, solid.shape.file if isinstance(solid.shape, Mesh) else ""))
    for robot in scene.robots:
        for look in robot.parts.looks if robot.parts else ():
            yield from filter(None, (look.shape.file if isinstance(look.shape, Mesh) else "",))
    yield from (spec.rpartition(":")[0] for spec in filters(scene))
    yield from firmware(scene)
    for part in brought_scenes(scene):
        yield from file_names(part)


def filters(scene: Scene) -> Iterator[str]:
    """Yield the user-defined filters (``file.py:name``) of a resolved scene's devices: code that a run executes."""
    for robot in scene.robots:
        for device in robot.parts.devices if robot.parts else ():
            yield from filter(None, (device.sheet.filter,))
    for part in brought_scenes(scene):
        yield from filters(part)


def firmware(scene: Scene) -> Iterator[str]:
    """Yield the firmware files of a resolved scene's units: code that a run executes."""
    for robot in scene.robots:
        for unit in robot.parts.units if robot.parts else ():
            yield from filter(None, (unit.sheet.firmware,))
    for part in brought_scenes(scene):
        yield from firmware(part)


def seen_from_beside(scene: Scene, file: str) -> Scene:
    """Return an included scene with its file names made relative to the scene that includes it as *file*.

    >>> seen_from_beside(Scene(ground=Ground(picture="tiles.png")), "rooms/hall.toml").ground.picture
    'rooms/tiles.png'
    """
    folder = PurePosixPath(file).parent
    if folder == PurePosixPath():
        return scene
    return replace(
        scene,
        events=tuple(_event(event, folder) for event in scene.events),
        ground=_ground(scene.ground, folder),
        walls=tuple(replace(wall, picture=_beside(folder, wall.picture)) for wall in scene.walls),
        objects=tuple(_solid(solid, folder) for solid in scene.objects),
        robots=tuple(_robot(robot, folder) for robot in scene.robots),
    )


def _ground(ground: Ground, folder: PurePosixPath) -> Ground:
    heights = ground.heights
    if heights:
        heights = replace(heights, file=_beside(folder, heights.file))
    return replace(ground, picture=_beside(folder, ground.picture), heights=heights)


def _solid(solid: Solid, folder: PurePosixPath) -> Solid:
    shape = solid.shape
    if isinstance(shape, Mesh):
        shape = replace(shape, file=_beside(folder, shape.file))
    return replace(solid, picture=_beside(folder, solid.picture), shape=shape)


def _robot(robot: PlacedRobot, folder: PurePosixPath) -> PlacedRobot:
    """Return a robot with its program found; what it is made of is read, and its files named, by ``formats``."""
    if robot.program is None:
        return robot
    program = robot.program
    if program.command or program.may_be_command:
        return replace(robot, program=replace(program, folder=str(folder / program.folder)))
    return replace(robot, program=replace(program, file=_beside(folder, program.file)))


def _event(event: SceneEvent, folder: PurePosixPath) -> SceneEvent:
    change = event.change
    if isinstance(change, OpenMap):
        return replace(event, change=replace(change, file=_beside(folder, change.file)))
    return with_thing(event, lambda thing: _thing(thing, folder))


def _thing(thing: Thing, folder: PurePosixPath) -> Thing:
    if isinstance(thing, Solid):
        return _solid(thing, folder)
    if isinstance(thing, PlacedRobot):
        return _robot(thing, folder)
    return replace(thing, picture=_beside(folder, thing.picture)) if isinstance(thing, Wall) else thing


def _beside(folder: PurePosixPath, name: str) -> str:
    return str(folder / name) if name else ""
