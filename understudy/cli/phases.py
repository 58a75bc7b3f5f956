"""Profiling: the time that a run spends in each phase of a tick."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from understudy.sim.sim import Sim


class Phases:
    """Measures the phases of every tick; created before a run, read after it."""

    def __init__(self, sim: Sim) -> None:
        self._sim, self._start = sim, time.perf_counter()
        self._first_tick = sim.tick
        self._spent: dict[str, float] = {}
        run = sim.current
        for owner, method, name in (
            (run, "exchange", "1 exchange"),
            (run, "firmware", "2 firmware"),
            (run.engine, "step", "3 engine"),
            (run, "sense", "4 sense"),
            (run, "speak", "5 protocols"),
            (sim, "publish", "6 publish"),
            (sim, "take_turns", "7 programs"),
            (sim.clock, "pace", "waiting for the clock"),
        ):
            self._time(owner, method, name)

    def _time(self, owner: Any, method: str, name: str) -> None:
        inner: Callable[..., Any] = getattr(owner, method)
        self._spent[name] = 0.0

        def timed(*args: Any) -> Any:
            begin = time.perf_counter()
            try:
                return inner(*args)
            finally:
                self._spent[name] += time.perf_counter() - begin

        setattr(owner, method, timed)

    def table(self) -> str:
        """Return one line per phase: microseconds per tick and share of the total."""
        whole = time.perf_counter() - self._start
        ticks = max(self._sim.tick - self._first_tick, 1)
        rows = [*self._spent.items(), ("everything else", whole - sum(self._spent.values()))]
        lines = [f"{name:24}{spent / ticks * 1e6:10.1f} us/tick{spent / whole:8.1%}" for name, spent in rows]
        return "\n".join([*lines, f"{'total':24}{whole / ticks * 1e6:10.1f} us/tick  {ticks} ticks in {whole:.2f} s"])
