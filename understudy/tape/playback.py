"""Show a tape as a read-only simulation that can be played, paused and moved to any position."""

from __future__ import annotations

import dataclasses
import logging
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from understudy.errors import ChangeRefused
from understudy.frozen import frozen
from understudy.sim.events import restart_tick
from understudy.sim.inbox import Item
from understudy.sim.outcome import Outcome
from understudy.sim.run import Run
from understudy.sim.saving import restored_run
from understudy.sim.sim import Sim
from understudy.sim.tree_checks import blamed_on
from understudy.tape.layout import ENTRIES, KEYFRAME, TapeEntry
from understudy.tape.reader import Tape
from understudy.tape.replay import Player
from understudy.world.changes import Change, Done, Pause, Quit, Reset, Speed, Step

log = logging.getLogger(__name__)
NO_ITEMS: tuple[Item, ...] = ()


@frozen
class Lap:
    """A part of a tape between two resets; it starts at time zero. Holds the ticks before it and its own ticks."""

    begin: int
    ticks: int


class TapePlayer:
    """Moves a run along a tape. A position counts ticks from the start of the tape, across resets."""

    def __init__(self, tape: Tape, trust: bool = False) -> None:
        self.tape = tape
        self._trust = trust
        self._player = Player(tape, trust)  # raises for code that is not trusted
        self.first = self._player.run.tick
        with blamed_on(str(tape.path)):
            self.laps = tuple(_laps(tape))
        self.run = self._player.run
        self.position = self.first
        self._lap = 0
        self.held: list[Item] = []  # inputs since the last look, of exchanges while the clock was paused
        self._entries: Iterator[TapeEntry] = tape.entries()
        self._next: TapeEntry | None = next(self._entries, None)
        self._hold()

    @property
    def length(self) -> int:
        """Return the last position."""
        return self.laps[-1].begin + self.laps[-1].ticks

    def seek(self, position: int) -> None:
        """Go to a position; backwards from the keyframe before it."""
        self.approach(position, math.inf)

    def approach(self, position: int, seconds: float) -> bool:
        """Go towards a position for at most this time (s, of the processor's clock); returns whether it is reached."""
        wanted = min(max(position, self.first), self.length)
        if wanted < self.position:
            self._rewind(wanted)
        end_s = time.perf_counter() + seconds
        while self.position < wanted:
            self.advance()
            if time.perf_counter() > end_s:
                return self.position >= wanted
        return True

    def advance(self) -> tuple[tuple[Item, ...], Outcome]:
        """Play one tick and the exchanges after it; returns the inputs and their outcome."""
        due = self.run.tick + 1
        with blamed_on(f"{self.tape.path}: tick {due}"):
            items = self._items(due, 0)
            outcome = self.run.advance(items)
        self.position += 1
        self._turn_over(outcome)
        self._hold()
        return items, outcome

    def _hold(self) -> None:
        """Make the exchanges that were recorded while the clock was paused."""
        while self._next is not None and self._next.sub and self._next.tick == self.run.tick:
            with blamed_on(f"{self.tape.path}: tick {self._next.tick}"):
                items = self._items(self._next.tick, self._next.sub)
                outcome = self.run.hold(items)
            self.held += items
            self._turn_over(outcome)

    def _items(self, tick: int, sub: int) -> tuple[Item, ...]:
        """Return the recorded inputs of a tick and advance to the next entry."""
        entry = self._next
        if entry is None or (entry.tick, entry.sub) != (tick, sub):
            return NO_ITEMS
        self._next = next(self._entries, None)
        return self._player.items(entry, self.run)

    def _turn_over(self, outcome: Outcome) -> None:
        """Start the next lap where the tape has a reset."""
        if any(isinstance(change, Reset) for change in outcome.controls):
            self.run = self.run.restart()
            self._lap += 1

    def _rewind(self, position: int) -> None:
        """Go back to the last keyframe at or before a position, or to the start."""
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


