"""Every command number: packets byte by byte, and what they become."""

from __future__ import annotations

import math
from typing import Any

import pytest
from protocols.arcos.arcos_talk import command, frame, obey, talking

from understudy.protocols.arcos.commands import ROWS, commands
from understudy.protocols.arcos.sheet import ArcosSheet
from understudy.robots.base import Session
from understudy.robots.pioneer import orders as o
from understudy.world.changes import FreeMap, Move, OpenMap, Quit, Reset
from understudy.world.news import NewLog, Note
from understudy.world.shapes import Pose

P = o.Pulse()
MOBILESIM, ROBOT = ArcosSheet(), ArcosSheet(srisim_laser_compat=False)
SRISIM = ArcosSheet(srisim_compat=True)

# fmt: off
# packets that clients send in a session, and what becomes of them
VECTORS: list[tuple[int, str, list[Any]]] = [
    (0, "FA FB 03 00 00 00", [o.Pulse()]),
    (0, "FA FB 06 00 3B 05 00 05 3B", [o.Pulse()]),
    (1, "FA FB 06 01 3B 01 00 02 3B", [P]),
    (1, "FA FB 03 01 00 01", [P]),
    (2, "FA FB 06 02 3B 01 00 03 3B", [Session(False)]),
    (2, "FA FB 03 02 00 02", [Session(False)]),
    (4, "FA FB 06 04 3B 01 00 05 3B", [o.Enable(True)]),
    (4, "FA FB 06 04 3B 00 00 04 3B", [o.Enable(False)]),
    (4, "FA FB 03 04 00 04", [o.Enable(False)]),
    (5, "FA FB 06 05 3B 2C 01 31 3C", [o.SetAccel("ahead", 300)]),
    (5, "FA FB 06 05 1B 2C 01 31 1C", [o.SetAccel("ahead", -300)]),
    (6, "FA FB 06 06 3B EE 02 F4 3D", [o.SetSpeed(750)]),
    (7, "FA FB 03 07 00 07", [o.SetOdometry()]),
    (7, "FA FB 06 07 3B 00 00 07 3B", [o.SetOdometry()]),
    (7, "FA FB 0A 07 3B E8 03 0C FE 5A 00 56 3C", [o.SetOdometry(1.0, -0.5, math.pi / 2)]),
    (8, "FA FB 06 08 3B E8 03 F0 3E", [o.Travel(1000)]),
    (8, "FA FB 06 08 1B E8 03 F0 1E", [o.Travel(-1000)]),
    (9, "FA FB 06 09 3B 0A 00 13 3B", [o.Rvel(10)]),
    (10, "FA FB 06 0A 3B 64 00 6E 3B", [o.SetTurnRate(100)]),
    (11, "FA FB 06 0B 3B C8 00 D3 3B", [o.Vel(200)]),
    (11, "FA FB 06 0B 1B C8 00 D3 1B", [o.Vel(-200)]),
    (11, "FA FB 03 0B 00 0B", [o.Vel(0)]),
    (12, "FA FB 06 0C 3B 5A 00 66 3B", [o.Head(90)]),
    (12, "FA FB 06 0C 1B 5A 00 66 1B", [o.Head(-90)]),
    (12, "FA FB 06 0C 3B 67 01 73 3C", [o.Head(359)]),
    (13, "FA FB 06 0D 3B 2D 00 3A 3B", [o.TurnBy(45)]),
    (13, "FA FB 06 0D 1B 2D 00 3A 1B", [o.TurnBy(-45)]),
    (15, "FA FB 0A 0F 2B 04 32 64 0A 00 00 77 67", [o.Beep(((50, 100), (10, 0)))]),
    (17, "FA FB 06 11 3B 02 00 13 3B", [P]),
    (18, "FA FB 06 12 3B 01 00 13 3B", [P]),
    (18, "FA FB 03 12 00 12", [P]),
    (19, "FA FB 06 13 3B 02 00 15 3B", [P]),
    (21, "FA FB 06 15 1B 0A 00 1F 1B", [o.Rvel(-10)]),
    (23, "FA FB 06 17 3B 64 00 7B 3B", [o.SetAccel("turn", 100)]),
    (23, "FA FB 06 17 1B 64 00 7B 1B", [o.SetAccel("turn", -100)]),
    (28, "FA FB 06 1C 3B 00 00 1C 3B", [o.SwitchSonar(False)]),
    (28, "FA FB 06 1C 3B 01 00 1D 3B", [o.SwitchSonar(True)]),
    (28, "FA FB 06 1C 3B 1F 00 3B 3B", [o.SwitchSonar(True)]),
    (29, "FA FB 03 1D 00 1D", [o.Stop()]),
    (29, "FA FB 06 1D 3B 01 00 1E 3B", [o.Stop()]),
    (30, "FA FB 06 1E 3B 05 03 23 3E", [o.DigitalOut(3, 5)]),
    (30, "FA FB 06 1E 1B FB 0F 19 2A", [o.DigitalOut(0xF0, 5)]),
    (32, "FA FB 06 20 3B 05 0F 25 4A", [o.Vel2(15, 5)]),
    (32, "FA FB 06 20 1B FB 04 1B 1F", [o.Vel2(-5, 5)]),
    (33, "FA FB 06 21 3B 02 00 23 3B", [o.Grip(2)]),
    (35, "FA FB 06 23 3B 02 00 25 3B", [o.SetLaser(0, "mode", 2)]),
    (35, "FA FB 06 23 3B 00 00 23 3B", [o.SetLaser(0, "mode", 0)]),
    (36, "FA FB 06 24 1B 5A 00 7E 1B", [o.SetLaser(0, "start", -90)]),
    (37, "FA FB 06 25 3B 5A 00 7F 3B", [o.SetLaser(0, "end", 90)]),
    (38, "FA FB 06 26 3B 64 00 8A 3B", [o.SetLaser(0, "step", 100)]),
    (40, "FA FB 06 28 3B 02 00 2A 3B", [P]),
    (41, "FA FB 06 29 3B C8 01 F1 3C", [o.ServoPulse(1, 200)]),
    (42, "FA FB 0C 2A 2B 06 68 65 6C 6C 6F 0D 00 0F 6E", [Note("auxiliary port 1: hello"), P]),
    (43, "FA FB 06 2B 3B 14 00 3F 3B", [P]),
    (44, "FA FB 06 2C 3B 03 00 2F 3B", [o.BumpStall(3)]),
    (45, "FA FB 06 2D 3B 02 00 2F 3B", [P]),
    (47, "FA FB 06 2F 3B 01 00 30 3B", [o.JoyDrive(True)]),
    (55, "FA FB 03 37 00 37", [o.QuickStop()]),
    (57, "FA FB 03 39 00 39", [o.QuickStop()]),
    (58, "FA FB 06 3A 3B 01 00 3B 3B", [P]),
    (59, "FA FB 0A 3B 2B 01 02 03 68 69 00 A8 95", [Note("hi"), P]),
    (60, "FA FB 0B 3C 2B 05 68 65 6C 6C 6F 00 13 6E", [Note("auxiliary port 3: hello"), P]),
    (61, "FA FB 06 3D 3B 14 00 51 3B", [P]),
    (66, "FA FB 0B 42 2B 05 68 65 6C 6C 6F 00 19 6E", [Note("auxiliary port 2: hello"), P]),
    (67, "FA FB 06 43 3B 14 00 57 3B", [P]),
    (90, "FA FB 06 5A 3B 05 00 5F 3B", [o.PlaySound(5)]),
    (92, "FA FB 06 5C 3B 00 00 5C 3B", [o.SoundOn(False)]),
    (110, "FA FB 06 6E 3B 96 00 04 3B", [o.LateralVel(150)]),
    (110, "FA FB 06 6E 1B 96 00 04 1B", [o.LateralVel(-150)]),
    (113, "FA FB 06 71 1B 2C 01 9D 1C", [o.SetAccel("lateral", -300)]),
    (224, "FA FB 10 E0 00 E8 03 00 00 0C FE FF FF 5A 00 00 00 2F 00",
     [Move("robot", Pose(1.0, -0.5, heading_rad=math.pi / 2)), P]),
    (225, "FA FB 03 E1 00 E1", [Reset("robot"), o.SetOdometry()]),
    (230, "FA FB 06 E6 3B 01 00 E7 3B", [o.SetLaser(0, "mode", 1)]),
    (230, "FA FB 07 E6 3B 02 00 01 E8 3A", [o.SetLaser(1, "mode", 2)]),
    (231, "FA FB 06 E7 1B 2D 00 14 1B", [o.SetLaser(0, "start", -45)]),
    (232, "FA FB 07 E8 3B 2D 00 02 15 39", [o.SetLaser(2, "end", 45)]),
    (233, "FA FB 06 E9 3B 32 00 1B 3B", [o.SetLaser(0, "step", 50)]),
    (236, "FA FB 12 EC 2B 01 00 0A 00 6F 66 66 69 63 65 2E 6D 61 70 C0 3C",
     [OpenMap("office.map"), Note("the client requests map 'office.map'"), P]),
    (236, "FA FB 13 EC 2B 02 00 0B 00 6F 66 66 69 63 65 2E 6D 61 70 00 C2 3C",
     [OpenMap("office.map", True), Note("the client requests map 'office.map'"), P]),
    (236, "FA FB 18 EC 2B 01 00 10 00 6F 66 66 69 63 65 2E 6D 61 70 00 00 00 00 00 00 C6 3C",
     [OpenMap("office.map"), Note("the client requests map 'office.map'"), P]),
    (236, "FA FB 06 EC 3B 03 00 EF 3B", [FreeMap(), P]),
    (236, "FA FB 06 EC 3B 04 00 F0 3B", [NewLog(), Note("the client requests a new log file"), P]),
    (236, "FA FB 09 EC 2B 05 00 77 68 79 68 EA", [o.Describe("why")]),
    (236, "FA FB 06 EC 3B 06 00 F2 3B", [P]),
    (236, "FA FB 06 EC 3B 07 00 F3 3B", [Note("unknown SIM_CTRL operation 7; ignored", "warning"), P]),
    (237, "FA FB 06 ED 3B 02 00 EF 3B", [P]),
    (237, "FA FB 03 ED 00 ED", [P]),
    (238, "FA FB 08 EE 2B 02 68 69 00 59 93", [Note("hi"), P]),
    (239, "FA FB 06 EF 3B 03 00 F2 3B", [Note("the client requests an exit with code 3"), Quit(3, 1_500_000), P]),
    (250, "FA FB 06 FA 3B 69 00 63 3B", [o.BatteryTest(105)]),
    (251, "FA FB 06 FB 3B 01 00 FC 3B", [o.HeatTest(True)]),
    (252, "FA FB 06 FC 1B 80 00 7C 1B", [o.TemperatureTest(-128)]),
    (252, "FA FB 06 FC 3B 37 00 33 3B", [o.TemperatureTest(55)]),
    (253, "FA FB 03 FD 00 FD", [Note("the client requests an abort", "warning"), Quit(236), P]),
    (255, "FA FB 03 FF 00 FF", [Note("the client requests an abort", "warning"), Quit(236), P]),
]
WITHOUT_LASER: list[tuple[int, str, list[Any]]] = [
    (35, "FA FB 06 23 3B 03 00 26 3B", [o.SelectAnalog(3)]),
    (36, "FA FB 06 24 1B 19 00 3D 1B", [o.GripValue(-25)]),
    (37, "FA FB 06 25 3B 02 00 27 3B", [P]),
]
OF_SRISIM: list[tuple[int, str, list[Any]]] = [
    (62, "FA FB 03 3E 00 3E", [Note("the client requests an exit with code 0"), Quit(0, 1_500_000), P]),
    (66, "FA FB 06 42 3B DC 05 1E 40", [o.PlaceRobot(x_m=1.5)]),
    (67, "FA FB 06 43 1B FA 00 3D 1B", [o.PlaceRobot(y_m=-0.25)]),
    (68, "FA FB 06 44 3B 5A 00 9E 3B", [o.PlaceRobot(heading_rad=math.pi / 2)]),
    (69, "FA FB 03 45 00 45", [Reset("robot"), o.SetOdometry()]),
]
# fmt: on
EVERY = [
    *((MOBILESIM, *row) for row in VECTORS),
    *((ROBOT, *row) for row in WITHOUT_LASER),
    *((SRISIM, *row) for row in OF_SRISIM),
]

