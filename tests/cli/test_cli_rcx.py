"""understudy rcx: assemble, disassemble, run."""

from __future__ import annotations

import io

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


def test_a_problem_of_icon_text_is_reported_with_its_line(tmp_path, capsys):
    file = tmp_path / "x.icons"
    file.write_text("wait 1 s\nfly\n")
    assert main(["rcx", "run", str(file)]) != 0
    assert "x.icons:2:1: unknown icon 'fly'" in capsys.readouterr().err


PLANE = ["--robot", "M4", "--world", "E1", "--engine", "planar"]


def test_a_run_prints_the_time_of_each_icon(program, capsys):
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


# ---- pause, steps and breakpoints

TASKS = """task 0
dir 2,5
out 2,5
wait 2,20
out 1,5
start 1
L: jmpl L
endt
task 1
plays 1
wait 2,10
stop 0
endt
"""
WORLD = ["--robot", "M4", "--world", "E1", "--engine", "planar"]


def stepped(tmp_path, monkeypatch, capsys, keys, *words):
    file = tmp_path / "x.lasm"
    file.write_text(TASKS)
    monkeypatch.setattr("sys.stdin", io.StringIO(keys))
    assert main(["rcx", "run", str(file), *WORLD, *words]) == 0
    return [line for line in capsys.readouterr().out.splitlines() if not line.startswith("icon ")]


def test_a_user_steps_by_instructions_and_icons(tmp_path, monkeypatch, capsys):
    lines = stepped(tmp_path, monkeypatch, capsys, "s\ns 2\ni\nt 5\ni\nq\n", "--step")
    assert lines[2] == "0.001 s: task 0: out 2,5 (line 3), icon 1: motor AC forward same power"
    assert lines[3] == "0.003 s: task 0: wait 2,20 (line 4), icon 2: wait 0.2 s, 0.200 s left"
    assert lines[4] == "0.202 s: task 0: out 1,5 (line 5), icon 3: stop AC"
    assert "task 0: jmpl 12 (line 7), icon 6: end; task 1: wait 2,10 (line 11)" in lines[5]
    assert "task 1: stop 0 (line 12)" in lines[6]


def test_a_run_stops_at_breakpoints_also_behind_a_wait(tmp_path, monkeypatch, capsys):
    lines = stepped(tmp_path, monkeypatch, capsys, "", "--break", "5", "--break", "10")
    at = lines.index("breakpoint at line 5")
    assert lines[at + 1] == "0.202 s: task 0: out 1,5 (line 5), icon 3: stop AC"
    assert "breakpoint at line 10" in lines


def test_a_user_sets_and_removes_breakpoints(tmp_path, monkeypatch, capsys):
    lines = stepped(tmp_path, monkeypatch, capsys, "b 5\nb 7\nb\nb 5\n", "--step")
    assert lines[2:6] == [
        "breakpoint at line 5", "breakpoint at line 7", "breakpoints at lines: 5, 7", "breakpoint at line 5 removed",
    ]  # fmt: skip
    assert lines[6] == "breakpoint at line 7"


def test_a_paused_run_whose_input_ends_goes_on(tmp_path, monkeypatch, capsys):
    lines = stepped(tmp_path, monkeypatch, capsys, "s\n", "--step")
    assert any("the program has ended" in line for line in lines)


def test_steps_do_not_go_beyond_the_seconds(tmp_path, monkeypatch, capsys):
    lines = stepped(tmp_path, monkeypatch, capsys, "s 99999\ns\n", "--step", "--seconds", "0.1")
    assert "time            0.100 s simulated, the program runs" in lines


# ---- robots of a user

OWN = """
schema = 1
ground = {size_m = [4, 4]}
[[robot]]
name = "other"
model = "rcx-m4"
y_m = 1
[[robot]]
name = "own"
body = {shape = "circle", radius_m = 0.1}
drive = {kind = "differential", track_m = 0.15, wheel_radius_m = 0.03, max_m_s = 0.6}
unit.brick = {kind = "rcx", drives = {A = "wheel:left", C = "wheel:right"}}
"""


