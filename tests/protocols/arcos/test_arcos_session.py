"""The life of a conversation: handshake, cycles, silence, farewell."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from protocols.arcos.arcos_talk import CLOSE, OPEN, PULSE, SYNCS, VEL_200, ask, command, frame, obey, run, talking
from robots.robots_fakes import TICK_US, Bench

from understudy.protocols.arcos.frames import Decoder
from understudy.protocols.arcos.packets import sip
from understudy.protocols.arcos.protocol import Arcos
from understudy.protocols.arcos.sheet import ArcosSheet
from understudy.robots.base import Session
from understudy.world.changes import Done, Move
from understudy.world.news import Note
from understudy.world.shapes import Pose

SYNC2_ANSWER = bytes.fromhex("FAFB1D024D6F62696C6553696D0050696F6E65657200703364782D73680006DA")
SECOND = 1_000_000 // TICK_US


def fresh() -> tuple[Arcos, Bench]:
    arcos = Arcos(ArcosSheet(), "robot")
    arcos.opened()
    return arcos, Bench("pioneer")


# ---- handshake


def test_the_handshake_is_answered_with_the_clients_numbers_and_the_names() -> None:
    arcos, bench = fresh()
    answers = []
    for sync in SYNCS:
        arcos.feed(sync)
        answers.append(arcos.tick(bench.unit, 0))
    assert answers == [SYNCS[0], SYNCS[1], SYNC2_ANSWER]


def test_a_client_that_begins_again_is_echoed() -> None:
    arcos, bench = fresh()
    arcos.feed(SYNCS[1] + SYNCS[0])
    assert arcos.tick(bench.unit, 0) == SYNCS[1] + SYNCS[0]


def test_a_client_may_begin_with_the_last_sync() -> None:
    arcos, bench = fresh()
    assert list(arcos.feed(SYNCS[2])) == [Session(True)]
    assert arcos.tick(bench.unit, 0) == SYNC2_ANSWER


def test_the_session_begins_with_the_third_sync() -> None:
    arcos, _ = fresh()
    assert [list(arcos.feed(sync)) for sync in SYNCS] == [[], [], [Session(True)]]


def test_commands_before_the_handshake_are_ignored() -> None:
    arcos, _ = fresh()
    assert list(arcos.feed(VEL_200 + OPEN + CLOSE)) == []
    assert arcos.counters()["ignored"] == 3


def test_nothing_else_is_sent_before_the_handshake_ends() -> None:
    arcos, bench = fresh()
    arcos.feed(SYNCS[0] + OPEN + command(18, 1))
    assert [body[0] for body in run(arcos, bench, SECOND)] == [0]


def test_ten_syncs_without_a_handshake_end_the_connection() -> None:
    arcos, _ = fresh()
    assert not any(arcos.feed(SYNCS[0]) for _ in range(9))
    assert not arcos.hung_up()
    assert isinstance(arcos.feed(SYNCS[0])[0], Note)
    assert arcos.hung_up()


def test_ten_seconds_without_a_handshake_end_the_connection() -> None:
    arcos, bench = fresh()
    run(arcos, bench, 10 * SECOND - 1)
    assert not arcos.hung_up()
    run(arcos, bench, 1)
    assert arcos.hung_up()


def test_ten_seconds_count_from_when_the_client_came() -> None:
    arcos, bench = Arcos(ArcosSheet(), "robot"), Bench("pioneer")
    run(arcos, bench, 20 * SECOND)
    arcos.opened()
    run(arcos, bench, SECOND)
    assert not arcos.hung_up()


# ---- cycles


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


def test_a_bare_open_does_too() -> None:
    arcos, bench = talking()
    obey(arcos, bench, SYNCS[1])
    assert len(run(arcos, bench, SECOND)) == 10


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
    obey(arcos, bench, *SYNCS, OPEN, command(18, 1))
    types = [body[0] for body in Decoder().feed(arcos.tick(bench.unit, 0))]
    assert types == [0, 1, 2, 0x20]
    assert arcos.tick(bench.unit, 0) == b""


def test_a_cycle_is_simstat_status_others_and_scans() -> None:
    arcos, bench = talking(ticks_per_mm=10.0)
    obey(arcos, bench, OPEN, command(237, 2), command(35, 2), command(19, 2), command(40, 2))
    types = [body[0] for body in run(arcos, bench, 1)]
    assert types == [0x62, 0x32, 0x90, 0xF0, *[0x61] * 6]


@pytest.mark.parametrize(("code", "packet"), [(237, 0x62), (19, 0x90), (40, 0xF0), (17, 0xF8)])
def test_streams_begin_with_2_and_end_with_0(code: int, packet: int) -> None:
    arcos, bench = talking(ticks_per_mm=10.0)
    obey(arcos, bench, OPEN, command(code, 2))
    assert [body[0] for body in run(arcos, bench, SECOND)].count(packet) == 10
    obey(arcos, bench, command(code, 0))
    assert [body[0] for body in run(arcos, bench, SECOND)].count(packet) == 0


@pytest.mark.parametrize(("code", "packet"), [(237, 0x62), (40, 0xF0), (17, 0xF8)])
def test_single_packets_come_at_once_and_once(code: int, packet: int) -> None:
    arcos, bench = talking()
    assert [body[0] for body in ask(arcos, bench, command(code, 1))] == [packet]
    assert run(arcos, bench, SECOND) == []


def test_what_mobilesim_has_not_can_be_switched_off() -> None:
    arcos, bench = talking(exact=True, ticks_per_mm=10.0)
    obey(arcos, bench, OPEN, *(command(code, 2) for code in (17, 19, 40, 45, 58)))
    assert {body[0] for body in run(arcos, bench, SECOND)} == {0x32}
    assert [body[0] for body in ask(arcos, bench, command(40, 1), command(18, 1))] == [0x20]


def test_streams_are_forgotten_with_the_session() -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN, command(237, 2), CLOSE)
    arcos.closed()
    arcos.opened()
    obey(arcos, bench, *SYNCS, OPEN)
    assert {body[0] for body in run(arcos, bench, 40)} == {0, 1, 2, 0x32}


# ---- silence


def test_after_a_minute_of_silence_status_packets_stop_until_the_client_speaks() -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN)
    assert len(run(arcos, bench, 60 * SECOND)) == pytest.approx(600, abs=1)
    assert run(arcos, bench, 5 * SECOND) == []
    assert not arcos.hung_up()
    obey(arcos, bench, PULSE)
    assert len(run(arcos, bench, SECOND)) == 10


# ---- sessions


def test_a_second_session_shows_motors_off() -> None:
    arcos, bench = talking()
    obey(arcos, bench, CLOSE, *SYNCS)
    assert sip(bench.unit)[0][16:18] == b"\x1e\x00"


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


def test_a_flood_of_questions_is_bounded() -> None:
    arcos, bench = talking()
    obey(arcos, bench, *[command(18, 1)] * 1000)
    assert len(Decoder().feed(arcos.tick(bench.unit, 0))) == 64


def test_a_conversation_goes_on_from_its_saved_state() -> None:
    arcos, bench = talking()
    obey(arcos, bench, OPEN, command(237, 2), command(35, 2), command(34, 1))
    run(arcos, bench, 30)
    arcos.done(Done(Move("robot", Pose()), True))
    other = Arcos(ArcosSheet(), "robot")
    other.restore(json.loads(json.dumps(arcos.state())))
    assert other.state() == arcos.state()
    assert other.tick(bench.unit, 400_000) == arcos.tick(bench.unit, 400_000)
    assert other.feed(command(34, 1)) == arcos.feed(command(34, 1))


def test_player_gets_along_with_its_bare_packets() -> None:
    arcos, bench = talking()
    obey(arcos, bench, frame(b"\x01"), frame(b"\x00"), command(28, 0))
    packets = run(arcos, bench, 41)
    assert [packet[19] for packet in packets] == [0, 0, 0]
    assert list(arcos.feed(frame(b"\x02"))) == [Session(False)]
