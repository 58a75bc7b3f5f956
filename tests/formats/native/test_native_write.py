from __future__ import annotations

import dataclasses
import math

import pytest
from formats.fake_vocabulary import VOCABULARY
from formats.some_scenes import ROOM, SCENES
from hypothesis import given, settings

from understudy.formats.native import scene_file
from understudy.world.changes import Add, Move, Remove, Replace, apply
from understudy.world.robot import PlacedRobot, Program
from understudy.world.scene import Ball, Ground, Light, Origin, Scene, Wall
from understudy.world.shapes import Pose


def parse(text, folder=None):
    return scene_file.parse(text, "room.toml", VOCABULARY, folder)


def resolve(text, folder=None):
    return scene_file.resolve(parse(text, folder), VOCABULARY)


# ---- writing: a new file


GPS = {"kind": "gps", "period_ms": 10}


def test_a_new_file_is_tidy():
    scene = Scene(
        tick_us=10_000,
        ground=Ground((4.0, 3.0)),
        origin=Origin(50.0, 8.0, north_rad=math.pi),
        walls=(Wall(name="w", points_m=((0.0, 0.0), (1.5, 2.0))),),
        lights=(Light(pose=Pose(z_m=0.0)),),
        robots=(
            PlacedRobot("a", "rover", place=Pose(1.0, heading_rad=math.pi / 2), program=Program("wander.py"),
                  overrides={"device": {"front": {"max_m": 30}, "ring": False, "gps": GPS}}),
        ),
    )  # fmt: skip
    assert (
        scene_file.write(scene)
        == """\
schema = 1
tick_ms = 10

[ground]
size_m = [4.0, 3.0]

[origin]
latitude_deg = 50.0
longitude_deg = 8.0
north_deg = 180

[[wall]]
name = "w"
points_m = [[0.0, 0.0], [1.5, 2.0]]

[[light]]
z_m = 0.0

[[robot]]
name = "a"
model = "rover"
x_m = 1.0
heading_deg = 90
program = "wander.py"
device.front.max_m = 30
device.ring = false

[robot.device.gps]
kind = "gps"
period_ms = 10
"""
    )


def test_a_long_list_is_written_line_by_line():
    points = tuple((float(i), 0.25) for i in range(12))
    text = scene_file.write(Scene(walls=(Wall(points_m=points),)))
    assert "points_m = [\n    [0.0, 0.25],\n" in text


def test_a_resolved_scene_written_whole_resolves_to_the_same():
    flat = resolve(ROOM)
    again = resolve(scene_file.write(flat))
    same = tuple(dataclasses.replace(r, model="") for r in flat.robots)
    assert again == dataclasses.replace(flat, robots=same)


# ---- writing: an edit


def test_outputs_motors_and_drive_stages_are_written_and_read_back():
    flat = resolve(
        """schema = 1
[[robot]]
model = "crane"
unit.brick.drives = {A = "wheel:left", B = "joint:arm"}
unit.brick.motor = {spin_up_ms = 80, reversed = ["A"]}
drive_stage.wet = {kind = "slip", share = 0.1, side = "left"}
drive_stage.margins = {kind = "errors", turn_noise = 0.02, veer_rad_m = 0.1}
"""
    )
    text = scene_file.write(flat)
    assert 'drives = {A = "wheel:left", B = "joint:arm", C = "device:front"}' in text
    assert resolve(text).robots[0].built == flat.robots[0].built


def test_an_unchanged_scene_is_the_identical_text():
    document = parse(ROOM)
    assert scene_file.write(document.scene, like=document) == ROOM


def edited(change, text=ROOM):
    document = parse(text)
    scene = change(document.scene)
    new = scene_file.write(scene, like=document)
    assert parse(new).scene == scene
    return new


def changed_lines(old, new):
    return sorted(set(old.splitlines()) ^ set(new.splitlines()))


def test_a_move_changes_only_its_lines_and_keeps_the_comment_and_the_unit():
    new = edited(lambda scene: apply(scene, Move("scout", Pose(2.5, heading_rad=math.pi))))
    wanted = ["heading_deg = 180", "heading_deg = 90", "x_m = 1.0   # east", "x_m = 2.5   # east"]
    assert changed_lines(ROOM, new) == wanted


