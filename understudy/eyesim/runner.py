"""Runs an EyeSim world: scripted keys at their times, and an end when all programs have ended."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from understudy.eyesim.dump import dump
from understudy.eyesim.keys import ScriptedKey, check_robots
from understudy.robots.eyebot.console import Console, console
from understudy.robots.eyebot.firmware import Eyebot
from understudy.sim.inbox import Order
from understudy.sim.listeners import Snapshot
from understudy.sim.sim import Sim
from understudy.world.changes import Quit

_PIECE_S = 0.1  # after how much simulated time the end of programs is noticed


def eyebots(sim: Sim) -> Iterator[tuple[str, Eyebot]]:
    """Yield the path of each EyeBot and the unit itself, in the order of the robots."""
    for path, unit in sim.current.units.items():
        if isinstance(unit, Eyebot):
            yield path, unit


def consoles(sim: Sim, pixels: bool = True) -> dict[str, Console]:
    """Return what each robot's console shows, by the robot's name."""
    return {path.partition("/")[0]: console(unit.lcd, unit.keys, pixels) for path, unit in eyebots(sim)}


class KeyScript:
    """A listener that presses keys at their times."""

    def __init__(self, keys: Sequence[ScriptedKey]) -> None:
        self._script = tuple(keys)
        self._left: deque[ScriptedKey] = deque()
        self._sim: Sim | None = None

    def begin(self, sim: Sim) -> None:
        """Take a run from its start."""
        check_robots(self._script, [path.partition("/")[0] for path, _ in eyebots(sim)])
        self._sim, self._left = sim, deque(self._script)
        self._press()

    def tick(self, snapshot: Snapshot) -> None:
        """Press what is due at the next tick."""
        if self._left:
            self._press()

    def _press(self) -> None:
        sim = self._sim
        assert sim is not None
        while self._left and self._left[0].t_us <= sim.t_us + sim.start.tick_us:
            key = self._left.popleft()
            for path, _ in eyebots(sim):
                if key.robot in ("", path.partition("/")[0]):
                    sim.inbox.post("user:keys", Order(path, key.order))

    def end(self, reason: str) -> None:
        """Do nothing."""


class EndWithPrograms:
    """A listener that ends the run when all programs have ended, for views that would stay open."""

    def begin(self, sim: Sim) -> None:
        """Take a run from its start."""
        self._sim = sim

    def tick(self, snapshot: Snapshot) -> None:
        """Ask for the end once nothing runs."""
        if not self._sim.programs_running:
            self._sim.post(Quit(0))

    def end(self, reason: str) -> None:
        """Do nothing."""


def run(sim: Sim, seconds: float | None, stay: bool, between: Callable[[], None] = lambda: None) -> None:
    """Run until the programs have ended (unless *stay*), for so many simulated seconds at most."""
    left = math.inf if seconds is None else seconds
    while sim.exit_code is None and left > 1e-9 and (stay or sim.programs_running):
        sim.run(min(left, _PIECE_S))
        left -= _PIECE_S
        between()
    if sim.exit_code is None and left > 0.0:
        sim.step()  # the last orders of a program that has ended act now


def write_consoles(sim: Sim, folder: Path) -> list[Path]:
    """Write the console of each robot as a picture and as text; returns the files."""
    return [file for name, shown in consoles(sim).items() for file in dump(folder, name, shown)]
