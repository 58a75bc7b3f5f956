"""A run: a pure function of scene, seed and inbox. No wall clock, no link, no programs: replays repeat."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, cast

import numpy as np

from understudy import engines
from understudy.assets import imports
from understudy.assets.files import Contents
from understudy.assets.library import Library
from understudy.errors import ChangeRefused, EngineError, ProgramError, UnderstudyError, in_one_line, nearest
from understudy.robots.base import Asking, Code, Drive, Unit
from understudy.robots.passthrough import Controller
from understudy.sensors.base import Array
from understudy.sensors.filters import Filter
from understudy.sensors.sensing import Senses
from understudy.sim import consent, policy, wiring
from understudy.sim.commands import as_kept, misfit, name_of
from understudy.sim.drive_stages import DriveStages, check_fault
from understudy.sim.events import agenda
from understudy.sim.grasps import Grasps
from understudy.sim.guard import Guard
from understudy.sim.imports import FirmwareScope
from understudy.sim.inbox import Bytes, FleetOrder, ForeignCommand, Item, Order, RefusedChange
from understudy.sim.leaping import leaps_of
from understudy.sim.media import Messages, Receiver
from understudy.sim.outcome import Outcome
from understudy.sim.outputs import Outputs
from understudy.sim.packing import digest
from understudy.sim.plugs import Plug, Plugs
from understudy.sim.scene_desk import SceneDesk
from understudy.sim.takeover import Takeover
from understudy.sim.tree_checks import check_bounded, check_like
from understudy.sim.user_code import UserCode
from understudy.world import changes, extent, faults, numbering
from understudy.world.changes import Change, Done
from understudy.world.faults import Fault
from understudy.world.file_names import filters as filters_of
from understudy.world.file_names import firmware as firmware_of
from understudy.world.media import Message
from understudy.world.motion import Motion
from understudy.world.news import NEWS, News, Note
from understudy.world.records import from_plain, to_plain
from understudy.world.robot import AnyPort, PlacedRobot, UnitSpec
from understudy.world.scene import Scene
from understudy.world.shapes import Pose

Tree = dict[str, Any]
MapTalk = changes.OpenMap | changes.KeepMap | changes.FreeMap
_RUN_ONLY = (changes.Pause, changes.Step, changes.Speed, changes.Quit)


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
        self.start, self.seed, self._rules, self._threads = scene, seed, rules, threads
        self._files = Library.of(files)
        self._trust, self._user_code = trust, UserCode(guard or Guard())
        filters = self._filters(scene)
        self._check_firmware(scene)
        self.engine = engines.make(scene.engine, scene, threads, self._files)
        self.tick = 0
        self.targets = np.zeros((len(scene.robots), 3))
        self.units: dict[str, Unit] = {}
        self._desk = SceneDesk(self, rules)
        self._plugs = Plugs(self._give, self._change, self._desk, ())
        self._outputs = Outputs(self.engine, self.targets, scene.tick_us, (), {})
        self._motors: Outputs | None = None  # the outputs, if there are any
        self._stages = DriveStages(self.engine, (), {}, {}, seed)
        self.paused = False  # what changes have said; whoever owns the clock obeys
        self.faults: dict[str, Fault] = {}
        self._agenda = agenda(scene)
        self._grasps = Grasps()
        self._takeover = Takeover()
        self._messages = Messages(seed)
        self._starts = {robot.name: robot.pose for robot in scene.robots}
        self._map_master = False  # only masters may ask for maps
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
        return self.tick * self.start.tick_us

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
        return self._plugs.by_path

    # ---- the tick, phases 1 to 5

    def advance(self, items: Sequence[Item], idle: Callable[[], float] = lambda: 1) -> Outcome:
        """Advance one tick: exchange, firmware, engine, sense, protocols. What a scene does not have is not called.

        *idle* returns, after the exchange, how many ticks nobody outside needs; several are made at once if possible.
        """
        outcome, tick_us = Outcome(), self.start.tick_us
        self.tick += 1
        if self._messages.waiting:
            self._messages.deliver(self.engine, self.tick, lambda unit, heard: self._give(unit, heard, outcome))
        for source, change in self._agenda.get(self.tick, ()):
            self._change(change, source, outcome)
        if items or self._plugs.lines:
            self.exchange(items, tick_us, outcome)
        if self._takeover.units:
            for order in self._takeover.given_back(self.t_us):
                self._order(order, outcome)
        if self._plugs.timed:
            self._plugs.act(self.t_us, outcome)
        if self._leaps is None or outcome.eventful or self._hindered() or not self._leap(idle(), outcome):
            self._end_tick(outcome)
        return outcome

    def _end_tick(self, outcome: Outcome) -> None:
        """Do what comes after the exchange."""
        tick_us = self.start.tick_us
        if self._ticking or self._asking:
            self.firmware(tick_us, outcome)
        if self._motors is not None:
            self._motors.step()
        self._stages.step(self.targets, self.tick)
        if self._grasps.held:
            self._grasps.carry(self.engine)
        self.sense()
        if self._filtered:
            self._report_broken_filters(outcome)
        if self._plugs.by_path:
            self.speak(tick_us, outcome)

    def _leap(self, most: float, outcome: Outcome) -> bool:
        """Do what comes after the exchange of up to so many ticks, those after the first without one; returns if so."""
        planned = [tick - self.tick for tick in self._agenda if tick > self.tick]
        made = self._leaps.leap(min([most, *planned]), self.t_us - self.start.tick_us) if self._leaps else 0
        if made:
            self.tick += made - 1
            self._hear_units(outcome)
            self.sense()
        return made > 0

    def _hindered(self) -> bool:
        """Return whether there is something that every tick has to look after."""
        return bool(
            self._messages.waiting or self._plugs.by_path or self._motors or self._grasps.held or self._filtered
            or self._takeover.units
        ) or not self._stages.plain  # fmt: skip

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
                self._plugs.take(body, self.faults, outcome)
            elif isinstance(body, Order):
                if not self._takeover.holds(item.source, body, self.t_us):
                    self._order(body, outcome)
            elif isinstance(body, FleetOrder):
                self._drive_all(body.targets)
            elif not isinstance(body, RefusedChange):
                self._change(body, item.source, outcome)
        self._plugs.carry(dt_us, outcome)

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
                    asking.done(self._change(cast(Change, request), f"unit:{path}", outcome))

    def sense(self) -> None:
        """Sample every sensor that is due."""
        self.senses.sense(self.t_us, self._stages.slipped, self._motors)

    def speak(self, dt_us: int, outcome: Outcome) -> None:
        """Collect the bytes that protocols send."""
        self._plugs.speak(self.units, self.t_us, dt_us, self.faults, outcome)

    # ---- orders, bytes and changes

    def _order(self, order: Order, outcome: Outcome) -> None:
        """Hand over the command of a program or a user, and keep the reply for it."""
        if order.unit not in self.units:
            return
        reply, wrong = self._obeyed(order.unit, order.command)
        if wrong:
            outcome.news.append((order.unit, Note(f"{name_of(order.command)} refused: {wrong}", "warning")))
        elif reply is not None:
            outcome.replies.append((order, reply))

    def _give(self, unit: str, command: Any, outcome: Outcome) -> Any:
        """Hand a command to its unit and return the reply; one with NaN or infinity is refused."""
        if wrong := extent.refusal(command):
            outcome.news.append((unit, Note(f"{type(command).__name__} refused: {wrong}", "warning")))
            return None
        return self._hand_over(unit, command) if unit in self.units else None

    def _obeyed(self, path: str, command: Any) -> tuple[Any, str]:
        """Pass a command from outside to a unit; return its reply, and why the command is refused (or nothing)."""
        kept, wrong = self._judged(path, command)
        if wrong:
            return None, wrong
        try:
            return self._hand_over(path, kept), ""
        except Exception as problem:  # values that do not fit each other fail in many ways, and the run continues
            return None, f"{problem!r}"

    def refusal(self, order: Order) -> str:
        """Return why an order from outside is refused before its unit sees it; empty if the unit sees it."""
        return self._judged(order.unit, order.command)[1] if order.unit in self.units else as_kept(order.command)[1]

    def _judged(self, path: str, command: Any) -> tuple[Any, str]:
        """Return a command as its unit gets it, or why it does not."""
        if isinstance(command, ForeignCommand) and command.reason:
            return None, command.reason
        if not isinstance(command, self.commands_of(path)):
            known = ", ".join(sorted(each.__name__ for each in self.commands_of(path)))
            return None, f"the unit does not take {name_of(command)} commands; it takes {known}"
        kept, wrong = as_kept(command)
        return kept, wrong or extent.refusal(kept)

    def commands_of(self, path: str) -> tuple[type, ...]:
        """Return the commands that the unit at *path* takes; Drive is one if its outputs turn wheels."""
        own = self.units[path].commands
        return (*own, Drive) if Drive not in own and self._outputs.turns_wheels(path) else own

    def _hand_over(self, unit: str, command: Any) -> Any:
        """Let a unit take a command; a Drive that it does not know turns the wheels that are bound to its outputs."""
        if isinstance(command, Drive) and Drive not in self.units[unit].commands and self._outputs.turns_wheels(unit):
            self._outputs.turn_wheels(unit, command.motion)
            return None
        return self.units[unit].order(command)

    def _drive_all(self, targets: Array) -> None:
        """Pass each row to the driving unit of its robot; plain controllers are set in one array operation."""
        if len(targets) != len(self._robots):
            return  # the number of robots has changed since the order was given
        wanted = np.isfinite(targets).all(axis=1)
        bare = wanted & self._bare
        self.targets[bare] = targets[bare]
        for row in np.nonzero(wanted & ~self._bare)[0]:
            self._hand_over(self._drivers[row], Drive.at(Motion(*targets[row].tolist())))

    def _change(self, change: Change, source: str, outcome: Outcome, port: AnyPort | None = None) -> Done:
        reason = policy.forbidden(change, port.forbid) if port else ""
        reason = reason or policy.refusal(source, change, self._rules, port)
        done = Done(change, False, reason) if reason else self._try(change, source, outcome)
        outcome.done.append((source, done))
        return done

    def _try(self, change: Change, source: str, outcome: Outcome) -> Done:
        if wrong := misfit(change) or extent.refusal(change):
            return Done(change, False, f"{type(change).__name__} refused: {wrong}")
        self.senses.settle()
        try:
            self._carry_out(change, source, outcome)
        except UnderstudyError as problem:
            return Done(change, False, str(problem))
        except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as problem:  # deep inside a thing
            return Done(change, False, in_one_line(f"{type(change).__name__} refused: {problem!r}"))
        if source.partition(":")[0] == "user":
            self._edit_start(change)
        return Done(change, True)

    def _edit_start(self, change: Change) -> None:
        """Keep a user's edits across a reset: added, removed and replaced things, and moves before the first tick."""
        if isinstance(change, changes.Add | changes.Remove | changes.Replace) or (
            isinstance(change, changes.Move) and self.tick == 0
        ):
            with suppress(ChangeRefused):  # the object was added after the start
                self.start = changes.apply(self.start, change)
            if isinstance(change, changes.Move) and change.name in self._starts:
                self._starts[change.name] = change.pose

    def _carry_out(self, change: Change, source: str, outcome: Outcome) -> None:
        if isinstance(change, _RUN_ONLY) or (isinstance(change, changes.Reset) and not change.name):
            outcome.controls.append(change)
            if isinstance(change, changes.Pause):
                self.paused = change.on
        elif isinstance(change, changes.Move):
            self.engine.move(change.name, change.pose)
            self._around.light_up(self.engine, change.name)
        elif isinstance(change, changes.Reset):
            self.engine.move(change.name, self._start_pose(change.name))
        elif isinstance(change, Fault):
            self._fail(change)
        elif isinstance(change, changes.Switch):
            self._switch(change)
        elif isinstance(change, changes.Bring):
            self._files.bring(change.name, change.data)
        elif isinstance(change, changes.Ended):
            pass  # only recorded, for readers of the tape
        elif isinstance(change, MapTalk):
            self._talk_of_maps(change, source, outcome)
        else:
            self._restructure(self._changed(change))
            outcome.rebuilt = True
            if isinstance(change, changes.LoadMap):
                self._plugs.tell_of_map(change.file, not source.startswith("port:"), True)

    def _changed(self, change: Change) -> Scene:
        """Return the scene after a structural change."""
        if isinstance(change, changes.Grasp):
            return self._grasps.grasp(self.scene(), change)
        if isinstance(change, changes.Release):
            return self._grasps.release(self.scene(), change)
        return changes.apply(numbering.frozen(self.scene()), change)

    def _talk_of_maps(self, change: MapTalk, source: str, outcome: Outcome) -> None:
        if isinstance(change, changes.FreeMap):
            self._map_master = False
        elif isinstance(change, changes.KeepMap):
            self._plugs.tell_of_map(change.file, False, False, source)
        elif self._map_master and not change.master:
            raise ChangeRefused(f"{change.file} is not loaded: another client is the map master")
        else:
            self._map_master = self._map_master or change.master
            outcome.maps.append((source, change.file))

    def _start_pose(self, name: str) -> Pose:
        if name not in self._starts:
            changes.find(self.scene(), name)
            raise ChangeRefused(f"{name} is not a robot: only robots have a start pose")
        return self._starts[name]

    def _fail(self, fault: Fault) -> None:
        sort = self._sort(fault.path)
        faults.check(fault, sort)
        if sort == "drive":
            check_fault(fault, next(robot for robot in self._robots if robot.name == fault.path))
        if fault.active:
            self.faults[fault.path] = fault
        else:
            self.faults.pop(fault.path, None)
        if sort == "drive":
            self._stages.update(self.faults)
        for batch in self.batches:
            if fault.path in batch.paths:
                batch.fail(fault.path, fault.how, fault.active)

    def _switch(self, change: changes.Switch) -> None:
        for batch in self.batches:
            if change.path in batch.paths:
                batch.switch(change.path, change.on)
                return
        raise ChangeRefused(f"unknown device {change.path!r} {nearest(change.path, self.readings)}")

    def _sort(self, path: str) -> faults.Sort:
        """Return the sort of part at *path*; raises ChangeRefused if it is nothing that could fail."""
        if path in self.readings:
            return "device"
        if path in self.plugs:
            return "port"
        names = [robot.name for robot in self._robots]
        if path not in names:
            known = nearest(path, (*self.readings, *self.plugs, *names))
            raise ChangeRefused(f"unknown part {path!r} {known}: a fault needs a robot, a device or a port")
        return "drive"

    # ---- structure

    def _restructure(self, scene: Scene) -> None:
        """Adopt a changed scene; everything that keeps its name keeps its state."""
        scene = dataclasses.replace(scene, seed=self.seed)
        filters = self._filters(scene)
        self._check_firmware(scene)
        around = wiring.surroundings(scene, self._files, self._around)
        rows = {robot.name: row for row, robot in enumerate(self._robots)}
        self.engine.rebuild(scene)
        old = self.targets
        self.targets = np.zeros((len(scene.robots), 3))
        for row, robot in enumerate(scene.robots):
            if robot.name in rows:
                self.targets[row] = old[rows[robot.name]]
        self._around = around
        self._starts.update({robot.name: robot.pose for robot in scene.robots if robot.name not in rows})
        self._grasps.forget_lost(scene)
        self.batches = wiring.batches(scene, self.seed, filters, self.batches, self.t_us)
        self.readings = wiring.readings(self.batches)
        self.senses = Senses(self.engine, self.batches, self._around)
        self._connect(scene)
        parts = {*self.readings, *self.plugs, *(robot.name for robot in scene.robots)}
        self.faults = {path: fault for path, fault in self.faults.items() if path in parts}
        for batch in self.batches:
            for path in self.faults.keys() & set(batch.paths):  # a device with another number of values is a new one
                batch.keep_failing(path, self.faults[path].how)

    def _filters(self, scene: Scene) -> dict[str, Filter]:
        """Return the user filters of a scene's devices; raises ProgramError, and TapeError if not trusted."""
        consent.require(self._trust, "the scene", consent.of_scene(scene))
        made = {spec: Filter(spec, self._files, self._user_code.call) for spec in sorted(set(filters_of(scene)))}
        self._filtered = bool(made)
        return made

    def _check_firmware(self, scene: Scene) -> None:
        """Raise ProgramError if a unit's firmware, or what it imports, is missing or no Python; nothing is executed."""
        for file in sorted(set(firmware_of(scene))):
            if file not in self._files:
                raise ProgramError(f"firmware {file!r}: no such file next to the scene")
            for name, content in imports.beside(file, self._files.__contains__, self._files.__getitem__).items():
                self._user_code.call(name, partial(compile, content, name, "exec"), "firmware")

    def _code(self, robot: str, spec: UnitSpec) -> Code | None:
        """Return the firmware of a unit, if its user gives it one."""
        file = spec.sheet.firmware
        if not file:
            return None
        scope = FirmwareScope(f"{robot}/{spec.name}", file, self._files)
        return Code(file, scope.run, partial(self._user_code.call, what="firmware"))

    def _broken_filters(self) -> Iterator[tuple[str, str]]:
        """Yield path and problem of every device whose filter has failed since the last call."""
        for batch in self.batches if self._filtered else ():
            yield from batch.problems()

    def _connect(self, scene: Scene) -> None:
        """Create the units and plugs of the scene, keeping those that exist."""
        self._robots, self._drivers = scene.robots, []
        self._outputs = Outputs(self.engine, self.targets, scene.tick_us, scene.robots, self.readings, self._outputs)
        self._motors = self._outputs if len(self._outputs) else None
        self._stages = DriveStages(self.engine, scene.robots, self.readings, self.faults, self.seed, self._stages)
        mapped = scene.map is not None or bool(scene.walls or scene.objects)
        units, plugs = self.units, []
        self.units = {}
        for row, robot in enumerate(scene.robots):
            for spec in wiring.unit_specs(robot):
                path = f"{robot.name}/{spec.name}"
                wheels = wiring.DriveRow(self.engine, self.targets, row)
                here = wiring.RobotPlace(self.engine, row, self._around, mapped)
                outputs = self._outputs.of_unit(robot.name, spec)
                code = self._code(robot.name, spec)
                wires = wiring.wiring_of(robot, spec, wheels, self.readings, here, self.seed, outputs, code)
                if path in units:
                    units[path].rewire(wires)
                self.units[path] = units[path] if path in units else wiring.make_unit(spec, wires)
                if spec.moves_robot:
                    self._drivers.append(path)
            specs = {spec.name: spec for spec in wiring.unit_specs(robot)}
            for port in robot.built.ports:
                path = f"{robot.name}/{port.name}"
                if port.unit not in specs:
                    raise EngineError(f"{path}: the port names a unit {port.unit!r} that does not exist")
                plugs.append(self.plugs.get(path) or Plug.of(robot.name, port, specs[port.unit]))
        plugs += [self.plugs.get(port.name) or Plug.of_scene(port) for port in scene.ports]
        self._plugs = Plugs(self._give, self._change, self._desk, plugs)
        rows = {robot.name: row for row, robot in enumerate(scene.robots)}
        listening = [Receiver(p, rows[p.partition("/")[0]], unit.media) for p, unit in self.units.items() if unit.media]
        self._messages.connect(scene, rows, listening)
        self._ticking = [unit for unit in self.units.values() if unit.ticks]
        self._asking = [(path, unit) for path, unit in self.units.items() if isinstance(unit, Asking)]
        self._leaps = leaps_of(self.engine, self.targets, scene.robots, self.units, self.batches, scene.tick_us)
        self._bare = np.array([isinstance(self.units[path], Controller) for path in self._drivers], np.bool_)

    # ---- save and compare

    def hash(self) -> str:
        """Return a digest of engine and firmware state."""
        units = {path: unit.digest() for path, unit in self.units.items()}
        drives = {**self._outputs.state(), **self._stages.state()}
        tree = {"engine": self.engine.state(), "targets": self.targets, "units": units}
        return digest({**tree, "drives": drives} if drives else tree)

    def state(self) -> Tree:
        """Return the complete state that later ticks depend on, as a tree of plain values and arrays."""
        return {
            "tick": self.tick,
            "engine": self.engine.state(),
            "targets": self.targets.copy(),
            "outputs": self._outputs.state(),
            "drive_stages": self._stages.state(),
            "units": {path: unit.state() for path, unit in self.units.items()},
            "plugs": self._plugs.state(),
            "batches": [batch.state() for batch in self.batches],
            "faults": {path: to_plain(fault) for path, fault in self.faults.items()},
            "held": self._grasps.state(),
            "takeover": self._takeover.state(),
            "messages": self._messages.state(),
            "starts": {name: to_plain(pose) for name, pose in self._starts.items()},
            "map_master": self._map_master,
            "paused": self.paused,
            "brought": dict(self._files.brought),
        }

    def restart(self) -> Run:
        """Return a new run from the start; connected clients stay connected."""
        run = Run(
            self.start, self.seed, self._rules, self._threads, self._files,
            trust=self._trust, guard=self._user_code.guard,
        )  # fmt: skip
        for path, unit in self.units.items():
            if path in run.units and (kept := unit.keep()):
                run.units[path].recall(kept)
        run.paused = self.paused
        run._plugs.go_on(self.plugs, Outcome())
        return run

    def resume(self, scene: Scene, state: Tree) -> None:
        """Continue from a saved state, whose scene may differ in structure from the start."""
        for name, data in state["brought"].items():
            self._files.bring(name, data)
        self._restructure(scene)
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
        self._plugs.restore(state["plugs"])
        for fault in tuple(self.faults.values()):
            self._fail(dataclasses.replace(fault, active=False))
        for saved in state["faults"].values():
            self._fail(from_plain(Fault, saved))
        for batch, saved in zip(self.batches, state["batches"]):
            if list(batch.paths) != saved["paths"]:
                raise EngineError("the saved run belongs to a different scene: its devices do not match")
            batch.restore(saved)
            if not batch.is_due_at(self.t_us):
                raise EngineError(f"the saved run is inconsistent: wrong sample time of {batch.paths[0]}")
        self._stages.restore(state["drive_stages"])
        self._grasps.restore(state["held"])
        self._takeover.restore(state["takeover"])
        self._messages.restore(state["messages"])
        self._starts = {name: from_plain(Pose, saved) for name, saved in state["starts"].items()}
        self._map_master, self.paused = state["map_master"], state["paused"]
