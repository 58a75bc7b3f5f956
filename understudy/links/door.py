"""A TCP port for any number of clients: each gets a link of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from understudy.errors import LinkError
from understudy.links.base import Event, Link, LinkInfo, Sink, Traffic, discard
from understudy.links.reception import Reception
from understudy.links.url import parse
from understudy.links.visitor import GoneClients, OneClient, Visitor

Called = Callable[[Link, str], None]  # gets a client's link, not yet open, and its address; in the link thread


class Door:
    """Listens, and passes on a link for each client; at most so many at once."""

    def __init__(self, url: str, label: str, most: int = 1000) -> None:
        wanted = parse(url)
        if wanted.scheme != "tcp":
            raise LinkError(f"{label}: {url!r} does not support several clients; use tcp://HOST:PORT")
        self._reception = Reception(wanted, label, self._guest_from)
        self._most = most
        self._guests: set[Guest] = set()
        self._left = GoneClients()
        self._called: Called | None = None
        self.turned_away = 0  # clients refused because the limit was reached

    @property
    def url(self) -> str:
        """Return the address for clients."""
        return self._reception.url

    def open(self, called: Called) -> None:
        """Start listening; raises LinkError if the port cannot be opened."""
        self._called = called
        self._reception.open()

    @property
    def port(self) -> int:
        """Return the number of the TCP port."""
        return parse(self.url).port

    def close(self) -> None:
        """Stop listening and disconnect all clients."""
        self._reception.close(self._disconnect_all)

    # The methods below run in the link thread.

    def traffic(self, client: int, most_sent: int | None = None) -> Traffic | None:
        """Return the traffic of a client by its TCP port; None if it has not been seen."""
        found = (guest.traffic(client, most_sent) for guest in self._guests)
        return next((each for each in found if each), self._left.get(client))

    def _guest_from(self, address: str) -> Guest | None:
        if len(self._guests) >= self._most:
            self.turned_away += 1
            return None
        guest = Guest(self, address)
        self._guests.add(guest)
        return guest

    def _arrived(self, guest: Guest, visitor: Visitor) -> None:
        self._left.forget(visitor)
        if self._reception.listening and self._called is not None:
            self._called(guest, guest.url)

    def _gone(self, guest: Guest, visitor: Visitor) -> None:
        self._guests.discard(guest)
        self._left.note(visitor)

    async def _disconnect_all(self) -> None:
        for guest in list(self._guests):
            await guest.leave()


class Guest(OneClient):
    """The link to one client of a door: connected before it is opened, and never again once it is closed."""

    def __init__(self, door: Door, url: str) -> None:
        super().__init__()
        self.url = url  # the client's address
        self._door = door
        self._visitor: Visitor | None = None  # kept after the client has disconnected
        self._over = False

    def open(self, sink: Sink) -> None:
        """Start reading from the client; if it has disconnected meanwhile, report that at once."""
        self._outbox.start()
        self._thread.post(self._begin, sink)

    def close(self) -> None:
        """Disconnect the client without reporting it."""
        self._sink = discard
        self.hang_up()

    def info(self) -> LinkInfo:
        """Return address and counters."""
        dropped, waiting = self._outbox.dropped, self._outbox.size
        connected = self._client is not None
        return LinkInfo(self.url, connected, self._received, self._sent, dropped, waiting=waiting)

    # The methods below run in the link thread; a visitor calls them by these names.

    def traffic(self, client: int, most_sent: int | None = None) -> Traffic | None:
        """Return the traffic of the client, if that is its TCP port."""
        visitor = self._visitor
        if visitor is None or visitor.client_port != client:
            return None
        return replace(self._traffic(visitor, most_sent), state="closed" if self._over else "open")

    def _begin(self, sink: Sink) -> None:
        self._sink = sink
        sink(Event.OPENED, b"")
        if self._over or self._client is None:
            self._report_end()
        else:
            self._client.read(True)

    def _arrived(self, visitor: Visitor) -> None:
        self._client = self._visitor = visitor
        visitor.read(False)
        self._door._arrived(self, visitor)

    def _dismiss(self, visitor: Visitor) -> None:
        super()._dismiss(visitor)
        visitor.transport.resume_reading()  # to detect its end

    def _lost(self, visitor: Visitor) -> None:
        self._part()
        self._door._gone(self, visitor)

    def _part(self) -> None:
        self._client = None
        if not self._over:
            self._over = True
            self._outbox.stop()
            self._report_end()

    def _report_end(self) -> None:
        sink, self._sink = self._sink, discard
        sink(Event.CLOSED, b"")

    async def leave(self) -> None:
        """Cut the connection and wait until it is closed."""
        self._part()
        if self._visitor is not None:
            self._visitor.cut()
            await self._visitor.gone
