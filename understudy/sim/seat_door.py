"""Where programs of other processes come in and take the seat of a robot, over TCP on this machine.

A thread lets them in and reads whose seat each wants; the simulation gives it to them between two ticks.
"""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections import deque
from contextlib import suppress
from typing import Any

from understudy.clients.understudy_seat import END, HELLO, Records, record
from understudy.errors import LinkError
from understudy.links.url import parse, tcp_address

log = logging.getLogger(__name__)
_HELLO_S = 5.0  # how long a client may take to say whose seat it wants
_MOST_HELLO = 4096  # bytes


class SeatDoor:
    """A listening socket and those who have come in."""

    def __init__(self, address: str) -> None:
        host, port = _place(address)
        try:
            self._socket = socket.create_server((host, port))
        except OSError as problem:
            raise LinkError(f"cannot open {address} for seats: {problem.strerror or problem}") from problem
        self._came: deque[tuple[str, socket.socket, bytes]] = deque()
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._let_in, name="seats", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Return where to connect to."""
        return tcp_address(*self._socket.getsockname()[:2])

    def wait(self, seconds: float) -> None:
        """Wait for a program, at most so long."""
        with self._news:
            self._news.wait_for(lambda: bool(self._came), seconds)

    def taken(self) -> list[tuple[str, socket.socket, bytes]]:
        """Return who has come since: the robot that each wants, its socket and its greeting."""
        if not self._came:
            return []
        with self._news:
            came = list(self._came)
            self._came.clear()
        return came

    def close(self) -> None:
        """Accept no more programs."""
        with suppress(OSError):  # some systems do not shut down what only listens
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for _, sock, _ in self.taken():
            refuse(sock, "the run is over")

    # ---- in its thread

    def _let_in(self) -> None:
        while True:
            try:
                sock, _ = self._socket.accept()
            except OSError:  # it was closed
                return
            threading.Thread(target=self._greet, args=(sock,), name="seat", daemon=True).start()

    def _greet(self, sock: socket.socket) -> None:
        """Read whose seat a client wants; one that does not name it is refused."""
        try:
            sock.settimeout(_HELLO_S)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            kind, content = Records(sock, _MOST_HELLO).next()
            hello: Any = json.loads(content)
            if kind != HELLO or not isinstance(hello, dict) or not isinstance(hello.get("robot"), str):
                raise ValueError("it does not name a robot")
        except (OSError, EOFError, ValueError, RecursionError) as problem:
            log.warning("a program's seat request was refused: %s", problem)
            sock.close()
            return
        with self._news:
            self._came.append((hello["robot"], sock, content))
            self._news.notify_all()


def refuse(sock: socket.socket, reason: str) -> None:
    """Tell a client why it gets no seat, and hang up."""
    with suppress(OSError):  # it has disconnected
        sock.sendall(record(END, reason.encode()))
    sock.close()


def _place(address: str) -> tuple[str, int]:
    """Return host and port of an address; raises LinkError."""
    link = parse(address)
    if link.scheme != "tcp":
        raise LinkError(f"cannot open {address} for seats: want tcp://HOST:PORT")
    return link.host, link.port
