"""The simulation: a run connected to links, wall clock, listeners and programs."""

from __future__ import annotations

import dataclasses
import logging
import math
import operator
import os
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from understudy.assets.files import Contents
from understudy.errors import ChangeRefused, UnderstudyError
from understudy.formats.document import Document
from understudy.sim import added_files, consent, map_files, policy, restoring, saving
from understudy.sim.caption import caption
from understudy.sim.clock import Clock
from understudy.sim.factory import Factory
from understudy.sim.fleet import Fleet
from understudy.sim.guard import Guard
from understudy.sim.inbox import Inbox, Item
from understudy.sim.listeners import Listener, Listeners, Snapshot
from understudy.sim.outcome import Outcome
from understudy.sim.ports import Ports
from understudy.sim.program_files import ProgramFiles
from understudy.sim.questions import Questions
from understudy.sim.requests import Requests
from understudy.sim.robot import Robot
from understudy.sim.robot_names import called, row_of
from understudy.sim.run import Run
from understudy.sim.scene_codec import scene_from
from understudy.sim.seats import Seats
from understudy.sim.start_line import StartLine
from understudy.sim.view import View
from understudy.tiers.workshop import WORKSHOP
from understudy.units import microseconds
from understudy.world import extent
from understudy.world.changes import Change, Done, LoadMap, Pause, Quit, Reset, Speed, Step
from understudy.world.news import At, Note
from understudy.world.robot import PlacedRobot, Program
from understudy.world.scene import Scene

if TYPE_CHECKING:
    from understudy.sensors.base import Array
    from understudy.sim.recording import Recording
    from understudy.sim.shared_clock import SharedClock

log = logging.getLogger(__name__)
MOST_TICKS = 1000  # that are made at once
HOLD_S = 0.05  # how long a paused simulation waits for input before it checks again (s)


