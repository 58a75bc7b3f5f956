from __future__ import annotations

import math

import pytest
from contracts.format_contract import check_format
from formats.fake_vocabulary import ROVER, VOCABULARY
from formats.some_scenes import EARTH, ROOM

from understudy.errors import FormatError, SceneError
from understudy.formats import FORMATS, detect, read
from understudy.formats.native import scene_file
from understudy.formats.native.scene_file import Document
from understudy.world.drive_stages import Errors, Slip
from understudy.world.motors import Motor
from understudy.world.robot import Circle, PlacedRobot
from understudy.world.scene import Scene


def parse(text, folder=None):
    return scene_file.parse(text, "room.toml", VOCABULARY, folder)


def resolve(text, folder=None):
    return scene_file.resolve(parse(text, folder), VOCABULARY)


def robot(extra, model="rover"):
    return resolve(f'schema = 1\n[[robot]]\nmodel = "{model}"\n{extra}\n').robots[0]


def device(placed, name):
    return next(device for device in placed.built.devices if device.name == name)


def test_our_scene_file_keeps_the_contract_of_formats():
    check_format(scene_file, VOCABULARY, {"room.toml": ROOM, "earth.toml": EARTH})


# ---- the document


def test_a_document_keeps_robots_as_they_are_written():
    scout = parse(ROOM).scene.robots[0]
    assert (scout.model, scout.parts) == ("rover", None)
    assert scout.overrides == {"device": {"front": {"max_m": 30}, "gps": {"kind": "gps"}}}


def test_a_document_knows_its_lines():
    document = parse(ROOM)
    assert document.lines[("robot", 0, "device", "front", "max_m")] == 22


def test_windows_line_ends_give_the_same_scene():
    assert parse(ROOM.replace("\n", "\r\n")).scene == parse(ROOM).scene


def test_a_byte_order_mark_is_skipped(tmp_path):
    (tmp_path / "room.toml").write_bytes(b"\xef\xbb\xbfschema = 1\n")
    assert scene_file.read(tmp_path / "room.toml", VOCABULARY).scene == Scene()


def test_a_program_made_document_resolves_like_a_file():
    scene = Scene(robots=(PlacedRobot(model="rover"),))
    assert scene_file.resolve(Document(scene), VOCABULARY).robots[0].name == "rover-1"


def test_an_error_in_a_document_made_by_a_program_names_the_path():
    scene = Scene(robots=(PlacedRobot(model="rover", overrides={"device": {"front": {"max_m": -1}}}),))
    with pytest.raises(SceneError, match=r"^<scene>: robot\[0\].device.front.max_m: must be above 0, got -1$"):
        scene_file.resolve(Document(scene), VOCABULARY)


# ---- includes


def test_an_included_file_is_part_of_the_flat_scene_and_of_the_document(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "walls.toml").write_text('schema = 1\ninclude = ["more.toml"]\n')
    (tmp_path / "parts" / "more.toml").write_text("schema = 1\n[ground]\nsize_m = [9, 9]\n[[ball]]\nx_m = 3\n")
    (tmp_path / "room.toml").write_text('schema = 1\ninclude = ["parts/walls.toml"]\n[[ball]]\nx_m = 4\n')
    document = scene_file.read(tmp_path / "room.toml", VOCABULARY)
    flat = scene_file.resolve(document, VOCABULARY)
    assert [include.file for include in document.scene.include] == ["parts/walls.toml"]
    assert [(ball.name, ball.pose.x_m) for ball in flat.balls] == [("ball-1", 3.0), ("ball-2", 4.0)]
    assert flat.ground.size_m == (9.0, 9.0)


def test_a_robot_file_is_looked_for_beside_the_file_that_names_it(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "my.toml").write_text(ROVER)
    (tmp_path / "parts" / "crew.toml").write_text('schema = 1\n[[robot]]\nmodel = "my.toml"\n')
    (tmp_path / "room.toml").write_text('schema = 1\ninclude = ["parts/crew.toml"]\n')
    flat = scene_file.resolve(scene_file.read(tmp_path / "room.toml", VOCABULARY), VOCABULARY)
    assert (flat.robots[0].name, flat.robots[0].built.summary) == ("my-1", "A rover for tests")


