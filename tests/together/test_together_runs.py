"""Unmodified programs share the clock: the same outcome each time, on a busy machine too."""

from __future__ import annotations

import dataclasses
import signal
import subprocess
import sys

import pytest
from together_runs import SCENE, SUBJECTS, busy_machine, compiled, free_port, needs_together, outcome

import understudy as us
from understudy.errors import ProgramError, TapeError
from understudy.sim.factory import Factory
from understudy.together import watch
from understudy.world.changes import Move, Remove
from understudy.world.shapes import Pose

pytestmark = needs_together
PYTHON = sys.executable


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def scene(port, tmp_path):
    return SCENE.format(port=port, folder=tmp_path)


@pytest.fixture
def run(scene, tmp_path):
    """Run programs, several times; returns the outcome that all of them had."""

    def go(*commands, times=2, seconds=60.0):
        found = [outcome(scene, commands, tmp_path, seconds) for _ in range(times)]
        assert all(each == found[0] for each in found), "\n---\n".join(each.printed for each in found)
        return found[0]

    return go


def test_a_c_program_on_tcp_does_the_same_with_a_busy_process_beside_it(run, port, tmp_path):
    with busy_machine():
        found = run([compiled("pioneer", tmp_path), str(port), "5"], times=3)
    assert found.codes == (0,)
    assert found.printed.startswith("5.0")


def test_threads_of_python_do_the_same(run, port):
    found = run([PYTHON, str(SUBJECTS / "threads.py"), str(port), "3"])
    assert found.codes == (0,)
    assert "late" in found.printed


def test_every_way_of_waiting_ends_at_its_time(run, tmp_path):
    found = run([compiled("waits", tmp_path), str(tmp_path / "gps")])
    assert found.codes == (5,)
    at = {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in found.printed.splitlines()}
    steps = [
        ("semaphore 2", 0.09), ("handler 10", 0.19), ("interrupted sleep -1", 0.19), ("condition 110", 0.59),
        ("sem_timedwait -1", 0.84), ("system 0", 1.34), ("popen 0", 1.54), ("posix_spawn 0", 1.84), ("fork 7", 1.91),
        ("vfork 8", 1.91), ("timerfd 1", 2.11), ("timerfd, late 2", 2.36), ("epoll 1", 2.41), ("handler 14", 3.56),
        ("setitimer -1", 2.56), ("pause -1", 3.56), ("timer thread 7", 3.71), ("raw nanosleep 0", 3.88),
    ]  # fmt: skip
    for name, seconds in steps:
        assert at[name] == pytest.approx(seconds, abs=0.002), name
    assert at["looks at the clock 199999"] - at["$GPGGA"] == pytest.approx(0.2, abs=0.001)


def test_rarer_system_calls_do_what_they_should_at_their_time(run, tmp_path):
    found = run([compiled("corners", tmp_path), str(tmp_path)])
    assert found.codes == (6,)
    at = {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in found.printed.splitlines()}
    steps = [
        ("small stack 20", 0.005), ("own stack 10", 0.005), ("jumped out of a handler 0", 0.045),
        ("priority inheritance 12", 0.069), ("mutex of two processes 15", 0.081), ("locked for too long 110", 0.111),
        ("owner died 130", 0.121), ("named semaphore 0", 0.141), ("cancelled 1", 0.151), ("msgrcv 6", 0.176),
        ("semop 0", 0.201), ("semtimedop -1", 0.231), ("mq_timedreceive -1", 0.251), ("mq_timedsend -1", 0.271),
        ("clock_settime -1", 0.271), ("processor time, ms 271", 0.271),
        ("cycles, us 1001", 0.272), ("fault handled 7", 0.272),
        ("fault not handled 11", 0.272), ("jumped out of a fault 0", 0.272), ("250 threads 31125", 0.288),
        ("60 children 30", 0.294), ("read 1048576", 0.294), ("sendfile 16", 0.550), ("eventfd 5", 0.565),
        ("signalfd 12", 0.580), ("all descriptors closed 900", 0.585),
    ]  # fmt: skip
    for name, seconds in steps:
        assert at[name] == pytest.approx(seconds, abs=0.001), name


