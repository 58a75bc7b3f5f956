from __future__ import annotations

import pathlib
import types

import numpy as np
import pytest
from formats.fake_vocabulary import VOCABULARY
from formats.some_maps import EVERYTHING
from formats.some_scenes import ROOM

from understudy import formats
from understudy.errors import FormatError, SceneError
from understudy.formats.aria import map_file
from understudy.formats.convert import convert, into_map
from understudy.formats.document import Document
from understudy.formats.native import scene_file
from understudy.formats.pictures.raster import rendered
from understudy.world.scene import Scene


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "lab.map").write_text(EVERYTHING)
    (tmp_path / "room.toml").write_text(ROOM)
    (tmp_path / "yard.wld").write_text("width 3000\n0 0 1000 0\nposition 500 500 0\nnonsense\n")
    return tmp_path


def test_a_map_becomes_a_scene_of_ours_and_nothing_is_lost(folder):
    done = convert(folder / "lab.map", folder / "lab.toml", VOCABULARY)
    assert (done.files, done.left_out) == ((folder / "lab.toml",), ())
    assert scene_file.read(folder / "lab.toml", VOCABULARY).scene == formats.read(folder / "lab.map", VOCABULARY).scene


def test_a_scene_of_ours_is_copied_with_its_comments(folder):
    convert(folder / "room.toml", folder / "copy.toml", VOCABULARY)
    assert (folder / "copy.toml").read_text() == ROOM


def test_a_scene_of_ours_becomes_a_map_with_its_edge_and_its_includes(folder):
    (folder / "more.toml").write_text('schema = 1\ninclude = ["room.toml"]\n')
    done = convert(folder / "more.toml", folder / "room.map", VOCABULARY)
    assert "2 robots: maps do not store robots" in done.left_out
    made = formats.read(folder / "room.map", VOCABULARY).scene
    assert (made.ground.size_m, len(made.walls[0].pieces_m)) == ((12.0, 8.0), 6)


def test_a_world_of_saphira_becomes_a_map_with_a_home(folder):
    done = convert(folder / "yard.wld", folder / "yard.map", VOCABULARY)
    assert (done.left_out, len(done.warnings)) == ((), 1)
    assert (folder / "yard.map").read_text() == (
        "2D-Map\nLineMinPos: 0 0\nLineMaxPos: 1000 0\nNumLines: 1\n"
        'Cairn: RobotHome 500 500 0 "" ICON "Home"\nLINES\n0 0 1000 0\nDATA\n'
    )


@pytest.mark.parametrize(("name", "words"), [
    ("a.p", r"a\.p: no format writes \.p \("), ("a", r"a: no format writes files without a suffix \("),
])  # fmt: skip
def test_a_format_that_cannot_be_written_is_refused(folder, name, words):
    with pytest.raises(FormatError, match=words):
        convert(folder / "lab.map", folder / name, VOCABULARY)


def test_a_map_becomes_a_world_of_saphira_and_comes_back(folder):
    done = convert(folder / "lab.map", folder / "lab.wld", VOCABULARY)
    assert done.left_out[-1] == "names, heights, colours and surface properties: everything is a line"
    convert(folder / "lab.wld", folder / "again.map", VOCABULARY)
    before, after = (formats.read(folder / name, VOCABULARY).scene for name in ("lab.map", "again.map"))
    assert set(before.walls[0].pieces_m) <= set(after.walls[0].pieces_m)
    homes = [next(mark.pose for mark in scene.marks if mark.tag.type == "RobotHome") for scene in (before, after)]
    assert homes[0] == homes[1]


@pytest.mark.parametrize("source", ["lab.map", "room.toml"])
def test_a_scene_becomes_a_world_of_stage_with_its_picture_and_looks_the_same(folder, source):
    done = convert(folder / source, folder / "plan.world", VOCABULARY)
    assert [file.name for file in done.files] == ["plan.world", "plan.png"]
    before, after = (rendered(formats.read(folder / name, VOCABULARY).scene, 0.05) for name in (source, "plan.world"))
    assert before.dark.sum() == after.dark.sum()
    at = [np.argwhere(raster.dark) * 0.05 + raster.corner_m[::-1] for raster in (before, after)]
    assert np.abs(at[0] - at[1]).max() < 0.05