class Sim:
    """One simulated world. Not thread-safe except for `post`: one thread owns it."""

    def __init__(
        self,
        scene: Scene,
        *,
        seed: int | None = None,
        engine: str | None = None,
        speed: float | None = None,
        insist: bool = False,
        threads: int | None = None,
        folder: Path | None = None,
        files: Contents | None = None,
        source: Document | None = None,
        user_programs: Mapping[str, Program] | None = None,
        rules: policy.Rules = policy.DEFAULT,
        map_dirs: Sequence[Path] = (),
        armed: bool = False,
        trust: bool = True,
    ) -> None:
        extent.check(scene)
        self._scene = dataclasses.replace(
            scene, seed=scene.seed if seed is None else _seed(seed), engine=engine or scene.engine
        )
        self._rules, self._folder, self._insist = rules, folder or Path(), insist
        self._source = source or Document(scene, folder=self._folder)
        self._files = self._source.contents(scene) if files is None else files
        for name in user_programs or ():
            called(name, scene.robots)
        self._guard = Guard()
        self.current = Run(
            self._scene, self._scene.seed, rules, threads or os.cpu_count() or 1, self._files,
            trust=trust, guard=self._guard,
        )  # fmt: skip
        self.inbox = Inbox()
        self.questions = Questions()
        self.requests = Requests(self.inbox.wake)  # what other threads want done in this one
        self.clock = Clock(self._scene.tick_us, speed, excused=lambda: WORKSHOP.busy)
        self.ports = Ports(self.inbox)
        self.maps = map_files.MapFiles((self._folder, *map_dirs), self.post)  # maps that clients may load
        self.paused = self._closed = False
        self.exit_code: int | None = None
        self._leaving: tuple[int, int] | None = None  # (after which tick to quit, exit code)
        self.failed_programs: dict[str, str] = {}  # what went wrong, by robot
        self.start_line = StartLine()  # where RoBIOS programs wait for each other
        self.fleet = Fleet(self)  # all robots as NumPy rows, for programs that drive many at once
        self._sub = 0
        self._ticked = 0  # ticks since the simulation was created; not affected by a reset
        self._listeners = Listeners()
        self.shared_clock: SharedClock | None = None  # of unmodified programs
        program_files = ProgramFiles(self._folder, files, self._source.files)
        self.seats = Seats(self, user_programs or {}, program_files, self._guard, armed, trust)
        self.seats.check(scene)

    # ---- properties

    @property
    def scene(self) -> Scene:
        """Return the scene as it is now."""
        return self.current.scene()

    @property
    def folder(self) -> Path:
        """Return the folder that the scene's files are relative to."""
        return self._folder

    @property
    def source(self) -> Document:
        """Return the document that the simulation was made from."""
        return self._source

    @property
    def files(self) -> Contents:
        """Return the files that the scene and its programs are made of, by content."""
        return {**self._files, **self.seats.files.known}

    @property
    def start(self) -> Scene:
        """Return the scene that a reset starts from: the scene at time zero with the user's edits since."""
        return self.current.start

    @property
    def tick(self) -> int:
        """Return the number of ticks that have passed."""
        return self.current.tick

    @property
    def sub(self) -> int:
        """Return the number of exchanges since the last tick."""
        return self._sub

    @property
    def t_us(self) -> int:
        """Return the simulated time (us)."""
        return self.current.t_us

    @property
    def time_s(self) -> float:
        """Return the simulated time (s)."""
        return self.t_us / 1e6

    def hash(self) -> str:
        """Return a digest of engine and firmware state: equal runs have equal hashes."""
        return self.current.hash()

    def robot(self, name: str) -> Robot:
        """Return the robot named *name*."""
        return Robot(self, self.data(name))

    @property
    def robots(self) -> tuple[Robot, ...]:
        """Return all robots, in the order of the scene."""
        return tuple(Robot(self, data) for data in self.scene.robots)

    def row(self, name: str) -> int:
        """Return the engine's row of a robot."""
        return row_of(name, self.current.robots)

    def data(self, name: str) -> PlacedRobot:
        """Return the model and the start pose of the robot named *name*."""
        return called(name, self.current.robots)

    # ---- running

    def run(self, seconds: float | None = None) -> None:
        """Run for so many simulated seconds at the clock's speed; without a number, until a quit is requested."""
        self._check_open()
        if seconds is not None and not (isinstance(seconds, Real) and 0.0 <= seconds < math.inf):
            raise ValueError(f"want a number of seconds from 0 on, got {seconds!r}; run() alone runs until a quit")
        if self.paused and seconds is not None:
            raise UnderstudyError("the simulation is paused: call resume() first, or step() to advance tick by tick")
        end = math.inf if seconds is None else self._ticked + round(microseconds(seconds) / self._scene.tick_us)
        while self.exit_code is None and self._ticked < end:
            self._next(most=end - self._ticked)

    def view(self) -> View:
        """Return the run as it is now, to look at without touching engine or units; valid until the next tick."""
        return View(self.current)

    def run_for(self, wall_s: float, end_s: float = math.inf) -> None:
        """Run at the clock's speed for so much wall time, not beyond *end_s*; for loops that also draw or read keys."""
        self._check_open()
        end = time.perf_counter() + wall_s
        while self.exit_code is None and time.perf_counter() < end and self.time_s < end_s:
            self._next(min(HOLD_S, wall_s))

    def _next(self, patience_s: float = HOLD_S, most: float = math.inf) -> None:
        """Serve requests, then run a tick when it is due or, while time is paused or a client holds it, an exchange.

        At full speed, up to *most* ticks are made at once if programs and clients have nothing to do meanwhile.
        """
        if self.requests.waiting:
            self.requests.serve(self)
        if self.paused or self.ports.hold_time(self.t_us):
            self.clock.forget()
            if self.inbox.wait(patience_s) or self.ports.called():
                self.exchange()
            return
        self.ports.wait_for_replies()
        speed = self._speed()
        self.clock.pace(self.tick + 1, speed)
        if speed is None and not self._listeners.attached and not self.ports.in_use:
            self._tick(lambda: min(most, self._idle_ticks()))
        else:
            self._tick()

    def step(self, ticks: int = 1) -> None:
        """Advance so many ticks at once, also while time is paused."""
        self._check_open()
        if ticks < 0:
            raise ValueError(f"want a number of ticks from 0 on, got {ticks}")
        asked = self.requests.waiting
        for _ in range(ticks):
            if asked:
                self.requests.serve(self)
            self._tick()

    def _idle_ticks(self) -> float:
        """Return how many ticks it takes until a program has something to do, within the tick that has begun."""
        if self.exit_code is not None or self._leaving is not None:
            return 1
        idle_us = self.seats.idle_until_us() - self.t_us
        return min(MOST_TICKS, 1 - (-idle_us // self._scene.tick_us))

    def _check_open(self) -> None:
        """Raise UnderstudyError if the simulation was closed."""
        if self._closed:
            raise UnderstudyError("the simulation is closed and cannot run: load the scene again")

    def _speed(self) -> float | None:
        """Return the speed: while a free client is connected, real time instead of the maximum, unless *insist*."""
        if self.clock.speed is None and not self._insist and (self.ports.visited() or self.seats.realtime):
            return 1.0
        if self.shared_clock is not None and self.shared_clock.real_time:
            return 1.0
        return self.clock.speed

    def _tick(self, idle: Callable[[], float] = lambda: 1) -> None:
        """Advance one tick, or more if they are *idle*: exchange, firmware, engine, sense, protocols.

        Then publish, then programs.
        """
        self.seats.fill()
        if self.shared_clock is not None:
            self.shared_clock.before_tick()
        self._make_robots()
        items = self.inbox.take(self.current.tick + 1, 0)
        before = self.current.tick
        outcome = self.current.advance(items, idle)
        self._ticked += self.current.tick - before
        self._sub = 0
        self._after(items, outcome)

    def exchange(self) -> list[Done]:
        """Process the inbox without advancing time; return the outcome of each change in it."""
        self._make_robots()
        items = self.inbox.take(self.tick, self._sub + 1)
        if not items:
            return []
        self._sub += 1
        outcome = self.current.hold(items)
        self._after(items, outcome)
        return [done for _, done in outcome.done]

    def _make_robots(self) -> None:
        """Make robots for the clients that have connected to a factory."""
        if self.ports.called():
            self.ports.make_robots(self.current.scene())

    def _after(self, items: list[Item], outcome: Outcome) -> None:
        if items:
            self.seats.note(items)
            self.questions.settle(items, outcome.replies)
        self.ports.deliver(items, outcome)
        if outcome.done or outcome.news:
            self._report(outcome)
        if outcome.rebuilt:
            self.ports.match(self.current.plugs)
            self.seats.follow(outcome)
        if self._listeners.attached:
            self.publish(items, outcome)
        if self._sub == 0:
            self.seats.take_turns()
        for change in outcome.controls:
            self._control(change)
        for source, file in outcome.maps:
            self.maps.fetch(file, source)
        if self._leaving is not None and self._ticked >= self._leaving[0]:
            self.exit_code = self._leaving[1]

    def _report(self, outcome: Outcome) -> None:
        """Log refused changes and the news of units and ports."""
        for source, done in outcome.done:
            if not done.ok:
                log.warning("%s: %s", source, done.reason)
                if isinstance(done.change, LoadMap):
                    self.maps.note(None)
        for path, news in outcome.news:
            if isinstance(news, Note):
                log.log(logging.WARNING if news.level == "warning" else logging.INFO, "%s: %s", path, news.text)

    def _control(self, change: Change) -> None:
        if isinstance(change, Pause):
            self.paused = change.on
        elif isinstance(change, Speed):
            self.clock.speed = change.factor
        elif isinstance(change, Quit):
            self._leaving = self._ticked + change.delay_us // self._scene.tick_us, change.code
        elif isinstance(change, Step):
            self.step(change.ticks if self.paused else 0)
        elif isinstance(change, Reset):
            self._restart()

    # ---- changes

    def post(self, change: Change, source: str = "user") -> None:
        """Request a change at the next tick; may be called from any thread."""
        self.inbox.post(source, change)

    def change(self, change: Change, source: str = "api") -> None:
        """Apply a change: at once between ticks, at the next tick from inside a program; raises ChangeRefused."""
        for file in added_files.needed(change, self._source, self.current.files):
            self.inbox.post(source, file)
        self.inbox.post(source, change)
        if source.startswith("program:"):
            return
        for done in self.exchange():
            if done.change is change and not done.ok:
                raise ChangeRefused(done.reason)

    def load_map(self, path: str | os.PathLike[str], within: Sequence[Path] | None = None) -> None:
        """Replace the map with a file of any format; robots stay where they are.

        The file may refer to other files (includes, pictures) below the folders *within* only; None: anywhere.
        Raises FormatError or SceneError if the file is invalid, ChangeRefused if the running scene cannot use it.
        """
        files, change = map_files.read(Path(path), within=within)
        for file in files:
            self.inbox.post(map_files.FILES, file)
        self.change(change)
        self.maps.note(Path(path), within)

    def pause(self) -> None:
        """Pause simulated time; ports stay open."""
        self.change(Pause(True))

    def resume(self) -> None:
        """Resume simulated time."""
        self.change(Pause(False))

    def reset(self) -> None:
        """Start a new run from the scene at time zero; clients stay connected."""
        self.change(Reset())

    def _restart(self) -> None:
        self.seats.clear()
        self.failed_programs.clear()
        self.current = self.current.restart()
        self._scene = self.current.start
        self.seats.restart(self._scene)
        if self.shared_clock is not None:
            self.shared_clock.restart()
        self.inbox.forget()
        self.questions.clear()
        self._sub = 0
        self.clock.forget()
        self.ports.match(self.current.plugs)
        self._listeners.begin(self)

    # ---- listeners

    def attach(self, listener: Listener) -> None:
        """Attach a listener."""
        self._listeners.attach(listener, self)

    def detach(self, listener: Listener, reason: str = "detached") -> None:
        """Detach a listener."""
        self._listeners.detach(listener, reason)

    def record(
        self, what: Sequence[str], target: str | os.PathLike[str] | None = None, every_s: float | None = None
    ) -> Recording:
        """Record sensors (``scout/front``) and true motion (``scout/pose``, ``velocity``, ``stalled``) from now on.

        ``*`` stands for any part of a name: ``*/pose``. A row is recorded every tick, or every *every_s* of simulated
        time. *target* is a ``.csv`` or ``.parquet`` file; without one, rows stay in memory. Close the recording, or
        use it in a ``with`` statement.
        """
        from understudy.sim import recording  # few runs are recorded

        self._check_open()
        made = recording.started(self.view(), what, target, every_s)
        self.attach(made)
        return made

    def publish(self, items: list[Item], outcome: Outcome) -> None:
        """Notify the listeners of a tick, or of an exchange while time is paused."""
        self._listeners.tick(Snapshot(self, self._sub, items, outcome))

    # ---- pictures

    def plot(self, trails: Recording | Mapping[str, Array] | None = None, ax: Any = None) -> Any:
        """Draw the map with its robots with Matplotlib and return the axes; needs ``understudy[plot]``.

        *trails* are drawn too: of a recording of poses, or of the columns that ``tape.to_arrays()`` returns.
        """
        from understudy.sim import plot
        from understudy.sim.recording import trails as trails_of

        return plot.draw(self.scene, trails_of(plot.columns_of(trails)), ax)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._caption()}>"

    def _caption(self) -> str:
        """Return time, engine and robots in one line."""
        return caption(self.current, " closed" if self._closed else " paused" if self.paused else "")

    def _repr_html_(self) -> str:
        """Return a map with its robots, for notebooks."""
        from understudy.sim import map_svg

        return map_svg.figure(map_svg.draw(self.scene), self._caption())

    # ---- programs

    @property
    def armed(self) -> bool:
        """Return whether programs wait for `start_programs`."""
        return self.seats.armed

    def start_programs(self) -> None:
        """Let armed programs start with the next tick."""
        self.seats.armed = False

    def open_seats(self, address: str = "tcp://127.0.0.1:0", expect: Sequence[str] = ()) -> str:
        """Let programs of other processes drive robots; time waits for them. Returns the address; raises LinkError.

        No tick is made before the robots that are *expected* have their programs.
        """
        return self.seats.open(address, expect)

    def take_seat(self, robot: str, sock: socket.socket, realtime: bool = False) -> None:
        """Let the program at the other end of a socket drive a robot; time waits for it unless *realtime*."""
        self.seats.take_seat(robot, sock, realtime)

    def share_clock(self, commands: Sequence[Sequence[str]], *, compute: float = 0.0) -> SharedClock:
        """Start unmodified programs that talk to the robots' ports and share the simulation's clock.

        Time passes only while all of them wait, so that a run repeats bit by bit at any speed. It passes as usual, with
        `run` and `step`. *compute* is what a second of computing costs in simulated seconds; then runs do not repeat.
        Opens the ports. Raises ProgramError, or LinkError where that is not possible: it needs Linux on x86-64.
        """
        from understudy.sim.shared_clock import started  # few runs have such programs

        self._check_open()
        if self.shared_clock is not None:
            raise UnderstudyError("programs share the clock already: give all of them in one call")
        if not self.ports.in_use:
            self.open_ports()
        self.seats.keep_history({})
        self.shared_clock = started(self, [(command, None) for command in commands], compute)
        return self.shared_clock

    def together(
        self, commands: Sequence[Sequence[str]], seconds: float | None = None, *, compute: float = 0.0
    ) -> list[int | None]:
        """Run until unmodified programs, started here, have ended, or for so many simulated seconds.

        Returns their exit codes; None for one that has not ended. See `share_clock`.
        """
        clock = self.share_clock(commands, compute=compute)
        clock.run(seconds)
        return clock.exit_codes

    @property
    def programs_running(self) -> bool:
        """Return whether a program has not ended yet."""
        return self.seats.running

    def program_positions(self) -> dict[str, tuple[At, ...]]:
        """Return where Python programs wait, by robot."""
        return self.seats.positions()

    def take_turns(self) -> None:
        """Let every program whose wait is over run until it waits again, in order of robot names."""
        self.seats.take_turns()

    # ---- ports, saving, the end

    def open_ports(self, factories: Sequence[Factory] = ()) -> None:
        """Open every port of every robot to the outside, and a port for each robot factory; raises LinkError.

        The engine is compiled first, so that clients do not wait for the compiler.
        """
        self.prepare()
        self.ports.open(factories)
        self.ports.match(self.current.plugs)

    def prepare(self) -> None:
        """Compile what ticks need, so that none stops for it."""
        self.current.prepare()

    @staticmethod
    def restored(saved: Mapping[str, Any], *, trust: bool = False) -> Sim:
        """Return a simulation that continues a saved one; raises TapeError for code that is not trusted."""
        consent.require(trust, "the saved run", saving.code_of(saved))
        programs = {} if saved.get("base") else saving.programs_of(saved)
        sim = Sim(
            scene_from(saved["start"]), folder=Path(saved["folder"]), files=saved["files"], user_programs=programs,
            armed=saved["programs_from"] < 0, trust=trust,
        )  # fmt: skip
        restoring.resume(sim, saved, trust)
        return sim

    def save_tree(self) -> dict[str, Any]:
        """Return everything needed to continue, as a tree; the files of the scene are separate."""
        seats = self.seats
        start = self._scene if seats.relived else self.current.start
        begin = -1 if seats.armed else seats.begin
        return saving.tree(start, self.current, self.inbox, seats.given, begin, self._folder, seats.history)

    def save(self) -> bytes:
        """Return everything needed to go on, here or in another process."""
        base, clock = self.seats.base, self.shared_clock
        later = {"base": base} if base else {}
        if clock is not None and clock.given:
            later["together"] = {"programs": clock.given, "compute": clock.compute}
        return saving.pack_run({**self.save_tree(), **later}, self.files)

    def close(self, reason: str = "closed") -> None:
        """End programs, ports and listeners; the simulation can still be read, but not run."""
        self._closed = True
        if self.shared_clock is not None:
            self.shared_clock.close()
        self.seats.close()
        self.requests.close()
        self._guard.close()
        self.ports.close()
        self.maps.close()
        self._listeners.end(reason)

    def __enter__(self) -> Sim:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close("closed" if problem is None else f"failed: {problem!r}")


def _seed(seed: int) -> int:
    """Return a seed; raises ValueError for what a scene file would refuse too."""
    number = operator.index(seed) if hasattr(seed, "__index__") else -1
    if not 0 <= number < 2**63:
        raise ValueError(f"seed: want an integer from 0 to 2^63 - 1, got {seed!r}")
    return number
