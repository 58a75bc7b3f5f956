"""Gated user programs: each runs on the simulation thread until it waits again; simulated time stands still meanwhile.

A program is a Python file with a function ``main(robot)``. ``robot.wait(seconds)`` lets simulated time pass; so does
``time.sleep``. However a program ends, its robot stops and the simulation continues. A program that is interrupted
because it did not yield loses the orders that it gave since its last wait: their number depends on the speed of the
machine, and results must be deterministic.
"""

from __future__ import annotations

import ctypes
import logging
import math
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from types import FrameType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from greenlet import GreenletExit, getcurrent, greenlet
from greenlet import error as greenlet_error

from understudy.errors import ProgramError, UnknownName
from understudy.frozen import frozen
from understudy.sensors.base import Array
from understudy.sim import streams
from understudy.sim.endings import failure, is_ctrl_c
from understudy.sim.guard import Guard, ProgramStuck, Watch
from understudy.sim.imports import ImportScope
from understudy.sim.program_files import ProgramFiles
from understudy.sim.robot import Robot
from understudy.sim.sleeping import PATCH
from understudy.units import microseconds
from understudy.world.changes import Ended
from understudy.world.news import At
from understudy.world.robot import PlacedRobot, Program

if TYPE_CHECKING:
    from understudy.sim.sim import Sim

log = logging.getLogger(__name__)


class Seat(Protocol):
    """A program's place in the run: time advances only while every seated program waits."""

    name: str

    @property
    def realtime(self) -> bool:
        """Say whether time does not wait for it."""
        ...

    @property
    def over(self) -> bool:
        """Say whether the program has ended."""
        ...

    def wake(self) -> None:
        """Let a program that runs elsewhere begin, if its wait is over: all of them run at the same time."""
        ...

    def turn(self) -> None:
        """Run until the program waits again, if its wait is over."""
        ...

    def idle_until_us(self) -> float:
        """Return the time until which `wake` and `turn` have nothing to do, if no order and no signal comes (us)."""
        ...

    def position(self) -> At | None:
        """Return where the program waits; None if that is not known. Called only while somebody looks."""
        ...

    def end(self) -> None:
        """End the program and give up the seat."""
        ...


class ProgramRobot(Robot):
    """The robot as its program sees it: it also has ``wait``."""

    def __init__(self, sim: Sim, data: PlacedRobot, seat: GatedProgram) -> None:
        super().__init__(sim, data, source_of(data.name))
        self._seat = seat

    def wait(self, seconds: float = 0.0) -> None:
        """Let simulated time pass, at least one tick."""
        self._seat.wait(seconds)

    def ask(self, command: Any, unit: str = "") -> Any:
        """Give a command to a unit, wait one tick and return its reply; None if the unit has no reply to it."""
        order = self.post(command, unit, question=True)
        try:
            self._seat.wait(0.0)
        finally:
            reply = self._sim.questions.reply(order)
        return reply

    def wait_for(self, device: str) -> Array:
        """Wait for the next reading of a sensor and return it."""
        before = self._reading(device).samples
        while self._reading(device).samples == before:
            self._seat.wait(0.0)
        return self.read(device)


@frozen
class Assignment:
    """Which program drives which robot, and what it needs for that."""

    sim: Sim
    robot: PlacedRobot
    program: Program
    files: ProgramFiles
    guard: Guard

    @property
    def path(self) -> str:
        """Return where the program's file lies."""
        return str(self.files.path(self.program.file))

    def scope(self) -> ImportScope:
        """Return a fresh import scope for a Python program."""
        return ImportScope(self.robot.name, self.program.file, self.files)


def line_of(made: Assignment, frame: FrameType | None) -> At | None:
    """Return the line of a Python program's own file that led to a frame; None if none did."""
    while frame is not None and frame.f_code.co_filename != made.path:
        frame = frame.f_back
    if frame is None:
        return None
    lines = _lines(made.files.read(made.program.file))
    words = lines[frame.f_lineno - 1].strip() if frame.f_lineno <= len(lines) else ""
    return At(made.program.file, line=frame.f_lineno, words=words, t_us=made.sim.t_us)


@lru_cache(maxsize=64)  # somebody who looks does so many times a second
def _lines(source: bytes) -> tuple[str, ...]:
    return tuple(source.decode("utf-8", "replace").splitlines())


def main_of(scope: ImportScope) -> Any:
    """Run a program's file in its scope and return its function ``main``; raises ProgramError if it has none."""
    space = scope.run()
    if not callable(space.get("main")):
        raise ProgramError(f"{space['__file__']}: no function main(robot); define one")
    return space["main"]


