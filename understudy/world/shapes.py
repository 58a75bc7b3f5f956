"""Poses, mounts and shapes (m, rad; x forward, y left, z up)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import ClassVar, Literal

from understudy.frozen import frozen
from understudy.world.records import rule


@frozen
class Pose:
    """A pose in the world; heading is counter-clockwise from the x axis."""

    x_m: float = 0.0
    y_m: float = 0.0
    z_m: float = 0.0
    heading_rad: float = 0.0
    pitch_rad: float = 0.0
    roll_rad: float = 0.0


def pose_of(row: Iterable[float]) -> Pose:
    """Return the pose of an engine's row: x, y, z (m), roll, pitch, yaw (rad)."""
    x, y, z, roll, pitch, yaw = (float(value) for value in row)
    return Pose(x, y, z, yaw, pitch, roll)


def row_of(pose: Pose) -> tuple[float, float, float, float, float, float]:
    """Return a pose as a row of an engine: x, y, z (m), roll, pitch, yaw (rad) within half a turn."""
    return pose.x_m, pose.y_m, pose.z_m, pose.roll_rad, pose.pitch_rad, math.remainder(pose.heading_rad, math.tau)


@frozen
class GeoPose:
    """A geographic pose; needs the scene's origin."""

    latitude_deg: float = rule(least=-90.0, most=90.0)
    longitude_deg: float = rule(least=-180.0, most=180.0)
    altitude_m: float | None = None
    heading_rad: float = 0.0


@frozen
class Mount:
    """The pose of a device on its robot."""

    x_m: float = 0.0
    y_m: float = 0.0
    z_m: float = 0.0
    yaw_rad: float = 0.0
    pitch_rad: float = 0.0
    roll_rad: float = 0.0


@frozen
class Box:
    """A cuboid, centred on its pose in x and y, standing on its z."""

    kind: ClassVar[str] = "box"
    size_m: tuple[float, float, float] = rule(above=0.0)


@frozen
class Cylinder:
    """An upright cylinder."""

    kind: ClassVar[str] = "cylinder"
    radius_m: float = rule(above=0.0)
    height_m: float = rule(1.0, above=0.0)


@frozen
class Cone:
    """An upright cone, its tip on top."""

    kind: ClassVar[str] = "cone"
    radius_m: float = rule(above=0.0)
    height_m: float = rule(1.0, above=0.0)


@frozen
class Sphere:
    """A sphere that rests on its z."""

    kind: ClassVar[str] = "sphere"
    radius_m: float = rule(above=0.0)


@frozen
class Mesh:
    """A body of triangles from a file (OBJ, STL, PLY, glTF, COLLADA, Ogre .mesh.xml); its origin is at the pose."""

    kind: ClassVar[str] = "mesh"
    file: str = rule()
    scale: float = rule(1.0, above=0.0)
    up: Literal["", "y", "z"] = rule("", doc="which axis of the file points up; default: that of its format")
    node: str = rule("", doc="only this node of the file and the nodes below it")
    hull: bool = rule(False, doc="collisions use its convex hull; rays see the true shape")


Shape = Box | Cylinder | Cone | Sphere | Mesh


def half_height(shape: Shape) -> float:
    """Return the height of its centre above its base (m)."""
    if isinstance(shape, Box):
        return shape.size_m[2] / 2
    if isinstance(shape, Sphere):
        return shape.radius_m
    return shape.height_m / 2 if isinstance(shape, Cylinder | Cone) else 0.0
