"""Scenes in archives: everything that they name reaches the run without lying on disk."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from contracts.format_contract import check_format
from pictures import striped

import understudy as us
from understudy import api, formats
from understudy.cli import main
from understudy.errors import FormatError, SceneError
from understudy.formats.archive import zip_file
from understudy.formats.native import scene_file
from understudy.sim.vocabulary import vocabulary
from understudy.world.changes import Add
from understudy.world.scene import Solid
from understudy.world.shapes import Mesh

CRATE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
SCENE = """schema = 1
engine = "rigid"
include = ["rooms/hall.toml"]
[ground]
size_m = [8, 8]
picture = "pictures/stripe.png"
[[object]]
name = "crate"
kind = "mesh"
file = "meshes/crate.obj"
x_m = 2
[[robot]]
name = "scout"
model = "robots/mine.toml"
[[event]]
at_s = 0.5
load_map = "rooms/other.toml"
"""
FILES = {
    "room.toml": SCENE,
    "rooms/hall.toml": 'schema = 1\n[[wall]]\nname = "hall"\npoints_m = [[3, -3], [3, 3]]\n',
    "rooms/other.toml": 'schema = 1\n[[object]]\nname = "far"\nkind = "mesh"\nfile = "../meshes/crate.obj"\ny_m = 3\n',
    "robots/mine.toml": '[robot]\nlike = "scout"\n',
    "meshes/crate.obj": CRATE,
    "meshes/unused.obj": CRATE,
    "pictures/stripe.png": striped(),
}


def packed(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return data.getvalue()


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "room.zip"
    path.write_bytes(packed(FILES))
    return path


def test_archives_keep_the_contract_of_formats():
    check_format(zip_file, vocabulary(), {"room.zip": packed(FILES)}, Path("nowhere"))


def test_everything_that_an_archive_names_reaches_the_run(archive):
    before = sorted(archive.parent.iterdir())
    with us.load(archive) as sim:
        assert {"pictures/stripe.png", "meshes/crate.obj"} <= set(sim.files)
        assert "meshes/unused.obj" not in sim.files
        sim.run(0.6)
        assert {thing.name for thing in sim.scene.things()} == {"far", "scout"}
    assert sorted(archive.parent.iterdir()) == before


def test_the_run_of_an_archive_is_the_run_of_its_files(archive, tmp_path):
    zipfile.ZipFile(archive).extractall(tmp_path / "unpacked")
    hashes = []
    for path in (archive, tmp_path / "unpacked" / "room.toml"):
        with us.load(path, seed=3) as sim:
            sim.robot("scout").drive(0.3, 0.2)
            sim.run(1.0)
            hashes.append(sim.hash())
    assert hashes[0] == hashes[1]


def test_a_thing_that_is_added_later_finds_its_file_in_the_archive(archive):
    with us.load(archive) as sim:
        sim.change(Add(Solid(name="late", shape=Mesh("meshes/unused.obj"))))
        sim.step()
        assert "meshes/unused.obj" in sim.current.files


def test_a_saved_run_of_an_archive_needs_the_archive_no_more(archive):
    with us.load(archive) as sim:
        sim.run(0.2)
        saved = sim.save()
        archive.unlink()
        with us.restore(saved) as other:
            sim.run(0.6)
            other.run(0.6)
            assert other.hash() == sim.hash()


def test_an_archive_is_read_from_bytes_alone():
    document = formats.parse(packed(FILES), "sent.zip", vocabulary())
    flat = scene_file.resolve(document, vocabulary())
    assert set(document.contents(flat)) == {"pictures/stripe.png", "meshes/crate.obj", "rooms/../meshes/crate.obj"}


def test_an_error_is_reported_with_archive_file_and_line(archive):
    archive.write_bytes(packed({**FILES, "room.toml": SCENE.replace("meshes/crate.obj", "meshes/create.obj")}))
    (problem,) = api.check(archive)
    assert str(problem) == f"{archive}/room.toml:10: object[0].file: no such file 'meshes/create.obj' beside room.toml"


def test_an_archive_names_nothing_outside_of_it(archive):
    (archive.parent / "secret.png").write_bytes(striped())
    outside = archive.parent / "secret.png"
    for name in ("../secret.png", str(outside)):
        archive.write_bytes(packed({**FILES, "room.toml": SCENE.replace("pictures/stripe.png", name)}))
        with pytest.raises(SceneError, match="no such file"):
            us.load(archive)


def test_a_program_in_an_archive_is_not_run(archive):
    with_program = SCENE.replace('name = "scout"\n', 'name = "scout"\nprogram = "go.py"\n')
    archive.write_bytes(packed({**FILES, "room.toml": with_program, "go.py": "1 / 0"}))
    with pytest.raises(SceneError, match="programs in an archive cannot run"):
        us.load(archive)


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (("a.toml", "scene.toml"), "scene.toml"),
        (("a.toml", "room.toml"), "room.toml"),
        (("inner/a.toml", "inner/deep/b.toml"), "inner/a.toml"),
        (("b.toml", "a.map"), "b.toml"),
        (("__MACOSX/a.toml", "b.toml"), "b.toml"),
    ],
)
def test_the_scene_of_an_archive_is_found(names, chosen):
    document = zip_file.parse(packed(dict.fromkeys(names, "schema = 1\n")), "room.zip", vocabulary())
    assert document.file == f"room.zip/{chosen}"


def test_several_scenes_in_an_archive_are_named():
    with pytest.raises(FormatError, match=r"room.zip: contains several scenes: a.toml, b.toml; name the main one"):
        zip_file.parse(packed(dict.fromkeys(("a.toml", "b.toml"), "schema = 1\n")), "room.zip", vocabulary())


def test_an_archive_of_meshes_is_still_a_world_of_meshes():
    assert not zip_file.sniff(packed({"crate.obj": CRATE}), "crate.zip")


def test_understudy_run_takes_an_archive(archive):
    assert main(["run", str(archive), "--seconds", "0.1", "--speed", "max", "--view", "none", "--no-ports"]) == 0


def test_converting_an_archive_whose_files_would_be_lost_is_refused(archive):
    assert main(["convert", str(archive), str(archive.parent / "out.toml")]) != 0
    assert not (archive.parent / "out.toml").exists()
