"""User code that simulated time waits for: time passes only while the code sleeps, so runs are bit-identical."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from greenlet import getcurrent

from understudy.errors import UnderstudyError
from understudy.sear.calls import SearCalls
from understudy.sear.readings import Readings, SensorPlace
from understudy.sim.sim import Sim
from understudy.sim.sleeping import PATCH

T = TypeVar("T")


class SimulationOver(BaseException):
    """The simulation has ended while user code was waiting: the code ends too, whatever exceptions it catches."""


class GatedSear(SearCalls):
    """The object ``sear`` of user code that owns the simulation's time.

    ``sear.sleep`` and ``time.sleep`` let simulated time pass. A sensor that is read twice in the same tick lets a tick
    pass in between, so that a loop that waits for a reading to change comes to its end.
    """

    def __init__(self, sim: Sim, places: Mapping[str, SensorPlace], end_s: float = math.inf) -> None:
        self._sim, self._readings, self._end_s = sim, Readings(sim, places), end_s
        self._read_at: dict[str, int] = {}  # sensor -> the tick at which it was read

    def ask(self, request: Callable[[Sim], T]) -> T:
        """Call a function of the simulation at once."""
        return request(self._sim)

    def sleep(self, seconds: float) -> None:
        """Let simulated time pass, at least one tick."""
        if not (isinstance(seconds, int | float) and 0.0 <= seconds < math.inf):
            raise ValueError(f"sleep: want a number of seconds from 0 up, got {seconds!r}")
        left = self._end_s - self._sim.time_s
        with _awake():
            self._sim.run(max(min(seconds, left), self._sim.scene.tick_us / 1e6))
        self.check_end()

    def check_end(self) -> None:
        """Raise SimulationOver if the run has ended."""
        if self._sim.exit_code is not None or self._sim.time_s >= self._end_s - 1e-9:
            raise SimulationOver

    def startSimulation(self) -> None:
        """Do nothing: the simulation runs already."""

    def stopSimulation(self) -> None:
        """End the run and the code."""
        raise SimulationOver

    def _get(self, name: str, getter: Callable[[Readings, str], T]) -> T:
        if self._read_at.get(name) == self._sim.tick:
            self.sleep(0.0)
        value = getter(self._readings, name)
        self._read_at[name] = self._sim.tick
        return value


@contextmanager
def sleeping_in(sear: GatedSear) -> Iterator[None]:
    """Let ``time.sleep`` of this thread wait in simulated time within this block."""
    here = getcurrent()
    if getattr(here, "seat", None) is not None:
        raise UnderstudyError("user code cannot be started from a program that simulated time waits for")
    with PATCH:
        here.seat = sear
        try:
            yield
        finally:
            here.seat = None


@contextmanager
def _awake() -> Iterator[None]:
    """Let ``time.sleep`` be the real one within this block: the clock of the simulation sleeps too."""
    here = getcurrent()
    before, here.seat = getattr(here, "seat", None), None
    try:
        yield
    finally:
        here.seat = before
