"""Commands and changes from outside as a tape keeps them: a run and its replay get exactly the same values."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any, get_args

from understudy.errors import excerpt, in_one_line
from understudy.sensors.base import Sampled
from understudy.sim.inbox import ForeignCommand
from understudy.sim.packing import pack, unpack
from understudy.world import changes
from understudy.world.records import from_plain, to_plain
from understudy.world.rules import Rule, fields_of, hints_of, is_record, rule_of
from understudy.world.scene import Scene, Thing

Fields = tuple[tuple[str, Any], ...]
_PLAIN = (float, int, str, bool)
_MOST: dict[type, float] = {float: sys.float_info.max, int: 2**63 - 1}
_PLAIN_RULE = Rule()
_THINGS = get_args(Thing)
_LARGE: dict[type, tuple[tuple[str, Any], ...]] = {  # too large to be compared with a copy each time
    changes.Add: (("thing", _THINGS),),
    changes.Replace: (("name", str), ("thing", _THINGS)),
    changes.LoadMap: (("scene", Scene), ("file", str)),
    changes.Bring: (("name", str), ("content", str)),
    changes.Tune: (("path", str), ("sheet", Sampled)),
}


def as_kept(command: Any) -> tuple[Any, str]:
    """Return a command as a tape would give it back, or why it cannot be kept: then no unit takes it.

    >>> from understudy.robots.base import Drive
    >>> as_kept(Drive(1)), as_kept(Drive("fast"))
    ((Drive(m_s=1.0, rad_s=0.0, lateral_m_s=0.0), ''), (None, "m_s: want a number, got 'fast'"))
    """
    cls: type = type(command)
    fields = _simple_fields(cls)
    if fields is None:
        return None, f"{cls.__name__} is not a command"
    if _is_exact(command, fields):
        return command, ""
    try:
        return from_plain(cls, unpack(pack(to_plain(command)))), ""
    except Exception as problem:  # values of wrong types fail in many ways
        return None, in_one_line(str(problem).replace("<data>: ", "")) or type(problem).__name__


def misfit(change: Any) -> str:
    """Return why a change from outside cannot be made, because its values are of wrong types; empty if they are not.

    >>> from understudy.world.changes import Move, Speed
    >>> misfit(Move("scout", None)), misfit(Speed(2.0))
    ('to: want a table, got None', '')
    """
    if type(change) not in _LARGE:
        return as_kept(change)[1]
    wrong = [name for name, kinds in _LARGE[type(change)] if not isinstance(getattr(change, name), kinds)]
    return f"{wrong[0]}: got {excerpt(getattr(change, wrong[0]))}" if wrong else ""


def name_of(command: Any) -> str:
    """Return the name of a command's type, also of one that comes from a tape."""
    return command.name if isinstance(command, ForeignCommand) else type(command).__name__


def _is_exact(command: Any, fields: Fields) -> bool:
    """Say whether a tape gives the very same values back; one loop, because programs give many orders."""
    for name, kind in fields:
        value = getattr(command, name)
        if type(value) is not kind:
            return False
        most = _MOST.get(kind)
        if most is not None and not -most <= value <= most:  # NaN is not either
            return False
    return True


@cache
def _simple_fields(cls: type) -> Fields | None:
    """Return name and type of the fields of a record, None for the type of what is more than one plain value."""
    if not is_record(cls):
        return None
    hints = hints_of(cls)
    return tuple(
        (field.name, hints[field.name] if hints[field.name] in _PLAIN and rule_of(field) == _PLAIN_RULE else None)
        for field in fields_of(cls)
    )
