"""The program's end of a serial port: a terminal of this system, a TCP address, or anything that pyserial can open.

====================================  ================================================
``/dev/ttyUSB0``                      a serial port, real or simulated; no package needed
``tcp://HOST:PORT``, ``socket://...`` a TCP connection
``COM4``, ``rfc2217://HOST:PORT``     through pyserial, if it is installed
====================================  ================================================
"""

from __future__ import annotations

import os
import selectors
import socket
import time
from contextlib import suppress
from threading import Lock
from typing import Any, Protocol

from understudy.errors import LinkError
from understudy.links import speed, terminal
from understudy.links.base import CHUNK
from understudy.links.url import parse

CONNECT_S = 5.0
WRITE_S = 10.0  # longest wait for a port that takes no bytes; 600 bytes at 600 baud need as long
_LOOK_S = 0.1  # how often a reader of pyserial checks whether the port was closed


class ClientPort(Protocol):
    """An open port. One thread reads; any thread may write, change the rate or close."""

    def read(self) -> bytes:
        """Wait for bytes and return them; empty once the port is closed or the device is gone."""

    def write(self, data: bytes) -> None:
        """Send bytes; raises LinkError if the port does not take them."""

    def set_baud(self, baud: int) -> None:
        """Change the baud rate; raises LinkError if the port cannot have it."""

    def close(self) -> None:
        """Close the port; a reader that waits gets nothing."""


def open_port(target: str, baud: int) -> ClientPort:
    """Open a port by path or address; raises LinkError."""
    if target.startswith(("tcp://", "socket://")):
        return _open_socket(target)
    if os.name == "posix" and target.startswith(("/", "./", "../")):
        return _open_terminal(target, baud)
    return _PySerialPort(target, baud)


def _open_terminal(path: str, baud: int) -> ClientPort:
    try:
        file = terminal.open_client(path)
    except OSError as problem:
        raise LinkError(f"cannot open {path}: {problem.strerror}") from problem
    port = _DescriptorPort(file, path)
    try:
        port.set_baud(baud)
    except LinkError:
        port.close()
        raise
    return port


def _open_socket(target: str) -> ClientPort:
    url = parse("tcp:" + target.partition(":")[2])
    try:
        connection = socket.create_connection((url.host, url.port), CONNECT_S)
    except OSError as problem:
        raise LinkError(f"cannot connect to {target}: {problem.strerror or problem}") from problem
    connection.setblocking(False)
    return _SocketPort(connection, target)


class _DescriptorPort:
    """A terminal, by its file descriptor."""

    def __init__(self, file: int, name: str) -> None:
        self._file, self._name = file, name
        self._reader, self._waker = socket.socketpair()
        self._reading, self._writing = Lock(), Lock()
        self._closed = False

    def read(self) -> bytes:
        with self._reading, selectors.DefaultSelector() as ready:
            if self._closed:
                return b""
            ready.register(self._file, selectors.EVENT_READ)
            ready.register(self._reader, selectors.EVENT_READ)
            while True:
                ready.select()
                if self._closed:
                    return b""
                with suppress(BlockingIOError):
                    return self._received()

    def _received(self) -> bytes:
        try:
            return self._receive()
        except BlockingIOError:  # ready for nothing
            raise
        except OSError:  # unplugged
            return b""

    def _receive(self) -> bytes:
        return os.read(self._file, CHUNK)

    def _send(self, data: bytes) -> int:
        return os.write(self._file, data)

    def write(self, data: bytes) -> None:
        until = time.monotonic() + WRITE_S
        with self._writing:
            while data:
                data = data[self._some(data, until) :]

    def _some(self, data: bytes, until: float) -> int:
        """Send what the port takes now; returns the number of bytes."""
        if self._closed:
            raise LinkError(f"{self._name} is closed")
        with selectors.DefaultSelector() as ready:
            ready.register(self._file, selectors.EVENT_WRITE)
            if not ready.select(max(0.0, until - time.monotonic())):
                raise LinkError(f"{self._name} has not taken all bytes within {WRITE_S:g} s")
        try:
            return self._send(data)
        except BlockingIOError:
            return 0
        except OSError as problem:
            raise LinkError(f"cannot write to {self._name}: {problem.strerror}") from problem

    def set_baud(self, baud: int) -> None:
        speed.set_baud(self._file, baud)

    def close(self) -> None:
        self._closed = True
        with suppress(OSError):
            self._waker.send(b"x")
        with self._reading, self._writing:
            if self._file >= 0:
                self._close_file()
                self._file = -1
                self._reader.close()
                self._waker.close()

    def _close_file(self) -> None:
        os.close(self._file)


class _SocketPort(_DescriptorPort):
    """A TCP connection; it has no baud rate."""

    def __init__(self, connection: socket.socket, name: str) -> None:
        super().__init__(connection.fileno(), name)
        self._connection = connection

    def _receive(self) -> bytes:
        return self._connection.recv(CHUNK)

    def _send(self, data: bytes) -> int:
        return self._connection.send(data)

    def set_baud(self, baud: int) -> None:
        pass

    def _close_file(self) -> None:
        self._connection.close()


class _PySerialPort:
    """A port that pyserial has opened."""

    def __init__(self, target: str, baud: int) -> None:
        try:
            import serial
        except ImportError as problem:
            raise LinkError(f"{target} needs pyserial: pip install pyserial") from problem
        try:
            self._port: Any = serial.serial_for_url(target, baud, timeout=_LOOK_S, write_timeout=WRITE_S)
        except Exception as problem:  # its handlers of URLs raise many kinds
            raise LinkError(f"cannot open {target}: {problem}") from problem
        self._name, self._closed = target, False

    def read(self) -> bytes:
        while not self._closed:
            try:
                first = self._port.read(1)
                if first:
                    return bytes(first + self._port.read(self._port.in_waiting))
            except (OSError, TypeError):  # unplugged, or closed meanwhile
                return b""
        return b""

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except OSError as problem:
            raise LinkError(f"cannot write to {self._name}: {problem}") from problem

    def set_baud(self, baud: int) -> None:
        try:
            self._port.baudrate = baud
        except (OSError, ValueError) as problem:
            raise LinkError(f"{self._name} cannot have {baud} baud: {problem}") from problem

    def close(self) -> None:
        self._closed = True
        self._port.close()
