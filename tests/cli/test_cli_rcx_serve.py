"""understudy rcx serve: programs come in over TCP, each runs from the start, and its results are printed."""

from __future__ import annotations

import io
import os
import queue
import signal
import socket
import threading
import time

import pytest

import understudy as us
from understudy.cli import main
from understudy.cli.rcx import Brick
from understudy.cli.rcx_serve import BrickServer
from understudy.robots.rcx.orders import LoadProgram

LIMIT_S = 20.0
AHEAD = b"task 0\nout 2,5\nwait 2,100\nout 1,5\nendt\n"
WORDS = ["rcx", "serve", "--robot", "M4", "--world", "E1", "--engine", "planar", "--port", "0", "--speed", "max"]


def robolab(folder, programs, answers):
    """Download programs to the port of sym.txt, as ROBOLAB does; each in a connection of its own."""
    file, end = folder / "sym.txt", time.monotonic() + LIMIT_S
    while not (file.exists() and "SymPort" in file.read_text()):
        assert time.monotonic() < end, "there is no sym.txt"
        time.sleep(0.02)
    lines = dict(line.split("=") for line in file.read_text().splitlines())
    for program in programs:
        with socket.create_connection((lines["SymAddr"], int(lines["SymPort"])), LIMIT_S) as client:
            client.settimeout(LIMIT_S)
            for command in (b"poll 8,0\r\n", b"prgm 1\r\n", b"stop 0\r\n"):
                client.sendall(command)
                answers.append(client.recv(100))
            client.sendall(program)


def served(tmp_path, monkeypatch, capsys, programs, *words, keys=""):
    """Return the answers of the brick and what the verb printed."""
    monkeypatch.setattr("sys.stdin", io.StringIO(keys))
    answers = []
    client = threading.Thread(target=robolab, args=(tmp_path, programs, answers))
    client.start()
    watchdog = threading.Timer(2 * LIMIT_S, os.kill, (os.getpid(), signal.SIGINT))  # which ends the verb
    watchdog.start()
    assert main([*WORDS, "--write-sym", str(tmp_path), *words]) == 0
    watchdog.cancel()
    client.join(LIMIT_S)
    return answers, capsys.readouterr().out


def test_a_program_of_robolab_is_run_and_its_results_are_printed(tmp_path, monkeypatch, capsys):
    answers, out = served(tmp_path, monkeypatch, capsys, [AHEAD], "--programs", "1")
    assert answers[:3] == [b"e5 00 00", b"66", b"76"]
    assert "SymName=LegoSim\nSymAddr=localhost\nSymPort=" in out
    assert "program 1: robolab.lasm in slot 2" in out
    assert "distance        0.527 m travelled, 0.527 m from the start" in out
    assert "angle           +0.0 degrees turned" in out


def test_programs_that_follow_each_other_at_once_are_both_run(tmp_path, monkeypatch, capsys):
    answers, out = served(tmp_path, monkeypatch, capsys, [AHEAD, AHEAD], "--programs", "2")
    assert answers == [b"e5 00 00", b"66", b"76", b"e5 01 00", b"66", b"76"]
    assert "0.527 m travelled" in out.split("program 2: robolab.lasm")[1]


def test_a_program_that_does_not_end_is_stopped_after_its_seconds(tmp_path, monkeypatch, capsys):
    endless = b"task 0\nL: out 2,5\njmpl L\nendt\n"
    _, out = served(tmp_path, monkeypatch, capsys, [endless], "--programs", "1", "--seconds", "1")
    assert "the program has ended" in out
    assert "0.5" in out.split("distance")[1].split("m travelled")[0]


def test_a_file_that_is_not_a_sym_txt_is_not_overwritten(tmp_path, capsys):
    (tmp_path / "sym.txt").write_text("a poem")
    assert main([*WORDS, "--write-sym", str(tmp_path)]) != 0
    assert "is not overwritten" in capsys.readouterr().err
    assert (tmp_path / "sym.txt").read_text() == "a poem"


def test_a_robot_without_a_brick_is_refused(capsys):
    assert main([*WORDS[:2], "--robot", "p3dx", "--world", "E1", "--port", "0"]) != 0
    assert "rcx" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "word"), [("--port", "70000"), ("--port", "x"), ("--programs", "0")])
