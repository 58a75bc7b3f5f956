"""Telegrams of a SICK LMS-200 on the wire: framing and check sum; numbers are little-endian.

Layout::

    02 | address | length lo hi | command, data ... [status] | check sum lo hi
                   ^ of what follows, without the check sum; only the scanner sends a status
"""

from __future__ import annotations

import struct
from typing import Literal, NamedTuple

STX, ACK, NAK = 0x02, b"\x06", b"\x15"
FROM_SCANNER = 0x80
BROADCAST = 0x00
HEAD, CHECK = 4, 2  # bytes around the body
MOST_LENGTH = 812
_GENERATOR = 0x8005


def crc(data: bytes | bytearray) -> int:
    """Return the check sum: each step adds a byte together with the one before it.

    >>> hex(crc(bytes.fromhex("0200010031")))
    '0x1215'
    """
    value = before = 0
    for byte in data:
        carry = value & 0x8000
        value = (value << 1) & 0xFFFF
        value ^= (_GENERATOR if carry else 0) ^ (before << 8 | byte)
        before = byte
    return value


def encode(body: bytes, address: int = BROADCAST) -> bytes:
    """Return the telegram around *body*.

    >>> encode(bytes([0x31])).hex(" ")
    '02 00 01 00 31 15 12'
    """
    data = struct.pack("<BBH", STX, address, len(body)) + body
    return data + struct.pack("<H", crc(data))


class Received(NamedTuple):
    """A telegram for the scanner; one with a wrong check sum has no *body*."""

    body: bytes
    valid: bool = True


Fit = Literal["whole", "bad", "unfinished", "none"]


class Decoder:
    """Turns a byte stream into bodies; a valid telegram is found behind any garbage, also behind a false start."""

    def __init__(self, address: int) -> None:
        self._addresses = (BROADCAST, address)
        self.buffer = bytearray()
        self.dropped = 0  # bytes that are not part of a valid telegram

    def put(self, byte: int) -> Received | None:
        """Take one byte; returns the telegram that it completes."""
        self.buffer.append(byte)
        body = self._ending_here()
        if body is not None:
            return Received(body)
        bad = self._fit(0) == "bad"
        while self.buffer and self._fit(0) in ("bad", "none"):
            self._drop(1)
        return Received(b"", valid=False) if bad else None

    def _ending_here(self) -> bytes | None:
        """Return the body of a valid telegram that ends with the newest byte, and remove it."""
        start = self.buffer.find(STX)
        while start >= 0:
            if self._fit(start) == "whole":
                self._drop(start)
                body = bytes(self.buffer[HEAD:-CHECK])
                self.buffer.clear()
                return body
            start = self.buffer.find(STX, start + 1)
        return None

    def _fit(self, start: int) -> Fit:
        """Return what the bytes from *start* on are."""
        size = len(self.buffer) - start
        if self.buffer[start] != STX or (size > 1 and self.buffer[start + 1] not in self._addresses):
            return "none"
        if size < HEAD:
            return "unfinished"
        length = self.buffer[start + 2] | self.buffer[start + 3] << 8
        if not 1 <= length <= MOST_LENGTH:
            return "none"
        missing = HEAD + length + CHECK - size
        if missing > 0:
            return "unfinished"
        right = missing == 0 and crc(self.buffer[start:-CHECK]) == int.from_bytes(self.buffer[-CHECK:], "little")
        return "whole" if right else "bad"

    def forget(self) -> None:
        """Drop an unfinished telegram."""
        self._drop(len(self.buffer))

    def _drop(self, count: int) -> None:
        self.dropped += count
        del self.buffer[:count]