# every number of the command table of the MobileSim manual and ARIA
NUMBERS = {
    *range(0, 16), *range(17, 24), 26, *range(28, 39), *range(40, 46), 47, 49, 50, 51, 52, *range(55, 88), 90, 91, 92,
    *range(95, 99), 110, 113, 120, *range(123, 130), 149, 150, *range(210, 221), 224, 225, 226, 229, *range(230, 234),
    *range(236, 240), *range(250, 254), 255,
}  # fmt: skip


def table(sheet: ArcosSheet) -> Any:
    return commands(sheet.srisim_laser_compat, sheet.srisim_compat)


def test_the_table_lists_every_published_number() -> None:
    assert {row.code for row in ROWS} == NUMBERS


@pytest.mark.parametrize("laser", [True, False])
@pytest.mark.parametrize("srisim", [True, False])
def test_whatever_the_settings_every_number_has_one_row(laser: bool, srisim: bool) -> None:
    assert set(commands(laser, srisim)) == NUMBERS
    for code in NUMBERS:
        assert sum(row.code == code and row in commands(laser, srisim).values() for row in ROWS) == 1


def test_every_supported_row_has_a_byte_vector() -> None:
    tested = {(code, table(sheet)[code].name) for sheet, code, _, _ in EVERY}
    assert tested == {(row.code, row.name) for row in ROWS if row.supported}


