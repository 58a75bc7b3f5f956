"""User code that simulated time waits for: time passes only while the code sleeps, so runs are bit-identical."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping
from typing import TypeVar

from greenlet import getcurrent, greenlet

from understudy.errors import ProgramError
from understudy.sear.calls import SearCalls
from understudy.sear.readings import Readings, SensorPlace
from understudy.sim import streams
from understudy.sim.guard import PATIENCE_S, Guard, Watch
from understudy.sim.sim import Sim
from understudy.sim.sleeping import PATCH

T = TypeVar("T")


class SimulationOver(BaseException):
    """The simulation has ended while user code was waiting: the code ends too, whatever exceptions it catches."""


class GatedSear(SearCalls):
    """The object ``sear`` of user code that owns the simulation's time.

    ``sear.sleep`` and ``time.sleep`` let simulated time pass. A sensor that is read twice in the same tick lets a tick
    pass in between, so that a loop that waits for a reading to change comes to its end. Code that does neither for two
    seconds of CPU time is interrupted.
    """

    def __init__(self, sim: Sim, places: Mapping[str, SensorPlace], end_s: float = math.inf) -> None:
        self._sim, self._readings, self._end_s = sim, Readings(sim, places), end_s
        self._read_at: dict[str, int] = {}  # sensor -> the tick at which it was read
        self._hub: greenlet = getcurrent()
        self._code: greenlet = self._hub

    def play(self, code: Callable[[], None], file: str) -> None:
        """Run user code of a file to its end, and the simulation while it sleeps; raises ProgramError."""
        self._hub, self._code = getcurrent(), greenlet(code)
        self._code.seat = self
        guard = Guard(PATIENCE_S)
        try:
            while not self._code.dead:
                self._turn(guard, Watch(file, self._leave))
        finally:
            guard.close()

    def _turn(self, guard: Guard, watch: Watch) -> None:
        seconds = 0.0
        with PATCH, guard.watching(watch):
            seconds = self._code.switch()
        streams.reopen_closed()
        if watch.fired:
            raise ProgramError(
                f"{watch.place}: the code did not yield for {guard.patience_s:g} s (a loop without sear.sleep()?)"
            )
        if not self._code.dead:
            self._sim.run(seconds)

    def _leave(self) -> None:
        """Abandon the code (called inside it); its greenlet is never freed, since it would not unwind."""
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._code))
        self._hub.switch(0.0)

    def ask(self, request: Callable[[Sim], T]) -> T:
        """Call a function of the simulation at once."""
        return request(self._sim)

    def sleep(self, seconds: float) -> None:
        """Let simulated time pass, at least one tick."""
        if not (isinstance(seconds, int | float) and 0.0 <= seconds < math.inf):
            raise ValueError(f"sleep: want a number of seconds from 0 up, got {seconds!r}")
        left = self._end_s - self._sim.time_s
        self._hub.switch(max(min(seconds, left), self._sim.scene.tick_us / 1e6))
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
