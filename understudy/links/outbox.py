"""What waits to be sent: bounded, filled from any thread, emptied by the link."""

from __future__ import annotations

from collections import deque
from threading import Lock


class Outbox:
    """A queue of whole writes that drops, and counts, what a wire would lose."""

    def __init__(self, limit: int) -> None:
        self._limit = limit  # bytes; one single write may be longer
        self._lock = Lock()
        self._writes: deque[bytes] = deque()
        self._size = 0
        self._taking = False
        self.dropped = 0  # bytes

    def put(self, data: bytes) -> bool:
        """Keep one write if it fits; say whether the emptying side must be woken."""
        with self._lock:
            if not self._taking or (self._size and self._size + len(data) > self._limit):
                self.dropped += len(data)
                return False
            idle = not self._size
            if data:
                self._writes.append(bytes(data))
                self._size += len(data)
            return idle

    def take(self) -> bytes:
        """Return the oldest write; empty if there is none."""
        with self._lock:
            if not self._writes:
                return b""
            data = self._writes.popleft()
            self._size -= len(data)
            return data

    def put_back(self, rest: bytes) -> None:
        """Keep the unsent end of a write that was taken; it stays the oldest."""
        with self._lock:
            if self._taking:
                self._writes.appendleft(rest)
                self._size += len(rest)
            else:
                self.dropped += len(rest)

    def start(self) -> None:
        """Take writes from now on: somebody is there to read them."""
        with self._lock:
            self._taking = True

    def stop(self) -> None:
        """Drop what waits and whatever comes: nobody is there."""
        with self._lock:
            self._taking = False
            self.dropped += self._size
            self._writes.clear()
            self._size = 0
