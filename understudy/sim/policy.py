"""Who may change what: a table from the source of a change to the kinds that it may make."""

from __future__ import annotations

from collections.abc import Mapping

from understudy.world.changes import (
    CHANGES,
    Add,
    Change,
    LoadMap,
    Move,
    Remove,
    Replace,
    Reset,
    Switch,
)

EVERYTHING: tuple[type, ...] = CHANGES

# first word of the source (before ":") -> changes that it may make
DEFAULT: Mapping[str, tuple[type, ...]] = {
    "api": EVERYTHING,
    "user": EVERYTHING,
    "port": (Move, Reset, LoadMap, Add, Remove, Replace, Switch),
    "program": (Move, Add, Remove, Replace, Switch),
}


def refusal(source: str, change: Change, policy: Mapping[str, tuple[type, ...]] = DEFAULT) -> str:
    """Return why *source* may not make *change*, or an empty string if it may."""
    allowed = policy.get(source.partition(":")[0], ())
    if isinstance(change, allowed):
        return ""
    if isinstance(change, Reset) and not change.name:
        return f"{source} may reset its robot, not the whole run"
    return f"{source} may not {type(change).__name__.lower()}"
