"""A TCP connection, and the common part of links that serve one client at a time over such connections."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Literal, Protocol, cast

from understudy.links.base import CHUNK, Event, Sink, Traffic, discard
from understudy.links.outbox import Outbox
from understudy.links.thread import shared

LIMIT = 256 * 1024  # send queue for a slow reader (bytes)
LINGER_S = 1.0  # time for a disconnected client to read the last bytes

# a client whose power or network failed is detected after about 20 s; a program paused in a debugger stays connected
KEEPALIVE = {"TCP_KEEPIDLE": 10, "TCP_KEEPALIVE": 10, "TCP_KEEPINTVL": 3, "TCP_KEEPCNT": 3}


class Host(Protocol):
    """The link that a connection reports to."""

    def _arrived(self, visitor: Visitor) -> None: ...
    def _receive(self, visitor: Visitor, data: bytes) -> None: ...
    def _flush(self) -> None: ...
    def _dismiss(self, visitor: Visitor) -> None: ...
    def _lost(self, visitor: Visitor) -> None: ...


class Visitor(asyncio.Protocol):
    """One connection: of the current client, of one that waits for it to disconnect, or one that is closing."""

    transport: asyncio.Transport  # from connection_made on

    def __init__(self, link: Host, connection: socket.socket) -> None:
        self._link = link
        self._connection = connection  # owned by the transport; only inspected here
        self._timer: asyncio.TimerHandle | None = None
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.full = False  # the system's send buffer is full
        self.reading = True
        self.received = self.sent = 0  # bytes on the wire
        self.most_sent: int | None = None  # bytes that it may be sent in all; None: as many as the system takes

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Report the connection to the link."""
        self.transport = cast(asyncio.Transport, transport)
        self.transport.set_write_buffer_limits(high=0)  # bytes wait in the outbox instead, where they are counted
        _tune(self.transport.get_extra_info("socket"))
        self._link._arrived(self)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on."""
        self.received += len(data)
        self._link._receive(self, data)

    def write(self, data: bytes) -> None:
        """Send bytes."""
        self.sent += len(data)
        self.transport.write(data)

    @property
    def client_port(self) -> int:
        """Return the client's TCP port."""
        return int((self.transport.get_extra_info("peername") or ("", 0))[1])

    def pause_writing(self) -> None:
        """Note that the reader is slow."""
        self.full = True

    def read(self, on: bool) -> None:
        """Read what the client sends, or let it wait."""
        if not self.transport.is_closing():
            self.reading = on
            self.transport.resume_reading() if on else self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Resume sending."""
        self.full = False
        self._link._flush()

    def eof_received(self) -> None:
        """Treat the end of the client's stream as a disconnect."""
        self._link._dismiss(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, however it ended."""
        if self._timer is not None:
            self._timer.cancel()
        self._link._lost(self)
        self.gone.set_result(None)

    def say_goodbye(self) -> None:
        """Close gracefully: the other side may read all that was sent, for a limited time."""
        if self.most_sent is not None:  # it shares the clock: no real time may make a difference, and all has arrived
            self.transport.close()
            return
        with suppress(OSError):  # it may have closed the connection already
            self.transport.write_eof()
        self._timer = asyncio.get_running_loop().call_later(LINGER_S, self.transport.abort)

    def is_quiet(self) -> bool:
        """Return whether there is nothing unread, neither bytes nor an end of stream."""
        try:
            self._connection.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return True
        except OSError:  # connection reset: that is an end, too
            return False
        return False

    def cut(self) -> None:
        """End the connection now; bytes that the system has accepted still arrive."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()


MOST_GONE = 64  # clients whose traffic is remembered after they have left


class GoneClients:
    """The traffic of clients that have left, by their TCP port: the last ones."""

    def __init__(self) -> None:
        self._known: dict[int, Traffic] = {}

    def note(self, visitor: Visitor) -> None:
        """Remember a client that has left."""
        self._known[visitor.client_port] = Traffic(visitor.received, visitor.sent, "closed")
        if len(self._known) > MOST_GONE:
            del self._known[next(iter(self._known))]

    def forget(self, visitor: Visitor) -> None:
        """Forget an earlier client that had the port of a new one."""
        self._known.pop(visitor.client_port, None)

    def get(self, client: int) -> Traffic | None:
        """Return the traffic of a client that has left."""
        return self._known.get(client)


class OneClient:
    """Bytes to and from the current client of a link; the link itself decides which client that is."""

    def __init__(self) -> None:
        self._thread = shared()
        self._outbox = Outbox(LIMIT)
        self._sink: Sink = discard
        self._client: Visitor | None = None
        self._received = self._sent = 0

    def write(self, data: bytes, client: int | None = None) -> None:
        """Send bytes to this client (default: the current one) without blocking; what cannot be sent is counted."""
        if self._outbox.put(data, client):
            self._thread.post(self._flush)

    def hold_back(self, on: bool) -> None:
        """Stop reading from the client, whose writes then block as on a slow line; or go on."""
        client = self._client
        if client is not None:
            self._thread.post(client.read, not on)

    def hang_up(self, client: int | None = None) -> None:
        """Disconnect this client (default: the current one)."""
        visitor = self._client  # it is there only after it has been counted
        if visitor is not None and client in (None, self._outbox.client):
            self._thread.post(self._dismiss, visitor)

    # The methods below run in the link thread.

    def _traffic(self, visitor: Visitor, most_sent: int | None) -> Traffic:
        """Return the traffic of a client that is here, after sending all that it may have."""
        visitor.most_sent = most_sent
        self._flush()
        state: Literal["waiting", "open"] = "open" if visitor is self._client else "waiting"
        return Traffic(visitor.received, visitor.sent, state, visitor.reading)

    def _receive(self, visitor: Visitor, data: bytes) -> None:
        if visitor is not self._client:  # it was disconnected and has not noticed yet
            return
        self._received += len(data)
        for start in range(0, len(data), CHUNK):
            self._sink(Event.DATA, data[start : start + CHUNK])

    def _flush(self) -> None:
        """Send until the send buffer is full; called again when there is room."""
        while self._client is not None and not self._client.full and self._send_one(self._client):
            pass

    def _drain(self) -> None:
        """Pass all waiting bytes to the transport, even beyond its limit: the client is being disconnected."""
        while self._client is not None and self._send_one(self._client):
            pass

    def _send_one(self, client: Visitor) -> bool:
        room = None if client.most_sent is None else client.most_sent - client.sent
        data = b"" if client.transport.is_closing() else self._outbox.take(room)
        if data:
            client.write(self._encoded(data))
            self._sent += len(data)
        return bool(data)

    def _encoded(self, data: bytes) -> bytes:
        """Return the bytes on the network for bytes of the device."""
        return data

    def _dismiss(self, visitor: Visitor) -> None:
        """Disconnect the client after sending all that was written before."""
        if visitor is self._client:
            self._drain()
            self._part()
            visitor.say_goodbye()

    def _part(self) -> None:
        """Report that the client has disconnected."""
        raise NotImplementedError


def _tune(sock: socket.socket) -> None:
    """Send small packets at once, and detect a peer that has vanished."""
    with suppress(OSError):  # the peer may have disconnected already, or the system may lack an option
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in KEEPALIVE.items():
            if hasattr(socket, option):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
