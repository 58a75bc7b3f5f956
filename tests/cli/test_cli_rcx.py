"""understudy rcx: assemble, disassemble, run."""

from __future__ import annotations

import pytest

from understudy.cli import main

PROGRAM = "task 0\ndir 2,5\nout 2,5\nwait 2,100\nout 1,5\nsetv 4,2,9\nendt\n"


@pytest.fixture
def program(tmp_path):
    file = tmp_path / "x.lasm"
    file.write_text(PROGRAM)
    return file


def test_a_program_is_assembled_and_disassembled(program, capsys):
    assert main(["rcx", "asm", str(program)]) == 0
    assert main(["rcx", "disasm", str(program.with_suffix(".rcx")), "-o", str(program.with_suffix(".txt"))]) == 0
    text = program.with_suffix(".txt").read_text()
    assert "15 bytes of code" not in text
    assert [line.strip() for line in text.splitlines()[2:]] == PROGRAM.splitlines()
    assert "1 tasks and subs, 15 bytes of code" in capsys.readouterr().out


def test_the_same_image_comes_back(program, tmp_path):
    main(["rcx", "asm", str(program), "--firmware", "fw2", "-o", str(tmp_path / "a.rcx")])
    main(["rcx", "disasm", str(tmp_path / "a.rcx"), "--dialect", "nqc", "-o", str(tmp_path / "a.txt")])
    main(["rcx", "asm", str(tmp_path / "a.txt"), "--dialect", "nqc", "-o", str(tmp_path / "b.rcx")])
    assert (tmp_path / "b.rcx").read_bytes() == (tmp_path / "a.rcx").read_bytes()


def test_a_run_says_how_far_the_robot_travelled(program, capsys):
    assert main(["rcx", "run", str(program), "--robot", "m4", "--world", "e1", "--engine", "planar"]) == 0
    out = capsys.readouterr().out
    assert "the program has ended" in out
    assert "distance        0.527 m travelled" in out
    assert "variables       4 = 9" in out


def test_a_run_ends_after_its_seconds(program, capsys):
    words = ["rcx", "run", str(program), "--robot", "M4", "--world", "E1", "--engine", "planar", "--seconds", "0.5"]
    assert main(words) == 0
    assert "0.500 s simulated, the program runs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["rcx", "run", "BAD"], ":2:1: unknown instruction 'fly'"),
        (["rcx", "asm", "BAD"], ":2:1: unknown instruction 'fly'"),
        (["rcx", "run", "BAD.py"], "not a program of an RCX"),
        (["rcx", "disasm", "BAD"], ":2:1: unknown instruction 'fly'"),
        (["rcx", "disasm", "BAD.rcx"], "not an RCX image"),
        (["rcx", "asm", "NONE"], "No such file"),
        (["rcx", "asm", "GOOD", "-o", "GOOD"], "would overwrite the program itself"),
        (["rcx", "run", "GOOD", "--robot", "M9"], "M9"),
    ],
)
def test_what_cannot_be_done_is_an_error(words, problem, program, tmp_path, capsys):
    bad = tmp_path / "bad.lasm"
    bad.write_text("task 0\nfly 1\nendt\n")
    image = tmp_path / "bad.rcx"
    image.write_text("task 0")
    names = {"BAD": bad, "BAD.py": tmp_path / "bad.py", "NONE": tmp_path / "none.lasm", "GOOD": program}
    names["BAD.rcx"] = image
    assert main([str(names.get(word, word)) for word in words]) != 0
    assert problem in capsys.readouterr().err


ICONS = "motor AC forward power 5\nwait 1 s\nstop AC\n"


def test_icon_text_runs_and_is_assembled_and_comes_back(tmp_path, capsys):
    file = tmp_path / "x.icons"
    file.write_text(ICONS)
    assert main(["rcx", "run", str(file), "--robot", "M4", "--world", "E1", "--engine", "planar"]) == 0
    assert "distance        0.530 m travelled" in capsys.readouterr().out
    assert main(["rcx", "asm", str(file)]) == 0
    capsys.readouterr()
    for name in ("x.rcx", "x.icons"):
        assert main(["rcx", "disasm", str(tmp_path / name), "--icons"]) == 0
        assert [line.strip() for line in capsys.readouterr().out.splitlines()[1:-1]] == ICONS.splitlines()


def test_a_problem_of_icon_text_is_told_with_its_line(tmp_path, capsys):
    file = tmp_path / "x.icons"
    file.write_text("wait 1 s\nfly\n")
    assert main(["rcx", "run", str(file)]) != 0
    assert "x.icons:2:1: unknown icon 'fly'" in capsys.readouterr().err


PLANE = ["--robot", "M4", "--world", "E1", "--engine", "planar"]


def test_a_run_tells_the_time_of_each_icon(program, capsys):
    assert main(["rcx", "run", str(program), *PLANE]) == 0
    out = capsys.readouterr().out
    assert "icon 1          0.002 s in task 0, 1 times: motor AC forward same power" in out
    assert "icon 2          1.000 s in task 0, 1 times: wait 1 s" in out


def test_a_trace_prints_which_icon_ran_when(program, capsys):
    assert main(["rcx", "trace", str(program), *PLANE]) == 0
    lines = [line.split(maxsplit=6) for line in capsys.readouterr().out.splitlines()]
    assert [(line[0], line[4], line[6]) for line in lines[:2]] == [
        ("0.001", "0.002", "1  motor AC forward same power"), ("0.003", "1.000", "2  wait 1 s"),
    ]  # fmt: skip


def test_a_trace_is_drawn(program, tmp_path, capsys):
    assert main(["rcx", "trace", str(program), *PLANE, "--seconds", "0.5", "--svg", str(tmp_path / "x.svg")]) == 0
    picture = (tmp_path / "x.svg").read_text()
    assert picture.startswith("<svg")
    assert picture.count('class="box now"') == 1
    assert "x.svg: 4 icons, 0.500 s" in capsys.readouterr().out


def test_a_picture_that_cannot_be_written_is_an_error(program, tmp_path, capsys):
    assert (
        main(["rcx", "trace", str(program), *PLANE, "--seconds", "0.1", "--svg", str(tmp_path / "no" / "x.svg")]) != 0
    )
    assert "No such file" in capsys.readouterr().err
