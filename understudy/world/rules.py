"""What a record's fields allow and how they are written in a file: rules, kinds, units and key paths.

Unit suffixes: a field ``heading_rad`` may be given as ``heading_deg``, ``period_us`` as ``period_ms`` or ``period_s``.
"""

from __future__ import annotations

import dataclasses
import math
import re
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Union, cast, get_args, get_origin

from understudy.frozen import frozen
from understudy.world.limits import LENGTH_M

KeyPath = tuple[str | int, ...]
Kinds = Mapping[str, Mapping[str, type]]

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")

# suffix of the field -> (suffix in the file, factor that turns the file's number into the field's)
_ALTERNATIVES: dict[str, tuple[tuple[str, float], ...]] = {
    "_rad": (("_deg", math.radians(1.0)),),
    "_rad_s": (("_deg_s", math.radians(1.0)),),
    "_rad_s2": (("_deg_s2", math.radians(1.0)),),
    "_us": (("_ms", 1e3), ("_s", 1e6)),
}


@frozen
class Rule:
    """What a field allows and how it is written in a file."""

    key: str = ""
    above: float | None = None
    least: float | None = None
    most: float | None = None
    form: str = ""  # "name", "word", "colour", "date": checked by FORMS
    inline: bool = False  # the nested record's keys are in the parent's own table
    keyed: bool = False  # a table of tables, whose keys are the records' names
    pairs: bool = False  # a table of strings, kept as sorted pairs
    shorthand: str = ""  # a bare string stands for this field of the nested record
    tag: str = "kind"  # the key that selects the class of a union
    unless: tuple[str, ...] = ()  # required, unless one of these other fields is given
    verb: bool = False  # its key selects the class of a union with tag "", and is always written
    kinds: str = ""  # an open union: the classes come from the reader's vocabulary
    file: bool = False  # a file name may be given instead; the loader of the scene reads it
    factor: float = 1.0  # set while reading: the factor from the file's unit to the field's
    doc: str = ""


_PLAIN_RULE = Rule()
FORMS = {
    "name": (NAME, "a name: a letter, then letters, digits, '-' or '_'"),
    "word": (re.compile(r"[^\s\"]+"), "a word without spaces"),
    "colour": (re.compile(r"#[0-9a-fA-F]{6}|[A-Za-z][A-Za-z0-9 _-]{0,39}"), "a colour such as '#3366cc' or 'red'"),
    "date": (
        re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?"),
        "a date such as '2026-06-01' or '2026-06-01T12:00:00'",
    ),
}


def rule(default: Any = dataclasses.MISSING, **given: Any) -> Any:
    """Return a dataclass field with a :class:`Rule`."""
    return dataclasses.field(default=default, metadata={"rule": Rule(**given)})


def rule_of(field: dataclasses.Field[Any]) -> Rule:
    """Return the rule of a dataclass field; a field without one allows everything of its type."""
    return cast(Rule, field.metadata.get("rule", _PLAIN_RULE))


@cache
def hints_of(cls: type) -> dict[str, Any]:
    """Return the resolved type hints of a record."""
    return typing.get_type_hints(cls)


def fields_of(cls: type) -> tuple[dataclasses.Field[Any], ...]:
    """Return the fields of a record class."""
    return dataclasses.fields(cls)


def key_of(field: dataclasses.Field[Any]) -> str:
    """Return the name that *field* has in a file."""
    return rule_of(field).key or field.name


def kind_of(cls: type) -> str:
    """Return the tag of this class in a tagged union."""
    return str(getattr(cls, "kind", cls.__name__.lower()))


def alternatives(key: str) -> tuple[tuple[str, float], ...]:
    """Return the other spellings of a key, with the factor each needs.

    >>> alternatives("period_us")
    (('period_ms', 1000.0), ('period_s', 1000000.0))
    """
    for suffix, others in _ALTERNATIVES.items():
        if key.endswith(suffix):
            stem = key[: -len(suffix)]
            return tuple((stem + other, factor) for other, factor in others)
    return ()


