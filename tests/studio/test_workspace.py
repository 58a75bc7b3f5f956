import dataclasses
import shutil
from pathlib import Path

import pytest

import understudy as us
from understudy.errors import FormatError
from understudy.studio import palette, recent
from understudy.studio.properties import PROPERTIES, properties
from understudy.studio.workspace import Workspace, new_scene, scenes_in
from understudy.world.changes import Add, Move, Remove, Replace, find
from understudy.world.shapes import Pose

EXAMPLES = Path(__file__).parents[2] / "examples"
ROOM = """\
# a room with a comment
schema = 1
name = "room"
ground = {size_m = [8, 6], walled = true}
wall = [
    {points_m = [[0, 1], [1, 1]]},  # the first
    {points_m = [[0, 2], [1, 2]]},
]

[[robot]]  # mine
model = "scout"
name = "scout"
x_m = -2
device.front.max_m = 5.0
"""


@pytest.fixture
def room(tmp_path):
    path = tmp_path / "room.toml"
    path.write_text(ROOM)
    sim = us.load(path)
    yield sim, Workspace(sim, path, tmp_path), path
    sim.close()


def test_an_unchanged_scene_is_saved_as_it_was_written(room):
    sim, space, path = room
    assert not space.is_dirty(sim)
    space.save(sim)
    assert path.read_text() == ROOM


def test_only_the_edit_changes_in_the_file(room):
    sim, space, path = room
    sim.change(Move("scout", Pose(1.5, 0.0)), "user")
    assert space.is_dirty(sim)
    space.save(sim)
    assert path.read_text() == ROOM.replace("x_m = -2", "x_m = 1.5")
    assert not space.is_dirty(sim)


def test_a_robot_of_the_catalogue_is_saved_by_its_model(room):
    sim, space, path = room
    sim.change(Add(palette.robot("p3dx", Pose(2.0, -1.0), sim.scene)), "user")
    space.save(sim)
    added = path.read_text().removeprefix(ROOM)
    assert 'model = "p3dx"' in added
    assert len(added.splitlines()) < 10


def test_a_copy_of_a_robot_keeps_what_its_file_says_of_it(room):
    sim, space, path = room
    sim.change(Add(palette.twin(find(sim.scene, "scout"), sim.scene)), "user")
    space.save(sim)
    assert us.load(path).start.robots[1].built.devices == sim.start.robots[1].built.devices
    assert path.read_text().count("max_m = 5.0") == 2


def test_things_without_a_name_keep_the_one_they_had(room):
    sim, space, path = room
    sim.change(Remove("wall-1"), "user")
    space.save(sim)
    assert [wall.name for wall in us.load(path).start.walls] == ["wall-2", "ground-edge"]


def test_the_edge_of_the_ground_can_be_removed(room):
    sim, space, path = room
    sim.change(Remove("ground-edge"), "user")
    space.save(sim)
    assert len(us.load(path).start.walls) == 2


def test_present_poses_are_saved_when_wanted(room):
    sim, space, path = room
    sim.robot("scout").drive(0.5)
    sim.run(1.0)
    space.save(sim, "later", present_poses=True)
    assert us.load(path.with_name("later.toml")).start.robots[0].pose.x_m > -1.8
    assert us.load(path).start.robots[0].pose.x_m == -2.0


@pytest.mark.parametrize("example", ["office", "kitchen", "gallery", "maze", "lego-lines"])
def test_every_example_is_saved_and_elsewhere_too(example, tmp_path):
    shutil.copytree(EXAMPLES, tmp_path / "own")
    path = tmp_path / "own" / f"{example}.toml"
    sim = us.load(path)
    space = Workspace(sim, path, tmp_path)
    sim.change(Add(palette.obstacle("box", 0.3, 0.2, sim.scene)), "user")
    first = path.read_text()
    space.save(sim)
    assert len(set(path.read_text().splitlines()) - set(first.splitlines())) < 9
    assert us.load(path).start == sim.start
    elsewhere = Workspace(sim, EXAMPLES / "office.toml", tmp_path)  # that folder is the program's
    saved = elsewhere.save(sim, example)
    assert saved.parent == tmp_path
    assert {thing.name for thing in us.load(saved).start.things()} == {thing.name for thing in sim.start.things()}


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/b", " ", ".", "..", ".x", "a\0b", "c:\\x", "x" * 99, "$(x)"])
def test_a_name_that_is_a_path_is_refused(room, name):
    sim, space, _ = room
    with pytest.raises(FormatError, match="plain file name"):
        space.save(sim, name)


