"""Holds what links report until the next tick.

Links report from their own thread, in pieces as the system has cut them. For a run that repeats, the pieces are joined
and enter the inbox in one order: ports by name, and events of a port in theirs.
"""

from __future__ import annotations

import threading
from collections import defaultdict

from understudy.links.base import CHUNK, Event
from understudy.sim.inbox import Body, Bytes, Inbox
from understudy.world.changes import Remove


class Stage:
    """Takes the place of the inbox for links; may be called from any thread."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._lock = threading.Lock()
        self._held: dict[str, list[tuple[str, Body]]] = defaultdict(list)  # by port

    def post(self, source: str, body: Body) -> None:
        """Hold one item."""
        with self._lock:
            self._held[_place(body)].append((source, body))

    def release(self) -> None:
        """Put everything into the inbox."""
        if not self._held:
            return
        with self._lock:
            held, self._held = self._held, defaultdict(list)
        for port in sorted(held):
            for source, body in _joined(held[port]):
                by_program = isinstance(body, Bytes)  # which does it again when a saved run is re-run
                self._inbox.post(f"program:{source}" if by_program else source, body)


def _place(body: Body) -> str:
    """Return what an item is sorted by; a robot is removed after all that its ports report."""
    return body.port if isinstance(body, Bytes) else f"{body.name}/~" if isinstance(body, Remove) else "~"


def _joined(items: list[tuple[str, Body]]) -> list[tuple[str, Body]]:
    """Return the items with neighbouring data joined, and cut again at the same places in each run."""
    joined: list[tuple[str, Body]] = []
    data, source, port = bytearray(), "", ""

    def finish() -> None:
        for start in range(0, len(data), CHUNK):
            joined.append((source, Bytes(port, Event.DATA, bytes(data[start : start + CHUNK]))))
        data.clear()

    for origin, body in items:
        if isinstance(body, Bytes) and body.event is Event.DATA:
            data += body.data
            source, port = origin, body.port
            continue
        finish()
        joined.append((origin, body))
    finish()
    return joined
