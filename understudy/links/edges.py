"""Events of a descriptor that is always "ready", such as a pseudo-terminal that no program has open: only changes."""

from __future__ import annotations

import select
from typing import Protocol


class EdgePoll(Protocol):
    """A descriptor that is ready once for each event."""

    def fileno(self) -> int:
        """Return the descriptor."""
        ...

    def poll(self, timeout: float) -> object:
        """Take the event."""
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


def edge_poll(file: int) -> EdgePoll | None:
    """Return what tells of events of *file*; None where the system has nothing for it."""
    if not hasattr(select, "epoll"):
        return None
    try:
        edges = select.epoll()
    except OSError:  # out of descriptors: polling does, too
        return None
    edges.register(file, select.EPOLLIN | select.EPOLLET)
    return edges
