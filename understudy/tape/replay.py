"""Runs a tape again: the inbox alone, no clients, no programs; compares hashes on the way.

Only the filters of devices are users' code that a replay cannot do without; it runs them when told that it may.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from understudy.sim import consent
from understudy.sim.codec import decode_item
from understudy.sim.inbox import Item
from understudy.sim.outcome import Outcome
from understudy.sim.run import Run
from understudy.sim.saving import restored_run
from understudy.tape.layout import Entry, fingerprint
from understudy.tape.reader import Tape
from understudy.world.changes import Change, Ended, Reset


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
        scene = tape.scene
        consent.require(trust, "the tape", consent.of_scene(scene))
        self.run = Run(scene, scene.seed, files=tape.files, trust=trust)
        if tape.header["begin"]:
            self.run = restored_run(next(tape.keyframes()), tape.files, trust)

    def play(self) -> Iterator[tuple[Entry, Outcome]]:
        """Replay entry after entry; yields each with what it led to."""
        for entry in self.tape.entries():
            self._catch_up(entry.tick - (entry.sub == 0))
            items = self.items(entry, self.run)
            outcome = self.run.hold(items) if entry.sub else self.run.advance(items)
            yield entry, outcome
            if any(isinstance(change, Reset) for change in outcome.controls):
                self.run = self.run.anew()
        end = self.tape.end()
        if end is not None:
            self._catch_up(end["tick"])

    def items(self, entry: Entry, run: Run) -> tuple[Item, ...]:
        """Return what came in with an entry; raises TapeError if that brings code which is not trusted."""
        items = tuple(decode_item(plain, run) for plain in entry.items)
        for item in items:
            if isinstance(item.body, Change):
                consent.require(self._trust, "the tape", consent.of_change(item.body))
        return items

    def _catch_up(self, tick: int) -> None:
        """Advance through ticks that the tape left out because nothing came in."""
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
