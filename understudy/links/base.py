"""The link contract: a byte stream to one client at a time, independent of the protocol."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import KW_ONLY
from enum import Enum
from typing import Literal, Protocol

from understudy.frozen import frozen

CHUNK = 4096  # bytes; the most that one DATA event carries


class Event(Enum):
    """Events that a link reports to the run loop: each OPENED is followed by DATA and LINE events and by one CLOSED."""

    OPENED = "opened"
    DATA = "data"
    LINE = "line"  # the client has changed its serial settings; the bytes are an encoded LineState
    CLOSED = "closed"


@frozen
class LineState:
    """What a client has set on its end of a serial line."""

    baud: int = 0  # 0: not known
    rts: bool = True
    dtr: bool = True
    breaking: bool = False  # it holds the line low

    def encode(self) -> bytes:
        """Return the bytes of a LINE event."""
        return _LINE.pack(self.baud, self.rts, self.dtr, self.breaking)

    @classmethod
    def decode(cls, data: bytes) -> LineState | None:
        """Return the state that `encode` gave *data* for; None if it did not."""
        if len(data) != _LINE.size:
            return None
        return cls(*_LINE.unpack(data))


_LINE = struct.Struct(">I???")


Sink = Callable[[Event, bytes], None]  # called in the link thread; must only enqueue, never call the link


def discard(event: Event, data: bytes) -> None:
    """Discard events while there is no sink."""


@frozen
class LinkInfo:
    """How a client connects to a link, and the link's counters."""

    url: str  # address for clients: tcp://127.0.0.1:8101, /path/to/pty
    connected: bool
    received: int  # bytes
    sent: int  # bytes passed to the operating system
    dropped: int  # bytes dropped because no client was connected, or because the client reads too slowly
    notice: str = ""  # one sentence, if the link differs from the requested one
    _: KW_ONLY
    lost: int = 0  # received bytes that the simulation had no room for
    waiting: int = 0  # bytes that the client has not taken yet, besides those in buffers of the system


@frozen
class Traffic:
    """What has passed between a link and one client since it connected, in bytes on the wire."""

    received: int
    sent: int  # passed to the operating system
    state: Literal["waiting", "open", "closed"] = "open"  # waiting: the link has not decided yet whether to serve it
    reading: bool = True  # False: what the client sends waits in the system


class TrafficSource(Protocol):
    """What knows the traffic of single clients: a link, or a door."""

    def traffic(self, client: int, most_sent: int | None = None) -> Traffic | None:
        """Return the traffic of a client by its TCP port, or N of its /dev/pts/N; None if it has not been seen.

        From now on the client is sent at most *most_sent* bytes in all; the others wait. It must be called in the link
        thread.
        """
        ...


class Link(Protocol):
    """One end of a connection. `open` may raise LinkError; nothing else raises.

    A link counts its clients from 1 on. What is meant for one of them is dropped when another one has taken its place.
    """

    def open(self, sink: Sink) -> None:
        """Start listening; events go to *sink* from the link thread."""
        ...

    def write(self, data: bytes, client: int | None = None) -> None:
        """Send bytes to this client (default: the current one) without blocking; what cannot be sent is counted."""
        ...

    def hold_back(self, on: bool) -> None:
        """Stop reading from the client, whose writes then block as on a slow line; or go on.

        A new client is read from. A link inside the process need not do anything.
        """
        ...

    def hang_up(self, client: int | None = None) -> None:
        """Disconnect this client (default: the current one); keep listening."""
        ...

    def close(self) -> None:
        """Stop listening, and remove the published name."""
        ...

    def info(self) -> LinkInfo:
        """Return address and counters."""
        ...

    def traffic(self, client: int, most_sent: int | None = None) -> Traffic | None:
        """Return the traffic of a client by its TCP port, or N of its /dev/pts/N; None if it has not been seen.

        From now on the client is sent at most *most_sent* bytes in all; the others wait. It must be called in the link
        thread.
        """
        ...
