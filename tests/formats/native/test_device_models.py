"""Devices that name a model, and beams from files of measured points."""

from __future__ import annotations

import dataclasses
import math
import tomllib

import pytest
from jsonschema import Draft202012Validator

from understudy.errors import FormatError, SceneError
from understudy.formats.beam_points import parse
from understudy.formats.native import scene_file
from understudy.formats.native.json_schema import robot_schema, scene_schema
from understudy.sim.scene_codec import scene_from, scene_plain
from understudy.sim.vocabulary import vocabulary

WORDS = vocabulary()
OWN = """schema = 1
[[robot]]
name = "a"
body = {shape = "circle", radius_m = 0.2}
drive = {kind = "differential", track_m = 0.3}
"""
PIONEER = 'schema = 1\n[[robot]]\nname = "a"\nmodel = "p3dx"\n'


def scene(text, folder=None):
    return scene_file.resolve(scene_file.parse(text.encode(), "room.toml", WORDS, folder), WORDS)


def device(text, name="it", folder=None):
    (robot,) = scene(text, folder).robots
    return next(each for each in robot.built.devices if each.name == name)


def reported(text, folder=None):
    with pytest.raises(SceneError) as caught:
        scene(text, folder)
    return [str(problem) for problem in caught.value.problems]


# ---- models


def test_a_device_that_names_a_model_is_of_its_kind_and_has_its_values():
    sheet = device(OWN + 'device.it.model = "ping"\n').sheet
    assert sheet.kind == "sonar"
    assert (sheet.min_m, sheet.max_m, sheet.period_us) == (0.02, 3.0, 20_000)
    assert len(sheet.lobes) == 3


def test_what_a_device_says_itself_comes_before_its_model():
    sheet = device(OWN + 'device.it = {model = "ping", max_m = 2.0, period_s = 1, noise = {lost = 0.5}}\n').sheet
    assert (sheet.max_m, sheet.period_us, sheet.min_m) == (2.0, 1_000_000, 0.02)
    assert (sheet.noise.lost, sheet.noise.sigma_m) == (0.5, 0.004)


def test_a_cone_of_its_own_replaces_the_lobes_of_a_model():
    sheet = device(OWN + 'device.it = {model = "ping", cone_deg = 30}\n').sheet
    assert sheet.lobes == ()
    assert sheet.cone_rad == pytest.approx(math.pi / 6)


def test_lobes_of_its_own_replace_those_of_a_model():
    sheet = device(OWN + 'device.it = {model = "ping", lobes = [{width_deg = 5, max_m = 1}]}\n').sheet
    assert [lobe.max_m for lobe in sheet.lobes] == [1.0]


def test_naming_a_model_in_a_scene_replaces_a_robots_device_but_not_where_it_sits():
    before, after = device(PIONEER, "sonar"), device(PIONEER + 'device.sonar.model = "hc-sr04"\n', "sonar")
    assert after.sheet.ring == before.sheet.ring
    assert (after.mount, after.sheet.max_m, after.model) == (before.mount, 4.0, "hc-sr04")


def test_another_kind_keeps_only_the_mount():
    other = 'unit.arcos = false\ndevice.front = {model = "gp2d12", kind = "infrared"}\n'
    before, after = device(PIONEER, "front"), device(PIONEER + other, "front")
    assert (after.mount, after.sheet.kind) == (before.mount, "infrared")


INVALID = [
    ('device.it.model = "pong"', "no such device 'pong' (did you mean 'ping'?)"),
    ('device.it = {model = "ping", kind = "laser"}', "'ping' is a sonar, but kind = laser; remove one of them"),
]


@pytest.mark.parametrize(("line", "text"), INVALID)
def test_an_invalid_model_is_reported_once_with_its_line(line, text):
    assert reported(OWN + line + "\n") == [f"room.toml:6: robot[0].device.it.model: {text}"]


def test_a_model_that_is_no_word_is_reported():
    (text,) = reported(OWN + "device.it.model = 3\n")
    assert text.startswith("room.toml:6: robot[0].device.it.model: no such device 3 (known: ")


def test_an_invalid_value_beside_a_model_is_reported_with_its_line():
    got = reported(OWN + '[robot.device.it]\nmodel = "ping"\nmax_m = -1\n')
    assert got == ["room.toml:8: robot[0].device.it.max_m: must be above 0, got -1"]


def test_values_that_do_not_fit_together_are_reported_where_they_stand():
    got = reported(OWN + '[robot.device.it]\nmodel = "ping"\nmin_m = 4\n')
    assert got == ["room.toml:8: robot[0].device.it.min_m: must be below max_m, 3, got 4"]
    got = reported(OWN + '[robot.device.it]\nkind = "sonar"\nring = []\n')
    assert got == ["room.toml:8: robot[0].device.it.ring: needs at least one position, such as [{yaw_deg = 0}]"]