def canonical(key: str) -> str:
    """Return the canonical spelling of a key.

    >>> canonical("yaw_deg"), canonical("period_s"), canonical("radius_m")
    ('yaw_rad', 'period_us', 'radius_m')
    """
    if key.endswith(tuple(_ALTERNATIVES)):
        return key
    for suffix, others in _ALTERNATIVES.items():
        for other, _ in others:
            if key.endswith(other):
                return key[: -len(other)] + suffix
    return key


def to_unit(raw: float, factor: float) -> float:
    """Return a file's number in the unit of its field; times become whole microseconds."""
    if factor == 1.0:
        return raw
    if factor >= 1e3:
        return round(raw * int(factor))
    return math.radians(raw)


def show(path: KeyPath) -> str:
    """Return a path as a user would write it.

    >>> show(("robot", 0, "device", "front", "max_m"))
    'robot[0].device.front.max_m'
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            word = part if _BARE_KEY.fullmatch(part) else f'"{part}"'
            text += f".{word}" if text else word
    return text


def is_record(hint: Any) -> bool:
    """Return whether *hint* is a record class."""
    return isinstance(hint, type) and dataclasses.is_dataclass(hint)


def union_members(hint: Any) -> tuple[Any, ...]:
    """Return the members of a union without None, or the hint alone."""
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(m for m in get_args(hint) if m is not type(None))
    return (hint,)


def is_optional(hint: Any) -> bool:
    """Return whether None is allowed."""
    return get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)


def is_tagged(hint: Any, how: Rule) -> bool:
    """Return whether a key of the table (``kind``) selects the class of a field."""
    return bool(how.tag) and (bool(how.kinds) or len(union_members(hint)) > 1)


def verb_of(cls: type) -> str:
    """Return the key that marks a table of class *cls*; empty if it has none."""
    return next((key_of(field) for field in fields_of(cls) if rule_of(field).verb), "")


def row_width(hint: Any) -> int:
    """Return how many numbers a point or a piece has; 0 for anything else."""
    inner = get_args(hint) if get_origin(hint) is tuple else ()
    return len(inner) if inner and all(part is float for part in inner) else 0


def rows_of(hint: Any, how: Rule, raw: Any) -> tuple[tuple[float, ...], ...] | None:
    """Return a list of points or pieces, converted at once; None if its items must be checked one by one.

    A scanned map has tens of thousands.
    """
    width = row_width(hint)
    if not width or how.factor != 1.0 or any(limit is not None for limit in (how.above, how.least, how.most)):
        return None
    if not all(type(row) in (list, tuple) and len(row) == width for row in raw):
        return None
    flat = [value for row in raw for value in row]
    if not set(map(type, flat)) <= {float, int} or not all(abs(value) <= LENGTH_M for value in flat):
        return None
    return tuple(zip(*[map(float, flat)] * width))


def choices_of(hint: Any) -> list[str]:
    """Return the words of a Literal that can be typed; the empty one means "not given"."""
    return [str(choice) for choice in get_args(hint) if choice != ""]


def describe(hint: Any, how: Rule) -> str:
    """Return a description of what a field expects.

    >>> describe(tuple[float, float], Rule())
    'a list of 2 numbers'
    """
    hint = union_members(hint)[0]
    if how.file:
        return f"{describe(hint, dataclasses.replace(how, file=False))} or the name of a file"
    if how.form:
        return FORMS[how.form][1]
    if how.shorthand:
        return "a string or a table"
    if how.pairs:
        return "a table of names"
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        noun = _plural(inner[0])
        return f"a list of {noun}" if inner[-1] is Ellipsis else f"a list of {len(inner)} {noun}"
    if get_origin(hint) is Literal:
        return "one of: " + ", ".join(choices_of(hint))
    return {float: "a number", int: "a whole number", str: "a string", bool: "true or false"}.get(hint, "a table")


def _plural(hint: Any) -> str:
    if get_origin(hint) is tuple and get_args(hint)[0] is str:
        return "pairs [name, name]"
    if get_origin(hint) is tuple:
        return "points [x, y]" if len(get_args(hint)) == 2 else "pieces [x1, y1, x2, y2]"
    if get_origin(hint) is Literal:
        return "words: " + ", ".join(choices_of(hint))
    return {float: "numbers", int: "whole numbers", str: "strings"}.get(hint, "tables")
