"""Every opcode of every generation: its bytes, its modes, and that it never desynchronises the parser."""

from __future__ import annotations

import pytest
from protocols.roomba_desk import GENERATIONS, Desk

from understudy.protocols.roomba_oi.opcodes import OPCODES, opcodes
from understudy.robots.roomba.orders import (
    Behave,
    DigitalOut,
    Digits,
    DriveArc,
    DrivePwm,
    DriveWheels,
    Enter,
    Leds,
    Motors,
    Play,
    PowerDown,
    PushButtons,
    ReadScript,
    Restart,
    Schedule,
    ScheduleLeds,
    SendIr,
    Sense,
    SetClock,
    Song,
    StoreScript,
    Streaming,
    Wait,
)

MODES = ("off", "passive", "safe", "full")
LETTERS = {"any": MODES, "PSF": MODES[1:], "SF": MODES[2:], "F": ("full",), "S": ("safe",)}
TIMES = tuple((hour, minute) for hour, minute in zip(range(7), range(10, 17)))
GROUP_1 = (
    "bumps and wheel drops", "wall", "cliff left", "cliff front left", "cliff front right", "cliff right",
    "virtual wall", "overcurrents", "dirt", "dirt right",
)  # fmt: skip
# opcode, generations (s: roomba400, 1: create1, 2: create2), bytes, what reaches the firmware in full mode
EXAMPLES = [
    (7, "2", "07", [Streaming(0), Restart()]),
    (128, "s12", "80", [Enter("start")]),
    (129, "12", "810a", []),
    (129, "s", "810a", [Enter("start")]),
    (130, "s12", "82", [Enter("control")]),
    (131, "s12", "83", [Enter("safe")]),
    (132, "s12", "84", [Enter("full")]),
    (133, "s2", "85", [PowerDown()]),
    (134, "s12", "86", [Behave("spot")]),
    (135, "s2", "87", [Behave("clean")]),
    (135, "1", "87", [Behave("cover")]),
    (136, "s2", "88", [Behave("max")]),
    (136, "1", "8804", [Behave("figure_eight")]),
    (136, "1", "88ff", [Behave("stop")]),
    (136, "1", "880a", []),
    (137, "s12", "89ff3801f4", [DriveArc(-200, 500)]),
    (137, "s12", "8900c88000", [DriveArc(200, -32768)]),
    (138, "s2", "8a0d", [Motors(1.0, -1.0, 0.0)]),
    (138, "s2", "8a16", [Motors(-1.0, 0.0, 1.0)]),
    (138, "1", "8a05", [Motors(1.0, 0.0, 1.0)]),
    (139, "s12", "8b020080", [Leds(2, 0, 128)]),
    (140, "s12", "8c00014610", [Song(0, ((70, 16),))]),
    (140, "s12", "8c0202214046 01", [Song(2, ((33, 64), (70, 1)))]),
    (141, "s12", "8d03", [Play(3)]),
    (142, "s12", "8e01", [Sense(GROUP_1)]),
    (143, "s2", "8f", [Behave("dock")]),
    (143, "1", "8f", [Behave("cover_and_dock")]),
    (144, "1", "90804000", [Motors(1.0, 0.5, 0.0)]),
    (144, "2", "907f817f", [Motors(1.0, -1.0, 1.0)]),
    (145, "12", "91003bffc5", [DriveWheels(59, -59)]),
    (146, "2", "92ff0100ff", [DrivePwm(-255, 255)]),
    (147, "1", "9305", [DigitalOut(5)]),
    (148, "12", "94021d0d", [Streaming(2)]),
    (148, "12", "9400", [Streaming(0)]),
    (149, "12", "9502070d", [Sense(("bumps and wheel drops", "virtual wall"))]),
    (149, "12", "950307ff07", [Sense(("bumps and wheel drops", "bumps and wheel drops"))]),
    (150, "12", "9600", []),
    (151, "1", "9789", [SendIr(137)]),
    (152, "1", "98 03 89 00 c8", [StoreScript((137, 0, 200))]),
    (153, "1", "99", [Wait("queue"), ReadScript()]),
    (154, "1", "9a", [ReadScript()]),
    (155, "1", "9b05", [Wait("time", 5)]),
    (156, "1", "9cfe70", [Wait("distance", -400)]),
    (157, "1", "9d005a", [Wait("angle", 90)]),
    (158, "1", "9efb", [Wait("event", -5)]),
    (162, "2", "a27f1f", [ScheduleLeds(127, 31)]),
    (163, "2", "a301020408", [Digits((1, 2, 4, 8))]),
    (164, "2", "a431382048", [Digits((6, 127, 0, 118))]),
    (165, "2", "a502", [PushButtons(2)]),
    (167, "2", "a77f 000a 010b 020c 030d 040e 050f 0610", [Schedule(127, TIMES)]),
    (168, "2", "a806173b", [SetClock(6, 23, 59)]),
    (173, "2", "ad", [Streaming(0), Enter("stop")]),
]
NAMES = {"s": "roomba400", "1": "create1", "2": "create2"}
CASES = [(NAMES[letter], code, text, received) for code, letters, text, received in EXAMPLES for letter in letters]
ROWS = [(generation, row) for generation in GENERATIONS for row in opcodes(generation).values()]


