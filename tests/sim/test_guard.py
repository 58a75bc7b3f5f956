"""Programs that end, fail or do not come back: their robot stops, the world goes on, and the run repeats to the bit."""

import json
import logging
import os
import signal
import subprocess
import sys
import textwrap

import pytest
from scenes import robot, room

from understudy import api
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay
from understudy.world.changes import Remove
from understudy.world.robot import Program

START_M = -2.0
HANGS = {
    "a loop": "while True:\n    pass",
    "a loop that drives": "while True:\n    robot.drive(0.4)",
    "a loop that reads": "while True:\n    robot.read('front')",
    "a bare except in a loop": "while True:\n    try:\n        robot.time_s\n    except:\n        pass",
    "a bare except around loops": """
while True:
    try:
        while True:
            try:
                sum(range(100))
            except:
                continue
            finally:
                robot.drive(0.1)
    except BaseException:
        while True:
            pass
""",
    "interrupts that are kept": """
kept = []
while True:
    try:
        robot.time_s
    except BaseException as problem:
        kept.append(problem)
""",
    "a bare except around a call into a library": """
import json
while True:
    try:
        json.dumps(list(range(1000)), indent=1)
    except:
        pass
""",
    "a swallowed interrupt and a wait": """
while True:
    try:
        while True:
            pass
    except:
        pass
    try:
        robot.wait(0.1)
    except:
        pass
""",
    "an exception that cannot be printed": """
class Odd(Exception):
    def __str__(self):
        while True:
            pass
raise Odd
""",
}
ENDS = {
    "exit": "exit()",
    "exit with a code": "exit(3)",
    "sys.exit": "import sys\nsys.exit('enough')",
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "KeyboardInterrupt in a function": "def stop():\n    raise KeyboardInterrupt()\nstop()",
    "GeneratorExit": "raise GeneratorExit",
    "a BaseException": "class Mine(BaseException):\n    pass\nraise Mine('so')",
    "GreenletExit": "import greenlet\nraise greenlet.GreenletExit",
    "an exception": "1 / 0",
}


def program(body, before="robot.drive(0.3)\nrobot.wait(0.5)\n"):
    return "def main(robot):\n" + textwrap.indent(before + body.strip() + "\n", "    ")


@pytest.fixture
def start(tmp_path):
    sims = []

    def make(text, mode="gated", other="", **extra):
        (tmp_path / "prog.py").write_text(text, encoding="utf-8")
        programs = {"scout": Program("prog.py", mode)}
        if other:
            (tmp_path / "other.py").write_text(other, encoding="utf-8")
            programs["other"] = Program("other.py")
        robots = (robot("scout", START_M), robot("other", START_M, 1.2))
        sim = Sim(room(*robots), seed=2, folder=tmp_path, user_programs=programs, **extra)
        sim._guard.patience_s = 0.2
        sims.append(sim)
        return sim

    yield make
    for sim in sims:
        sim.close()


@pytest.mark.parametrize("how", HANGS)
def test_a_program_that_does_not_come_back_is_out_and_its_robot_stops(start, caplog, how):
    sim = start(program(HANGS[how]))
    sim.run(2.0)
    assert sim.tick == 400
    assert "scout's program did not yield for 0.2 s (a loop without robot.wait()?); interrupted at " in caplog.text
    assert "prog.py:" in caplog.text
    assert sim.robot("scout").pose.x_m == pytest.approx(START_M + 0.15, abs=0.03)
    assert not sim.current.engine.twists()[0].any()


@pytest.mark.parametrize("how", HANGS)
def test_after_a_program_was_left_the_interpreter_is_as_before(start, how):
    start(program(HANGS[how])).run(1.0)
    assert sys.gettrace() is None
    traced = []
    sys.settrace(lambda frame, event, argument: traced.append(event))
    try:
        robot("traced")
    finally:
        sys.settrace(None)
    assert "call" in traced
    with pytest.raises(RecursionError):  # twice: it aborted the process when a level of headroom was left behind
        json.loads("[" * 100_000)
    with pytest.raises(RecursionError):
        json.loads("[" * 100_000)


@pytest.mark.parametrize("how", ENDS)
def test_however_a_program_ends_its_robot_stops_and_the_others_go_on(start, how):
    sim = start(program(ENDS[how]), other=program("robot.wait(9)"))
    sim.run(2.0)
    assert sim.robot("scout").pose.x_m == pytest.approx(START_M + 0.15, abs=0.03)
    assert sim.robot("other").pose.x_m == pytest.approx(START_M + 0.6, abs=0.05)


def test_a_program_that_ends_otherwise_is_named_with_its_line(start, caplog):
    start(program("raise KeyboardInterrupt")).run(1.0)
    assert "scout's program failed at " in caplog.text
    assert "prog.py:4:" in caplog.text


def test_exit_without_a_code_is_no_failure(start, caplog):
    start(program("exit()")).run(1.0)
    assert caplog.text == ""