@pytest.mark.parametrize(("sheet", "code", "packet", "values"), EVERY)
def test_a_supported_packet_becomes_its_values(sheet: ArcosSheet, code: int, packet: str, values: list[Any]) -> None:
    data = bytes.fromhex(packet)
    assert data == frame(data[3:-2]), "the packet of this test is framed rightly"
    arcos, _ = talking(port=sheet)
    assert list(arcos.feed(data)) == values
    assert arcos.counters()["ignored"] == 0


@pytest.mark.parametrize("sheet", [MOBILESIM, ROBOT, SRISIM])
def test_every_other_number_is_ignored_but_a_sign_of_life(sheet: ArcosSheet) -> None:
    silent = [code for code in range(256) if code not in NUMBERS or not table(sheet)[code].supported]
    for code in silent:
        arcos, _ = talking(port=sheet)
        assert list(arcos.feed(command(code, 1)))[-1] == P
        assert arcos.counters()["ignored"] == 1


BODIES = ("", "3B", "3B01", "1B0080", "2B", "2BFF", "2B00", "00010203", "2B0501020304", "FF" * 197)


@pytest.mark.parametrize("sheet", [MOBILESIM, ROBOT, SRISIM])
def test_no_argument_whatever_hurts(sheet: ArcosSheet) -> None:
    for code in range(256):
        arcos, bench = talking(port=sheet)
        for body in BODIES:
            obey(arcos, bench, frame(bytes([code]) + bytes.fromhex(body)))
            bench.step()
            arcos.tick(bench.unit, bench.now_us)
            bench.unit.asks()