def test_a_program_that_sleeps_while_its_serial_port_is_full_holds_nothing_up(run, tmp_path):
    text = "import os, sys, time; fd = os.open(sys.argv[1], os.O_RDONLY); time.sleep(30); print(len(os.read(fd, 50)))"
    found = run([PYTHON, "-c", text, str(tmp_path / "gps")])
    assert (found.codes, found.printed) == ((0,), "50\n")


def test_processes_pipes_locks_and_signals_of_python_do_the_same(run):
    found = run([PYTHON, str(SUBJECTS / "processes.py")])
    assert found.codes == (0,), found.printed
    words = [line.rsplit(" ", 1)[0] for line in found.printed.splitlines()]
    assert "shared memory 9" in words
    assert "interrupted" in words
    assert "alarm" in words
    assert "lock 3" in words


def test_a_shell_with_pipes_and_a_terminal_does_the_same(run, tmp_path):
    fifo = tmp_path / "fifo"
    found = []
    for _ in range(2):
        fifo.unlink(missing_ok=True)
        found.append(run(["bash", str(SUBJECTS / "shell.sh"), str(tmp_path / "gps"), str(fifo)], times=1))
    assert found[0] == found[1]
    assert "1 $GPGGA" in found[0].printed
    assert "through the fifo" in found[0].printed
    assert "timeout 124" in found[0].printed
    assert "signal 17" in found[0].printed


def test_pyserial_opens_a_pseudo_terminal_twice(run, tmp_path):
    pytest.importorskip("serial")
    found = run([PYTHON, str(SUBJECTS / "gps.py"), str(tmp_path / "gps")])
    assert found.codes == (0,)
    assert found.printed.count("6") >= 2


def test_a_terminal_between_two_processes_delivers_in_simulated_time(run):
    found = run([PYTHON, str(SUBJECTS / "terminal.py")], times=3)
    assert found.codes == (0,)
    assert found.printed.count("\\nb") == 5
    assert "got hello" in found.printed


def test_programs_that_talk_to_each_other_do_the_same(run):
    number, talk = str(free_port()), str(SUBJECTS / "talk.py")
    found = run([PYTHON, talk, "serve", number], [PYTHON, talk, "ask", number], [PYTHON, talk, "ask", number])
    assert found.codes == (0, 0, 0)


def test_two_programs_drive_two_robots(port, tmp_path):
    second = free_port()
    both = (
        SCENE.format(port=port, folder=tmp_path)
        + f"""
[[robot]]
model = "p3at"
name = "other"
x_m = 1.5
port.host.link = "tcp://127.0.0.1:{second}"
port.gps.link = "loop:"
"""
    )
    commands = [
        [compiled("pioneer", tmp_path), str(port), "3"], [PYTHON, str(SUBJECTS / "threads.py"), str(second), "2"],
    ]  # fmt: skip
    found = [outcome(both, commands, tmp_path) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].codes == (0, 0)


def test_a_killed_program_leaves_the_world_as_if_its_cable_had_been_pulled(run, port, tmp_path):
    program = compiled("pioneer", tmp_path)
    found = run(["sh", "-c", f"{program} {port} 20 & sleep 1.3; kill -9 $!; sleep 3; echo done"])
    assert found.printed.splitlines()[-1] == "done"
    with us.load_text(SCENE.format(port=port, folder=tmp_path), seed=1) as sim:
        clock = sim.share_clock([[program, str(port), "20"]])
        sim.run(1.3)
        assert sim.robot("pioneer").velocity.ahead_m_s > 0.05
        clock._programs.programs[0].process.send_signal(signal.SIGKILL)
        clock._programs.programs[0].process.wait()
        sim.run(3)  # the watchdog of the robot stops it
        assert clock.exit_codes == [137]
        assert sim.robot("pioneer").velocity.ahead_m_s == pytest.approx(0, abs=1e-3)


