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
        (["rcx", "disasm", "BAD"], "not an RCX image"),
        (["rcx", "asm", "NONE"], "No such file"),
        (["rcx", "asm", "GOOD", "-o", "GOOD"], "would overwrite the program itself"),
        (["rcx", "run", "GOOD", "--robot", "M9"], "M9"),
    ],
)
def test_what_cannot_be_done_is_an_error(words, problem, program, tmp_path, capsys):
    bad = tmp_path / "bad.lasm"
    bad.write_text("task 0\nfly 1\nendt\n")
    names = {"BAD": bad, "BAD.py": tmp_path / "bad.py", "NONE": tmp_path / "none.lasm", "GOOD": program}
    assert main([str(names.get(word, word)) for word in words]) != 0
    assert problem in capsys.readouterr().err
