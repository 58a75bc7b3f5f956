"""TCP links: one listening port, one client at a time.

A second client is accepted and disconnected at once, unless the first one may be disconnecting: its last bytes or its
end of stream may still be unread when the next one connects.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from understudy.links.base import Event, LinkInfo, Sink, Traffic
from understudy.links.reception import Reception
from understudy.links.url import LinkUrl
from understudy.links.visitor import GoneClients, OneClient, Visitor

LOOK_S = 0.01  # interval of checks whether the client is disconnecting, while another one waits
LOOKS = 100  # most checks per client, since it may never stop sending


class TcpLink(OneClient):
    """A TCP port on which one program at a time talks to the robot."""

    def __init__(self, url: LinkUrl, label: str, stand_in: str = "") -> None:
        super().__init__()
        self._reception = Reception(url, label, lambda address: self)
        self._label = label
        self._stand_in = stand_in  # why this replaces the requested link
        self._visitors: set[Visitor] = set()
        self._gone = GoneClients()
        self._waiting: list[Visitor] = []
        self._looking = False
        self._looks = LOOKS

    def open(self, sink: Sink) -> None:
        """Start listening; raises LinkError if the port cannot be opened."""
        self._sink = sink
        self._reception.open()

    def close(self) -> None:
        """Stop listening and end the connection."""
        self._reception.close(self._end)

    def info(self) -> LinkInfo:
        """Return address and counters."""
        url, connected = self._reception.url, self._client is not None
        notice = f"{self._stand_in}: {self._label} listens on {url} instead" if self._stand_in else ""
        dropped, waiting = self._outbox.dropped, self._outbox.size
        return LinkInfo(url, connected, self._received, self._sent, dropped, notice, waiting=waiting)

    # The methods below run in the link thread.

    def traffic(self, client: int, most_sent: int | None = None) -> Traffic | None:
        """Return the traffic of a client by its TCP port; None if it has not been seen."""
        for visitor in self._visitors:
            if visitor.client_port == client:
                dismissed = visitor is not self._client and visitor not in self._waiting
                found = self._traffic(visitor, most_sent)
                return replace(found, state="closed") if dismissed else found
        return self._gone.get(client)

    async def _end(self) -> None:
        self._drain()
        self._part()
        self._looking = False
        for visitor in self._visitors:
            visitor.cut()
        if self._visitors:
            await asyncio.wait([visitor.gone for visitor in self._visitors])

    def _arrived(self, visitor: Visitor) -> None:
        self._visitors.add(visitor)
        self._gone.forget(visitor)
        if not self._reception.listening:
            visitor.cut()
        elif self._client is None:
            self._admit(visitor)
        else:
            visitor.transport.pause_reading()
            self._waiting.append(visitor)
            if not self._looking:
                self._review()

    def _review(self) -> None:
        """Disconnect waiting clients, unless the current one may be disconnecting; then check again later."""
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
        self._outbox.start()
        self._client = visitor
        self._looks = LOOKS
        self._sink(Event.OPENED, b"")

    def _lost(self, visitor: Visitor) -> None:
        self._visitors.discard(visitor)
        self._gone.note(visitor)
        if visitor in self._waiting:
            self._waiting.remove(visitor)
        if visitor is self._client:
            self._part()

    def _part(self) -> None:
        """Report that the client has disconnected, and admit a waiting one."""
        if self._client is not None:
            self._client = None
            self._outbox.stop()
            self._sink(Event.CLOSED, b"")
        while self._reception.listening and self._client is None and self._waiting:
            self._call_in(self._waiting.pop(0))

    def _call_in(self, visitor: Visitor) -> None:
        if not visitor.transport.is_closing():
            self._admit(visitor)
            visitor.transport.resume_reading()
