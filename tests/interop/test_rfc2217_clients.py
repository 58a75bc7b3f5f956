"""pyserial's own RFC 2217 client uses our ports."""

from contextlib import closing

import pytest
import serial
from contracts.link_contract import ALL_BYTES, Recorder, wait_until

from understudy.links import Event, make
from understudy.links.base import LineState

pytestmark = [
    pytest.mark.interop,
    pytest.mark.filterwarnings("ignore:set(Daemon|Name).. is deprecated:DeprecationWarning"),  # in pyserial 3.5
]


@pytest.fixture
def sink():
    return Recorder()


@pytest.fixture
def link(sink):
    link = make("rfc2217://127.0.0.1:0", "scout/gps")
    with closing(link):
        link.open(sink)
        yield link


@pytest.fixture
def port(link, sink):
    with serial.serial_for_url(link.info().url, 19_200, timeout=5) as port:
        sink.expect(Event.OPENED)
        yield port


def test_all_bytes_pass_both_ways(link, sink, port):
    port.write(ALL_BYTES * 4)
    assert sink.data(1024) == ALL_BYTES * 4
    link.write(ALL_BYTES * 4)
    assert port.read(1024) == ALL_BYTES * 4


def test_opening_reports_the_baud_rate_and_no_change_of_the_modem_lines(sink, port):
    assert sink.lines == [LineState(19_200)]


def test_a_change_of_baud_rate_is_reported(sink, port):
    port.baudrate = 115_200
    assert sink.lines[-1] == LineState(115_200)


def test_modem_lines_and_break_are_reported(sink, port):
    port.rts = False
    port.dtr = False
    port.break_condition = True
    port.break_condition = False
    assert sink.lines[1:] == [
        LineState(19_200, rts=False),
        LineState(19_200, rts=False, dtr=False),
        LineState(19_200, rts=False, dtr=False, breaking=True),
        LineState(19_200, rts=False, dtr=False),
    ]


def test_the_device_is_there_and_ready(port):
    wait_until(lambda: port._modemstate is not None)
    assert (port.cts, port.dsr, port.cd, port.ri) == (True, True, True, False)


def test_the_modem_lines_may_be_polled(link):
    with serial.serial_for_url(f"{link.info().url}?poll_modem", timeout=5) as port:
        assert port.cts


def test_other_frames_are_accepted(link, sink):
    with serial.serial_for_url(link.info().url, 9600, bytesize=7, parity="E", stopbits=2, timeout=5) as port:
        port.write(b"x")
        sink.expect(Event.OPENED)
        assert sink.data(1) == b"x"


def test_a_port_is_opened_again_and_again(link, sink):
    for number in range(5):
        with serial.serial_for_url(link.info().url, timeout=5) as port:
            sink.expect(Event.OPENED)
            link.write(bytes([number]))
            assert port.read(1) == bytes([number])
        sink.expect(Event.CLOSED)


def test_what_arrived_too_early_is_thrown_away_on_request(link, sink, port):
    link.write(b"stale")
    wait_until(lambda: port.in_waiting == 5)
    port.reset_input_buffer()
    link.write(b"fresh")
    assert port.read(5) == b"fresh"