def test_a_world_of_stage_without_walls_has_no_picture(folder):
    (folder / "empty.toml").write_text("schema = 1\n")
    assert convert(folder / "empty.toml", folder / "empty.world", VOCABULARY).files == (folder / "empty.world",)
    with pytest.raises(FormatError, match=r"end with \.world"):
        convert(folder / "lab.map", folder / "lab.inc", VOCABULARY)


def test_an_invalid_scene_is_refused_and_nothing_is_written(folder):
    (folder / "bad.toml").write_text("schema = 1\n[[wall]]\n")
    with pytest.raises(SceneError):
        convert(folder / "bad.toml", folder / "bad.map", VOCABULARY)
    assert not (folder / "bad.map").exists()


def test_the_suffix_may_be_in_capitals(folder):
    convert(folder / "yard.wld", folder / "YARD.MAP", VOCABULARY)
    assert map_file.sniff((folder / "YARD.MAP").read_bytes(), "YARD.MAP")


def test_lines_are_added_to_an_old_map(folder):
    assert into_map(folder / "yard.wld", folder / "lab.map", folder / "new.map", VOCABULARY) == 1
    assert (folder / "lab.map").read_text() == EVERYTHING
    assert "\n0 4000 0 0\n0 0 1000 0\nDATA\n" in (folder / "new.map").read_text()


# ---- a format that does not say what it leaves out, or is several files


def write(scene):
    return b"FAKE"


def save(scene, path):
    note = pathlib.Path(path).with_suffix(".note")
    for file in (pathlib.Path(path), note):
        file.write_bytes(b"FAKE")
    return pathlib.Path(path), note


@pytest.fixture
def fake(monkeypatch):
    made = types.SimpleNamespace(
        files_of=lambda path: (pathlib.Path(path),),
        SUFFIXES=(".fake",),
        sniff=lambda data, name: data == b"FAKE",
        parse=lambda data, file, vocabulary, folder=None: Document(Scene(), file),
        write=write,
    )
    monkeypatch.setattr(formats, "FORMATS", {**formats.FORMATS, "fake": made})
    return made


def test_what_a_silent_format_has_lost_is_found_by_reading_it_again(folder, fake):
    done = convert(folder / "lab.map", folder / "lab.fake", VOCABULARY)
    assert done.left_out == ("3 walls", "4 objects", "10 marks", "the settings of [origin]", "the settings of [map]")


def test_a_format_of_several_files_writes_them_all(folder, fake):
    fake.save = save
    done = convert(folder / "lab.map", folder / "lab.fake", VOCABULARY)
    assert [file.name for file in done.files] == ["lab.fake", "lab.note"]


# ---- what is there already


def test_a_conversion_does_not_overwrite_its_source(folder):
    with pytest.raises(FormatError, match="is the source file"):
        convert(folder / "room.toml", folder / "room.toml", VOCABULARY)


def test_a_conversion_does_not_overwrite_a_file_of_another_kind_whatever_its_name(folder):
    (folder / "pyproject.toml").write_text("[project]\nname = 'mine'\n")
    with pytest.raises(FormatError, match=r"pyproject\.toml: exists and is not a \.toml file of this format"):
        convert(folder / "lab.map", folder / "pyproject.toml", VOCABULARY)
    assert "mine" in (folder / "pyproject.toml").read_text()


@pytest.mark.parametrize("name", ["again.toml", "again.map", "again.wld", "again.world", "again.pgm", "again.yaml"])
def test_a_conversion_is_repeated_over_its_own_result(folder, name):
    for _ in range(2):
        convert(folder / "lab.map", folder / name, VOCABULARY)


def test_a_file_beside_the_one_that_is_named_is_not_overwritten(folder):
    (folder / "plan.png").write_bytes(b"a photograph")
    with pytest.raises(FormatError, match=r"plan\.png: belongs to plan\.world but already exists"):
        convert(folder / "lab.map", folder / "plan.world", VOCABULARY)


def test_a_device_is_written_to_and_not_replaced(folder):
    scene_file.save("/dev/null", "nothing")
    assert not pathlib.Path("/dev/null").is_file()
