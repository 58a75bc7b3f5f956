"""Status packets and CONFIG, byte by byte."""

from __future__ import annotations

import dataclasses
import math
import struct

import pytest
from protocols.arcos.arcos_talk import OPEN, SYNCS, VEL_200, ask, command, frame, obey, run, talking
from robots.robots_fakes import MODEL, Bench, FakeDevice

from understudy.protocols.arcos.frames import Decoder, encode
from understudy.protocols.arcos.layout import PacketSource
from understudy.protocols.arcos.packets import CONFIG, sip
from understudy.protocols.arcos.protocol import Arcos
from understudy.protocols.arcos.sheet import ArcosSheet
from understudy.robots.pioneer import orders
from understudy.sensors.compass import Compass
from understudy.sensors.touch import Bumper, Sector
from understudy.world.robot import Omni

SIP_SAMPLE = bytes.fromhex(
    "FA FB 56  32  00 00  00 00  00 00  00 00  00 00  82  00 00  00 00  1F 00  00  10"
    "00 66 04  01 69 04  02 28 03  03 88 13  04 88 13  05 EF 0A  06 90 03  07 AA 02"
    "08 AA 02  09 90 03  0A 5A 03  0B E0 02  0C E0 02  0D 59 03  0E B9 04  0F 66 04"
    "00  00  00  FF  FF  82 00  00  00 00  00 00  00 00  81  00  F0 C5"
)
CONFIG_SAMPLE = bytes.fromhex(
    "FA FB 7C 20  50 69 6F 6E 65 65 72 00  70 33 64 78 2D 73 68 00  53 49 4D 00  00  0F 27 0F 27 0F 27 0F 27  90 01"
    "41 4D 52 49 53 69 6D 00  64 00 00  00 00  01 00  01  00 00  00 00  D0 07  00  00 00 00 00  00 00 00 00"
    "96 00  B8 0B  64 00 64 00  00 00 00 00 00 00  2C 01 2C 01  00 00 00 00 00 00  00 00  00  00  02  00  00 00"
    "00 00  00 00  00 00  53 2E 30 00  00 00 00 00  00  0F 27 0F 27  00 00 00 00 00 00  00 00  77 85"
)
# offsets in the body: those of the reference from the packet's start, less 3
X, HEADING, WHEELS, BATTERY, STALL, FLAGS, COMPASS, SONARS = 1, 5, 7, 11, 12, 16, 18, 19


def status(bench: Bench) -> bytes:
    return sip(bench.unit)[0]


def tail(bench: Bench) -> bytes:
    """Return the part behind the sonars."""
    return status(bench)[-16:]


def config(bench: Bench) -> bytes:
    return CONFIG.pack(PacketSource.of(bench.unit))


# ---- status


def test_a_status_packet_equals_the_captured_one() -> None:
    assert encode(status(Bench("pioneer"))) == SIP_SAMPLE


def test_a_stalled_robot_sets_both_stall_bits() -> None:
    bench = Bench("pioneer")
    bench.stalled = True
    bench.step()
    assert status(bench)[STALL : STALL + 2] == b"\x01\x01"


def test_bumpers_are_front_in_the_high_byte_and_rear_in_the_low_one() -> None:
    ring = Bumper(sectors=(Sector(-0.5, 0.5), Sector(math.pi - 0.5, math.pi + 0.5)))
    device = FakeDevice("ring", (1.0, 0.0), ring)
    device.tell(None, 0)
    bench = Bench("pioneer", plugged={"bumpers": device})
    assert status(bench)[STALL : STALL + 2] == b"\x00\x02"
    device.tell((0.0, 1.0), 0)
    assert status(bench)[STALL : STALL + 2] == b"\x02\x00"


def test_the_compass_is_half_of_its_degrees() -> None:
    device = FakeDevice("compass", (271.0,), Compass())
    device.tell(None, 0)
    assert status(Bench("pioneer", plugged={"compass": device}))[COMPASS] == 135


def test_a_sonar_that_is_off_leaves_the_packet() -> None:
    bench = Bench("pioneer")
    bench.unit.order(orders.SwitchSonar(False))
    body = status(bench)
    assert (body[FLAGS : FLAGS + 2], body[SONARS], len(body)) == (b"\x01\x00", 0, 36)


def test_a_packet_may_hold_a_few_sonars_and_the_next_one_goes_on() -> None:
    arcos, bench = talking(sonars_per_sip=6)
    obey(arcos, bench, OPEN)
    numbers = [[body[20 + 3 * i] for i in range(body[SONARS])] for body in run(arcos, bench, 61)]
    assert numbers == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11], [12, 13, 14, 15, 0, 1], [2, 3, 4, 5, 6, 7]]


def test_positions_wrap_instead_of_stopping() -> None:
    bench = Bench("pioneer")
    bench.unit.order(orders.SetOdometry(70.0, -0.001, -math.pi / 2))
    assert struct.unpack("<HHh", status(bench)[X : X + 6]) == (70_000 - 65_536, 65_535, -1024)


def test_conversion_factors_are_those_of_the_announced_robot() -> None:
    bench = Bench("pioneer", dist_factor=0.485, range_factor=0.268)
    bench.unit.order(orders.SetOdometry(0.97, 0.0, 0.0))
    body = status(bench)
    assert struct.unpack("<H", body[X : X + 2]) == (2000,)
    assert struct.unpack("<H", body[21:23]) == (round(1126 / 0.268),)


