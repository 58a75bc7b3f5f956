"""Conversations with a scanner, byte for byte."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from lms200_desk import ACK, PORT, Desk, scene, telegrams, values

import understudy as us
from understudy.errors import SceneError
from understudy.protocols.sick_lms200.replies import scan_body
from understudy.protocols.sick_lms200.telegrams import encode
from understudy.robots.lms200.firmware import Scan
from understudy.robots.lms200.orders import ReadStatus, Status
from understudy.sim.saving import unpack_run
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay

OK = bytes.fromhex("06 02800300a000 10160a")
POWER_ON = bytes.fromhex("02801600 90 4C4D533230303B33303130363B5630322E333020 10 2B7C")  # "LMS200;30106;V02.30 "
NOT_POSSIBLE = ACK + bytes.fromhex("0280020092107F33")
PASSWORD = "2000" + b"SICK_LMS".hex()
REFLECTOR = '[[object]]\nname = "post"\nkind = "box"\nsize_m = [0.2, 0.4, 1]\nx_m = 2.1\nreflectance = 2\n'


@pytest.fixture
def desk():
    with Desk() as made:
        yield made


def configure(desk: Desk, **blocks: int) -> bytes:
    """Write the configuration with some blocks changed; returns the reply."""
    data = list(desk.unit.configuration)
    for name, value in blocks.items():
        data[{"c": 4, "d": 5, "e": 6}[name]] = value
    desk.ask(PASSWORD)
    return desk.ask("77" + bytes(data).hex())


# ---- power-on, status, type, errors


def test_the_power_on_telegram_is_sent_without_being_asked_for():
    with us.load_text(scene(), ports=True) as sim:
        plug = sim.ports.link(PORT).client()
        sim.step(2)
        assert plug.receive() == POWER_ON


def test_a_scanner_that_starts_up_is_deaf_and_then_tells_that_it_is_ready():
    with Desk(unit="start_up_s = 1") as desk:
        assert desk.ask("31", 100) == b""
        assert desk.hear(100) == POWER_ON
        assert desk.ask("32") != b""


def test_a_scanner_that_starts_up_does_not_complain_of_wrong_check_sums():
    with Desk(unit="start_up_s = 1") as desk:
        assert desk.send(bytes.fromhex("02000100311513"), 20) == b""
        assert desk.protocol.counters()["bad"] == 1


def test_a_scanner_with_an_address_answers_with_it():
    with Desk(port="address = 1") as desk:
        for address in (0, 1):
            assert desk.send(encode(b"\x32", address)) == ACK + encode(b"\xb2\x10", 0x81)
        assert desk.send(encode(b"\x32", 2)) == b""


def test_a_program_asks_the_scanner_directly(desk):
    assert desk.sim.robot("scout").ask(ReadStatus(), "sick") == Status(0x25, 0, 180, 100, True, 0)


def test_the_type_begins_with_the_letters_that_drivers_need(desk):
    assert desk.ask("3A") == ACK + encode(b"\xbaLMS200;30106;V02.30 \x10", 0x80)


def test_there_are_no_errors(desk):
    assert desk.ask("32") == ACK + encode(b"\xb2\x10", 0x80)


@pytest.mark.parametrize(
    ("offset", "expected"),
    [(0, b"\xb1"), (1, b"V02.30 "), (8, b"\x25"), (9, b"\0"), (67, b"\x94\x11"), (102, b"\0"), (107, b"\xb4\0"),
     (109, b"\x64\0"), (116, b"\x67\x80"), (120, b"\0"), (122, b"\x01"), (123, b"\x01"), (124, b"V02.30 "),
     (152, b"\x10")],
)  # fmt: skip
def test_the_status_has_its_values_where_drivers_read_them(desk, offset, expected):
    (status,) = telegrams(desk.ask("31"))
    assert len(status) == 153
    assert status[offset : offset + len(expected)] == expected


def test_the_status_follows_the_settings(desk):
    desk.ask("3b64001900")
    configure(desk, d=6, e=0)
    desk.ask("2027 0100 0a00")
    (status,) = telegrams(desk.ask("31"))
    assert (status[8], status[102], status[122]) == (0x27, 6, 0)
    assert status[107:111] == bytes.fromhex("6400 1900")


# ---- modes


@pytest.mark.parametrize("mode", ["2010", "2024", "2025", "202605", "2027 0100 0500", "202a", PASSWORD])
def test_a_mode_that_the_scanner_has_is_confirmed(desk, mode):
    assert desk.ask(mode) == OK


@pytest.mark.parametrize(
    ("mode", "code"),
    [("2000" + b"SICK_LMX".hex(), 1), ("2000", 1), ("2020", 2), ("2021", 2), ("2022", 2), ("2023", 2), ("202601", 2),
     ("2026fb", 2), ("2027 0000 0500", 2), ("2027 0500 0400", 2), ("2027 0100 b600", 2), ("2029 0100 0200", 2),
     ("202b 0100 0100 0200", 2), ("202c 0100 0100 0200", 2), ("202e", 2), ("2099", 2)],
)  # fmt: skip
def test_a_mode_that_is_not_possible_is_refused_with_a_reason(desk, mode, code):
    assert desk.ask(mode) == ACK + encode(bytes([0xA0, code, 0x10]), 0x80)
    assert desk.unit.mode == 0x25


def test_a_request_that_does_not_exist_is_not_acknowledged(desk):
    assert desk.ask("99") == desk.ask("3002") == desk.ask("20") == NOT_POSSIBLE


def test_a_wrong_check_sum_gets_a_single_byte_and_changes_nothing(desk):
    assert desk.send(bytes.fromhex("0200020020243508")) == b"\x15"
    assert desk.unit.mode == 0x25


def test_junk_before_a_request_is_skipped(desk):
    assert desk.send(b"\x00\x02\xff\x05" + encode(b"\x32")) == ACK + encode(b"\xb2\x10", 0x80)


def test_requests_are_answered_in_their_order(desk):
    both = encode(b"\x3a") + encode(b"\x32")
    assert [body[0] for body in telegrams(desk.send(both))] == [0xBA, 0xB2]


def test_half_a_request_is_forgotten_after_a_silence(desk):
    desk.send(encode(b"\x32")[:4], 60)
    assert desk.protocol.state()["buffer"] == ""


# ---- variants


@pytest.mark.parametrize(
    ("request_", "reply", "readings", "head"),
    [("3bb4006400", "0280 0700 BB01 B4006400 10 5B30", 181, "02806E01 B0B540"),
     ("3bb4003200", "0280 0700 BB01 B4003200 10 039D", 361, "0280D602 B06941"),
     ("3b64006400", "0280 0700 BB01 64006400 10 4FBD", 101, "0280CE00 B06540"),
     ("3b64003200", "0280 0700 BB01 64003200 10 1710", 201, "02809601 B0C940"),
     ("3b64001900", "0280 0700 BB01 64001900 10 BB46", 401, "02802603 B09141")],
)  # fmt: skip
def test_a_variant_is_confirmed_and_changes_the_rays(desk, request_, reply, readings, head):
    assert desk.ask(request_) == ACK + bytes.fromhex(reply)
    desk.hear(20)
    scan = desk.ask("3001", 20)
    assert scan.startswith(ACK + bytes.fromhex(head))
    assert len(scan) == 1 + 11 + 2 * readings - 1
    assert desk.sim.current.readings["scout/sick"].sheet.rays == readings


@pytest.mark.parametrize("wanted", ["b4001900", "5a006400", "b4000000", "00000000"])
def test_a_variant_that_does_not_exist_is_refused_with_the_present_one(desk, wanted):
    assert desk.ask("3b" + wanted) == ACK + encode(bytes.fromhex("bb00b400640010"), 0x80)


def test_a_variant_ends_a_stream(desk):
    desk.ask("2024", 5)
    desk.ask("3b64006400")
    desk.hear(100)
    assert desk.hear(100) == b""
    assert desk.unit.mode == 0x25


def test_the_field_of_100_degrees_is_in_the_middle_and_begins_on_the_right(desk):
    whole = values(telegrams(desk.ask("3001", 10))[0])
    desk.ask("3b64006400", 20)
    middle = values(telegrams(desk.ask("3001", 10))[0])
    assert middle == whole[40:141]


def test_ranges_are_millimetres():
    with Desk(more='[[object]]\nname = "post"\nkind = "box"\nsize_m = [1, 1, 1]\nx_m = 2.5\n') as desk:
        ranges = values(telegrams(desk.ask("3001", 10))[0])
    assert (ranges[0], ranges[90], ranges[180]) == (4000, 2000, 4000)


def test_nothing_in_range_is_8183():
    with Desk(size="[40, 8]") as desk:
        assert values(telegrams(desk.ask("3001", 10))[0])[90] == 8183


# ---- configuration


def test_the_configuration_has_34_bytes(desk):
    (reply,) = telegrams(desk.ask("74"))
    assert (reply[0], len(reply), reply[7]) == (0xF4, 36, 1)


def test_a_configuration_is_written_in_installation_mode_only(desk):
    data = bytes(desk.unit.configuration)
    assert telegrams(desk.ask("77" + data.hex()))[0][:2] == b"\xf7\x00"
    reply = telegrams(configure(desk, e=0))[0]
    assert (reply[:2], len(reply), reply[8]) == (b"\xf7\x01", 37, 0)


@pytest.mark.parametrize(("length", "ok"), [(6, 0), (7, 1), (33, 1), (34, 1)])
def test_a_short_configuration_changes_its_first_bytes(desk, length, ok):
    before = desk.unit.configuration
    desk.ask(PASSWORD)
    data = bytes([0, 0, 70, 0, 0, 1, 0, *before[7:]])[:length]
    reply = telegrams(desk.ask("77" + data.hex()))[0]
    assert reply[1] == ok
    assert desk.unit.configuration[7:] == before[7:]
    assert desk.unit.configuration[5] == ok


def test_a_measuring_mode_that_does_not_exist_is_refused(desk):
    assert telegrams(configure(desk, d=0x30))[0][1] == 0


def test_centimetres(desk):
    configure(desk, e=0)
    desk.ask("2025", 5)
    scan = telegrams(desk.ask("3001", 10))[0]
    assert scan[:3] == bytes.fromhex("b0b500")
    assert values(scan)[90] == 600


@pytest.mark.parametrize(("mode", "range_m"), [(0, 8.183), (3, 16.375), (6, 32.759), (0x0F, 65.527)])
def test_more_bits_reach_farther(desk, mode, range_m):
    configure(desk, d=mode)
    desk.hear(2)
    assert desk.sim.current.readings["scout/sick"].sheet.max_m == pytest.approx(range_m)


@pytest.mark.parametrize(("mode", "word"), [(0, 2000), (1, 2000 | 1 << 13), (3, 2000), (0x3F, 32)])
def test_a_reflector_is_in_the_high_bits_of_its_readings(mode, word):
    with Desk(more=REFLECTOR) as desk:
        configure(desk, d=mode)
        desk.ask("2025", 5)
        ranges = values(telegrams(desk.ask("3001", 10))[0])
    assert (ranges[90], ranges[0]) == (word, 0 if mode == 0x3F else 4000)


def test_real_time_indices_follow_the_values_if_they_are_configured(desk):
    configure(desk, c=2)
    desk.ask("2025", 5)
    assert desk.ask("3001", 10)[:8] == ACK + bytes.fromhex("02806f01b0b540")


# ---- streams


def first_scan(desk: Desk, mode: str, ticks: int = 60) -> bytes:
    return telegrams(desk.ask(mode, ticks))[1]


def test_a_sub_range_has_its_limits_in_front(desk):
    scan = first_scan(desk, "2027 5a00 5c00")
    assert scan == bytes.fromhex("b7 5a00 5c00 0340") + b"".join(
        value.to_bytes(2, "little") for value in values(telegrams(whole(desk))[0])[89:92]
    ) + b"\x10"  # fmt: skip


def whole(desk: Desk) -> bytes:
    desk.ask("2025", 5)
    desk.plug.receive()
    return desk.ask("3001", 10)


def test_the_sub_range_of_the_listing_is_byte_exact(desk):
    scan = Scan(np.array([2.0, 2.01, 2.02]), np.array([]), 8.183, 0, 1, 3)
    body = scan_body(scan, Status(0x27, 0, 180, 100, True, 0), 0, whole=False)
    assert encode(body + b"\x10", 0x80).hex() == "02800e00b7010003000340d007da07e40710a12b"


def test_a_mean_says_of_how_many_scans(desk):
    assert first_scan(desk, "2026 05")[:4] == bytes.fromhex("b6 05 b540")


def test_a_mean_of_a_sub_range_says_both(desk):
    scan = first_scan(desk, "2028 03 0100 0200")
    assert scan == bytes.fromhex("bf 03 0100 0200 0240 a00f a10f 10")


def test_a_mean_is_the_mean_of_what_was_measured():
    with Desk(noise="{sigma_m = 0.1}") as desk:
        singles = [values(telegrams(desk.ask("3001", 3))[0])[90] for _ in range(20)]
        mean = values(first_scan(desk, "2026 c8", 700), 4)[90]
    assert max(singles) - min(singles) > 50
    assert mean == pytest.approx(6000, abs=30)


def test_ranges_with_reflectivity():
    with Desk(more=REFLECTOR) as desk:
        scan = first_scan(desk, "2050 5a00 5c00", 120)
    assert scan[:3] == bytes.fromhex("c4b540")
    assert scan[3 + 362 :] == bytes.fromhex("0300 5a00 5c00 202020 10")


def test_partial_scans_alternate_between_the_turns_of_the_mirror(desk):
    desk.ask("2048")
    desk.ask("3bb4003200")
    heads = [body[1:3].hex() for body in telegrams(desk.ask("202a", 20)) if body[0] == 0xB0]
    assert len(heads) >= 6
    assert {tuple(pair) for pair in pairwise(heads)} == {("b560", "b470"), ("b470", "b560")}


def test_four_partial_scans_make_one_of_a_quarter_of_a_degree(desk):
    desk.ask("2048")
    desk.ask("3b64001900", 20)
    full = values(telegrams(desk.ask("3001", 20))[0])
    parts = {body[2]: values(body) for body in telegrams(desk.ask("202a", 40)) if body[0] == 0xB0}
    assert sorted(parts) == [0x60, 0x68, 0x70, 0x78]
    assert [parts[number] for number in sorted(parts)] == [full[offset::4] for offset in range(4)]


@pytest.mark.parametrize(
    ("baud", "variant", "least", "most"),
    [("2042", "b4006400", 2, 3), ("2040", "b4006400", 10, 11), ("2040", "b4003200", 5, 6), ("2048", "b4006400", 72, 76),
     ("2048", "b4003200", 35, 38)],
)  # fmt: skip
def test_a_stream_is_as_fast_as_line_and_mirror_allow(baud, variant, least, most):
    with Desk(port="pace = true") as desk:
        desk.ask(baud, 10)
        desk.ask("3b" + variant, 10)
        desk.ask("2024", 100)
        desk.plug.receive()
        scans = desk.hear(200)
        assert least <= scans.count(b"\x02\x80") <= most
        assert desk.sim.current.plugs[PORT].line.lost == 0


def test_a_stream_does_not_pile_up_in_the_line():
    with Desk(port="pace = true") as desk:
        desk.ask("2024", 400)
        desk.plug.receive()
        assert desk.ask("2025", 100).endswith(OK)
        assert desk.hear(100) == b""


# ---- baud rates


@pytest.mark.parametrize(("request_", "baud"), [("2040", 38_400), ("2041", 19_200), ("2042", 9_600), ("2048", 500_000)])
def test_the_baud_rate_changes_after_the_reply(desk, request_, baud):
    desk.set_line(9600)
    assert desk.ask(request_) == OK
    desk.set_line(baud)
    assert desk.ask("32") == ACK + encode(b"\xb2\x10", 0x80)


def test_at_a_wrong_baud_rate_the_scanner_is_not_reached(desk):
    desk.set_line(38_400)
    assert OK not in desk.ask("2025", 5)
    desk.set_line(9600)
    desk.hear(60)
    assert desk.ask("2025") == OK


def test_at_500000_baud_every_client_is_understood(desk):
    desk.ask("2048")
    desk.set_line(38_400)
    assert desk.ask("2025") == OK


def test_a_restart_falls_back_to_9600_baud_and_tells_that_it_is_ready(desk):
    desk.ask("2040")
    assert desk.ask("10") == ACK + encode(b"\x91\x10", 0x80)
    assert desk.ask("31", 20) == b""
    desk.set_line(9600)
    assert desk.hear(100) == POWER_ON
    assert desk.ask("2025") == OK


def test_the_port_may_begin_with_another_baud_rate():
    with us.load_text(scene().replace("baud = 9600", "baud = 38400"), ports=True) as sim:
        assert sim.current.plugs[PORT].protocol.state()["baud"] == 38_400


# ---- runs


def test_a_conversation_goes_on_from_a_saved_run(desk):
    desk.ask("3b64006400", 10)
    desk.ask("2026 14", 37)
    twin = Sim.restored(unpack_run(desk.sim.save()))
    sent = []
    for sim in (desk.sim, twin):
        outcomes = [sim.current.advance(()) for _ in range(200)]
        sent.append(b"".join(data for outcome in outcomes for path, data in outcome.sent if path == PORT))
    assert sent[0] == sent[1] != b""


def test_a_conversation_is_replayed_from_the_tape(desk, tmp_path):
    desk.sim.attach(TapeWriter(tmp_path / "t.tape"))
    for request in ("2048", "3bb4003200", "2024", "2025", "3001", PASSWORD, "74", "2026 05"):
        desk.ask(request, 30)
    desk.sim.close()
    assert replay(tmp_path / "t.tape").mismatch is None


def test_a_reset_of_the_run_switches_the_scanner_off_and_on(desk):
    desk.ask("2040")
    desk.ask("3b64006400")
    desk.sim.reset()
    assert desk.hear(2) == POWER_ON
    assert desk.ask("31")[121:123] == b"\x67\x80"


def test_a_flood_of_requests_is_answered_at_the_pace_of_the_line():
    with Desk(port="pace = true") as desk:
        data = desk.send(encode(b"\x31") * 2000, 200)
    assert len(data) <= 961
    assert desk.protocol.counters()["requests"] <= 960 // 7 + 1


def test_the_scanner_on_a_stand_answers_on_its_port():
    room = 'schema = 1\nground = {size_m = [12, 8], walled = true}\n[[robot]]\nmodel = "lms200-stand"\nname = "scout"\n'
    with us.load_text(room + 'port.sick.link = "loop:"\nnoise = "perfect"\n', ports=True) as sim:
        plug = sim.ports.link(PORT).client()
        sim.step(20)
        plug.receive()
        plug.send(encode(bytes.fromhex("3001")))
        sim.step(100)
        assert values(telegrams(plug.receive())[0])[90] == 6000


def test_a_measuring_mode_that_does_not_exist_is_refused_in_a_scene():
    with pytest.raises(SceneError, match=r"measuring: no such choice 7"):
        us.load_text(scene(unit="measuring = 7"))
