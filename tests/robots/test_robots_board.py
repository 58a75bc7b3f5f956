"""A board whose firmware is a user's Python file, on a workbench."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest
from contracts.protocol_contract import check_protocol
from contracts.unit_contract import check_unit
from robots.robots_fakes import TICK_US, TRACK_M, Bench, FakeDevice

from understudy.protocols.raw.protocol import Raw, RawSheet
from understudy.robots.base import Code, Session, Wiring
from understudy.robots.board.memory import MOST_VALUES, plain
from understudy.robots.board.unit import MOST_WAITING, Byte
from understudy.sim.guard import Guard
from understudy.sim.imports import FirmwareScope
from understudy.sim.user_code import UserCode
from understudy.world.motion import REST, Motion
from understudy.world.robot import UnitSpec

ECHO = """
def setup(board):
    board.memory["turns"] = 0
    board.drive(0.1, 0.2)

def received(board, byte):
    board.send(bytes([byte, 255 - byte]))

def loop(board):
    board.memory["turns"] += 1
    if board.memory["turns"] == 20:
        board.stop()
"""


class BoardBench(Bench):
    """A board with a firmware and one device."""

    def __init__(self, firmware: str = ECHO, patience_s: float = 0.2, **settings: Any) -> None:
        scope = FirmwareScope("robot/board", "mine.py", {"mine.py": firmware.encode()})
        self.code = Code("mine.py", scope.run, UserCode(Guard(patience_s)).call)
        self.front = FakeDevice("robot/front", (1.5, 2.5))
        super().__init__("board", **settings)

    def renew(self) -> Any:
        self.wiring: Wiring = dataclasses.replace(self.wiring, devices={"front": self.front}, code=self.code)
        return super().renew()

    def hear(self, data: bytes) -> bytes:
        """Give bytes to the firmware and return what it sends in the next tick."""
        for value in data:
            self.unit.order(Byte(value))
        before = self.unit.sendings
        self.step()
        return self.unit.said if self.unit.sendings != before else b""

    def problem(self) -> str:
        text: str = self.unit.panel().problem
        return text


def test_a_board_with_a_firmware_keeps_the_contract() -> None:
    check_unit(BoardBench)


def test_the_raw_protocol_keeps_the_contract_with_a_firmware_behind_it() -> None:
    check_protocol(lambda: Raw(RawSheet(), "robot"), lambda: BoardBench().unit, bytes(range(256)))


def test_the_firmware_answers_every_byte_value_in_the_same_tick() -> None:
    assert BoardBench().hear(bytes(range(256))) == b"".join(bytes([n, 255 - n]) for n in range(256))


def test_the_firmware_reads_a_device_by_name() -> None:
    reads = "def received(board, byte): board.send(bytes(int(10 * m) for m in board.read('front')))"
    assert BoardBench(reads).hear(b"?") == b"\x0f\x19"


def test_an_unknown_device_is_named_with_the_line_and_the_nearest_name() -> None:
    bench = BoardBench("def loop(board):\n    board.read('frnt')\n")
    bench.step()
    assert bench.problem().startswith("mine.py:2: LookupError")
    assert "did you mean 'front'" in bench.problem()


@pytest.mark.parametrize(
    ("call", "motion"),
    [
        ("drive(0.3, 0.4)", Motion(0.3, 0.0, 0.4)),
        ("drive(0.3, 0.4, 0.1)", Motion(0.3, 0.1, 0.4)),
        ("wheels(0.1, 0.3)", Motion(0.2, 0.0, 0.2 / TRACK_M)),
        ("stop()", REST),
    ],
)
def test_the_firmware_drives(call: str, motion: Motion) -> None:
    bench = BoardBench(f"def setup(board): board.{call}")
    bench.step(3)
    assert bench.seen()[0] == pytest.approx(motion)
    assert len(bench.seen()) == 1


def test_a_board_does_not_drive_a_robot_that_another_unit_drives() -> None:
    from understudy.robots.passthrough import ControllerSheet

    bench = BoardBench("def loop(board): board.drive(1)")
    units = (UnitSpec(name="wheels", sheet=ControllerSheet()),)
    wiring = dataclasses.replace(bench.wiring, model=dataclasses.replace(bench.wiring.model, units=units))
    bench.unit.rewire(wiring)
    bench.step()
    assert "'wheels' drives robot" in bench.problem()
    assert bench.seen() == []


def test_the_firmware_knows_the_time_and_whether_a_client_is_there() -> None:
    bench = BoardBench("def loop(board): board.memory.update(t=board.time_s, there=board.connected)")
    bench.unit.order(Session(True, "host"))
    bench.step(2)
    assert bench.unit.state()["memory"] == {"t": 2 * TICK_US / 1e6, "there": True}


@pytest.mark.parametrize(
    ("firmware", "problem"),
    [
        ("def loop(board):\n    1 / 0\n", "mine.py:2: ZeroDivisionError"),
        ("def loop(board):\n    raise SystemExit(3)\n", "mine.py:2: SystemExit"),
        ("def loop(board):\n    while True:\n        pass\n", "mine.py:[23]: the .* did not return for 0.2 s"),
        ("while True:\n    try:\n        sum([])\n    except BaseException:\n        pass\n", "did not return"),
        ("raise KeyError('x')\n", "mine.py:1: KeyError"),
        ("x = 1\n", "a firmware needs one"),
        ("def loop(board):\n    board.drive(float('nan'))\n", "mine.py:2: ValueError.*NaN"),
        ("def loop(board):\n    board.send(bytes(70000))\n", "mine.py:2: ValueError.*65,536"),
        ("def loop(board):\n    board.memory['x'] = {1}\n", r"memory\['x'\] is a set"),
        ("def loop(board):\n    board.memory = 5\n", "board.memory is a int"),
        ("def loop(board):\n    board.send(5)\n", "mine.py:2: TypeError"),
    ],
)
def test_a_firmware_that_fails_is_halted_with_its_place_and_the_robot_stops(firmware: str, problem: str) -> None:
    bench = BoardBench(firmware)
    bench.step(2)
    assert re.search(problem, bench.problem()), bench.problem()
    assert bench.wheels.asked() == REST
    notes = bench.unit.asks()
    assert len(notes) == 1
    assert "halted until the next reset" in notes[0].text


def test_nothing_of_a_failed_turn_takes_effect() -> None:
    bench = BoardBench(
        "def received(board, byte):\n    board.memory['n'] = 1\n    board.send(b'x')\n    board.oops()\n"
    )
    assert bench.hear(b"a") == b""
    assert bench.unit.state()["memory"] == {}


def test_a_halted_board_stays_halted_when_it_is_restored() -> None:
    bench = BoardBench("def loop(board):\n    1 / 0\n")
    bench.step()
    saved = bench.unit.state()
    bench.renew().restore(saved)
    bench.step()
    assert "ZeroDivisionError" in bench.problem()
    assert bench.unit.asks() == []


def test_a_restored_board_does_not_set_up_again() -> None:
    bench = BoardBench()
    bench.step(5)
    saved = bench.unit.state()
    bench.renew().restore(saved)
    bench.step(2)
    assert bench.unit.state()["memory"] == {"turns": 7}


def test_a_flood_between_two_ticks_is_cut_and_counted() -> None:
    bench = BoardBench()
    bench.hear(b"x" * (MOST_WAITING + 10))
    panel = bench.unit.panel()
    assert (panel.received, panel.lost, panel.sent) == (MOST_WAITING + 10, 10, 2 * MOST_WAITING)


@pytest.mark.parametrize(
    ("memory", "problem"),
    [
        ({"x": b"raw"}, r"memory\['x'\] is a bytes"),
        ({"x": [1, float("inf")]}, r"memory\['x'\]\[1\] is a number out of range"),
        ({"x": 2**70}, "out of range"),
        ({3: 1}, "the key a number"),
        ({"x": list(range(MOST_VALUES + 1))}, "more than 10,000 values"),
        ({"x": "\ud800"}, "not valid"),
    ],
)
def test_a_memory_that_cannot_be_saved_is_refused(memory: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        plain(memory)


def test_a_memory_that_contains_itself_is_refused() -> None:
    memory: dict[str, Any] = {}
    memory["me"] = memory
    with pytest.raises(ValueError, match="20 levels"):
        plain(memory)
