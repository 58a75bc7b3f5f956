from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from contextlib import closing

import pytest
from contracts.link_contract import ALL_BYTES, Recorder, wait_until
from links.clients import Rfc2217Client, TcpClient

from understudy.links import Event, Link, make
from understudy.links.base import LineState
from understudy.links.telnet import BREAK, COM_PORT, IAC, WILL, Subnegotiation, message

BAUD_57600 = message(COM_PORT, b"\x01" + (57_600).to_bytes(4, "big"))
SUSPEND, RESUME = message(COM_PORT, b"\x08"), message(COM_PORT, b"\x09")


@pytest.fixture
def sink() -> Recorder:
    return Recorder()


@pytest.fixture
def link(sink: Recorder) -> Iterator[Link]:
    link = make("rfc2217://127.0.0.1:0", "scout/gps")
    with closing(link):
        link.open(sink)
        yield link


@pytest.fixture
def client(link: Link, sink: Recorder) -> Iterator[Rfc2217Client]:
    client = Rfc2217Client(link)
    with closing(client):
        sink.expect(Event.OPENED)
        yield client


def raw(client: Rfc2217Client, data: bytes) -> None:
    client.socket.sendall(data)


def test_the_address_is_one_that_pyserial_takes(link: Link) -> None:
    assert link.info().url.startswith("rfc2217://127.0.0.1:")


def test_settings_are_reported_between_the_bytes_where_the_client_made_them(
    client: Rfc2217Client, sink: Recorder
) -> None:
    raw(client, b"slow" + BAUD_57600 + b"fast")
    assert sink.data(8) == b"slowfast"
    assert sink.lines == [LineState(57_600)]


def test_a_setting_that_changes_nothing_is_not_reported(client: Rfc2217Client, sink: Recorder) -> None:
    raw(client, BAUD_57600 * 3 + b"x")
    assert sink.data(1) == b"x"
    assert len(sink.lines) == 1


def test_a_telnet_break_is_reported_as_a_pulse(client: Rfc2217Client, sink: Recorder) -> None:
    raw(client, bytes((IAC, BREAK)) + b"x")
    assert sink.data(1) == b"x"
    assert sink.lines == [LineState(breaking=True), LineState()]


def test_a_client_that_uses_the_option_gets_the_modem_lines(link: Link, client: Rfc2217Client, sink: Recorder) -> None:
    raw(client, bytes((IAC, WILL, COM_PORT)) + b"w")
    assert sink.data(1) == b"w"
    link.write(b"x")
    assert client.receive(1) == b"x"
    assert Subnegotiation(COM_PORT, b"\x6b\xb0") in client.said


def test_a_client_that_suspends_gets_its_bytes_when_it_resumes(
    link: Link, client: Rfc2217Client, sink: Recorder
) -> None:
    raw(client, SUSPEND + b"s")
    assert sink.data(1) == b"s"
    link.write(ALL_BYTES)
    raw(client, b"t")
    assert sink.data(1) == b"t"
    assert link.info().sent == 0
    raw(client, RESUME)
    assert client.receive(256) == ALL_BYTES


def test_a_purge_drops_what_waits_for_the_client(link: Link, client: Rfc2217Client, sink: Recorder) -> None:
    raw(client, SUSPEND + b"s")
    assert sink.data(1) == b"s"
    link.write(b"stale")
    raw(client, message(COM_PORT, b"\x0c\x01") + RESUME + b"t")
    assert sink.data(1) == b"t"
    link.write(b"fresh")
    assert client.receive(5) == b"fresh"
    assert link.info().dropped == 5


def test_the_settings_of_one_client_are_not_those_of_the_next(link: Link, sink: Recorder) -> None:
    for _ in range(2):
        client = Rfc2217Client(link)
        sink.expect(Event.OPENED)
        raw(client, BAUD_57600 + b"x")
        assert sink.data(1) == b"x"
        client.close()
        sink.expect(Event.CLOSED)
    assert sink.lines == [LineState(57_600)] * 2


def test_a_thousand_reconnects_work(link: Link, sink: Recorder) -> None:
    for number in range(1000):
        with closing(Rfc2217Client(link)) as client:
            client.send(struct.pack(">H", number))
    for number in range(1000):
        sink.expect(Event.OPENED)
        assert sink.data(2) == struct.pack(">H", number)
        sink.expect(Event.CLOSED)
    assert sink.rest() == []


def test_a_client_that_asks_and_never_reads_is_disconnected(link: Link, sink: Recorder) -> None:
    client = TcpClient(link)
    sink.expect(Event.OPENED)
    try:
        for _ in range(10_000):
            client.send(message(COM_PORT, b"\x00") * 100)
    except (ConnectionError, TimeoutError):
        pass
    sink.expect(Event.CLOSED)
    client.close()


def test_junk_leaves_a_port_that_works(link: Link, sink: Recorder) -> None:
    chance = random.Random(7)
    for _ in range(20):
        client = TcpClient(link)
        client.send(bytes(chance.choice((255, 250, 240, 253, 44, 1, 5, chance.randrange(256))) for _ in range(2000)))
        client.close()
        wait_until(lambda: (Event.CLOSED, b"") in sink.rest())
    with closing(Rfc2217Client(link)) as client:
        sink.expect(Event.OPENED)
        link.write(b"still here")
        assert client.receive(10) == b"still here"
