"""Input of the next tick: bytes, orders and changes, in one total order. The tape records exactly this."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.errors import TapeError
from understudy.frozen import frozen
from understudy.links.base import Event
from understudy.world.changes import Change

MAX_PENDING_BYTES = 65_536  # per port; bytes beyond this are dropped and counted


@frozen
class Bytes:
    """An event on a port: a client connected, sent bytes or disconnected."""

    port: str
    event: Event
    data: bytes = b""


@frozen
class Order:
    """A command for a unit, given by a program or a user."""

    unit: str
    command: Any


@frozen
class ForeignCommand:
    """What a tape keeps of a command that its unit does not take: the name of its type, and why."""

    name: str
    reason: str = ""


@frozen
class RefusedChange:
    """What a tape keeps of a change that was refused and cannot be kept itself: the name of its type, and why."""

    name: str
    reason: str


@frozen(eq=False)
class FleetOrder:
    """A motion for every robot at once: rows of forward m/s, left m/s, turn rad/s; NaN leaves a robot unchanged."""

    targets: npt.NDArray[np.float64]


Body = Bytes | Order | FleetOrder | RefusedChange | Change


@frozen
class Item:
    """One entry of the inbox with its place in the order; *sub* counts exchanges made while time is paused."""

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
        self._woken = False
        self._lock = threading.RLock()
        self._arrived = threading.Condition(self._lock)
        self._sleepers = 0  # threads in `wait`: usually none, and to notify nobody has its price

    def post(self, source: str, body: Body) -> None:
        """Add one item; bytes beyond a port's bound are dropped and counted."""
        with self._lock:
            if isinstance(body, Bytes):
                if self._pending[body.port] + len(body.data) > MAX_PENDING_BYTES:
                    self.lost[body.port] += len(body.data)
                    return
                self._pending[body.port] += len(body.data)
            self._waiting.append((source, body))
            if self._sleepers:
                self._arrived.notify_all()

    def take(self, tick: int, sub: int) -> list[Item]:
        """Return all waiting items, in order, and clear the inbox."""
        if not self._waiting:
            return []
        with self._lock:
            items = []
            for source, body in self._waiting:
                items.append(Item(tick, sub, self._sequence, source, body))
                self._sequence += 1
            self._waiting.clear()
            self._pending.clear()
        return items

    def wait(self, seconds: float) -> bool:
        """Wait for an item, at most so long or until `wake`; return whether there is one."""
        with self._lock:
            self._sleepers += 1
            try:
                self._arrived.wait_for(lambda: self._waiting or self._woken, seconds)
            finally:
                self._sleepers -= 1
            self._woken = False
            return bool(self._waiting)

    def wake(self) -> None:
        """End a wait, also one that is yet to begin; may be called from any thread."""
        with self._lock:
            self._woken = True
            self._arrived.notify_all()

    def waiting(self) -> list[tuple[str, Body]]:
        """Return the waiting items without taking them."""
        with self._lock:
            return list(self._waiting)

    def count(self) -> int:
        """Return how many items wait."""
        return len(self._waiting)

    @property
    def sequence(self) -> int:
        """Return how many items have been taken: the place of the next one."""
        return self._sequence

    def retract(self, source: str, since: int) -> None:
        """Drop what *source* has posted since the inbox held *since* items."""
        with self._lock:
            waiting = list(self._waiting)
            kept = waiting[:since] + [each for each in waiting[since:] if each[0] != source]
            self._waiting = deque(kept)

    def interleave(self, items: Sequence[Item]) -> None:
        """Insert recorded *items* among the waiting ones, each at its original place in the order."""
        with self._lock:
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
                    raise TapeError("the recorded inbox has gaps: a program is not deterministic")
                sequence += 1

    def forget(self, sequence: int = 0) -> None:
        """Drop everything except what clients did, because they stay connected, and restart the sequence."""
        with self._lock:
            self._waiting = deque(each for each in self._waiting if isinstance(each[1], Bytes))
            self._sequence = sequence
