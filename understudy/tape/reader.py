"""Read tapes, including truncated ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from understudy.errors import TapeError
from understudy.sensors.base import Array
from understudy.sim.scene_codec import scene_from
from understudy.sim.tree_checks import blamed_on
from understudy.tape.layout import END, ENTRIES, HEADER, KEYFRAME, MAGIC, TapeEntry, read_block
from understudy.world.limits import IDLE_TICKS
from understudy.world.news import News
from understudy.world.scene import Scene


class Tape:
    """A tape on disk; entries are read on demand."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            blocks = self.blocks()
            first = next(blocks, None)
        except OSError as problem:
            raise TapeError(f"{self.path}: {problem.strerror}") from problem
        if first is None or first[0] != HEADER:
            raise TapeError(f"{self.path}: the tape has no valid header and cannot be read")
        self.header: dict[str, Any] = first[1]

    @property
    def scene(self) -> Scene:
        """Return the resolved scene at time zero."""
        with blamed_on(f"{self.path}: header"):
            return scene_from(self.header["scene"])

    @property
    def files(self) -> dict[str, bytes]:
        """Return the contents of the files that the scene names."""
        return dict(self.header["assets"])

    @property
    def level(self) -> str:
        """Return how much the tape holds: inbox, state or full."""
        return str(self.header["level"])

    @property
    def fingerprint(self) -> dict[str, str]:
        """Return the versions and CPU features that the run's bits depend on."""
        return dict(self.header["fingerprint"])

    def entries(self) -> Iterator[TapeEntry]:
        """Yield every tick and every exchange while paused, in order."""
        for kind, tree in self.blocks():
            if kind == ENTRIES:
                yield from map(TapeEntry.from_plain, tree)

    def news(self) -> Iterator[tuple[int, str, News]]:
        """Yield the news of units and ports, in order: tick, unit or port, news; steps of programs among them."""
        return ((entry.tick, path, news) for entry in self.entries() for path, news in entry.news)

    def keyframes(self) -> Iterator[dict[str, Any]]:
        """Yield the saved states along the tape."""
        return (tree for kind, tree in self.blocks() if kind == KEYFRAME)

    def end(self) -> dict[str, Any] | None:
        """Return how the run ended (tick, hash, reason), or None if the tape is truncated."""
        return next((tree for kind, tree in self.blocks() if kind == END), None)

    def last_tick(self) -> int:
        """Return the last recorded tick."""
        end = self.end()
        return int(end["tick"]) if end else max((entry.tick for entry in self.entries()), default=0)

    def to_arrays(self) -> dict[str, Array]:
        """Return the true motion of every robot by column: ``time_s``, ``scout/pose.x_m``, ``velocity.ahead_m_s`` ...

        The names are those of `Sim.record`, a row for each tick; time starts again at zero after a reset. Raises
        TapeError if the tape has no states, or if robots came or went.
        """
        from understudy.tape import columns

        return columns.of_tape(self)

    def __repr__(self) -> str:
        return f"<Tape {self._caption()}>"

    def _caption(self) -> str:
        """Return file, level, engine and robots in one line; nothing but the header is read."""
        robots = len(self.scene.robots)
        what = f"{robots} robot{'s' * (robots != 1)}"
        return f"{self.path}: level {self.level}, {self.header['engine']} engine, seed {self.header['seed']}, {what}"

    def _repr_html_(self) -> str:
        """Return a map of the start, for notebooks."""
        from understudy.sim import map_svg

        return map_svg.figure(map_svg.draw(self.scene), self._caption())

    def blocks(self) -> Iterator[tuple[bytes, Any]]:
        """Yield kind and content of every block."""
        if self.path.is_fifo():
            raise TapeError(f"{self.path}: a pipe; a tape is read from a file")
        with self.path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise TapeError(f"{self.path}: not a tape file")
            yield from self._blocks(file)

    def _blocks(self, file: BinaryIO) -> Iterator[tuple[bytes, Any]]:
        """Yield the blocks; check that time advances in steps that a recorder writes."""
        now = 0
        while True:
            at = file.tell()
            with blamed_on(f"{self.path}: block at byte {at:,}"):
                found = read_block(file)
                if found is None:
                    return
                now = _last_tick(*found, now)
            yield found


def _last_tick(kind: bytes, tree: Any, now: int) -> int:
    """Return the tick after a block; raises TapeError if the block cannot follow the one before."""
    if kind == ENTRIES:
        for tick, *_ in tree:
            _check_step(tick, now)
            now = tick
    elif kind == HEADER:
        now = int(tree["begin"])
    elif kind == KEYFRAME:
        if tree["run"]["tick"] != now:
            raise TapeError(f"found a keyframe of tick {tree['run']['tick']:,} at tick {now:,}")
    else:
        _check_step(tree["tick"], now)
    return now


def _check_step(tick: int, now: int) -> None:
    """Raise TapeError if a tick cannot be the next one on a tape; after a reset, time starts at zero."""
    if not now <= tick <= now + IDLE_TICKS and tick > IDLE_TICKS:
        raise TapeError(f"tick {tick:,} follows tick {now:,}; at most {IDLE_TICKS:,} ticks may be omitted")
