"""A run: a pure function of scene, seed and inbox. No wall clock, no link, no programs: replays repeat."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from understudy import engines
from understudy.assets.files import Contents
from understudy.assets.library import Library
from understudy.errors import EngineError, ProgramError
from understudy.robots.base import Asking, Unit
from understudy.sensors.filters import Filter
from understudy.sensors.sensing import Senses
from understudy.sim import policy, wiring
from understudy.sim.change_desk import ChangeDesk
from understudy.sim.drive_stages import DriveStages
from understudy.sim.events import agenda
from understudy.sim.faults import Faults
from understudy.sim.grasps import Grasps
from understudy.sim.guard import Guard
from understudy.sim.inbox import Bytes, FleetOrder, Item, Order, RefusedChange
from understudy.sim.leaping import leaps_of
from understudy.sim.media import Messages, Receiver
from understudy.sim.orders import Orders
from understudy.sim.outcome import Outcome
from understudy.sim.outputs import Outputs
from understudy.sim.packing import digest
from understudy.sim.plugs import Plug, Plugs
from understudy.sim.run_start import RunStart
from understudy.sim.scene_code import SceneCode
from understudy.sim.scene_desk import SceneDesk
from understudy.sim.tree_checks import check_bounded, check_like
from understudy.world.changes import Change
from understudy.world.faults import Fault
from understudy.world.media import Message
from understudy.world.news import NEWS, News, Note
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Scene
from understudy.world.shapes import Pose

Tree = dict[str, Any]


class Run:
    """Engine, sensors, firmware and protocols of one run, advanced tick by tick."""

    def __init__(
        self,
        scene: Scene,
        seed: int,
        rules: Mapping[str, tuple[type, ...]] = policy.DEFAULT,
        threads: int = 1,
        files: Contents | None = None,
        *,
        trust: bool = True,
        guard: Guard | None = None,
    ) -> None:
        self.seed, self._rules, self._threads, self._tick_us = seed, rules, threads, scene.tick_us
        self._start = RunStart(scene)
        self._files = Library.of(files)
        self._code = SceneCode(self._files, guard or Guard(), trust)
        filters = self._filters(scene)
        self.engine = engines.make(scene.engine, scene, threads, self._files)
        self.tick = 0
        self.targets = np.zeros((len(scene.robots), 3))
        self.units: dict[str, Unit] = {}
        self._outputs = Outputs(self.engine, self.targets, scene.tick_us, (), {})
        self._motors: Outputs | None = None  # the outputs, if there are any
        self.stages = DriveStages(self.engine, (), {}, {}, seed)
        self.paused = False  # what changes have said; whoever owns the clock obeys
        self._agenda = agenda(scene)
        self._messages = Messages(seed)
        self._faults, self._grasps = Faults(self), Grasps()
        self._changes = ChangeDesk(self, rules, self._start, self._faults, self._grasps)
        self.orders = Orders(self._outputs, self.targets)
        self._takeover = self.orders.takeover
        self._scene_desk = SceneDesk(self, rules)
        self.conversations = Plugs(self.orders.give, self._changes.make, self._scene_desk, ())
        self._around = wiring.surroundings(scene, self._files)
        self.batches = wiring.batches(scene, seed, filters)
        self.readings = wiring.readings(self.batches)
        self.senses = Senses(self.engine, self.batches, self._around)
        self._connect(scene)
        self.sense()
        for _, problem in self._broken_filters():
            raise ProgramError(problem)

    @property
    def t_us(self) -> int:
        """Return the simulated time (us)."""
        return self.tick * self._tick_us

    @property
    def start(self) -> Scene:
        """Return the scene that a reset starts from: the scene at time zero with the user's edits since."""
        return self._start.scene

    def scene(self) -> Scene:
        """Return the scene as it is now."""
        return self.engine.scene()

    @property
    def files(self) -> Library:
        """Return the files that the scene refers to, with their decoded contents."""
        return self._files

    @property
    def robots(self) -> tuple[PlacedRobot, ...]:
        """Return the robots of the current scene, in the order of the engine's rows."""
        return self._robots

    @property
    def plugs(self) -> Mapping[str, Plug]:
        """Return the ports by path."""
        return self.conversations.by_path

    @property
    def faults(self) -> Mapping[str, Fault]:
        """Return the active faults by the path of the part that fails."""
        return self._faults.by_path

    # ---- the tick, phases 1 to 5

    def advance(self, items: Sequence[Item], idle: Callable[[], float] = lambda: 1) -> Outcome:
        """Advance one tick: exchange, firmware, engine, sense, protocols. What a scene does not have is not called.

        *idle* returns, after the exchange, how many ticks nobody outside needs; several are made at once if possible.
        """
        outcome, tick_us = Outcome(), self._tick_us
        self.tick += 1
        if self._messages.waiting:
            self._messages.deliver(self.engine, self.tick, lambda unit, heard: self.orders.give(unit, heard, outcome))
        for source, change in self._agenda.get(self.tick, ()):
            self._changes.make(change, source, outcome)
        if items or self.conversations.lines:
            self.exchange(items, tick_us, outcome)
        if self._takeover.units:
            self.orders.give_back(self.t_us, outcome)
        if self.conversations.timed:
            self.conversations.act(self.t_us, outcome)
        if self._leaps is None or outcome.eventful or self._hindered() or not self._leap(idle(), outcome):
            self._end_tick(outcome)
        return outcome

    def _end_tick(self, outcome: Outcome) -> None:
        """Do what comes after the exchange."""
        tick_us = self._tick_us
        if self._ticking or self._asking:
            self.firmware(tick_us, outcome)
        if self._motors is not None:
            self._motors.step()
        self.stages.step(self.targets, self.tick)
        if self._grasps.held:
            self._grasps.carry(self.engine)
        self.sense()
        if self._filtered:
            self._report_broken_filters(outcome)
        if self.conversations.by_path:
            self.speak(tick_us, outcome)

    def _leap(self, most: float, outcome: Outcome) -> bool:
        """Do what comes after the exchange of up to so many ticks, those after the first without one; returns if so."""
        planned = [tick - self.tick for tick in self._agenda if tick > self.tick]
        made = self._leaps.leap(min([most, *planned]), self.t_us - self._tick_us) if self._leaps else 0
        if made:
            self.tick += made - 1
            self._hear_units(outcome)
            self.sense()
        return made > 0

    def _hindered(self) -> bool:
        """Return whether there is something that every tick has to look after."""
        return bool(
            self._messages.waiting or self.conversations.by_path or self._motors or self._grasps.held or self._filtered
            or self._takeover.units
        ) or not self.stages.plain  # fmt: skip

    def prepare(self) -> None:
        """Compile what ticks need, so that none stops for it."""
        self.engine.prepare()
        if self._leaps is not None:
            self._leaps.prepare()

    def _report_broken_filters(self, outcome: Outcome) -> None:
        for path, problem in self._broken_filters():
            outcome.news.append((path, Note(f"{problem}; the device returns no readings from now on", "warning")))

    def hold(self, items: Sequence[Item]) -> Outcome:
        """Exchange while time is paused: clients may connect and users may drag objects; nothing moves by itself."""
        outcome = Outcome()
        self.exchange(items, 0, outcome)
        self.firmware(0, outcome)
        self.speak(0, outcome)
        return outcome

    def exchange(self, items: Iterable[Item], dt_us: int, outcome: Outcome) -> None:
        """Take the inbox in order: decode bytes, hand orders to units, carry changes out. Then what lines deliver."""
        for item in items:
            body = item.body
            if isinstance(body, Bytes):
                self.conversations.take(body, self._faults.by_path, outcome)
            elif isinstance(body, Order):
                self.orders.take(item.source, body, self.t_us, outcome)
            elif isinstance(body, FleetOrder):
                self.orders.drive_all(body.targets)
            elif not isinstance(body, RefusedChange):
                self._changes.make(body, item.source, outcome)
        self.conversations.carry(dt_us, outcome)

    def firmware(self, dt_us: int, outcome: Outcome) -> None:
        """Let every unit set its actuators, then apply the changes that units request."""
        now_us = self.t_us
        for unit in self._ticking:
            unit.tick(now_us, dt_us)
        self._hear_units(outcome)

    def _hear_units(self, outcome: Outcome) -> None:
        """Apply the changes that units request, send their messages and take their news."""
        for path, asking in self._asking:
            for request in asking.asks():
                if isinstance(request, Message):
                    self._messages.send(path, request)
                if isinstance(request, NEWS):
                    outcome.news.append((path, cast(News, request)))
                else:
                    asking.done(self._changes.make(cast(Change, request), f"unit:{path}", outcome))

    def sense(self) -> None:
        """Sample every sensor that is due."""
        self.senses.sense(self.t_us, self.stages.slipped, self._motors)

    def speak(self, dt_us: int, outcome: Outcome) -> None:
        """Collect the bytes that protocols send."""
        self.conversations.speak(self.units, self.t_us, dt_us, self._faults.by_path, outcome)

    # ---- structure

    def move(self, name: str, pose: Pose) -> None:
        """Put a robot or another thing at a pose; a light shines from there."""
        self.engine.move(name, pose)
        self._around.light_up(self.engine, name)

    def rebuild(self, scene: Scene) -> None:
        """Adopt a changed scene; everything that keeps its name keeps its state."""
        scene = dataclasses.replace(scene, seed=self.seed)
        filters = self._filters(scene)
        around = wiring.surroundings(scene, self._files, self._around)
        rows = {robot.name: row for row, robot in enumerate(self._robots)}
        self.engine.rebuild(scene)
        old = self.targets
        self.targets = np.zeros((len(scene.robots), 3))
        for row, robot in enumerate(scene.robots):
            if robot.name in rows:
                self.targets[row] = old[rows[robot.name]]
        self._around = around
        self._start.welcome(robot for robot in scene.robots if robot.name not in rows)
        self._grasps.forget_lost(scene)
        self.batches = wiring.batches(scene, self.seed, filters, self.batches, self.t_us)
        self.readings = wiring.readings(self.batches)
        self.senses = Senses(self.engine, self.batches, self._around)
        self._connect(scene)
        self._faults.follow()

    def _filters(self, scene: Scene) -> dict[str, Filter]:
        """Return the user filters of a scene's devices; raises an error if there is user code that cannot run."""
        made = self._code.filters(scene)
        self._code.check_firmware(scene)
        self._filtered = bool(made)
        return made

    def _broken_filters(self) -> Iterator[tuple[str, str]]:
        """Yield path and problem of every device whose filter has failed since the last call."""
        for batch in self.batches if self._filtered else ():
            yield from batch.problems()

    def _connect(self, scene: Scene) -> None:
        """Create the units and plugs of the scene, keeping those that exist."""
        self._robots = scene.robots
        self._outputs = Outputs(self.engine, self.targets, scene.tick_us, scene.robots, self.readings, self._outputs)
        self._motors = self._outputs if len(self._outputs) else None
        self.stages = DriveStages(self.engine, scene.robots, self.readings, self.faults, self.seed, self.stages)
        self.orders.connect(*self._make_units(scene), self._outputs, self.targets)
        self.conversations = Plugs(self.orders.give, self._changes.make, self._scene_desk, self._plugs_of(scene))
        rows = {robot.name: row for row, robot in enumerate(scene.robots)}
        listening = [Receiver(p, rows[p.partition("/")[0]], unit.media) for p, unit in self.units.items() if unit.media]
        self._messages.connect(scene, rows, listening)
        self._ticking = [unit for unit in self.units.values() if unit.ticks]
        self._asking = [(path, unit) for path, unit in self.units.items() if isinstance(unit, Asking)]
        self._leaps = leaps_of(self.engine, self.targets, scene.robots, self.units, self.batches, scene.tick_us)

    def _make_units(self, scene: Scene) -> tuple[dict[str, Unit], list[str]]:
        """Return all units by path, those that exist rewired, and the paths of those that move robots."""
        before, self.units, drivers = self.units, {}, []
        mapped = scene.map is not None or bool(scene.walls or scene.objects)
        for row, robot in enumerate(scene.robots):
            for spec in wiring.unit_specs(robot):
                path = f"{robot.name}/{spec.name}"
                wheels = wiring.DriveRow(self.engine, self.targets, row)
                here = wiring.RobotPlace(self.engine, row, self._around, mapped)
                outputs = self._outputs.of_unit(robot.name, spec)
                code = self._code.of_unit(robot.name, spec)
                wires = wiring.wiring_of(robot, spec, wheels, self.readings, here, self.seed, outputs, code)
                if path in before:
                    before[path].rewire(wires)
                self.units[path] = before[path] if path in before else wiring.make_unit(spec, wires)
                if spec.moves_robot:
                    drivers.append(path)
        return self.units, drivers

    def _plugs_of(self, scene: Scene) -> Iterator[Plug]:
        """Yield the ports of all robots, then those of the scene; those that exist keep their clients."""
        for robot in scene.robots:
            specs = {spec.name: spec for spec in wiring.unit_specs(robot)}
            for port in robot.built.ports:
                path = f"{robot.name}/{port.name}"
                if port.unit not in specs:
                    raise EngineError(f"{path}: the port names a unit {port.unit!r} that does not exist")
                yield self.plugs.get(path) or Plug.of(robot.name, port, specs[port.unit])
        for scene_port in scene.ports:
            yield self.plugs.get(scene_port.name) or Plug.of_scene(scene_port)

    # ---- save and compare

    def hash(self) -> str:
        """Return a digest of engine and firmware state."""
        units = {path: unit.digest() for path, unit in self.units.items()}
        drives = {**self._outputs.state(), **self.stages.state()}
        tree = {"engine": self.engine.state(), "targets": self.targets, "units": units}
        return digest({**tree, "drives": drives} if drives else tree)

    def state(self) -> Tree:
        """Return the complete state that later ticks depend on, as a tree of plain values and arrays."""
        return {
            "tick": self.tick,
            "engine": self.engine.state(),
            "targets": self.targets.copy(),
            "outputs": self._outputs.state(),
            "drive_stages": self.stages.state(),
            "units": {path: unit.state() for path, unit in self.units.items()},
            "plugs": self.conversations.state(),
            "batches": [batch.state() for batch in self.batches],
            "faults": self._faults.state(),
            "held": self._grasps.state(),
            "takeover": self._takeover.state(),
            "messages": self._messages.state(),
            "starts": self._start.state(),
            "map_master": self._changes.map_master,
            "paused": self.paused,
            "brought": dict(self._files.brought),
        }

    def restart(self) -> Run:
        """Return a new run from the start; connected clients stay connected."""
        run = Run(
            self.start, self.seed, self._rules, self._threads, self._files,
            trust=self._code.trust, guard=self._code.guard,
        )  # fmt: skip
        for path, unit in self.units.items():
            if path in run.units and (kept := unit.keep()):
                run.units[path].recall(kept)
        run.paused = self.paused
        run.conversations.go_on(self.plugs, Outcome())
        return run

    def resume(self, scene: Scene, state: Tree) -> None:
        """Continue from a saved state, whose scene may differ in structure from the start."""
        for name, data in state["brought"].items():
            self._files.bring(name, data)
        self.rebuild(scene)
        free: Tree = {"units": {}, "asked": {}}
        records: Tree = {"starts": {}, "faults": {}, "takeover": free}  # reading them checks them
        check_like(state, {**self.state(), **records}, "run")
        check_bounded(state["engine"], "run.engine")
        self.restore(state)

    def restore(self, state: Tree) -> None:
        """Continue from a saved state; the scene must be the one that was saved with it."""
        self.tick = state["tick"]
        self.engine.restore(state["engine"])
        self.targets[:] = state["targets"]
        self._outputs.restore(state["outputs"])
        for path, saved in state["units"].items():
            self.units[path].restore(saved)
        self.conversations.restore(state["plugs"])
        self._faults.restore(state["faults"])
        for batch, saved in zip(self.batches, state["batches"]):
            if list(batch.paths) != saved["paths"]:
                raise EngineError("the saved run belongs to a different scene: its devices do not match")
            batch.restore(saved)
            if not batch.is_due_at(self.t_us):
                raise EngineError(f"the saved run is inconsistent: wrong sample time of {batch.paths[0]}")
        self.stages.restore(state["drive_stages"])
        self._grasps.restore(state["held"])
        self._takeover.restore(state["takeover"])
        self._messages.restore(state["messages"])
        self._start.restore(state["starts"])
        self._changes.map_master, self.paused = state["map_master"], state["paused"]
