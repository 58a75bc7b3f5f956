"""Which numbers a world is made of."""

import math
from dataclasses import replace

import pytest
from scenes import box, model, robot, room

import understudy as us
from understudy.errors import SceneError
from understudy.sim.sim import Sim
from understudy.world import extent
from understudy.world.changes import Add, Grasp, LoadMap, Move, Speed
from understudy.world.robot import DeviceSpec
from understudy.world.scene import Light, Wall
from understudy.world.shapes import Mount, Pose


def test_a_scene_of_usual_numbers_is_right():
    assert list(extent.wrong_numbers(room())) == []


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_every_number_that_is_not_finite_is_found_with_its_path(value):
    scene = room(robot("a"), robot("b", x=value), objects=(box(size=(1.0, value, 1.0)),))
    paths = [path for path, _ in extent.wrong_numbers(scene)]
    assert paths == [("object", 0, "size_m", 1), ("robot", 1, "x_m")]


def test_a_device_far_from_its_robot_is_found_by_its_name():
    parts = model()
    parts = replace(parts, devices=(DeviceSpec(name="eye", sheet=parts.devices[0].sheet, mount=Mount(x_m=1e9)),))
    wrong = list(extent.wrong_numbers(room(robot(parts=parts))))
    assert wrong == [(("robot", 0, "device", "eye", "mount", "x_m"), "must be within 1e+08 m, got 1e+09")]


def test_one_wrong_point_among_thousands_is_found():
    points = [(float(n), 0.0) for n in range(5000)]
    points[4321] = (0.0, math.nan)
    wrong = list(extent.wrong_numbers(Wall(name="w", points_m=tuple(points))))
    assert wrong == [(("points_m", 4321, 1), "want a finite number, got nan")]


def test_a_whole_number_of_any_size_is_shown():
    assert extent.refusal(Pose(10**400)) == "x_m: must be within 1e+08 m, got 1e+300"  # type: ignore[arg-type]


def test_the_sun_may_stand_where_it_is():
    assert extent.refusal(Light("sun", "sun", Pose(z_m=1.5e11))) == ""


def test_what_is_no_length_may_be_large():
    parts = model(dynamics=replace(model().dynamics, motor_n_m=1e9))
    assert extent.refusal(parts) == ""


@pytest.mark.parametrize(
    "change",
    [
        Move("a", Pose(math.nan)), Move("a", Pose(0.0, 1e12)), Add(box("b", x=math.inf)), Grasp("a", math.nan),
        LoadMap(room(objects=(box("b", x=1e300),))), Speed(math.nan),
    ],
)  # fmt: skip
def test_changes_are_looked_at_too(change):
    assert extent.refusal(change)


def test_a_scene_made_by_a_program_is_refused_as_a_file_is():
    with pytest.raises(SceneError, match=r"robot\[0\]\.heading_rad: want a finite number, got nan"):
        Sim(room(robot(heading=math.nan)))


def test_a_file_with_something_too_far_away_says_the_line():
    text = 'schema = 1\n[[robot]]\nmodel = "p3dx"\nx_m = -1e12\n'
    with pytest.raises(SceneError, match=r"<text>:4: robot\[0\]\.x_m: must be within 1e\+08 m, got -1e\+12"):
        us.load_text(text)
