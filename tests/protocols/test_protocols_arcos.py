from __future__ import annotations

import math
import struct
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots.robots_fakes import Bench

from understudy.protocols import arcos_packets as wire_language
from understudy.protocols.arcos import Arcos, ArcosSheet
from understudy.protocols.arcos_commands import COMMANDS
from understudy.protocols.arcos_packets import CONFIG, Decoder, checksum, encode, pack, sip
from understudy.robots.base import Session
from understudy.robots.pioneer import Enable, Pulse, Rvel, SetOdometry, Sonar, Stop, Vel
from understudy.world.changes import Move, Reset
from understudy.world.shapes import Pose

SYNCS = [bytes.fromhex(text) for text in ("FAFB03000000", "FAFB03010001", "FAFB03020002")]
OPEN, CLOSE = bytes.fromhex("FAFB06013B0100023B"), bytes.fromhex("FAFB06023B0100033B")
VEL_200 = bytes.fromhex("FAFB060B3BC800D33B")
SYNC2_ANSWER = bytes.fromhex(
    "FAFB1D024D6F62696C6553696D0050696F6E65657200703364782D73680006DA"
)  # fmt: skip
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
BODIES = st.binary(min_size=1, max_size=wire_language.MOST_COUNT - 2)

# packets that clients send in a session, and what becomes of them
VECTORS: list[tuple[int, str, list[Any]]] = [
    (0, "FA FB 03 00 00 00", [Pulse()]),
    (1, "FA FB 06 01 3B 01 00 02 3B", [Pulse()]),
    (1, "FA FB 03 01 00 01", [Pulse()]),
    (2, "FA FB 06 02 3B 01 00 03 3B", [Session(False)]),
    (4, "FA FB 06 04 3B 01 00 05 3B", [Enable(True)]),
    (4, "FA FB 06 04 3B 00 00 04 3B", [Enable(False)]),
    (7, "FA FB 03 07 00 07", [SetOdometry()]),
    (7, "FA FB 06 07 3B 00 00 07 3B", [SetOdometry()]),
    (7, "FA FB 0A 07 3B E8 03 0C FE 5A 00 56 3C", [SetOdometry(1.0, -0.5, math.pi / 2)]),
    (9, "FA FB 06 09 3B 0A 00 13 3B", [Rvel(10)]),
    (11, "FA FB 06 0B 3B C8 00 D3 3B", [Vel(200)]),
    (11, "FA FB 06 0B 1B C8 00 D3 1B", [Vel(-200)]),
    (11, "FA FB 03 0B 00 0B", [Vel(0)]),
    (18, "FA FB 06 12 3B 01 00 13 3B", [Pulse()]),
    (18, "FA FB 03 12 00 12", [Pulse()]),
    (21, "FA FB 06 15 1B 0A 00 1F 1B", [Rvel(-10)]),
    (28, "FA FB 06 1C 3B 00 00 1C 3B", [Sonar(False)]),
    (28, "FA FB 06 1C 3B 01 00 1D 3B", [Sonar(True)]),
    (29, "FA FB 03 1D 00 1D", [Stop()]),
    (224, "FA FB 10 E0 00 E8 03 00 00 0C FE FF FF 5A 00 00 00 2F 00",
     [Move("robot", Pose(1.0, -0.5, heading_rad=math.pi / 2)), Pulse()]),
    (225, "FA FB 03 E1 00 E1", [Reset("robot"), SetOdometry()]),
]  # fmt: skip

# every number of the command table of the MobileSim manual and ARIA
NUMBERS = {
    *range(0, 16), *range(17, 24), 26, *range(28, 39), *range(40, 46), 47, 49, 50, 51, 52, *range(55, 88), 90, 91, 92,
    *range(95, 99), 110, 113, 120, *range(123, 130), 149, 150, *range(210, 221), 224, 225, 226, 229, *range(230, 234),
    *range(236, 240), *range(250, 254), 255,
}  # fmt: skip


def talking(**settings: Any) -> tuple[Arcos, Bench]:
    """Return a conversation behind its handshake, and the robot."""
    arcos, bench = Arcos(ArcosSheet(), "robot"), Bench("pioneer", **settings)
    obey(arcos, bench, *SYNCS)
    arcos.tick(bench.unit, 0)
    return arcos, bench


