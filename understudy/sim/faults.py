"""What is broken in a run: the devices, ports and drives that fail, until the fault ends."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from understudy.errors import ChangeRefused, nearest
from understudy.sim.drive_stages import check_fault
from understudy.world import faults
from understudy.world.faults import Fault
from understudy.world.records import from_plain, to_plain

if TYPE_CHECKING:
    from understudy.sim.run import Run


class Faults:
    """The active faults of one run; devices and drives obey them, links ask for them."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.by_path: dict[str, Fault] = {}

    def set(self, fault: Fault) -> None:
        """Begin or end a fault; raises ChangeRefused if there is no such part, or it cannot fail like this."""
        run, sort = self._run, self._sort(fault.path)
        faults.check(fault, sort)
        if sort == "drive":
            check_fault(fault, next(robot for robot in run.robots if robot.name == fault.path))
        if fault.active:
            self.by_path[fault.path] = fault
        else:
            self.by_path.pop(fault.path, None)
        if sort == "drive":
            run.stages.update(self.by_path)
        for batch in run.batches:
            if fault.path in batch.paths:
                batch.fail(fault.path, fault.how, fault.active)

    def _sort(self, path: str) -> faults.Sort:
        """Return the sort of part at *path*; raises ChangeRefused if it is nothing that could fail."""
        run = self._run
        if path in run.readings:
            return "device"
        if path in run.plugs:
            return "port"
        names = [robot.name for robot in run.robots]
        if path not in names:
            known = nearest(path, (*run.readings, *run.plugs, *names))
            raise ChangeRefused(f"unknown part {path!r} {known}: a fault needs a robot, a device or a port")
        return "drive"

    def follow(self) -> None:
        """Drop the faults of parts that are gone after the structure has changed; the others stay."""
        run = self._run
        parts = {*run.readings, *run.plugs, *(robot.name for robot in run.robots)}
        self.by_path = {path: fault for path, fault in self.by_path.items() if path in parts}
        for batch in run.batches:
            for path in self.by_path.keys() & set(batch.paths):  # a device with another number of values is a new one
                batch.keep_failing(path, self.by_path[path].how)

    def state(self) -> dict[str, Any]:
        """Return the faults as plain values, by path."""
        return {path: to_plain(fault) for path, fault in self.by_path.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a saved state."""
        for fault in tuple(self.by_path.values()):
            self.set(dataclasses.replace(fault, active=False))
        for saved in state.values():
            self.set(from_plain(Fault, saved))
