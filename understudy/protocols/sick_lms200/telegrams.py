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
MOST_STARTS = 16  # of telegrams that would end with the same byte; in true garbage there are far fewer
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


Fit = Literal["bad", "unfinished", "none"]


class Decoder:
    """Turns a byte stream into bodies; a valid telegram is found behind any garbage, also behind a false start."""

    def __init__(self, *addresses: int, buffer: bytes = b"") -> None:
        self._addresses = (BROADCAST, *addresses)
        self.buffer = bytearray()
        self.dropped = 0  # bytes that are not part of a valid telegram
        self._taken = 0  # bytes that came before the buffer
        self._ends: dict[int, list[int]] = {}  # where telegrams would end that have begun, and where they begin
        for byte in buffer:
            self._append(byte)

    def put(self, byte: int) -> Received | None:
        """Take one byte; returns the telegram that it completes."""
        self._append(byte)
        body = self._ending_here()
        if body is not None:
            return Received(body)
        bad = self._fit() == "bad"
        while self.buffer and self._fit() in ("bad", "none"):
            self._drop(1)
        return Received(b"", valid=False) if bad else None

    def _append(self, byte: int) -> None:
        """Add a byte, and note where a telegram ends whose head it completes."""
        self.buffer.append(byte)
        start = len(self.buffer) - HEAD
        if start >= 0 and (length := self._length(start)):
            begun = self._ends.setdefault(self._taken + start + HEAD + length + CHECK, [])
            if len(begun) < MOST_STARTS:
                begun.append(self._taken + start)

    def _length(self, start: int) -> int:
        """Return the length in a head; 0 if that is not one."""
        mark, address, low, high = self.buffer[start : start + HEAD]
        length = low | high << 8
        return length if mark == STX and address in self._addresses and length <= MOST_LENGTH else 0

    def _ending_here(self) -> bytes | None:
        """Return the body of a valid telegram that ends with the newest byte, and remove it."""
        for begun in self._ends.pop(self._taken + len(self.buffer), ()):
            start = begun - self._taken
            if start >= 0 and crc(self.buffer[start:-CHECK]) == int.from_bytes(self.buffer[-CHECK:], "little"):
                body = bytes(self.buffer[start + HEAD : -CHECK])
                self.dropped += start
                self._clear()
                return body
        return None

    def _fit(self) -> Fit:
        """Return what the buffer begins with, where no valid telegram ends with the newest byte."""
        if self.buffer[0] != STX or (len(self.buffer) > 1 and self.buffer[1] not in self._addresses):
            return "none"
        if len(self.buffer) < HEAD:
            return "unfinished"
        length = self._length(0)
        if not length:
            return "none"
        return "unfinished" if len(self.buffer) < HEAD + length + CHECK else "bad"

    def forget(self) -> None:
        """Drop an unfinished telegram."""
        self.dropped += len(self.buffer)
        self._clear()

    def _clear(self) -> None:
        self.buffer.clear()
        self._ends.clear()
        self._taken = 0

    def _drop(self, count: int) -> None:
        self.dropped += count
        self._taken += count
        del self.buffer[:count]
