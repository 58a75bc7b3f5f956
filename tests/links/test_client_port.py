"""The program's end of a serial port: terminals, TCP, and what pyserial opens."""

import os
import socket
import threading
from concurrent.futures import Future
from contextlib import closing

import pytest
from contracts.link_contract import ALL_BYTES

from understudy.errors import LinkError
from understudy.links import client, speed
from understudy.links.client import open_port

PATIENCE_S = 20.0


@pytest.fixture
def terminal():
    """Give the other end of a pseudo-terminal, and its path."""
    master, slave = os.openpty()
    yield master, os.ttyname(slave)
    for file in (master, slave):
        try:
            os.close(file)
        except OSError:  # a test has closed it
            continue


@pytest.fixture
def listening():
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        server.settimeout(PATIENCE_S)
        yield server


def all_of(port, size):
    """Return so many bytes of a port; fewer if it ends, or does not deliver them in time."""
    result = Future()
    threading.Thread(target=lambda: result.set_result(_all_of(port, size)), daemon=True).start()
    return result.result(PATIENCE_S)


def _all_of(port, size):
    got = b""
    while len(got) < size and (data := port.read()):
        got += data
    return got


def test_all_bytes_pass_through_a_terminal_unchanged_both_ways(terminal):
    master, path = terminal
    with closing(open_port(path, 9600)) as port:
        port.write(ALL_BYTES)
        assert os.read(master, 4096) == ALL_BYTES
        os.write(master, ALL_BYTES)
        assert all_of(port, len(ALL_BYTES)) == ALL_BYTES


def test_the_baud_rate_is_set_and_changed(terminal):
    _, path = terminal
    with closing(open_port(path, 9600)) as port:
        file = os.open(path, os.O_RDWR | os.O_NOCTTY)
        assert speed.baud(file) == 9600
        port.set_baud(115200)
        assert speed.baud(file) == 115200
        os.close(file)


def test_a_rate_that_does_not_exist_is_refused(terminal):
    with pytest.raises(LinkError, match="no baud rate 12345"):
        open_port(terminal[1], 12345)


def reads_nothing(port):
    """Return a thread that reads, and the list in which it notes that it got nothing."""
    got = []
    thread = threading.Thread(target=lambda: got.append(port.read()), daemon=True)
    thread.start()
    return thread, got


def test_closing_wakes_a_reader(terminal):
    port = open_port(terminal[1], 9600)
    thread, got = reads_nothing(port)
    port.close()
    thread.join(PATIENCE_S)
    assert got == [b""]
    assert port.read() == b""


def test_a_device_that_is_unplugged_ends_reading(terminal):
    master, path = terminal
    with closing(open_port(path, 9600)) as port:
        thread, got = reads_nothing(port)
        os.close(master)
        thread.join(PATIENCE_S)
        assert got == [b""]


def test_a_port_can_be_closed_twice_and_then_takes_nothing(terminal):
    port = open_port(terminal[1], 9600)
    port.close()
    port.close()
    with pytest.raises(LinkError, match="closed"):
        port.write(b"x")


def test_a_port_that_takes_no_bytes_is_reported_after_a_while(terminal, monkeypatch):
    monkeypatch.setattr(client, "WRITE_S", 0.05)
    with closing(open_port(terminal[1], 9600)) as port, pytest.raises(LinkError, match="has not taken"):
        port.write(bytes(1_000_000))


@pytest.mark.parametrize("scheme", ["tcp", "socket"])
def test_a_tcp_address_is_a_port_too(listening, scheme):
    host, number = listening.getsockname()
    with closing(open_port(f"{scheme}://{host}:{number}", 9600)) as port:
        with closing(listening.accept()[0]) as peer:
            port.set_baud(500000)  # means nothing here
            port.write(b"ping")
            assert peer.recv(4) == b"ping"
            peer.sendall(b"pong")
            assert all_of(port, 4) == b"pong"
        assert all_of(port, 1) == b""


def test_pyserial_opens_what_is_neither_a_path_nor_tcp():
    with closing(open_port("loop://", 9600)) as port:
        port.write(b"echo")
        assert all_of(port, 4) == b"echo"
        port.set_baud(19200)
        thread, got = reads_nothing(port)
        port.close()
        thread.join(PATIENCE_S)
        assert got == [b""]


def test_without_pyserial_the_message_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "serial", None)
    with pytest.raises(LinkError, match="pip install pyserial"):
        open_port("COM4", 9600)


@pytest.mark.parametrize("target", ["/nowhere/tty", "tcp://127.0.0.1:1", "COM99", "tcp://nonsense", "loop://?bad=1"])
def test_what_cannot_be_opened_is_a_link_error(target):
    with pytest.raises(LinkError):
        open_port(target, 9600)


def test_a_plain_file_is_not_a_serial_port(tmp_path):
    (tmp_path / "file").write_text("text")
    with pytest.raises(LinkError, match="not a serial port"):
        open_port(str(tmp_path / "file"), 9600)
