"""Outlines seen from above: overlaps at the start, and checks of polygons.

An outline is convex, points with a radius around them: a circle is one point, a piece of wall two, a box four.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.frozen import frozen
from understudy.world import walls
from understudy.world.robot import Body, Circle, PlacedRobot, Rectangle
from understudy.world.scene import Solid, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Pose, Sphere

Array = npt.NDArray[np.float64]
Point = tuple[float, float]

_TOUCH_M = 1e-6  # things that only touch do not overlap


@frozen
class Outline:
    """A convex outline with a height range (m)."""

    name: str
    points: tuple[Point, ...]
    radius_m: float
    low_m: float
    high_m: float


def of_wall(wall: Wall) -> Iterator[Outline]:
    """Yield the outline of each straight piece."""
    for ax, ay, bx, by in walls.pieces(wall).tolist():
        yield Outline(wall.name, ((ax, ay), (bx, by)), wall.thickness_m / 2, 0.0, wall.height_m)


def of_solid(solid: Solid) -> Iterator[Outline]:
    """Yield the outline of a solid; none for a mesh or a tilted solid."""
    shape, pose = solid.shape, solid.pose
    if pose.pitch_rad or pose.roll_rad:
        return
    if isinstance(shape, Box):
        length, width, height = shape.size_m
        yield Outline(solid.name, _rectangle(length, width, 0.0, pose), 0.0, pose.z_m, pose.z_m + height)
    elif isinstance(shape, Cylinder | Cone):
        yield Outline(solid.name, ((pose.x_m, pose.y_m),), shape.radius_m, pose.z_m, pose.z_m + shape.height_m)
    elif isinstance(shape, Sphere):
        yield Outline(solid.name, ((pose.x_m, pose.y_m),), shape.radius_m, pose.z_m, pose.z_m + 2 * shape.radius_m)


def of_robot(robot: PlacedRobot) -> Outline:
    """Return the outline of a resolved robot."""
    body, pose = robot.built.body, robot.pose
    radius = body.radius_m if isinstance(body, Circle) else 0.0
    return Outline(robot.name, _corners(body, pose), radius, pose.z_m, pose.z_m + body.height_m)


def _corners(body: Body, pose: Pose) -> tuple[Point, ...]:
    if isinstance(body, Circle):
        return ((pose.x_m, pose.y_m),)
    if isinstance(body, Rectangle):
        return _rectangle(body.length_m, body.width_m, body.offset_x_m, pose)
    return _turned(body.points_m, pose)


def _rectangle(length: float, width: float, offset_x: float, pose: Pose) -> tuple[Point, ...]:
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    return _turned(tuple((offset_x + sx * length / 2, sy * width / 2) for sx, sy in signs), pose)


def _turned(points: tuple[Point, ...], pose: Pose) -> tuple[Point, ...]:
    cos, sin = elementary.cos(pose.heading_rad), elementary.sin(pose.heading_rad)
    return tuple((pose.x_m + cos * x - sin * y, pose.y_m + sin * x + cos * y) for x, y in points)


# ---- overlap


def overlaps(robots: list[Outline], others: list[Outline]) -> Iterator[tuple[int, Outline]]:
    """Yield the row of each robot with each outline of *others*, or earlier robot, that it overlaps."""
    outlines = [*others, *robots]
    if not outlines:
        return
    low, high = _bounds(outlines)
    for row, robot in enumerate(robots):
        me = len(others) + row
        near = np.all((low[:me] < high[me]) & (low[me] < high[:me]), axis=1)
        for candidate in np.nonzero(near)[0]:
            if _gap_m(robot, outlines[candidate]) < -_TOUCH_M:
                yield row, outlines[candidate]


def _bounds(outlines: list[Outline]) -> tuple[Array, Array]:
    """Return the lower and upper corner of every outline, heights included (m)."""
    low = [(*map(min, zip(*o.points)), o.low_m) for o in outlines]
    high = [(*map(max, zip(*o.points)), o.high_m) for o in outlines]
    reach = np.array([(o.radius_m, o.radius_m, 0.0) for o in outlines])
    return np.array(low) - reach, np.array(high) + reach


def _gap_m(one: Outline, other: Outline) -> float:
    """Return the widest gap between two outlines along a separating axis, below 0 if they overlap (m)."""
    gaps = (_gap_along_m(one.points, other.points, axis) for axis in _axes(one.points, other.points))
    return max(gaps, default=-math.inf) - one.radius_m - other.radius_m


def _gap_along_m(one: tuple[Point, ...], other: tuple[Point, ...], axis: Point) -> float:
    return min(x * axis[0] + y * axis[1] for x, y in other) - max(x * axis[0] + y * axis[1] for x, y in one)


def _axes(one: tuple[Point, ...], other: tuple[Point, ...]) -> Iterator[Point]:
    """Yield the separating axes of two convex outlines: across an edge, or from corner to corner."""
    across = [(b[1] - a[1], a[0] - b[0]) for points in (one, other) for a, b in _pieces(points)]
    between = [(q[0] - p[0], q[1] - p[1]) for p in one for q in other]
    for dx, dy in (*across, *((-dx, -dy) for dx, dy in across), *between):
        length = elementary.hypot(dx, dy)
        if length:
            yield dx / length, dy / length


def _pieces(points: tuple[Point, ...]) -> Iterator[tuple[Point, Point]]:
    return zip(points, (*points[1:], points[0]))


# ---- polygons


def polygon_error(points: tuple[Point, ...]) -> str:
    """Return the error in a polygon that must be convex and counter-clockwise; empty if it is valid."""
    if len(points) < 3:
        return f"want at least 3 points, got {len(points)}"
    turns = [_left_turn(a, b, c) for a, b, c in zip(points, (*points[1:], points[0]), (*points[2:], *points[:2]))]
    if all(turn < 0 for turn in turns):
        return "the points run clockwise; list them counter-clockwise"
    if not all(turn > 0 for turn in turns) or not _goes_round_once(points):
        return "not convex: the outline must turn left at every point"
    return ""


def _left_turn(a: Point, b: Point, c: Point) -> float:
    """Return a value above 0 if the path from *a* over *b* to *c* turns left."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _goes_round_once(points: tuple[Point, ...]) -> bool:
    """Return whether the outline does not cross itself (a star turns left at every point, too)."""
    headings = [elementary.atan2(b[1] - a[1], b[0] - a[0]) for a, b in _pieces(points)]
    turned = sum((b - a) % math.tau for a, b in zip(headings, (*headings[1:], headings[0])))
    return turned < 1.5 * math.tau