def obey(arcos: Arcos, bench: Bench, *packets: bytes) -> list[Any]:
    values = [value for packet in packets for value in arcos.feed(packet)]
    for value in values:
        if isinstance(value, bench.unit.commands):
            bench.unit.order(value)
    return values


def run(arcos: Arcos, bench: Bench, ticks: int) -> list[bytes]:
    """Return the packets of so many ticks."""
    sent = b""
    for _ in range(ticks):
        bench.step()
        sent += arcos.tick(bench.unit, bench.now_us)
    return Decoder().feed(sent)


# ---- framing


@pytest.mark.parametrize(
    ("body", "packet"),
    [
        ("0B 3B C8 00", "FA FB 06 0B 3B C8 00 D3 3B"),
        ("01", "FA FB 03 01 00 01"),
        ("EE 2B 02 68 69 00", "FA FB 08 EE 2B 02 68 69 00 59 93"),
        ("05 1B 2C 01", "FA FB 06 05 1B 2C 01 31 1C"),
        ("20 3B 05 0F", "FA FB 06 20 3B 05 0F 25 4A"),
        ("20 1B FB 04", "FA FB 06 20 1B FB 04 1B 1F"),
    ],
)
def test_packets_are_framed_as_aria_frames_them(body: str, packet: str) -> None:
    assert encode(bytes.fromhex(body)) == bytes.fromhex(packet)


@given(st.lists(BODIES, max_size=8), st.integers(1, 7))
def test_any_split_of_the_stream_gives_the_same_packets(bodies: list[bytes], step: int) -> None:
    wire = b"".join(map(encode, bodies))
    decoder = Decoder()
    got = [body for i in range(0, len(wire), step) for body in decoder.feed(wire[i : i + step])]
    assert (got, decoder.dropped, decoder.bad) == (bodies, 0, 0)


@given(st.binary(max_size=600))
def test_junk_never_raises_and_every_byte_is_accounted_for(junk: bytes) -> None:
    decoder = Decoder()
    good = sum(len(body) + 5 for body in decoder.feed(junk))
    assert good + decoder.dropped + len(decoder.buffer) == len(junk)


@given(st.binary(max_size=40).filter(lambda junk: 0xFA not in junk), BODIES)
def test_a_packet_behind_junk_is_found(junk: bytes, body: bytes) -> None:
    decoder = Decoder()
    assert decoder.feed(junk + encode(body)) == [body]
    assert decoder.dropped == len(junk)


@given(BODIES, BODIES)
def test_a_wrong_checksum_costs_that_packet_only(spoilt: bytes, good: bytes) -> None:
    wire = bytearray(encode(spoilt))
    wire[-1] ^= 0x55
    decoder = Decoder()
    assert decoder.feed(bytes(wire) + encode(good)) == [good]
    assert (decoder.bad, decoder.dropped) == (1, len(wire))


@pytest.mark.parametrize("count", [0, 1, 2, 201, 255])
def test_an_impossible_count_is_refused(count: int) -> None:
    decoder = Decoder()
    assert decoder.feed(bytes([0xFA, 0xFB, count]) + VEL_200) == [VEL_200[3:-2]]
    assert decoder.dropped == 3


def test_a_header_that_begins_twice_is_found() -> None:
    assert Decoder().feed(b"\xfa" + VEL_200) == [VEL_200[3:-2]]


@given(BODIES)
def test_the_checksum_adds_pairs_and_xors_the_rest(body: bytes) -> None:
    total = 0
    for i in range(0, len(body) - 1, 2):
        total = (total + (body[i] << 8) + body[i + 1]) & 0xFFFF
    assert checksum(body) == (total ^ body[-1] if len(body) % 2 else total)


# ---- the command table


def test_the_table_lists_every_published_number() -> None:
    assert set(COMMANDS) == NUMBERS


def test_every_supported_row_has_a_byte_vector() -> None:
    assert {code for code, _, _ in VECTORS} == {row.code for row in COMMANDS.values() if row.supported}