def test_a_new_key_comes_behind_its_neighbour():
    new = edited(lambda scene: apply(scene, Move("scout", Pose(1.0, 7.0, heading_rad=math.pi / 2))))
    assert "x_m = 1.0   # east\ny_m = 7.0\nheading_deg = 90\n" in new


def test_a_value_that_becomes_its_default_is_taken_out():
    new = edited(lambda scene: apply(scene, Move("scout", Pose())))
    assert changed_lines(ROOM, new) == ["heading_deg = 90", "x_m = 1.0   # east"]


def test_an_angle_that_degrees_cannot_say_is_written_in_radians():
    angle = next(a for a in (0.1 * i for i in range(1, 999)) if "deg" not in scene_file.write(turned(a)))
    new = edited(lambda scene: apply(scene, Move("scout", Pose(1.0, heading_rad=angle))))
    assert f"heading_rad = {angle!r}\n" in new


def turned(angle):
    return Scene(robots=(PlacedRobot(place=Pose(heading_rad=angle)),))


def test_a_removed_thing_takes_its_comment_along_and_leaves_the_next_ones():
    new = edited(lambda scene: apply(scene, Remove("north")))
    assert "north" not in new
    assert "# the first robot\n[[robot]]   # ours" in new


def test_a_removed_robot_takes_its_scattered_tables_along():
    new = edited(lambda scene: apply(scene, Remove("scout")))
    assert "robot.device.gps" not in new
    assert "# the kitchen" in new


def test_an_added_thing_comes_behind_the_last_of_its_kind():
    new = edited(lambda scene: apply(scene, Add(Wall(name="new", points_m=((0.0, 0.0), (1.0, 1.0))))))
    assert 'closed = false\n\n[[wall]]\nname = "new"\npoints_m = [[0.0, 0.0], [1.0, 1.0]]\n\n[robot.device.gps]' in new


def test_the_first_thing_of_a_kind_comes_at_the_end():
    assert edited(lambda scene: apply(scene, Add(Ball("b")))).endswith('\n\n[[ball]]\nname = "b"\n')


def test_a_new_table_comes_before_the_first_one():
    new = edited(lambda scene: dataclasses.replace(scene, origin=Origin(50.0, 8.0)))
    assert "tick_ms = 10   # coarse\n\n[origin]\nlatitude_deg = 50.0\nlongitude_deg = 8.0\n\n[ground]\n" in new


def test_a_setting_is_changed_in_its_own_unit():
    new = edited(lambda scene: dataclasses.replace(scene, tick_us=2_500))
    assert changed_lines(ROOM, new) == ["tick_ms = 10   # coarse", "tick_ms = 2.5   # coarse"]


def overridden(scene, overrides, row=0):
    changed = dataclasses.replace(scene.robots[row], overrides=overrides)
    return dataclasses.replace(scene, robots=tuple(changed if i == row else r for i, r in enumerate(scene.robots)))


def test_an_override_is_changed_where_it_stands():
    new = edited(lambda scene: overridden(scene, {"device": {"front": {"max_m": 9}, "gps": GPS}}))
    assert changed_lines(ROOM, new) == ["device.front.max_m = 30", "device.front.max_m = 9", "period_ms = 10"]


@pytest.mark.parametrize("overrides", [
    None,
    {"device": {"front": False, "gps": False}},
    {"device": {"gps": {"kind": "gps"}, "ring": {"max_m": 2.5, "noise": {"lost": 0.5}}}},
    {"drive": {"max_m_s": 0.5}, "device": {"front": {"max_m": 30}, "gps": {"kind": "gps"}}, "obstacle": False},
    {"device": {}},
])  # fmt: skip
@pytest.mark.parametrize("row", [0, 1])
def test_overrides_of_any_form_are_edited(overrides, row):
    new = edited(lambda scene: overridden(scene, overrides, row))
    assert "# the kitchen" in new


