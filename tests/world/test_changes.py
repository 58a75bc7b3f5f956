from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.errors import ChangeRefused
from understudy.world.changes import Add, LoadMap, Move, Pause, Quit, Remove, Replace, Reset, Speed, Step, apply, find
from understudy.world.marks import MapNotes, Mark, Tag
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Ground, Light, Origin, Scene, Solid, Wall
from understudy.world.shapes import Box, Pose

SCENE = Scene(
    name="room",
    walls=(Wall(name="north", points_m=((0.0, 0.0), (1.0, 0.0))),),
    objects=(Solid(name="crate", shape=Box((1.0, 1.0, 1.0))),),
    balls=(Ball("ball"),),
    lights=(Light("lamp"),),
    robots=(PlacedRobot("scout"), PlacedRobot("other")),
)
GOAL = Mark(name="goal", tag=Tag("Goal"), pose=Pose(1.0))
LINE = Mark(name="line", tag=Tag("ForbiddenLine"), pose=Pose(1.0), line_m=(0.0, 0.0, 1.0, 0.0))
NAMES = [thing.name for thing in SCENE.things()]


def names(scene):
    return [thing.name for thing in scene.things()]


@pytest.mark.parametrize("name", ["crate", "ball", "lamp", "scout"])
def test_a_thing_moves_to_its_new_pose(name):
    pose = Pose(1.0, 2.0, heading_rad=0.5)
    assert find(apply(SCENE, Move(name, pose)), name).pose == pose


def test_moving_one_thing_leaves_the_others_as_they_are():
    moved = apply(SCENE, Move("crate", Pose(1.0)))
    assert [t for t in moved.things() if t.name != "crate"] == [t for t in SCENE.things() if t.name != "crate"]


def test_a_wall_is_shifted_by_its_move():
    assert apply(SCENE, Move("north", Pose(1.0, 2.0))).walls[0].points_m == ((1.0, 2.0), (2.0, 2.0))


def test_a_wall_cannot_be_turned():
    with pytest.raises(ChangeRefused, match="moved but not rotated"):
        apply(SCENE, Move("north", Pose(heading_rad=math.pi)))


def test_an_added_thing_comes_last_of_its_kind():
    assert [robot.name for robot in apply(SCENE, Add(PlacedRobot("new"))).robots] == ["scout", "other", "new"]


def test_an_added_thing_needs_a_name():
    with pytest.raises(ChangeRefused, match="needs a name"):
        apply(SCENE, Add(Ball()))


def test_an_added_thing_needs_a_name_of_its_own():
    with pytest.raises(ChangeRefused, match="'crate'"):
        apply(SCENE, Add(Ball("crate")))


def test_a_removed_thing_is_gone():
    assert names(apply(SCENE, Remove("scout"))) == [name for name in NAMES if name != "scout"]


@pytest.mark.parametrize("change", [Move("skout", Pose()), Remove("skout"), Replace("skout", PlacedRobot("a"))])
def test_a_name_that_is_not_there_is_answered_with_the_nearest(change):
    with pytest.raises(ChangeRefused, match="did you mean 'scout'"):
        apply(SCENE, change)


def test_a_replaced_thing_keeps_its_place_among_its_kind():
    replaced = apply(SCENE, Replace("scout", PlacedRobot("scout", label="new")))
    assert [robot.label for robot in replaced.robots] == ["new", ""]


def test_a_renamed_thing_keeps_its_place_too():
    renamed = apply(SCENE, Replace("scout", PlacedRobot("rover")))
    assert [robot.name for robot in renamed.robots] == ["rover", "other"]


def test_a_thing_can_be_replaced_by_one_of_another_kind():
    replaced = apply(SCENE, Replace("crate", Ball("second")))
    assert replaced.objects == ()
    assert [ball.name for ball in replaced.balls] == ["ball", "second"]


def test_a_replacement_cannot_take_the_name_of_a_third_thing():
    with pytest.raises(ChangeRefused, match="'ball'"):
        apply(SCENE, Replace("crate", PlacedRobot("ball")))


def test_a_loaded_map_brings_its_things_and_leaves_the_robots():
    new = Scene(ground=Ground((3.0, 3.0)), walls=(Wall(name="w", points_m=((0.0, 0.0), (2.0, 0.0))),))
    loaded = apply(SCENE, LoadMap(new))
    assert names(loaded) == ["w", "scout", "other"]
    assert (loaded.ground, loaded.name) == (new.ground, "room")


def test_a_loaded_map_without_an_origin_keeps_the_old_one():
    scene = Scene(origin=Origin(50.0, 8.0))
    assert apply(scene, LoadMap(Scene())).origin == scene.origin


def test_a_loaded_map_brings_its_marks_and_what_its_file_said():
    new = Scene(marks=(GOAL,), map=MapNotes("2D-Map-Ex"))
    loaded = apply(dataclasses.replace(SCENE, marks=(LINE,)), LoadMap(new))
    assert (loaded.marks, loaded.map) == ((GOAL,), new.map)


def test_a_loaded_map_whose_thing_has_the_name_of_a_robot_is_refused():
    with pytest.raises(ChangeRefused, match=r"^'scout' is a robot here and a thing on the map; names must be unique"):
        apply(SCENE, LoadMap(Scene(balls=(Ball("scout"),))))


def test_a_robot_of_a_loaded_map_does_not_matter():
    assert apply(SCENE, LoadMap(Scene(robots=(PlacedRobot("scout"),)))).robots == SCENE.robots


def test_a_wall_of_pieces_and_dots_is_shifted_whole():
    wall = Wall(name="w", pieces_m=((0.0, 0.0, 1.0, 0.0),), dots_m=((3.0, 3.0),))
    shifted = apply(Scene(walls=(wall,)), Move("w", Pose(1.0, 2.0))).walls[0]
    assert (shifted.pieces_m, shifted.dots_m) == (((1.0, 2.0, 2.0, 2.0),), ((4.0, 5.0),))


def test_the_line_of_a_mark_goes_along():
    moved = apply(Scene(marks=(LINE,)), Move("line", Pose(2.0, 1.0))).marks[0]
    assert (moved.pose, moved.line_m) == (Pose(2.0, 1.0), (1.0, 1.0, 2.0, 1.0))


@pytest.mark.parametrize("change", [Reset(), Pause(), Step(), Speed(2.0), Quit()])
def test_what_concerns_only_the_run_leaves_the_scene(change):
    assert apply(SCENE, change) is SCENE


@given(st.sampled_from(NAMES))
def test_adding_what_was_removed_gives_the_same_set_of_things(name):
    back = apply(apply(SCENE, Remove(name)), Add(find(SCENE, name)))
    assert sorted(names(back)) == sorted(NAMES)
