"""The events that a Create can wait for, by number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from understudy.robots.roomba.firmware import Roomba

PLAY, ADVANCE = 0x01, 0x04  # buttons


class WaitEvent(NamedTuple):
    """An event: what it is called, and whether it is happening."""

    name: str
    test: Callable[[Roomba], bool]


def _cliff(n: int) -> Callable[[Roomba], bool]:
    return lambda unit: unit.senses.cliffs[n]


def _input(n: int) -> Callable[[Roomba], bool]:
    return lambda unit: bool(unit.deck.inputs >> n & 1)


EVENTS: Mapping[int, WaitEvent] = MappingProxyType({
    1: WaitEvent("wheel drop", lambda unit: any(unit.senses.drops)),
    2: WaitEvent("front wheel drop", lambda unit: unit.senses.drops[2]),
    3: WaitEvent("left wheel drop", lambda unit: unit.senses.drops[0]),
    4: WaitEvent("right wheel drop", lambda unit: unit.senses.drops[1]),
    5: WaitEvent("bump", lambda unit: any(unit.senses.bumps)),
    6: WaitEvent("left bump", lambda unit: unit.senses.bumps[0]),
    7: WaitEvent("right bump", lambda unit: unit.senses.bumps[1]),
    8: WaitEvent("virtual wall", lambda unit: unit.beams.virtual_wall),
    9: WaitEvent("wall", lambda unit: unit.senses.wall),
    10: WaitEvent("cliff", lambda unit: any(unit.senses.cliffs)),
    11: WaitEvent("left cliff", _cliff(0)),
    12: WaitEvent("front left cliff", _cliff(1)),
    13: WaitEvent("front right cliff", _cliff(2)),
    14: WaitEvent("right cliff", _cliff(3)),
    15: WaitEvent("home base", lambda unit: unit.power.docked),
    16: WaitEvent("Advance button", lambda unit: bool(unit.deck.buttons & ADVANCE)),
    17: WaitEvent("Play button", lambda unit: bool(unit.deck.buttons & PLAY)),
    18: WaitEvent("digital input 0", _input(0)),
    19: WaitEvent("digital input 1", _input(1)),
    20: WaitEvent("digital input 2", _input(2)),
    21: WaitEvent("digital input 3", _input(3)),
    22: WaitEvent("passive mode", lambda unit: unit.mode == "passive"),
})  # fmt: skip
