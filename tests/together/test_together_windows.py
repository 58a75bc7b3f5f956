"""Programs that leave a port unread, or write more than it carries: buffers run full in simulated time."""

from __future__ import annotations

import sys

import pytest
from together_runs import SCENE, SUBJECTS, busy_machine, compiled, free_port, needs_together, outcome

from understudy.together.connections import SERIAL_WINDOW, SOCKET_WINDOW

pytestmark = needs_together
STREAM = ["128", "148", "1", "100"]  # a Roomba's sensors, all the time
MANY = 20_000  # bytes that full.c writes
ROOMBA = """
schema = 1
ground = {{size_m = [6, 4], walled = true}}
[[robot]]
model = "create2"
name = "r"
port.serial.link = "pty:{folder}/port"
"""


@pytest.fixture
def run(tmp_path):
    """Run a program twice on a busy machine; returns the lines that it printed both times, as name -> numbers."""

    def go(scene, *command):
        with busy_machine():
            found = [outcome(scene, [command], tmp_path, 100) for _ in range(2)]
        assert found[0] == found[1], "\n---\n".join(each.printed for each in found)
        assert found[0].codes == (0,), found[0].printed
        words = (line.rsplit(" ", 2) for line in found[0].printed.splitlines())
        return {name: (int(number), float(at)) for name, number, at in words}

    return go


@pytest.fixture
def full(run, tmp_path):
    """Run full.c on a Roomba."""
    program = compiled("full", tmp_path)
    scene = ROOMBA.format(folder=tmp_path)
    return lambda what, *first: run(scene, program, str(tmp_path / "port"), what, str(MANY), *first)


def test_a_write_waits_until_the_line_has_carried_what_was_written(full):
    said = full("waiting")
    in_buffer, written_at = said["under way"]
    assert said["calls"][0] == 1
    assert written_at == pytest.approx((MANY - in_buffer) * 10 / 115_200, abs=0.006)
    assert 0 < in_buffer <= SERIAL_WINDOW
    assert said["drained"][0] == 0
    assert said["drained"][1] == pytest.approx(MANY * 10 / 115_200, abs=0.011)  # two ticks


@pytest.mark.parametrize("what", ["polling", "edges"])
def test_a_write_without_waiting_is_refused_until_there_is_room(full, what):
    said = full(what)
    assert said["calls"][0] == 2 * said["refused"][0] + 1  # whoever asks when it can write is told the truth
    assert said["under way"][1] == pytest.approx((MANY - said["under way"][0]) * 10 / 115_200, abs=0.006)


def test_children_that_read_leave_room_for_more(full):
    said = full("children", *STREAM)
    assert said["bytes"][0] > 20_000


def test_a_flush_empties_the_terminal(full):
    said = full("flush", *STREAM)
    assert said["unread"][0] == 0
    assert said["under way"][0] == 3000


def test_lines_are_read_whole_however_late(run, tmp_path):
    scene = SCENE.format(port=free_port(), folder=tmp_path)
    said = run(scene, compiled("full", tmp_path), str(tmp_path / "gps"), "lines", "8")
    assert 50 < said["bytes"][0] / said["lines"][0] < 70


@pytest.mark.parametrize("what", ["waiting", "polling", "asyncio"])
def test_megabytes_are_written_to_a_socket_as_fast_as_the_run_takes_them(tmp_path, what):
    port = free_port()
    command = [sys.executable, str(SUBJECTS / "flood.py"), str(port), what]
    found = [outcome(SCENE.format(port=port, folder=tmp_path), [command], tmp_path, 20) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].codes == (0,)
    assert float(found[0].printed.split()[-1]) == pytest.approx(2_000_000 / SOCKET_WINDOW * 0.005, abs=0.03)
