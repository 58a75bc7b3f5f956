"""Projects from strangers: refused with a reason, in bounded time and memory, and nothing is written."""

import time
import tracemalloc
from zipfile import ZIP_STORED

import pytest
from hostile import ARCHIVES, BOX, SCENES, XML, packed

from understudy import api
from understudy.errors import UnderstudyError
from understudy.formats.sear import project_file
from understudy.sear import open_project
from understudy.sim.vocabulary import vocabulary

MOST_S, MOST_BYTES = 5.0, 300_000_000


def test_there_are_forty_archives_and_xml_files():
    assert len(ARCHIVES) + len(XML) + len(SCENES) >= 40


def everything(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_hostile_archive_is_refused_and_nothing_is_written(tmp_path, name):
    data, reason = ARCHIVES[name]
    (tmp_path / "x.sear").write_bytes(data)
    started = time.process_time()
    with pytest.raises(UnderstudyError, match=reason) as problem:
        open_project(tmp_path / "x.sear", tmp_path / "inner" / "project")
    assert time.process_time() - started < MOST_S
    assert "x.sear" in str(problem.value)
    assert everything(tmp_path) == ["x.sear"]


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_hostile_archive_is_no_scene_either(tmp_path, name):
    data, _ = ARCHIVES[name]
    (tmp_path / "x.sear").write_bytes(data)
    with pytest.raises(UnderstudyError):
        api.open_document(tmp_path / "x.sear")
    assert everything(tmp_path) == ["x.sear"]


@pytest.mark.parametrize("name", XML)
def test_a_hostile_object_is_refused_with_its_file(tmp_path, name):
    data, reason = XML[name]
    (tmp_path / "x.sear").write_bytes(
        packed({"robot/o.xml" if b"<robot" in data else "environment/o.xml": data}, ZIP_STORED)
    )
    started = time.process_time()
    with pytest.raises(UnderstudyError, match=reason) as problem:
        open_project(tmp_path / "x.sear", tmp_path / "project")
    assert time.process_time() - started < MOST_S
    assert "x.sear/" in str(problem.value)
    assert "o.xml" in str(problem.value)
    assert len(str(problem.value)) < 1000
    assert everything(tmp_path) == ["x.sear"]


@pytest.mark.parametrize("name", SCENES)
def test_valid_objects_that_make_no_scene_are_refused(name):
    files, reason = SCENES[name]
    with pytest.raises(UnderstudyError, match=reason):
        project_file.parse(packed(files), "x.sear", vocabulary())


def test_a_bomb_takes_little_memory():
    data, _ = ARCHIVES["zip bomb"]
    tracemalloc.start()
    with pytest.raises(UnderstudyError):
        project_file.parse(data, "x.sear", vocabulary())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


def test_a_project_that_is_not_hostile_is_accepted(tmp_path):
    (tmp_path / "x.sear").write_bytes(packed({"environment/b.xml": BOX}))
    project = open_project(tmp_path / "x.sear")
    assert [entry.name for entry in project.read().environment] == ["b"]


def test_a_folder_that_is_not_empty_is_not_overwritten(tmp_path):
    (tmp_path / "x.sear").write_bytes(packed({"environment/b.xml": BOX}))
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "mine.txt").write_text("keep")
    with pytest.raises(UnderstudyError, match="not empty"):
        open_project(tmp_path / "x.sear")
    assert everything(tmp_path / "x") == ["mine.txt"]


def test_links_in_a_projects_folder_that_lead_outside_are_not_read(tmp_path):
    (tmp_path / "x.sear").write_bytes(packed({"environment/b.xml": BOX}))
    project = open_project(tmp_path / "x.sear")
    (tmp_path / "secret.txt").write_text("secret")
    (project.folder / "assets").mkdir()
    (project.folder / "assets" / "a.txt").symlink_to(tmp_path / "secret.txt")
    assert sorted(project.files()) == ["environment/b.xml"]


def test_code_in_an_archive_is_never_run_by_opening_or_loading_it(tmp_path):
    code = f"open({str(tmp_path / 'proof')!r}, 'w')".encode()
    data = packed({"environment/b.xml": BOX, "userCode.py": code, "sitecustomize.py": code, "assets/x.py": code})
    (tmp_path / "x.sear").write_bytes(data)
    open_project(tmp_path / "x.sear", tmp_path / "project").read()
    with api.load(tmp_path / "x.sear", engine="planar") as sim:
        sim.run(0.1)
    assert not (tmp_path / "proof").exists()
