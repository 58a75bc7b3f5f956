"""A listening TCP port that accepts every connection and asks which link it belongs to."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from understudy.links.listen import BACKLOG, listen, reached_at
from understudy.links.thread import shared
from understudy.links.url import LinkUrl, tcp_address
from understudy.links.visitor import Host, Visitor

RETRY_S = 0.5  # before listening again when the system is out of descriptors

HostFor = Callable[[str], Host | None]  # gets a client's address, in the link thread; None: refuse the client


class Reception:
    """Listens, and creates a visitor for every connection."""

    def __init__(self, url: LinkUrl, label: str, host_for: HostFor) -> None:
        self.url = str(url)  # once it listens: the address for clients
        self._wanted, self._label, self._host_for = url, label, host_for
        self._thread = shared()
        self._listener: socket.socket | None = None
        self._greetings: set[asyncio.Task[Any]] = set()  # connections that are being set up

    @property
    def listening(self) -> bool:
        """Return whether it is open."""
        return self._listener is not None

    def open(self) -> None:
        """Start listening; raises LinkError if the port cannot be opened."""
        assert self._listener is None, f"{self._label} is open already"
        self._listener = listen(self._wanted)
        self.url = tcp_address(reached_at(self._wanted.host), self._listener.getsockname()[1], self._wanted.scheme)
        self._thread.hold()
        self._thread.post(self._await_callers, self._listener)

    def close(self, farewell: Callable[[], Awaitable[None]]) -> None:
        """Stop listening, then let *farewell* end the connections, in the link thread."""
        listener, self._listener = self._listener, None
        if listener is not None:
            self._thread.run(self._end(listener, farewell))
            self._thread.release()

    # The methods below run in the link thread.

    def _await_callers(self, listener: socket.socket) -> None:
        if listener is self._listener:
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _accept(self, listener: socket.socket) -> None:
        """Accept all waiting clients; asyncio's own server would lose one that it accepts while it is being closed."""
        try:
            for _ in range(BACKLOG):
                self._greet(*listener.accept())
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError:  # too many open files: try again later instead of spinning
            loop = asyncio.get_running_loop()
            loop.remove_reader(listener)
            loop.call_later(RETRY_S, self._await_callers, listener)

    def _greet(self, connection: socket.socket, address: tuple[Any, ...]) -> None:
        host = self._host_for(tcp_address(str(address[0]), int(address[1])))
        if host is None:
            connection.close()
            return
        connection.setblocking(False)
        loop = asyncio.get_running_loop()
        greeting = loop.create_task(loop.connect_accepted_socket(partial(Visitor, host, connection), connection))
        self._greetings.add(greeting)
        greeting.add_done_callback(self._greetings.discard)

    async def _end(self, listener: socket.socket, farewell: Callable[[], Awaitable[None]]) -> None:
        asyncio.get_running_loop().remove_reader(listener)
        listener.close()
        if self._greetings:
            await asyncio.wait(self._greetings)
        await farewell()
