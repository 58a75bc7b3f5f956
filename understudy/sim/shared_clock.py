"""Joins a simulation to unmodified programs that share its clock: before each tick, all of them must wait."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from understudy.sim.staging import Stage
from understudy.together.connections import Connections
from understudy.together.programs import Programs, SharedProgram
from understudy.world.geo import GeoFrame

if TYPE_CHECKING:
    from understudy.sim.sim import Sim

log = logging.getLogger(__name__)
Command = Sequence[str]


class SharedClock:
    """The programs of a simulation that share its clock. Time passes as usual, with `Sim.run` and `Sim.step`."""

    def __init__(self, sim: Sim, compute: float = 0.0) -> None:
        self._sim, self._compute = sim, compute
        self._given: list[tuple[tuple[str, ...], Path | None]] = []
        self._written = 0
        self._ends_run: Literal["", "all", "first"] = ""
        self._stage = Stage(sim.inbox)
        sim.ports.stage(self._stage)
        self._programs = self._made()

    def _made(self) -> Programs:
        sim = self._sim
        start_us = GeoFrame.from_origin(sim.start.origin).start_us
        connections = Connections(sim.ports.source_of, sim.ports.on_line)
        return Programs(connections, start_us, sim.start.seed, self._compute, sim.ports.moved())

    def start(self, command: Command, folder: Path | None = None) -> SharedProgram:
        """Start a program; raises ProgramError or LinkError."""
        self._given.append((tuple(command), folder))
        return self._programs.start(command, folder)

    def seat(self, command: Command, folder: Path) -> SharedProgram:
        """Start the program of a robot, whose seat starts it again after a reset."""
        return self._programs.start(command, folder)

    def end(self, program: SharedProgram) -> None:
        """End a program."""
        self._programs.end(program)

    @property
    def given(self) -> list[tuple[list[str], str]]:
        """Return the programs that belong to no robot, with their folders."""
        return [(list(command), str(folder or Path.cwd())) for command, folder in self._given]

    @property
    def compute(self) -> float:
        """Return the simulated seconds that a second of computing costs."""
        return self._compute

    def before_tick(self) -> None:
        """Let programs run until all of them wait for the next tick or later, and take what they have done."""
        sim = self._sim
        wrote, self._written = sim.ports.written != self._written, sim.ports.written
        self._programs.settle(sim.t_us, sim.t_us + sim.start.tick_us, wrote, lambda: sim.exit_code is not None)
        sim.ports.partners = self._programs.ports
        self._stage.release()
        if self._ends_run and sim.exit_code is None and self._is_over():
            sim.exit_code = self.exit_code or 0

    def end_run_with_programs(self, first_only: bool = False) -> None:
        """End the run with the tick in which the last program ends, or the first one of the list."""
        self._ends_run = "first" if first_only else "all"

    def _is_over(self) -> bool:
        return self.exit_code is not None if self._ends_run == "first" else not self.running

    def run(self, seconds: float | None = None) -> int | None:
        """Run until all programs have ended, or for so many simulated seconds; return the first one's exit code."""
        end = None if seconds is None else self._sim.time_s + seconds
        while self.running and self._sim.exit_code is None and (end is None or self._sim.time_s < end - 1e-9):
            self._sim.run(self._sim.start.tick_us / 1e6)
        return self.exit_code

    @property
    def running(self) -> bool:
        """Return whether a program has not ended."""
        return self._programs.running

    @property
    def commands(self) -> list[tuple[str, ...]]:
        """Return the programs, each with its arguments."""
        return [program.command for program in self._programs.programs]

    @property
    def exit_codes(self) -> list[int | None]:
        """Return the exit code of each program, as in a shell; None: it has not ended."""
        return [program.code for program in self._programs.programs]

    @property
    def exit_code(self) -> int | None:
        """Return the exit code of the first program; None: it has not ended."""
        return next(iter(self.exit_codes), None)

    @property
    def real_time(self) -> bool:
        """Return whether a child of a program lives in real time."""
        return self._programs.real_time

    @property
    def questions(self) -> int:
        """Return how often programs have asked for time."""
        return self._programs.questions

    @property
    def waited_s(self) -> float:
        """Return the real time that the simulation has waited for programs (s)."""
        return self._programs.waited_s

    def restart(self) -> None:
        """End the programs and start them again, at time zero."""
        self._programs.close()
        self._programs = self._made()
        for command, folder in self._given:
            self._programs.start(command, folder)

    def close(self) -> None:
        """Ask programs to end, and end those that do not."""
        self._programs.finish()
        self._programs.close()


def started(sim: Sim, commands: Iterable[tuple[Command, Path | None]], compute: float) -> SharedClock:
    """Return the shared clock of a simulation with programs started, each in a folder; its ports must be open."""
    clock = SharedClock(sim, compute)
    try:
        for command, folder in commands:
            clock.start(command, folder)
    except BaseException:
        clock.close()
        raise
    return clock