def test_a_program_is_looked_for_beside_the_file_that_names_it(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "wander.py").write_text("def main(robot):\n    pass\n")
    (tmp_path / "parts" / "crew.toml").write_text('schema = 1\n[[robot]]\nmodel = "rover"\nprogram = "wander.py"\n')
    (tmp_path / "room.toml").write_text('schema = 1\ninclude = ["parts/crew.toml"]\n')
    flat = scene_file.resolve(scene_file.read(tmp_path / "room.toml", VOCABULARY), VOCABULARY)
    assert flat.robots[0].program.file == "parts/wander.py"


# ---- what a robot is made of


def test_a_robot_has_what_its_model_says():
    parts = robot("").built
    assert [d.name for d in parts.devices] == ["front", "ring"]
    assert parts.body == Circle(radius_m=0.2)
    assert parts.units[0].uses == (("laser1", "front"), ("sonar", "ring"))
    assert parts.card == {"source": "this test"}


def test_an_override_changes_one_value_and_leaves_its_neighbours():
    sheet = device(robot("device.front.max_m = 30"), "front").sheet
    assert (sheet.max_m, sheet.period_us) == (30.0, 100_000)


@pytest.mark.parametrize("key", ["period_ms = 200", "period_us = 200_000", "period_s = 0.2"])
def test_an_override_may_use_another_unit_than_the_model(key):
    assert device(robot(f"device.front.{key}"), "front").sheet.period_us == 200_000


def test_an_override_reaches_into_a_nested_table():
    assert device(robot("device.front.mount.z_m = 1"), "front").mount.x_m == 0.1


def test_a_device_can_be_added():
    assert device(robot('[robot.device.gps]\nkind = "gps"'), "gps").sheet.period_us == 1_000_000


def test_a_device_of_another_kind_keeps_its_mount_and_nothing_else():
    changed = device(robot('unit.arcos = false\ndevice.front.kind = "gps"'), "front")
    assert (type(changed.sheet).__name__, changed.mount.x_m) == ("Gps", 0.1)


def test_a_body_of_another_shape_replaces_the_models():
    assert robot('body = {shape = "box", length_m = 1, width_m = 1}').built.body.height_m == 0.25


def test_a_device_taken_away_leaves_no_binding_of_the_model_behind():
    parts = robot("device.front = false").built
    assert [d.name for d in parts.devices] == ["ring"]
    assert parts.units[0].uses == (("sonar", "ring"),)


def test_outputs_are_bound_and_a_scene_may_bind_more_of_them():
    crane = robot('unit.brick.drives = {A = "wheel:left", B = "joint:arm"}', "crane").built
    assert crane.units[0].drives == (("A", "wheel:left"), ("B", "joint:arm"), ("C", "device:front"))
    assert crane.units[0].moves_robot
    assert not robot("", "crane").built.units[0].moves_robot


@pytest.mark.parametrize(("gone", "left"), [("device.front", ("B",)), ("joint.arm = false\njoint.gear", ("C",))])
def test_what_is_taken_away_leaves_no_output_of_the_model_behind(gone, left, tmp_path):
    (tmp_path / "arm.toml").write_text('[robot]\nlike = "crane"\n[unit.brick]\ndrives = {B = "joint:arm"}\n')
    parts = resolve(f'schema = 1\n[[robot]]\nmodel = "arm.toml"\n{gone} = false\n', tmp_path).robots[0].built
    assert tuple(output for output, _ in parts.units[0].drives) == left


def test_motors_and_stages_are_read_in_the_order_of_the_file():
    parts = robot(
        "unit.brick.motor = {coast_ms = 250, reversed = ['A']}\n"
        "drive_stage.wet = {kind = 'slip', share = 0.1, side = 'left'}\n"
        "drive_stage.margins = {kind = 'errors', speed = 0.02}\n", "crane"
    ).built  # fmt: skip
    assert parts.units[0].motor == Motor(coast_us=250_000, reversed=("A",))
    assert [(stage.name, stage.sheet) for stage in parts.drive_stages] == [
        ("wet", Slip(0.1, "left")), ("margins", Errors(speed=0.02)),
    ]  # fmt: skip


def test_a_unit_taken_away_takes_its_ports_along():
    parts = robot("unit.arcos = false").built
    assert (parts.units, parts.ports) == ((), ())


def test_a_robot_without_a_model_is_described_in_the_scene():
    text = 'schema = 1\n[[robot]]\nbody = {shape = "circle", radius_m = 1}\ndrive = {kind = "omni"}\nobstacle = false\n'
    placed = resolve(text).robots[0]
    assert (placed.name, placed.built.surface.obstacle) == ("robot-1", False)


