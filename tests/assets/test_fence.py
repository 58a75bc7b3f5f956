"""A stranger's map reads nothing outside its folder, whatever its format, and no message tells what is there."""

import contextlib
import json
import os
import threading

import numpy as np
import pytest
from formats.fake_vocabulary import VOCABULARY
from meshes import PLATES
from pictures import encoded

from understudy import formats
from understudy.assets import fence
from understudy.assets.files import contents
from understudy.assets.meshes import blend
from understudy.errors import UnderstudyError
from understudy.formats.native import scene_file

SECRET = "root:x:0:0"
HEAD = "schema = 1\nground.walled = true\n"
URDF = """<robot name="r"><link name="base"><collision><geometry><mesh filename="{name}"/></geometry></collision>
<visual><geometry><box size="1 1 1"/></geometry></visual></link></robot>"""
GLTF = {"asset": {"version": "2.0"}, "buffers": [{"uri": "NAME", "byteLength": 12}]}

# what a map says to read another file: format, name of the map, its text
REFERENCES = {
    "a scene's include": ("room.toml", HEAD + 'include = ["{name}"]\n'),
    "a ground's picture": ("room.toml", HEAD + 'ground.picture = "{name}"\n'),
    "a ground's heights": ("room.toml", 'schema = 1\nground.heights = "{name}"\n'),
    "a wall's picture": ("room.toml", HEAD + '[[wall]]\nname = "w"\npoints_m = [[0, 0], [1, 0]]\npicture = "{name}"\n'),
    "an object's picture": (
        "room.toml",
        HEAD + '[[object]]\nname = "b"\nkind = "box"\nsize_m = [1, 1, 1]\npicture = "{name}"\n',
    ),
    "an object's mesh": ("room.toml", HEAD + '[[object]]\nname = "m"\nkind = "mesh"\nfile = "{name}"\n'),
    "a robot's program": ("room.toml", HEAD + '[[robot]]\nmodel = "p3dx"\nprogram = "{name}"\n'),
    "a robot's file": ("room.toml", HEAD + '[[robot]]\nmodel = "{name}"\n'),
    "what a robot is like": ("room.toml", HEAD + '[[robot]]\nmodel = "like.toml"\n'),
    "a device's beam": ("room.toml", HEAD + '[[robot]]\nmodel = "p3dx"\ndevice.sonar.beam = "{name}"\n'),
    "a world's include": ("cave.world", 'include "{name}"\n'),
    "a world's picture": ("cave.world", 'model ( name "m" bitmap "{name}" size [4 4 1] )\n'),
    "a map's picture": ("map.yaml", "image: {name}\nresolution: 0.05\norigin: [0, 0, 0]\n"),
    "a URDF robot's mesh": ("r.urdf", URDF),
    "a glTF file's buffer": (
        "b.gltf",
        json.dumps(GLTF).replace("{", "{{").replace("}", "}}").replace("NAME", "{name}"),
    ),
    "an OBJ file's materials": ("b.obj", "mtllib {name}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n"),
}
SUFFIXES = {
    "a robot's program": ".py", "a robot's file": ".toml", "what a robot is like": ".toml", "an object's mesh": ".stl",
    "a URDF robot's mesh": ".stl", "an OBJ file's materials": ".mtl", "a world's include": ".inc",
}  # fmt: skip
WAYS = ["absolute", "dots", "link", "linked folder"]


@pytest.fixture
def place(tmp_path):
    """A folder of a map, beside one that is none of its business."""
    for name in ("map", "secret"):
        (tmp_path / name).mkdir()
    return tmp_path


def named(place, way, suffix, content=SECRET + "\n"):
    """Put a file outside of the map's folder; returns how a map would name it."""
    secret = place / "secret" / f"passwd{suffix}"
    secret.write_text(content)
    if way == "absolute":
        return str(secret)
    if way == "dots":
        return f"../secret/{secret.name}"
    if way == "link":
        (place / "map" / f"link{suffix}").symlink_to(secret)
        return f"link{suffix}"
    (place / "map" / "away").symlink_to(secret.parent)
    return f"away/{secret.name}"


def reported(path, *folders):
    """Return what a user sees who opens an unknown map: errors, warnings, and what is taken from files."""
    with fence.within(folders):
        try:
            document = formats.read(path, VOCABULARY)
            scene = scene_file.resolve(document, VOCABULARY)
        except UnderstudyError as problem:
            return str(problem)
        return str([*document.warnings, *document.became, contents(scene, path.parent)])


@pytest.fixture
def reads(monkeypatch):
    """Every file that is read."""
    import pathlib

    seen, real = [], pathlib.Path.open

    def noting(path, mode="r", *how, **given):  # read_bytes and read_text open, too
        seen.extend([str(path.resolve())] if "r" in mode else [])
        return real(path, mode, *how, **given)

    monkeypatch.setattr(pathlib.Path, "open", noting)
    return seen


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", REFERENCES)
def test_nothing_outside_the_folder_of_a_map_is_read(place, what, way, reads):
    file, text = REFERENCES[what]
    name = named(place, way, SUFFIXES.get(what, ""))
    if what == "what a robot is like":
        (place / "map" / "like.toml").write_text(f'[robot]\nlike = "{name}"\n')
    path = place / "map" / file
    path.write_text(text.format(name=name))
    said = reported(path, place / "map")
    assert SECRET not in said
    assert [read for read in reads if "secret" in read] == []


