"""Record a run while it happens. A full disk stops the tape, never the run."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

import numpy as np

from understudy.errors import TapeError
from understudy.formats import targets
from understudy.sim.events import restart_tick
from understudy.sim.listeners import Snapshot
from understudy.sim.scene_codec import scene_plain
from understudy.tape.layout import END, ENTRIES, HEADER, KEYFRAME, MAGIC, TapeEntry, block, fingerprint
from understudy.world.limits import IDLE_TICKS

if TYPE_CHECKING:
    from understudy.sim.sim import Sim

log = logging.getLogger(__name__)

Level = Literal["inbox", "state", "full"]
LEVELS: tuple[Level, ...] = ("inbox", "state", "full")
KEYFRAME_US = 10_000_000
BLOCK_ENTRIES = 100


def check_target(path: str | Path) -> None:
    """Raise TapeError if a tape cannot be written there, or would overwrite a file that is not a tape."""
    if reason := targets.refusal(path, "a tape", lambda head: head.startswith(MAGIC)):
        raise TapeError(f"{path}: {reason}")


class TapeWriter:
    """A listener that writes a tape: *inbox* alone, with *state* and news of every tick, or *full* with all bytes."""

    def __init__(self, path: str | Path, level: Level = "state") -> None:
        if level not in LEVELS:
            raise TapeError(f"no such tape level {level!r} (known: {', '.join(LEVELS)})")
        self.path, self.level = Path(path), level
        self._entries: list[list[Any]] = []
        self._restart_tick: int | None = None
        self._last_tick = self._noted_tick = 0
        self._next_keyframe_us = KEYFRAME_US
        check_target(self.path)
        try:
            self._file: BinaryIO | None = self.path.open("wb")
        except OSError as problem:
            raise TapeError(f"cannot write the tape {self.path}: {problem.strerror}") from problem
        self._sim: Sim | None = None

    def begin(self, sim: Sim) -> None:
        """Write the header; a reset within the run needs no new one, because the tape records the reset itself."""
        self._next_keyframe_us = KEYFRAME_US
        self._noted_tick = sim.tick
        if self._sim is not None:
            return
        self._sim, self._restart_tick = sim, restart_tick(sim.start)
        self._put(MAGIC)
        self._put(block(HEADER, _header(sim, self.level)))
        if sim.tick:
            self._put(block(KEYFRAME, sim.save_tree()))

    def tick(self, snapshot: Snapshot) -> None:
        """Record one tick."""
        if self._file is None:
            return
        entry = self._entry(snapshot)
        self._last_tick = snapshot.tick
        idle = snapshot.tick - self._noted_tick
        if self.level != "inbox" or entry.items or idle >= IDLE_TICKS or snapshot.tick == self._restart_tick:
            self._entries.append(entry.plain())
            self._noted_tick = snapshot.tick
        if len(self._entries) >= BLOCK_ENTRIES:
            self._flush()
        if self.level != "inbox" and snapshot.t_us >= self._next_keyframe_us and snapshot.sub == 0:
            self._next_keyframe_us += KEYFRAME_US
            self._flush()
            self._put(block(KEYFRAME, snapshot.state()))

    def _entry(self, snapshot: Snapshot) -> TapeEntry:
        items = snapshot.recorded()
        if self.level == "inbox":
            return TapeEntry(snapshot.tick, snapshot.sub, items)
        rows = np.column_stack([snapshot.poses(), snapshot.twists()])
        sent = snapshot.sent if self.level == "full" else ()
        return TapeEntry(snapshot.tick, snapshot.sub, items, snapshot.hash(), rows, sent, snapshot.news)

    def end(self, reason: str) -> None:
        """Write the remaining entries and close the file."""
        self._flush()
        if self._sim is not None:
            self._put(block(END, {"tick": self._sim.tick, "hash": self._sim.hash(), "reason": reason}))
        self._close()

    def _flush(self) -> None:
        if self._entries:
            self._put(block(ENTRIES, self._entries))
            self._entries = []

    def _put(self, data: bytes) -> None:
        if self._file is None:
            return
        try:
            self._file.write(data)
            self._file.flush()
        except OSError as problem:
            log.error(
                "recording to %s stopped at tick %d: %s; the run continues without it",
                self.path, self._last_tick, problem.strerror,
            )  # fmt: skip
            self._close()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError:
                log.debug("the tape file could not be closed cleanly")


def _header(sim: Sim, level: Level) -> dict[str, Any]:
    return {
        "fingerprint": fingerprint(sim.start),
        "scene": scene_plain(sim.start),
        "seed": sim.start.seed,
        "engine": sim.start.engine,
        "tick_us": sim.start.tick_us,
        "level": level,
        "begin": sim.tick,
        "assets": dict(sim.files),
    }
