"""Find the differences of two tapes: their settings, then the first in content by tick, robot and field."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from understudy.frozen import frozen
from understudy.sensors.base import Array
from understudy.sim.tree_checks import blamed_on
from understudy.tape.layout import FIELDS, TapeEntry
from understudy.tape.reader import Tape

STATE = "firmware state"


@frozen
class Difference:
    """The first difference: tick, place, and both values."""

    tick: int
    where: str
    a: str
    b: str

    def __str__(self) -> str:
        return f"tick {self.tick}: {self.where}: {self.a} and {self.b}"


def diff(first: str | Path | Tape, second: str | Path | Tape) -> Difference | None:
    """Return the first difference of two tapes, or None if they record the same run."""
    return next(iter(differences(first, second)), None)


def differences(first: str | Path | Tape, second: str | Path | Tape) -> tuple[Difference, ...]:
    """Return how two tapes differ: engine and seed, if these do, then the first difference in content.

    Tapes with different ticks have no common times; for them nothing more is compared.
    """
    a = first if isinstance(first, Tape) else Tape(first)
    b = second if isinstance(second, Tape) else Tape(second)
    with blamed_on(f"{a.path} and {b.path}"):
        return tuple(_differences(a, b))


def _differences(a: Tape, b: Tape) -> Iterator[Difference]:
    for key in ("engine", "seed", "tick_us"):
        if a.header[key] != b.header[key]:
            yield Difference(0, key, str(a.header[key]), str(b.header[key]))
    if a.header["tick_us"] == b.header["tick_us"] and (found := _content(a, b)) is not None:
        yield found


def _content(a: Tape, b: Tape) -> Difference | None:
    """Return the first difference of scenes, entries or ends; the settings of the scenes are those of the headers."""
    found = _first_leaf("scene", _without_settings(a.header["scene"]), _without_settings(b.header["scene"]))
    if found is not None:
        return Difference(0, *found)
    robots = [robot.name for robot in a.scene.robots]
    told = a.header["seed"] != b.header["seed"] or a.header["engine"] != b.header["engine"]
    hashed = None
    for one, other in zip_longest(a.entries(), b.entries()):
        difference = _entry(one, other, robots)
        if difference is not None and not (told and difference.where == STATE):
            return difference
        hashed = hashed or difference
    return _end(a, b) if hashed is None else hashed


def _without_settings(scene: Any) -> Any:
    if not isinstance(scene, dict):
        return scene
    return {key: value for key, value in scene.items() if key not in ("engine", "seed", "tick_us")}


def _entry(one: TapeEntry | None, other: TapeEntry | None, robots: list[str]) -> Difference | None:
    if one is None or other is None:
        there = one or other
        assert there is not None
        return Difference(there.tick, "length", _presence(one), _presence(other))
    if (one.tick, one.sub) != (other.tick, other.sub):
        return Difference(
            min(one.tick, other.tick), "order of entries", f"{one.tick}.{one.sub}", f"{other.tick}.{other.sub}"
        )
    if one.items != other.items:
        return _items(one, other)
    if one.rows is not None and other.rows is not None and not _same(one.rows, other.rows):
        return _rows(one, other, robots)
    if one.hash and other.hash and one.hash != other.hash:
        return Difference(one.tick, STATE, one.hash, other.hash)
    if one.sent and other.sent and one.sent != other.sent:
        return Difference(one.tick, "bytes sent", repr(one.sent), repr(other.sent))
    return None


def _presence(entry: TapeEntry | None) -> str:
    return "the tape ends here" if entry is None else "continues"


def _items(one: TapeEntry, other: TapeEntry) -> Difference:
    for a, b in zip_longest(one.items, other.items):
        if a != b:
            return Difference(one.tick, "inbox", _item_text(a), _item_text(b))
    raise AssertionError("the entries differ, but none of their items does")


def _item_text(item: list[Any] | None) -> str:
    return "nothing" if item is None else f"{item[3]} {item[4]}"


def _same(a: Array, b: Array) -> bool:
    return a.shape == b.shape and a.tobytes() == b.tobytes()


def _rows(one: TapeEntry, other: TapeEntry, robots: list[str]) -> Difference:
    assert one.rows is not None
    assert other.rows is not None
    if one.rows.shape != other.rows.shape:
        return Difference(one.tick, "number of robots", str(len(one.rows)), str(len(other.rows)))
    apart = one.rows.view(np.int64) != other.rows.view(np.int64)
    row, column = (int(index[0]) for index in np.nonzero(apart))
    name = robots[row] if row < len(robots) else f"robot {row}"
    return Difference(
        one.tick, f"{name}.{FIELDS[column]}", repr(float(one.rows[row, column])), repr(float(other.rows[row, column]))
    )


def _end(a: Tape, b: Tape) -> Difference | None:
    one, other = a.end(), b.end()
    if one is None or other is None:
        if (one is None) != (other is None):
            whole = "complete"
            return Difference(a.last_tick(), "end", *(("truncated", whole) if one is None else (whole, "truncated")))
        return None
    for key in ("tick", "hash"):
        if one[key] != other[key]:
            return Difference(one["tick"], f"end, {key}", str(one[key]), str(other[key]))
    return None


def _first_leaf(path: str, a: Any, b: Any) -> tuple[str, str, str] | None:
    """Return path and both values of the first difference of two trees."""
    if isinstance(a, dict) and isinstance(b, dict):
        keys = [(f"{path}.{key}", a.get(key), b.get(key)) for key in [*a, *(k for k in b if k not in a)]]
    elif isinstance(a, list) and isinstance(b, list):
        keys = [(f"{path}[{i}]", x, y) for i, (x, y) in enumerate(zip_longest(a, b))]
    else:
        return None if a == b else (path, repr(a), repr(b))
    return next((found for key, x, y in keys if (found := _first_leaf(key, x, y))), None)
