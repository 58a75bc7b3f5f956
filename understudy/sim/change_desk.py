"""What changes do in a run: each is judged by the rules of its source, then carried out or refused with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from understudy.errors import ChangeRefused, UnderstudyError, in_one_line, nearest
from understudy.sim import policy
from understudy.sim.commands import misfit
from understudy.sim.grasps import Grasps
from understudy.sim.outcome import Outcome
from understudy.sim.run_start import RunStart
from understudy.world import changes, extent, numbering
from understudy.world.changes import Change, Done
from understudy.world.faults import Fault
from understudy.world.robot import AnyPort
from understudy.world.scene import Scene
from understudy.world.shapes import Pose

if TYPE_CHECKING:
    from understudy.sim.faults import Faults
    from understudy.sim.run import Run

MapTalk = changes.OpenMap | changes.KeepMap | changes.FreeMap
_RUN_ONLY = (changes.Pause, changes.Step, changes.Speed, changes.Quit)


class ChangeDesk:
    """Stands between everything that asks for changes and one run."""

    def __init__(self, run: Run, rules: policy.Rules, start: RunStart, faults: Faults, grasps: Grasps) -> None:
        self._run, self._rules, self._start, self._faults, self._grasps = run, rules, start, faults, grasps
        self.map_master = False  # only masters may ask for maps

    def make(self, change: Change, source: str, outcome: Outcome, port: AnyPort | None = None) -> Done:
        """Make a change that *source*, a client of *port* perhaps, asks for; the outcome contains the result, too."""
        reason = policy.forbidden(change, port.forbid) if port else ""
        reason = reason or policy.refusal(source, change, self._rules, port)
        done = Done(change, False, reason) if reason else self._try(change, source, outcome)
        outcome.done.append((source, done))
        return done

    def _try(self, change: Change, source: str, outcome: Outcome) -> Done:
        if wrong := misfit(change) or extent.refusal(change):
            return Done(change, False, f"{type(change).__name__} refused: {wrong}")
        self._run.senses.settle()
        try:
            self._carry_out(change, source, outcome)
        except UnderstudyError as problem:
            return Done(change, False, str(problem))
        except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as problem:  # deep inside a thing
            return Done(change, False, in_one_line(f"{type(change).__name__} refused: {problem!r}"))
        if source.partition(":")[0] == "user":
            self._start.edit(change, self._run.tick)
        return Done(change, True)

    def _carry_out(self, change: Change, source: str, outcome: Outcome) -> None:
        run = self._run
        if isinstance(change, _RUN_ONLY) or (isinstance(change, changes.Reset) and not change.name):
            outcome.controls.append(change)
            if isinstance(change, changes.Pause):
                run.paused = change.on
        elif isinstance(change, changes.Move):
            run.move(change.name, change.pose)
        elif isinstance(change, changes.Reset):
            run.move(change.name, self._start_pose(change.name))
        elif isinstance(change, Fault):
            self._faults.set(change)
        elif isinstance(change, changes.Switch):
            self._switch(change)
        elif isinstance(change, changes.Bring):
            run.files.bring(change.name, change.data)
        elif isinstance(change, changes.Ended):
            pass  # only recorded, for readers of the tape
        elif isinstance(change, MapTalk):
            self._talk_of_maps(change, source, outcome)
        else:
            run.rebuild(self._changed(change))
            outcome.rebuilt = True
            if isinstance(change, changes.LoadMap):
                run.conversations.tell_of_map(change.file, not source.startswith("port:"), True)

    def _changed(self, change: Change) -> Scene:
        """Return the scene after a structural change."""
        scene = self._run.scene()
        if isinstance(change, changes.Grasp):
            return self._grasps.grasp(scene, change)
        if isinstance(change, changes.Release):
            return self._grasps.release(scene, change)
        return changes.apply(numbering.frozen(scene), change)

    def _start_pose(self, name: str) -> Pose:
        if name not in self._start.poses:
            changes.find(self._run.scene(), name)
            raise ChangeRefused(f"{name} is not a robot: only robots have a start pose")
        return self._start.poses[name]

    def _switch(self, change: changes.Switch) -> None:
        for batch in self._run.batches:
            if change.path in batch.paths:
                batch.switch(change.path, change.on)
                return
        raise ChangeRefused(f"unknown device {change.path!r} {nearest(change.path, self._run.readings)}")

    def _talk_of_maps(self, change: MapTalk, source: str, outcome: Outcome) -> None:
        if isinstance(change, changes.FreeMap):
            self.map_master = False
        elif isinstance(change, changes.KeepMap):
            self._run.conversations.tell_of_map(change.file, False, False, source)
        elif self.map_master and not change.master:
            raise ChangeRefused(f"{change.file} is not loaded: another client is the map master")
        else:
            self.map_master = self.map_master or change.master
            outcome.maps.append((source, change.file))
