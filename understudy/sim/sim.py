"""The simulation: a run joined to links, clock, listeners and programs."""

from __future__ import annotations

import dataclasses
import logging
import math
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from understudy.errors import ChangeRefused, TapeError, UnderstudyError, UnknownName, nearest
from understudy.formats.files import Contents, contents
from understudy.sim import consent, luggage, maps, policy, programs, saving
from understudy.sim.clock import Clock
from understudy.sim.codec import scene_from
from understudy.sim.factory import Factory
from understudy.sim.fleet import Fleet
from understudy.sim.guard import Guard
from understudy.sim.inbox import Inbox, Item
from understudy.sim.listeners import Listener, Snapshot
from understudy.sim.outcome import Outcome
from understudy.sim.ports import Ports
from understudy.sim.realtime import RealtimeProgram
from understudy.sim.robot import Robot
from understudy.sim.run import Run
from understudy.units import microseconds
from understudy.world import extent
from understudy.world.changes import Change, Done, LoadMap, Pause, Quit, Reset, Speed, Step
from understudy.world.limits import RELIVED_TICKS
from understudy.world.news import Note
from understudy.world.robot import Program
from understudy.world.scene import Scene

log = logging.getLogger(__name__)
HOLD_S = 0.05  # how long a held clock waits for visitors before it looks up


