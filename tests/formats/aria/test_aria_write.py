"""Scenes that were no maps, written as maps."""

from __future__ import annotations

import math

import pytest
from formats.fake_vocabulary import VOCABULARY

from understudy.formats.aria import map_file
from understudy.formats.aria.cairn_types import Effect
from understudy.world.marks import Mark, Tag
from understudy.world.materials import Surface
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Ground, Heights, Light, Origin, Scene, Solid, Wall
from understudy.world.shapes import Box, Cylinder, Mesh, Pose

LINE = ((0.0, 0.0), (1.0, 0.0))
GLASS = Surface(("sonar", "infrared", "camera", "touch"))
CRATE = Box((0.4, 0.2, 1.0))


def body(scene):
    """Return the lines of a map behind its header's counts."""
    counts = ("2D-Map", "LineM", "NumL", "MinP", "MaxP", "NumP")
    return [line for line in map_file.write(scene).splitlines() if not line.startswith(counts)]


def again(scene):
    return map_file.parse(map_file.write(scene), "a.map", VOCABULARY).scene


# ---- walls


def test_a_line_of_walls_is_one_line_each():
    wall = Wall(points_m=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)), closed=True)
    assert body(Scene(walls=(wall,))) == ["LINES", "0 0 1000 0", "1000 0 1000 1000", "1000 1000 0 0", "DATA"]


def test_a_thick_wall_is_the_lines_around_it():
    lines = body(Scene(walls=(Wall(points_m=LINE, thickness_m=0.2),)))
    assert lines[1:-1] == [
        "-100 -100 1100 -100", "1100 -100 1100 100", "1100 100 -100 100", "-100 100 -100 -100"
    ]  # fmt: skip


def test_dots_are_points_with_their_resolution():
    assert body(Scene(walls=(Wall(dots_m=((0.05, 0.1),), dot_m=0.05),))) == ["Resolution: 50", "DATA", "50 100"]


def test_a_wall_that_throws_lasers_back_is_a_reflector():
    wall = Wall(points_m=LINE, surface=Surface(reflectance=2.0))
    assert body(Scene(walls=(wall,)))[0] == 'Cairn: Reflector 0 0 0 "" ICON "" 0 0 1000 0'


def test_a_wall_of_glass_is_a_thin_box_that_lasers_do_not_see():
    scene = Scene(walls=(Wall(points_m=((0.0, 0.0), (0.0, 2.0)), surface=GLASS),))
    assert body(scene)[:2] == [
        "MapInfo: SectorType Name=SimBoxNoLaser Label=SimBoxNoLaser Sim.Obstacle=yes Sim.LaserReflect=0",
        'Cairn: SimBoxNoLaser 0 0 90 "" ICON "" 0 -5 2000 5',
    ]


# ---- objects


@pytest.mark.parametrize("effect", [
    Effect(), Effect(obstacle=False), Effect(laser=0.0), Effect(laser=32.0), Effect(sonar=False),
    Effect(False, 0.0, False),
])  # fmt: skip
def test_a_box_comes_back_with_its_place_size_and_effect(effect):
    solid = Solid(shape=CRATE, pose=Pose(3.0, 1.0, heading_rad=0.5), surface=effect.surface())
    (box,) = again(Scene(objects=(solid,))).objects
    assert box.surface == effect.surface()
    assert box.shape.size_m == pytest.approx(CRATE.size_m)
    assert (box.pose.x_m, box.pose.y_m, box.pose.heading_rad) == pytest.approx((3.0, 1.0, 0.5), abs=1e-9)


def test_a_type_is_defined_once():
    boxes = tuple(Solid(shape=CRATE, pose=Pose(float(x)), surface=GLASS) for x in range(3))
    assert sum(line.startswith("MapInfo") for line in body(Scene(objects=boxes))) == 1


def test_a_box_that_has_changed_gets_a_type_that_is_true_of_it():
    text = """2D-Map
MapInfo: SectorType Name=Crate Sim.Obstacle=yes
Cairn: Crate 0 0 0 "" ICON "mine" 0 0 400 200
DATA
"""
    scene = map_file.parse(text, "a.map", VOCABULARY).scene
    (box,) = scene.objects
    changed = Scene(map=scene.map, objects=(Solid(shape=box.shape, tag=box.tag, surface=GLASS),))
    (after,) = again(changed).objects
    assert (after.tag.type, after.tag.label, after.surface) == ("SimBoxNoLaser", "mine", GLASS)