def test_a_robot_that_is_removed_hangs_up(scene, port, tmp_path):
    def end():
        with us.load_text(scene, seed=1) as sim:
            clock = sim.share_clock([[compiled("pioneer", tmp_path), str(port), "20"]])
            sim.run(1)
            sim.change(Remove("pioneer"))
            clock.run(5)
            return clock.exit_codes, sim.tick, sim.hash()

    first = end()
    assert first == end()
    assert first[0] == [3]


def test_clients_of_a_robot_factory_do_the_same(scene, tmp_path):
    number = free_port()

    def end():
        with us.load_text(scene, seed=1) as sim:
            robot = sim.current.robots[0]
            parts = robot.built
            ports = tuple(p for p in parts.ports if p.name == "host")
            robot = dataclasses.replace(robot, parts=dataclasses.replace(parts, ports=ports))
            sim.change(Remove("pioneer"))
            sim.open_ports([Factory("pioneers", robot, f"tcp://127.0.0.1:{number}")])
            program = compiled("pioneer", tmp_path)
            codes = sim.together([[program, str(number), "1"], [program, str(number), "2"]], 10)
            return codes, sim.tick, sim.hash()

    first = end()
    assert first == end()
    assert first[0] == [0, 0]


def test_replay_needs_no_program(scene, port, tmp_path):
    found = outcome(scene, [[compiled("pioneer", tmp_path), str(port), "2"]], tmp_path)
    played = us.replay(tmp_path / "run.tape")
    assert played.mismatch is None
    assert played.hash == found.hash


def test_a_paused_world_lets_programs_stand_still(scene, port, tmp_path):
    with us.load_text(scene, seed=1) as sim:
        clock = sim.share_clock([[compiled("pioneer", tmp_path), str(port), "1"]])
        sim.run(0.5)
        sim.pause()
        before = clock.questions
        sim.run_for(0.2)
        assert clock.questions == before
        sim.step(5)  # but single steps take them along
        assert clock.questions > before or sim.tick == 105
        sim.resume()
        assert clock.run(5) == 0


def test_a_reset_starts_the_programs_again(scene, port, tmp_path):
    program = [compiled("pioneer", tmp_path), str(port), "1"]
    with us.load_text(scene, seed=1) as sim:
        clock = sim.share_clock([program])
        clock.run(5)
        first = sim.tick, clock.exit_codes
        sim.reset()
        clock.run(5)
        assert (sim.tick, clock.exit_codes) == first


def test_real_time_changes_nothing(scene, port, tmp_path):
    program = [compiled("pioneer", tmp_path), str(port), "0.5"]

    def end(speed):
        with us.load_text(scene, seed=1) as sim:
            sim.clock.speed = speed
            sim.together([program])
            return sim.tick, sim.hash()

    assert end(None) == end(2.0)


def test_computing_costs_time_if_that_is_wanted(scene, tmp_path):
    code = "import time; t = time.monotonic(); sum(range(3000000)); print(time.monotonic() - t > 0.01)"
    with us.load_text(scene) as sim:
        assert sim.together([[PYTHON, "-c", f"import sys; {code}; sys.exit(time.monotonic() - t > 0.01)"]]) == [0]
    with us.load_text(scene) as sim:
        words = [PYTHON, "-c", f"import sys; {code}; sys.exit(time.monotonic() - t > 0.01)"]
        assert sim.together([words], compute=1.0) == [1]


def test_children_draw_other_random_numbers_than_their_parents(run):
    draw = "import os; print(os.urandom(4).hex(), flush=True)"
    code = f"{draw}\nif os.fork() == 0:\n    {draw}\n    os._exit(0)\nos.wait()"
    found = run(["sh", "-c", '"$0" -c "$1"; "$0" -c "$1"', PYTHON, code])
    assert len(set(found.printed.split())) == 4


