"""Scenes and inbox items as plain trees, for tapes and saved runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from understudy.errors import TapeError, in_one_line
from understudy.links.base import Event
from understudy.sim.commands import name_of
from understudy.sim.inbox import Body, Bytes, FleetOrder, ForeignCommand, Item, Order, RefusedChange
from understudy.sim.packing import pack, unpack
from understudy.sim.run import Run
from understudy.sim.tree_checks import ANY, blamed_on, check
from understudy.sim.vocabulary import vocabulary
from understudy.world.changes import CHANGES, Change
from understudy.world.records import from_plain, to_plain
from understudy.world.scene import Scene

Tree = dict[str, Any]
_BY_NAME = {cls.__name__: cls for cls in CHANGES}


def scene_plain(scene: Scene) -> Tree:
    """Return a flat scene as a plain tree."""
    return to_plain(scene)


def scene_from(plain: Tree) -> Scene:
    """Return the flat scene of a plain tree."""
    with blamed_on("the scene inside"):
        try:
            return from_plain(Scene, plain, vocabulary().kinds)
        except ValueError as problem:
            raise TapeError(str(problem).replace("<data>: ", "")) from problem


def encode_body(body: Body, run: Run, doubtful: bool = False) -> list[Any]:
    """Return the body of an inbox item as a list that starts with its kind; a *doubtful* change may be unreadable."""
    if isinstance(body, FleetOrder):
        return ["fleet", body.targets.tobytes()]
    if isinstance(body, Bytes):
        return ["bytes", body.port, body.event.value, body.data]
    if isinstance(body, Order):
        return ["order", body.unit, *_command_plain(body, run)]
    if isinstance(body, RefusedChange):
        return ["refused", body.name, body.reason]
    if doubtful and (wrong := _unreadable(body)):
        return ["refused", type(body).__name__, wrong]
    return ["change", type(body).__name__, to_plain(body)]


def _unreadable(change: Change) -> str:
    """Return why a change could not be read from a tape; empty if it could."""
    try:
        from_plain(_BY_NAME[type(change).__name__], unpack(pack(to_plain(change))), vocabulary().kinds)
    except Exception as problem:  # values of wrong types fail in many ways
        return in_one_line(repr(problem))
    return ""


def _command_plain(order: Order, run: Run) -> tuple[str, Tree | str]:
    """Return the name of a command's type and its values; of one that is refused, why, so that a replay refuses it."""
    return name_of(order.command), run.orders.refusal(order) or to_plain(order.command)


def decode_body(plain: list[Any], run: Run) -> Body:
    """Return the body that `encode_body` encoded as *plain*; raises TapeError."""
    try:
        kind, *rest = plain
        if kind == "bytes":
            check(rest, (str, ANY, bytes), "bytes")
            return Bytes(rest[0], Event(rest[1]), rest[2])
        if kind == "fleet":
            return FleetOrder(np.frombuffer(rest[0], np.float64).reshape(-1, 3))
        if kind == "order":
            check(rest, (str, str, ANY), "order")
            unit, name, values = rest
            return Order(unit, _command(unit, name, values, run))
        if kind == "refused":
            check(rest, (str, str), "refused")
            return RefusedChange(*rest)
        change: Change = from_plain(_BY_NAME[rest[0]], rest[1], vocabulary().kinds)
        return change
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, RecursionError) as problem:
        raise TapeError(in_one_line(f"an inbox item cannot be read: {problem!r}")) from problem


def _command(unit: str, name: str, values: Any, run: Run) -> Any:
    """Return a recorded command; one that was refused, or whose unit is gone, is one that no unit takes."""
    known = {cls.__name__: cls for cls in run.orders.commands_of(unit)} if unit in run.units else {}
    if name not in known or isinstance(values, str):
        return ForeignCommand(name, values if isinstance(values, str) else "")
    return from_plain(known[name], values)


def encode_item(item: Item, run: Run, doubtful: bool = False) -> list[Any]:
    """Return an inbox item as a list; a *doubtful* change may be unreadable."""
    return [item.tick, item.sub, item.sequence, item.source, encode_body(item.body, run, doubtful)]


def decode_item(plain: list[Any], run: Run) -> Item:
    """Return the item that `encode_item` encoded as *plain*."""
    tick, sub, sequence, source, body = plain
    return Item(tick, sub, sequence, source, decode_body(body, run))
