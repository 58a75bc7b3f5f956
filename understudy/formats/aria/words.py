"""Words, quotes and numbers in the header lines of ARIA's map files."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

BLANKS = " \t\r\n\f\v"
_WORD = re.compile(r'(?:"[^"]*(?:"|$)|[^\s"])+', re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")  # would end a line, or be invisible
_BARE = re.compile(r'[^\s"]+', re.ASCII)


def words(text: str) -> list[str]:
    """Return the words of a line; quoted text is one word, and may be empty.

    >>> words('Goal 1 2 0 "" ICON "By the door" "Desc=a b"')
    ['Goal', '1', '2', '0', '', 'ICON', 'By the door', 'Desc=a b']
    """
    return [found.replace('"', "") for found in _WORD.findall(text)]


def quoted(text: str) -> str:
    """Return *text* in quotes; characters not allowed inside are replaced.

    >>> quoted('the "old" lab')
    '"the \\'old\\' lab"'
    """
    return '"' + _CONTROL.sub(" ", text).replace('"', "'") + '"'


def number_or_quoted(text: str) -> str:
    """Return a number unchanged and anything else in quotes."""
    return text if _NUMBER.fullmatch(text) else quoted(text)


def word_or_quoted(text: str) -> str:
    """Return a single word unchanged and anything else in quotes."""
    return text if _BARE.fullmatch(one_line(text)) else quoted(text)


def one_line(text: str) -> str:
    """Return *text* without line breaks and surrounding blanks."""
    return _CONTROL.sub(" ", text).strip(BLANKS)


def number(word: str) -> float:
    """Return *word* as a number; raises ValueError for anything else, including infinity."""
    if not _NUMBER.fullmatch(word):
        raise ValueError(f"not a number: {word!r}")
    value = float(word)
    if not math.isfinite(value):
        raise ValueError(f"too large: {word!r}")
    return value


def metres(word: str) -> float:
    """Return millimetres as metres (m)."""
    return number(word) / 1000


def as_mm(value_m: float) -> str:
    """Return the shortest number of millimetres that reads back as exactly these metres.

    >>> as_mm(1.234), as_mm(-0.0005), as_mm(0.1 + 0.2)
    ('1234', '-0.5', '300.00000000000006')
    """
    exact = value_m * 1000
    near = (_plain(round(exact, digits)) for digits in range(12))
    return next((text for text in near if float(text) / 1000 == value_m), _plain(exact))


def rounded_mm(value_mm: float) -> str:
    """Return a computed number of millimetres without rounding noise.

    >>> rounded_mm(1499.9999999997), rounded_mm(-1e-12)
    ('1500', '0')
    """
    return _plain(round(value_mm, 6))


def as_degrees(angle_rad: float) -> str:
    """Return the shortest number of degrees that reads back as exactly this angle.

    >>> as_degrees(math.radians(-48.5763))
    '-48.5763'
    """
    exact = math.degrees(angle_rad)
    return next((text for text in _near(exact) if math.radians(float(text)) == angle_rad), _plain(exact))


def _near(value: float) -> Iterator[str]:
    yield from (_plain(round(value, digits)) for digits in range(16))
    yield from map(_plain, (value, math.nextafter(value, math.inf), math.nextafter(value, -math.inf)))


def _plain(value: float) -> str:
    """Return a number without trailing zeros, and -0 as 0."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