def test_a_renamed_thing_keeps_its_comments():
    document = parse(ROOM)
    scene = apply(document.scene, Replace("scout", dataclasses.replace(document.scene.robots[0], name="rover")))
    assert changed_lines(ROOM, scene_file.write(scene, document)) == ['name = "rover"', 'name = "scout"']


def test_windows_line_ends_stay():
    new = edited(lambda scene: apply(scene, Remove("north")), ROOM.replace("\n", "\r\n"))
    assert "\n" not in new.replace("\r\n", "")


def test_a_text_without_a_last_line_end_can_be_added_to():
    assert edited(lambda scene: apply(scene, Add(Ball("b"))), "schema = 1") == 'schema = 1\n\n[[ball]]\nname = "b"\n'


def test_an_inline_table_is_edited_as_a_whole():
    text = "schema = 1\nground = {size_m = [1, 2], walled = true}  # small\n"
    new = edited(lambda scene: dataclasses.replace(scene, ground=Ground((1.0, 3.0), walled=True)), text)
    assert new == "schema = 1\nground = {size_m = [1.0, 3.0], walled = true}  # small\n"


def test_includes_stay_when_a_scene_is_edited(tmp_path):
    (tmp_path / "walls.toml").write_text("schema = 1\n[[wall]]\npoints_m = [[0, 9], [1, 9]]\n")
    text = 'schema = 1\ninclude = ["walls.toml"] # outside\n[[ball]]\nname = "b"\n'
    document = parse(text, tmp_path)
    scene = apply(document.scene, Move("b", Pose(2.0)))
    assert scene_file.write(scene, document) == text + "x_m = 2.0\n"


def test_an_include_that_is_dropped_is_dropped_from_the_text(tmp_path):
    (tmp_path / "walls.toml").write_text("schema = 1\n")
    document = parse('schema = 1\ninclude = ["walls.toml"]\nseed = 2\n', tmp_path)
    assert scene_file.write(dataclasses.replace(document.scene, include=()), document) == "schema = 1\nseed = 2\n"


# ---- any scene, there and back


@given(SCENES)
def test_any_scene_reads_back_as_it_was_written(scene):
    assert parse(scene_file.write(scene)).scene == scene


@settings(max_examples=50)
@given(SCENES, SCENES)
def test_any_scene_reads_back_after_an_edit_of_any_other(old, new):
    document = parse(scene_file.write(old))
    assert parse(scene_file.write(new, like=document)).scene == new


@given(SCENES)
def test_an_edit_is_never_given_up_for_a_new_file(new):
    """The comment would be lost."""
    document = parse("# kept\n" + ROOM)
    assert scene_file.write(new, like=document).startswith("# kept\n")


# ---- saving


def test_a_saved_text_is_in_the_file_to_the_byte(tmp_path):
    scene_file.save(tmp_path / "room.toml", "a = 'ö'\r\n")
    assert (tmp_path / "room.toml").read_bytes() == "a = 'ö'\r\n".encode()


def test_bytes_are_saved_as_they_are(tmp_path):
    scene_file.save(tmp_path / "run.save", b"\0\xff")
    assert (tmp_path / "run.save").read_bytes() == b"\0\xff"


def test_saving_leaves_nothing_else_behind(tmp_path):
    scene_file.save(tmp_path / "room.toml", "a = 1\n")
    scene_file.save(tmp_path / "room.toml", "a = 2\n")
    assert [file.name for file in tmp_path.iterdir()] == ["room.toml"]


def test_a_text_that_cannot_be_saved_leaves_the_old_file(tmp_path):
    scene_file.save(tmp_path / "room.toml", "old")
    with pytest.raises(UnicodeEncodeError):
        scene_file.save(tmp_path / "room.toml", "\ud800")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("room.toml", "old")]


def test_a_saved_file_keeps_its_permissions(tmp_path):
    file = tmp_path / "room.toml"
    file.write_text("old")
    file.chmod(0o600)
    scene_file.save(file, "new")
    assert file.stat().st_mode & 0o777 == 0o600
