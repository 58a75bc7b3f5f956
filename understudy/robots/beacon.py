"""A beacon: a unit that sends the same bytes into a medium again and again, such as the lamps of a docking station."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from understudy.frozen import frozen
from understudy.robots.base import Session, Tree, Unit, UnitSheet, Wiring
from understudy.world.changes import Change, Done
from understudy.world.media import Message
from understudy.world.news import News
from understudy.world.rules import rule


@frozen
class BeaconSheet(UnitSheet):
    """What it sends, how often, how far and in which direction."""

    kind: ClassVar[str] = "beacon"

    medium: str = rule("infrared", form="name")
    code: tuple[int, ...] = rule((0,), doc="bytes, 0 to 255 each")
    period_us: int = rule(50_000, least=100, most=3_600_000_000)
    reach_m: float = rule(3.0, above=0.0)
    yaw_rad: float = rule(0.0, doc="direction of the beam in the robot's frame")
    spread_rad: float = rule(2.0 * math.pi, above=0.0, doc="width of the beam")


@frozen
class BeaconPanel:
    """What the beacon sends."""

    medium: str
    code: tuple[int, ...]


class Beacon(Unit):
    """Sends at fixed times of simulated time, with or without a client."""

    Sheet: ClassVar[type] = BeaconSheet
    inputs: ClassVar[Mapping[str, str]] = BeaconSheet.inputs
    drives: ClassVar[bool] = BeaconSheet.drives
    commands: ClassVar[tuple[type, ...]] = (Session,)
    ticks: ClassVar[bool] = True

    def __init__(self, sheet: BeaconSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        data = bytes(max(0, min(255, number)) for number in sheet.code)
        self._message = Message(sheet.medium, data, sheet.reach_m, sheet.yaw_rad, sheet.spread_rad)
        self._due_us = 0
        self._waiting: list[Message] = []

    def rewire(self, wiring: Wiring) -> None:
        """Do nothing: a beacon uses no devices."""

    def order(self, command: Any) -> None:
        """Accept a Session, which changes nothing."""
        if not isinstance(command, Session):
            raise TypeError(f"beacon takes Session, not {command!r}")

    def tick(self, now_us: int, dt_us: int) -> None:
        """Send if it is time."""
        if dt_us and now_us >= self._due_us:
            self._waiting.append(self._message)
            self._due_us = now_us - now_us % self.sheet.period_us + self.sheet.period_us

    def asks(self) -> Sequence[Change | News]:
        """Return the message of this tick, if there is one."""
        messages, self._waiting = self._waiting, []
        return messages

    def done(self, outcome: Done) -> None:
        """Do nothing: it requests no changes."""

    def panel(self) -> BeaconPanel:
        """Return what it sends."""
        return BeaconPanel(self.sheet.medium, self.sheet.code)

    def state(self) -> Tree:
        """Return when it sends next."""
        return {"due_us": self._due_us}

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        self._due_us = state["due_us"]
