"""Realtime user programs: each runs in a thread of its own, and simulated time does not wait for it.

When such a program ends, fails or calls ``exit()``, its robot stops, as with a gated program. After the end of the run
a program can give no more orders, even if its thread cannot be ended.
"""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from understudy.errors import UnknownName
from understudy.sensors.base import Array
from understudy.sim import streams
from understudy.sim.endings import failure
from understudy.sim.guard import Watch
from understudy.sim.inbox import Order
from understudy.sim.programs import Assignment, line_of, main_of, over, source_of
from understudy.sim.robot import Robot
from understudy.world.news import At

POSE, VELOCITY, TIME_S = "/pose", "/velocity", "/time_s"  # no device has such a name
_END_TRIES, _END_WAIT_S = 10, 0.1
_ORDERS_A_TICK = 100  # more wait for the next tick: they are given faster than obeyed, and ticks would get longer


class RealtimeRobot:
    """The robot as a realtime program sees it: the newest published values, orders through the inbox."""

    def __init__(self, seat: RealtimeProgram, robot: Robot) -> None:
        self.name, self.devices = robot.name, robot.devices
        self._seat, self._robot = seat, robot

    def drive(self, m_s: float, rad_s: float = 0.0, lateral_m_s: float = 0.0) -> None:
        """Move like this until the next command (m/s, rad/s, m/s to the left)."""
        with self._seat.allowed():
            self._robot.drive(m_s, rad_s, lateral_m_s)

    def stop(self) -> None:
        """Stop the robot."""
        self.drive(0.0)

    def order(self, command: Any, unit: str = "") -> None:
        """Give a command to a unit; by default to the one that drives."""
        with self._seat.allowed():
            self._robot.order(command, unit)

    def ask(self, command: Any, unit: str = "") -> Any:
        """Give a command to a unit and return its reply, after a tick; None if the unit has no reply to it."""
        with self._seat.allowed():
            order = self._robot.post(command, unit, question=True)
        return self._seat.reply(order)

    @property
    def pose(self) -> Any:
        """Return the true pose at the last tick (m, rad)."""
        return self._seat.published[POSE]

    @property
    def velocity(self) -> Any:
        """Return the true velocity at the last tick: ahead, to the left (m/s), turning left (rad/s)."""
        return self._seat.published[VELOCITY]

    @property
    def time_s(self) -> float:
        """Return the simulated time of the last tick (s)."""
        return float(self._seat.published[TIME_S])

    def read(self, device: str) -> Array:
        """Return the newest reading of a sensor."""
        self._robot.sheet(device)  # raises UnknownName, with the known devices
        values: Array = self._seat.published[device]
        return values.copy()

    def wait(self, seconds: float = 0.0) -> None:
        """Wait until so many simulated seconds have passed."""
        self._seat.wait(seconds)


class RealtimeProgram:
    """A program in a thread of its own; loops without a wait are allowed here."""

    realtime: ClassVar[bool] = True

    def __init__(self, made: Assignment) -> None:
        self.name, self._sim, self._path, self._scope = made.robot.name, made.sim, made.path, made.scope()
        self._robot = Robot(made.sim, made.robot, source_of(self.name))
        self._made = made
        self._ticked = threading.Condition()
        self._given = 0  # orders since the last tick
        self.over = False
        self._watch: Watch | None = None
        self.published: dict[str, Any] = {}
        self._thread = threading.Thread(target=self._main, name=f"program {self.name}", daemon=True)

    def wake(self) -> None:
        """Do nothing: it runs all the time."""

    def turn(self) -> None:
        """Publish the newest values; start the program at the first call."""
        if self.over:
            return
        try:
            values: dict[str, Any] = {device: self._robot.read(device) for device in self._robot.devices}
            robot = self._robot
            values |= {POSE: robot.pose, VELOCITY: robot.velocity, TIME_S: robot.time_s}
        except UnknownName:  # the robot was removed
            self._finish()
            return
        with self._ticked:
            self.published, self._given = values, 0
            self._ticked.notify_all()
        if self._thread.ident is None:
            self._thread.start()
        streams.reopen_closed()

    def idle_until_us(self) -> float:
        """Return 0: it gets the newest values in every tick."""
        return math.inf if self.over else 0.0

    def position(self) -> At | None:
        """Return the line of the program's file at which it is right now; None if it is not there."""
        return line_of(self._made, sys._current_frames().get(self._thread.ident or 0))

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """Allow an order in the body of a with statement; raises SystemExit once the program is over.

        After many orders it waits for the next tick.
        """
        with self._ticked:
            self._ticked.wait_for(lambda: self.over or self._given < _ORDERS_A_TICK)
            if self.over:
                raise SystemExit
            self._given += 1
            yield

    def wait(self, seconds: float) -> None:
        """Wait for simulated time (called by the program)."""
        with self._ticked:
            until = self.published[TIME_S] + max(seconds, 1e-6)
            self._ticked.wait_for(lambda: self.over or self.published[TIME_S] >= until)
        if self.over:
            raise SystemExit

    def reply(self, order: Order) -> Any:
        """Wait for the reply to an order (called by the program)."""
        questions = self._sim.questions
        with self._ticked:
            self._ticked.wait_for(lambda: self.over or questions.is_settled(order))
        reply = questions.reply(order)
        if self.over:
            raise SystemExit
        return reply

    def _main(self) -> None:
        self._watch = Watch(self._path, _park)
        problem = ""
        try:
            main_of(self._scope)(RealtimeRobot(self, self._robot))
        except BaseException as raised:
            problem = failure(f"{self.name}'s program", raised)
        self._scope.close()
        with self._ticked:
            if not self.over:
                over(self._sim, self._robot, problem)
            self.over = True

    def _finish(self) -> None:
        """Let the program give no more orders."""
        with self._ticked:
            self.over = True
            self._ticked.notify_all()

    def end(self) -> None:
        """Ask the program to stop, and wait for it for a limited time."""
        self._finish()
        for _ in range(_END_TRIES):
            if not self._thread.is_alive() or (self._watch is not None and self._watch.left):
                return
            self._thread.join(_END_WAIT_S)
            if self._watch is not None:
                self._watch.interrupt(self._watch.frame())


def _park() -> None:
    """Block this thread until the process ends."""
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
