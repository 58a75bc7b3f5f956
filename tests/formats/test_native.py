from __future__ import annotations

import dataclasses
import math
import os

import pytest
from contracts.format_contract import check_format
from formats.fake_vocabulary import ROVER, VOCABULARY
from hypothesis import given, settings
from hypothesis import strategies as st
from understudy.errors import FormatError, SceneError
from understudy.formats import FORMATS, detect, native
from understudy.formats.native import Document
from understudy.world.changes import Add, Move, Remove, Replace, apply
from understudy.world.robot import Circle, Differential, Program, Robot, RobotModel
from understudy.world.scene import Ball, Ground, Heights, Light, Origin, Scene, Solid, Wall
from understudy.world.shapes import Box, Cone, Cylinder, GeoPose, Mesh, Pose, Sphere

ROOM = """\
# A room for tests
schema = 1
name = "room"
tick_ms = 10   # coarse

[ground]
size_m = [12, 8]
walled = true

# the north wall
[[wall]]
name = "north"
points_m = [[-2, 3], [2, 3]]   # long

# the first robot
[[robot]]   # ours
name = "scout"
model = "rover"
x_m = 1.0   # east
heading_deg = 90
program = "python3 wander.py"
device.front.max_m = 30

# the kitchen
[[wall]]
name = "kitchen"
points_m = [
    [4, 0],  # door
    [4, 3],
]
closed = false

[robot.device.gps]
kind = "gps"

[[robot]]
model = "rover"
x_m = -2
device = {front = {period_s = 0.2}, ring = false}
"""

EARTH = """\
schema = 1
noise = "perfect"
[origin]
latitude_deg = 50
longitude_deg = 8
date = 2026-06-01T12:00:00
[[robot]]
model = "rover"
latitude_deg = 50.0001
longitude_deg = 8.0001
[[light]]
[[ball]]
x_m = -3
[[object]]
kind = "box"
size_m = [1, 1, 1]
x_m = 5
heading_deg = 30
"""


def parse(text, folder=None):
    return native.parse(text, "room.toml", VOCABULARY, folder)


def resolve(text, folder=None):
    return native.resolve(parse(text, folder), VOCABULARY)


def robot(extra, model="rover"):
    return resolve(f'schema = 1\n[[robot]]\nmodel = "{model}"\n{extra}\n').robots[0]


def device(placed, name):
    return next(device for device in placed.built.devices if device.name == name)


def test_our_scene_file_keeps_the_contract_of_formats():
    check_format(native, VOCABULARY, {"room.toml": ROOM, "earth.toml": EARTH})


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


def test_a_byte_order_mark_is_passed_over(tmp_path):
    (tmp_path / "room.toml").write_bytes(b"\xef\xbb\xbfschema = 1\n")
    assert native.read(tmp_path / "room.toml", VOCABULARY).scene == Scene()


def test_a_program_made_document_resolves_like_a_file():
    scene = Scene(robots=(Robot(model="rover"),))
    assert native.resolve(Document(scene), VOCABULARY).robots[0].name == "rover-1"


def test_a_mistake_in_a_program_made_document_names_the_path():
    scene = Scene(robots=(Robot(model="rover", overrides={"device": {"front": {"max_m": -1}}}),))
    with pytest.raises(SceneError, match=r"^<scene>: robot\[0\].device.front.max_m: must be above 0, got -1$"):
        native.resolve(Document(scene), VOCABULARY)


# ---- includes


def test_an_included_file_is_part_of_the_flat_scene_and_of_the_document(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "walls.toml").write_text('schema = 1\ninclude = ["more.toml"]\n[[wall]]\npoints_m = [[0, 9], [1, 9]]\n')
    (tmp_path / "parts" / "more.toml").write_text("schema = 1\n[ground]\nsize_m = [9, 9]\n[[ball]]\nx_m = 3\n")
    (tmp_path / "room.toml").write_text('schema = 1\ninclude = ["parts/walls.toml"]\n[[ball]]\nx_m = 4\n')
    document = native.read(tmp_path / "room.toml", VOCABULARY)
    flat = native.resolve(document, VOCABULARY)
    assert [include.file for include in document.scene.include] == ["parts/walls.toml"]
    assert [(ball.name, ball.pose.x_m) for ball in flat.balls] == [("ball-1", 3.0), ("ball-2", 4.0)]
    assert flat.ground.size_m == (9.0, 9.0)


def test_a_robot_file_is_looked_for_beside_the_file_that_names_it(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "my.toml").write_text(ROVER)
    (tmp_path / "parts" / "crew.toml").write_text('schema = 1\n[[robot]]\nmodel = "my.toml"\n')
    (tmp_path / "room.toml").write_text('schema = 1\ninclude = ["parts/crew.toml"]\n')
    flat = native.resolve(native.read(tmp_path / "room.toml", VOCABULARY), VOCABULARY)
    assert (flat.robots[0].name, flat.robots[0].built.summary) == ("my-1", "A rover for tests")


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
    assert native.resolve(Document(flat), VOCABULARY) == flat


