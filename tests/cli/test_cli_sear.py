"""The verb ``sear``."""

import pytest

from understudy.cli import main

WANDER = 'sear.drive(0.2)\nsear.sleep(0.2)\nprint(round(sear.getOdometerResult("odo"), 2) > 0)\n'


@pytest.fixture
def demo(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["sear", "new", "demo"]) == 0
    (tmp_path / "demo" / "environment" / "tree.xml").unlink()  # the tests run on the planar engine
    return tmp_path / "demo"


def run(*words):
    return main(["sear", "run", *map(str, words), "--speed", "max", "--engine", "planar", "--no-ports"])


def test_a_new_project_runs_without_its_code(demo, capsys):
    assert run(demo, "--seconds", 0.1) == 0
    assert "userCode.py was not run" in capsys.readouterr().err


def test_its_own_code_runs_with_trust(demo, capsys):
    (demo / "userCode.py").write_text(WANDER)
    assert run(demo, "--trust") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "True"


def test_code_that_is_named_runs(demo, tmp_path, capsys):
    (tmp_path / "mine.py").write_text(WANDER)
    assert run(demo, "--code", tmp_path / "mine.py") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "True"


def test_errors_of_code_begin_with_file_and_line(demo, capsys):
    (demo / "userCode.py").write_text("x = 1\n\nx / 0\n")
    assert run(demo, "--trust") == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"{demo / 'userCode.py'}:3: ZeroDivisionError")


def test_code_that_is_not_there_is_an_error(demo, capsys):
    assert run(demo, "--code", "nowhere.py") == 1
    assert "nowhere.py: cannot be read" in capsys.readouterr().err


def test_save_open_and_run_an_archive(demo, tmp_path, capsys):
    assert main(["sear", "save", "demo", "packed.sear"]) == 0
    assert main(["sear", "open", "packed.sear", "again"]) == 0
    assert "code, which was not run: userCode.py" in capsys.readouterr().out
    assert run("packed.sear", "--seconds", 0.1, "--csv", "log.csv", "--sensors", "odo, Ping1") == 0
    assert (tmp_path / "log.csv").read_text().startswith("time_s,odo.distance_m,odo.path_m,Ping1.range_m[0]")
    assert main(["run", "packed.sear", "--seconds", "0.1", "--speed", "max", "--no-ports", "--engine", "planar"]) == 0
    assert main(["check", "packed.sear"]) == 0


def test_the_code_of_an_archive_runs_with_trust_only(demo, capsys):
    (demo / "userCode.py").write_text("print('hello')\n")
    main(["sear", "save", "demo"])
    capsys.readouterr()
    assert run("demo.sear", "--seconds", 0.1) == 0
    assert "hello" not in capsys.readouterr().out
    assert run("demo.sear", "--seconds", 0.1, "--trust") == 0
    assert "hello" in capsys.readouterr().out


def test_import_takes_a_part_of_another_project(demo, capsys):
    main(["sear", "new", "other", "--empty"])
    assert main(["sear", "import", "demo", "--into", "other", "--robot"]) == 0
    assert "other/robot/rover.xml" in capsys.readouterr().out
    assert main(["sear", "import", "demo", "--into", "other", "--environment"]) == 0
    assert main(["sear", "import", "demo", "--into", "other", "--code"]) == 0
    assert run("other", "--seconds", 0.1) == 0


def test_import_needs_to_know_what(demo, capsys):
    assert main(["sear", "import", "demo", "--into", "demo"]) == 1
    assert "--robot, --environment or --code" in capsys.readouterr().err


def test_import_takes_files_of_the_first_version(demo, tmp_path, capsys):
    (tmp_path / "old.ucf").write_text("init(){ addTree(1,2,3); };")
    assert main(["sear", "import", "old.ucf", "--into", "demo"]) == 0
    assert "old_code.py" in capsys.readouterr().out


def test_a_tape_of_a_gated_run_replays(demo, capsys):
    (demo / "userCode.py").write_text(WANDER)
    assert run(demo, "--trust", "--tape", "run.tape") == 0
    assert main(["replay", "run.tape"]) == 0


def test_a_project_that_is_not_there_is_an_error(tmp_path, capsys):
    assert run(tmp_path / "nowhere") == 1
    assert "cannot be read" in capsys.readouterr().err


def test_realtime_code_runs(demo, capsys):
    (demo / "userCode.py").write_text("sear.sleep(0.1)\nprint('there')\n")
    assert main(["sear", "run", "demo", "--trust", "--mode", "realtime", "--engine", "planar"]) == 0
    assert "there" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["run", "empty"], ["save", "empty"], ["open", "empty"]])
def test_a_folder_without_a_project_is_refused(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    assert main(["sear", *words]) == 1
    assert "empty: not a project of SEAR (it has neither environment/ nor robot/)" in capsys.readouterr().err


def test_a_part_of_a_terrain_needs_the_terrain(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["sear", "new", "demo", "--middle", "46.5,7.9"]) == 1
    assert "give it with --terrain FILE" in capsys.readouterr().err
    assert not (tmp_path / "demo").exists()