def test_a_name_that_the_map_uses_for_something_else_is_not_taken():
    text = "2D-Map\nMapInfo: SectorType Name=SimBox Sim.Obstacle=no\nDATA\n"
    notes = map_file.parse(text, "a.map", VOCABULARY).scene.map
    (box,) = again(Scene(map=notes, objects=(Solid(shape=CRATE),))).objects
    assert (box.tag.type, box.surface) == ("SimBox_", Surface())


def test_a_round_thing_is_a_ring_of_lines():
    scene = again(Scene(objects=(Solid(shape=Cylinder(0.5), pose=Pose(2.0, 1.0)),)))
    pieces = scene.walls[0].pieces_m
    assert len(pieces) == 24
    assert all(math.hypot(x - 2.0, y - 1.0) == pytest.approx(0.5, abs=1e-3) for x, y, _, _ in pieces)


# ---- the rest


def test_a_mark_without_a_label_has_none():
    assert body(Scene(marks=(Mark(name="g", tag=Tag("Goal"), pose=Pose(1.0)),)))[0] == 'Cairn: Goal 1000 0 0 "" ICON ""'


def test_what_cannot_stand_between_quotes_is_replaced():
    tag = Tag("Goal", label='the "old"\nlab')
    assert body(Scene(marks=(Mark(tag=tag),)))[0] == 'Cairn: Goal 0 0 0 "" ICON "the \'old\' lab"'


def test_the_first_robot_makes_a_home_where_the_scene_marks_none():
    robots = (PlacedRobot("scout", place=Pose(1.0, 2.0, heading_rad=math.pi)), PlacedRobot("other"))
    assert body(Scene(robots=robots))[0] == 'Cairn: RobotHome 1000 2000 180 "" ICON "Home"'
    assert len(body(Scene(robots=robots, marks=(Mark(tag=Tag("RobotHome")),)))) == 2


def test_an_origin_whose_north_is_up_is_written():
    assert body(Scene(origin=Origin(42.8, -71.5, 72.0)))[0] == "OriginLatLongAlt: 42.8 -71.5 72.0"
    assert body(Scene(origin=Origin(42.8, -71.5, 72.0, north_rad=0.0))) == ["DATA"]


def test_header_lines_that_would_end_the_header_are_left_out():
    notes = map_file.parse("2D-Map\nDATA\n", "a.map", VOCABULARY).scene.map
    strange = type(notes)(header=("DATA", "", "My: a\nLINES"))
    assert body(Scene(map=strange)) == ["My: a LINES", "DATA"]


@pytest.mark.parametrize(("scene", "words"), [
    (Scene(), []),
    (Scene(walls=(Wall(points_m=LINE),), marks=(Mark(tag=Tag("Goal")),), origin=Origin(1.0)), []),
    (Scene(robots=(PlacedRobot("scout"), PlacedRobot("rover"))),
     ["scout, rover: maps do not store robots", "the start pose of scout is written as the map's RobotHome"]),
    (Scene(robots=(PlacedRobot(),), marks=(Mark(tag=Tag("RobotHome")),)), ["1 robot: maps do not store robots"]),
    (Scene(balls=(Ball(), Ball("b")), lights=(Light("lamp"),)),
     ["2 balls: maps do not store balls", "lamp: maps do not store lights"]),
    (Scene(objects=(Solid(name="tree", shape=Mesh("tree.stl")),)),
     ["tree: maps store only upright boxes and plain round things (as lines)", "heights: maps are flat"]),
    (Scene(objects=(Solid(name="drum", shape=Cylinder(0.5), mass_kg=3.0),)),
     ["drum: round things are written as lines around them", "drum: objects on a map cannot be pushed",
      "lines and points are rounded to whole millimetres", "heights: maps are flat"]),
    (Scene(walls=(Wall(name="w", points_m=LINE, thickness_m=0.1, colour="#ffffff"),)),
     ["thick walls are written as lines around them", "colours", "names of walls"]),
    (Scene(walls=(Wall(points_m=LINE, surface=GLASS),)),
     ["1 wall: walls that are neither plain nor reflecting are written as thin boxes"]),
    (Scene(walls=(Wall(points_m=LINE, surface=Surface(("laser", "sonar"))),)),
     ["surface properties for sensors other than lasers and sonars"]),
    (Scene(seed=3, tick_us=1000, ground=Ground(heights=Heights("hill.png"))),
     ["settings of the run: seed, tick_us", "the ground's heights"]),
    (Scene(origin=Origin(north_rad=0.0)), ["the direction of north: on a map it is along y"]),
    (Scene(origin=Origin(date="2026-06-01")), ["the date"]),
])  # fmt: skip
def test_what_a_map_cannot_hold_is_said_in_these_words(scene, words):
    assert map_file.left_out(scene) == words
