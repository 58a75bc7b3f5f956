from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.links.telnet import (
    BREAK,
    COM_PORT,
    DO,
    DONT,
    IAC,
    SB,
    SE,
    WILL,
    WONT,
    Negotiation,
    Part,
    Subnegotiation,
    TelnetCommand,
    TelnetDecoder,
    TelnetOptions,
    escaped,
    message,
)

UNKNOWN = 200


def joined(parts: list[Part]) -> list[Part]:
    """Return parts with neighbouring data put together."""
    whole: list[Part] = []
    for part in parts:
        if isinstance(part, bytes) and whole and isinstance(whole[-1], bytes):
            whole[-1] += part
        else:
            whole.append(part)
    return whole


def decoded(*pieces: bytes) -> list[Part]:
    decoder = TelnetDecoder()
    return joined([part for piece in pieces for part in decoder.feed(piece)])


def test_data_and_commands_are_separated() -> None:
    stream = (
        b"ab" + bytes((IAC, DO, 1)) + b"c" + bytes((IAC, BREAK)) + message(COM_PORT, b"\x05\xff") + escaped(b"\xffd")
    )
    want = [b"ab", Negotiation(DO, 1), b"c", TelnetCommand(BREAK), Subnegotiation(COM_PORT, b"\x05\xff"), b"\xffd"]
    assert decoded(stream) == want


@given(st.binary(max_size=200))
def test_data_of_any_bytes_comes_out_as_it_went_in(data: bytes) -> None:
    assert decoded(escaped(data)) == ([data] if data else [])


JUNK = st.lists(st.sampled_from([IAC, SB, SE, DO, WILL, COM_PORT, 0, 65]), max_size=60).map(bytes)


@given(JUNK, st.data())
def test_any_split_of_any_junk_gives_the_same_parts(stream: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(stream)))
    assert decoded(stream[:cut], stream[cut:]) == decoded(stream)


def test_a_message_that_never_ends_costs_no_memory() -> None:
    decoder = TelnetDecoder()
    list(decoder.feed(bytes((IAC, SB, COM_PORT)) + b"x" * 100_000))
    assert decoder._message is not None
    assert len(decoder._message) == 256


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (Negotiation(DO, COM_PORT), (IAC, WILL, COM_PORT)),
        (Negotiation(WILL, COM_PORT), ()),  # we have asked for it
        (Negotiation(DO, UNKNOWN), (IAC, WONT, UNKNOWN)),
        (Negotiation(WILL, UNKNOWN), (IAC, DONT, UNKNOWN)),
        (Negotiation(DONT, UNKNOWN), ()),
        (Negotiation(DONT, 0), (IAC, WONT, 0)),
    ],
)
def test_a_request_after_the_greeting_is_answered_once(asked: Negotiation, answer: tuple[int, ...]) -> None:
    options = TelnetOptions()
    options.greeting()
    assert options.answer(asked) == bytes(answer)
    if asked.option != UNKNOWN:
        assert options.answer(asked) == b""
