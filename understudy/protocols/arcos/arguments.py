"""Arguments of ARCOS commands: a type byte, then the value; a missing argument is 0.

Types: 3B is an integer, 1B a negative integer, 2B a length byte and text, or a block. Numbers are little-endian.
"""

from __future__ import annotations

import math
import struct
from enum import Enum

from understudy.units import wrap_rad

NEGATIVE = 0x1B
LONGEST_TEXT = 128


class Arg(Enum):
    """The argument type of a command."""

    NONE = "none"
    INT = "int"
    TEXT = "text"
    BYTES2 = "two bytes as int"
    BLOCK = "block"
    POSE = "i32 x 3"
    INDEXED = "int, optional u8"


def integer(arg: bytes) -> int:
    """Return an integer argument, signed.

    >>> integer(bytes.fromhex("3b c8 00")), integer(bytes.fromhex("1b c8 00")), integer(b"")
    (200, -200, 0)
    """
    kind, value = struct.unpack("<BH", arg[:3].ljust(3, b"\0"))
    value = -value if kind == NEGATIVE else value
    return int((value + 0x8000) % 0x10000 - 0x8000)


def indexed(arg: bytes) -> tuple[int, int]:
    """Return an integer and the number of its device, 0 if not given."""
    return integer(arg), arg[3] if len(arg) > 3 else 0


def two_bytes(arg: bytes) -> tuple[int, int]:
    """Return the high and the low byte of an integer, whose sign is part of them.

    >>> two_bytes(bytes.fromhex("1b fb 04")), two_bytes(bytes.fromhex("3b 05 0f"))
    ((251, 5), (15, 5))
    """
    value = integer(arg)
    return value >> 8 & 0xFF, value & 0xFF


def signed(byte: int) -> int:
    """Return a byte as a number from -128 to 127."""
    return byte - 256 if byte > 127 else byte


def block(arg: bytes) -> bytes:
    """Return the bytes of a text argument, as many as its length byte says."""
    return arg[2 : 2 + arg[1]] if len(arg) > 1 else b""


def plain(data: bytes) -> str:
    """Return bytes as one line of printable text, safe for logs and terminals.

    >>> plain(b"hi\\r\\n\\x1b[2J\\0 there")
    'hi[2J there'
    """
    text = data.decode("utf-8", "replace").replace("\n", " ").replace("\t", " ")
    return " ".join("".join(c for c in text if c.isprintable()).split())


def text(arg: bytes) -> str:
    """Return a text argument, truncated as in MobileSim."""
    return plain(block(arg)[:LONGEST_TEXT])


def pose(arg: bytes, layout: str) -> tuple[float, float, float]:
    """Return x, y (m) and heading (rad) from a type byte and three integers in mm and degrees."""
    size = struct.calcsize(layout)
    x, y, heading = struct.unpack(layout, arg[1 : size + 1].ljust(size, b"\0"))
    return x / 1000, y / 1000, wrap_rad(math.radians(heading))
