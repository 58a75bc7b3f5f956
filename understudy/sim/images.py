"""A program that is downloaded into a unit: one order at the robot's first tick, then the unit runs it."""

from __future__ import annotations

import math
from pathlib import PurePosixPath
from typing import ClassVar

from understudy.errors import ProgramError
from understudy.sim.inbox import Order
from understudy.sim.program_kinds import takers_of
from understudy.sim.programs import Assignment, report, source_of


class ImageDownload:
    """The seat of an image: it gives its order at its first turn and never again."""

    realtime: ClassVar[bool] = False
    over: ClassVar[bool] = True  # nothing runs here: the unit runs the image

    def __init__(self, made: Assignment) -> None:
        self.name, self._made = made.robot.name, made
        self._given = False

    def wake(self) -> None:
        """Do nothing: it has one turn only."""

    def turn(self) -> None:
        """Give the order, once."""
        if self._given:
            return
        self._given = True
        file = self._made.program.file
        unit, make = takers_of(self._made.robot)[PurePosixPath(file).suffix]
        try:
            order = make(self._made.files.read(file), file)
        except (ProgramError, ValueError) as problem:  # what a unit's reader says about an invalid file
            report(self._made.sim, self.name, f"{self.name}'s program is not loaded: {problem}", source_of(self.name))
            return
        self._made.sim.inbox.post(source_of(self.name), Order(f"{self.name}/{unit}", order))

    def idle_until_us(self) -> float:
        """Return 0 before its only turn (us)."""
        return math.inf if self._given else 0.0

    def position(self) -> None:
        """Return nothing: the unit knows where the program is."""

    def end(self) -> None:
        """Leave; the unit keeps what it has."""