def test_values_beyond_the_positive_half_are_negative() -> None:
    arcos, _ = talking()
    assert list(arcos.feed(frame(b"\x0b\x3b\xff\xff"))) == [o.Vel(-1)]


def test_an_unsupported_command_is_reported_once_in_a_session() -> None:
    arcos, _ = talking()
    reported = [value for _ in range(3) for value in arcos.feed(command(34, 1)) if isinstance(value, Note)]
    assert reported == [Note("command 34 KICK is not supported; ignored", "warning")]


def test_an_unknown_number_is_reported_once() -> None:
    arcos, _ = talking()
    assert arcos.feed(command(200, 1))[0] == Note("command 200 is not supported; ignored", "warning")
    assert arcos.feed(command(200, 1)) == [P]


@pytest.mark.parametrize("code", [62, 50, 51, 52])
def test_what_aria_always_sends_is_ignored_without_a_word(code: int) -> None:
    arcos, _ = talking()
    assert arcos.feed(command(code, 1)) == [P]


def test_with_less_verbose_nothing_is_reported() -> None:
    arcos, _ = talking(port=ArcosSheet(less_verbose=True))
    assert arcos.feed(command(34, 1)) == [P]


@pytest.mark.parametrize("packet", [row[1] for row in VECTORS])
def test_any_command_can_be_vetoed(packet: str) -> None:
    data = bytes.fromhex(packet)
    arcos, _ = talking(port=ArcosSheet(ignore_commands=(data[3],)))
    *notes, pulse = arcos.feed(data)
    assert pulse == P
    assert [note.text for note in notes] == [
        f"command {data[3]} {table(MOBILESIM)[data[3]].name} is disabled (ignore_commands); ignored"
    ]


def test_arias_battery_question_never_ends_the_simulation_by_default() -> None:
    arcos, _ = talking()
    assert not any(isinstance(value, Quit) for value in arcos.feed(command(62, 1)))


def test_with_srisim_compat_that_question_can_be_vetoed() -> None:
    arcos, _ = talking(port=ArcosSheet(srisim_compat=True, ignore_commands=(62,)))
    assert not any(isinstance(value, Quit) for value in arcos.feed(command(62, 1)))


def test_a_message_is_cut_and_cannot_spoil_the_log() -> None:
    arcos, _ = talking()
    text = b"a\x1b[2J\nb" + b"x" * 180
    (note, _) = arcos.feed(frame(b"\xee\x2b" + bytes([len(text)]) + text))
    assert note == Note("a[2J b" + "x" * 121)


def test_a_session_message_without_text_is_empty() -> None:
    arcos, _ = talking()
    assert list(arcos.feed(frame(b"\xee"))) == [Note(""), P]


def test_a_map_without_a_name_is_reported() -> None:
    arcos, _ = talking()
    assert arcos.feed(frame(b"\xec\x2b\x01\x00"))[0].level == "warning"


def test_closing_is_the_last_word() -> None:
    arcos, _ = talking()
    assert list(arcos.feed(command(2, 1) + command(11, 200))) == [Session(False)]