def source_of(name: str) -> str:
    """Return the source name of the orders that a robot's program gives."""
    return f"program:{name}"


def over(sim: Sim, robot: Robot, problem: str, how: Literal["failed", "interrupted"] = "failed") -> None:
    """Stop the robot of a program that has ended; log a failure or an interruption, and record it on the tape."""
    with suppress(UnknownName):  # the robot itself may have been removed
        robot.stop()
    if problem:
        report(sim, robot.name, problem, robot.source, how)


def report(sim: Sim, name: str, problem: str, source: str, how: Literal["failed", "interrupted"] = "failed") -> None:
    """Report what went wrong with a robot's program, and note it on tapes."""
    log.error("%s", problem)
    sim.failed_programs[name] = problem
    sim.post(Ended(name, how), source)


class GatedProgram:
    """A program as a greenlet on the simulation thread."""

    realtime: ClassVar[bool] = False

    def __init__(self, made: Assignment) -> None:
        self.name, self._sim, self._guard, self._path = made.robot.name, made.sim, made.guard, made.path
        self._robot = ProgramRobot(made.sim, made.robot, self)
        self._made, self._scope = made, made.scope()
        self._due_us = 0
        self._sleep_reported = False
        self.over = False
        self._problem = ""  # why it ended
        self._watch = Watch(self._path, self._leave)
        self._hub: greenlet = getcurrent()
        self._greenlet: greenlet = greenlet(self._main)

    def wake(self) -> None:
        """Do nothing: it runs in its turn."""

    def turn(self) -> None:
        """Run until the program waits again, if its wait is over."""
        if self.over or self._sim.t_us < self._due_us:
            return
        mark = self._sim.inbox.count()
        try:
            self._enter(self._greenlet.switch)
        finally:
            if self._watch.fired:
                self._interrupted(mark)
            elif self._greenlet.dead:
                self.over = True
                self._scope.close()
                over(self._sim, self._robot, self._problem)

    def _enter(self, go: Callable[[], object]) -> None:
        """Let the program run until it waits, ends or is abandoned."""
        self._hub = getcurrent()
        self._watch = Watch(self._path, self._leave)
        with PATCH, self._guard.watching(self._watch):
            go()
        streams.reopen_closed()

    def _leave(self) -> None:
        """Abandon the program (called inside it); its greenlet is never freed, since it would not unwind."""
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._greenlet))
        self._hub.switch()

    def _interrupted(self, mark: int) -> None:
        """End a program that did not yield."""
        place = self._watch.place
        self._sim.inbox.retract(source_of(self.name), mark)
        self.end()
        over(
            self._sim,
            self._robot,
            f"{self.name}'s program did not yield for {self._guard.patience_s:g} s "
            f"(a loop without robot.wait()?); interrupted at {place}",
            "interrupted",
        )

    def wait(self, seconds: float) -> None:
        """Yield to the simulation for so many seconds (called by the program)."""
        if self.over:
            raise GreenletExit
        if self._watch.fired:  # the program caught the interrupt and went on
            raise ProgramStuck
        self._due_us = self._sim.t_us + max(microseconds(seconds), 1)
        self._hub.switch()

    def idle_until_us(self) -> float:
        """Return the time at which its wait is over (us)."""
        return math.inf if self.over else self._due_us

    def position(self) -> At | None:
        """Return the line of the program's file at which it waits; None if it is not there."""
        return line_of(self._made, self._greenlet.gr_frame)

    def sleep(self, seconds: float) -> None:
        """Replace ``time.sleep``: wait in simulated time."""
        if not self._sleep_reported:
            self._sleep_reported = True
            log.warning("%s's program calls time.sleep: it waits in simulated time, like robot.wait()", self.name)
        self.wait(seconds)

    def _main(self) -> None:
        getcurrent().seat = self
        try:
            main_of(self._scope)(self._robot)
        except (GreenletExit, ProgramStuck):
            return
        except BaseException as problem:
            if is_ctrl_c(problem):
                raise
            self._problem = failure(f"{self.name}'s program", problem)

    def end(self) -> None:
        """Unwind the program where it waits; one that does not unwind is abandoned."""
        self.over = True
        if self._greenlet and not self._greenlet.dead and not self._watch.left:
            with suppress(greenlet_error):  # its thread has ended: nothing is left to unwind
                self._enter(lambda: self._greenlet.throw(GreenletExit))
        self._scope.close()
