"""The send queue of a link: bounded, filled from any thread, emptied by the link."""

from __future__ import annotations

from collections import deque
from threading import Lock


class Outbox:
    """A queue of whole writes; writes that do not fit are dropped and counted."""

    def __init__(self, limit: int) -> None:
        self._limit = limit  # bytes; a single write may be longer
        self._lock = Lock()
        self._writes: deque[bytes] = deque()
        self._size = 0
        self._taking = False
        self.client = 0  # the number of the current client, or of the last one
        self.dropped = 0  # bytes

    @property
    def size(self) -> int:
        """Return how many bytes wait."""
        return self._size

    def put(self, data: bytes, client: int | None = None) -> bool:
        """Queue one write if it fits, and if it is for the current client; return whether to wake the sending side."""
        with self._lock:
            here = self._taking and client in (None, self.client)
            if not here or (self._size and self._size + len(data) > self._limit):
                self.dropped += len(data)
                return False
            idle = not self._size
            if data:
                self._writes.append(bytes(data))
                self._size += len(data)
            return idle

    def take(self, most: int | None = None) -> bytes:
        """Remove and return the oldest write, or the first *most* bytes of it; empty if there is none."""
        with self._lock:
            if not self._writes or (most is not None and most <= 0):
                return b""
            data = self._writes.popleft()
            if most is not None and len(data) > most:
                self._writes.appendleft(data[most:])
                data = data[:most]
            self._size -= len(data)
            return data

    def put_back(self, rest: bytes) -> None:
        """Put back the unsent rest of a write that was taken; it stays the oldest."""
        with self._lock:
            if self._taking:
                self._writes.appendleft(rest)
                self._size += len(rest)
            else:
                self.dropped += len(rest)

    def start(self) -> None:
        """Accept writes from now on: the next client is connected."""
        with self._lock:
            self._taking = True
            self.client += 1

    def stop(self) -> None:
        """Drop waiting and future writes: no client is connected."""
        with self._lock:
            self._taking = False
            self._clear()

    def clear(self) -> None:
        """Drop waiting writes; accept later ones as before."""
        with self._lock:
            self._clear()

    def _clear(self) -> None:
        self.dropped += self._size
        self._writes.clear()
        self._size = 0
