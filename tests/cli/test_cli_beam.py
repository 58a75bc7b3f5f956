"""The verb beam."""

import xml.etree.ElementTree as ElementTree

import pytest

from understudy.cli import main
from understudy.cli.beam import find

SCENE = """schema = 1
[[robot]]
name = "mine"
model = "scout"
device.eye = {model = "hc-sr04", mount = {x_m = 0.2, z_m = 0.1}}
"""


def said(capsys, *words):
    assert main(["beam", *words]) == 0
    return capsys.readouterr().out


def test_a_beam_is_plotted_with_a_scale_and_its_reach(capsys):
    lines = said(capsys, "hc-sr04", "--target", "0.2").splitlines()
    assert lines[0] == "HC-SR04 ultrasonic ranger: where a pole of 0.2 m is detected"
    assert lines[1].endswith("| 1 m")
    assert any(line.startswith("up to 4.") for line in lines)
    assert sum(">" in line for line in lines) == 1
    assert len(lines) > 10


def test_a_kind_of_sensor_has_a_beam_too(capsys):
    assert said(capsys, "beam").startswith("a beam: where a pole of 0.1 m is detected")


def test_the_device_of_a_catalogued_robot_is_found():
    found = find("p3dx/sonar", None)
    assert len(found.sheet.ring) == 16


def test_the_device_of_a_scenes_robot_is_found(tmp_path):
    (tmp_path / "room.toml").write_text(SCENE, encoding="utf-8")
    found = find("mine/eye", str(tmp_path / "room.toml"))
    assert (found.sheet.max_m, found.mount.x_m) == (4.0, 0.2)


def test_measured_points_are_a_beam(tmp_path):
    (tmp_path / "hall.csv").write_text("-10,1\n0,2\n10,1\n", encoding="utf-8")
    found = find(str(tmp_path / "hall.csv"), None)
    assert (len(found.sheet.lobes), found.sheet.max_m) == (3, 2.0)


def test_a_drawing_is_written(tmp_path, capsys):
    file = tmp_path / "ping.svg"
    assert said(capsys, "psd", "--svg", str(file)) == f"{file}: written\n"
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    assert len(root.findall("{*}path")) == 1


INVALID = [
    (["pong"], "unknown device 'pong' (did you mean 'ping'?); name a robot's device as ROBOT/DEVICE"),
    (["p3dy/sonar"], "unknown robot 'p3dy' (did you mean 'p3dx'?); for a robot of a scene add --scene"),
    (["p3dx/soner"], "p3dx has no device 'soner' (did you mean 'sonar'?)"),
    (["compass"], "a compass casts no rays, so it has no beam pattern"),
    (["psd", "--number", "1"], "psd has no value 1; its values are 0 to 0"),
]


@pytest.mark.parametrize(("words", "text"), INVALID)
def test_what_cannot_be_shown_is_reported(words, text, capsys):
    assert main(["beam", *words]) == 1
    assert capsys.readouterr().err == f"understudy: {text}\n"


def test_a_robot_that_is_not_in_the_scene_is_reported(tmp_path, capsys):
    (tmp_path / "room.toml").write_text(SCENE, encoding="utf-8")
    assert main(["beam", "mime/eye", "--scene", str(tmp_path / "room.toml")]) == 1
    assert "has no robot 'mime' (did you mean 'mine'?)" in capsys.readouterr().err


def test_a_missing_file_is_reported(tmp_path, capsys):
    assert main(["beam", str(tmp_path / "no.csv")]) == 1
    assert "No such file" in capsys.readouterr().err
