"""A run: the pure function of scene, seed and inbox. No clock, no link, no user code; replay needs nothing else."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

import numpy as np

from understudy import engines
from understudy.errors import ChangeRefused, EngineError, ProgramError, UnderstudyError, nearest
from understudy.formats.files import Contents
from understudy.formats.library import Library
from understudy.links.base import Event
from understudy.protocols import PROTOCOLS
from understudy.protocols.base import MapReader
from understudy.robots.base import Asking, Drive, Unit
from understudy.robots.controller import Controller
from understudy.sensors.base import Array
from understudy.sensors.filters import Filter
from understudy.sensors.senses import Senses
from understudy.sim import consent, policy, wiring
from understudy.sim.cargo import Cargo
from understudy.sim.digest import digest
from understudy.sim.guard import Guard
from understudy.sim.inbox import Bytes, FleetOrder, Item, Order
from understudy.sim.outcome import Outcome, Plug
from understudy.sim.tree_checks import check_bounded, check_like
from understudy.sim.user_code import UserCode
from understudy.world import changes, extent
from understudy.world.changes import Change, Done
from understudy.world.faults import Fault
from understudy.world.file_names import filters as filters_of
from understudy.world.news import NEWS, News, Note
from understudy.world.plain import from_plain, to_plain
from understudy.world.robot import Port, Robot
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
        self.engine = engines.make(scene.engine, scene, threads, self._files)
        self.tick = 0
        self.targets = np.zeros((len(scene.robots), 3))
        self.units: dict[str, Unit] = {}
        self.plugs: dict[str, Plug] = {}
        self.faults: dict[str, Fault] = {}
        self._cargo = Cargo()
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
        """Return the files that the scene names, by content, and what is in them."""
        return self._files

    @property
    def robots(self) -> tuple[Robot, ...]:
        """Return the robots of the present structure, in the order of the engine's rows."""
        return self._robots

    # ---- the tick, phases 1 to 5

    def advance(self, items: Iterable[Item]) -> Outcome:
        """Advance one tick: exchange, firmware, engine, sense, protocols."""
        outcome = Outcome()
        self.tick += 1
        self.exchange(items, outcome)
        self.firmware(self.start.tick_us, outcome)
        self.engine.step(self._obeyed_targets())
        self._cargo.carry(self.engine)
        self.sense()
        for path, problem in self._broken_filters():
            outcome.news.append((path, Note(f"{problem}; it reads nothing from now on", "warning")))
        self.speak(outcome)
        return outcome

    def hold(self, items: Iterable[Item]) -> Outcome:
        """Exchange while the clock is held: clients may connect and users may drag, nothing moves by itself."""
        outcome = Outcome()
        self.exchange(items, outcome)
        self.firmware(0, outcome)
        self.speak(outcome)
        return outcome

    def exchange(self, items: Iterable[Item], outcome: Outcome) -> None:
        """Take the inbox in order: decode bytes, hand orders to units, carry changes out."""
        for item in items:
            body = item.body
            if isinstance(body, Bytes):
                self._take_bytes(body, outcome)
            elif isinstance(body, Order):
                self._order(body, outcome)
            elif isinstance(body, FleetOrder):
                self._drive_all(body.targets)
            else:
                self._change(body, item.source, outcome)

    def firmware(self, dt_us: int, outcome: Outcome) -> None:
        """Let every unit set its actuators, and do what units ask for."""
        now_us = self.t_us
        for unit in self._ticking:
            unit.tick(now_us, dt_us)
        for path, asking in self._asking:
            for wish in asking.asks():
                if isinstance(wish, NEWS):
                    outcome.news.append((path, cast(News, wish)))
                else:
                    asking.done(self._change(cast(Change, wish), f"unit:{path}", outcome))

    def sense(self) -> None:
        """Measure what is due."""
        self.senses.sense(self.t_us)

    def speak(self, outcome: Outcome) -> None:
        """Collect what the protocols have to say."""
        now_us, units = self.t_us, self.units
        for plug in self.plugs.values():
            protocol = plug.protocol
            data = protocol.tick(units[plug.unit], now_us)
            if data and plug.path not in self.faults:
                outcome.sent.append((plug.path, data))
            if protocol.hung_up():
                outcome.hang_ups.append(plug.path)

    # ---- orders, bytes and changes

    def _order(self, order: Order, outcome: Outcome) -> None:
        """Hand a command to its unit; one with a number that is NaN or infinite is refused."""
        if wrong := extent.refusal(order.command):
            outcome.news.append((order.unit, Note(f"{type(order.command).__name__} is refused: {wrong}", "warning")))
        elif order.unit in self.units:
            self.units[order.unit].order(order.command)

    def _drive_all(self, targets: Array) -> None:
        """Hand every robot's driving unit its row; plain controllers need no call each."""
        if len(targets) != len(self._robots):
            return  # it was meant for another number of robots
        wanted = np.isfinite(targets).all(axis=1)
        bare = wanted & self._bare
        self.targets[bare] = targets[bare]
        for row in np.nonzero(wanted & ~self._bare)[0]:
            ahead, left, turn = (float(value) for value in targets[row])
            self.units[self._drivers[row]].order(Drive(ahead, turn, left))

    def _take_bytes(self, body: Bytes, outcome: Outcome) -> None:
        plug = self.plugs.get(body.port)
        if plug is None or (body.port in self.faults and body.event is Event.DATA):
            return
        if body.event is Event.DATA:
            answers = plug.protocol.feed(body.data)
        else:
            plug.connected = body.event is Event.OPENED
            answers = plug.protocol.opened() if plug.connected else plug.protocol.closed()
        self._heed(plug, answers, outcome)

    def _heed(self, plug: Plug, answers: Sequence[Any], outcome: Outcome) -> None:
        """Do what a protocol has made of bytes: orders, changes and news."""
        for answer in answers:
            if isinstance(answer, changes.CHANGES):
                change = cast(Change, answer)
                plug.protocol.done(self._change(change, f"port:{plug.path}", outcome, plug.port.forbid))
            elif isinstance(answer, NEWS):
                outcome.news.append((plug.path, cast(News, answer)))
            else:
                self.units[plug.unit].order(answer)

    def _change(self, change: Change, source: str, outcome: Outcome, forbid: Sequence[str] = ()) -> Done:
        reason = policy.forbidden(change, forbid)
        done = Done(change, False, reason) if reason else self._try(change, source, outcome)
        outcome.done.append((source, done))
        return done

    def _try(self, change: Change, source: str, outcome: Outcome) -> Done:
        if reason := policy.refusal(source, change, self._rules):
            return Done(change, False, reason)
        if wrong := extent.refusal(change):
            return Done(change, False, f"{type(change).__name__} is refused: {wrong}")
        try:
            self._carry_out(change, source, outcome)
        except UnderstudyError as problem:
            return Done(change, False, str(problem))
        if source.partition(":")[0] == "user":
            self._edit_start(change)
        return Done(change, True)

    def _edit_start(self, change: Change) -> None:
        """Let a person's edits outlive a reset: what was built or taken away, and what moved before time began."""
        if isinstance(change, changes.Add | changes.Remove | changes.Replace) or (
            isinstance(change, changes.Move) and self.tick == 0
        ):
            with suppress(ChangeRefused):  # of something that came after the start
                self.start = changes.apply(self.start, change)
            if isinstance(change, changes.Move) and change.name in self._starts:
                self._starts[change.name] = change.pose

    def _carry_out(self, change: Change, source: str, outcome: Outcome) -> None:
        if isinstance(change, _RUN_ONLY) or (isinstance(change, changes.Reset) and not change.name):
            outcome.controls.append(change)
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
            pass  # it is for those who read the tape
        elif isinstance(change, MapTalk):
            self._talk_of_maps(change, source, outcome)
        else:
            self._restructure(self._changed(change))
            outcome.restructured = True
            if isinstance(change, changes.LoadMap):
                self._tell_of_map(change.file, not source.startswith("port:"), True, self.plugs.values())

    def _changed(self, change: Change) -> Scene:
        """Return the scene after a change of its structure."""
        if isinstance(change, changes.Grasp):
            return self._cargo.grasp(self.scene(), change)
        if isinstance(change, changes.Release):
            return self._cargo.release(self.scene(), change)
        return changes.apply(self.scene(), change)

    def _talk_of_maps(self, change: MapTalk, source: str, outcome: Outcome) -> None:
        if isinstance(change, changes.FreeMap):
            self._map_master = False
        elif isinstance(change, changes.KeepMap):
            self._tell_of_map(change.file, False, False, [p for p in self.plugs.values() if source == f"port:{p.path}"])
        elif self._map_master and not change.master:
            raise ChangeRefused(f"{change.file} is not loaded: another client is the master of maps")
        else:
            self._map_master = self._map_master or change.master
            outcome.maps.append((source, change.file))

    def _tell_of_map(self, file: str, by_user: bool, loaded: bool, plugs: Iterable[Plug]) -> None:
        for plug in plugs:
            if isinstance(plug.protocol, MapReader):
                plug.protocol.map_changed(file, by_user, loaded)

    def _start_pose(self, name: str) -> Pose:
        if name not in self._starts:
            changes.find(self.scene(), name)
            raise ChangeRefused(f"{name} is no robot: only robots have a start pose")
        return self._starts[name]

    def _fail(self, fault: Fault) -> None:
        if not self._known(fault.path):
            raise ChangeRefused(f"there is no part {fault.path!r} that could fail")
        if fault.active:
            self.faults[fault.path] = fault
        else:
            self.faults.pop(fault.path, None)
        for batch in self.batches:
            if fault.path in batch.paths:
                batch.fail(fault.path, fault.effect, fault.active)

    def _switch(self, change: changes.Switch) -> None:
        for batch in self.batches:
            if change.path in batch.paths:
                batch.switch(change.path, change.on)
                return
        raise ChangeRefused(f"there is no device {change.path!r} to switch {nearest(change.path, self.readings)}")

    def _known(self, path: str) -> bool:
        return path in self.readings or path in self.plugs or any(path == robot.name for robot in self._robots)

    def _obeyed_targets(self) -> Any:
        """Return the targets as the drives obey them."""
        if not self.faults:
            return self.targets
        obeyed = self.targets.copy()
        for row, robot in enumerate(self._robots):
            fault = self.faults.get(robot.name)
            if fault is not None:
                obeyed[row] = 0.0 if fault.effect == "dead" else self._stuck_target(row)
        return obeyed

    def _stuck_target(self, row: int) -> Any:
        """Return the motion that the robot has now: a stuck drive goes on as it is."""
        return wiring.Wheels(self.engine, self.targets, row).twist()

    # ---- structure

    def _restructure(self, scene: Scene) -> None:
        """Take a changed scene; what has kept its name goes on as it was."""
        scene = dataclasses.replace(scene, seed=self.seed)
        filters = self._filters(scene)
        around = wiring.surroundings(scene, self._files, self._around)
        rows = {robot.name: row for row, robot in enumerate(self._robots)}
        self.engine.become(scene)
        old = self.targets
        self.targets = np.zeros((len(scene.robots), 3))
        for row, robot in enumerate(scene.robots):
            if robot.name in rows:
                self.targets[row] = old[rows[robot.name]]
        self._around = around
        self._starts.update({robot.name: robot.pose for robot in scene.robots if robot.name not in rows})
        self._cargo.forget_lost(scene)
        self.batches = wiring.batches(scene, self.seed, filters, self.batches, self.t_us)
        self.readings = wiring.readings(self.batches)
        self.senses = Senses(self.engine, self.batches, self._around)
        self._connect(scene)

    def _filters(self, scene: Scene) -> dict[str, Filter]:
        """Return the users' own stages of a scene's devices; raises ProgramError, and TapeError if not trusted."""
        consent.require(self._trust, "the scene", consent.of_scene(scene))
        made = {spec: Filter(spec, self._files, self._user_code.call) for spec in sorted(set(filters_of(scene)))}
        self._filtered = bool(made)
        return made

    def _broken_filters(self) -> Iterator[tuple[str, str]]:
        """Yield path and problem of every device whose filter has failed since last asked."""
        for batch in self.batches if self._filtered else ():
            yield from batch.problems()

    def _connect(self, scene: Scene) -> None:
        """Make the units and plugs of the scene, keeping those that exist."""
        self._robots, self._drivers = scene.robots, []
        mapped = scene.map is not None or bool(scene.walls or scene.objects)
        units, plugs = self.units, self.plugs
        self.units, self.plugs = {}, {}
        for row, robot in enumerate(scene.robots):
            for spec in wiring.unit_specs(robot):
                path = f"{robot.name}/{spec.name}"
                wheels = wiring.Wheels(self.engine, self.targets, row)
                here = wiring.Here(self.engine, row, self._around, mapped)
                wires = wiring.wiring_of(robot, spec, wheels, self.readings, here, self.seed)
                if path in units:
                    units[path].rewire(wires)
                self.units[path] = units[path] if path in units else wiring.make_unit(spec, wires)
                if self.units[path].drives:
                    self._drivers.append(path)
            for port in robot.built.ports:
                path = f"{robot.name}/{port.name}"
                if f"{robot.name}/{port.unit}" not in self.units:
                    raise EngineError(f"{path}: there is no unit {port.unit!r} that could speak")
                self.plugs[path] = plugs.get(path) or self._plug(path, port, robot)
        self._ticking = [unit for unit in self.units.values() if unit.ticks]
        self._asking = [(path, unit) for path, unit in self.units.items() if isinstance(unit, Asking)]
        self._bare = np.array([isinstance(self.units[path], Controller) for path in self._drivers], np.bool_)

    def _plug(self, path: str, port: Port, robot: Robot) -> Plug:
        protocol = PROTOCOLS[port.sheet.kind](port.sheet, robot.name)
        return Plug(path, port, protocol, f"{robot.name}/{port.unit}")

    # ---- save and compare

    def hash(self) -> str:
        """Return a digest of engine and firmware state."""
        units = {path: unit.state() for path, unit in self.units.items()}
        return digest({"engine": self.engine.state(), "targets": self.targets, "units": units})

    def state(self) -> Tree:
        """Return everything that influences the future, as a tree of plain values and arrays."""
        return {
            "tick": self.tick,
            "engine": self.engine.state(),
            "targets": self.targets.copy(),
            "units": {path: unit.state() for path, unit in self.units.items()},
            "plugs": {p: {"connected": g.connected, "protocol": g.protocol.state()} for p, g in self.plugs.items()},
            "batches": [batch.state() for batch in self.batches],
            "faults": {p: {"effect": f.effect} for p, f in self.faults.items()},
            "held": self._cargo.state(),
            "starts": {name: to_plain(pose) for name, pose in self._starts.items()},
            "map_master": self._map_master,
            "brought": dict(self._files.brought),
        }

    def anew(self) -> Run:
        """Return a new run from the start; who is connected stays connected."""
        run = Run(
            self.start, self.seed, self._rules, self._threads, self._files,
            trust=self._trust, guard=self._user_code.guard,
        )  # fmt: skip
        for path, plug in run.plugs.items():
            before = self.plugs.get(path)
            if before is not None and before.connected:
                plug.connected = True
                plug.protocol.restore(before.protocol.state())
                for command in plug.protocol.greet():
                    run.units[plug.unit].order(command)
        return run

    def resume(self, scene: Scene, state: Tree) -> None:
        """Go on from a saved state, whose world may have another structure than the start."""
        for name, data in state["brought"].items():
            self._files.bring(name, data)
        self._restructure(scene)
        check_like(state, {**self.state(), "starts": {}}, "run")  # records leave out defaults; reading them checks them
        check_bounded(state["engine"], "run.engine")
        self.restore(state)

    def restore(self, state: Tree) -> None:
        """Go on from a saved state; the scene must be the one that was saved with it."""
        self.tick = state["tick"]
        self.engine.restore(state["engine"])
        self.targets[:] = state["targets"]
        for path, saved in state["units"].items():
            self.units[path].restore(saved)
        for path, saved in state["plugs"].items():
            self.plugs[path].connected = saved["connected"]
            self.plugs[path].protocol.restore(saved["protocol"])
        for batch, saved in zip(self.batches, state["batches"]):
            if list(batch.paths) != saved["paths"]:
                raise EngineError("the saved run belongs to another scene")
            batch.restore(saved)
            if not batch.is_due_at(self.t_us):
                raise EngineError(f"the saved run has the samples of {batch.paths[0]} at another time than its own")
        self.faults = {path: Fault(path, saved["effect"]) for path, saved in state["faults"].items()}
        self._cargo.restore(state["held"])
        self._starts = {name: from_plain(Pose, saved) for name, saved in state["starts"].items()}
        self._map_master = state["map_master"]
