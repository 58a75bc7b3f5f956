"""What waits for the next tick: bytes, orders and changes, in one total order. The tape records exactly this."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.errors import TapeError
from understudy.links.base import Event
from understudy.world.changes import Change

MAX_PENDING_BYTES = 65_536  # per port; what a flooding client loses beyond this is counted


@dataclass(frozen=True, slots=True)
class Bytes:
    """Something happened on a port: it was opened, bytes came, it was closed."""

    port: str
    event: Event
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Order:
    """A command for a unit, given by a program or a user."""

    unit: str
    command: Any


@dataclass(frozen=True, slots=True, eq=False)
class FleetOrder:
    """A motion for every robot at once: rows of forward m/s, left m/s, turn rad/s; NaN leaves a robot as it is."""

    targets: npt.NDArray[np.float64]


Body = Bytes | Order | FleetOrder | Change


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of the inbox with its place in the order; *sub* counts exchanges made while the clock is held."""

    tick: int
    sub: int
    sequence: int
    source: str
    body: Body


class Inbox:
    """Takes items from any thread; the run loop empties it at the tick boundary."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, Body]] = deque()
        self._pending: Counter[str] = Counter()  # bytes waiting, by port
        self.lost: Counter[str] = Counter()  # bytes lost, by port
        self._sequence = 0
        self._arrived = threading.Condition()

    def post(self, source: str, body: Body) -> None:
        """Add one item; bytes beyond a port's bound are dropped and counted."""
        with self._arrived:
            if isinstance(body, Bytes):
                if self._pending[body.port] + len(body.data) > MAX_PENDING_BYTES:
                    self.lost[body.port] += len(body.data)
                    return
                self._pending[body.port] += len(body.data)
            self._waiting.append((source, body))
            self._arrived.notify_all()

    def take(self, tick: int, sub: int) -> list[Item]:
        """Return everything that waits, in order, and forget it."""
        if not self._waiting:
            return []
        with self._arrived:
            items = []
            for source, body in self._waiting:
                items.append(Item(tick, sub, self._sequence, source, body))
                self._sequence += 1
            self._waiting.clear()
            self._pending.clear()
        return items

    def wait(self, seconds: float) -> bool:
        """Wait until something is there, at most so long; say whether there is."""
        with self._arrived:
            return bool(self._waiting) or self._arrived.wait_for(lambda: bool(self._waiting), seconds)

    def waiting(self) -> list[tuple[str, Body]]:
        """Return what waits without taking it."""
        with self._arrived:
            return list(self._waiting)

    def count(self) -> int:
        """Return how many items wait."""
        return len(self._waiting)

    def retract(self, source: str, since: int) -> None:
        """Drop what *source* has posted since so many items waited."""
        with self._arrived:
            waiting = list(self._waiting)
            kept = waiting[:since] + [each for each in waiting[since:] if each[0] != source]
            self._waiting = deque(kept)

    def interleave(self, items: Sequence[Item]) -> None:
        """Put recorded *items* among those that wait, each at the place in the order that it had."""
        with self._arrived:
            own, recorded = deque(self._waiting), {item.sequence: item for item in items}
            self._waiting.clear()
            sequence = self._sequence
            while own or recorded:
                item = recorded.pop(sequence, None)
                if item is not None:
                    self._waiting.append((item.source, item.body))
                elif own:
                    self._waiting.append(own.popleft())
                else:
                    raise TapeError("the recorded inbox has gaps: a program behaves differently each time")
                sequence += 1

    def forget(self) -> None:
        """Drop everything and count from zero, for a new run."""
        with self._arrived:
            self._waiting.clear()
            self._pending.clear()
            self._sequence = 0
