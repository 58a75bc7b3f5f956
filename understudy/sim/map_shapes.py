"""A scene seen from above, as shapes to draw: for the pictures of notebooks and for plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from understudy import elementary
from understudy.frozen import frozen
from understudy.sensors.base import Array
from understudy.world import outlines, walls
from understudy.world.outlines import Outline
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Scene, Wall

Point = tuple[float, float]
Kind = Literal["ground", "wall", "object", "ball", "robot", "nose"]
_LEAST_M = 1e-3  # of a map without extent
_FINEST = 4_000  # pieces of a wall closer together than the map's width divided by this are one


@frozen
class MapShape:
    """Something to draw: one point is a circle, two are a line, more are an area. Lines are *radius_m* wide."""

    kind: Kind
    points: tuple[Point, ...]
    colour: str
    radius_m: float = 0.0
    name: str = ""


@frozen
class MapBounds:
    """What a map shows (m)."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """Return the extent along x (m)."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Return the extent along y (m)."""
        return self.top - self.bottom


def shapes(scene: Scene) -> list[MapShape]:
    """Return everything on the map, the lowest first; things without a finite place are left out."""
    found = [_ground(scene)]
    finest = max(*scene.ground.size_m, _LEAST_M) / _FINEST
    found += [piece for wall in scene.walls for piece in _wall(wall, finest)]
    for solid in scene.objects:
        found += [_of("object", outline, solid.colour) for outline in outlines.of_solid(solid)]
    for ball in scene.balls:
        found.append(MapShape("ball", ((ball.pose.x_m, ball.pose.y_m),), ball.colour, ball.radius_m, ball.name))
    found += [part for robot in scene.robots for part in _robot(robot)]
    return [shape for shape in found if np.isfinite(shape.points).all()]


def bounds(found: Sequence[MapShape], trails: Sequence[Array] = ()) -> MapBounds:
    """Return what contains all shapes and trails, with a margin."""
    circles = [(x, y, s.radius_m) for s in found for x, y in s.points]
    circles += [(x, y, 0.0) for trail in trails for x, y in trail.tolist()]
    x, y, radius = np.array(circles).T
    left, bottom, right, top = (x - radius).min(), (y - radius).min(), (x + radius).max(), (y + radius).max()
    margin = max(right - left, top - bottom, _LEAST_M) * 0.02
    return MapBounds(float(left - margin), float(bottom - margin), float(right + margin), float(top + margin))


def _ground(scene: Scene) -> MapShape:
    (x, y), (wide, deep) = scene.ground.center_m, scene.ground.size_m
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    points = tuple((x + i * wide / 2, y + j * deep / 2) for i, j in corners)
    return MapShape("ground", points, scene.ground.colour)


def _wall(wall: Wall, finest_m: float) -> Iterator[MapShape]:
    """Yield the pieces of a wall; of a scanned map, those that can be told apart."""
    rows = walls.pieces(wall)
    _, first = np.unique(np.rint(rows / finest_m), axis=0, return_index=True)
    for ax, ay, bx, by in rows[np.sort(first)].tolist():
        yield MapShape("wall", ((ax, ay), (bx, by)), wall.colour, wall.thickness_m / 2, wall.name)


def _robot(robot: PlacedRobot) -> Iterator[MapShape]:
    pose, reach = robot.pose, robot.built.body.reach_m()
    yield _of("robot", outlines.of_robot(robot), robot.colour)
    cos, sin = elementary.direction(pose.heading_rad)
    ahead = pose.x_m + reach * cos, pose.y_m + reach * sin
    yield MapShape("nose", ((pose.x_m, pose.y_m), ahead), "#ffffff", name=robot.name)


def _of(kind: Kind, outline: Outline, colour: str) -> MapShape:
    return MapShape(kind, outline.points, colour, outline.radius_m, outline.name)
