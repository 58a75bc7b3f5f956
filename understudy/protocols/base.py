"""The protocol contract: bytes to commands and changes, a unit's readings to bytes. No socket, no clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

from understudy.world.changes import Done

Tree = dict[str, Any]


class WireProtocol(Protocol):
    """One conversation on one port. Never raises on bad bytes: it resynchronises and counts.

    A class has ``Sheet`` (a frozen record with ``kind``) and ``units`` (the kinds of unit that it can speak for).
    Commands, changes and news that `feed` returns are plain values; the run loop hands commands to the port's unit,
    carries changes out and passes news on.
    """

    Sheet: ClassVar[type]
    units: ClassVar[tuple[str, ...]]

    def __init__(self, sheet: Any, robot: str) -> None: ...

    def opened(self) -> Sequence[Any]:
        """A client has connected; returns commands for the unit."""
        ...

    def closed(self) -> Sequence[Any]:
        """The client has gone; returns commands for the unit."""
        ...

    def greet(self) -> Sequence[Any]:
        """Return the commands that tell a fresh unit of a conversation which goes on."""
        ...

    def feed(self, data: bytes) -> Sequence[Any]:
        """Return the commands, changes and news that *data* completes."""
        ...

    def done(self, outcome: Done) -> None:
        """Hear what became of a change that this port asked for."""
        ...

    def tick(self, unit: Any, now_us: int) -> bytes:
        """Return what is to be sent now; answers only, if time has not moved since the last call."""
        ...

    def hung_up(self) -> bool:
        """Say whether the protocol wants the link closed now (true once)."""
        ...

    def counters(self) -> Mapping[str, int]:
        """Return what was received, sent, dropped and resynchronised."""
        ...

    def state(self) -> Tree:
        """Return decoder and conversation state as a tree of plain values."""
        ...

    def restore(self, state: Tree) -> None:
        """Go on from a saved state."""
        ...


@runtime_checkable
class MapReader(Protocol):
    """A protocol that tells its client of other maps."""

    def map_changed(self, file: str, by_user: bool, loaded: bool) -> None:
        """Hear that the map was exchanged; not *loaded*: that this client's wish was met already."""
        ...
