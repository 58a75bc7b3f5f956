"""A TCP port that lets in any number of clients: each is a link of its own from then on."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from functools import partial
from typing import Any

from understudy.errors import LinkError
from understudy.links.base import CHUNK, Event, Link, LinkInfo, Sink
from understudy.links.listen import BACKLOG, listen, reached_at
from understudy.links.outbox import Outbox
from understudy.links.tcp import LIMIT, RETRY_S, Visitor
from understudy.links.thread import shared
from understudy.links.url import parse, tcp_address

Called = Callable[[Link, str], None]  # gets a client's link, not yet open, and its address; in the link thread


class Door:
    """Listens and hands over whoever comes; at most so many at once."""

    def __init__(self, url: str, label: str, most: int = 1000) -> None:
        self._wanted, self._label, self._most = parse(url), label, most
        if self._wanted.scheme != "tcp":
            raise LinkError(f"{label}: many clients can only come by tcp://HOST:PORT, not by {url!r}")
        self.url = str(self._wanted)
        self._thread = shared()
        self._listener: socket.socket | None = None
        self._greetings: set[asyncio.Task[Any]] = set()
        self._guests: set[Guest] = set()
        self._called: Called | None = None
        self.turned_away = 0  # clients for whom there was no room

    def open(self, called: Called) -> None:
        """Start listening; raises LinkError if the port cannot be had."""
        assert self._listener is None, f"{self._label} is open already"
        self._listener = listen(self._wanted)
        self.url = tcp_address(reached_at(self._wanted.host), self._listener.getsockname()[1])
        self._called = called
        self._thread.hold()
        self._thread.post(self._await_callers, self._listener)

    @property
    def port(self) -> int:
        """Return the number of the TCP port."""
        return parse(self.url).port

    def close(self) -> None:
        """Stop listening and send everybody away."""
        listener, self._listener = self._listener, None
        if listener is not None:
            self._thread.run(self._end(listener))
            self._thread.release()

    # What follows runs in the link thread.

    def _await_callers(self, listener: socket.socket) -> None:
        if listener is self._listener:
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _accept(self, listener: socket.socket) -> None:
        try:
            for _ in range(BACKLOG):
                self._greet(*listener.accept())
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError:  # too many open files: look again later
            loop = asyncio.get_running_loop()
            loop.remove_reader(listener)
            loop.call_later(RETRY_S, self._await_callers, listener)

    def _greet(self, connection: socket.socket, address: tuple[Any, ...]) -> None:
        if len(self._guests) >= self._most:
            self.turned_away += 1
            connection.close()
            return
        connection.setblocking(False)
        guest = Guest(self, tcp_address(str(address[0]), int(address[1])))
        self._guests.add(guest)
        loop = asyncio.get_running_loop()
        greeting = loop.create_task(loop.connect_accepted_socket(partial(Visitor, guest, connection), connection))
        self._greetings.add(greeting)
        greeting.add_done_callback(self._greetings.discard)

    def _arrived(self, guest: Guest) -> None:
        if self._listener is not None and self._called is not None:
            self._called(guest, guest.url)

    def _gone(self, guest: Guest) -> None:
        self._guests.discard(guest)

    async def _end(self, listener: socket.socket) -> None:
        asyncio.get_running_loop().remove_reader(listener)
        listener.close()
        if self._greetings:
            await asyncio.wait(self._greetings)
        for guest in list(self._guests):
            await guest.leave()


class Guest:
    """The link to one client of a door: it is connected before it is opened, and never again once it is closed."""

    def __init__(self, door: Door, url: str) -> None:
        self.url = url  # where the client is
        self._door = door
        self._thread = shared()
        self._outbox = Outbox(LIMIT)
        self._sink: Sink | None = None
        self._visitor: Visitor | None = None
        self._client: Visitor | None = None  # the visitor, until it leaves or is sent away
        self._over = False
        self._received = self._sent = 0

    def open(self, sink: Sink) -> None:
        """Begin to listen to the client; if it has left meanwhile, its farewell is told at once."""
        self._outbox.start()
        self._thread.post(self._begin, sink)

    def write(self, data: bytes) -> None:
        """Send bytes; what nobody takes is dropped and counted, never waited for."""
        if self._outbox.put(data):
            self._thread.post(self._flush)

    def hang_up(self) -> None:
        """Send the client away."""
        client = self._client
        if client is not None:
            self._thread.post(self._dismiss, client)

    def close(self) -> None:
        """Send the client away and tell nobody."""
        self._sink = None
        self.hang_up()

    def info(self) -> LinkInfo:
        """Return address and counters."""
        return LinkInfo(self.url, self._client is not None, self._received, self._sent, self._outbox.dropped)

    # What follows runs in the link thread; the names are those that a visitor calls.

    def _begin(self, sink: Sink) -> None:
        self._sink = sink
        sink(Event.OPENED, b"")
        if self._over or self._client is None:
            self._tell_end()
        else:
            self._client.transport.resume_reading()

    def _arrived(self, visitor: Visitor) -> None:
        self._client = self._visitor = visitor
        visitor.transport.pause_reading()
        self._door._arrived(self)

    def _receive(self, visitor: Visitor, data: bytes) -> None:
        self._received += len(data)
        for start in range(0, len(data), CHUNK):
            if self._sink is not None:
                self._sink(Event.DATA, data[start : start + CHUNK])

    def _flush(self) -> None:
        while self._client is not None and not self._client.full and self._send_one(self._client):
            pass

    def _send_one(self, client: Visitor) -> bool:
        data = b"" if client.transport.is_closing() else self._outbox.take()
        if data:
            client.transport.write(data)
            self._sent += len(data)
        return bool(data)

    def _dismiss(self, visitor: Visitor) -> None:
        """Send the client away, with all that was written before."""
        while self._client is not None and self._send_one(visitor):
            pass
        visitor.say_goodbye()
        visitor.transport.resume_reading()  # to hear of its end
        self._part()

    def _lost(self, visitor: Visitor) -> None:
        self._part()
        self._door._gone(self)

    def _part(self) -> None:
        self._client = None
        if not self._over:
            self._over = True
            self._outbox.stop()
            self._tell_end()

    def _tell_end(self) -> None:
        sink, self._sink = self._sink, None
        if sink is not None:
            sink(Event.CLOSED, b"")

    async def leave(self) -> None:
        """Cut the connection and wait until it is gone."""
        self._part()
        if self._visitor is not None:
            self._visitor.cut()
            await self._visitor.gone
