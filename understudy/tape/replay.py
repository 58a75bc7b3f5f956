"""Runs a tape again: the inbox alone, no clients, no programs; compares hashes on the way.

Only the filters of devices are users' code that a replay cannot do without; it runs them when told that it may.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from understudy.errors import TapeError
from understudy.sim import consent
from understudy.sim.codec import decode_item
from understudy.sim.inbox import Item
from understudy.sim.outcome import Outcome
from understudy.sim.run import Run
from understudy.sim.saving import restored_run
from understudy.sim.tree_checks import blamed_on
from understudy.tape.layout import Entry, fingerprint
from understudy.tape.reader import Tape
from understudy.world.changes import Change, Ended, Reset
from understudy.world.limits import IDLE_TICKS


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first place where the replay differs from the tape."""

    tick: int
    what: str
    recorded: str
    replayed: str


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay found."""

    ticks: int
    hash: str
    complete: bool  # the tape has its end
    mismatch: Mismatch | None
    foreign: tuple[str, ...]  # what of the fingerprint is different here
    notes: tuple[str, ...] = ()  # which programs had failed or were interrupted, and when


class Player:
    """Steps a run along a tape."""

    def __init__(self, tape: Tape, trust: bool = False) -> None:
        self.tape = tape
        self._trust = trust
        with blamed_on(str(tape.path)):
            self.run = self._begun()

    def _begun(self) -> Run:
        """Return the run at the begin of the tape."""
        tape, scene = self.tape, self.tape.scene
        consent.require(self._trust, "the tape", consent.of_scene(scene))
        run = Run(scene, scene.seed, files=tape.files, trust=self._trust)
        if not tape.header["begin"]:
            return run
        keyframe = next(tape.keyframes(), None)
        if keyframe is None:
            raise TapeError("it begins in the middle of a run, but the state at that time is not on it")
        return restored_run(keyframe, tape.files, self._trust)

    def play(self) -> Iterator[tuple[Entry, Outcome]]:
        """Replay entry after entry; yields each with what it led to."""
        for entry in self.tape.entries():
            with blamed_on(f"{self.tape.path}: tick {entry.tick}"):
                outcome = self._played(entry)
            yield entry, outcome
            if any(isinstance(change, Reset) for change in outcome.controls):
                self.run = self.run.anew()
        end = self.tape.end()
        if end is not None:
            with blamed_on(f"{self.tape.path}: end"):
                self._catch_up(end["tick"])

    def _played(self, entry: Entry) -> Outcome:
        self._catch_up(entry.tick - (entry.sub == 0))
        if self.run.tick != entry.tick - (entry.sub == 0):
            raise TapeError(f"the run is at tick {self.run.tick} already")
        items = self.items(entry, self.run)
        return self.run.hold(items) if entry.sub else self.run.advance(items)

    def items(self, entry: Entry, run: Run) -> tuple[Item, ...]:
        """Return what came in with an entry; raises TapeError if that brings code which is not trusted."""
        items = tuple(decode_item(plain, run) for plain in entry.items)
        for item in items:
            if isinstance(item.body, Change):
                consent.require(self._trust, "the tape", consent.of_change(item.body))
        return items

    def _catch_up(self, tick: int) -> None:
        """Advance through ticks that the tape left out because nothing came in."""
        if tick - self.run.tick > IDLE_TICKS:
            raise TapeError(f"nothing is recorded since tick {self.run.tick}; at most {IDLE_TICKS:,} may be left out")
        while self.run.tick < tick:
            self.run.advance(())


def replay(path: str | Path | Tape, trust: bool = False) -> Replay:
    """Replay a whole tape and say whether every hash on it came out again; *trust* lets filters on it run."""
    tape = path if isinstance(path, Tape) else Tape(path)
    player = Player(tape, trust)
    mismatch: Mismatch | None = None
    ticks, notes = 0, []
    for entry, outcome in player.play():
        notes += [f"tick {entry.tick}: {note}" for note in _endings(outcome)]
        ticks += entry.sub == 0
        mismatch = mismatch or _compare(entry, outcome, player.run)
    final, end = player.run.hash(), tape.end()
    if end is not None and mismatch is None and final != end["hash"]:
        mismatch = Mismatch(end["tick"], "the end", end["hash"], final)
    here = fingerprint(tape.scene)
    foreign = tuple(
        _difference(key, value, here.get(key, "")) for key, value in tape.fingerprint.items() if here.get(key) != value
    )
    return Replay(max(ticks, player.run.tick), final, end is not None, mismatch, foreign, tuple(notes))


def _endings(outcome: Outcome) -> Iterator[str]:
    for _, done in outcome.done:
        if isinstance(done.change, Ended):
            verb = "was interrupted" if done.change.how == "interrupted" else "failed"
            yield f"{done.change.robot}'s program {verb}"


def _difference(key: str, there: str, here: str) -> str:
    """Return what is different: of cameras who made their pictures, since only readings follow from that."""
    return f"cameras, by {there} there and by {here} here" if key == "cameras" else key


def _compare(entry: Entry, outcome: Outcome, run: Run) -> Mismatch | None:
    """Return where the replay of one entry differs from what was recorded."""
    if entry.hash and run.hash() != entry.hash:
        return Mismatch(entry.tick, "state", entry.hash, run.hash())
    if entry.sent and tuple(outcome.sent) != entry.sent:
        return Mismatch(entry.tick, "bytes sent", repr(entry.sent), repr(tuple(outcome.sent)))
    return None