@pytest.mark.parametrize(("code", "packet", "values"), VECTORS)
def test_a_supported_packet_becomes_its_values(code: int, packet: str, values: list[Any]) -> None:
    arcos, _ = talking()
    assert list(arcos.feed(bytes.fromhex(packet))) == values
    assert COMMANDS[code].supported


@pytest.mark.parametrize("code", sorted(set(range(256)) - {row.code for row in COMMANDS.values() if row.supported}))
def test_every_other_number_is_ignored_but_a_sign_of_life(code: int) -> None:
    arcos, _ = talking()
    assert list(arcos.feed(encode(bytes([code, 0x3B, 1, 0])))) == [Pulse()]
    assert arcos.counters()["ignored"] == 1


def test_values_beyond_the_positive_half_are_negative() -> None:
    arcos, _ = talking()
    assert list(arcos.feed(encode(b"\x0b\x3b\xff\xff"))) == [Vel(-1)]


# ---- handshake


def test_the_handshake_is_answered_with_the_clients_numbers_and_the_names() -> None:
    arcos, unit = Arcos(ArcosSheet(), "robot"), Bench("pioneer").unit
    answers = []
    for sync in SYNCS:
        arcos.feed(sync)
        answers.append(arcos.tick(unit, 0))
    assert answers == [SYNCS[0], SYNCS[1], SYNC2_ANSWER]


def test_a_client_that_begins_again_is_echoed() -> None:
    arcos, unit = Arcos(ArcosSheet(), "robot"), Bench("pioneer").unit
    arcos.feed(SYNCS[1] + SYNCS[0])
    assert arcos.tick(unit, 0) == SYNCS[1] + SYNCS[0]


def test_the_session_begins_with_the_third_sync() -> None:
    arcos = Arcos(ArcosSheet(), "robot")
    assert [list(arcos.feed(sync)) for sync in SYNCS] == [[], [], [Session(True)]]


def test_commands_before_the_handshake_are_ignored() -> None:
    arcos = Arcos(ArcosSheet(), "robot")
    assert list(arcos.feed(VEL_200 + OPEN + CLOSE)) == []
    assert arcos.counters()["ignored"] == 3


def test_ten_syncs_that_lead_nowhere_end_the_connection() -> None:
    arcos = Arcos(ArcosSheet(), "robot")
    arcos.feed(SYNCS[0] * 9)
    assert not arcos.hung_up()
    arcos.feed(SYNCS[0])
    assert arcos.hung_up()


# ---- status packets


def test_a_status_packet_equals_the_captured_one() -> None:
    assert encode(sip(Bench("pioneer").unit)) == SIP_SAMPLE


def test_the_config_packet_equals_the_captured_one() -> None:
    assert encode(pack(CONFIG, Bench("pioneer", announced="AMRISim").unit)) == CONFIG_SAMPLE


def test_the_config_packet_of_mobilesim_differs_in_the_name_only() -> None:
    packet = encode(pack(CONFIG, Bench("pioneer").unit))
    assert len(packet) == 129
    assert packet[3:-2] == CONFIG_SAMPLE[3:-2].replace(b"AMRISim", b"MobileSim")


def test_status_packets_come_every_100_ms_after_open() -> None:
    arcos, bench = talking()
    assert run(arcos, bench, 100) == []
    obey(arcos, bench, OPEN)
    stamps = []
    for _ in range(100):
        if run(arcos, bench, 1):
            stamps.append(bench.now_us)
    assert [b - a for a, b in pairwise(stamps)] == [100_000] * 4
    assert stamps[0] == 505_000


def test_a_gap_in_time_is_followed_by_one_packet_not_by_a_burst() -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN)
    run(arcos, bench, 1)
    sent = [len(Decoder().feed(arcos.tick(bench.unit, now_us))) for now_us in (3_000_000, 3_005_000, 3_105_000)]
    assert sent == [1, 1, 1]


def test_a_run_that_begins_anew_keeps_its_status_packets() -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN)
    run(arcos, bench, 1000)
    bench.now_us = 0
    assert len(run(arcos, bench, 40)) == 2


