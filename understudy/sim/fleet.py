"""Many robots as NumPy rows, so that a program for a thousand of them is a few array operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from understudy.errors import UnknownName, nearest
from understudy.sensors.base import Array
from understudy.sensors.batch import Batch
from understudy.sim.inbox import FleetOrder

if TYPE_CHECKING:
    from understudy.sim.sim import Sim


class Fleet:
    """All robots of a simulation, one row each, in the scene's order. Arrays are views, valid until the next step."""

    def __init__(self, sim: Sim) -> None:
        self._sim = sim

    def __len__(self) -> int:
        return len(self._sim.current.robots)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the robots' names."""
        return tuple(robot.name for robot in self._sim.current.robots)

    @property
    def poses(self) -> Array:
        """Return x, y, z, roll, pitch, yaw of every robot (m, rad)."""
        return _locked(self._sim.current.engine.poses())

    @property
    def stalled(self) -> npt.NDArray[np.bool_]:
        """Say for every robot whether something holds it back."""
        view = self._sim.current.engine.stalled().view()
        view.flags.writeable = False
        return view

    def drive(self, m_s: Any, rad_s: Any = 0.0, lateral_m_s: Any = 0.0) -> None:
        """Ask every robot for a motion from the next tick on; one value for all or one each; NaN leaves one alone."""
        targets = np.empty((len(self), 3))
        targets[:, 0], targets[:, 1], targets[:, 2] = m_s, lateral_m_s, rad_s
        self._sim.inbox.post("api", FleetOrder(targets))

    def read(self, device: str) -> Array:
        """Return the newest readings of the devices of this name, one row per robot that has one."""
        batches = self._batches(device)
        if len(batches) == 1:
            return _locked(batches[0].values)
        rows = [(row, batch.values[i]) for batch in batches for i, row in self._named(batch, device)]
        widths = {len(values) for _, values in rows}
        if len(widths) > 1:
            raise UnknownName(f"the devices called {device!r} differ between robots; read them robot by robot")
        return np.array([values for _, values in sorted(rows, key=lambda pair: pair[0])])

    def rows(self, device: str) -> npt.NDArray[np.int64]:
        """Return which robots the rows of `read` belong to."""
        return np.array(sorted(row for batch in self._batches(device) for _, row in self._named(batch, device)))

    def _named(self, batch: Batch, device: str) -> list[tuple[int, int]]:
        """Return (row in the batch, row of the robot) of the devices of this name."""
        end = f"/{device}"
        return [(i, int(row)) for i, (path, row) in enumerate(zip(batch.paths, batch.rows)) if path.endswith(end)]

    def _batches(self, device: str) -> list[Batch]:
        found = [batch for batch in self._sim.current.batches if self._named(batch, device)]
        if not found:
            names = {path.partition("/")[2] for batch in self._sim.current.batches for path in batch.paths}
            raise UnknownName(f"no robot has a device {device!r} {nearest(device, names)}")
        return found


def _locked(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view
