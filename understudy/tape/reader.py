"""Reads tapes, also those that were cut short."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from understudy.errors import TapeError
from understudy.sim.codec import scene_from
from understudy.tape.layout import END, ENTRIES, HEADER, KEYFRAME, MAGIC, Entry, read_block
from understudy.world.scene import Scene


class Tape:
    """A tape on disk; entries are read as they are asked for."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            blocks = self.blocks()
            first = next(blocks, None)
        except OSError as problem:
            raise TapeError(f"{self.path}: {problem.strerror}") from problem
        if first is None or first[0] != HEADER:
            raise TapeError(f"{self.path}: the tape has no header; nothing of it can be read")
        self.header: dict[str, Any] = first[1]

    @property
    def scene(self) -> Scene:
        """Return the resolved scene at time zero."""
        return scene_from(self.header["scene"])

    @property
    def files(self) -> dict[str, bytes]:
        """Return the files that the scene names, by content."""
        return dict(self.header["assets"])

    @property
    def level(self) -> str:
        """Return how much the tape holds: inbox, state or full."""
        return str(self.header["level"])

    @property
    def fingerprint(self) -> dict[str, str]:
        """Return the versions and CPU features that the run's bits depend on."""
        return dict(self.header["fingerprint"])

    def entries(self) -> Iterator[Entry]:
        """Yield every tick and held exchange, in order."""
        for kind, tree in self.blocks():
            if kind == ENTRIES:
                yield from map(Entry.from_plain, tree)

    def keyframes(self) -> Iterator[dict[str, Any]]:
        """Yield the saved states along the tape."""
        return (tree for kind, tree in self.blocks() if kind == KEYFRAME)

    def end(self) -> dict[str, Any] | None:
        """Return how the run ended (tick, hash, reason), or None if the tape was cut short."""
        return next((tree for kind, tree in self.blocks() if kind == END), None)

    def last_tick(self) -> int:
        """Return the last tick that the tape knows of."""
        end = self.end()
        return int(end["tick"]) if end else max((entry.tick for entry in self.entries()), default=0)

    def blocks(self) -> Iterator[tuple[bytes, Any]]:
        """Yield every block: what it is and its content."""
        with self.path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise TapeError(f"{self.path}: this is not a tape")
            while (found := read_block(file)) is not None:
                yield found
