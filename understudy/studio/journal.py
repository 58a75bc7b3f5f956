"""The journal of a run: log messages with their simulated time, collisions, and the bytes of every port."""

from __future__ import annotations

import itertools
import logging
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Literal

from understudy.frozen import frozen
from understudy.links.base import Event
from understudy.sim.inbox import Bytes
from understudy.sim.listeners import Snapshot
from understudy.sim.sim import Sim

KEPT_LINES, KEPT_CHUNKS = 5000, 400
log = logging.getLogger("understudy")


@frozen
class LogLine:
    """One message."""

    number: int
    t_us: int
    level: str
    text: str

    def __str__(self) -> str:
        return f"{self.t_us / 1e6:10.3f}  {self.level:7}  {self.text}"


@frozen
class Chunk:
    """Bytes that crossed a port."""

    number: int
    t_us: int
    way: Literal["in", "out"]
    data: bytes


class Journal(logging.Handler):
    """Stores the last messages and bytes; both a logging handler and a listener."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[LogLine] = deque(maxlen=KEPT_LINES)
        self._chunks: dict[str, deque[Chunk]] = {}
        self._numbers = itertools.count(1)
        self._sim: Sim | None = None

    # ---- messages

    def emit(self, record: logging.LogRecord) -> None:
        """Store a message; may be called from any thread."""
        t_us = self._sim.t_us if self._sim is not None else 0
        self._lines.append(LogLine(next(self._numbers), t_us, record.levelname.lower(), record.getMessage()))

    def lines(self, after: int = 0, levels: Sequence[str] = (), words: str = "") -> list[LogLine]:
        """Return the messages with a number above *after*, of these levels and containing *words*."""
        wanted = words.lower()
        return [
            line for line in list(self._lines)
            if line.number > after and (not levels or line.level in levels) and wanted in line.text.lower()
        ]  # fmt: skip

    # ---- the run

    def begin(self, sim: Sim) -> None:
        """Use the time of this simulation from now on."""
        self._sim = sim

    def tick(self, snapshot: Snapshot) -> None:
        """Store the bytes that have crossed the ports."""
        for item in snapshot.items:
            body = item.body
            if isinstance(body, Bytes) and body.event is Event.DATA:
                self._keep(body.port, Chunk(next(self._numbers), snapshot.t_us, "in", body.data))
        for path, data in snapshot.sent:
            self._keep(path, Chunk(next(self._numbers), snapshot.t_us, "out", data))

    def end(self, reason: str) -> None:
        """Log how the run ended."""
        log.info("the run has ended: %s", reason)

    def _keep(self, path: str, chunk: Chunk) -> None:
        self._chunks.setdefault(path, deque(maxlen=KEPT_CHUNKS)).append(chunk)

    def ports(self) -> tuple[str, ...]:
        """Return the ports that bytes have crossed."""
        return tuple(sorted(self._chunks))

    def chunks(self, path: str, after: int = 0) -> Iterator[Chunk]:
        """Yield the bytes of a port with a number above *after*."""
        return (chunk for chunk in list(self._chunks.get(path, ())) if chunk.number > after)
