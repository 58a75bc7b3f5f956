"""Requests out of a stream of bytes: the length of a packet follows from its opcode.

What is not a packet is dropped: the decoder looks for the next header and counts.
"""

from __future__ import annotations

from understudy.formats.rcx.isa import request_size
from understudy.robots.rcx.packets import HEADER

MOST_BUFFER = 2 * 4096  # bytes of a packet; tools send blocks of 20 and, of firmware, 200


_COMPLEMENT = bytes(255 - n for n in range(256))


def _complementary(pairs: bytes | bytearray) -> bool:
    """Return whether every byte is followed by its complement, as far as it has come."""
    firsts, seconds = bytes(pairs[: len(pairs) // 2 * 2 : 2]), bytes(pairs[1::2])
    return firsts.translate(_COMPLEMENT) == seconds


class RcxDecoder:
    """Turns bytes of the line into requests; never raises."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.dropped = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Return the requests that *data* completes."""
        self._buffer += data
        found: list[bytes] = []
        while True:
            self._seek()
            size = self._size()
            if size < 0:
                self._drop(1)
                continue
            if not size:
                return found
            found.append(bytes(self._buffer[len(HEADER) : size - 2 : 2]))
            del self._buffer[:size]

    def _seek(self) -> None:
        """Drop what stands before the next header, or what may become one."""
        at = self._buffer.find(HEADER)
        if at < 0:
            ends = (n for n in (2, 1) if self._buffer.endswith(HEADER[:n]))
            at = len(self._buffer) - next(ends, 0)
        if at:
            self._drop(at)

    def _drop(self, count: int) -> None:
        self.dropped += count
        del self._buffer[:count]

    def _size(self) -> int:
        """Return the length of the packet at the front, 0 while it is unknown, -1 if it is not one."""
        pairs = self._buffer[len(HEADER) : len(HEADER) + 10]
        if not _complementary(pairs[:2]):
            return -1
        content = bytes(pairs[1::2]).translate(_COMPLEMENT)  # whole pairs only
        if not content:
            return 0
        size = request_size(content)
        whole = MOST_BUFFER if size is None else len(HEADER) + 2 * (size + 1)
        if whole >= MOST_BUFFER or not _complementary(self._buffer[len(HEADER) : whole if size else None]):
            return -1
        if not size or len(self._buffer) < whole:
            return 0
        *data, check = self._buffer[len(HEADER) : whole : 2]
        return whole if sum(data) & 0xFF == check else -1

    def clear(self) -> None:
        """Discard half a packet."""
        self._buffer.clear()

    def state(self) -> dict[str, object]:
        """Return what has come of a packet."""
        return {"buffer": self._buffer.hex(), "dropped": self.dropped}

    def restore(self, buffer: str, dropped: int) -> None:
        """Continue from a saved state."""
        self._buffer, self.dropped = bytearray.fromhex(buffer), dropped