@pytest.mark.parametrize("what", ["a scene's include", "a world's include", "a map's picture", "a robot's file"])
def test_a_file_outside_is_refused_alike_whether_it_is_there_or_not(place, what):
    file, text = REFERENCES[what]
    path = place / "map" / file
    there = named(place, "absolute", SUFFIXES.get(what, ""))
    gone = there.replace("passwd", "absent")
    answers = []
    for name in (there, gone):
        path.write_text(text.format(name=name))
        answers.append(reported(path, place / "map").replace(name, "NAME"))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", ["a scene's include", "a world's include", "a ground's picture"])
def test_a_users_own_map_may_name_files_anywhere(place, what, way, reads):
    file, text = REFERENCES[what]
    path = place / "map" / file
    path.write_text(text.format(name=named(place, way, SUFFIXES.get(what, ""))))
    with contextlib.suppress(UnderstudyError):
        scene_file.resolve(formats.read(path, VOCABULARY), VOCABULARY)
    assert any("secret" in read for read in reads)


def test_files_beside_a_strangers_map_are_read(place):
    folder = place / "map"
    (folder / "more").mkdir()
    (folder / "more" / "tiles.png").write_bytes(encoded(np.zeros((2, 2, 3), np.uint8)))
    (folder / "walls.toml").write_text('schema = 1\n[[wall]]\nname = "w"\npoints_m = [[0, 0], [1, 0]]\n')
    (folder / "room.toml").write_text(HEAD + 'include = ["walls.toml"]\nground.picture = "more/tiles.png"\n')
    with fence.within([folder]):
        scene = scene_file.resolve(formats.read(folder / "room.toml", VOCABULARY), VOCABULARY)
    assert (scene.ground.picture, "w" in {wall.name for wall in scene.walls}) == ("more/tiles.png", True)


def test_a_message_says_that_a_file_lies_outside(place):
    path = place / "map" / "room.toml"
    path.write_text(HEAD + 'include = ["/etc/passwd"]\n')
    assert reported(path, place / "map") == (
        f"{path}:3: include[0]: cannot be read (it is outside the folder of the map): '/etc/passwd'"
    )


def test_worlds_still_find_what_lies_in_the_folders_for_everybody(place, monkeypatch):
    named(place, "absolute", ".inc", "define post model ( size [0.1 0.1 1] )\n")
    path = place / "map" / "cave.world"
    path.write_text('include "passwd.inc"\npost ( pose [1 1 0 0] )\n')
    monkeypatch.setenv("STAGEPATH", str(place / "secret"))
    assert "no such file" not in reported(path, place / "map")
    path.write_text('include "../secret/passwd.inc"\n')
    monkeypatch.setenv("STAGEPATH", str(place / "map"))
    assert "no such file" in reported(path, place / "map")


def test_a_mesh_outside_is_not_gathered_with_what_belongs_to_it(place):
    data, _ = PLATES["plate.glb"](encoded(np.zeros((1, 1, 3), np.uint8)))
    (place / "secret" / "plate.glb").write_bytes(data)
    path = place / "map" / "room.toml"
    path.write_text(HEAD + '[[object]]\nname = "m"\nkind = "mesh"\nfile = "../secret/plate.glb"\n')
    assert "it is outside the folder of the map" in reported(path, place / "map")


def test_a_strangers_blender_file_is_not_handed_to_blender(place):
    with fence.within([place]), pytest.raises(UnderstudyError, match="can name any file"):
        blend.to_glb(b"BLENDER-v300", "b.blend")


def test_the_fence_is_taken_down_after_an_error(place):
    with pytest.raises(RuntimeError), fence.within([place]):
        raise RuntimeError
    assert not fence.is_up()


@pytest.mark.parametrize("name", ["a\0b", "x" * 10_000, "loop"])
def test_names_that_no_file_can_have_are_not_there(place, name):
    (place / "map" / "loop").symlink_to(place / "map" / "loop")
    with fence.within([place / "map"]):
        assert not fence.is_file(place / "map" / name)


def test_a_pipe_that_no_program_writes_to_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(fence, "PIPE_S", 0.1)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="no program writes to this pipe"):
        fence.read_bytes(tmp_path / "pipe")


def test_a_pipe_is_read_to_its_end_however_late_it_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    opened = threading.Event()

    def write():
        with (tmp_path / "pipe").open("wb") as file:
            opened.wait(0.2)  # open, and nothing written yet
            file.write(b"a" * 100_000)

    thread = threading.Thread(target=write)
    thread.start()
    assert fence.read_bytes(tmp_path / "pipe") == b"a" * 100_000
    thread.join()
