"""ARCOS packets on the wire: framing and checksum.

Layout::

    FA FB | count | type | payload ... | checksum hi lo
            ^ number of bytes that follow, including the checksum: 3 to 200
"""

from __future__ import annotations

import struct

HEADER = b"\xfa\xfb"
LEAST_COUNT, MOST_COUNT = 3, 200


def checksum(body: bytes) -> int:
    """Return the sum of big-endian 16-bit words modulo 65536, xor a last odd byte."""
    pairs: tuple[int, ...] = struct.unpack(f">{len(body) // 2}H", body[: len(body) & ~1])
    total = sum(pairs) & 0xFFFF
    return total ^ body[-1] if len(body) % 2 else total


def encode(body: bytes) -> bytes:
    """Return the packet around *body* (type and payload)."""
    assert len(body) + 2 <= MOST_COUNT, f"packet {body[0]:#x} is too long: {len(body)} bytes"
    return HEADER + bytes([len(body) + 2]) + body + struct.pack(">H", checksum(body))


class Decoder:
    """Turns a byte stream into packet bodies; never raises on invalid input."""

    def __init__(self) -> None:
        self.buffer = bytearray()
        self.dropped = 0  # bytes that are not part of a valid packet
        self.bad = 0  # packets with a wrong checksum

    def feed(self, data: bytes) -> list[bytes]:
        """Return the bodies (type and payload) completed by *data*."""
        self.buffer += data
        bodies = []
        while self._hunt() and len(self.buffer) >= 3:
            count = self.buffer[2]
            if not LEAST_COUNT <= count <= MOST_COUNT:
                self._drop(len(HEADER))
                continue
            if len(self.buffer) < count + 3:
                break
            body = bytes(self.buffer[3 : count + 1])
            if checksum(body) == int.from_bytes(self.buffer[count + 1 : count + 3], "big"):
                bodies.append(body)
                del self.buffer[: count + 3]
            else:
                self.bad += 1
                self._drop(count + 3)
        return bodies

    def clear(self) -> None:
        """Drop an unfinished packet."""
        self._drop(len(self.buffer))

    def _hunt(self) -> bool:
        """Move a header to the front; a final FA may be the start of one."""
        start = self.buffer.find(HEADER)
        if start < 0:
            self._drop(len(self.buffer) - self.buffer.endswith(HEADER[:1]))
            return False
        self._drop(start)
        return True

    def _drop(self, count: int) -> None:
        self.dropped += count
        del self.buffer[:count]
