"""Packets as tables: rows of (name, struct letters or "z" for text with NUL, value or function of what is told)."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from understudy.robots.pioneer import Pioneer
from understudy.robots.pioneer_deck import Deck
from understudy.robots.pioneer_odometry import Odometry
from understudy.robots.pioneer_sheet import PioneerSheet

Rows = tuple[tuple[str, str, Any], ...]
LONGEST_NAME = 32
_LIMITS = {
    "B": (0, 0xFF), "b": (-0x80, 0x7F), "H": (0, 0xFFFF), "h": (-0x8000, 0x7FFF),
    "I": (0, 0xFFFFFFFF), "i": (-0x80000000, 0x7FFFFFFF),
}  # fmt: skip


class View(NamedTuple):
    """What a packet is made of; the odometry is worked out once."""

    unit: Pioneer
    sheet: PioneerSheet
    odometry: Odometry
    deck: Deck

    @staticmethod
    def of(unit: Pioneer) -> View:
        """Return what there is to tell of a robot now."""
        return View(unit, unit.sheet, unit.odometry, unit.deck)


class Layout:
    """A packet's fields in order, little-endian and without gaps; numbers beyond their field are clipped."""

    def __init__(self, *rows: tuple[str, str, Any]) -> None:
        self.rows: Rows = rows
        self._pieces = [_piece(code, value) for _, code, value in rows]

    def pack(self, view: View) -> bytes:
        """Return the bytes of the fields."""
        return b"".join([make if isinstance(make, bytes) else packed(make[0], make[1](view)) for make in self._pieces])


def _piece(code: str, value: Any) -> Any:
    """Return a field's bytes, if they never change, or how to make them."""
    return (code, value) if callable(value) else packed(code, value)


def packed(code: str, value: Any) -> bytes:
    """Return a value, or several, as a field.

    >>> packed("HH", (1, 70000)), packed("BB", 3), packed("z", "hi")
    (b'\\x01\\x00\\xff\\xff', b'\\x03\\x03', b'hi\\x00')
    """
    if code == "z":
        return str(value).encode("latin-1", "replace").replace(b"\0", b"")[:LONGEST_NAME] + b"\0"
    values = value if isinstance(value, tuple) else (value,) * len(code)
    clipped = [max(_LIMITS[letter][0], min(_LIMITS[letter][1], round(v))) for letter, v in zip(code, values)]
    return struct.pack(f"<{code}", *clipped)