# ---- writing: a new file


def test_a_new_file_is_tidy():
    scene = Scene(
        tick_us=10_000,
        ground=Ground((4.0, 3.0)),
        origin=Origin(50.0, 8.0, north_rad=math.pi),
        walls=(Wall(name="w", points_m=((0.0, 0.0), (1.5, 2.0))),),
        lights=(Light(pose=Pose(z_m=0.0)),),
        robots=(
            Robot("a", "rover", place=Pose(1.0, heading_rad=math.pi / 2), program=Program("wander.py"),
                  overrides={"device": {"front": {"max_m": 30}, "ring": False, "gps": {"kind": "gps", "period_ms": 10}}}),
        ),
    )  # fmt: skip
    assert native.write(scene) == """\
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


def test_a_long_list_is_written_line_by_line():
    points = tuple((float(i), 0.25) for i in range(12))
    text = native.write(Scene(walls=(Wall(points_m=points),)))
    assert "points_m = [\n    [0.0, 0.25],\n" in text


def test_a_resolved_scene_written_whole_resolves_to_the_same():
    flat = resolve(ROOM)
    again = resolve(native.write(flat))
    same = tuple(dataclasses.replace(r, model="") for r in flat.robots)
    assert again == dataclasses.replace(flat, robots=same)


# ---- writing: an edit


def test_an_unchanged_scene_is_the_identical_text():
    document = parse(ROOM)
    assert native.write(document.scene, like=document) == ROOM


def edited(change, text=ROOM):
    document = parse(text)
    scene = change(document.scene)
    new = native.write(scene, like=document)
    assert parse(new).scene == scene
    return new


def changed_lines(old, new):
    return sorted(set(old.splitlines()) ^ set(new.splitlines()))


def test_a_move_changes_only_its_lines_and_keeps_the_comment_and_the_unit():
    new = edited(lambda scene: apply(scene, Move("scout", Pose(2.5, heading_rad=math.pi))))
    assert changed_lines(ROOM, new) == ["heading_deg = 180", "heading_deg = 90", "x_m = 1.0   # east", "x_m = 2.5   # east"]


def test_a_new_key_comes_behind_its_neighbour():
    new = edited(lambda scene: apply(scene, Move("scout", Pose(1.0, 7.0, heading_rad=math.pi / 2))))
    assert "x_m = 1.0   # east\ny_m = 7.0\nheading_deg = 90\n" in new


def test_a_value_that_becomes_its_default_is_taken_out():
    new = edited(lambda scene: apply(scene, Move("scout", Pose())))
    assert changed_lines(ROOM, new) == ["heading_deg = 90", "x_m = 1.0   # east"]


def test_an_angle_that_degrees_cannot_say_is_written_in_radians():
    angle = next(a for a in (0.1 * i for i in range(1, 999)) if "deg" not in native.write(turned(a)))
    new = edited(lambda scene: apply(scene, Move("scout", Pose(1.0, heading_rad=angle))))
    assert f"heading_rad = {angle!r}\n" in new


def turned(angle):
    return Scene(robots=(Robot(place=Pose(heading_rad=angle)),))


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
    new = edited(lambda scene: overridden(scene, {"device": {"front": {"max_m": 9}, "gps": {"kind": "gps", "period_ms": 50}}}))
    assert changed_lines(ROOM, new) == ["device.front.max_m = 30", "device.front.max_m = 9", "period_ms = 50"]


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
    assert changed_lines(ROOM, native.write(scene, document)) == ['name = "rover"', 'name = "scout"']


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
    assert native.write(scene, document) == text + "x_m = 2.0\n"


def test_an_include_that_is_dropped_is_dropped_from_the_text(tmp_path):
    (tmp_path / "walls.toml").write_text("schema = 1\n")
    document = parse('schema = 1\ninclude = ["walls.toml"]\nseed = 2\n', tmp_path)
    assert native.write(dataclasses.replace(document.scene, include=()), document) == "schema = 1\nseed = 2\n"


# ---- any scene, there and back


NAMES = st.sampled_from(["", *"abcdefgh"])
METRES = st.floats(-1e4, 1e4).map(lambda x: x + 0.0)
SIZES = st.floats(0.001, 1e3)
ANGLES = st.one_of(st.integers(-360, 360).map(math.radians), st.floats(-7, 7))
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
POINTS = st.tuples(METRES, METRES)
POSES = st.builds(Pose, METRES, METRES, METRES, ANGLES, ANGLES, ANGLES)
COLOURS = st.sampled_from(["#000000", "#7a7a7a", "#AbCdEf"])
SHAPES = st.one_of(
    st.builds(Box, st.tuples(SIZES, SIZES, SIZES)), st.builds(Cylinder, SIZES, SIZES), st.builds(Cone, SIZES),
    st.builds(Sphere, SIZES), st.builds(Mesh, TEXTS, SIZES),
)  # fmt: skip
VALUES = st.recursive(
    st.one_of(st.booleans(), st.integers(-9, 9), METRES, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(["a_us", "b c", "d"]), inner, max_size=2)),
    max_leaves=5,
)
OVERRIDES = st.none() | st.dictionaries(st.sampled_from(["device", "unit", "body", "drive"]), VALUES, min_size=1, max_size=3)
ROBOTS = st.builds(
    Robot, NAMES, st.sampled_from(["", "rover"]), TEXTS,
    POSES | st.builds(GeoPose, st.floats(-90, 90), st.floats(-180, 180), st.none() | METRES, ANGLES),
    COLOURS, st.none() | st.builds(Program, TEXTS, args=st.lists(TEXTS, max_size=2).map(tuple)),
    overrides=OVERRIDES,
)  # fmt: skip
SCENES = st.builds(
    Scene,
    name=TEXTS,
    seed=st.integers(0, 2**63 - 1),
    tick_us=st.integers(100, 1_000_000),
    noise=st.sampled_from(["", "perfect"]),
    ground=st.builds(Ground, st.tuples(SIZES, SIZES), walled=st.booleans(), heights=st.none() | st.builds(Heights, TEXTS, METRES)),
    origin=st.none() | st.builds(Origin, st.floats(-90, 90), north_rad=ANGLES),
    walls=st.lists(st.builds(Wall, name=NAMES, points_m=st.lists(POINTS, max_size=4).map(tuple), closed=st.booleans()), max_size=3).map(tuple),
    objects=st.lists(st.builds(Solid, name=NAMES, shape=SHAPES, pose=POSES, colour=COLOURS), max_size=3).map(tuple),
    balls=st.lists(st.builds(Ball, NAMES, SIZES), max_size=2).map(tuple),
    lights=st.lists(st.builds(Light, NAMES, pose=POSES), max_size=2).map(tuple),
    robots=st.lists(ROBOTS, max_size=3).map(tuple),
)


@given(SCENES)
def test_any_scene_reads_back_as_it_was_written(scene):
    assert parse(native.write(scene)).scene == scene


@settings(max_examples=50)
@given(SCENES, SCENES)
def test_any_scene_reads_back_after_an_edit_of_any_other(old, new):
    document = parse(native.write(old))
    assert parse(native.write(new, like=document)).scene == new


@given(SCENES)
def test_an_edit_is_never_given_up_for_a_new_file(new):
    """The comment would be lost."""
    document = parse("# kept\n" + ROOM)
    assert native.write(new, like=document).startswith("# kept\n")


# ---- saving


def test_a_saved_text_is_in_the_file_to_the_byte(tmp_path):
    native.save(tmp_path / "room.toml", "a = 'ö'\r\n")
    assert (tmp_path / "room.toml").read_bytes() == "a = 'ö'\r\n".encode()


def test_saving_leaves_nothing_else_behind(tmp_path):
    native.save(tmp_path / "room.toml", "a = 1\n")
    native.save(tmp_path / "room.toml", "a = 2\n")
    assert os.listdir(tmp_path) == ["room.toml"]


def test_a_text_that_cannot_be_saved_leaves_the_old_file(tmp_path):
    native.save(tmp_path / "room.toml", "old")
    with pytest.raises(UnicodeEncodeError):
        native.save(tmp_path / "room.toml", "\ud800")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("room.toml", "old")]


def test_a_saved_file_keeps_its_permissions(tmp_path):
    file = tmp_path / "room.toml"
    file.write_text("old")
    file.chmod(0o600)
    native.save(file, "new")
    assert file.stat().st_mode & 0o777 == 0o600


# ---- which format


def test_a_scene_is_known_by_its_content(tmp_path):
    (tmp_path / "scene.txt").write_text("# hello\nschema = 1\n")
    assert detect(tmp_path / "scene.txt") is native


def test_an_unknown_file_is_refused_with_a_list_of_what_is_known(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"\0\1")
    with pytest.raises(FormatError, match=r"a\.bin: not a scene .*native \(\.toml\)"):
        detect(tmp_path / "a.bin")


def test_a_missing_file_is_refused_by_name(tmp_path):
    with pytest.raises(FormatError, match=r"a\.map: cannot be read \(No such file or directory\)"):
        detect(tmp_path / "a.map")


def test_every_format_has_suffixes_and_the_two_functions():
    assert all(known.SUFFIXES and callable(known.sniff) and callable(known.parse) for known in FORMATS.values())


def test_the_stand_in_parts_never_reach_a_resolved_scene():
    placed = robot("")
    assert isinstance(placed.built, RobotModel)
    assert placed.built.drive == Differential(track_m=0.33)