def example(generation: str, code: int) -> str:
    return next(text for name, number, text, _ in CASES if (name, number) == (generation, code))


def test_every_opcode_of_every_generation_has_an_example():
    assert {(name, code) for name, code, _, _ in CASES} == {(name, row.code) for name, row in ROWS}


def test_every_row_belongs_to_a_generation_and_no_two_collide():
    assert all(row.generations for row in OPCODES)
    assert len(ROWS) == sum(len(row.generations) for row in OPCODES)


@pytest.mark.parametrize(("generation", "code", "text", "received"), CASES)
def test_the_bytes_of_an_opcode_become_commands(generation, code, text, received):
    desk = Desk(generation).into("full")
    desk.send(text)
    assert desk.received == received
    assert bytes.fromhex(text)[0] == code


@pytest.mark.parametrize(("generation", "code", "text", "received"), CASES)
def test_half_a_command_does_nothing_until_the_rest_comes(generation, code, text, received):
    desk = Desk(generation).into("full")
    for byte in bytes.fromhex(text)[:-1]:
        desk.send(f"{byte:02x}").step()
        assert desk.received == []
    desk.send(f"{bytes.fromhex(text)[-1]:02x}")
    assert desk.received == received


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("generation", "row"), ROWS, ids=lambda value: getattr(value, "code", value))
def test_an_opcode_works_in_its_modes_and_leads_to_the_mode_of_its_row(generation, row, mode):
    desk = Desk(generation).into(mode)
    desk.send(example(generation, row.code))
    allowed = mode in LETTERS[row.modes]
    assert desk.unit.mode == ((row.after or mode) if allowed else mode)


FORBIDDEN = [(name, row, mode) for name, row in ROWS for mode in MODES if mode not in LETTERS[row.modes]]


@pytest.mark.parametrize(("generation", "row", "mode"), FORBIDDEN, ids=lambda value: getattr(value, "code", value))
def test_a_forbidden_command_changes_nothing_and_is_consumed_whole(generation, row, mode):
    desk = Desk(generation).into(mode)
    before, stream = desk.unit.state(), list(desk.protocol.state()["talk"]["stream"])
    desk.send(example(generation, row.code))
    after = desk.unit.state()
    assert after == before
    assert desk.protocol.state()["talk"]["stream"] == stream
    assert desk.protocol.state()["queue"] == ""
    assert desk.bauds == []


@pytest.mark.parametrize("generation", GENERATIONS)
def test_an_unknown_opcode_is_one_byte(generation):
    unknown = sorted(set(range(256)) - set(opcodes(generation)))
    desk = Desk(generation).send(bytes(unknown).hex() + "80")
    assert desk.received == [Enter("start")]
    assert desk.protocol.counters()["unknown"] == len(unknown)


def test_a_demo_of_a_create_takes_one_byte_where_max_of_a_roomba_takes_none():
    assert Desk("create1").send("80 88 80").received == [Enter("start")]
    assert Desk("create2").send("80 88 80").received == [Enter("start"), Behave("max"), Enter("start")]


def test_full_straight_after_start_leaves_a_roomba_400_in_passive_mode():
    desk = Desk("roomba400").send("80 84")
    assert desk.unit.mode == "passive"
    assert desk.send("82 84").unit.mode == "full"


BAUDS = (300, 600, 1200, 2400, 4800, 9600, 14400, 19200, 28800, 38400, 57600, 115200)


@pytest.mark.parametrize(("code", "baud"), list(enumerate(BAUDS)))
def test_every_baud_code(code, baud):
    assert Desk().send(f"80 81 {code:02x}").bauds == [baud]


def test_an_invalid_baud_code_changes_nothing():
    assert Desk().send("80 81 0c").bauds == []


def test_three_short_pulses_on_rts_force_19200_baud():
    desk = Desk().step()
    for _ in range(3):
        desk.line(False).step(20).line(True).step(20)
    desk.line(False)
    assert desk.bauds == [19200]


@pytest.mark.parametrize("wire", ["rts", "dtr"])
@pytest.mark.parametrize("idle", [False, True])
def test_the_pulses_may_have_either_polarity_and_come_on_either_line(wire, idle):
    def set_line(level):
        return desk.line(level) if wire == "rts" else desk.line(True, level)

    desk = Desk().step()
    set_line(idle).step(400)
    for _ in range(2):
        set_line(not idle).step(20)
        set_line(idle).step(20)
    set_line(not idle).step(20)
    assert desk.bauds == []
    set_line(idle)
    assert desk.bauds == [19200]


def test_two_pulses_wake_it_and_change_no_baud_rate():
    desk = Desk(sleep_us=1_000_000).step(3).into("passive").step(210)
    for _ in range(2):
        desk.line(False).step(50).line(True).step(50)
    assert (desk.bauds, desk.unit.panel().asleep) == ([], False)


def test_long_pulses_on_rts_change_no_baud_rate():
    desk = Desk().step()
    for _ in range(4):
        desk.line(False).step(20).line(True).step(200)
    desk.line(False)
    assert desk.bauds == []