def test_exit_with_a_code_is_reported_with_its_line(start, caplog):
    start(program("exit(3)")).run(1.0)
    assert "scout's program ended with exit(3) at " in caplog.text
    assert "prog.py:4" in caplog.text


def test_a_real_ctrl_c_inside_a_program_still_reaches_the_user(start):
    sim = start(program("import signal\nsignal.raise_signal(signal.SIGINT)\nrobot.wait(9)"))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it may be ignored
    try:
        with pytest.raises(KeyboardInterrupt):
            sim.run(1.0)
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_orders_of_an_interrupted_turn_do_not_count_so_the_run_repeats(start):
    text = program("n = 0\nwhile True:\n    n += 1\n    robot.drive(n)\n    robot.move_to(n % 2, 1.0)")

    def end():
        sim = start(text)
        sim.run(1.0)
        return sim.hash()

    assert end() == end()


def test_an_interrupted_program_is_noted_on_the_tape_and_the_replay_agrees(start, tmp_path):
    sim = start(program(HANGS["a loop that drives"]))
    sim.attach(TapeWriter(tmp_path / "a.tape"))
    sim.run(1.0)
    sim.close()
    found = replay(tmp_path / "a.tape")
    assert found.mismatch is None
    assert found.notes == ("tick 101: scout's program was interrupted",)


def test_a_run_with_an_interrupted_program_can_be_saved_and_restored(start):
    sim = start(program(HANGS["a loop that drives"]))
    sim.run(1.0)
    with api.restore(sim.save(), trust=True) as again:
        assert again.hash() == sim.hash()


def test_what_a_program_does_when_it_is_ended_cannot_hang_the_world(start):
    text = program("while True:\n    try:\n        robot.wait(0.1)\n    except:\n        while True:\n            pass")
    sim = start(text)
    sim.run(1.0)
    sim.reset()
    sim.run(0.5)
    assert sim.tick == 100


def test_a_program_clears_up_when_it_is_interrupted(start, tmp_path):
    text = f"try:\n    while True:\n        pass\nfinally:\n    open({str(tmp_path / 'mark')!r}, 'w').close()"
    start(program(text)).run(1.0)
    assert (tmp_path / "mark").exists()


def test_waiting_in_wall_time_uses_no_patience(start, caplog):
    start(program("import threading\nthreading.Event().wait(1.0)\nrobot.wait(9)")).run(1.0)
    assert caplog.text == ""


def test_importing_a_large_library_is_not_taken_for_a_loop(start, caplog, tmp_path_factory, monkeypatch):
    library = tmp_path_factory.mktemp("library")
    (library / "large_library.py").write_text(
        "import time\nend = time.thread_time() + 0.8\nwhile time.thread_time() < end:\n    pass\n"
    )
    monkeypatch.syspath_prepend(str(library))
    start(program("import large_library\nrobot.wait(9)")).run(1.0)
    assert caplog.text == ""


class Answer(logging.Handler):
    """Writes into a pipe as soon as something is logged."""

    def __init__(self, pipe):
        super().__init__()
        self._pipe = pipe

    def emit(self, record):
        os.write(self._pipe, b"!")


def test_a_line_that_holds_up_the_world_is_reported(start, caplog):
    reader, writer = os.pipe()
    handler = Answer(writer)
    logging.getLogger("understudy.sim.guard").addHandler(handler)
    sim = start(program(f"import os\nos.read({reader}, 1)\nrobot.wait(9)"))
    sim._guard._held_up_s = 0.1
    sim.run(1.0)
    logging.getLogger("understudy.sim.guard").removeHandler(handler)
    assert "prog.py:5: the simulation has waited for this line for 0.1 s (a blocking call" in caplog.text


def test_a_robot_that_is_taken_away_takes_its_program_along_and_nothing_else(start, caplog):
    sim = start(program("while True:\n    robot.read('front')\n    robot.wait(0.1)"))
    sim.run(1.0)
    sim.change(Remove("scout"))
    sim.run(1.0)
    assert sim.tick == 400
    assert caplog.text == ""


SCENE = """
schema = 1
ground = {size_m = [8, 8], walled = true}
[[robot]]
model = "scout"
program = "prog.py"
"""
CLOSES = "import sys\n\ndef main(robot):\n    sys.stdout.close()\n    sys.stderr.close()\n    1 / 0\n"


WORDS = [
    sys.executable, "-m", "understudy",
    "run", "room.toml", "--seconds", "0.5", "--speed", "max", "--no-ports", "--view", "none",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "prog.py").write_text(CLOSES)
    (tmp_path / "room.toml").write_text(SCENE)
    return tmp_path


def test_a_program_that_closes_the_streams_cannot_silence_the_world(folder):
    done = subprocess.run(WORDS, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "scout-1's program failed at prog.py:6:" in done.stderr
    assert "100 ticks" in done.stderr


def test_a_run_needs_no_standard_error(folder):
    script = "import os, subprocess, sys; os.close(2); os.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run([sys.executable, "-c", script, *WORDS], cwd=folder, stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0
