from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protocols.arcos.arcos_talk import VEL_200

from understudy.protocols.arcos.frames import MOST_COUNT, Decoder, checksum, encode

BODIES = st.binary(min_size=1, max_size=MOST_COUNT - 2)


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
