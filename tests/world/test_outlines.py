from __future__ import annotations

import math

import pytest

from understudy.world.outlines import of_robot, of_solid, of_wall, overlaps, polygon_error
from understudy.world.robot import Circle, Differential, PlacedRobot, Polygon, Rectangle, RobotModel
from understudy.world.scene import Solid, Wall
from understudy.world.shapes import Box, Cylinder, Mesh, Pose, Sphere

ROUND = Circle(radius_m=0.2, height_m=0.3)
LONG = Rectangle(length_m=1.0, width_m=0.2)
WEDGE = Polygon(points_m=((0.5, 0.0), (-0.5, 0.2), (-0.5, -0.2)))


def robot(body, x=0.0, y=0.0, heading_deg=0.0, z=0.0):
    parts = RobotModel(body=body, drive=Differential(track_m=0.3))
    return of_robot(PlacedRobot(name="r", place=Pose(x, y, z, math.radians(heading_deg)), parts=parts))


def wall(*points, thickness=0.0):
    return list(of_wall(Wall(name="w", points_m=points, thickness_m=thickness)))


def solid(shape, x=0.0, y=0.0, **pose):
    return list(of_solid(Solid(name="s", shape=shape, pose=Pose(x, y, **pose))))


@pytest.mark.parametrize(("others", "hit"), [
    (wall((0.15, -1.0), (0.15, 1.0)), True),
    (wall((0.25, -1.0), (0.25, 1.0)), False),
    (wall((0.2, -1.0), (0.2, 1.0)), False),  # only touches
    (wall((0.25, -1.0), (0.25, 1.0), thickness=0.2), True),
    (wall((0.15, 0.15), (1.0, 1.0)), False),  # its end is beside the circle, its bounding box is not
    (wall((-1.0, 0.0), (1.0, 0.0)), True),
    (solid(Box((1.0, 1.0, 1.0)), 0.6), True),
    (solid(Box((1.0, 1.0, 1.0)), 0.65, 0.65), False),  # a corner, out of the circle's reach
    (solid(Box((9.0, 9.0, 1.0))), True),
    (solid(Box((1.0, 1.0, 1.0)), z_m=0.3), False),  # hangs above
    (solid(Box((1.0, 1.0, 1.0)), pitch_rad=0.1), False),  # a ramp
    (solid(Cylinder(0.3), 0.45), True),
    (solid(Sphere(0.3), 0.55), False),
    (solid(Mesh("a.obj")), False),
    ([robot(ROUND, 0.3)], True),
    ([robot(ROUND)], True),
    ([robot(ROUND, 0.5)], False),
])  # fmt: skip
def test_a_round_robot_overlaps(others, hit):
    assert [row for row, _ in overlaps([robot(ROUND)], others)] == ([0] if hit else [])


@pytest.mark.parametrize(("body", "heading_deg", "hit"), [
    (LONG, 0, False), (LONG, 90, True), (WEDGE, 0, False), (WEDGE, 180, False), (WEDGE, 90, True), (WEDGE, -90, True),
])  # fmt: skip
def test_a_robot_beside_a_wall_overlaps_it_only_if_its_true_outline_does(body, heading_deg, hit):
    beside = wall((-2.0, 0.25), (2.0, 0.25))
    assert bool(list(overlaps([robot(body, heading_deg=heading_deg)], beside))) is hit


def test_two_equal_robots_at_one_place_overlap():
    assert [row for row, _ in overlaps([robot(LONG), robot(LONG)], [])] == [1]


def test_nothing_overlaps_in_an_empty_world():
    assert list(overlaps([], [])) == []


STAR = tuple((math.cos(i * 0.8 * math.pi), math.sin(i * 0.8 * math.pi)) for i in range(5))


@pytest.mark.parametrize(("points", "words"), [
    (((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)), ""),
    (((0.0, 0.0), (1.0, 0.0)), "want at least 3 points, got 2"),
    (((0.0, 0.0), (0.0, 1.0), (1.0, 0.0)), "clockwise"),
    (((0.0, 0.0), (1.0, 0.0), (0.2, 0.2), (0.0, 1.0)), "not convex"),
    (((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 1.0)), "not convex"),
    (STAR, "not convex"),
])  # fmt: skip
def test_an_outline_is_convex_and_counter_clockwise(points, words):
    assert words in polygon_error(points)
    assert bool(words) == bool(polygon_error(points))
