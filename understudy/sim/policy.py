"""Permissions: a table from the source of a change to the kinds of change that it may make.

Ports of the scene have rows of their own, one for each protocol that needs another than the usual one. Such a row also
holds the orders that clients may give to robots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from understudy.robots.base import Drive, Session
from understudy.robots.servos import Aim, JointSpeed
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
    Pause,
    Quit,
    Release,
    Remove,
    Replace,
    Reset,
    Speed,
    Step,
    Switch,
    Tune,
)
from understudy.world.robot import AnyPort, ScenePort
from understudy.world.rules import kind_of

EVERYTHING: tuple[type, ...] = CHANGES
Rules = Mapping[str, tuple[type, ...]]

# first part of the source (before ":") -> changes that it may make;
# "scene": ports of the scene, with the orders that they may give; "scene:KIND": those that speak this protocol
DEFAULT: Rules = {
    "api": EVERYTHING,
    "user": EVERYTHING,
    "event": EVERYTHING,
    "port": (Move, Reset, LoadMap, OpenMap, KeepMap, FreeMap, Add, Remove, Replace, Switch),
    "scene": (Move, Reset, Pause, Step, Speed, Switch, Drive, Session, Aim, JointSpeed),
    "factory": (Add, Remove),
    "files": (Bring,),
    "unit": (Move, Tune, Grasp, Release),
    "program": (Move, Add, Bring, Remove, Replace, Switch, Grasp, Release, Ended),
    "seat": (Ended,),
}


def with_leave(source: str, *kinds: type, rules: Rules = DEFAULT) -> Rules:
    """Return the rules under which *source* may make these changes too."""
    return {**rules, source: (*_row(source, rules), *kinds)}


def without_leave(source: str, *kinds: type, rules: Rules = DEFAULT) -> Rules:
    """Return the rules under which *source* may not make these changes."""
    return {**rules, source: tuple(kind for kind in _row(source, rules) if kind not in kinds)}


def _row(source: str, rules: Rules) -> tuple[type, ...]:
    """Return the row of a source, or that of its first part."""
    return rules.get(source, rules.get(source.partition(":")[0], ()))


# a client of MobileSim may also end the simulation (SIM_EXIT, RESET)
MOBILESIM: Rules = with_leave("port", Quit)


# what a port may forbid its client: the keyword in the scene file -> changes
FORBIDDEN: Mapping[str, type | tuple[type, ...]] = {
    "exit": Quit, "reset": Reset, "map": (OpenMap, LoadMap), "move": Move, "time": (Pause, Step, Speed),
    "orders": (),  # no change is one
}  # fmt: skip


def forbidden(change: Change, words: Sequence[str]) -> str:
    """Return why a port that forbids *words* may not make *change*, or an empty string if it may."""
    for word in words:
        if isinstance(change, FORBIDDEN[word]):
            return f"{word} is forbidden for clients of this port (key forbid of the port, or --forbid {word})"
    return ""


def order_refusal(command: Any, port: AnyPort, policy: Rules = DEFAULT) -> str:
    """Return why the client of a scene's port may not give this order, or an empty string if it may."""
    if "orders" in port.forbid:
        return "orders are forbidden for clients of this port (key forbid of the port)"
    if isinstance(command, _row(_scene_source(port), policy)):
        return ""
    return f"clients of port {port.name} may not give the order {type(command).__name__}"


def _scene_source(port: AnyPort) -> str:
    return f"scene:{kind_of(type(port.sheet))}"


def refusal(source: str, change: Change, policy: Rules = DEFAULT, port: AnyPort | None = None) -> str:
    """Return why *source*, a client of *port* perhaps, may not make *change*, or an empty string if it may."""
    row = _scene_source(port) if isinstance(port, ScenePort) else source.partition(":")[0]
    if isinstance(change, _row(row, policy)):
        return ""
    if isinstance(change, Reset) and not change.name:
        return f"{source} may reset its robot, not the whole run"
    return f"{source} may not {type(change).__name__.lower()}"
