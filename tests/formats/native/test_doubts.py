"""What is valid and still looks like a mistake: warnings with file and line, in the exact words that a user sees."""

from __future__ import annotations

import logging

import pytest
from formats.fake_vocabulary import VOCABULARY

import understudy as us
from understudy.cli import main
from understudy.formats.native import scene_file
from understudy.formats.native.doubts import doubts

GROUND = "schema = 1\nground = {size_m = [6, 4]}\n"
ROBOT = '[[robot]]\nmodel = "rover"\nname = "scout"\n'


def warned(text, folder=None):
    """Return the warnings about a scene, one line each."""
    document = scene_file.parse(text, "room.toml", VOCABULARY, folder)
    return [str(doubt) for doubt in doubts(document, scene_file.resolve(document, VOCABULARY))]


def test_a_robot_on_the_ground_is_not_mentioned():
    assert warned(GROUND + ROBOT + "x_m = 2.9\ny_m = -1.9\nheading_rad = -3.1\n") == []


@pytest.mark.parametrize(("key", "place", "line"), [("x_m = 3.5\n", "3.5, 0", 6), ("y_m = -2.5\n", "0, -2.5", 6)])
def test_a_robot_outside_the_ground_is_a_warning_at_the_line_of_its_position(key, place, line):
    said = f"room.toml:{line}: robot[0].{key[:3]}: scout is at {place}, outside the ground (x -3 to 3, y -2 to 2)"
    assert warned(GROUND + ROBOT + key) == [said]


def test_the_centre_of_the_ground_counts():
    moved = GROUND.replace("[6, 4]", "[6, 4], center_m = [10, 0]")
    assert warned(moved + ROBOT + "x_m = 12\n") == []
    assert warned(moved + ROBOT) == [
        "room.toml:3: robot[0]: scout is at 0, 0, outside the ground (x 7 to 13, y -2 to 2)"
    ]


def test_a_ground_that_no_file_describes_has_no_outside():
    assert warned("schema = 1\n" + ROBOT + "x_m = 300\n") == []


def test_an_angle_that_looks_like_degrees_is_a_warning_with_what_was_meant():
    said = "room.toml:6: robot[0].heading_rad: 90 rad is 14.3 turns (did you mean heading_deg = 90?)"
    assert warned(GROUND + ROBOT + "heading_rad = 90\n") == [said]


def test_an_angle_deep_inside_is_found_too():
    (said,) = warned(GROUND + ROBOT + 'device.extra = {kind = "laser", mount = {yaw_rad = -45.0}}\n')
    assert said.startswith("room.toml:6: robot[0].device.extra.mount.yaw_rad: -45 rad is 7.2 turns")


@pytest.mark.parametrize("angle", ["heading_rad = 6.3", "heading_rad = -9.4", "heading_deg = 720"])
def test_an_angle_of_a_turn_or_in_degrees_is_not_mentioned(angle):
    assert warned(f"{GROUND}{ROBOT}{angle}\n") == []


def test_a_warning_in_an_included_file_names_that_file(tmp_path):
    (tmp_path / "more.toml").write_text("schema = 1\n" + ROBOT + "heading_rad = 45\n")
    (said,) = warned('schema = 1\ninclude = ["more.toml"]\n', tmp_path)
    assert said.startswith("more.toml:5: robot[0].heading_rad: 45 rad")


def test_check_prints_warnings_and_calls_the_file_good(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "room.toml").write_text(GROUND + ROBOT.replace("rover", "scout") + "x_m = 9\nheading_rad = 90\n")
    assert main(["check", "room.toml"]) == 0
    said = capsys.readouterr()
    assert [line.split(": ")[0] for line in said.err.splitlines()] == ["room.toml:6", "room.toml:7"]
    assert said.out == "room.toml: good, 2 warnings\n"


def test_loading_a_scene_warns_too(caplog):
    with caplog.at_level(logging.WARNING, "understudy"):
        us.load_text(GROUND + ROBOT.replace("rover", "scout") + "x_m = 9\n").close()
    assert [record.message for record in caplog.records] == [
        "<text>:6: robot[0].x_m: scout is at 9, 0, outside the ground (x -3 to 3, y -2 to 2)"
    ]