def test_while_time_stands_questions_are_answered_without_status_packets() -> None:
    arcos, bench = Arcos(ArcosSheet(), "robot"), Bench("pioneer")
    arcos.tick(bench.unit, 0)
    obey(arcos, bench, *SYNCS, OPEN, bytes.fromhex("FAFB03120012"))
    types = [body[0] for body in Decoder().feed(arcos.tick(bench.unit, 0))]
    assert types == [0, 1, 2, 0x20]
    assert arcos.tick(bench.unit, 0) == b""


def test_a_stalled_robot_sets_both_stall_bits() -> None:
    bench = Bench("pioneer")
    bench.stalled = True
    bench.step()
    assert encode(sip(bench.unit))[15:17] == b"\x01\x01"


def test_a_second_session_shows_motors_off() -> None:
    arcos, bench = talking()
    obey(arcos, bench, CLOSE, *SYNCS)
    assert encode(sip(bench.unit))[19:21] == b"\x1e\x00"


def test_a_sonar_that_is_off_leaves_the_packet() -> None:
    bench = Bench("pioneer")
    bench.unit.order(Sonar(False))
    packet = encode(sip(bench.unit))
    assert (packet[19:21], packet[22], len(packet)) == (b"\x01\x00", 0, 41)


def test_positions_wrap_instead_of_stopping() -> None:
    bench = Bench("pioneer")
    bench.unit.order(SetOdometry(70.0, -0.001, -math.pi / 2))
    assert struct.unpack("<HHh", sip(bench.unit)[1:7]) == (70_000 - 65_536, 65_535, -1024)


def test_conversion_factors_are_those_of_the_announced_robot() -> None:
    bench = Bench("pioneer", dist_factor=0.485, range_factor=0.268)
    bench.unit.order(SetOdometry(0.97, 0.0, 0.0))
    body = sip(bench.unit)
    assert struct.unpack("<H", body[1:3]) == (2000,)
    assert struct.unpack("<H", body[21:23]) == (round(1126 / 0.268),)


def test_wheel_speeds_are_made_from_speed_and_turn() -> None:
    bench = Bench("pioneer", accel_m_s2=0.0, accel_rad_s2=0.0)
    bench.unit.order(Vel(200))
    bench.unit.order(Rvel(40))
    bench.step(2)
    half = round(math.radians(40) / 0.0056)
    assert struct.unpack("<hh", sip(bench.unit)[7:11]) == (200 - half, 200 + half)


def test_a_client_sees_its_robot_speed_up_by_30_mm_s_per_packet() -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN)
    run(arcos, bench, 20)
    obey(arcos, bench, VEL_200)
    wheels = [struct.unpack("<hh", body[7:11]) for body in run(arcos, bench, 180)]
    assert [left == right for left, right in wheels] == [True] * 9
    assert [left for left, _ in wheels][1:] == pytest.approx([30, 60, 90, 120, 150, 180, 200, 200], abs=3)


def test_no_packet_is_longer_than_the_protocol_allows() -> None:
    bench = Bench("pioneer", announced="x" * 300, subtype="y" * 300, robot_class="z" * 300)
    bench.devices["sonar"].tell((5.0,) * 64, 0)
    arcos = Arcos(ArcosSheet(), "robot")
    arcos.tick(bench.unit, 0)
    obey(arcos, bench, *SYNCS, OPEN, bytes.fromhex("FAFB03120012"))
    bodies = Decoder().feed(arcos.tick(bench.unit, 5_000))
    assert [body[0] for body in bodies] == [0, 1, 2, 0x20, 0x32]


# ---- the end


def test_close_ends_the_session_and_the_link_once() -> None:
    arcos, _ = talking()
    assert list(arcos.feed(CLOSE)) == [Session(False)]
    assert (arcos.hung_up(), arcos.hung_up(), list(arcos.closed())) == (True, False, [])


def test_a_client_that_vanishes_ends_its_session() -> None:
    arcos, _ = talking()
    assert list(arcos.closed()) == [Session(False)]


def test_a_visitor_without_handshake_does_not_touch_the_robot() -> None:
    arcos = Arcos(ArcosSheet(), "robot")
    assert [list(arcos.opened()), list(arcos.feed(b"GET / HTTP/1.0\r\n")), list(arcos.closed())] == [[], [], []]


def test_nothing_is_sent_to_nobody() -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN)
    arcos.closed()
    assert run(arcos, bench, 100) == []
