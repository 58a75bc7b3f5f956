"""The user programs of a simulation: which there are, when they start, and in which order they run."""

from __future__ import annotations

import logging
import math
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from understudy.errors import ProgramError, nearest
from understudy.sim.guard import Guard
from understudy.sim.inbox import Item
from understudy.sim.outcome import Outcome
from understudy.sim.program_files import ProgramFiles
from understudy.sim.program_kinds import errors_in, kind_of, problem_of
from understudy.sim.programs import Assignment, Seat, report, source_of
from understudy.world.changes import Add, Remove, Replace
from understudy.world.news import At
from understudy.world.robot import PlacedRobot, Program
from understudy.world.scene import Scene

if TYPE_CHECKING:
    from understudy.sim.seat_door import SeatDoor
    from understudy.sim.sim import Sim

log = logging.getLogger(__name__)
_LOOK_S = 0.25  # after how long a wait for a program looks at what else there is
_STARTERS = (
    "user",
    "api",
    "program",
    "factory",
    "event",
)  # whose robots may bring programs; clients may not


class Seats:
    """A seat for each program, from the tick before its first turn to its robot's end or that of the run."""

    def __init__(
        self, sim: Sim, extra: Mapping[str, Program], files: ProgramFiles, guard: Guard, armed: bool, trust: bool
    ) -> None:
        self._sim, self._extra, self.files, self._guard, self._trust = sim, dict(extra), files, guard, trust
        self._arm = armed  # at the start of a run they wait until they are no longer armed
        self._seated: dict[str, Seat] = {}  # by robot, in the order of names
        self._door: SeatDoor | None = None
        self._expected: set[str] = set()
        self._joining: list[Seat] = []  # that have not had their first turn
        self._announced = False
        self._restart(sim.start)

    def _restart(self, scene: Scene) -> None:
        self.given = {robot.name: program for robot in scene.robots if (program := self._program(robot))}
        self.armed = self._arm and bool(self.given)
        self.begin = 0  # the tick after which they begin
        self._waiting: dict[str, Program] | None = None  # who has no seat yet; None: it has not begun
        self._refused: set[str] = set()
        self.history: list[Item] = []  # what came from outside since the first program began
        self.base: dict[str, Any] | None = None  # the run as it was then, unless that was its start
        self._keeps = self.relived or self._sim.shared_clock is not None
        for program in self.given.values():
            with suppress(ProgramError):  # what cannot be read is reported when it starts
                kind_of(program).gather(program, self.files)

    def _program(self, robot: PlacedRobot) -> Program | None:
        return self._extra.get(robot.name) or robot.program

    def check(self, scene: Scene) -> None:
        """Raise ProgramError if a program cannot drive its robot, or its file has errors."""
        for robot in scene.robots:
            program = self._program(robot)
            if program and (wrong := problem_of(robot, program)):
                raise ProgramError(f"{robot.name}'s program {program.title}: {wrong}")
            if program and (errors := errors_in(robot, program, self.files)):
                raise ProgramError("\n".join(map(str, errors)))

    @property
    def relived(self) -> bool:
        """Say whether a saved run needs programs to run again, up to the saved tick."""
        shared = self._sim.shared_clock
        return any(kind_of(program).relived for program in self.given.values()) or bool(shared and shared.given)

    @property
    def realtime(self) -> bool:
        """Say whether a program runs beside the clock."""
        return any(seat.realtime for seat in self._seated.values())

    @property
    def running(self) -> bool:
        """Say whether a program has not ended yet, or not begun."""
        begun = self._waiting is not None
        return any(not seat.over for seat in self._seated.values()) or bool(self._waiting if begun else self.given)

    def idle_until_us(self) -> float:
        """Return the time until which no program has something to do (us)."""
        if self._door is not None or self._joining or self._waiting is None or self._waiting:
            return 0.0
        return min((seat.idle_until_us() for seat in self._seated.values()), default=math.inf)

    def seat_of(self, name: str) -> Seat | None:
        """Return the seat of a robot's program, if it has one."""
        return self._seated.get(name)

    def note(self, items: Iterable[Item]) -> None:
        """Remember what came from outside."""
        if self._keeps:
            again = ("program:", "factory:") if self._sim.shared_clock is not None else ("program:",)
            self.history += [item for item in items if not item.source.startswith(again)]

    def resume(self, programs: Mapping[str, Program], begin: int, base: dict[str, Any] | None) -> None:
        """Take the programs of a saved run, which begin after a tick; *base* is the run as it was then."""
        self.begin, self.base = begin, base
        if base:
            self.given, self._waiting, self._keeps = dict(programs), dict(programs), True

    def settle(self) -> None:
        """Go on after a saved tick whose run needed no program to run again: what they had to give has been given."""
        if self.begin < self._sim.tick:
            self._waiting = {}

    # ---- coming and going

    def fill(self) -> None:
        """Before a tick: let programs that have no seat yet take one and have their first turn."""
        if self._door is None and self._waiting is not None and not self._waiting and not self._joining:
            return
        joining, self._joining = self._joining, []
        fresh = [*joining, *self._admitted(), *self._started()]
        if fresh:
            self._turn(sorted(fresh, key=lambda seat: seat.name))

    def _started(self) -> list[Seat]:
        """Start the programs of robots that have come since, all of them before the first tick."""
        if self.armed or self._sim.tick < self.begin:
            return []
        if self._waiting is None:
            self.begin = self._sim.tick
            self._waiting = {r.name: p for r in self._sim.current.robots if (p := self._program(r))}
        if not self._waiting:
            return []
        taken = self._refused | self._seated.keys()
        starting = {name: self._waiting[name] for name in sorted(self._waiting) if name not in taken}
        self._waiting.clear()
        if self._sim.start.start_together and self._sim.tick == self.begin:
            self._sim.start_line.expect({name for name, program in starting.items() if program.interface == "robios"})
        self._keep_history(starting)
        return [seat for name, program in starting.items() if (seat := self._seat(name, program))]

    # ---- programs that come from outside

    def open(self, address: str, expected: Iterable[str]) -> str:
        """Let programs of other processes take seats; no tick without those that are *expected*. Returns where."""
        from understudy.sim.seat_door import SeatDoor  # few runs have one

        self._door = SeatDoor(address)
        self._expected = {self._sim.data(name).name for name in expected}
        return self._door.url

    def _admitted(self) -> list[Seat]:
        """Give seats to those who have come, and wait for those who are expected."""
        if self._door is None:
            return []
        seats = [seat for came in self._door.taken() if (seat := self._admit(*came))]
        while (missing := self._missing()) and self._sim.exit_code is None:
            if not self._announced:
                log.info("waiting for the programs of %s at %s", ", ".join(sorted(missing)), self._door.url)
                self._announced = True
            self._door.wait(_LOOK_S)
            seats += [seat for came in self._door.taken() if (seat := self._admit(*came))]
        self._announced = False
        return seats

    def _missing(self) -> set[str]:
        """Return the robots that wait for a program from outside; one that has left is not waited for again."""
        present = {robot.name for robot in self._sim.current.robots}
        return {name for name in self._expected if name in present and name not in self._seated}

    def _admit(self, name: str, sock: socket.socket, greeting: bytes) -> Seat | None:
        from understudy.sim.outside import OutsideProgram
        from understudy.sim.seat_door import refuse

        robot = next((robot for robot in self._sim.current.robots if robot.name == name), None)
        before = self._seated.get(name)
        if robot is None or self._program(robot) or (before and not before.over):
            names = (robot.name for robot in self._sim.current.robots)
            refuse(sock, f"{name} has a program" if robot else f"no robot is named {name!r} {nearest(name, names)}")
            return None
        seat = OutsideProgram(self._sim, robot, sock, f"seat:{name}", greeting)
        self._sit(seat)
        return seat

    def take_seat(self, name: str, sock: socket.socket, realtime: bool) -> None:
        """Let the program at the other end of a socket drive a robot, in place of the robot's own program."""
        from understudy.sim.outside import OutsideProgram

        seat = OutsideProgram(self._sim, self._sim.data(name), sock, source_of(name), realtime=realtime)
        self._sit(seat)
        self._joining.append(seat)

    # ---- programs of the run

    def _keep_history(self, starting: Mapping[str, Program]) -> None:
        """Remember from now on what a saved run must repeat; before the first program there is nothing to repeat."""
        if any(kind_of(program).relived for program in starting.values()):
            self.keep_history(starting)

    def keep_history(self, starting: Mapping[str, Program]) -> None:
        """Remember from now on what a saved run must repeat, with programs that start now."""
        if not self._keeps:
            if self._sim.tick or starting:
                self.base = {**self._sim.save_tree(), "sequence": self._sim.inbox.sequence}
            self._keeps, self.given, self.begin = True, {**self.given, **starting}, self._sim.tick

    def _seat(self, name: str, program: Program) -> Seat | None:
        """Give a program its seat, in the order of names; one that cannot start is reported."""
        robot = self._sim.data(name)
        made = Assignment(self._sim, robot, program, self.files, self._guard)
        try:
            if wrong := problem_of(robot, program):
                raise ProgramError(wrong)
            kind_of(program).gather(program, self.files)
            seat = kind_of(program).seat(made)
        except ProgramError as problem:
            report(self._sim, name, f"{name}'s program {program.title} cannot start: {problem}", source_of(name))
            self._sim.start_line.arrive(name)
            return None
        self._sit(seat)
        return seat

    def _sit(self, seat: Seat) -> None:
        self._seated = dict(sorted({**self._seated, seat.name: seat}.items()))

    def follow(self, outcome: Outcome) -> None:
        """End the programs of removed robots; those of added robots begin with the next tick."""
        for source, done in outcome.done:
            change = done.change
            if done.ok and isinstance(change, Remove | Replace):
                self._leave(change.name)
            if done.ok and isinstance(change, Add | Replace) and isinstance(change.thing, PlacedRobot):
                self._join(change.thing, source)

    def _join(self, robot: PlacedRobot, source: str) -> None:
        program = self._program(robot)
        if program is None:
            return
        if not self._trust or source.partition(":")[0] not in _STARTERS:
            self._refused.add(robot.name)
            problem = f"{robot.name}'s program is not started: {source} may not run code here"
            report(self._sim, robot.name, problem, source_of(robot.name))
        elif self._waiting is not None:
            self._waiting[robot.name] = program

    def _leave(self, name: str) -> None:
        self._refused.discard(name)
        if self._waiting is not None:
            self._waiting.pop(name, None)
        seat = self._seated.pop(name, None)
        if seat is not None:
            seat.end()

    # ---- turns

    def take_turns(self) -> None:
        """Let every program whose wait is over run until it waits again, in the order of their names."""
        if self._seated:
            self._turn(list(self._seated.values()))

    def _turn(self, seats: list[Seat]) -> None:
        for seat in seats:
            seat.wake()
        for seat in seats:
            seat.turn()

    def close(self) -> None:
        """End the programs and let no other come in."""
        self.clear()
        if self._door is not None:
            self._door.close()

    def positions(self) -> dict[str, tuple[At, ...]]:
        """Return where each program waits that time waits for, by robot."""
        return {seat.name: (at,) for seat in self._seated.values() if (at := seat.position()) is not None}

    def clear(self) -> None:
        """End the programs."""
        for seat in self._seated.values():
            seat.end()
        self._seated = {}

    def restart(self, scene: Scene) -> None:
        """Be as at the start of a run of this scene; the programs have ended, and are read again from their files."""
        self.files.forget()
        self._restart(scene)
