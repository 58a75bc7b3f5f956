"""The link contract: how bytes travel. Knows no protocol."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

CHUNK = 4096  # bytes; the most that one DATA event carries


class Event(Enum):
    """What a link reports to the run loop: each OPENED is followed by its DATA and by one CLOSED."""

    OPENED = "opened"
    DATA = "data"
    CLOSED = "closed"


Sink = Callable[[Event, bytes], None]  # called in the link thread; must only enqueue, never call the link


@dataclass(frozen=True, slots=True)
class LinkInfo:
    """What a user needs to know to plug in, and how it is going."""

    url: str  # how a client reaches it: tcp://127.0.0.1:8101, /path/to/pty
    connected: bool
    received: int  # bytes
    sent: int  # bytes handed to the system
    dropped: int  # bytes that nobody was there for, or that a slow reader left no room for
    notice: str = ""  # one sentence, if the link is not quite what was asked for


class Link(Protocol):
    """One end of a cable. `open` may raise LinkError; nothing else raises."""

    def open(self, sink: Sink) -> None:
        """Start listening; events go to *sink* from the link thread."""
        ...

    def write(self, data: bytes) -> None:
        """Send bytes; what nobody takes is dropped and counted, never waited for."""
        ...

    def hang_up(self) -> None:
        """Send the present client away; go on listening."""
        ...

    def close(self) -> None:
        """Stop; removes whatever name was published."""
        ...

    def info(self) -> LinkInfo:
        """Return address and counters."""
        ...