def test_a_serial_port_does_not_become_the_terminal_that_controls_the_program(run, tmp_path):
    code = "import os, sys; os.open(sys.argv[1], os.O_RDWR); os.open('/dev/tty', os.O_RDWR)"
    assert "No such device" in run([PYTHON, "-c", code, str(tmp_path / "gps")]).printed


def test_a_static_program_is_refused_before_it_starts(scene, tmp_path):
    program = compiled("pioneer", tmp_path, "-static")
    with us.load_text(scene) as sim, pytest.raises(ProgramError, match="is linked statically"):
        sim.together([[program]])


def test_a_static_child_lives_in_real_time(scene, port, tmp_path, caplog):
    program = compiled("pioneer", tmp_path, "-static")
    with us.load_text(scene) as sim:
        assert sim.together([["sh", "-c", f"{program} {port} 0.2; echo done"]], 60) == [0]
    assert "does not take part; its time is real" in caplog.text


def test_a_static_child_that_ends_at_once_is_named_too(scene, tmp_path, caplog):
    (tmp_path / "short.c").write_text("int main(void) { return 3; }")
    subprocess.run(["cc", "-static", "-o", str(tmp_path / "short"), str(tmp_path / "short.c")], check=True)
    with us.load_text(scene) as sim:
        assert sim.together([["sh", "-c", f"{tmp_path}/short; exit $?"]], 60) == [3]
    assert "does not take part; its time is real" in caplog.text


def test_children_that_fail_or_are_killed_before_they_begin_are_no_strangers(scene, tmp_path, caplog):
    code = """
import os, signal, subprocess
try:
    subprocess.run(["/no/such/program"])
except FileNotFoundError:
    pass
for i in range(10):
    child = subprocess.Popen(["sleep", "10"])
    child.kill()
    child.wait()
"""
    with us.load_text(scene) as sim:
        assert sim.together([[PYTHON, "-c", code], [compiled("waits", tmp_path)]], 60) == [0, 5]
    assert "does not take part" not in caplog.text


