from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.world.geo import GeoFrame
from understudy.world.resolve import EDGE, flatten, merged, named
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Ground, Include, Light, Origin, Scene, Solid, Wall
from understudy.world.shapes import Box, Cylinder, GeoPose, Pose

LINE = ((0.0, 0.0), (1.0, 0.0))


def wall(name=""):
    return Wall(name=name, points_m=LINE)


def names(scene):
    return [thing.name for thing in scene.things()]


# ---- includes


def test_included_things_come_before_the_own_ones_at_every_depth():
    deepest = Scene(walls=(wall("c"),))
    middle = Scene(walls=(wall("b"),), include=(Include("c.toml", deepest),))
    scene = Scene(walls=(wall("a"),), include=(Include("b.toml", middle),))
    assert names(merged(scene)) == ["c", "b", "a"]


def test_a_merged_scene_includes_nothing_any_more():
    assert merged(Scene(include=(Include("b.toml", Scene()),))).include == ()


def test_settings_of_an_included_scene_are_ignored():
    included = Scene(name="other", seed=9, tick_us=20_000, noise="perfect")
    assert merged(Scene(include=(Include("b.toml", included),))) == Scene()


def test_ground_and_origin_come_from_an_include_if_the_scene_has_none():
    included = Scene(ground=Ground((5.0, 5.0)), origin=Origin(50.0, 8.0))
    got = merged(Scene(include=(Include("b.toml", included),)))
    assert (got.ground, got.origin) == (included.ground, included.origin)


def test_the_own_ground_and_origin_win():
    included = Scene(ground=Ground((5.0, 5.0)), origin=Origin(50.0, 8.0))
    scene = Scene(ground=Ground((9.0, 9.0)), origin=Origin(1.0, 2.0), include=(Include("b.toml", included),))
    got = merged(scene)
    assert (got.ground, got.origin) == (scene.ground, scene.origin)


# ---- names


def test_missing_names_are_made_from_kind_or_model_in_file_order():
    scene = Scene(
        walls=(wall(), wall()),
        objects=(Solid(shape=Box((1.0, 1.0, 1.0))), Solid(shape=Cylinder(1.0)), Solid(shape=Box((1.0, 1.0, 1.0)))),
        balls=(Ball(),),
        lights=(Light(),),
        robots=(PlacedRobot(model="p3dx"), PlacedRobot(model="p3dx"), PlacedRobot()),
    )
    assert names(named(scene)) == [
        "wall-1", "wall-2", "box-1", "cylinder-1", "box-2", "ball-1", "light-1", "p3dx-1", "p3dx-2", "robot-1",
    ]  # fmt: skip


def test_a_made_name_never_takes_a_given_one():
    assert names(named(Scene(walls=(wall(), wall("wall-1"), wall())))) == ["wall-2", "wall-1", "wall-3"]


def test_a_robot_without_a_name_does_not_take_the_name_of_a_wall():
    assert names(named(Scene(walls=(wall("rover-1"),), robots=(PlacedRobot(model="rover"),)))) == ["rover-1", "rover-2"]


@pytest.mark.parametrize(("model", "name"), [
    ("robots/my scout.toml", "my-scout-1"), ("3dx", "robot-3dx-1"), ("..\\a.toml", "a-1"), ("ö.toml", "robot-1"),
])  # fmt: skip
def test_a_name_made_from_any_model_is_legal(model, name):
    assert names(named(Scene(robots=(PlacedRobot(model=model),)))) == [name]


@given(st.lists(st.sampled_from(["", "wall-1", "wall-2", "a"]), max_size=8))
def test_making_names_adds_no_duplicate(given_names):
    scene = Scene(walls=tuple(map(wall, given_names)))
    made = [name for before, name in zip(given_names, names(named(scene))) if not before]
    assert len(set(made)) == len(made)
    assert not set(made) & set(given_names)


# ---- the edge


def test_a_walled_ground_becomes_a_closed_wall_around_it():
    flat, _ = flatten(Scene(ground=Ground((4.0, 2.0), (1.0, 1.0), walled=True)))
    (edge,) = flat.walls
    assert edge.name == EDGE
    assert edge.closed
    assert edge.points_m == ((-1.0, 0.0), (3.0, 0.0), (3.0, 2.0), (-1.0, 2.0))


def test_the_edge_is_the_last_wall():
    flat, _ = flatten(Scene(walls=(wall(),), ground=Ground(walled=True)))
    assert names(flat) == ["wall-1", EDGE]


def test_making_a_flat_scene_flat_again_changes_nothing():
    flat, _ = flatten(Scene(walls=(wall(),), ground=Ground(walled=True)))
    assert flatten(flat) == (flat, [])


# ---- places on the Earth


def test_a_place_on_the_earth_becomes_metres():
    origin = Origin(50.0, 8.0, 100.0)
    latitude, longitude, _ = GeoFrame.from_origin(origin).to_geo(3.0, 4.0, 0.0)
    flat, findings = flatten(Scene(origin=origin, robots=(PlacedRobot(place=GeoPose(latitude, longitude, None, 1.5)),)))
    pose = flat.robots[0].pose
    assert not findings
    assert math.hypot(pose.x_m - 3.0, pose.y_m - 4.0) < 1e-6
    assert (pose.z_m, pose.heading_rad) == (0.0, 1.5)


def test_a_given_altitude_becomes_the_height_over_the_origin():
    robot = PlacedRobot(place=GeoPose(50.0, 8.0, 102.0))
    flat, _ = flatten(Scene(origin=Origin(50.0, 8.0, 100.0), robots=(robot,)))
    assert flat.robots[0].pose.z_m == pytest.approx(2.0)


def test_a_place_on_the_earth_without_an_origin_is_an_error():
    _, findings = flatten(Scene(robots=(PlacedRobot(), PlacedRobot(place=GeoPose(50.0, 8.0)))))
    assert [finding.path for finding in findings] == [("robot", 1, "latitude_deg")]


def test_a_place_in_metres_stays():
    robot = PlacedRobot(name="a", place=Pose(1.0, 2.0, 3.0, 0.5))
    assert flatten(Scene(robots=(robot,)))[0].robots == (robot,)


def test_resolving_does_not_change_the_document():
    scene = Scene(ground=Ground(walled=True), walls=(wall(),))
    before = dataclasses.replace(scene)
    flatten(scene)
    assert scene == before