def test_an_unknown_model_hides_no_other_error_and_causes_none():
    got = reported(PIONEER + 'device.sonar.model = "pong"\ndevice.front.max_m = -1\n')
    assert [line.split(":")[1] for line in got] == ["5", "6"]


def test_a_scene_keeps_the_name_of_a_model_when_it_is_saved():
    document = scene_file.parse((OWN + 'device.it.model = "ping"\n').encode(), "room.toml", WORDS)
    moved = dataclasses.replace(document.scene, name="other")
    assert 'device.it.model = "ping"' in scene_file.write(moved, document)
    assert 'model = "ping"' in scene_file.write(moved)


@pytest.mark.parametrize(
    "line", ['device.it.model = "ping"', 'device.it = {model = "ping", min_m = 0.1, cone_deg = 30}']
)
def test_a_resolved_robot_is_written_whole_and_reads_back_the_same(line):
    flat = scene(OWN + line + "\n")
    again = scene(scene_file.write(flat))
    assert again.robots[0].built.devices[0].sheet == flat.robots[0].built.devices[0].sheet
    assert scene_from(scene_plain(flat)) == flat


def test_a_sonar_may_have_a_model_of_reflection_and_a_laser_closer_looks():
    text = OWN + 'device.it = {kind = "sonar", reflection = {specular_deg = 20, bounces = 1, crosstalk = true}}\n'
    how = device(text).sheet.reflection
    assert (how.specular_rad, how.bounces, how.crosstalk) == (math.radians(20), 1, True)
    assert SCENE.is_valid(tomllib.loads(text))
    flat = scene(text)
    assert scene(scene_file.write(flat)).robots[0].built.devices == flat.robots[0].built.devices
    laser = (
        'device.it = {kind = "laser", reflectance = true, reach_m = 9, grazing_deg = 5, spot_deg = 0.5, pulse_m = 1}\n'
    )
    assert SCENE.is_valid(tomllib.loads(OWN + laser))
    assert device(OWN + laser).sheet.closer


def test_more_than_one_bounce_is_refused():
    got = reported(OWN + 'device.it = {kind = "sonar", reflection = {bounces = 2}}\n')
    assert got == ["room.toml:6: robot[0].device.it.reflection.bounces: must be at most 1, got 2"]


# ---- the schema


SCENE, ROBOT = (Draft202012Validator(schema(WORDS)) for schema in (scene_schema, robot_schema))
GOOD = [
    'device.it.model = "ping"',
    'device.it = {model = "ping", kind = "sonar", max_m = 2}',
    'device.it = {kind = "sonar", lobes = "beam.csv"}',
    'device.it = {kind = "sonar", lobes = [{width_deg = 3, max_m = 1}]}',
]
BAD = [
    'device.it.model = "pong"',
    'device.it = {model = "ping", kind = "laser"}',
    'device.it = {model = "ping", rays = 3}',
    'device.it = {kind = "sonar", lobes = 3}',
    'device.it = {kind = "sonar", lobes = [{width_deg = 3}]}',
]


@pytest.mark.parametrize("line", GOOD)
def test_the_schema_knows_models_and_measured_beams(line):
    assert SCENE.is_valid(tomllib.loads(f"{OWN}{line}\n"))


@pytest.mark.parametrize("line", BAD)
def test_the_schema_refuses_invalid_models(line):
    assert not SCENE.is_valid(tomllib.loads(f"{OWN}{line}\n"))


def test_a_scene_may_give_a_robots_device_another_model():
    assert SCENE.is_valid(tomllib.loads(PIONEER + 'device.front.model = "urg-04lx"\n'))
    assert not SCENE.is_valid(tomllib.loads(PIONEER + 'device.front.model = "abacus"\n'))


def test_robot_files_may_name_models_too():
    text = '[robot]\nbody = {shape = "circle", radius_m = 0.2}\ndrive = {kind = "omni"}\n[device.eye]\nmodel = "ping"\n'
    assert ROBOT.is_valid(tomllib.loads(text))


# ---- measured beams


def test_each_measured_point_becomes_a_cone_half_way_to_its_neighbours():
    lobes = parse("-20, 1.0\n0, 3.0\n10, 2.0", "beam.csv")
    assert [math.degrees(lobe["yaw_rad"]) for lobe in lobes] == pytest.approx([-20, -2.5, 10])
    assert [math.degrees(lobe["width_rad"]) for lobe in lobes] == pytest.approx([20, 15, 10])
    assert [lobe["max_m"] for lobe in lobes] == [1.0, 3.0, 2.0]