def test_options_out_of_range_are_refused(option, word, capsys):
    with pytest.raises(SystemExit):
        main(["rcx", "serve", option, word])
    assert option in capsys.readouterr().err


# ---- without a socket

SCENE = 'schema = 1\nground = {size_m = [6, 4]}\n[[robot]]\nname = "robot"\nmodel = "rcx-m4"\nunit.rcx.trace = true\n'


class Keys:
    """A keyboard: keys and orders at given times of the run, asked for at every tick."""

    def __init__(self, sim, *script):
        self._sim, self._script = sim, list(script)

    def get_nowait(self):
        if self._script and self._sim.time_s >= self._script[0][0]:
            _, what = self._script.pop(0)
            if isinstance(what, str):
                return what
            self._sim.robot("robot").order(what)
        raise queue.Empty


def played(capsys, *script, **settings):
    values = {"speed": None, "seconds": None, "programs": 1, **settings}
    with us.load_text(SCENE) as sim:
        BrickServer(sim, Brick("robot", "rcx"), typed=Keys(sim, *script), **values).run()
        return capsys.readouterr().out


def test_every_program_starts_where_the_robot_stood_first(capsys):
    program = LoadProgram("x.lasm", AHEAD)
    out = played(capsys, (0.0, program), (1.2, LoadProgram("y.lasm", AHEAD)), programs=2)
    assert out.count("distance        0.527 m travelled, 0.527 m from the start") == 2
    assert "program 2: y.lasm" in out


def test_a_program_that_is_replaced_is_reported_first(capsys):
    endless = LoadProgram("x.lasm", b"task 0\nout 2,5\nL: jmpl L\nendt")
    out = played(capsys, (0.0, endless), (0.5, LoadProgram("y.lasm", AHEAD)), programs=2)
    assert out.index("program 1: x.lasm") < out.index("program 2: y.lasm")
    assert out.count("travelled") == 2


def test_the_user_runs_a_program_again(capsys):
    out = played(capsys, (0.0, LoadProgram("x.lasm", AHEAD)), (1.2, "r\n"), programs=2)
    assert out.count("0.527 m travelled") == 2


def test_the_user_restarts_a_program_that_runs(capsys):
    out = played(capsys, (0.0, LoadProgram("x.lasm", AHEAD)), (0.6, "r\n"), programs=2)
    assert [line.split()[1] for line in out.splitlines() if "travelled" in line][1] == "0.527"


def test_running_again_without_a_program_does_nothing(capsys):
    out = played(capsys, (0.0, "r\n"), (0.1, LoadProgram("x.lasm", AHEAD)))
    assert out.count("travelled") == 1


def test_the_user_pauses_steps_and_goes_on(capsys):
    script = [(0.0, LoadProgram("x.lasm", AHEAD)), (0.1, "p\n"), (0.1, "t 4\n"), (0.1, "t x\n"), (0.1, "\n")]
    out = played(capsys, *script)
    assert out.index("paused") < out.index("task 0: wait 2,100") < out.index("goes on")
    assert "0.527 m travelled" in out


def test_the_speed_changes_while_a_program_runs(capsys):
    out = played(
        capsys, (0.0, LoadProgram("x.lasm", AHEAD)), (0.1, "x 5\n"), (0.2, "x fast\n"), (0.3, "x max\n"), speed=2.0
    )
    assert "want max or a number above 0, got 'fast'" in out
    assert "0.527 m travelled" in out


def test_other_keys_get_help_and_q_ends(capsys):
    assert "p pause" in played(capsys, (0.0, "fly\n"), (0.0, "q\n"))


def test_times_of_icons_are_printed_for_each_program(capsys):
    other = LoadProgram("y.lasm", b"task 0\nwait 2,30\nendt")
    out = played(capsys, (0.0, LoadProgram("x.lasm", AHEAD)), (1.2, other), programs=2)
    first, second = out.split("program 2: starts")
    assert "icon 2          1.000 s, 1 times: wait 1 s" in first
    assert "icon 1          0.300 s, 1 times: wait 0.3 s" in second
    assert "stop AC" not in second