@pytest.mark.parametrize("text", [
    'schema = 1\nnoise = "perfect"\n[[robot]]\nmodel = "rover"\n',
    'schema = 1\n[[robot]]\nmodel = "rover"\nnoise = "perfect"\n',
])  # fmt: skip
def test_perfection_reaches_every_device(text):
    devices = resolve(text).robots[0].built.devices
    assert {d.sheet.noise.preset for d in devices} == {"perfect"}


def test_perfection_of_one_robot_leaves_the_others():
    text = 'schema = 1\n[[robot]]\nmodel = "rover"\nnoise = "perfect"\n[[robot]]\nmodel = "rover"\nx_m = 1\n'
    assert device(resolve(text).robots[1], "front").sheet.noise.preset == ""


def test_a_place_on_the_earth_becomes_metres():
    pose = resolve(EARTH).robots[0].pose
    assert math.hypot(pose.x_m - 7.17, pose.y_m - 11.12) < 0.05


def test_a_flat_scene_resolves_to_itself():
    flat = resolve(ROOM)
    assert scene_file.resolve(Document(flat), VOCABULARY) == flat


# ---- which format


def test_a_scene_is_known_by_its_content(tmp_path):
    (tmp_path / "scene.txt").write_text("# hello\nschema = 1\n")
    assert detect(tmp_path / "scene.txt") is scene_file


def test_an_unknown_file_is_refused_with_a_list_of_what_is_known(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"\0\1")
    with pytest.raises(FormatError, match=r"a\.bin: unknown file format; .*native \(\.toml\)"):
        detect(tmp_path / "a.bin")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("a.lasm", "understudy rcx run a.lasm"),
        ("a.RCX", "understudy rcx run a.RCX"),
        ("a.py", "understudy run SCENE --program ROBOT=a.py"),
        ("a.tape", "understudy replay a.tape"),
        ("a.ucf", "understudy sear import a.ucf"),
    ],
)
def test_a_file_that_is_not_a_scene_is_refused_with_what_it_is_used_with(tmp_path, monkeypatch, name, what):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(b"\0\1")
    with pytest.raises(FormatError, match=f"{name}: not a scene; .*{what}"):
        detect(name)


def test_a_folder_is_refused_with_the_scene_in_it(tmp_path):
    (tmp_path / "scene.toml").write_text("schema = 1\n")
    with pytest.raises(FormatError, match=r"directory\); did you mean .*scene\.toml\?"):
        detect(tmp_path)
    (tmp_path / "environment").mkdir()
    with pytest.raises(FormatError, match="understudy sear run"):
        detect(tmp_path)


def test_bytes_that_are_no_text_are_refused_with_their_place():
    with pytest.raises(FormatError, match=r"^room\.toml: byte 13 is not UTF-8 text; save the file as UTF-8$"):
        scene_file.parse(b"schema = 1\n# \xe9", "room.toml", VOCABULARY)


def test_a_file_of_any_format_is_read_by_its_content(tmp_path):
    (tmp_path / "scene.txt").write_bytes(b"\xef\xbb\xbf# hello\nschema = 1\n")
    assert read(tmp_path / "scene.txt", VOCABULARY).scene == Scene()


def test_a_missing_file_is_refused_by_name(tmp_path):
    with pytest.raises(FormatError, match=r"a\.map: cannot be read \(No such file or directory\)"):
        detect(tmp_path / "a.map")


def test_every_format_has_suffixes_and_the_two_functions():
    assert all(known.SUFFIXES and callable(known.sniff) and callable(known.parse) for known in FORMATS.values())


@pytest.mark.parametrize(
    ("name", "expected"), [("red", "#ff0000"), ("Cornflower Blue", "#6495ed"), ("gray30", "#4d4d4d")]
)
def test_a_colour_may_be_given_by_name(name, expected):
    assert parse(f'schema = 1\n[ground]\ncolour = "{name}"\n').scene.ground.colour == expected


def test_a_scene_that_is_saved_keeps_the_name_of_a_colour():
    text = 'schema = 1\n[ground]\ncolour = "red"\n\n[[ball]]\nname = "b"\n'
    document = parse(text)
    assert scene_file.write(document.scene, document) == text