def _resets(entry: TapeEntry, by_itself: int | None) -> bool:
    """Return whether the run restarts with an entry; *by_itself* is the tick at which the scene's events restart it."""
    if entry.tick == by_itself and entry.sub == 0:
        return True
    return any(plain[4][:2] == ["change", "Reset"] and not plain[4][2].get("reset") for plain in entry.items)


def _laps(tape: Tape) -> Iterator[Lap]:
    """Yield the laps of a tape; the last one ends with the tape."""
    begin = last = 0
    by_itself = restart_tick(tape.scene)
    for entry in tape.entries():
        last = entry.tick
        if _resets(entry, by_itself):
            yield Lap(begin, last)
            begin, last = begin + last, 0
    end = tape.end()
    yield Lap(begin, int(end["tick"]) if end is not None else last)


def _keyframes(tape: Tape, laps: tuple[Lap, ...]) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yield position, lap and content of every keyframe."""
    lap, by_itself = 0, restart_tick(tape.scene)
    for kind, tree in tape.blocks():
        if kind == ENTRIES:
            lap += sum(_resets(TapeEntry.from_plain(plain), by_itself) for plain in tree)
        elif kind == KEYFRAME:
            yield laps[lap].begin + int(tree["run"]["tick"]), lap, tree


def _after(tape: Tape, lap: int, tick: int) -> Iterator[TapeEntry]:
    """Yield the entries after a tick of a lap."""
    now, by_itself = 0, restart_tick(tape.scene)
    for entry in tape.entries():
        if now > lap or (now == lap and entry.tick > tick):
            yield entry
        now += _resets(entry, by_itself)


class TapeSim(Sim):
    """A simulation that shows a tape: time can run, pause and jump; the world is what was recorded."""

    def __init__(self, path: str | Path, *, trust: bool = False, speed: float | None = 1.0) -> None:
        self.deck = TapePlayer(Tape(path), trust)
        tape = self.deck.tape
        robots = tuple(dataclasses.replace(robot, program=None) for robot in tape.scene.robots)  # it runs none
        shown = dataclasses.replace(tape.scene, robots=robots)
        super().__init__(shown, speed=speed, files=tape.files, folder=Path(path).parent, trust=trust)
        self.current = self.deck.run

    @property
    def tick(self) -> int:
        """Return the position on the tape, in ticks."""
        return self.deck.position

    def seek(self, position: int) -> None:
        """Go to a position."""
        self.approach(position, math.inf)

    def approach(self, position: int, seconds: float) -> bool:
        """Go towards a position for at most this time (s); returns whether it is reached."""
        there = self.deck.approach(position, seconds)
        self._show()
        return there

    def _tick(self, idle: Callable[[], float] = lambda: 1) -> None:
        self.exchange()
        if self.deck.position >= self.deck.length:
            self.paused = True
            return
        self.deck.held.clear()
        items, outcome = self.deck.advance()
        self._ticked += 1
        self._show()
        for item in (*items, *self.deck.held):
            if isinstance(item.body, Change):
                log.info("recorded of %s: %s", item.source, _told(item.body))
        self._report(outcome)
        self.publish(list(items), outcome)

    def exchange(self) -> list[Done]:
        """Apply changes of time; refuse all others."""
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
            return Done(change, False, "a tape is read-only: only play, pause, speed and seek are available")
        return Done(change, True)

    def change(self, change: Change, source: str = "api") -> None:
        """Apply changes of time; raises ChangeRefused for all others."""
        done = self._obeyed(change)
        if not done.ok:
            raise ChangeRefused(done.reason)

    def _show(self) -> None:
        fresh: Run = self.deck.run
        if fresh is not self.current:
            self.current = fresh
            self._listeners.begin(self)
        self._sub += 1


def _told(change: Change) -> str:
    """Return what a recorded change was, in a few words.

    >>> _told(Pause(True))
    'pause'
    """
    thing = getattr(change, "thing", None)
    name = getattr(change, "name", "") or getattr(thing, "name", "") or getattr(change, "path", "")
    return f"{type(change).__name__.lower()} {name}".strip()
