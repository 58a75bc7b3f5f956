"""What the drivers of other people do when they connect, as it was recorded, on a line that keeps baud rates."""

from __future__ import annotations

import pytest
from lms200_desk import Desk, telegrams, values

from understudy.protocols.sick_lms200.telegrams import encode

PASSWORD = "2000" + b"SICK_LMS".hex()


@pytest.fixture
def desk():
    with Desk(port='pace = true\nwrong_baud = "silence"') as made:
        made.set_line(9600)
        yield made


def reply(desk: Desk, request: str, ticks: int = 60) -> bytes:
    """Return the one reply to a request."""
    return telegrams(desk.ask(request, ticks))[0]


def test_a_driver_that_tries_rates_switches_to_38400_and_streams_a_sub_range(desk):
    assert reply(desk, "2025")[:2] == b"\xa0\x00"
    assert reply(desk, "2040")[:2] == b"\xa0\x00"
    desk.set_line(38_400)
    name = reply(desk, "3a")[1:4]
    assert reply(desk, "2000" + (b"SICK_" + name).hex())[:2] == b"\xa0\x00"
    status = reply(desk, "31")
    assert status[107:111] == bytes.fromhex("b4006400")
    configuration = reply(desk, "74")
    wanted = bytes([*configuration[1:6], 1, 1])
    assert reply(desk, "77" + wanted.hex())[1] == 1
    scans = telegrams(desk.ask("2027 0100 b500", 150))[1:]
    assert scans
    assert scans[0][:7] == bytes.fromhex("b70100b500b540")
    assert values(scans[0], 7)[90] & 0x1FFF == 6000


def test_a_driver_that_writes_byte_by_byte_sets_units_and_takes_partial_scans(desk):
    def slowly(request: str, ticks: int = 60) -> bytes:
        data = encode(bytes.fromhex(request))
        for byte in data[:-1]:
            desk.send(bytes([byte]))
        return telegrams(desk.send(data[-1:], ticks))[0]

    assert slowly("2040")[:2] == b"\xa0\x00"
    desk.set_line(38_400)
    assert slowly("2025")[:2] == b"\xa0\x00"
    assert b"LMS200;30106" in slowly("3a")
    assert slowly("31")[8] == 0x25
    configuration = bytearray(slowly("74")[1:35])
    configuration[6] = 0
    assert slowly(PASSWORD)[:2] == b"\xa0\x00"
    assert slowly("77" + configuration.hex())[1] == 1
    assert slowly("2025")[:2] == b"\xa0\x00"
    assert slowly("31")[122] == 0
    assert slowly("3bb4003200")[1] == 1
    scans = telegrams(desk.ask("202a", 150))[1:]
    assert {scan[1:3].hex() for scan in scans} == {"b520", "b430"}
    while desk.hear(30):
        if telegrams(desk.ask("2025", 60))[-1][:2] == b"\xa0\x00":
            break
    assert slowly("2042")[:2] == b"\xa0\x00"
    desk.set_line(9600)
    assert slowly("32")[:1] == b"\xb2"


def test_a_driver_that_wants_32_metres_reads_the_configuration_and_writes_it_back(desk):
    assert reply(desk, "2025") == b"\xa0\x00\x10"
    assert reply(desk, "2048") == b"\xa0\x00\x10"
    desk.set_line(38_400)  # with a divisor that nobody sees
    assert reply(desk, "31")[8] == 0x25
    assert reply(desk, PASSWORD) == b"\xa0\x00\x10"
    configuration = bytearray(reply(desk, "74")[1:35])
    configuration[5:7] = bytes([6, 1])
    assert reply(desk, "77" + configuration.hex())[:2] == b"\xf7\x01"
    assert reply(desk, "2025") == b"\xa0\x00\x10"
    assert reply(desk, "3bb4003200")[1] == 1
    scans = telegrams(desk.ask("2024", 60))[1:]
    assert len(scans) > 8
    assert values(scans[-1])[180] == 6000


@pytest.mark.parametrize(
    ("variant", "size"),
    [("b4006400", 373), ("b4003200", 733), ("64006400", 213), ("64003200", 413), ("64001900", 813)],
)
def test_a_service_that_counts_bytes_gets_the_number_it_expects(desk, variant, size):
    desk.send(b"\xff\x00\xff\x00")
    assert len(desk.ask("3b" + variant, 60)) == 14
    desk.hear(30)
    assert len(desk.ask("3001", 250)) == size
    assert len(desk.ask("3001", 250)) == size


def test_a_client_that_hunts_for_the_rate_finds_the_scanner(desk):
    reply(desk, "2041")
    for baud in (9_600, 38_400, 500_000):
        desk.set_line(baud)
        assert desk.ask("32", 60) == b""
    desk.set_line(19_200)
    desk.hear(60)
    assert reply(desk, "32") == b"\xb2\x10"


def test_garbage_of_wrong_rates_does_not_keep_a_client_from_the_scanner():
    with Desk(port="pace = true") as desk:
        for baud in (38_400, 19_200, 500_000):
            desk.set_line(baud)
            for _ in range(3):
                desk.ask("2025", 40)
        desk.set_line(9600)
        desk.hear(60)
        assert reply(desk, "2025") == b"\xa0\x00\x10"