@pytest.mark.parametrize(("words", "travelled"), [(["--robot", "own"], "0.576"), ([], "0.52")])
def test_a_robot_of_the_world_runs_the_program_whatever_its_brick_is_called(
    program, tmp_path, capsys, words, travelled
):
    (tmp_path / "own.toml").write_text(OWN)
    assert main(["rcx", "run", str(program), "--world", str(tmp_path / "own.toml"), *words]) == 0
    out = capsys.readouterr().out
    assert f"distance        {travelled}" in out
    assert "s in task 0, 1 times: wait 1 s" in out


def test_a_robot_file_is_seen_from_here(program, tmp_path, monkeypatch, capsys):
    (tmp_path / "slow.toml").write_text('[robot]\nlike = "rcx-m4"\n[unit.rcx]\nspeeds_rad_s = [5.0, 10.0]\n')
    monkeypatch.chdir(tmp_path)
    assert main(["rcx", "run", str(program), "--robot", "slow.toml", "--world", "E1", "--engine", "planar"]) == 0
    assert "distance        0.21" in capsys.readouterr().out


def test_a_robot_without_a_brick_is_an_error(program, capsys):
    assert main(["rcx", "run", str(program), "--robot", "p3dx", "--world", "E1"]) != 0
    assert "p3dx: no unit of kind rcx" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["run", "x.lasm", "--robot", "M9"], "no such robot 'M9' (known: M1, M2"),
        (["run", "x.lasm", "--world", "E9"], "no such world 'E9': want E1, E2, E3 or a scene file"),
        (["run", "x.nqc"], "x.nqc: not a program of an RCX (want .lasm, .rcx, .icons); compile it first: nqc"),
        (["run", "nothere.lasm"], "understudy: nothere.lasm: No such file"),
        (["asm", "x.rcx"], "x.rcx: an image is assembled already"),
    ],
)
def test_what_cannot_be_run_is_refused_with_what_can(program, monkeypatch, capsys, words, reason):
    monkeypatch.chdir(program.parent)
    assert main(["rcx", *words]) == 1
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--break", "x"], ["--seconds", "x"], ["--speed", "x"], ["--seed", "x"]])
def test_text_in_place_of_a_number_is_refused_with_what_is_wanted(program, capsys, words):
    with pytest.raises(SystemExit):
        main(["rcx", "run", str(program), *words])
    assert f"argument {words[0]}: want " in capsys.readouterr().err


def test_all_errors_are_printed_whole_and_in_the_order_of_their_lines(tmp_path, capsys):
    (tmp_path / "x.icons").write_text("".join(f"motor {letter * 60} forward\n" for letter in "DEFG") + "jump a\nif x\n")
    (tmp_path / "x.lasm").write_text("task 0\nout 2,8\nwait 2\njmp L\nfoo 1\nendt\n")
    for name, lines in (("x.icons", [1, 2, 3, 4, 5, 6, 6]), ("x.lasm", [2, 3, 4, 5])):
        assert main(["rcx", "run", str(tmp_path / name)]) == 1
        printed = capsys.readouterr().err.removeprefix("understudy: ").splitlines()
        assert [int(line.split(":")[1]) for line in printed] == lines
        assert all(line.startswith(str(tmp_path / name)) for line in printed)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("start 5", "start: this program has no task 5"),
        ("start 12", "start: there is no task 12 (want 0 to 9)"),
        ("tmrz 4", "tmrz: there is no timer 4 (want 0 to 3)"),
        ("sent 3,1", "sent: there is no sensor 3 (want 0 to 2)"),
        ("sent 0,7", "sent: there is no sensor type 7 (want 0 to 4)"),
        ("calls 1", "calls: this program has no sub 1"),
        ("plays 5", ""),
        ("start 0", ""),
    ],
)
def test_operands_that_the_brick_ignores_are_warned_of(tmp_path, capsys, line, reason):
    (tmp_path / "x.lasm").write_text(f"task 0\n{line}\nendt\n")
    assert main(["rcx", "asm", str(tmp_path / "x.lasm")]) == 0
    err = capsys.readouterr().err
    assert err == (f"warning: {tmp_path}/x.lasm:2: {reason}\n" if reason else "")
