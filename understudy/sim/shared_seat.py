"""The seat of a scene's program that shares the clock: it runs before each tick, with all others of its kind."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import ClassVar

from understudy.errors import LinkError, ProgramError
from understudy.sim.programs import Assignment, report, source_of
from understudy.world.news import At


class SharedSeat:
    """Starts the program, and ends it with its robot."""

    realtime: ClassVar[bool] = False

    def __init__(self, made: Assignment) -> None:
        self.name, self._sim = made.robot.name, made.sim
        folder = made.files.path(made.program.folder)
        words = [_in(folder, made.program.command[0]), *made.program.command[1:]]
        try:
            self._clock = made.sim.shared_clock or made.sim.share_clock([])
            self._program = self._clock.seat(words, folder)
        except LinkError as problem:  # this system cannot do that
            raise ProgramError(str(problem)) from problem
        self._reported = False

    @property
    def over(self) -> bool:
        """Say whether the program has ended."""
        return self._program.code is not None

    def wake(self) -> None:
        """Do nothing: it runs before each tick."""

    def turn(self) -> None:
        """Report a program that has failed."""
        code = self._program.code
        if code and not self._reported:
            self._reported = True
            text = f"{self.name}'s program ({self._program.name}) ended with exit code {code}"
            report(self._sim, self.name, text, source_of(self.name))

    def idle_until_us(self) -> float:
        """Return no time: it may act before any tick."""
        return math.inf if self.over else 0.0

    def position(self) -> At | None:
        """Return nothing: where it waits is its own affair."""
        return None

    def end(self) -> None:
        """End the program."""
        self._clock.end(self._program)


def _in(folder: Path, word: str) -> str:
    """Return a command with its folder, if it is a path and not a name that the system looks up."""
    return str(folder / word) if os.sep in word else word
