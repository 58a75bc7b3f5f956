"""TCP links: one listening port, one client at a time.

A second client is accepted and sent away, unless the first one is leaving: what it has sent last, its farewell perhaps,
may still be unread when the next one arrives.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, cast

from understudy.links.base import CHUNK, Event, LinkInfo, Sink
from understudy.links.listen import BACKLOG, listen, reached_at
from understudy.links.outbox import Outbox
from understudy.links.thread import shared
from understudy.links.url import LinkUrl, tcp_address

LIMIT = 256 * 1024  # bytes that wait for a slow reader
LOOK_S = 0.01  # between two looks whether the client is leaving, while somebody waits
LOOKS = 100  # so often for one and the same client, which may never stop talking
LINGER_S = 1.0  # for a client that was sent away to read the last bytes
RETRY_S = 0.5  # before listening again when the system is out of descriptors

# a client whose power or network has gone is noticed after some 20 s; a program that hangs in a debugger is not cut
KEEPALIVE = {"TCP_KEEPIDLE": 10, "TCP_KEEPALIVE": 10, "TCP_KEEPINTVL": 3, "TCP_KEEPCNT": 3}


class Host(Protocol):
    """What a connection reports to."""

    def _arrived(self, visitor: Visitor) -> None: ...
    def _receive(self, visitor: Visitor, data: bytes) -> None: ...
    def _flush(self) -> None: ...
    def _dismiss(self, visitor: Visitor) -> None: ...
    def _lost(self, visitor: Visitor) -> None: ...


class Visitor(asyncio.Protocol):
    """One connection: the client, a newcomer who waits for it to leave, or one on its way out."""

    transport: asyncio.Transport  # from connection_made on

    def __init__(self, link: Host, connection: socket.socket) -> None:
        self._link = link
        self._connection = connection  # the transport's; only ever looked at here
        self._timer: asyncio.TimerHandle | None = None
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.full = False  # the system takes no more bytes for now

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Introduce the connection to the link."""
        self.transport = cast(asyncio.Transport, transport)
        self.transport.set_write_buffer_limits(high=0)  # what waits shall wait in the outbox, where it is counted
        _tune(self.transport.get_extra_info("socket"))
        self._link._arrived(self)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on."""
        self._link._receive(self, data)

    def pause_writing(self) -> None:
        """Note that the reader is slow."""
        self.full = True

    def resume_writing(self) -> None:
        """Go on sending."""
        self.full = False
        self._link._flush()

    def eof_received(self) -> None:
        """Take the end of the client's bytes as its farewell."""
        self._link._dismiss(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, however it ended."""
        if self._timer is not None:
            self._timer.cancel()
        self._link._lost(self)
        self.gone.set_result(None)

    def say_goodbye(self) -> None:
        """End politely: the other side can read all that was sent, but not for ever."""
        with suppress(OSError):  # it may have cut the line already
            self.transport.write_eof()
        self._timer = asyncio.get_running_loop().call_later(LINGER_S, self.transport.abort)

    def is_quiet(self) -> bool:
        """Say whether nothing has come that was not read yet, neither bytes nor a farewell."""
        try:
            self._connection.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return True
        except OSError:  # cut off: that is a farewell, too
            return False
        return False

    def cut(self) -> None:
        """End the connection now; bytes that the system has taken still arrive."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()


class TcpLink:
    """A TCP port on which one program at a time talks to the robot."""

    def __init__(self, url: LinkUrl, label: str, stand_in: str = "") -> None:
        self._wanted = url
        self._label = label
        self._stand_in = stand_in  # why this is not the link that was asked for
        self._url = str(url)
        self._thread = shared()
        self._outbox = Outbox(LIMIT)
        self._sink: Sink = _nowhere
        self._listener: socket.socket | None = None
        self._greetings: set[asyncio.Task[Any]] = set()  # connections that are being made
        self._visitors: set[Visitor] = set()
        self._waiting: list[Visitor] = []
        self._looking = False
        self._looks = LOOKS
        self._client: Visitor | None = None
        self._received = self._sent = 0

    def open(self, sink: Sink) -> None:
        """Start listening; raises LinkError if the port cannot be had."""
        assert self._listener is None, f"{self._label} is open already"
        self._listener = listen(self._wanted)
        self._url = tcp_address(reached_at(self._wanted.host), self._listener.getsockname()[1])
        self._sink = sink
        self._thread.hold()
        self._thread.post(self._await_callers, self._listener)

    def write(self, data: bytes) -> None:
        """Send bytes; what nobody takes is dropped and counted, never waited for."""
        if self._outbox.put(data):
            self._thread.post(self._flush)

    def hang_up(self) -> None:
        """Send the present client away; go on listening."""
        client = self._client
        if client is not None:
            self._thread.post(self._dismiss, client)

    def close(self) -> None:
        """Stop listening and end the connection."""
        listener, self._listener = self._listener, None
        if listener is not None:
            self._thread.run(self._end(listener))
            self._thread.release()

    def info(self) -> LinkInfo:
        """Return address and counters."""
        notice = f"{self._stand_in}: {self._label} listens on {self._url} instead" if self._stand_in else ""
        connected = self._client is not None
        return LinkInfo(self._url, connected, self._received, self._sent, self._outbox.dropped, notice)

    # What follows runs in the link thread.

    def _await_callers(self, listener: socket.socket) -> None:
        if listener is self._listener:
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _accept(self, listener: socket.socket) -> None:
        """Let in all who knock; asyncio's own server would lose one whom it lets in while it is being closed."""
        try:
            for _ in range(BACKLOG):
                self._greet(listener.accept()[0])
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError:  # too many open files: look again later, instead of at once and for ever
            loop = asyncio.get_running_loop()
            loop.remove_reader(listener)
            loop.call_later(RETRY_S, self._await_callers, listener)

    def _greet(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        loop = asyncio.get_running_loop()
        greeting = loop.create_task(loop.connect_accepted_socket(partial(Visitor, self, connection), connection))
        self._greetings.add(greeting)
        greeting.add_done_callback(self._greetings.discard)

    async def _end(self, listener: socket.socket) -> None:
        asyncio.get_running_loop().remove_reader(listener)
        listener.close()
        if self._greetings:
            await asyncio.wait(self._greetings)
        self._drain()
        self._part()
        self._looking = False
        for visitor in self._visitors:
            visitor.cut()
        if self._visitors:
            await asyncio.wait([visitor.gone for visitor in self._visitors])

    def _arrived(self, visitor: Visitor) -> None:
        self._visitors.add(visitor)
        if self._listener is None:
            visitor.cut()
        elif self._client is None:
            self._admit(visitor)
        else:
            visitor.transport.pause_reading()
            self._waiting.append(visitor)
            if not self._looking:
                self._review()

    def _review(self) -> None:
        """Send those who wait away, unless the client may be leaving; then look again."""
        self._looking = bool(self._waiting) and self._looks > 0 and not self._is_quiet()
        if self._looking:
            self._looks -= 1
            asyncio.get_running_loop().call_later(LOOK_S, self._review)
            return
        for visitor in self._waiting:
            visitor.transport.close()

    def _is_quiet(self) -> bool:
        return self._client is not None and self._client.is_quiet()

    def _admit(self, visitor: Visitor) -> None:
        self._client = visitor
        self._looks = LOOKS
        self._outbox.start()
        self._sink(Event.OPENED, b"")

    def _receive(self, visitor: Visitor, data: bytes) -> None:
        if visitor is not self._client:  # it was sent away and has not noticed yet
            return
        self._received += len(data)
        for start in range(0, len(data), CHUNK):
            self._sink(Event.DATA, data[start : start + CHUNK])

    def _flush(self) -> None:
        """Send until the client's side is full; goes on when it tells that there is room."""
        while self._client is not None and not self._client.full and self._send_one(self._client):
            pass

    def _drain(self) -> None:
        """Hand over all that waits, room or no room: the client is about to go."""
        while self._client is not None and self._send_one(self._client):
            pass

    def _send_one(self, client: Visitor) -> bool:
        data = b"" if client.transport.is_closing() else self._outbox.take()
        if data:
            client.transport.write(data)
            self._sent += len(data)
        return bool(data)

    def _dismiss(self, visitor: Visitor) -> None:
        """Send the client away, with all that was written before."""
        if visitor is self._client:
            self._drain()
            self._part()
            visitor.say_goodbye()

    def _lost(self, visitor: Visitor) -> None:
        self._visitors.discard(visitor)
        if visitor in self._waiting:
            self._waiting.remove(visitor)
        if visitor is self._client:
            self._part()

    def _part(self) -> None:
        """Report that the client has gone; the port is free for whoever waits."""
        if self._client is not None:
            self._client = None
            self._outbox.stop()
            self._sink(Event.CLOSED, b"")
        while self._listener is not None and self._client is None and self._waiting:
            self._call_in(self._waiting.pop(0))

    def _call_in(self, visitor: Visitor) -> None:
        if not visitor.transport.is_closing():
            self._admit(visitor)
            visitor.transport.resume_reading()


def _tune(sock: socket.socket) -> None:
    """Send small packets at once, and notice a peer that has vanished."""
    with suppress(OSError):  # the peer may have gone already, or the system may lack an option
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in KEEPALIVE.items():
            if hasattr(socket, option):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def _nowhere(event: Event, data: bytes) -> None:
    """Take events before there is a sink."""
