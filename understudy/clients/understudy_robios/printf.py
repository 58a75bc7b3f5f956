"""Text as C's printf makes it, for programs in Python: %d of a float, missing and surplus arguments are all right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from .values import text

_PLACE = re.compile(r"%([-+ #0']*)(\*|\d+)?(?:\.(\*|-?\d*))?(?:hh|h|ll|l|q|j|z|t|L)?([diouxXcsfFeEgGaAp%n])")
_MOST_WIDTH = 10_000  # a wider field is a mistake


def printf(pattern: Any, *values: Any) -> str:
    """Return what C prints; surplus arguments are ignored, missing ones are 0 or empty."""
    remaining = iter(values)
    return _PLACE.sub(lambda place: _shown(place, remaining), text(pattern))


def _shown(place: re.Match[str], remaining: Iterator[Any]) -> str:
    flags, width, precision, kind = place.groups()
    if kind == "%":
        return "%"
    if kind == "n":
        next(remaining, None)
        return ""
    space = _star(width, remaining)
    digits = _star(precision, remaining)
    if width == "*" and space is not None and space < 0:
        flags, space = flags + "-", -space
    value = next(remaining, None)
    spec = "%" + flags.replace("'", "") + ("" if space is None else str(space))
    return _KINDS[kind](spec, None if digits is not None and digits < 0 else digits, kind, value)


def _star(given: str | None, remaining: Iterator[Any]) -> int | None:
    """Return a width or precision; `*` takes an argument."""
    if given is None:
        return None
    number = _int(next(remaining, 0)) if given == "*" else int(given or 0)
    return max(-_MOST_WIDTH, min(number, _MOST_WIDTH))


def _int(value: Any) -> int:
    value = getattr(value, "value", value)
    if value is None:
        return 0
    if isinstance(value, (str, bytes)) and len(value) == 1:
        return ord(value)
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return 0


def _float(value: Any) -> float:
    try:
        return float(getattr(value, "value", value))
    except (TypeError, ValueError, OverflowError):
        return 0.0


def _whole(spec: str, digits: int | None, kind: str, value: Any) -> str:
    if isinstance(value, str) and len(value) != 1 and not value.strip().lstrip("+-").isdigit():
        return _string(spec, None, kind, value)  # no number: show what it is
    number = _int(value)
    if kind in "ouxX" and number < 0:
        number += 1 << (32 if number >= -(1 << 31) else 64)
    form = "d" if kind in "iu" else kind
    if form == "o":
        spec = spec.replace("#", "")  # Python writes 0o17
    precision = "" if digits is None else f".{digits}"
    return (spec + precision + form) % number


def _real(spec: str, digits: int | None, kind: str, value: Any) -> str:
    if kind in "aA":
        shown = _float(value).hex()
        return _string(spec, None, kind, shown.upper() if kind == "A" else shown)
    return (spec + ("" if digits is None else f".{digits}") + kind) % _float(value)


def _string(spec: str, digits: int | None, kind: str, value: Any) -> str:
    shown = "" if value is None else text(value)
    return (_plain(spec) + "s") % (shown if digits is None else shown[:digits])


def _character(spec: str, digits: int | None, kind: str, value: Any) -> str:
    if isinstance(value, (str, bytes)) and len(value) != 1:
        shown = text(value)[:1]
    else:
        shown = chr(_int(value) & 255)
    return (_plain(spec) + "s") % shown


def _pointer(spec: str, digits: int | None, kind: str, value: Any) -> str:
    return (_plain(spec) + "s") % hex(_int(value))


def _plain(spec: str) -> str:
    """Return a specification with the flags that texts have."""
    return re.sub(r"^%[-+ #0]*", lambda flags: "%-" if "-" in flags[0] else "%", spec)


_KINDS: dict[str, Callable[[str, int | None, str, Any], str]] = {
    **dict.fromkeys("diouxX", _whole),
    **dict.fromkeys("fFeEgGaA", _real),
    "s": _string,
    "c": _character,
    "p": _pointer,
}
