from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.links.base import LineState
from understudy.links.com_port import ComPort
from understudy.links.telnet import COM_PORT, Subnegotiation, TelnetDecoder


def asked(port: ComPort, *request: int) -> list[bytes]:
    """Return the payloads of the answers to a request."""
    parts = TelnetDecoder().feed(port.answer(bytes(request)))
    return [part.payload for part in parts if isinstance(part, Subnegotiation) and part.option == COM_PORT]


BYTE_TABLE = [  # request, answer: RFC 2217, section 3
    ((1, 0, 0, 0, 0), (101, 0, 0, 0x25, 0x80)),  # asks for the baud rate; 9600 while none was set
    ((1, 0, 1, 0xC2, 0), (101, 0, 1, 0xC2, 0)),  # 115,200 baud
    ((1, 0, 0, 0, 255), (101, 0, 0, 0, 255)),
    ((2, 0), (102, 8)),
    ((2, 7), (102, 7)),
    ((2, 9), (102, 8)),  # no such size
    ((3, 0), (103, 1)),
    ((3, 3), (103, 3)),
    ((3, 6), (103, 1)),
    ((4, 0), (104, 1)),
    ((4, 2), (104, 2)),
    ((5, 0), (105, 1)),  # no flow control
    ((5, 3), (105, 3)),
    ((5, 4), (105, 6)),  # no break
    ((5, 5), (105, 5)),
    ((5, 7), (105, 8)),  # DTR is on
    ((5, 9), (105, 9)),
    ((5, 10), (105, 11)),  # RTS is on
    ((5, 12), (105, 12)),
    ((5, 13), (105, 14)),
    ((5, 16), (105, 16)),
    ((7,), (107, 0xB0)),  # CTS, DSR and carrier
    ((10, 0), (110, 0)),
    ((12, 1), (112, 1)),
]


@pytest.mark.parametrize(("request_", "answer"), BYTE_TABLE)
def test_each_request_has_its_answer(request_: tuple[int, ...], answer: tuple[int, ...]) -> None:
    assert asked(ComPort("scout/gps"), *request_) == [bytes(answer)]


def test_the_signature_names_the_port() -> None:
    assert asked(ComPort("scout/gps"), 0) == [b"\x64Understudy: scout/gps"]


def test_the_signature_of_the_client_is_not_answered() -> None:
    assert asked(ComPort("scout/gps"), 0, 65) == []


@pytest.mark.parametrize(
    ("value", "line"),
    [(5, LineState(breaking=True)), (9, LineState(dtr=False)), (12, LineState(rts=False)), (11, LineState())],
)
def test_controls_change_the_line(value: int, line: LineState) -> None:
    port = ComPort("scout/gps")
    port.answer(bytes((5, value)))
    assert port.line == line


def test_a_mask_hides_modem_lines() -> None:
    assert asked(ComPort("scout/gps"), 11, 0x10) == [bytes((111, 0x10)), bytes((107, 0x10))]


@pytest.mark.parametrize(("value", "purged"), [(1, True), (2, False), (3, True)])
def test_purging_concerns_what_waits_for_the_client(value: int, purged: bool) -> None:
    port = ComPort("scout/gps")
    port.answer(bytes((12, value)))
    assert port.purged is purged


@given(st.binary(max_size=8))
def test_no_request_hurts(payload: bytes) -> None:
    assert isinstance(ComPort("scout/gps").answer(payload), bytes)