@pytest.mark.parametrize(
    "text",
    [
        "angle_deg,distance_cm\n-10,100\n10,200\n",
        "angle_deg;distance_mm\r\n10;2000\r\n-10;1000",
        "\ufeff# measured in the hall\n\n-10\t1.0\n10 2.0 # with a broom",
        f"angle_rad distance_m\n{-math.pi / 18} 1\n{math.pi / 18} 2",
    ],
)
def test_units_separators_comments_and_order_do_not_matter(text):
    lobes = parse(text, "beam.csv")
    assert [lobe["max_m"] for lobe in lobes] == pytest.approx([1.0, 2.0])
    assert [math.degrees(lobe["yaw_rad"]) for lobe in lobes] == pytest.approx([-10, 10])


def test_an_angle_at_which_nothing_was_seen_is_a_gap():
    assert len(parse("-30,1\n-20,0\n-10,0\n0,3", "beam.csv")) == 2


POINTS = [
    ("", "beam.csv: want from 2 to 1000 points, got 0"),
    ("0, 1", "beam.csv: want from 2 to 1000 points, got 1"),
    ("0, 1\n1, x", "beam.csv:2: not a measured point: '1, x' (want angle_deg, distance_m)"),
    ("0, 1\n1, 2, 3", "beam.csv:2: not a measured point: '1, 2, 3' (want angle_deg, distance_m)"),
    ("angle, range\n1, 2", "beam.csv:1: not a measured point: 'angle, range' (want angle_deg, distance_m)"),
    ("0, 1\n200, 1", "beam.csv:2: an angle must be from -180 to 180 degrees, got 200"),
    ("0, 1\nnan, 1", "beam.csv:2: an angle must be from -180 to 180 degrees, got nan"),
    ("0, 1\n3, -1", "beam.csv:2: a distance must be at least 0, got -1"),
    ("0, 1\n3, inf", "beam.csv:2: a distance must be at least 0, got inf"),
    ("5, 1\n0, 2\n5, 3", "beam.csv:3: the same angle as in line 1; give it once"),
    ("0, 0\n5, 0", "beam.csv: every distance is 0; want at least one above 0"),
]


@pytest.mark.parametrize(("text", "message"), POINTS)
def test_an_error_in_a_file_of_points_is_reported_with_its_line(text, message):
    with pytest.raises(FormatError) as caught:
        parse(text, "beam.csv")
    assert str(caught.value) == message


def test_a_scene_finds_its_measured_beam_beside_it(tmp_path):
    (tmp_path / "hall.csv").write_text("-10,1\n0,2\n10,1\n", encoding="utf-8")
    sheet = device(OWN + 'device.it = {model = "ping", lobes = "hall.csv"}\n', folder=tmp_path).sheet
    assert [lobe.max_m for lobe in sheet.lobes] == [1.0, 2.0, 1.0]
    assert sheet.max_m == 3.0


def test_a_robot_file_finds_its_measured_beam_beside_itself(tmp_path):
    (tmp_path / "robots").mkdir()
    (tmp_path / "robots" / "hall.csv").write_text("-10,1\n0,2\n", encoding="utf-8")
    robot = '[robot]\nbody = {shape = "circle", radius_m = 0.2}\ndrive = {kind = "omni"}\n'
    eye = '[device.it]\nkind = "sonar"\nlobes = "hall.csv"\n'
    (tmp_path / "robots" / "mine.toml").write_text(robot + eye, encoding="utf-8")
    text = 'schema = 1\n[[robot]]\nmodel = "robots/mine.toml"\n'
    assert len(device(text, folder=tmp_path).sheet.lobes) == 2
    (tmp_path / "robots" / "hall.csv").unlink()
    assert reported(text, tmp_path) == ["robots/mine.toml:6: device.it.lobes: no such file 'hall.csv'"]


def test_a_missing_or_invalid_beam_is_reported_at_its_key(tmp_path):
    line = 'device.it = {kind = "sonar", lobes = "hall.csv"}\n'
    assert reported(OWN + line, tmp_path) == ["room.toml:6: robot[0].device.it.lobes: no such file 'hall.csv'"]
    assert reported(OWN + line) == [
        "room.toml:6: robot[0].device.it.lobes: cannot resolve 'hall.csv': this text was not loaded from a file"
    ]
    (tmp_path / "hall.csv").write_text("a", encoding="utf-8")
    assert reported(OWN + line, tmp_path) == [
        "room.toml:6: robot[0].device.it.lobes: hall.csv:1: not a measured point: 'a' (want angle_deg, distance_m)"
    ]


def test_the_name_of_a_measured_beam_stays_in_the_file_that_is_saved(tmp_path):
    (tmp_path / "hall.csv").write_text("-10,1\n0,2\n", encoding="utf-8")
    text = OWN + 'device.it = {kind = "sonar", lobes = "hall.csv"}\n'
    document = scene_file.parse(text.encode(), "room.toml", WORDS, tmp_path)
    assert 'lobes = "hall.csv"' in scene_file.write(dataclasses.replace(document.scene, name="other"), document)
