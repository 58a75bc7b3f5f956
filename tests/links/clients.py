"""Simple clients, one for each kind of link, as the link contract wants them."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import cast

import serial
from contracts.link_contract import PATIENCE_S, Client, Connect, wait_until

from understudy.links import Link, make, parse
from understudy.links.loopback import LoopClient, LoopLink
from understudy.links.telnet import Part, TelnetDecoder, escaped


class TcpClient:
    def __init__(self, link: Link) -> None:
        address = parse(link.info().url)
        self.socket = socket.create_connection((address.host, address.port), timeout=PATIENCE_S)

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def receive(self, count: int) -> bytes:
        got = b""
        with suppress(ConnectionError, TimeoutError):
            while len(got) < count and (more := self.socket.recv(count - len(got))):
                got += more
        return got

    def ended(self) -> bool:
        """Say whether the other side has hung up; waits for that."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionError:
            return True

    def close(self) -> None:
        self.socket.close()


class Rfc2217Client(TcpClient):
    """Sends and reads bytes only: it leaves all offers of the link unanswered."""

    def __init__(self, link: Link) -> None:
        super().__init__(link)
        self._decoder, self._got = TelnetDecoder(), b""
        self.said: list[Part] = []  # what is not data

    def send(self, data: bytes) -> None:
        super().send(escaped(data))

    def receive(self, count: int) -> bytes:
        while len(self._got) < count and (more := super().receive(1)):
            self.take(more)
        data, self._got = self._got[:count], self._got[count:]
        return data

    def take(self, data: bytes) -> None:
        for part in self._decoder.feed(data):
            if isinstance(part, bytes):
                self._got += part
            else:
                self.said.append(part)


class PtyClient:
    def __init__(self, link: Link) -> None:
        self.port = serial.Serial(link.info().url, timeout=PATIENCE_S)

    def send(self, data: bytes) -> None:
        self.port.write(data)

    def receive(self, count: int) -> bytes:
        try:
            return cast(bytes, self.port.read(count))
        except serial.SerialException:
            return b""

    def close(self) -> None:
        self.port.close()


class LoopAdapter:
    def __init__(self, client: LoopClient) -> None:
        self.client = client
        self.got = b""

    def send(self, data: bytes) -> None:
        self.client.send(data)

    def receive(self, count: int) -> bytes:
        def enough() -> bool:
            self.got += self.client.receive()
            return len(self.got) >= count

        wait_until(enough)
        data, self.got = self.got[:count], self.got[count:]
        return data

    def close(self) -> None:
        self.client.close()


def make_tcp() -> tuple[Link, Connect]:
    link = make("tcp://127.0.0.1:0", "scout/host")
    return link, lambda: TcpClient(link)


def make_rfc2217() -> tuple[Link, Connect]:
    link = make("rfc2217://127.0.0.1:0", "scout/gps")
    return link, lambda: Rfc2217Client(link)


def make_pty() -> tuple[Link, Connect]:
    link = make("pty:scout-gps", "scout/gps")
    return link, lambda: PtyClient(link)


def make_loop() -> tuple[Link, Connect]:
    link = cast(LoopLink, make("loop:", "scout/host"))

    def connect() -> Client:
        return LoopAdapter(link.client())

    return link, connect