def test_another_kind_of_file_is_never_replaced(room, tmp_path):
    sim, space, _ = room
    (tmp_path / "notes.toml").write_text("mine = true\n")
    with pytest.raises(FormatError, match="not a scene"):
        space.save(sim, "notes")
    assert (tmp_path / "notes.toml").read_text() == "mine = true\n"


def test_a_scene_without_a_file_needs_a_name_first(tmp_path):
    sim = us.load(new_scene())
    space = Workspace(sim, None, tmp_path)
    with pytest.raises(FormatError, match="under a name"):
        space.save(sim)
    assert us.load(space.save(sim, "mine")).start.ground == sim.start.ground
    space.save(sim)


def test_a_folder_that_cannot_be_written_is_an_error(room, tmp_path):
    sim, space, _ = room
    space.folder = tmp_path / "nowhere"
    with pytest.raises(FormatError, match="does not exist"):
        space.save(sim, "x")


def test_changes_that_were_not_saved_are_kept_at_the_end(room, tmp_path):
    sim, space, path = room
    assert space.rescue(sim, tmp_path / "unsaved") is None
    sim.change(Add(palette.obstacle("box", 1.0, -1.0, sim.scene)), "user")
    kept = space.rescue(sim, tmp_path / "unsaved")
    assert [solid.name for solid in us.load(kept).start.objects] == ["box-1"]
    assert path.read_text() == ROOM


# ---- properties


def test_every_property_can_be_written_and_read_again():
    scene = us.load(EXAMPLES / "office.toml").scene
    for thing in (*scene.robots, *scene.objects, *scene.balls, *scene.walls, *scene.lights):
        for key, value in properties(thing).items():
            new = "#123456" if isinstance(value, str) else value + 0.25
            PROPERTIES[key].check(new)
            assert properties(PROPERTIES[key].write(thing, new))[key] == pytest.approx(new)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("x", float("nan")),
        ("x", 1e300),
        ("mass", -1.0),
        ("radius", 0.0),
        ("colour", "red; x"),
        ("x", "1"),
        ("length", -2),
    ],
)
def test_absurd_values_are_refused(key, value):
    with pytest.raises(ValueError, match="want"):
        PROPERTIES[key].check(value)


def test_an_edited_size_is_saved(room):
    sim, space, path = room
    box = palette.obstacle("box", 1.0, -1.0, sim.scene)
    sim.change(Add(box), "user")
    sim.change(Replace(box.name, PROPERTIES["length"].write(box, 1.25)), "user")
    space.save(sim)
    assert us.load(path).start.objects[0].shape.size_m == (1.25, 0.5, 0.5)


# ---- recent files


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    return tmp_path / "state" / "understudy" / "recent.json"


def test_the_latest_scene_comes_first_and_each_once(state, tmp_path):
    paths = [tmp_path / f"{name}.toml" for name in "abc"]
    for path in (*paths, paths[0]):
        path.touch()
        recent.remember(path)
    assert [path.name for path in recent.recent()] == ["a.toml", "c.toml", "b.toml"]
    paths[0].unlink()
    assert paths[0] not in recent.recent()


@pytest.mark.parametrize("text", ["", "{", "3", '{"a": 1}', "[1, null]", '["\\u0000"]', "[" * 100_000])
def test_a_damaged_list_is_an_empty_list(state, text):
    state.parent.mkdir(parents=True)
    state.write_text(text)
    assert recent.recent() == []


def test_a_document_is_not_changed_by_edits_of_its_run(room):
    sim, _, _ = room
    before = sim.source
    sim.change(Move("scout", Pose(1.5, 0.0)), "user")
    assert dataclasses.replace(sim.source) == before


def test_files_that_are_no_scenes_are_not_offered(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "mine"\n')
    (tmp_path / "room.toml").write_text("# a room\nschema = 1\n")
    (tmp_path / "floor.map").write_text("2D-Map\n")
    assert sorted(scenes_in([tmp_path], (".toml", ".map")).values()) == ["floor.map", "room.toml"]