class Sim:
    """One simulated world. Not thread-safe but for `post`: one thread owns it."""

    def __init__(
        self,
        scene: Scene,
        *,
        seed: int | None = None,
        engine: Literal["planar", "rigid"] | None = None,
        speed: float | None = None,
        insist: bool = False,
        threads: int | None = None,
        folder: Path | None = None,
        files: Contents | None = None,
        user_programs: Mapping[str, Program] | None = None,
        rules: policy.Rules = policy.DEFAULT,
        map_dirs: Sequence[Path] = (),
        armed: bool = False,
        trust: bool = True,
    ) -> None:
        extent.check(scene)
        self._scene = dataclasses.replace(
            scene, seed=scene.seed if seed is None else seed, engine=engine or scene.engine
        )
        self._rules, self._folder, self._insist = rules, folder or Path(), insist
        self._files = contents(scene, self._folder) if files is None else files
        self._programs = {r.name: r.program for r in scene.robots if r.program} | dict(user_programs or {})
        for name in self._programs:
            self._data(name)
        self._guard = Guard()
        self.current = Run(
            self._scene, self._scene.seed, rules, threads or os.cpu_count() or 1, self._files,
            trust=trust, guard=self._guard,
        )  # fmt: skip
        self.inbox = Inbox()
        self.clock = Clock(self._scene.tick_us, speed)
        self.ports = Ports(self.inbox)
        self.maps = maps.MapFiles((self._folder, *map_dirs), self.post)  # what clients may load
        self.paused = False
        self._arm = armed and bool(self._programs)  # at the start of a run, programs wait for `start_programs`
        self.armed = self._arm
        self._programs_from = 0  # the tick after which they begin
        self.exit_code: int | None = None
        self._leaving: tuple[int, int] | None = None  # (after which tick to quit, exit code)
        self.fleet = Fleet(self)  # all robots as NumPy rows, for programs that drive many at once
        self._sub = 0
        self._ticked = 0  # ticks since the simulation was made; a reset does not set it back
        self._listeners: list[Listener] = []
        self._seats: list[programs.Seat] | None = None
        self._history: list[Item] = []  # what came from outside; kept only while programs run

    # ---- what it is

    @property
    def scene(self) -> Scene:
        """Return the scene as it is now."""
        return self.current.scene()

    @property
    def folder(self) -> Path:
        """Return the folder that the scene's files are relative to."""
        return self._folder

    @property
    def files(self) -> Contents:
        """Return the files that the scene names, by content."""
        return self._files

    @property
    def start(self) -> Scene:
        """Return the scene as it was at time zero, with what users have edited since: what a reset begins from."""
        return self.current.start

    @property
    def tick(self) -> int:
        """Return the number of ticks that have passed."""
        return self.current.tick

    @property
    def sub(self) -> int:
        """Return how many exchanges there have been since the last tick."""
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
        """Return the robot called *name*."""
        return Robot(self, self._data(name))

    @property
    def robots(self) -> tuple[Robot, ...]:
        """Return all robots, in the order of the scene."""
        return tuple(Robot(self, data) for data in self.scene.robots)

    def row(self, name: str) -> int:
        """Return the engine's row of a robot."""
        for row, data in enumerate(self.current.robots):
            if data.name == name:
                return row
        raise UnknownName(f"no robot is called {name!r} {nearest(name, (r.name for r in self.current.robots))}")

    def _data(self, name: str) -> Any:
        robots = self.current.robots if hasattr(self, "current") else self._scene.robots
        for data in robots:
            if data.name == name:
                return data
        raise UnknownName(f"no robot is called {name!r} {nearest(name, (r.name for r in robots))}")

    # ---- running

    def run(self, seconds: float | None = None) -> None:
        """Run for so many simulated seconds, at the clock's speed; without a number, until somebody says quit."""
        if self.paused and seconds is not None:
            raise UnderstudyError("the clock is held: call resume() first, or step() to advance tick by tick")
        end = math.inf if seconds is None else self._ticked + round(microseconds(seconds) / self._scene.tick_us)
        while self.exit_code is None and self._ticked < end:
            self._next()

    def run_for(self, wall_s: float, end_s: float = math.inf) -> None:
        """Run at the clock's speed for so much wall time, not beyond *end_s*; for loops that also draw or read keys."""
        end = time.perf_counter() + wall_s
        while self.exit_code is None and time.perf_counter() < end and self.time_s < end_s:
            self._next(min(HOLD_S, wall_s))

    def _next(self, patience_s: float = HOLD_S) -> None:
        """Do what is next: a tick when it is due or, while the clock is held, an exchange."""
        if self.paused:
            self.clock.forget()
            if self.inbox.wait(patience_s) or self.ports.called():
                self.exchange()
            return
        self.ports.wait_for_replies()
        self.clock.pace(self.tick + 1, self._speed())
        self._tick()

    def step(self, ticks: int = 1) -> None:
        """Advance so many ticks at once, also while the clock is held."""
        for _ in range(ticks):
            self._tick()

    def _speed(self) -> float | None:
        """Return the pace: with a free visitor even "as fast as possible" is real time, unless insisted on."""
        if self.clock.speed is None and not self._insist and (self.ports.visited() or self._realtime()):
            return 1.0
        return self.clock.speed

    def _realtime(self) -> bool:
        return any(isinstance(seat, RealtimeProgram) for seat in self._seats or ())

    def _tick(self) -> None:
        """Advance one tick: exchange, firmware, engine, sense, protocols; then publish, then programs."""
        self._seat_programs()
        self._let_in()
        items = self.inbox.take(self.tick + 1, 0)
        outcome = self.current.advance(items)
        self._ticked += 1
        self._sub = 0
        self._after(items, outcome)

    def exchange(self) -> list[Done]:
        """Take the inbox while no time passes; returns what became of the changes in it."""
        self._let_in()
        items = self.inbox.take(self.tick, self._sub + 1)
        if not items:
            return []
        self._sub += 1
        outcome = self.current.hold(items)
        self._after(items, outcome)
        return [done for _, done in outcome.done]

    def _let_in(self) -> None:
        """Make robots for those who have called at a factory."""
        if self.ports.called():
            self.ports.make_robots(self.current.scene())

    def _after(self, items: list[Item], outcome: Outcome) -> None:
        if self._programs and items:
            self._history += [item for item in items if not item.source.startswith("program:")]
        self.ports.deliver(outcome)
        self._report(outcome)
        if outcome.restructured:
            self.ports.match(self.current.plugs)
        self.publish(items, outcome)
        if self._sub == 0:
            self.take_turns()
        for change in outcome.controls:
            self._control(change)
        for source, file in outcome.maps:
            self.maps.fetch(file, source)
        if self._leaving is not None and self._ticked >= self._leaving[0]:
            self.exit_code = self._leaving[1]

    def _report(self, outcome: Outcome) -> None:
        """Log what was refused and what robots and clients tell."""
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
        """Ask for a change at the next tick; may be called from any thread."""
        self.inbox.post(source, change)

    def change(self, change: Change, source: str = "api") -> None:
        """Make a change: at once between ticks, at the next tick from inside a program; raises ChangeRefused."""
        for file in luggage.needed(change, self._folder, self.current.files):
            self.inbox.post(source, file)
        self.inbox.post(source, change)
        if source.startswith("program:"):
            return
        for done in self.exchange():
            if done.change is change and not done.ok:
                raise ChangeRefused(done.reason)

    def load_map(self, path: str | os.PathLike[str], within: Sequence[Path] | None = None) -> None:
        """Exchange the world for that of a file of any format; robots stay where they are.

        The file may name others (includes, pictures) below the folders *within* only; None: any.
        Raises FormatError or SceneError if the file is mistaken, ChangeRefused if it cannot be had here.
        """
        self.change(maps.read(Path(path), within=within))
        self.maps.note(Path(path), within)

    def pause(self) -> None:
        """Hold the clock; ports stay alive."""
        self.change(Pause(True))

    def resume(self) -> None:
        """Let the clock go on."""
        self.change(Pause(False))

    def reset(self) -> None:
        """Begin a new run from the scene at time zero; clients stay connected."""
        self.change(Reset())

    def _restart(self) -> None:
        self._unseat_programs()
        self.current = self.current.anew()
        self._scene = self.current.start
        self.armed, self._programs_from = self._arm, 0
        self.inbox.forget()
        self._history.clear()
        self._sub = 0
        self.clock.forget()
        self.ports.match(self.current.plugs)
        self._tell("begin", self)

    # ---- listeners

    def attach(self, listener: Listener) -> None:
        """Let somebody watch."""
        listener.begin(self)
        self._listeners.append(listener)

    def detach(self, listener: Listener, reason: str = "detached") -> None:
        """Let somebody go."""
        self._listeners.remove(listener)
        listener.end(reason)

    def publish(self, items: list[Item], outcome: Outcome) -> None:
        """Tell the listeners of a tick or a held exchange."""
        if self._listeners:
            self._tell("tick", Snapshot(self, self._sub, items, outcome))

    def _tell(self, what: str, value: Any) -> None:
        for listener in list(self._listeners):
            try:
                getattr(listener, what)(value)
            except Exception as problem:
                self._listeners.remove(listener)
                log.error("a listener (%s) has failed and was taken off: %r", type(listener).__name__, problem)

    # ---- programs

    def _seat_programs(self) -> None:
        """Start the users' programs, once, before the first tick, unless they are armed."""
        if self._seats is not None or self.armed or self.tick < self._programs_from:
            return
        self._seats, self._programs_from = [], self.tick
        for name in sorted(self._programs):
            self._seats.append(self._seat(name, self._programs[name]))
        if self._seats:
            setattr(time, "sleep", programs.patched_sleep)  # noqa: B010 - programs may sleep; see patched_sleep
        self.take_turns()

    def start_programs(self) -> None:
        """Let programs that are armed begin with the next tick."""
        self.armed = False

    def take_turns(self) -> None:
        """Let every program whose wait is over run until it waits again, in the order of their names."""
        for seat in self._seats or ():
            seat.turn()

    def _seat(self, name: str, program: Program) -> programs.Seat:
        if program.mode == "realtime":
            return RealtimeProgram(self, self._data(name), program, self._folder)
        return programs.GatedProgram(self, self._data(name), program, self._folder, self._guard)

    def _unseat_programs(self) -> None:
        for seat in self._seats or ():
            seat.end()
        self._seats = None

    # ---- ports, saving, the end

    def open_ports(self, factories: Sequence[Factory] = ()) -> None:
        """Open every port of every robot to the outside, and a port for each robot factory; raises LinkError.

        Whoever connects must not wait for a compiler, so the engine is prepared before.
        """
        self.current.engine.prepare()
        self.ports.open(factories)
        self.ports.match(self.current.plugs)

    @staticmethod
    def restored(saved: Mapping[str, Any], *, trust: bool = False) -> Sim:
        """Return a simulation that goes on where a saved one stood; raises TapeError for code that is not trusted."""
        consent.require(trust, "the saved run", saving.code_of(saved))
        user_programs = saving.programs_of(saved)
        start = scene_from(saved["start"])
        begin, folder = saved["programs_from"], Path(saved["folder"])
        sim = Sim(start, folder=folder, files=saved["files"], user_programs=user_programs, armed=begin < 0, trust=trust)
        sim._programs_from = max(begin, 0)
        if user_programs:
            sim._relive(saved)
        else:
            sim.current = saving.restored_run(saved, sim.files, trust)
        saving.refill(sim.inbox, saved, sim.current)
        return sim

    def _relive(self, saved: Mapping[str, Any]) -> None:
        """Run again up to the saved tick: programs run anew, what came from outside comes at its old place."""
        if saved["run"]["tick"] > RELIVED_TICKS:
            raise TapeError(f"{saved['run']['tick']:,} ticks are too many to repeat (at most {RELIVED_TICKS:,})")
        for group in saving.exchanges(saving.history_of(saved, self.current)):
            tick, sub = group[0].tick, group[0].sub
            if tick > saved["run"]["tick"]:
                raise TapeError(f"an inbox item came at tick {tick:,}, after the saved run's last")
            self.step(tick - self.tick - (sub == 0))
            self.inbox.interleave(group)
            self.exchange() if sub else self.step()
        self.step(saved["run"]["tick"] - self.tick)
        if self.hash() != saved["hash"]:
            raise TapeError("the saved run cannot be repeated: a program behaves differently each time")

    def save_tree(self) -> dict[str, Any]:
        """Return everything needed to go on, as a tree; the files of the scene are apart."""
        start = self._scene if self._programs else self.current.start
        begin = -1 if self.armed else self._programs_from
        return saving.tree(start, self.current, self.inbox, self._programs, begin, self._folder, self._history)

    def save(self) -> bytes:
        """Return everything needed to go on, here or in another process."""
        return saving.pack_run(self.save_tree(), self._files)

    def close(self, reason: str = "closed") -> None:
        """End programs, ports and listeners."""
        self._unseat_programs()
        self._guard.close()
        self.ports.close()
        self.maps.close()
        for listener in self._listeners:
            listener.end(reason)
        self._listeners.clear()

    def __enter__(self) -> Sim:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close("closed" if problem is None else f"failed: {problem!r}")
