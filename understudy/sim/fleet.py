"""Many robots as NumPy rows, so that a program for a thousand robots is a few array operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.errors import UnknownName, nearest
from understudy.sensors.base import Array
from understudy.sensors.batch import Batch
from understudy.sim.inbox import FleetOrder

if TYPE_CHECKING:
    from understudy.sim.sim import Sim

MOST_NAMES, MOST_ROWS = 6, 20  # robots in one line, and in a table
Ints = npt.NDArray[np.int64]


class Fleet:
    """All robots of a simulation, one row each, in the scene's order. Arrays are views, valid until the next step."""

    def __init__(self, sim: Sim) -> None:
        self._sim = sim
        self._known: dict[str, list[_Part]] = {}
        self._known_for: list[Batch] | None = None

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
    def velocities(self) -> Array:
        """Return the velocity of every robot in its own frame: ahead, to the left (m/s), turning left (rad/s)."""
        engine = self._sim.current.engine
        cos, sin = arrays.cos(engine.poses()[:, 5]), arrays.sin(engine.poses()[:, 5])
        vx, vy, turn = engine.twists()[:, [0, 1, 5]].T
        return np.column_stack([cos * vx + sin * vy, cos * vy - sin * vx, turn])

    @property
    def stalled(self) -> npt.NDArray[np.bool_]:
        """Return for every robot whether something blocks it."""
        view = self._sim.current.engine.stalled().view()
        view.flags.writeable = False
        return view

    def drive(self, m_s: Any, rad_s: Any = 0.0, lateral_m_s: Any = 0.0) -> None:
        """Drive every robot from the next tick on; one value for all or one each; NaN leaves a robot unchanged."""
        targets = np.empty((len(self), 3))
        targets[:, 0], targets[:, 1], targets[:, 2] = m_s, lateral_m_s, rad_s
        if np.isinf(targets).any():
            robot = self.names[int(np.isinf(targets).any(axis=1).argmax())]
            raise ValueError(f"{robot}: want finite speeds, or NaN to leave a robot unchanged; got infinity")
        self._sim.inbox.post("api", FleetOrder(targets))

    def read(self, device: str) -> Array:
        """Return the newest readings of the devices of this name, one row per robot that has one."""
        found = self._find(device)
        if len(found) == 1 and found[0].whole:
            return _locked(found[0].batch.values)
        if len({part.batch.values.shape[1] for part in found}) > 1:
            raise UnknownName(f"the devices named {device!r} differ between robots; read them robot by robot")
        rows = np.concatenate([part.rows for part in found])
        values = np.concatenate([part.batch.values[part.places] for part in found])
        return values[np.argsort(rows, kind="stable")]

    def rows(self, device: str) -> Ints:
        """Return the robot (its row) of each row of `read`."""
        return np.sort(np.concatenate([part.rows for part in self._find(device)]))

    def _find(self, device: str) -> list[_Part]:
        """Return where the devices of this name are; looked up once per scene structure."""
        batches = self._sim.current.batches
        if self._known_for is not batches:
            self._known, self._known_for = {}, batches
        if device not in self._known:
            self._known[device] = [part for batch in batches if len((part := _part(batch, device)).rows)]
        if not self._known[device]:
            names = {path.partition("/")[2] for batch in batches for path in batch.paths}
            raise UnknownName(f"no robot has a device {device!r} {nearest(device, names)}")
        return self._known[device]

    def __repr__(self) -> str:
        names = self.names
        shown = ", ".join(names[:MOST_NAMES]) + (" ..." if len(names) > MOST_NAMES else "")
        return f"<Fleet of {len(names)} at {self._sim.time_s:g} s: {shown or 'no robots'}>"

    def _repr_html_(self) -> str:
        """Return a map and a table of poses, for notebooks."""
        from understudy.sim import map_svg

        rows = [(n, *(f"{v:.3f}" for v in p[[0, 1, 5]])) for n, p in zip(self.names[:MOST_ROWS], self.poses)]
        table = map_svg.table(("robot", "x_m", "y_m", "heading_rad"), rows, len(self) - len(rows))
        return map_svg.figure(map_svg.draw(self._sim.scene), f"{len(self)} robots at {self._sim.time_s:g} s") + table


class _Part(NamedTuple):
    """Devices of one name within a batch."""

    batch: Batch
    places: Ints  # in the batch
    rows: Ints  # of the robots
    whole: bool  # the batch has no others


def _part(batch: Batch, device: str) -> _Part:
    end = f"/{device}"
    places = np.array([i for i, path in enumerate(batch.paths) if path.endswith(end)], np.int64)
    return _Part(batch, places, batch.rows[places], len(places) == len(batch.paths))


def _locked(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view
