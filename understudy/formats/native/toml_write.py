"""Plain tables to TOML text, in SI units, or in degrees and milliseconds where these are exact."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import date, time
from typing import Any

from understudy.world.rules import alternatives, to_unit

SECTIONS = ("device", "unit", "port")  # tables of named parts: [robot.device.front]
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_WIDTH = 100
_FEW = 2  # up to so many keys of a named part are written in the robot's own table: device.front.max_m = 30


# ---- values


def value_text(value: Any) -> str:
    """Return *value* in one line.

    >>> value_text({"x_m": 1.0, "tags": ["a", True]})
    '{x_m = 1.0, tags = ["a", true]}'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key_text(key)} = {value_text(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(value_text, value)) + "]"


def key_text(*path: str) -> str:
    """Return a key, dotted and quoted as needed.

    >>> key_text("device", "my front")
    'device."my front"'
    """
    return ".".join(part if _BARE_KEY.fullmatch(part) else string_text(part) for part in path)


def string_text(value: str) -> str:
    """Return a basic string, escaped for TOML: as in JSON, and the delete character too.

    >>> string_text('8" wide\\n')
    '"8\\\\" wide\\\\n"'
    """
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def pair_text(key: str, value: Any) -> str:
    """Return ``key = value`` with a line ending; a long list has one line per item."""
    line = f"{key} = {value_text(value)}"
    if len(line) <= _WIDTH or not isinstance(value, list | tuple):
        return line + "\n"
    items = "".join(f"    {value_text(item)},\n" for item in value)
    return f"{key} = [\n{items}]\n"


# ---- tables


def table_text(header: str, table: Mapping[str, Any], brackets: str = "[]") -> str:
    """Return ``[header]`` and its keys; named parts become tables of their own after it."""
    text = brackets[: len(brackets) // 2] + header + brackets[len(brackets) // 2 :] + "\n"
    return text + "".join(_pairs(table)) + "".join(_parts(header, table))


def tables_text(key: str, value: Mapping[str, Any]) -> str:
    """Return the table of a key of a file; named parts have a table each: ``[port.NAME]``."""
    if key not in SECTIONS:
        return table_text(key, value)
    return "\n".join(table_text(key_text(key, name), part) for name, part in value.items())


def element_text(key: str, table: Mapping[str, Any]) -> str:
    """Return ``[[key]]`` and its keys."""
    return table_text(key, table, "[[]]")


def pairs_text(path: tuple[str, ...], value: Any) -> str:
    """Return the lines that give *value* to a key; a named part is written key by key."""
    if isinstance(value, Mapping) and value and _named_part(path):
        return "".join(pairs_text((*path, key), item) for key, item in value.items())
    return pair_text(key_text(*path), value)


def _named_part(path: tuple[str, ...]) -> bool:
    return path[0] in SECTIONS and len(path) <= 2


def _pairs(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if key not in SECTIONS or not isinstance(value, Mapping) or not value:
            yield pair_text(key_text(key), value)
            continue
        for name, part in value.items():
            if not _is_long(part):
                yield pairs_text((key, name), part)


def _parts(header: str, table: Mapping[str, Any]) -> Iterator[str]:
    for section in SECTIONS:
        parts = table.get(section)
        for name, part in parts.items() if isinstance(parts, Mapping) else ():
            if _is_long(part):
                yield "\n" + table_text(f"{header}.{key_text(section, name)}", part)


def _is_long(part: Any) -> bool:
    """Return whether a named part gets a table of its own: it has many keys, or it is complete by itself."""
    return isinstance(part, Mapping) and (len(part) > _FEW or not part or "kind" in part or "protocol" in part)


# ---- units


def friendly(key: str, value: Any) -> tuple[str, Any]:
    """Return an angle in degrees and a time in milliseconds, if that reads back as exactly the same number.

    >>> friendly("yaw_rad", math.pi / 2), friendly("period_us", 40_000), friendly("max_m", 8.0)
    (('yaw_deg', 90), ('period_ms', 40), ('max_m', 8.0))
    """
    for name, factor in alternatives(key)[:1]:
        converted = in_file_unit(value, factor)
        if converted is not None:
            return name, converted
    return key, value


def in_file_unit(value: Any, factor: float) -> Any:
    """Return the shortest number that reads back as exactly *value*, or None; lists go item by item."""
    if isinstance(value, list):
        items = [in_file_unit(item, factor) for item in value]
        return None if None in items else items
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    exact = (number for number in _candidates(value, factor) if to_unit(number, factor) == value)
    return next(exact, None)


def _candidates(value: float, factor: float) -> Iterator[float]:
    near = value / factor if factor >= 1e3 else math.degrees(value)
    yield round(near)
    yield from (round(near, digits) for digits in range(1, 16))
    yield from (near, math.nextafter(near, math.inf), math.nextafter(near, -math.inf))
