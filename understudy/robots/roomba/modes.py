"""The modes of the interface: which commands change them, and what each mode allows."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from understudy.robots.roomba import orders
from understudy.robots.roomba.orders import Mode

NUMBERS: Mapping[Mode, int] = MappingProxyType({"off": 0, "passive": 1, "safe": 2, "full": 3})
AWAKE: tuple[Mode, ...] = ("passive", "safe", "full")
_ANY: tuple[Mode, ...] = ("off", *AWAKE)


class Way(NamedTuple):
    """Where a command leads, from which modes; a strict generation takes it from fewer."""

    to: Mode
    start: tuple[Mode, ...]
    strict: tuple[Mode, ...]


WAYS: Mapping[str, Way] = MappingProxyType({
    "start":   Way("passive", _ANY, _ANY),
    "control": Way("safe", AWAKE, AWAKE),
    "safe":    Way("safe", AWAKE, ("full",)),
    "full":    Way("full", AWAKE, ("safe",)),
    "stop":    Way("off", AWAKE, AWAKE),
})  # fmt: skip

# commands that need safe or full mode
ACTUATORS = (
    orders.DriveArc, orders.DriveWheels, orders.DrivePwm, orders.Motors, orders.Leds, orders.ScheduleLeds,
    orders.Digits, orders.DigitalOut, orders.SendIr, orders.Play,
)  # fmt: skip
# commands that need any mode but off
OTHERS = (
    orders.PowerDown, orders.Behave, orders.Song, orders.Schedule, orders.SetClock,
    orders.StoreScript, orders.ReadScript, orders.Wait, orders.Sense, orders.Streaming,
)  # fmt: skip


def after(mode: Mode, way: str, strict: bool) -> Mode | None:
    """Return the mode after a command; None if it is ignored."""
    row = WAYS[way]
    return row.to if mode in (row.strict if strict else row.start) else None


def allows(mode: Mode, command: object) -> bool:
    """Return whether a mode allows a command."""
    if isinstance(command, ACTUATORS):
        return mode in ("safe", "full")
    return mode != "off" or not isinstance(command, OTHERS)
