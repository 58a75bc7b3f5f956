"""Bytes in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.studio.wire import explained


def packet(*body):
    data = bytes([len(body) + 2, *body])
    total = 0
    for i in range(0, len(body) - 1, 2):
        total += body[i] << 8 | body[i + 1]
    if len(body) % 2:
        total ^= body[-1]
    return b"\xfa\xfb" + data + (total & 0xFFFF).to_bytes(2, "big")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (bytes.fromhex("FAFB03000000"), "SYNC0"),
        (bytes.fromhex("FAFB03010001"), "SYNC1"),
        (bytes.fromhex("FAFB03020002"), "SYNC2"),
        (packet(11, 0x3B, 200, 0), "VEL 200"),
        (packet(11, 0x1B, 200, 0), "VEL -200"),
        (packet(21, 0x1B, 10, 0), "RVEL -10"),
        (packet(4, 0x3B, 1, 0) + packet(11, 0x3B, 44, 1), "ENABLE 1, VEL 300"),
        (b"", ""),
        (b"hello", ""),
    ],
)
def test_what_a_client_says_to_a_pioneer(data, words):
    assert explained("arcos", "in", data) == words


@pytest.mark.parametrize(("kind", "words"), [(0x60, "laser"), (0x90, "ENCODER"), (0x20, "CONFIG")])
def test_what_a_pioneer_says(kind, words):
    assert explained("arcos", "out", packet(kind, 0, 0)) == words


@pytest.mark.parametrize("kind", [0x32, 0x33])
def test_the_status_of_a_pioneer_says_how_fast_its_wheels_turn(kind):
    fields = (100).to_bytes(2, "little") + (-250).to_bytes(2, "little", signed=True)
    assert explained("arcos", "out", packet(kind, *bytes(6), *fields, 0x82)) == "status: wheels 100, -250 mm/s"


def test_a_packet_that_nobody_knows_is_a_number():
    assert explained("arcos", "out", packet(0x77, 0)) == "0x77"


def test_sentences_of_a_gps_are_shown_as_they_are():
    assert explained("nmea", "out", b"$GPGGA,1*00\r\n$GPRMC,2*00\r\n") == "$GPGGA,1*00 | $GPRMC,2*00"


def test_an_unknown_protocol_is_left_in_bytes():
    assert explained("morse", "in", b"...---...") == ""


@given(st.sampled_from(["arcos", "nmea", "other"]), st.sampled_from(["in", "out"]), st.binary(max_size=300))
def test_noise_is_never_an_error(protocol, way, noise):
    assert isinstance(explained(protocol, way, noise), str)
