"""Range checks of numbers: finite values, and lengths at which a double is still precise.

Every scene, change and command from outside is checked: NaN in one pose spreads to everything that uses it, and what is
farther away than a double can resolve can be neither simulated nor measured.
"""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from understudy.errors import Problem, SceneError
from understudy.world.limits import LENGTH_M
from understudy.world.robot import PlacedRobot
from understudy.world.rules import KeyPath, key_of, rule_of, show
from understudy.world.scene import Light, Scene
from understudy.world.shapes import Pose

_PER_LENGTH = ("_n_m", "_n_s_m", "_j_m", "_per_m", "_1_m")  # keys of values that are not lengths
_LARGEST = sys.float_info.max
_SHOWN = 1e300  # a whole number may be too large to be shown as a double
_MANY = 32  # points from which an array is faster


def wrong_numbers(record: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """Yield the key path and a message for each NaN, infinity or length beyond LENGTH_M in a record.

    A value that occurs several times in a record, such as the model of many robots, is checked once.
    """
    yield from _of_value(record, path, False, set())


def refusal(record: Any) -> str:
    """Return the first error in the numbers of a record, in one line; empty if they are valid.

    >>> from understudy.world.shapes import Pose
    >>> refusal(Pose(1.0, math.nan)), refusal(Pose(1e12)), refusal(Pose(1.0))
    ('y_m: want a finite number, got nan', 'x_m: must be within 1e+08 m, got 1e+12', '')
    """
    path, text = next(wrong_numbers(record), ((), ""))
    return f"{show(path)}: {text}" if text else ""


def check(scene: Scene) -> None:
    """Raise SceneError if a scene made by a program has invalid numbers."""
    problems = [Problem("<scene>", 0, show(path), text) for path, text in wrong_numbers(scene)]
    if problems:
        raise SceneError(problems)


def _of_record(record: Any, path: KeyPath, seen: set[int]) -> Iterator[tuple[KeyPath, str]]:
    if id(record) in seen:
        return
    seen.add(id(record))
    cls: type = type(record)
    for name, keys, keyed, length in _fields(cls):
        value = getattr(record, name)
        if type(value) is float:  # the common case
            if not abs(value) <= (LENGTH_M if length else _LARGEST):
                yield (*path, *keys), _number_error(value, length)
        elif keyed:
            for element in value:
                yield from _of_record(element, (*path, *keys, element.name), seen)
        elif value and type(value) not in (str, bool) and not _is_sun(record, value):
            yield from _of_value(value, (*path, *keys), length, seen)


@cache
def _fields(cls: type) -> tuple[tuple[str, tuple[str, ...], bool, bool], ...]:
    """Return the fields of a record: name, keys in a file, whether a keyed table, whether a length."""
    return tuple(
        (field.name, _keys(cls, field), rule_of(field).keyed, _is_length(field.name))
        for field in dataclasses.fields(cls)
    )


def _keys(cls: type, field: dataclasses.Field[Any]) -> tuple[str, ...]:
    """Return the key of a field in a file; empty if its keys are inlined in the record's own table."""
    return () if rule_of(field).inline or (cls is PlacedRobot and field.name == "parts") else (key_of(field),)


def _is_sun(record: Any, pose: Any) -> bool:
    """Return whether this is the pose of the sun, which is only a direction."""
    return isinstance(record, Light) and isinstance(pose, Pose) and all(map(math.isfinite, dataclasses.astuple(pose)))


def _of_value(value: Any, path: KeyPath, length: bool, seen: set[int]) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(value, float | int):
        if text := _number_error(value, length):
            yield path, text
    elif isinstance(value, tuple):
        if len(value) < _MANY or not _are_right(value, length):
            for n, element in enumerate(value):
                yield from _of_value(element, (*path, n), length, seen)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from _of_record(value, path, seen)


def _are_right(values: tuple[Any, ...], length: bool) -> bool:
    """Return whether a long list holds only valid points or numbers; maps have a million of them."""
    if not isinstance(values[0], tuple | float):
        return False
    try:
        return bool((np.abs(np.array(values, np.float64)) <= (LENGTH_M if length else _LARGEST)).all())
    except (TypeError, ValueError):  # mixed values
        return False


def _is_length(key: str) -> bool:
    return key.endswith("_m") and not key.endswith(_PER_LENGTH)


def _number_error(value: float, length: bool) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return f"want a finite number, got {value}"
    if not length or abs(value) <= LENGTH_M:
        return ""
    return f"must be within {LENGTH_M:g} m, got {min(max(value, -_SHOWN), _SHOWN):g}"
