"""Keys before programs: while a person drives a robot, the motion that its program asks for waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from understudy.robots.base import Drive
from understudy.sim.inbox import Order
from understudy.world.records import from_plain, to_plain

GIVE_BACK_US = 1_500_000  # after the last key; shorter pauses between two keys are part of driving
_HELD = -1
_REST = Drive()


class Takeover:
    """The units that persons have taken over, and the motion that each program asked for last, by path."""

    def __init__(self) -> None:
        self.units: dict[str, int] = {}  # when the program gets it back (us), or that a key is held
        self._asked: dict[str, Drive] = {}

    def holds(self, source: str, unit: str, command: Any, t_us: int) -> bool:
        """Return whether a command has to wait; a person's motion takes the unit over, and rest gives it back later."""
        if not isinstance(command, Drive):
            return False
        kind = source.partition(":")[0]
        if kind == "program":
            self._asked[unit] = command
            return unit in self.units
        if kind == "user" and (unit in self.units or command != _REST):
            self.units[unit] = t_us + GIVE_BACK_US if command == _REST else _HELD
        return False

    def given_back(self, t_us: int) -> Iterator[Order]:
        """Give back the units whose time has come; yields the motion that each program asked for last."""
        for path, until_us in sorted(self.units.items()):
            if until_us != _HELD and until_us <= t_us:
                del self.units[path]
                if path in self._asked:
                    yield Order(path, self._asked[path])

    def state(self) -> dict[str, Any]:
        """Return who drives, and what programs asked for, as plain values."""
        return {"units": dict(self.units), "asked": {path: to_plain(drive) for path, drive in self._asked.items()}}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a saved state."""
        self.units = {path: int(until_us) for path, until_us in state["units"].items()}
        self._asked = {path: from_plain(Drive, saved) for path, saved in state["asked"].items()}
