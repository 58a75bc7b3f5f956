"""Who may change what: a table from the source of a change to the kinds that it may make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from understudy.world.changes import (
    CHANGES,
    Add,
    Bring,
    Change,
    Ended,
    FreeMap,
    Grasp,
    KeepMap,
    LoadMap,
    Move,
    OpenMap,
    Quit,
    Release,
    Remove,
    Replace,
    Reset,
    Switch,
    Tune,
)

EVERYTHING: tuple[type, ...] = CHANGES
Rules = Mapping[str, tuple[type, ...]]

# first word of the source (before ":") -> changes that it may make
DEFAULT: Rules = {
    "api": EVERYTHING,
    "user": EVERYTHING,
    "port": (Move, Reset, LoadMap, OpenMap, KeepMap, FreeMap, Add, Remove, Replace, Switch),
    "factory": (Add, Remove),
    "unit": (Move, Tune, Grasp, Release),
    "program": (Move, Add, Bring, Remove, Replace, Switch, Grasp, Release, Ended),
}


def with_leave(source: str, *kinds: type, rules: Rules = DEFAULT) -> Rules:
    """Return the rules under which *source* may make these changes too."""
    return {**rules, source: (*rules.get(source, ()), *kinds)}


def without_leave(source: str, *kinds: type, rules: Rules = DEFAULT) -> Rules:
    """Return the rules under which *source* may not make these changes."""
    return {**rules, source: tuple(kind for kind in rules.get(source, ()) if kind not in kinds)}


# a client of MobileSim may also end the simulation (SIM_EXIT, RESET)
MOBILESIM: Rules = with_leave("port", Quit)


# what a port may forbid its client: the word of the scene file -> changes
FORBIDDEN: Mapping[str, type | tuple[type, ...]] = {
    "exit": Quit, "reset": Reset, "map": (OpenMap, LoadMap), "move": Move
}  # fmt: skip


def forbidden(change: Change, words: Sequence[str]) -> str:
    """Return why a port that forbids *words* may not make *change*, or an empty string if it may."""
    for word in words:
        if isinstance(change, FORBIDDEN[word]):
            return f"its client may not do this: {word} is forbidden (forbid of the port; --forbid {word})"
    return ""


def refusal(source: str, change: Change, policy: Rules = DEFAULT) -> str:
    """Return why *source* may not make *change*, or an empty string if it may."""
    allowed = policy.get(source.partition(":")[0], ())
    if isinstance(change, allowed):
        return ""
    if isinstance(change, Reset) and not change.name:
        return f"{source} may reset its robot, not the whole run"
    return f"{source} may not {type(change).__name__.lower()}"