def test_a_program_that_computes_for_ever_is_named(scene, tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(watch, "QUIET_S", 0.2)
    monkeypatch.setattr(watch, "COMPUTE_S", 0.8)
    with (
        us.load_text(scene) as sim,
        pytest.raises(ProgramError, match=r"perhaps it waits for another thread in a loop"),
    ):
        sim.together([[PYTHON, "-c", "n = 0\nwhile True: n += 1"]])
    assert "time stands still meanwhile" in caplog.text


def test_threads_that_wait_by_looking_at_memory_see_what_others_do(run, tmp_path, caplog):
    found = run([compiled("loops", tmp_path)])
    at = {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in found.printed.splitlines()}
    done = {"ready 1": 0.3, "partner 1": 0.4, "rung 14": 0.65, "counted 30": 0.68, "computed 100000000": 0.68}
    assert at == pytest.approx(done, abs=0.001)
    assert "looking at memory in a loop" in caplog.text


def test_a_python_thread_waits_for_another_in_a_loop(run):
    code = """
import threading, time
done = []
threading.Thread(target=lambda: (time.sleep(0.5), done.append(1))).start()
while not done: pass
print(round(time.monotonic(), 2))
"""
    assert run([PYTHON, "-c", code]).printed.strip().startswith("1000.5")


def test_a_program_in_a_call_that_is_not_known_is_named_with_it(scene, monkeypatch):
    monkeypatch.setattr(watch, "QUIET_S", 0.3)
    code = """
import ctypes
call, context = ctypes.CDLL(None).syscall, ctypes.c_ulong()
call(206, 1, ctypes.byref(context))  # io_setup
call(208, context, ctypes.c_long(1), ctypes.c_long(1), bytes(32), None)  # io_getevents
"""
    with us.load_text(scene) as sim, pytest.raises(ProgramError, match=r"waits in io_getevents \(thread 1 of 1\)"):
        sim.together([[PYTHON, "-c", code]])


def test_nothing_is_left_running(scene, port, tmp_path):
    with us.load_text(scene) as sim:
        clock = sim.share_clock([["sh", "-c", "sleep 1000 & sleep 2000; echo"]])
        sim.run(0.5)
        pids = [process.pid for process in clock._programs._processes]
        assert len(pids) == 3
    states = subprocess.run(["ps", "-o", "stat=", "-p", ",".join(map(str, pids))], capture_output=True, text=True)
    assert all(state.startswith("Z") for state in states.stdout.split())


def test_a_saved_run_goes_on_by_running_its_programs_again(scene, port, tmp_path):
    program = [compiled("pioneer", tmp_path), str(port), "2"]

    def end(sim):
        sim.shared_clock.run(5)
        return sim.tick, sim.hash(), sim.shared_clock.exit_codes

    with us.load_text(scene, seed=1) as sim:
        sim.run(0.2)
        sim.share_clock([program])
        sim.run(0.5)
        sim.change(Move("pioneer", Pose(0.5, 0.5)))
        sim.run(0.5)
        saved = sim.save()
        expected = end(sim)
    with pytest.raises(TapeError, match=r"the program '.*pioneer"):
        us.restore(saved)
    with us.restore(saved, trust=True) as sim:
        assert sim.time_s == pytest.approx(1.2)
        assert end(sim) == expected


SHARED = 'program = {{command = ["{program}", "{port}", "1"], clock = "shared"}}'


def test_a_scene_brings_a_program_that_shares_the_clock(scene, port, tmp_path):
    words = SHARED.format(program=compiled("pioneer", tmp_path), port=port)
    text = scene.replace("x_m = -1.5", f"x_m = -1.5\n{words}")

    def end():
        with us.load_text(text, trust=True) as sim:
            sim.run(2)
            return sim.hash(), sim.programs_running, sim.failed_programs, sim.robot("pioneer").pose

    first = end()
    assert first == end()
    assert first[1:3] == (False, {})
    assert first[3].x_m > -1.4


def test_a_program_of_a_scene_that_fails_is_reported(scene, tmp_path):
    words = 'program = {command = ["sh", "-c", "exit 7"], clock = "shared"}'
    with us.load_text(scene.replace("x_m = -1.5", words), trust=True) as sim:
        sim.run(0.1)
        assert "exit code 7" in sim.failed_programs["pioneer"]


def test_a_reset_starts_the_program_of_a_scene_again(scene, port, tmp_path):
    words = SHARED.format(program=compiled("pioneer", tmp_path), port=port)
    with us.load_text(scene.replace("x_m = -1.5", words), trust=True) as sim:
        sim.run(0.7)
        first = sim.hash()
        sim.reset()
        sim.run(0.7)
        assert sim.hash() == first


def test_the_program_of_a_removed_robot_ends(scene, tmp_path):
    words = 'program = {command = ["sleep", "1000"], clock = "shared"}'
    with us.load_text(scene.replace("x_m = -1.5", words), trust=True) as sim:
        sim.run(0.1)
        sim.change(Remove("pioneer"))
        sim.run(0.1)
        assert not sim.programs_running


def test_programs_find_their_robots_when_another_simulation_has_the_port(scene, port, tmp_path):
    moved = scene.replace(f"127.0.0.1:{port}", f"127.0.0.1:{port}+")
    program = [compiled("pioneer", tmp_path), str(port), "1"]
    alone = outcome(moved, [program], tmp_path)
    with us.load_text(moved, ports=True):
        beside = outcome(moved, [program], tmp_path)
    assert (beside.codes, beside.hash, beside.printed) == (alone.codes, alone.hash, alone.printed)
    assert alone.codes == (0,)