def test_wheel_speeds_are_made_from_speed_and_turn() -> None:
    bench = Bench("pioneer", accel_m_s2=0.0, accel_rad_s2=0.0)
    bench.unit.order(orders.Vel(200))
    bench.unit.order(orders.Rvel(40))
    bench.step(2)
    half = round(math.radians(40) / 0.0056)
    assert struct.unpack("<hh", status(bench)[WHEELS : WHEELS + 4]) == (200 - half, 200 + half)
    assert struct.unpack("<h", tail(bench)[8:10]) == (400,)


def test_wheel_speeds_are_in_the_clients_counts() -> None:
    bench = Bench("pioneer", accel_m_s2=0.0, vel_factor=2.5332)
    bench.unit.order(orders.Vel(200))
    bench.step(2)
    assert struct.unpack("<hh", status(bench)[WHEELS : WHEELS + 4]) == (79, 79)


def test_a_client_sees_its_robot_speed_up_by_30_mm_s_per_packet() -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN)
    run(arcos, bench, 20)
    obey(arcos, bench, VEL_200)
    wheels = [struct.unpack("<hh", body[WHEELS : WHEELS + 4]) for body in run(arcos, bench, 180)]
    assert [left == right for left, right in wheels] == [True] * 9
    assert [left for left, _ in wheels][1:] == pytest.approx([30, 60, 90, 120, 150, 180, 200, 200], abs=3)


def test_battery_heat_and_temperature_are_reported() -> None:
    bench = Bench("pioneer")
    for order in (orders.BatteryTest(300), orders.HeatTest(True), orders.TemperatureTest(-5)):
        bench.unit.order(order)
    assert status(bench)[BATTERY] == 255
    assert tail(bench)[5:7] == struct.pack("<H", 300)
    assert tail(bench)[10:12] == b"\x02\x00"
    assert tail(bench)[14:16] == struct.pack("<bb", -5, 0)


def test_a_battery_with_state_of_charge_tells_percent() -> None:
    bench = Bench("pioneer", state_of_charge=True)
    bench.unit.order(orders.BatteryTest(42))
    assert (status(bench)[BATTERY], tail(bench)[15]) == (130, 42)


def test_ports_are_reported() -> None:
    bench = Bench("pioneer")
    for order in (
        orders.DigitalOut(0xFF, 0x12), orders.DigitalIn(0x34), orders.SelectAnalog(2), orders.AnalogIn(2, 2.5)
    ):  # fmt: skip
        bench.unit.order(order)
    assert tail(bench)[:5] == bytes([0, 2, 128, 0x34, 0x12])


def test_lateral_speed_is_reported() -> None:
    bench = Bench("pioneer", model=dataclasses.replace(MODEL, drive=Omni(track_m=0.33)), lateral_accel_m_s2=0.0)
    bench.unit.order(orders.LateralVel(-120))
    bench.step(2)
    assert struct.unpack("<h", tail(bench)[12:14]) == (-120,)


# ---- CONFIG


def test_the_config_packet_equals_the_captured_one() -> None:
    assert encode(config(Bench("pioneer", announced="AMRISim"))) == CONFIG_SAMPLE


def test_the_config_packet_of_mobilesim_differs_in_the_name_only() -> None:
    packet = encode(config(Bench("pioneer")))
    assert len(packet) == 129
    assert packet[3:-2] == CONFIG_SAMPLE[3:-2].replace(b"AMRISim", b"MobileSim")


def limits(body: bytes) -> tuple[int, ...]:
    """Return rotation, speed, rotational ramps, translational ramps."""
    at = body.index(b"MobileSim\0") + 10 + 3 + 2 + 2 + 1 + 4 + 2 + 1 + 8
    values = struct.unpack_from("<HHHH6xHH", body, at)
    return tuple(values)


def test_config_reflects_what_the_session_has_set() -> None:
    arcos, bench = talking()
    (before,) = ask(arcos, bench, command(18, 1))
    sets = ((6, 500), (10, 60), (5, 250), (5, -350), (23, 70), (23, -80))
    (after,) = ask(arcos, bench, *(command(code, value) for code, value in sets), command(18, 1))
    assert limits(before) == (150, 3000, 100, 100, 300, 300)
    assert limits(after) == (60, 500, 70, 80, 250, 350)


def test_config_may_tell_the_models_own_limits() -> None:
    assert limits(config(Bench("pioneer", report="model"))) == (100, 1000, 100, 100, 300, 600)


def test_a_robot_that_moves_sideways_says_how_fast() -> None:
    drive = Omni(max_lateral_m_s=3.0)
    body = config(Bench("pioneer", model=dataclasses.replace(MODEL, drive=drive)))
    assert struct.unpack("<HHH", body[-8:-2]) == (3000, 500, 500)


def test_a_robot_without_sonar_says_so() -> None:
    body = config(Bench("pioneer", without=("sonar",)))
    at = body.index(b"MobileSim\0") + 10 + 3 + 2
    assert body[at : at + 3] == b"\0\0\0"


def test_no_packet_is_longer_than_the_protocol_allows() -> None:
    bench = Bench("pioneer", announced="x" * 300, subtype="y" * 300, robot_class="z" * 300)
    bench.devices["sonar"].tell((5.0,) * 64, 0)
    arcos = Arcos(ArcosSheet(), "robot")
    arcos.tick(bench.unit, 0)
    obey(arcos, bench, *SYNCS, OPEN, frame(b"\x12"), command(236, 6))
    bodies = Decoder().feed(arcos.tick(bench.unit, 5_000))
    assert [body[0] for body in bodies] == [0, 1, 2, 0x20, 0x63, 0x32]
