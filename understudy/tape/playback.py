"""A tape as a simulation that can be looked at: played, held, and wound to any place, but never changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from understudy.errors import ChangeRefused
from understudy.sim.inbox import Item
from understudy.sim.outcome import Outcome
from understudy.sim.run import Run
from understudy.sim.saving import restored_run
from understudy.sim.sim import Sim
from understudy.sim.tree_checks import blamed_on
from understudy.tape.layout import ENTRIES, KEYFRAME, Entry
from understudy.tape.reader import Tape
from understudy.tape.replay import Player
from understudy.world.changes import Change, Done, Pause, Quit, Reset, Speed, Step

NO_ITEMS: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Lap:
    """A stretch of tape between two resets, which begins at time zero: how many ticks came before it, and its own."""

    begin: int
    ticks: int


class Deck:
    """Winds a run along a tape. A position counts ticks from the tape's begin, over resets."""

    def __init__(self, tape: Tape, trust: bool = False) -> None:
        self.tape = tape
        self._trust = trust
        self._player = Player(tape, trust)  # refuses what it must
        self.first = self._player.run.tick
        with blamed_on(str(tape.path)):
            self.laps = tuple(_laps(tape))
        self.run = self._player.run
        self.position = self.first
        self._lap = 0
        self._entries: Iterator[Entry] = tape.entries()
        self._next: Entry | None = next(self._entries, None)
        self._hold()

    @property
    def length(self) -> int:
        """Return the last position."""
        return self.laps[-1].begin + self.laps[-1].ticks

    def seek(self, position: int) -> None:
        """Wind to a position; backwards from the keyframe before it."""
        wanted = min(max(position, self.first), self.length)
        if wanted < self.position:
            self._rewind(wanted)
        while self.position < wanted:
            self.advance()

    def advance(self) -> tuple[tuple[Item, ...], Outcome]:
        """Play one tick and the exchanges after it; returns what came in and what it led to."""
        due = self.run.tick + 1
        with blamed_on(f"{self.tape.path}: tick {due}"):
            items = self._items(due, 0)
            outcome = self.run.advance(items)
        self.position += 1
        self._turn_over(outcome)
        self._hold()
        return items, outcome

    def _hold(self) -> None:
        """Make the exchanges that were made while no time passed."""
        while self._next is not None and self._next.sub and self._next.tick == self.run.tick:
            with blamed_on(f"{self.tape.path}: tick {self._next.tick}"):
                outcome = self.run.hold(self._items(self._next.tick, self._next.sub))
            self._turn_over(outcome)

    def _items(self, tick: int, sub: int) -> tuple[Item, ...]:
        """Return what the tape has for a tick, and go on to its next entry."""
        entry = self._next
        if entry is None or (entry.tick, entry.sub) != (tick, sub):
            return NO_ITEMS
        self._next = next(self._entries, None)
        return self._player.items(entry, self.run)

    def _turn_over(self, outcome: Outcome) -> None:
        """Begin the next lap where the tape has a reset."""
        if any(isinstance(change, Reset) for change in outcome.controls):
            self.run = self.run.anew()
            self._lap += 1

    def _rewind(self, position: int) -> None:
        """Go back to the last keyframe at or before a position, or to the begin."""
        found: tuple[int, int, dict[str, Any]] | None = None  # position, lap, keyframe
        for at, lap, tree in _keyframes(self.tape, self.laps):
            if at <= position:
                found = at, lap, tree
        if found is None:
            self._player = Player(self.tape, self._trust)
            self.run, self.position, self._lap = self._player.run, self.first, 0
        else:
            self.position, self._lap = found[0], found[1]
            with blamed_on(f"{self.tape.path}: keyframe of tick {found[2]['run']['tick']}"):
                self.run = restored_run(found[2], self.tape.files, self._trust)
        self._entries = _after(self.tape, self._lap, self.run.tick) if found else self.tape.entries()
        self._next = next(self._entries, None)
        if not found:
            self._hold()


def _resets(entry: Entry) -> bool:
    return any(plain[4][:2] == ["change", "Reset"] and not plain[4][2].get("name") for plain in entry.items)


def _laps(tape: Tape) -> Iterator[Lap]:
    """Yield the laps of a tape; the last one ends where the tape does."""
    begin = last = 0
    for entry in tape.entries():
        last = entry.tick
        if _resets(entry):
            yield Lap(begin, last)
            begin, last = begin + last, 0
    end = tape.end()
    yield Lap(begin, int(end["tick"]) if end is not None else last)


def _keyframes(tape: Tape, laps: tuple[Lap, ...]) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yield position, lap and content of every keyframe."""
    lap = 0
    for kind, tree in tape.blocks():
        if kind == ENTRIES:
            lap += sum(_resets(Entry.from_plain(plain)) for plain in tree)
        elif kind == KEYFRAME:
            yield laps[lap].begin + int(tree["run"]["tick"]), lap, tree


def _after(tape: Tape, lap: int, tick: int) -> Iterator[Entry]:
    """Yield the entries that come after a tick of a lap."""
    now = 0
    for entry in tape.entries():
        if now > lap or (now == lap and entry.tick > tick):
            yield entry
        now += _resets(entry)


class TapeSim(Sim):
    """A simulation that shows a tape: time runs, stops and is wound; the world is what was recorded."""

    def __init__(self, path: str | Path, *, trust: bool = False, speed: float | None = 1.0) -> None:
        self.deck = Deck(Tape(path), trust)
        tape = self.deck.tape
        super().__init__(tape.scene, speed=speed, files=tape.files, folder=Path(path).parent, trust=trust)
        self._programs.clear()
        self.current = self.deck.run

    @property
    def tick(self) -> int:
        """Return the place on the tape, in ticks."""
        return self.deck.position

    def seek(self, position: int) -> None:
        """Wind to a place."""
        self.deck.seek(position)
        self._show()

    def _tick(self) -> None:
        self.exchange()
        if self.deck.position >= self.deck.length:
            self.paused = True
            return
        items, outcome = self.deck.advance()
        self._ticked += 1
        self._show()
        self.publish(list(items), outcome)

    def exchange(self) -> list[Done]:
        """Obey what concerns time; refuse everything else."""
        done = []
        for item in self.inbox.take(self.tick, 0):
            if isinstance(item.body, Change):
                done.append(self._obeyed(item.body))
        return done

    def _obeyed(self, change: Change) -> Done:
        if isinstance(change, Reset) and not change.name:
            self.seek(self.deck.first)
        elif isinstance(change, Pause | Speed | Step | Quit):
            self._control(change)
        else:
            return Done(change, False, "this is a tape: it can be looked at, not changed")
        return Done(change, True)

    def change(self, change: Change, source: str = "api") -> None:
        """Obey what concerns time; raises ChangeRefused for everything else."""
        done = self._obeyed(change)
        if not done.ok:
            raise ChangeRefused(done.reason)

    def _show(self) -> None:
        fresh: Run = self.deck.run
        if fresh is not self.current:
            self.current = fresh
            self._tell("begin", self)
        self._sub += 1
