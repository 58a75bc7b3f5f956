"""Connections, robots and programs that end badly: each time in the same way, and nothing is left."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from together_runs import SCENE, SUBJECTS, busy_machine, compiled, free_port, needs_together, outcome, redirected

import understudy as us
from understudy.world.changes import Remove

pytestmark = needs_together
ROOMBA = """
[[robot]]
model = "create2"
name = "roomba"
x_m = 1.5
port.serial.link = "pty:{folder}/roomba"
"""


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def scene(port, tmp_path):
    return (SCENE + ROOMBA).format(port=port, folder=tmp_path)


def ends(what, where):
    return [sys.executable, str(SUBJECTS / "ends.py"), what, str(where)]


@pytest.fixture
def run(scene, tmp_path):
    """Run programs three times beside a busy process; returns what they printed, the same each time."""

    def go(*commands, seconds=30.0):
        with busy_machine():
            found = [outcome(scene, commands, tmp_path, seconds) for _ in range(3)]
        assert all(each == found[0] for each in found), "\n---\n".join(each.printed for each in found)
        assert found[0].codes[0] == 0, found[0].printed
        return found[0].printed.splitlines()

    return go


@pytest.fixture
def removed(scene, tmp_path):
    """Run a program whose robot is removed after a second, three times; returns what it printed each time."""

    def once(robot, command):
        with redirected(tmp_path / "printed.txt"), us.load_text(scene, seed=1) as sim:
            clock = sim.share_clock([command])
            sim.run(1)
            sim.change(Remove(robot))
            clock.run(10)
            found = clock.exit_codes, sim.tick, sim.hash()
        return *found, (tmp_path / "printed.txt").read_text()

    def go(robot, command):
        with busy_machine():
            found = [once(robot, command) for _ in range(3)]
        assert all(each == found[0] for each in found), found
        assert found[0][0] == [0], found[0][3]
        return found[0][3].splitlines()

    return go


def test_a_half_closed_connection_ends(run, port):
    said = run(ends("half_closed", port))
    assert said[0].startswith("the robot hung up after")


def test_a_port_is_opened_and_closed_a_hundred_times(run, port):
    assert run(ends("many_times", port))[-1].startswith("done")


def test_a_serial_port_is_opened_and_closed_a_hundred_times(run, tmp_path):
    said = run(ends("terminal_many_times", tmp_path / "roomba"))
    assert said[-1].startswith("done")


def test_a_program_notices_that_its_robot_is_gone(removed, port):
    said = removed("pioneer", ends("hung_up_on", port))
    assert any(line.startswith("0 ") for line in said)  # the end of the stream, then:
    assert said[-1].startswith("Broken pipe")


def test_a_program_that_writes_to_a_robot_that_is_removed_does_not_wait_for_ever(removed, port):
    assert "Broken pipe" in removed("pioneer", ends("full_and_hung_up_on", port))[-1]


def test_a_program_notices_that_its_serial_port_is_gone(removed, tmp_path):
    said = removed("roomba", ends("terminal_hung_up_on", tmp_path / "roomba"))
    assert said[-1].startswith("Input/output error")


def test_a_program_that_writes_to_a_serial_port_that_is_removed_does_not_wait_for_ever(removed, tmp_path):
    said = removed("roomba", ends("terminal_full_and_hung_up_on", tmp_path / "roomba"))
    assert said[-1].startswith("Input/output error")


def test_a_daemon_goes_on_while_another_program_runs_and_ends_with_the_run(run, port):
    said = run(ends("daemon", port), ["sleep", "1.95"])
    assert sum(line.startswith("daemon") for line in said) == 19
    running = subprocess.run(["pgrep", "-f", f"ends.py daemon {port}"], capture_output=True, text=True)
    assert running.stdout == ""


def test_a_killed_child_leaves_its_serial_port_to_the_next(run, tmp_path):
    full = f"{compiled('full', tmp_path)} {tmp_path}/roomba silent"
    words = f"{full} 30 128 148 1 100 & sleep 1; kill -9 $!; wait; exec {full} 2"
    assert run(["sh", "-c", words])[0].startswith("unread")


def test_a_program_that_ignores_signals_is_ended_with_the_run(scene, port, tmp_path):
    begun = time.monotonic()
    words = ends("stubborn", port)
    (tmp_path / "scene.toml").write_text(scene)
    verb = [sys.executable, "-m", "understudy", "together", str(tmp_path / "scene.toml"), "--seconds", "1"]
    done = subprocess.run([*verb, "--", *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "no" in done.stdout
    assert subprocess.run(["pgrep", "-f", " ".join(words)], capture_output=True).stdout == b""
    assert time.monotonic() - begun < 60


def test_a_program_that_is_killed_closes_its_connection(scene, port, tmp_path):
    words = ends("stubborn", port)
    with us.load_text(scene, seed=1) as sim:
        clock = sim.share_clock([["sh", "-c", f"{' '.join(words)} & sleep 1; kill -9 $!; sleep 100"]])
        sim.run(0.9)
        assert sim.ports.info()["pioneer/host"].connected
        sim.run(0.2)
        assert not sim.ports.info()["pioneer/host"].connected
        assert clock.running
