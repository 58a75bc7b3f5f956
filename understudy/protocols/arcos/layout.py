"""Packets as tables: rows of (name, struct letters or "z" for NUL-terminated text, value or function of the source)."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from understudy.robots.pioneer.deck import Deck
from understudy.robots.pioneer.firmware import Pioneer
from understudy.robots.pioneer.odometry import WheelOdometry
from understudy.robots.pioneer.sheet import PioneerSheet

Rows = tuple[tuple[str, str, Any], ...]
LONGEST_NAME = 32
_LIMITS = {
    "B": (0, 0xFF), "b": (-0x80, 0x7F), "H": (0, 0xFFFF), "h": (-0x8000, 0x7FFF),
    "I": (0, 0xFFFFFFFF), "i": (-0x80000000, 0x7FFFFFFF),
}  # fmt: skip


class PacketSource(NamedTuple):
    """The data of a packet; the odometry is computed once."""

    unit: Pioneer
    sheet: PioneerSheet
    odometry: WheelOdometry
    deck: Deck

    @staticmethod
    def of(unit: Pioneer) -> PacketSource:
        """Return the current data of a robot."""
        return PacketSource(unit, unit.sheet, unit.odometry, unit.deck)


class Layout:
    """A packet's fields in order, little-endian and without padding; numbers out of range are clipped."""

    def __init__(self, *rows: tuple[str, str, Any]) -> None:
        self.rows: Rows = rows
        self._pieces = [_piece(code, value) for _, code, value in rows]

    def pack(self, view: PacketSource) -> bytes:
        """Return the bytes of the fields."""
        return b"".join([make if isinstance(make, bytes) else packed(make[0], make[1](view)) for make in self._pieces])


def _piece(code: str, value: Any) -> Any:
    """Return the bytes of a constant field, or its code and function."""
    return (code, value) if callable(value) else packed(code, value)


def packed(code: str, value: Any) -> bytes:
    """Return a value, or several, as the bytes of a field.

    >>> packed("HH", (1, 70000)), packed("BB", 3), packed("z", "hi")
    (b'\\x01\\x00\\xff\\xff', b'\\x03\\x03', b'hi\\x00')
    """
    if code == "z":
        return str(value).encode("latin-1", "replace").replace(b"\0", b"")[:LONGEST_NAME] + b"\0"
    values = value if isinstance(value, tuple) else (value,) * len(code)
    clipped = [max(_LIMITS[letter][0], min(_LIMITS[letter][1], round(v))) for letter, v in zip(code, values)]
    return struct.pack(f"<{code}", *clipped)
