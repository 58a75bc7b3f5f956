"""The files that a scene names besides programs: pictures, height fields, meshes. Names are relative to the scene."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from understudy.world.scene import Ground, Scene, Solid
from understudy.world.shapes import Mesh


def file_names(scene: Scene) -> Iterator[str]:
    """Yield the name of every file of a scene."""
    yield from filter(None, (scene.ground.picture, scene.ground.heights.file if scene.ground.heights else ""))
    for solid in scene.objects:
        yield from filter(None, (solid.picture, solid.shape.file if isinstance(solid.shape, Mesh) else ""))
    for robot in scene.robots:
        for look in robot.parts.looks if robot.parts else ():
            yield from filter(None, (look.shape.file if isinstance(look.shape, Mesh) else "",))
    yield from (spec.rpartition(":")[0] for spec in filters(scene))


def filters(scene: Scene) -> Iterator[str]:
    """Yield the users' own stages (``file.py:name``) of a resolved scene's devices: code that a run executes."""
    for robot in scene.robots:
        for device in robot.parts.devices if robot.parts else ():
            yield from filter(None, (getattr(device.sheet, "filter", ""),))


def seen_from_beside(scene: Scene, file: str) -> Scene:
    """Return an included scene with its files named as they are found from the one that includes it as *file*.

    >>> seen_from_beside(Scene(ground=Ground(picture="tiles.png")), "rooms/hall.toml").ground.picture
    'rooms/tiles.png'
    """
    folder = PurePosixPath(file).parent
    if folder == PurePosixPath() or not any(file_names(scene)):
        return scene
    return replace(
        scene, ground=_ground(scene.ground, folder), objects=tuple(_solid(solid, folder) for solid in scene.objects)
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


def _beside(folder: PurePosixPath, name: str) -> str:
    return str(folder / name) if name else ""
