"""Users' programs: gated ones run on the simulation thread and time waits for them; realtime ones run beside it.

A program is a Python file with a function ``main(robot)``. ``robot.wait(seconds)`` lets time pass; so does
``time.sleep``, in simulated time. A program that fails or does not come back stops its robot, and the world goes on.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from greenlet import GreenletExit, getcurrent, greenlet
from greenlet import error as greenlet_error

from understudy.errors import ProgramError
from understudy.sensors.base import Array
from understudy.sim.guard import Guard, ProgramStuck, interrupt
from understudy.sim.robot import Robot
from understudy.units import microseconds
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
        super().__init__(sim, data, f"program:{data.name}")
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
    space: dict[str, Any] = {"__name__": "understudy_program", "__file__": str(path)}
    exec(code, space)
    if not callable(space.get("main")):
        raise ProgramError(f"{path}: there is no function main(robot)")
    return space["main"]


def report(name: str, file: str, problem: BaseException) -> None:
    """Log a failed program with the part of its traceback that the user wrote."""
    if isinstance(problem, ProgramError | ProgramStuck):
        log.error("the program of %s has failed: %s", name, problem)
        return
    frames = [f for f in traceback.extract_tb(problem.__traceback__) if f.filename != __file__]
    text = "".join(traceback.format_list(frames) + traceback.format_exception_only(problem))
    log.error("the program of %s (%s) has failed:\n%s", name, file, text.rstrip())


class GatedProgram:
    """A program as a greenlet on the simulation thread."""

    def __init__(self, sim: Sim, data: RobotData, program: Program, folder: Path, guard: Guard) -> None:
        self.name, self._sim, self._program, self._folder, self._guard = data.name, sim, program, folder, guard
        self._robot = ProgramRobot(sim, data, self)
        self._due_us = 0
        self._told_of_sleep = False
        self._hub: greenlet = getcurrent()
        self._greenlet: greenlet = greenlet(self._main)

    def turn(self) -> None:
        """Run until the program waits again, if its wait is over."""
        if self._greenlet.dead or self._sim.t_us < self._due_us:
            return
        self._hub = getcurrent()
        path = str(self._folder / self._program.file)
        with self._guard.watch(path):
            self._greenlet.switch()

    def wait(self, seconds: float) -> None:
        """Hand over to the world for so long (called by the program)."""
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
        except GreenletExit:
            return
        except (Exception, ProgramStuck) as problem:
            report(self.name, self._program.file, problem)
        self._robot.stop()

    def end(self) -> None:
        """Unwind the program where it waits."""
        if self._greenlet and not self._greenlet.dead:
            with suppress(greenlet_error):  # it belongs to a thread that has ended: nothing is left to unwind
                self._greenlet.throw(GreenletExit)


def patched_sleep(seconds: float) -> None:
    """Sleep; inside a gated program, wait in simulated time."""
    seat = getattr(getcurrent(), "seat", None)
    if seat is None:
        _sleep(seconds)
    else:
        seat.sleep(seconds)


class RealtimeRobot:
    """The robot as a realtime program sees it: the newest published values, orders through the inbox."""

    def __init__(self, seat: RealtimeProgram, robot: Robot) -> None:
        self.name, self.devices = robot.name, robot.devices
        self._seat, self._robot = seat, robot
        self.drive, self.stop, self.order = robot.drive, robot.stop, robot.order

    @property
    def pose(self) -> Any:
        """Return the true pose at the last tick (m, rad)."""
        return self._seat.published["pose"]

    @property
    def time_s(self) -> float:
        """Return the simulated time of the last tick (s)."""
        return float(self._seat.published["time_s"])

    def read(self, device: str) -> Array:
        """Return the newest reading of a sensor."""
        self._robot.sheet(device)  # names the known devices if there is none of this name
        values: Array = self._seat.published[device]
        return values.copy()

    def wait(self, seconds: float = 0.0) -> None:
        """Wait until simulated time has moved on by so much."""
        self._seat.wait(seconds)


class RealtimeProgram:
    """A program in a thread of its own; loops without waiting are legal here."""

    def __init__(self, sim: Sim, data: RobotData, program: Program, folder: Path) -> None:
        self.name, self._sim, self._program, self._folder = data.name, sim, program, folder
        self._robot = Robot(sim, data, f"program:{data.name}")
        self._ticked = threading.Condition()
        self._over = False
        self.published: dict[str, Any] = {}
        self._thread = threading.Thread(target=self._main, name=f"program {data.name}", daemon=True)

    def turn(self) -> None:
        """Publish the newest values; start the program at the first call."""
        values: dict[str, Any] = {device: self._robot.read(device) for device in self._robot.devices}
        with self._ticked:
            self.published = {**values, "pose": self._robot.pose, "time_s": self._robot.time_s}
            self._ticked.notify_all()
        if not self._over and self._thread.ident is None:
            self._thread.start()

    def wait(self, seconds: float) -> None:
        """Wait for simulated time (called by the program)."""
        with self._ticked:
            until = self.published["time_s"] + max(seconds, 1e-6)
            self._ticked.wait_for(lambda: self._over or self.published["time_s"] >= until)
        if self._over:
            raise SystemExit

    def _main(self) -> None:
        try:
            load(self._program, self._folder)(RealtimeRobot(self, self._robot))
        except SystemExit:
            return
        except (Exception, ProgramStuck) as problem:
            if not self._over:
                report(self.name, self._program.file, problem)
        self._robot.stop()

    def end(self) -> None:
        """Ask the program to stop and wait for it a little."""
        self._over = True
        with self._ticked:
            self._ticked.notify_all()
        if self._thread.is_alive() and self._thread.ident is not None:
            self._thread.join(0.1)
            interrupt(self._thread.ident, ProgramStuck)
            self._thread.join(1.0)
