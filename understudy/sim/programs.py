"""Users' programs that time waits for: each runs on the simulation thread until it waits again.

A program is a Python file with a function ``main(robot)``. ``robot.wait(seconds)`` lets time pass; so does
``time.sleep``, in simulated time. However a program ends, its robot stops and the world goes on. One that is
interrupted because it does not come back loses the orders that it has given since it last waited: how many there are
depends on the machine, and a run must not.
"""

from __future__ import annotations

import ctypes
import logging
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from greenlet import GreenletExit, getcurrent, greenlet
from greenlet import error as greenlet_error

from understudy.errors import ProgramError, UnknownName
from understudy.sensors.base import Array
from understudy.sim import streams
from understudy.sim.endings import failure, is_ctrl_c
from understudy.sim.guard import Guard, ProgramStuck, Watch
from understudy.sim.robot import Robot
from understudy.units import microseconds
from understudy.world.changes import Ended
from understudy.world.robot import Program
from understudy.world.robot import Robot as RobotData

if TYPE_CHECKING:
    from understudy.sim.sim import Sim

log = logging.getLogger(__name__)
_sleep = time.sleep


class Seat(Protocol):
    """A place at the table: time advances only while everyone who sits there waits."""

    name: str

    def turn(self) -> None:
        """Run until the program waits again, if its wait is over."""
        ...

    def end(self) -> None:
        """Leave the table."""
        ...


class ProgramRobot(Robot):
    """The robot as its program sees it: it can also wait."""

    def __init__(self, sim: Sim, data: RobotData, seat: GatedProgram) -> None:
        super().__init__(sim, data, source_of(data.name))
        self._seat = seat

    def wait(self, seconds: float = 0.0) -> None:
        """Let simulated time pass, at least one tick."""
        self._seat.wait(seconds)

    def wait_for(self, device: str) -> Array:
        """Wait for the next reading of a sensor and return it."""
        before = self._reading(device).samples
        while self._reading(device).samples == before:
            self._seat.wait(0.0)
        return self.read(device)


def load(program: Program, folder: Path) -> Any:
    """Return the function ``main`` of a program file."""
    path = folder / program.file
    if path.suffix != ".py":
        raise ProgramError(f"{program.file}: only Python programs (.py) can drive a robot here")
    try:
        code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    except OSError as problem:
        raise ProgramError(f"{path}: {problem.strerror or problem}") from problem
    except SyntaxError as problem:
        raise ProgramError(f"{path}:{problem.lineno}: {problem.msg}") from problem
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    # the interpreter's own exit() closes standard input, which belongs to the world
    space: dict[str, Any] = {
        "__name__": "understudy_program",
        "__file__": str(path),
        "exit": sys.exit,
        "quit": sys.exit,
    }
    exec(code, space)
    if not callable(space.get("main")):
        raise ProgramError(f"{path}: there is no function main(robot)")
    return space["main"]


def source_of(name: str) -> str:
    """Return the source under which the program of a robot gives its orders."""
    return f"program:{name}"


def over(sim: Sim, robot: Robot, problem: str, how: Literal["failed", "interrupted"] = "failed") -> None:
    """Stop the robot of a program that has ended; report it, and note it on tapes, if that was not its own wish."""
    with suppress(UnknownName):  # the robot itself may be gone
        robot.stop()
    if problem:
        log.error("%s", problem)
        sim.post(Ended(robot.name, how), source_of(robot.name))


class GatedProgram:
    """A program as a greenlet on the simulation thread."""

    def __init__(self, sim: Sim, data: RobotData, program: Program, folder: Path, guard: Guard) -> None:
        self.name, self._sim, self._program, self._folder, self._guard = data.name, sim, program, folder, guard
        self._robot = ProgramRobot(sim, data, self)
        self._path = str(folder / program.file)
        self._due_us = 0
        self._told_of_sleep = False
        self._over = False
        self._problem = ""  # why it ended
        self._watch = Watch(self._path, self._leave)
        self._hub: greenlet = getcurrent()
        self._greenlet: greenlet = greenlet(self._main)

    def turn(self) -> None:
        """Run until the program waits again, if its wait is over."""
        if self._over or self._sim.t_us < self._due_us:
            return
        mark = self._sim.inbox.count()
        try:
            self._enter(self._greenlet.switch)
        finally:
            if self._watch.fired:
                self._interrupted(mark)
            elif self._greenlet.dead:
                self._over = True
                over(self._sim, self._robot, self._problem)

    def _enter(self, go: Callable[[], object]) -> None:
        """Let the program run until it hands over, ends or is left."""
        self._hub = getcurrent()
        self._watch = Watch(self._path, self._leave)
        with self._guard.watching(self._watch):
            go()
        streams.mend()

    def _leave(self) -> None:
        """Go back to the world for good (called inside the program); the greenlet is kept, for it would not end."""
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._greenlet))
        self._hub.switch()

    def _interrupted(self, mark: int) -> None:
        """End a program that did not come back."""
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
        """Hand over to the world for so long (called by the program)."""
        if self._over:
            raise GreenletExit
        if self._watch.fired:  # it has caught the interrupt and goes on
            raise ProgramStuck
        self._due_us = self._sim.t_us + max(microseconds(seconds), 1)
        self._hub.switch()

    def sleep(self, seconds: float) -> None:
        """Stand in for ``time.sleep``."""
        if not self._told_of_sleep:
            self._told_of_sleep = True
            log.warning("the program of %s calls time.sleep: taken as waiting in simulated time", self.name)
        self.wait(seconds)

    def _main(self) -> None:
        getcurrent().seat = self
        try:
            load(self._program, self._folder)(self._robot)
        except (GreenletExit, ProgramStuck):
            return
        except BaseException as problem:
            if is_ctrl_c(problem):
                raise
            self._problem = failure(f"{self.name}'s program", problem)

    def end(self) -> None:
        """Unwind the program where it waits; one that does not let go is left where it is."""
        self._over = True
        if self._greenlet and not self._greenlet.dead and not self._watch.left:
            with suppress(greenlet_error):  # it belongs to a thread that has ended: nothing is left to unwind
                self._enter(lambda: self._greenlet.throw(GreenletExit))


def patched_sleep(seconds: float) -> None:
    """Sleep; inside a gated program, wait in simulated time."""
    seat = getattr(getcurrent(), "seat", None)
    if seat is None:
        _sleep(seconds)
    else:
        seat.sleep(seconds)
