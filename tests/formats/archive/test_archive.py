"""Scenes in archives: everything that they name reaches the run without lying on disk."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import pytest
from contracts.format_contract import check_format
from pictures import striped

import understudy as us
from understudy import api, formats
from understudy.cli import main
from understudy.errors import FormatError, ProgramError, SceneError
from understudy.formats.archive import zip_file
from understudy.formats.native import scene_file
from understudy.sim.vocabulary import vocabulary
from understudy.tape import Tape
from understudy.world.changes import Add
from understudy.world.robot import PlacedRobot, Program
from understudy.world.scene import Scene, Solid
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


GO = """
from tools import steps
from tools.deep.speed import FAST

def main(robot):
    while True:
        robot.drive(FAST, 0.1 * steps.count())
        robot.wait(0.1)
"""
CODE = {
    "room.toml": SCENE.replace('name = "scout"\n', 'name = "scout"\nprogram = "programs/go.py"\n'),
    "programs/go.py": GO,
    "programs/tools/__init__.py": "",
    "programs/tools/steps.py": "n = 0\ndef count():\n    global n\n    n += 1\n    return n\n",
    "programs/tools/deep/__init__.py": "",
    "programs/tools/deep/speed.py": "from ..steps import n\nFAST = 0.3 + n\n",
}


@pytest.fixture
def with_program(archive):
    archive.write_bytes(packed({**FILES, **CODE}))
    return archive


def test_a_program_in_an_archive_is_not_run_without_consent(with_program):
    with pytest.raises(ProgramError, match=r"contains code, scout's program programs/go.py: run it with --trust"):
        us.load(with_program)


def test_a_filter_in_an_archive_is_not_run_without_consent(archive):
    text = SCENE.replace('"robots/mine.toml"\n', '"robots/mine.toml"\ndevice.front.filter = "f.py:flip"\n')
    archive.write_bytes(
        packed({**FILES, "room.toml": text, "f.py": "def flip(values, stamp, sheet):\n    return values\n"})
    )
    with pytest.raises(ProgramError, match=r"contains code, the filter f.py:flip"):
        us.load(archive)
    with us.load(archive, trust=True) as sim:
        sim.step()


def test_a_program_in_an_archive_runs_with_consent_as_one_on_disk_does(with_program, tmp_path):
    for name, content in {**FILES, **CODE}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with us.load(with_program, trust=True) as one, us.load(tmp_path / "room.toml") as other:
        for sim in (one, other):
            sim.run(1.0)
        assert one.robot("scout").pose == other.robot("scout").pose
        assert one.robot("scout").pose.x_m > 0.1
        assert one.program_positions()["scout"][0].words == "robot.wait(0.1)"


def test_a_program_in_an_archive_repeats_after_a_reset(with_program):
    with us.load(with_program, trust=True) as sim:
        sim.run(1.0)
        first = sim.hash()
        sim.reset()
        sim.run(1.0)
        assert sim.hash() == first


def test_tape_and_saved_run_of_a_program_in_an_archive_need_the_archive_no_more(with_program, tmp_path):
    with us.load(with_program, trust=True, tape=tmp_path / "run.tape") as sim:
        sim.run(0.3)
        saved = sim.save()
        with_program.unlink()
        sim.run(0.5)
        with us.restore(saved, trust=True) as twin:
            twin.run(0.5)
            assert twin.hash() == sim.hash()
    assert us.replay(tmp_path / "run.tape").mismatch is None
    assert {*CODE} - {"room.toml"} <= {*Tape(tmp_path / "run.tape").files}


def test_a_program_in_an_archive_imports_nothing_beside_the_archive(archive):
    (archive.parent / "secret.py").write_text("raise SystemExit('found')\n")
    go = "from pathlib import Path\ndef main(robot):\n    import secret\n"
    archive.write_bytes(packed({**FILES, **CODE, "programs/go.py": go}))
    with us.load(archive, trust=True) as sim:
        sim.run(0.1)
    assert "secret" not in {name.rpartition(".")[2] for name in sys.modules}


def test_a_missing_program_of_an_archive_is_reported_with_its_line(archive):
    archive.write_bytes(packed({**FILES, **CODE, "room.toml": CODE["room.toml"].replace("go", "og")}))
    (mistake,) = api.check(archive)
    assert "no such file 'programs/og.py' beside room.toml" in str(mistake)


def test_a_program_in_an_archive_may_have_a_space_in_its_name(with_program):
    text = CODE["room.toml"].replace("go.py", "go on.py")
    with_program.write_bytes(packed({**FILES, **CODE, "room.toml": text, "programs/go on.py": GO}))
    with us.load(with_program, trust=True) as sim:
        sim.run(0.2)
        assert sim.robot("scout").pose.x_m > 0.0


def test_a_process_does_not_run_out_of_an_archive(archive):
    text = SCENE.replace('name = "scout"\n', 'name = "scout"\nprogram = {command = ["python3", "go.py"]}\n')
    archive.write_bytes(packed({**FILES, "room.toml": text, "go.py": "1 / 0"}))
    with pytest.raises(SceneError, match="processes cannot run from an archive"):
        us.load(archive, trust=True)


def test_check_says_that_an_archive_with_a_program_needs_consent(with_program, capsys):
    assert main(["check", str(with_program)]) == 0
    assert "scout's program programs/go.py is code in an archive; run needs --trust" in capsys.readouterr().out


def test_a_users_own_program_drives_the_robot_of_an_archive(with_program, tmp_path):
    (tmp_path / "mine.py").write_text("def main(robot):\n    robot.drive(0.5)\n    robot.wait(9)\n")
    with us.load(with_program, programs={"scout": str(tmp_path / "mine.py")}) as sim:
        sim.run(1.0)
        assert sim.robot("scout").pose.x_m > 0.2


def test_a_built_scene_has_its_programs_among_its_files(tmp_path):
    robots = (PlacedRobot("scout", "scout", program=Program("go.py")),)
    files = {"go.py": b"def main(robot):\n    robot.drive(0.5)\n    robot.wait(9)\n"}
    with us.build(Scene(robots=robots), files=files) as sim:
        sim.run(1.0)
        assert sim.robot("scout").pose.x_m > 0.2


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
