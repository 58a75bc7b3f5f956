"""Users' programs beside the clock: each in a thread of its own, and time does not wait for it.

When such a program ends, fails or calls ``exit()``, its robot stops, as with a gated one. One that is over because the
run is has no say any more, even if it does not let itself be ended.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from understudy.errors import UnknownName
from understudy.sensors.base import Array
from understudy.sim import streams
from understudy.sim.endings import failure
from understudy.sim.guard import Watch
from understudy.sim.programs import load, over, source_of
from understudy.sim.robot import Robot
from understudy.world.robot import Program
from understudy.world.robot import Robot as RobotData

if TYPE_CHECKING:
    from understudy.sim.sim import Sim

_END_TRIES, _END_WAIT_S = 10, 0.1


class RealtimeRobot:
    """The robot as a realtime program sees it: the newest published values, orders through the inbox."""

    def __init__(self, seat: RealtimeProgram, robot: Robot) -> None:
        self.name, self.devices = robot.name, robot.devices
        self._seat, self._robot = seat, robot

    def drive(self, m_s: float, rad_s: float = 0.0, lateral_m_s: float = 0.0) -> None:
        """Move like this until told otherwise (m/s, rad/s, m/s to the left)."""
        with self._seat.allowed():
            self._robot.drive(m_s, rad_s, lateral_m_s)

    def stop(self) -> None:
        """Stand still."""
        self.drive(0.0)

    def order(self, command: Any, unit: str = "") -> None:
        """Give a command to a unit; without a name, to the one that drives."""
        with self._seat.allowed():
            self._robot.order(command, unit)

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
        self._robot = Robot(sim, data, source_of(data.name))
        self._ticked = threading.Condition()
        self._over = False
        self._watch: Watch | None = None
        self.published: dict[str, Any] = {}
        self._thread = threading.Thread(target=self._main, name=f"program {data.name}", daemon=True)

    def turn(self) -> None:
        """Publish the newest values; start the program at the first call."""
        if self._over:
            return
        try:
            values: dict[str, Any] = {device: self._robot.read(device) for device in self._robot.devices}
            published = {**values, "pose": self._robot.pose, "time_s": self._robot.time_s}
        except UnknownName:  # the robot has been taken away
            self._finish()
            return
        with self._ticked:
            self.published = published
            self._ticked.notify_all()
        if self._thread.ident is None:
            self._thread.start()
        streams.mend()

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """Let an order be given; raises SystemExit once the program is over."""
        with self._ticked:
            if self._over:
                raise SystemExit
            yield

    def wait(self, seconds: float) -> None:
        """Wait for simulated time (called by the program)."""
        with self._ticked:
            until = self.published["time_s"] + max(seconds, 1e-6)
            self._ticked.wait_for(lambda: self._over or self.published["time_s"] >= until)
        if self._over:
            raise SystemExit

    def _main(self) -> None:
        self._watch = Watch(str(self._folder / self._program.file), _park)
        problem = ""
        try:
            load(self._program, self._folder)(RealtimeRobot(self, self._robot))
        except BaseException as raised:
            problem = failure(f"{self.name}'s program", raised)
        with self._ticked:
            if not self._over:
                over(self._sim, self._robot, problem)

    def _finish(self) -> None:
        """Let the program have no say any more."""
        with self._ticked:
            self._over = True
            self._ticked.notify_all()

    def end(self) -> None:
        """Ask the program to stop and wait for it a little."""
        self._finish()
        for _ in range(_END_TRIES):
            if not self._thread.is_alive() or (self._watch is not None and self._watch.left):
                return
            self._thread.join(_END_WAIT_S)
            if self._watch is not None:
                self._watch.interrupt(self._watch.frame())


def _park() -> None:
    """Keep this thread from running any further; it ends with the process."""
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
