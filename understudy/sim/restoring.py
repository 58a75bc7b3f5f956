"""Restoring a simulation: it continues where it was saved.

Python programs cannot be saved. With them, everything is run again up to the saved tick, with the same input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from understudy.errors import TapeError
from understudy.sim.inbox import Inbox, Item
from understudy.sim.run import Run
from understudy.sim.saving import programs_of, restored_run
from understudy.sim.scene_codec import decode_body, decode_item
from understudy.world.limits import RELIVED_TICKS

if TYPE_CHECKING:
    from understudy.sim.sim import Sim


def resume(sim: Sim, saved: Mapping[str, Any], trust: bool) -> None:
    """Let a simulation, made from the start of a saved one, continue from there; raises TapeError."""
    base = saved.get("base")
    if base:  # before the programs began
        sim.current = restored_run(base, sim.files, trust)
        sim.inbox.forget(base["sequence"])
    sim.seats.resume(programs_of(saved), max(saved["programs_from"], 0), base)
    if "together" in saved:
        _share_clock_again(sim, saved["together"])
    if sim.seats.relived:
        _relive(sim, saved)
    else:
        sim.current = restored_run(saved, sim.files, trust)
        sim.seats.settle()
    sim.current.paused = sim.paused
    _refill(sim.inbox, saved, sim.current)


def _share_clock_again(sim: Sim, together: Mapping[str, Any]) -> None:
    """Start the programs that shared the clock of a saved run."""
    from understudy.sim.shared_clock import started

    sim.open_ports()
    sim.seats.keep_history({})
    programs = [(words, Path(folder)) for words, folder in together["programs"]]
    sim.shared_clock = started(sim, programs, together["compute"])


def _relive(sim: Sim, saved: Mapping[str, Any]) -> None:
    """Re-run up to the saved tick: programs run again, and recorded input arrives at its original tick."""
    if saved["run"]["tick"] > RELIVED_TICKS:
        raise TapeError(f"{saved['run']['tick']:,} ticks are too many to re-run (at most {RELIVED_TICKS:,})")
    for group in _exchanges(_history_of(saved, sim.current)):
        tick, sub = group[0].tick, group[0].sub
        if tick > saved["run"]["tick"]:
            raise TapeError(f"an inbox item is at tick {tick:,}, after the saved run's last")
        sim.step(tick - sim.tick - (sub == 0))
        if sim.shared_clock is not None and sub == 0:
            sim.shared_clock.before_tick()
        sim.inbox.interleave(group)
        sim.exchange() if sub else sim.step()
    sim.step(saved["run"]["tick"] - sim.tick)
    if sim.hash() != saved["hash"]:
        raise TapeError("the saved run cannot be restored: its re-run differs, so a program is not deterministic")


def _history_of(saved: Mapping[str, Any], run: Run) -> list[Item]:
    """Return the recorded input, in order."""
    return [decode_item(plain, run) for plain in saved["history"]]


def _exchanges(items: Sequence[Item]) -> list[list[Item]]:
    """Return the items grouped by the exchange that took them."""
    return [list(group) for _, group in groupby(items, key=lambda item: (item.tick, item.sub))]


def _refill(inbox: Inbox, saved: Mapping[str, Any], run: Run) -> None:
    """Put back the waiting inbox items; programs have posted theirs again."""
    for source, body in saved["inbox"]:
        if not source.startswith("program:"):
            inbox.post(source, decode_body(body, run))
