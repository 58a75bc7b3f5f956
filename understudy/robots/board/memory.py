"""The memory of a board: plain values only, so that it can be saved, hashed and restored without a difference."""

from __future__ import annotations

import math
import re
from typing import Any

MOST_VALUES = 10_000
MOST_CHARACTERS = 100_000  # of one text
_DEEPEST = 20
_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character: cannot be encoded
_WANT = "board.memory holds numbers, texts, lists and dicts with texts as keys"


def plain(memory: Any) -> dict[str, Any]:
    """Return a deep copy of a memory, tuples as lists; raises ValueError for what cannot be saved.

    >>> plain({"seen": (1, 2)})
    {'seen': [1, 2]}
    """
    if type(memory) is not dict:
        raise ValueError(f"board.memory is a {type(memory).__name__}; keep the dict and set its entries")
    copy: dict[str, Any] = _Copy().of(memory, "memory", 0)
    return copy


class _Copy:
    """Copies a tree and counts its values."""

    def __init__(self) -> None:
        self._values = 0

    def of(self, value: Any, place: str, depth: int) -> Any:
        """Return the copy of one value; exact types only, since subclasses are not restored."""
        self._values += 1
        if self._values > MOST_VALUES or depth > _DEEPEST:
            raise ValueError(f"board.memory has more than {MOST_VALUES:,} values or {_DEEPEST} levels; keep less in it")
        kind = type(value)
        if kind is dict:
            return {self._key(key, place): self.of(item, f"{place}[{key!r}]", depth + 1) for key, item in value.items()}
        if kind in (list, tuple):
            return [self.of(item, f"{place}[{i}]", depth + 1) for i, item in enumerate(value)]
        if not _is_plain(value):
            raise ValueError(f"{place} is {_described(value)}; {_WANT}")
        return value

    def _key(self, key: Any, place: str) -> str:
        if type(key) is not str or not _is_plain(key):
            raise ValueError(f"{place} has the key {_described(key)}; {_WANT}")
        return key


def _is_plain(value: Any) -> bool:
    """Return whether a single value can be saved: whole numbers up to 64 bits, finite numbers, texts."""
    kind = type(value)
    if kind is int:
        return bool(-(2**63) <= value < 2**63)
    if kind is float:
        return math.isfinite(value)
    if kind is str:
        return len(value) <= MOST_CHARACTERS and (value.isascii() or not _SURROGATE.search(value))
    return value is None or kind is bool


def _described(value: Any) -> str:
    if type(value) in (int, float):
        return "a number out of range (NaN, infinity or more than 64 bits)"
    return "a text that is too long or not valid" if type(value) is str else f"a {type(value).__name__}"
