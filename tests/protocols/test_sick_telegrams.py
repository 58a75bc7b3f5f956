"""Framing and check sum of the scanner's telegrams, and its tables of requests."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.protocols.sick_lms200.requests import MODES, REQUESTS, command
from understudy.protocols.sick_lms200.telegrams import Decoder, Received, crc, encode
from understudy.robots.lms200 import orders

STATUS = bytes.fromhex("02000100311512")


def decoded(data: bytes, address: int = 0) -> list[Received]:
    decoder = Decoder(address)
    return [found for byte in data if (found := decoder.put(byte))]


@pytest.mark.parametrize(
    "telegram",
    [
        "02 00 01 00 10 34 12", "02 00 02 00 30 01 31 18", "02 00 01 00 31 15 12", "02 00 01 00 32 16 12",
        "02 00 01 00 3A 1E 12", "02 00 01 00 74 50 12", "02 00 0A 00 20 00 53 49 43 4B 5F 4C 4D 53 BE C5",
        "02 00 02 00 20 24 34 08", "02 00 02 00 20 25 35 08", "02 00 02 00 20 40 50 08", "02 00 02 00 20 41 51 08",
        "02 00 02 00 20 42 52 08", "02 00 02 00 20 48 58 08", "02 00 05 00 3B B4 00 64 00 97 49",
        "02 00 05 00 3B B4 00 32 00 3B 1F", "02 00 05 00 3B 64 00 64 00 1D 0F", "02 00 05 00 3B 64 00 32 00 B1 59",
        "02 00 05 00 3B 64 00 19 00 E7 72",
    ],
)  # fmt: skip
def test_a_request_of_the_listing_is_framed_as_it_is_listed(telegram: str) -> None:
    data = bytes.fromhex(telegram)
    assert encode(data[4:-2]) == data
    assert decoded(data) == [Received(data[4:-2])]


def test_the_check_sum_mixes_in_each_byte_with_the_one_before() -> None:
    data = bytes.fromhex("0200010031")
    assert [crc(data[:n]) for n in range(1, 6)] == [0x0002, 0x0204, 0x0409, 0x0912, 0x1215]


@pytest.mark.parametrize(
    "junk", ["", "ff00ff", "02", "0200", "020001", "02000c03", "020200", "0200ffff", "02000500", "61626364", "0202"]
)
def test_a_telegram_is_found_behind_garbage(junk: str) -> None:
    assert decoded(bytes.fromhex(junk) + STATUS)[-1] == Received(bytes([0x31]))


def test_a_wrong_check_sum_is_reported_once() -> None:
    assert decoded(STATUS[:-1] + b"\x13") == [Received(b"", valid=False)]
    assert decoded(STATUS[:-1] + b"\x13" + STATUS) == [Received(b"", valid=False), Received(bytes([0x31]))]


@pytest.mark.parametrize(("address", "heard"), [(0, True), (5, True), (6, False), (0x80, False)])
def test_a_scanner_hears_its_own_address_and_zero(address: int, heard: bool) -> None:
    assert bool(decoded(encode(b"\x31", address), address=5)) == heard


def test_garbage_does_not_grow_the_buffer() -> None:
    decoder, source = Decoder(0), random.Random(3)
    for byte in source.randbytes(20_000) + b"\x02\x00\x0c\x03" * 2000:
        decoder.put(byte)
        assert len(decoder.buffer) < 820


@given(st.binary(max_size=60), st.binary(min_size=1, max_size=20))
def test_no_garbage_hides_a_telegram(junk: bytes, body: bytes) -> None:
    assert Received(body) in decoded(junk + encode(body))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("10", orders.Restart()),
        ("2000 5349434b5f4c4d53", orders.SetMode(0x00, "SICK_LMS")),
        ("2010", orders.SetMode(0x10)),
        ("2024", orders.SetMode(0x24)),
        ("2025", orders.SetMode(0x25)),
        ("2026 05", orders.SetMode(0x26, mean_of=5)),
        ("2027 0100 b500", orders.SetMode(0x27, first=1, last=181)),
        ("2028 05 0a00 1400", orders.SetMode(0x28, mean_of=5, first=10, last=20)),
        ("202a", orders.SetMode(0x2A)),
        ("2050 0100 b500", orders.SetMode(0x50, first=1, last=181)),
        ("2040", orders.ChangeBaud(38_400)),
        ("2041", orders.ChangeBaud(19_200)),
        ("2042", orders.ChangeBaud(9_600)),
        ("2048", orders.ChangeBaud(500_000)),
        ("2021", orders.SetMode(0x21)),
        ("3001", orders.RequestScan()),
        ("31", orders.ReadStatus()),
        ("32", orders.ReadErrors()),
        ("3a", orders.ReadType()),
        ("3b 6400 1900", orders.SetVariant(100, 25)),
        ("74", orders.ReadConfiguration()),
        ("77 01020304050607", orders.WriteConfiguration((1, 2, 3, 4, 5, 6, 7))),
        ("20", orders.Unsupported(0x20)),
        ("2026", orders.Unsupported(0x20)),
        ("2027 01", orders.Unsupported(0x20)),
        ("3002", orders.Unsupported(0x30)),
        ("3b 64", orders.Unsupported(0x3B)),
        ("99", orders.Unsupported(0x99)),
    ],
)
def test_a_request_means_a_command(body: str, expected: object) -> None:
    assert command(bytes.fromhex(body)) == expected


def test_no_code_is_listed_twice() -> None:
    for table in (MODES, REQUESTS):
        assert len({row.code for row in table}) == len(table)
