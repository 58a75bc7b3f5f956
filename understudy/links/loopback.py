"""Links inside one process, for tests and for programs that use the API. No thread, no port: bytes arrive at once."""

from __future__ import annotations

from threading import RLock

from understudy.errors import LinkError
from understudy.links.base import CHUNK, Event, LinkInfo, Sink, Traffic
from understudy.links.url import LinkUrl

LIMIT = 256 * 1024  # most unread bytes of a client


class LoopClient:
    """The program's end of a loop link."""

    def __init__(self, link: LoopLink) -> None:
        self._link = link
        self._inbox = bytearray()
        self._closed = False

    @property
    def closed(self) -> bool:
        """Return whether either side has closed the link."""
        return self._closed

    def send(self, data: bytes) -> None:
        """Send bytes to the robot; lost if the link is closed."""
        self._link._receive(self, data)

    def receive(self) -> bytes:
        """Return the bytes received since the last call."""
        return self._link._collect(self)

    def close(self) -> None:
        """Disconnect; bytes that have arrived can still be received."""
        self._link._leave(self)


class LoopLink:
    """A link within the process. Events are reported in the thread that causes them."""

    def __init__(self, url: LinkUrl, label: str) -> None:
        self._url = str(url)
        self._label = label
        self._lock = RLock()
        self._sink: Sink | None = None
        self._client: LoopClient | None = None
        self._clients = 0
        self._received = self._sent = self._dropped = 0

    def open(self, sink: Sink) -> None:
        """Start listening."""
        with self._lock:
            assert self._sink is None, f"{self._label} is open already"
            self._sink = sink

    def client(self) -> LoopClient:
        """Return the program's end; raises LinkError if there is a client already, or before `open`."""
        with self._lock:
            if self._sink is None:
                raise LinkError(f"loop link {self._label} is not open; start the simulation first")
            if self._client is not None:
                raise LinkError(f"loop link {self._label} already has a client; close it first")
            self._client = LoopClient(self)
            self._clients += 1
            self._sink(Event.OPENED, b"")
            return self._client

    def write(self, data: bytes, client: int | None = None) -> None:
        """Send bytes to this client (default: the current one); what cannot be sent is counted."""
        with self._lock:
            here = self._client if client in (None, self._clients) else None
            if here is None or len(here._inbox) + len(data) > LIMIT:
                self._dropped += len(data)
            else:
                here._inbox += data
                self._sent += len(data)

    def hold_back(self, on: bool) -> None:
        """Do nothing: a client in the process never blocks."""

    def hang_up(self, client: int | None = None) -> None:
        """Disconnect this client (default: the current one); keep listening."""
        with self._lock:
            if self._client is not None and client in (None, self._clients):
                self._leave(self._client)

    def close(self) -> None:
        """Stop listening and disconnect the client."""
        with self._lock:
            self.hang_up()
            self._sink = None

    def info(self) -> LinkInfo:
        """Return address and counters."""
        with self._lock:
            waiting = len(self._client._inbox) if self._client else 0
            connected = self._client is not None
            return LinkInfo(self._url, connected, self._received, self._sent, self._dropped, waiting=waiting)

    def traffic(self, client: int, most_sent: int | None = None) -> Traffic | None:
        """Return nothing: its client is in this process."""
        return None

    def _receive(self, client: LoopClient, data: bytes) -> None:
        with self._lock:
            if client is not self._client or self._sink is None:
                return
            self._received += len(data)
            for start in range(0, len(data), CHUNK):
                self._sink(Event.DATA, bytes(data[start : start + CHUNK]))

    def _collect(self, client: LoopClient) -> bytes:
        with self._lock:
            data = bytes(client._inbox)
            client._inbox.clear()
            return data

    def _leave(self, client: LoopClient) -> None:
        with self._lock:
            client._closed = True
            if client is self._client and self._sink is not None:
                self._client = None
                self._sink(Event.CLOSED, b"")
