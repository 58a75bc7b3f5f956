"""Packets that clients ask for, byte by byte: the robot's, the simulator's, and scans."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import pytest
from protocols.arcos.arcos_talk import OPEN, ask, command, frame, obey, run, talking
from robots.robots_fakes import FIX, Bench, FakeDevice, FakeScanner

from understudy import __version__
from understudy.protocols.arcos import scan_packets
from understudy.protocols.arcos.sheet import ArcosSheet
from understudy.robots.pioneer import orders
from understudy.robots.pioneer.laser import Scan
from understudy.robots.pioneer.odometry import WheelOdometry
from understudy.sensors.compass import Compass
from understudy.sensors.gps import Gps
from understudy.sensors.gripper import Gripper
from understudy.sensors.inertial import Gyro
from understudy.world.changes import Done, Move
from understudy.world.shapes import Pose

ROBOT = ArcosSheet(srisim_laser_compat=False)
# the captured packet says flags 4; MobileSim 0.9.8 and we leave that bit 0, and we tell that there is a map
SIMSTAT_SAMPLE = bytes.fromhex(
    "62  00 00  04 00 00 00  64 00 64 00 64 00  E8 03 00 00  DA 05 00 00  00 00 00 00  00 00 00 00"
    "00 00 00 00  00 00 00 00  00 00 00 00  FF FF FF FF  00 00 00 00  00 00 00 00  00 00 00 00"
)


def plug(name: str, values: tuple[float, ...], sheet: Any = None) -> dict[str, FakeDevice]:
    device = FakeDevice(f"robot/{name}", values, FakeScanner(len(values)) if name.startswith("laser") else sheet)
    device.tell(None, 0)
    return {name: device}


# ---- the robot's packets


def test_encoders_are_ticks_of_the_wheels() -> None:
    arcos, bench = talking(ticks_per_mm=128.0)
    bench.travel = [1.0, -0.5, 0.0]
    bench.step()
    assert ask(arcos, bench, command(237, 0), command(19, 0)) == []
    obey(arcos, bench, OPEN, command(19, 2))
    bodies = run(arcos, bench, 1)
    assert bodies[1] == b"\x90" + struct.pack("<ii", 128_000, -64_000)


def test_a_model_without_ticks_sends_none() -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN, command(19, 2))
    assert [body[0] for body in run(arcos, bench, 1)] == [0x32]


def test_io_packets_have_four_inputs_four_outputs_and_nine_analogs() -> None:
    arcos, bench = talking(plug("infrared2", (1.0,)))
    for order in (orders.DigitalIn(0x0F), orders.DigitalOut(0xF0, 0x00), orders.AnalogIn(8, 5.0)):
        bench.unit.order(order)
    assert ask(arcos, bench, command(40, 1)) == [
        b"\xf0" + bytes.fromhex("04 0F FF FF FD  04 0F 00 00 00  09") + bytes(16) + b"\xff\x03"
    ]


def test_the_joystick_packet_has_buttons_and_axes_about_512() -> None:
    arcos, bench = talking()
    assert ask(arcos, bench, command(17, 1)) == [b"\xf8\x00\x00" + struct.pack("<HHH", 512, 512, 1023)]
    bench.unit.order(orders.Joystick(1.0, -1.0, 0.5, True))
    assert ask(arcos, bench, command(17, 1)) == [b"\xf8\x01\x00" + struct.pack("<HHH", 1023, 1, 512)]


def test_the_gripper_packet_tells_kind_switches_and_grasp_time() -> None:
    arcos, bench = talking(plug("gripper", (0.0, 1.0), Gripper()), ROBOT)
    obey(arcos, bench, command(33, 16), command(36, 7))
    assert ask(arcos, bench, command(37, 1)) == [bytes([0xE0, 2, 0b0011_1000, 7])]


def test_a_robot_without_gripper_says_so() -> None:
    arcos, bench = talking(port=ROBOT)
    assert ask(arcos, bench, command(37, 1)) == [bytes([0xE0, 0, 0, 0])]


def test_arias_gripper_finds_its_switches_in_the_status_packet() -> None:
    arcos, bench = talking(plug("gripper", (1.0, 1.0), Gripper()), ROBOT)
    obey(arcos, bench, OPEN)
    assert run(arcos, bench, 1)[0][-16:-14] == bytes([0b0011_1100] * 2)


def test_the_compass_packet_is_a_tcm2s() -> None:
    arcos, bench = talking(plug("compass", (271.5,), Compass()))
    assert ask(arcos, bench, command(45, 1)) == [b"\xc0" + struct.pack("<h", 2715) + bytes(18)]


def test_without_compass_or_gyro_there_are_no_packets_of_them() -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN, command(45, 2), command(58, 1))
    assert ask(arcos, bench, command(45, 1)) == []
    assert [body[0] for body in run(arcos, bench, 1)] == [0x32]


def test_the_gyro_packet_holds_four_readings() -> None:
    arcos, bench = talking(plug("gyro", (0.0, 0.0, 0.0), Gyro()))
    obey(arcos, bench, OPEN, command(58, 1))
    assert run(arcos, bench, 1)[1] == b"\x98\x04" + struct.pack("<HB", 512, 0) * 4


# ---- auxiliary ports


def heard(arcos: Any, bench: Bench, ticks: int) -> bytes:
    return b"".join(body[1:] for body in run(arcos, bench, ticks) if body[0] == 0xB0)


def test_a_gps_speaks_on_an_auxiliary_port_as_much_as_is_asked_for() -> None:
    arcos, bench = talking(plug("gps", FIX, Gps()))
    obey(arcos, bench, command(43, 6))
    assert heard(arcos, bench, 5) == b"$GPGGA"
    obey(arcos, bench, command(43, 11))
    assert heard(arcos, bench, 5) == b",123519.000"
    assert heard(arcos, bench, 100) == b""


def test_bytes_are_waited_for() -> None:
    arcos, bench = talking(plug("gps", FIX, Gps()))
    run(arcos, bench, 1)
    obey(arcos, bench, command(43, 0), command(43, 6))
    assert heard(arcos, bench, 100) == b""
    bench.devices["gps"].tell(None, 1_000_000)
    assert heard(arcos, bench, 100) == b"$GPGGA"


def test_what_is_written_to_a_gps_is_heard_by_it() -> None:
    arcos, bench = talking(plug("gps", FIX, Gps()))
    run(arcos, bench, 1)
    obey(arcos, bench, command(43, 0), frame(b"\x2a\x2b\x11$PMTK220,200*2C\r\n\0"), command(43, 19))
    assert heard(arcos, bench, 3) == b"$PMTK001,220,3*30\r\n"


def test_a_flush_forgets_what_has_come_in() -> None:
    arcos, bench = talking(plug("gps", FIX, Gps()))
    run(arcos, bench, 1)
    obey(arcos, bench, command(43, 0), command(43, 5))
    assert [body for body in run(arcos, bench, 10) if body[0] == 0xB0] == []


@pytest.mark.parametrize(("ask_code", "packet"), [(43, 0xB0), (67, 0xB8), (61, 0xC8)])
def test_each_port_answers_with_its_own_packet(ask_code: int, packet: int) -> None:
    number = {43: 1, 67: 2, 61: 3}[ask_code]
    arcos, bench = talking(plug("gps", FIX, Gps()), gps_aux=number)
    obey(arcos, bench, command(ask_code, 3))
    assert run(arcos, bench, 2) == [bytes([packet]) + b"$GP"]


# ---- the simulator's packets


def test_simstat_equals_the_captured_one_but_for_its_flags() -> None:
    arcos, bench = talking()
    (body,) = ask(arcos, bench, command(237, 1))
    assert body[:3] + b"\x04\0\0\0" + body[7:] == SIMSTAT_SAMPLE
    assert body[3:7] == b"\x01\0\0\0"


def test_simstat_without_an_argument_is_one_packet() -> None:
    arcos, bench = talking()
    assert [body[0] for body in ask(arcos, bench, frame(b"\xed"))] == [0x62]


def stat(bench: Bench, port: ArcosSheet | None = None) -> tuple[int, ...]:
    arcos, bench.now_us = talking(port=port)[0], 0
    (body,) = ask(arcos, bench, command(237, 1))
    return struct.unpack("<IHHH4i3ii3i", body[3:])


def test_simstat_tells_place_and_heading_within_one_turn() -> None:
    bench = Bench("pioneer")
    bench.here.at = Pose(-1.0, 2.5, 0.1, math.radians(1830))
    assert stat(bench)[4:8] == (-1000, 2500, 100, 30)


def test_simstat_tells_where_on_earth_and_how_good_the_reception_is() -> None:
    bench = Bench("pioneer")
    bench.here.geo = (42.807191, -71.578661, 72.25)
    assert (stat(bench)[0], *stat(bench)[8:12]) == (3, 428_071_910, -715_786_610, 7225, 100)
    bench.here.sky = False
    assert stat(bench)[11] == 0
    bench.here.mapped, bench.here.geo = False, None
    assert (stat(bench)[0], *stat(bench)[8:12]) == (0, 0, 0, 0, -1)


def test_simstat_tells_intervals_and_errors() -> None:
    bench = Bench("pioneer", odometry_error=(0.0075, 0.005, 0.001), odometry_errors="constant")
    values = stat(bench, ArcosSheet(interval_ms=50, sim_interval_ms=200))
    assert values[1:4] == (200, 50, 50)
    assert values[12:] == (75_000, 50_000, 10_000)


def test_siminfo_names_simulator_version_and_devices() -> None:
    arcos, bench = talking(plug("laser2", (1.0,)), ArcosSheet(interactive=True, restarted=True))
    (body,) = ask(arcos, bench, command(236, 6))
    devices = b"".join(
        name + b"\0" + kind + b"\0" + bytes([n, 0, 0, 0, 0])
        for name, kind, n in ((b"sonar", b"sonar", 0), (b"front", b"laser", 0), (b"robot/laser2", b"laser", 1))
    )
    version = f"Understudy {__version__}".encode()
    assert body == b"\x63MobileSim\0" + version + b"\0" + struct.pack("<II", 3, 3) + devices


@pytest.mark.parametrize(("by_user", "loaded"), [(True, True), (False, True), (False, False)])
def test_a_changed_map_is_reported(by_user: bool, loaded: bool) -> None:
    arcos, bench = talking()
    arcos.map_changed("maps/office.map", by_user, loaded)
    assert ask(arcos, bench) == [bytes([0x66, by_user, loaded]) + b"maps/office.map\0"]


def test_a_visitor_in_his_handshake_hears_nothing_of_maps() -> None:
    arcos, bench = talking()
    arcos.closed()
    arcos.map_changed("office.map", True, True)
    assert ask(arcos, bench) == []


def test_the_end_of_a_long_name_counts() -> None:
    arcos, bench = talking()
    arcos.map_changed("x/" * 300 + "office.map", True, True)
    (body,) = ask(arcos, bench)
    assert len(body) == 198
    assert body.endswith(b"x/office.map\0")


# ---- scans


def scan(count: int) -> Scan:
    return Scan(np.arange(count, dtype=np.uint16) + 1000, np.arange(count, dtype=np.uint8))


def test_an_extended_scan_is_cut_as_mobilesim_cuts_it() -> None:
    bodies = scan_packets.extended(scan(181), 0, False)
    heads = [frame(body)[:9].hex(" ").upper() for body in bodies]
    assert heads == [
        "FA FB AA 61 B5 00 00 00 20", "FA FB AA 61 B5 00 20 00 20", "FA FB AA 61 B5 00 40 00 20",
        "FA FB AA 61 B5 00 60 00 20", "FA FB AA 61 B5 00 80 00 20", "FA FB 73 61 B5 00 A0 00 15",
    ]  # fmt: skip
    assert [len(frame(body)) for body in bodies] == [173] * 5 + [118]


def test_an_extended_reading_is_range_reflectance_and_two_zeros() -> None:
    (body,) = scan_packets.extended(scan(2), 3, False)
    assert body == bytes.fromhex("61 02 00 00 00 02  E8 03 00 00 00  E9 03 01 00 00  03 00")


def test_the_first_piece_tells_that_the_robot_was_moved() -> None:
    assert [body[-1] for body in scan_packets.extended(scan(70), 0, True)] == [1, 0, 0]


def test_a_plain_scan_carries_the_odometry() -> None:
    bodies = scan_packets.plain(scan(181), WheelOdometry())
    assert frame(bodies[0])[:15].hex(" ").upper() == "FA FB 4E 60 00 00 00 00 00 00 B5 00 00 00 20"
    assert [len(frame(body)) for body in bodies] == [81] * 5 + [59]
    moved = scan_packets.plain(scan(1), WheelOdometry(40.0, -0.5, math.pi / 2))
    assert moved == [struct.pack("<B3hHHBH", 0x60, 40_000 - 65_536, -500, 90, 1, 0, 1, 1000)]


@pytest.mark.parametrize(("mode", "packet"), [(1, 0x60), (2, 0x61)])
def test_a_scan_follows_every_status_packet(mode: int, packet: int) -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN, command(230, mode))
    assert [body[0] for body in run(arcos, bench, 40)] == [0x32, *[packet] * 6] * 2


def test_only_the_scan_after_a_move_tells_of_it() -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN, command(35, 2))
    run(arcos, bench, 20)
    arcos.done(Done(Move("robot", Pose()), True))
    assert [body[-1] for body in run(arcos, bench, 41) if body[0] == 0x61][:12] == [1] + [0] * 11


def test_a_refused_move_is_not_reported() -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN, command(35, 2))
    arcos.done(Done(Move("robot", Pose()), False, "no"))
    assert not any(body[-1] for body in run(arcos, bench, 20) if body[0] == 0x61)


def test_several_lasers_send_each_their_own() -> None:
    arcos, bench = talking(plug("laser2", (2.0,) * 10))
    for laser in (0, 1):
        obey(arcos, bench, frame(bytes([230, 0x3B, 2, 0, laser])))
    obey(arcos, bench, OPEN)
    assert [(body[1], body[-2]) for body in run(arcos, bench, 1) if body[0] == 0x61] == [(181, 0)] * 6 + [(10, 1)]
