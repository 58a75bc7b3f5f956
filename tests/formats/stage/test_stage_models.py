from __future__ import annotations

import math
from functools import cache

import pytest

from understudy.errors import SceneError
from understudy.formats.native import scene_file
from understudy.formats.native.robot_read import robot_model
from understudy.formats.stage import world_file
from understudy.formats.stage.pioneer_models import FILE, include_text
from understudy.sim.vocabulary import vocabulary
from understudy.world.robot import Polygon, Rectangle
from understudy.world.shapes import Box

WORDS = vocabulary()


def is_pioneer(name):
    return any(unit.sheet.kind == "pioneer" for unit in robot_model(name, None, WORDS).units)


EVERY_PIONEER = [name for name in WORDS.catalog if is_pioneer(name)]
PIONEERS = [
    name for name in EVERY_PIONEER
    if not name.endswith("-no-error") or name in ("p3dx-no-error", "seekur-no-error")
]  # fmt: skip


@cache
def read_as_a_strangers_file():
    """Return every Pioneer as it is built from the text alone, the catalogue not known to be behind it."""
    text = include_text(WORDS) + "".join(f"{name} ( pose [{n * 3} 0 0] )\n" for n, name in enumerate(PIONEERS))
    document = world_file.parse(text.encode(), "models.world", WORDS)
    scene = scene_file.resolve(document, WORDS)
    return {name: robot.built for name, robot in zip(PIONEERS, scene.robots)}, document.warnings


def device(robot, name):
    return next((part for part in robot.devices if part.name == name), None)


def arcos(robot):
    return next(unit.sheet for unit in robot.units if unit.name == "arcos")


def corners(body):
    if isinstance(body, Rectangle):
        x, y = body.length_m / 2, body.width_m / 2
        return sorted((body.offset_x_m + sx * x, sy * y) for sx in (1, -1) for sy in (1, -1))
    assert isinstance(body, Polygon)
    return sorted(body.points_m)


# ---- the include file


def test_the_include_file_defines_every_pioneer_and_box():
    text = include_text(WORDS)
    for name in (*EVERY_PIONEER, "box", "box-nolaser", "box-nolaser-nosonar", "box-reflector", "red_p3dx"):
        assert f"define {name} " in text, name


def test_nothing_in_the_include_file_is_skipped():
    _, warnings = read_as_a_strangers_file()
    assert {warning.path.partition(".")[2] for warning in warnings} <= {"pioneer_vel2div"}


@pytest.mark.parametrize("name", PIONEERS)
def test_the_text_says_all_of_a_pioneer(name):
    ours, theirs = robot_model(name, None, WORDS), read_as_a_strangers_file()[0][name]
    mine, other = arcos(ours), arcos(theirs)
    for key in ("robot_class", "subtype", "absent_sonars"):
        assert getattr(other, key) == getattr(mine, key), key
    for key in (
        "dist_factor", "vel_factor", "range_factor", "angle_factor", "diff_factor", "accel_m_s2", "decel_m_s2",
        "accel_rad_s2", "decel_rad_s2", "odometry_error",
    ):  # fmt: skip
        assert getattr(other, key) == pytest.approx(getattr(mine, key)), key
    assert theirs.drive.max_m_s == pytest.approx(ours.drive.max_m_s)
    assert theirs.drive.max_rad_s == pytest.approx(ours.drive.max_rad_s)
    for found, wanted in zip(corners(theirs.body), corners(ours.body), strict=True):
        assert found == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("name", PIONEERS)
def test_the_text_says_where_the_sensors_of_a_pioneer_are(name):
    ours, theirs = robot_model(name, None, WORDS), read_as_a_strangers_file()[0][name]
    one, two = device(ours, "sonar"), device(theirs, "sonar")
    assert (one is None) == (two is None)
    for mine, other in zip(one.sheet.ring, two.sheet.ring, strict=True) if one else ():
        assert (other.x_m, other.y_m, other.yaw_rad) == pytest.approx((mine.x_m, mine.y_m, mine.yaw_rad))
    one, two = device(ours, "front"), device(theirs, "front")
    assert (one is None) == (two is None)
    if one:
        assert (two.mount.x_m, two.mount.y_m, two.sheet.rays) == (one.mount.x_m, one.mount.y_m, one.sheet.rays)
        assert (two.sheet.field_rad, two.sheet.max_m) == pytest.approx((one.sheet.field_rad, one.sheet.max_m))


# ---- a user's own definitions


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "10-robots.inc").write_text(
        'define mine p3dx ( max_speed [0.3 0 1] pioneer_robot_subtype "mine" color "green" )\n'
        "define trolley position ( size [1 0.5] )\n"
        "define crate box ( size [1 2] )\n"
    )
    (tmp_path / "20-more.inc").write_text("define theirs mine ( max_speed [0.2 0 1] )\np3dx ( pose [1 2 0] )\n")
    (tmp_path / ".hidden").write_text("this is ( no world")
    return tmp_path


def test_what_the_files_of_a_folder_define_can_be_named(folder):
    robots = world_file.defined_models(folder, WORDS)
    assert {"mine", "theirs", "trolley", "red_p3dx"} <= set(robots)
    assert not {"crate", "p3dx", "pioneer", "sicklms200"} & set(robots)
    assert (arcos(robots["mine"]).subtype, robots["mine"].drive.max_m_s) == ("mine", 0.3)
    assert (arcos(robots["theirs"]).subtype, robots["theirs"].drive.max_m_s) == ("mine", 0.2)
    assert robots["mine"].devices == robot_model("p3dx", None, WORDS).devices


def test_boxes_colours_and_what_stands_around_are_offered_too(folder):
    found = world_file.defined(folder, WORDS)
    assert found.solids["crate"].shape == Box((1.0, 2.0, 1.0))
    assert found.solids["crate"].mass_kg > 0
    assert found.colours["mine"] == "#00ff00"
    assert [robot.model for robot in found.scene.robots] == ["p3dx"]


def test_a_robot_of_the_catalogue_can_be_defined_anew(tmp_path):
    (tmp_path / "a").write_text("define p3dx p3dx ( max_speed [0.1 0 1] )\n")
    robots = world_file.defined_models(tmp_path, WORDS)
    assert robots["p3dx"].drive.max_m_s == 0.1
    assert math.isclose(robots["p3dx"].drive.max_rad_s, 1.0)


@pytest.mark.parametrize("folder", [None, "absent"])
def test_without_a_folder_there_are_only_our_own_variants(folder, tmp_path):
    robots = world_file.defined_models(folder and tmp_path / folder, WORDS)
    assert all(name.endswith("_p3dx") for name in robots)


def test_an_error_in_a_folder_is_reported_with_its_file(tmp_path):
    (tmp_path / "bad.inc").write_text("define a position (\n")
    with pytest.raises(SceneError, match=r"bad\.inc:1: a: its \) is missing$"):
        world_file.defined_models(tmp_path, WORDS)


def test_the_include_file_has_mobilesims_name():
    assert FILE == "PioneerRobotModels.world.inc"
