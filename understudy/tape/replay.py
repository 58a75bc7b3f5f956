"""Run a tape again from its inbox alone, without clients or programs, and compare the state hashes.

Filters of devices and firmware of boards are the only user code that a replay needs; it runs if the caller allows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from understudy.errors import TapeError
from understudy.frozen import frozen
from understudy.sim import consent
from understudy.sim.inbox import Item
from understudy.sim.outcome import Outcome
from understudy.sim.run import Run
from understudy.sim.saving import restored_run
from understudy.sim.scene_codec import decode_item
from understudy.sim.tree_checks import blamed_on
from understudy.tape.layout import TapeEntry, fingerprint
from understudy.tape.reader import Tape
from understudy.world.changes import Change, Ended, Reset
from understudy.world.limits import IDLE_TICKS
from understudy.world.news import At, News


@frozen
class Mismatch:
    """The first difference between the replay and the tape."""

    tick: int
    what: str
    recorded: str
    replayed: str


@frozen
class Replay:
    """The result of a replay."""

    ticks: int
    hash: str
    complete: bool  # the tape has an end block (is not truncated)
    mismatch: Mismatch | None
    foreign: tuple[str, ...]  # the parts of the fingerprint that differ on this machine
    notes: tuple[str, ...] = ()  # which programs failed or were interrupted, and when


class Player:
    """Steps a run along a tape."""

    def __init__(self, tape: Tape, trust: bool = False) -> None:
        self.tape = tape
        self._trust = trust
        with blamed_on(str(tape.path)):
            self.run = self._begun()

    def _begun(self) -> Run:
        """Return the run at the start of the tape."""
        tape, scene = self.tape, self.tape.scene
        consent.require(self._trust, "the tape", consent.of_scene(scene))
        run = Run(scene, scene.seed, files=tape.files, trust=self._trust)
        if not tape.header["begin"]:
            return run
        keyframe = next(tape.keyframes(), None)
        if keyframe is None:
            raise TapeError("the tape starts in the middle of a run but has no keyframe of that time")
        return restored_run(keyframe, tape.files, self._trust)

    def play(self) -> Iterator[tuple[TapeEntry, Outcome]]:
        """Replay entry by entry; yields each with its outcome."""
        for entry in self.tape.entries():
            with blamed_on(f"{self.tape.path}: tick {entry.tick}"):
                outcome = self._played(entry)
            yield entry, outcome
            if any(isinstance(change, Reset) for change in outcome.controls):
                self.run = self.run.restart()
        end = self.tape.end()
        if end is not None:
            with blamed_on(f"{self.tape.path}: end"):
                self._catch_up(end["tick"])

    def _played(self, entry: TapeEntry) -> Outcome:
        self._catch_up(entry.tick - (entry.sub == 0))
        if self.run.tick != entry.tick - (entry.sub == 0):
            raise TapeError(f"the replay is already at tick {self.run.tick}")
        items = self.items(entry, self.run)
        return self.run.hold(items) if entry.sub else self.run.advance(items)

    def items(self, entry: TapeEntry, run: Run) -> tuple[Item, ...]:
        """Return the inputs of an entry; raises TapeError if they contain code that is not trusted."""
        items = tuple(decode_item(plain, run) for plain in entry.items)
        for item in items:
            if isinstance(item.body, Change):
                consent.require(self._trust, "the tape", consent.of_change(item.body))
        return items

    def _catch_up(self, tick: int) -> None:
        """Advance through the ticks that the tape omits because nothing came in."""
        if tick - self.run.tick > IDLE_TICKS:
            raise TapeError(f"no entry since tick {self.run.tick}; at most {IDLE_TICKS:,} ticks may be omitted")
        while self.run.tick < tick:
            self.run.advance(())


def replay(path: str | Path | Tape, trust: bool = False) -> Replay:
    """Replay a whole tape and compare every hash; *trust* allows the filters and firmware on it to run."""
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
    """Return what differs; for cameras both renderers, since only the pictures depend on the renderer."""
    return f"cameras (recorded with {there}, replayed with {here})" if key == "cameras" else key


def _steps(news: Iterable[tuple[str, News]]) -> list[tuple[str, News]]:
    """Return the steps of programs; notes may name folders, which differ."""
    return [(path, each) for path, each in news if isinstance(each, At)]


def _compare(entry: TapeEntry, outcome: Outcome, run: Run) -> Mismatch | None:
    """Return the first difference between the replay of one entry and the recording."""
    if entry.hash and run.hash() != entry.hash:
        return Mismatch(entry.tick, "state", entry.hash, run.hash())
    if entry.sent and tuple(outcome.sent) != entry.sent:
        return Mismatch(entry.tick, "bytes sent", repr(entry.sent), repr(tuple(outcome.sent)))
    recorded, replayed = _steps(entry.news), _steps(outcome.news)
    if recorded and recorded != replayed:
        return Mismatch(entry.tick, "steps of programs", repr(recorded), repr(replayed))
    return None
