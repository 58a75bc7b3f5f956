"""The protocol contract: bytes to commands and changes, a unit's replies and readings to bytes. No socket, no clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from understudy.frozen import frozen
from understudy.links.base import LineState
from understudy.world.changes import Done

Tree = dict[str, Any]


@frozen
class SetBaud:
    """The device changes the baud rate of its port, after all that it has sent so far has left."""

    baud: int
    lenient: bool = False  # every client is understood: its rate cannot be known


@frozen
class For:
    """A command for a unit of any robot, by its path; a robot's name alone is the unit that drives it."""

    unit: str
    command: Any


@frozen
class Refused:
    """The reply to an order of a scene's port that was not given to a unit."""

    reason: str


class WireProtocol(Protocol):
    """One conversation on one port. It never raises on invalid bytes: it resynchronises and counts them.

    A class has ``Sheet`` (a frozen record with ``kind``) and ``units`` (the kinds of unit that it can speak for).
    `opened`, `closed`, `greet`, `feed`, `answered`, `line_changed` and `due` return values: commands, which the run
    hands to the port's unit, changes of the world, which it carries out, news, which it passes on, and `SetBaud`.

    A conversation with questions: a command is handed to the unit at once, and if the unit returns a reply, `answered`
    gets both, in the same exchange. `tick` then sends what was made of it, also while the clock is held. Where answers
    must keep the order of the questions, `feed` is a generator: each value is carried out, and answered, before the
    next byte is looked at.

    A protocol of the whole scene has ``scope = "scene"``, on its sheet too, and no units. Its orders are `For` values
    for any robot, and each is answered: with the unit's reply, None if it has none, or `Refused`. In place of a unit,
    `tick` gets a `SceneView`. On a port with ``gate = "hold"`` time passes only while `lets_pass` says so.

    Classes inherit from this one; a method with a body may be left out.
    """

    Sheet: ClassVar[type]
    units: ClassVar[tuple[str, ...]]
    scope: ClassVar[Literal["robot", "scene"]] = "robot"

    def __init__(self, sheet: Any, robot: str) -> None:
        """Begin with no client connected; *robot* is empty on a port of the scene."""
        ...

    def wired(self, baud: int, paced: bool) -> None:
        """Take the port's baud rate at power-on, 0 without a serial line, and whether bytes take time; called first."""
        return

    def opened(self) -> Iterable[Any]:
        """A client has connected; returns values."""
        ...

    def closed(self) -> Iterable[Any]:
        """The client has disconnected; returns values."""
        ...

    def greet(self) -> Iterable[Any]:
        """Return the values that introduce a conversation in progress to a fresh unit, after a reset."""
        ...

    def feed(self, data: bytes) -> Iterable[Any]:
        """Return the values that *data* completes."""
        ...

    def answered(self, command: Any, reply: Any) -> Iterable[Any]:
        """Take a unit's reply to a command of this port; returns values."""
        return ()

    def line_changed(self, line: LineState) -> Iterable[Any]:
        """The client has changed its baud rate, a modem line or break; returns values."""
        return ()

    def due(self, now_us: int) -> Iterable[Any]:
        """Return the values whose time has come without new bytes: time-outs, waits, scripts. Before the firmware."""
        return ()

    def lets_pass(self, now_us: int) -> bool:
        """Return whether the client lets time pass; asked on a port with ``gate = "hold"`` that has a client."""
        return True

    def done(self, outcome: Done) -> None:
        """Take the outcome of a change that this port asked for."""
        ...

    def tick(self, unit: Any, now_us: int) -> bytes:
        """Return the bytes to send now; only answers if time has not advanced since the last call."""
        ...

    def hung_up(self) -> bool:
        """Return whether the protocol wants the link closed now (true once)."""
        return False

    def counters(self) -> Mapping[str, int]:
        """Return how much was received, sent, dropped and resynchronised."""
        ...

    def state(self) -> Tree:
        """Return decoder and conversation state as a tree of plain values."""
        ...

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        ...


@runtime_checkable
class HearsMaps(Protocol):
    """A protocol that informs its client about map changes."""

    def map_changed(self, file: str, by_user: bool, loaded: bool) -> None:
        """The map was exchanged; not *loaded*: this client asked for the map that is loaded already."""
        ...
