"""The port of a board: every byte goes to the firmware, every byte that it sends goes to the client."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from understudy.frozen import frozen
from understudy.protocols.base import Tree, WireProtocol
from understudy.robots.base import Session
from understudy.robots.board.unit import BoardUnit, Byte
from understudy.world.changes import Done


@frozen
class RawSheet:
    """Raw bytes have no settings."""

    kind: ClassVar[str] = "raw"
    units: ClassVar[tuple[str, ...]] = ("board",)


class Raw(WireProtocol):
    """Passes bytes on, one by one, so that it makes no difference how a link has split them."""

    Sheet: ClassVar[type] = RawSheet
    units: ClassVar[tuple[str, ...]] = RawSheet.units

    def __init__(self, sheet: RawSheet, robot: str) -> None:
        self._open = False
        self._sendings = 0  # of the board, that were seen here
        self._counts = {"received": 0, "sent": 0}

    def opened(self) -> Iterable[Any]:
        """Announce the client."""
        self._open = True
        return (Session(True),)

    def closed(self) -> Iterable[Any]:
        """Announce that the client has left."""
        self._open = False
        return (Session(False),)

    def greet(self) -> Iterable[Any]:
        """Introduce the client to a fresh board, which has sent nothing yet."""
        self._sendings = 0
        return (Session(True),) if self._open else ()

    def feed(self, data: bytes) -> Iterable[Any]:
        """Return one order per byte."""
        self._counts["received"] += len(data)
        return [Byte(value) for value in data]

    def done(self, outcome: Done) -> None:
        """Do nothing: it requests no changes."""

    def tick(self, unit: BoardUnit, now_us: int) -> bytes:
        """Return what the firmware has sent since the last call."""
        if unit.sendings == self._sendings:
            return b""
        self._sendings = unit.sendings
        self._counts["sent"] += len(unit.said)
        return unit.said

    def counters(self) -> Mapping[str, int]:
        """Return the bytes received and sent."""
        return dict(self._counts)

    def state(self) -> Tree:
        """Return whether a client is there, what it has got, and the counters."""
        return {"open": self._open, "sendings": self._sendings, "counters": dict(self._counts)}

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        self._open, self._sendings = state["open"], state["sendings"]
        self._counts = {name: state["counters"][name] for name in self._counts}
