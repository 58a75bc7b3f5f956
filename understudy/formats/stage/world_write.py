"""Writes Stage's world files: all walls and objects become one floor plan, a picture next to the world."""

from __future__ import annotations

import pathlib

import numpy as np

from understudy.assets.pictures import grey_picture
from understudy.errors import FormatError
from understudy.formats.native import scene_file
from understudy.formats.pictures import bitmap
from understudy.formats.pictures.raster import OccupancyRaster, rendered
from understudy.world.scene import Scene

SUFFIX = ".world"
_HEAD = """# a world of Stage, written by Understudy
resolution {cell}
define floorplan model ( color "gray30" boundary 0 obstacle_return 1 laser_return 1 )
"""
_PLAN = 'floorplan ( name "{name}" pose [{x} {y} 0 0] size [{long} {wide} {high}] bitmap "{image}" )\n'


def save(scene: Scene, path: str | pathlib.Path, resolution_m: float | None = None) -> tuple[pathlib.Path, ...]:
    """Write a world and the picture of its walls next to it; returns both, or the world alone if it has no walls.

    Stage stretches the dark part of a picture to the size of its model, so the picture is cropped to it.
    """
    world, image = files_of(path)
    if world.suffix.lower() != SUFFIX:
        raise FormatError(f"{path}: the name of a Stage world must end with {SUFFIX}")
    whole = rendered(scene, resolution_m)
    head = _HEAD.format(cell=f"{whole.resolution_m:.9g}")
    if not whole.dark.any():
        scene_file.save(world, head)
        return (world,)
    plan = _cropped(whole)
    scene_file.save(image, grey_picture.to_other(np.where(plan.dark[::-1], np.uint8(0), np.uint8(255)), ".png"))
    scene_file.save(world, head + _floor_plan(plan, scene, image.name))
    return world, image


def files_of(path: str | pathlib.Path) -> tuple[pathlib.Path, ...]:
    """Return the files that `save` may write: the world and the picture of its walls."""
    return pathlib.Path(path), pathlib.Path(path).with_suffix(".png")


def left_out(scene: Scene) -> list[str]:
    """Return descriptions of what such a world does not store."""
    return bitmap.left_out(scene)


def _cropped(whole: OccupancyRaster) -> OccupancyRaster:
    """Return the part of a raster that is not empty."""
    rows, columns = np.flatnonzero(whole.dark.any(axis=1)), np.flatnonzero(whole.dark.any(axis=0))
    (x, y), cell = whole.corner_m, whole.resolution_m
    dark = whole.dark[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return OccupancyRaster(dark, (x + columns[0] * cell, y + rows[0] * cell), cell)


def _floor_plan(plan: OccupancyRaster, scene: Scene, image: str) -> str:
    wide, long = (count * plan.resolution_m for count in plan.dark.shape)
    high = max([wall.height_m for wall in scene.walls], default=1.0)
    name = (scene.name or "map").replace('"', "'")
    x, y = plan.corner_m[0] + long / 2, plan.corner_m[1] + wide / 2
    numbers = {"x": x, "y": y, "long": long, "wide": wide, "high": high}
    return _PLAN.format(name=name, image=image, **{key: f"{value:.9g}" for key, value in numbers.items()})
