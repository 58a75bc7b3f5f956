"""Records chosen values of a run as a table: the simulated time, then columns with their units in their names.

A channel is what is recorded of one thing: a sensor (``scout/front``), the true motion of a robot (``scout/pose``,
``scout/velocity``), or anything else that a caller can read of a moment.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from understudy.errors import UnderstudyError, UnknownName, nearest
from understudy.frozen import frozen
from understudy.sensors.base import Array
from understudy.sim.listeners import Snapshot
from understudy.sim.record_files import TIME, RowStore, extra, store_for
from understudy.sim.view import View
from understudy.units import microseconds
from understudy.world.motion import Motion, in_own_frame

if TYPE_CHECKING:
    from understudy.sim.sim import Sim

POSE_COLUMNS = ("x_m", "y_m", "z_m", "roll_rad", "pitch_rad", "heading_rad")  # the order of an engine's row
MOTION_COLUMNS = Motion._fields


class Moment:
    """One moment of a run; what several channels need of it is fetched once."""

    def __init__(self, view: View) -> None:
        self.view = view

    @cached_property
    def poses(self) -> Array:
        """Return x, y, z, roll, pitch, yaw of every robot (m, rad)."""
        return self.view.poses()

    @cached_property
    def twists(self) -> Array:
        """Return the velocity of every robot in the world's frame (m/s, rad/s)."""
        return self.view.twists()

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Return the row of every robot."""
        return {robot.name: row for row, robot in enumerate(self.view.robots)}


Values = Sequence[float] | Array


@frozen
class Channel:
    """What is recorded of one thing: its name, its columns, and how to read them; raises UnknownName if it is gone."""

    name: str
    columns: tuple[str, ...]
    read: Callable[[Moment], Values]


def motion_row(pose: Array, twist: Array) -> Motion:
    """Return the motion of a robot in its own frame, of its rows of poses and twists."""
    return in_own_frame(float(pose[5]), float(twist[0]), float(twist[1]), float(twist[5]))


def _pose(robot: str) -> Channel:
    def read(moment: Moment) -> Values:
        pose: Array = moment.poses[_row(moment, robot)]
        return pose

    return Channel(f"{robot}/pose", POSE_COLUMNS, read)


def _velocity(robot: str) -> Channel:
    def read(moment: Moment) -> Values:
        row = _row(moment, robot)
        return motion_row(moment.poses[row], moment.twists[row])

    return Channel(f"{robot}/velocity", MOTION_COLUMNS, read)


def _stalled(robot: str) -> Channel:
    return Channel(f"{robot}/stalled", ("yes",), lambda moment: (float(moment.view.stalled(robot)),))


def _device(view: View, path: str) -> Channel:
    return Channel(path, tuple(view.columns(path)), lambda moment: moment.view.reading(path))


def _row(moment: Moment, robot: str) -> int:
    if robot not in moment.rows:
        raise UnknownName(f"no robot is named {robot!r}")
    return moment.rows[robot]


_MOTIONS = {"pose": _pose, "velocity": _velocity, "stalled": _stalled}


def channels(view: View, names: Sequence[str]) -> list[Channel]:
    """Return the channels of these names, which may have ``*`` in them; raises UnknownName.

    ``*`` leaves cameras out: they have a column for each pixel. A device named ``pose`` comes before the robot's pose.
    """
    robots = [robot.name for robot in view.robots]
    devices = view.devices()
    known = dict.fromkeys([*(f"{robot}/{motion}" for robot in robots for motion in _MOTIONS), *devices])
    plain = [path for path in known if path not in devices or view.sheet(path).kind != "camera"]
    wanted: dict[str, None] = {}
    for name in names:
        found = [path for path in plain if fnmatchcase(path, name)] if "*" in name else [name] if name in known else []
        if not found:
            raise UnknownName(f"nothing to record is named {name!r} {nearest(name, known)}")
        wanted |= dict.fromkeys(found)
    return [_device(view, path) if path in devices else _motion(path) for path in wanted]


def channel(view: View, path: str) -> Channel:
    """Return the channel of one name, without a look at those of all other robots; raises UnknownName."""
    if view.has_device(path):
        return _device(view, path)
    robot, _, motion = path.partition("/")
    if motion in _MOTIONS and any(each.name == robot for each in view.robots):
        return _motion(path)
    return channels(view, [path])[0]


def _motion(path: str) -> Channel:
    robot, _, motion = path.partition("/")
    return _MOTIONS[motion](robot)


class Recording:
    """A listener that records channels, every tick or every so often, to memory or a file.

    The first row is the moment at which it begins. A reset of the simulation empties it and begins again.
    """

    def __init__(
        self,
        choose: Callable[[View], Sequence[Channel]],
        store: RowStore,
        every_s: float | None = None,
    ) -> None:
        self._every_us = _period_us(every_s)
        self._choose, self._store = choose, store
        self._channels: Sequence[Channel] = ()
        self._places: dict[str, slice] = {}
        self._due_us = 0
        self._sim: Sim | None = None
        self.columns: tuple[str, ...] = (TIME,)
        self.rows = 0

    # ---- while it runs

    def begin(self, sim: Sim) -> None:
        """Begin with the present moment."""
        view = sim.view()
        self._sim = sim
        self._channels = tuple(self._choose(view))
        self.columns = (TIME, *(f"{each.name}.{column}" for each in self._channels for column in each.columns))
        self._places = dict(_places(self._channels))
        self._store.begin(self.columns)
        self.rows = 0
        self._note(view)

    def tick(self, snapshot: Snapshot) -> None:
        """Record a row if one is due."""
        if snapshot.sub == 0 and snapshot.t_us >= self._due_us:
            self._note(snapshot)

    def end(self, reason: str) -> None:
        """Finish the file."""
        self._store.close()
        self._sim = None

    def _note(self, view: View) -> None:
        moment = Moment(view)
        row = np.full(len(self.columns), np.nan)
        row[0] = view.t_us / 1e6
        for channel in self._channels:
            try:
                values = channel.read(moment)
            except UnknownName:  # the robot was removed
                continue
            place = self._places[channel.name]
            count = min(len(values), place.stop - place.start)  # a client may have set a scanner to fewer readings
            row[place.start : place.start + count] = values[:count]
        self._store.put(row)
        self.rows += 1
        self._due_us = (view.t_us // self._every_us + 1) * self._every_us

    def close(self) -> None:
        """Stop recording and finish the file; what was recorded can still be read."""
        sim = self._sim
        if sim is not None:
            sim.detach(self)

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()

    # ---- afterwards

    def to_arrays(self) -> dict[str, Array]:
        """Return every column by name; the first is ``time_s``."""
        return dict(zip(self.columns, self._store.table().T))

    def to_dataframe(self) -> Any:
        """Return a pandas DataFrame whose index is the simulated time; needs ``understudy[data]``."""
        pandas = extra("pandas", "a DataFrame", "data")
        return pandas.DataFrame(self._store.table(), columns=list(self.columns)).set_index(TIME)

    def __getitem__(self, name: str) -> Array:
        """Return one column (``scout/pose.x_m``) or all columns of a channel (``scout/pose``), (rows, columns)."""
        table = self._store.table()
        if name in self.columns:
            return table[:, self.columns.index(name)]
        if name in self._places:
            return table[:, self._places[name]]
        raise UnknownName(f"{name!r} was not recorded {nearest(name, [*self._places, *self.columns])}")

    def __len__(self) -> int:
        return self.rows

    def __repr__(self) -> str:
        what = ", ".join(f"{each.name} ({len(each.columns)})" for each in self._channels[:8])
        more = f" and {len(self._channels) - 8} more" if len(self._channels) > 8 else ""
        return f"<Recording: {self.rows} rows of {what or 'nothing'}{more}>"


def _places(of: Sequence[Channel]) -> Iterator[tuple[str, slice]]:
    """Yield where the columns of each channel are."""
    first = 1
    for channel in of:
        yield channel.name, slice(first, first + len(channel.columns))
        first += len(channel.columns)


def _period_us(every_s: float | None) -> int:
    """Return the time between two rows (us); every tick if it is None. Raises UnderstudyError."""
    if every_s is None:
        return 1
    if not 0.0 < every_s < float("inf") or microseconds(every_s) == 0:
        raise UnderstudyError(f"a recording needs a time between two rows above 0, got {every_s!r}")
    return microseconds(every_s)


def started(
    view: View, what: str | Sequence[str], target: str | os.PathLike[str] | None, every_s: float | None
) -> Recording:
    """Return a recording of the channels that *what* names, to a file or to memory; raises UnknownName."""
    names = (what,) if isinstance(what, str) else tuple(what)
    channels(view, names)  # raises before a file is touched
    store = store_for(None if target is None else Path(target))
    return Recording(lambda view: channels(view, names), store, every_s)


def trails(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Return the path of every robot whose pose was recorded, (rows, 2) (m)."""
    end = "/pose.x_m"
    robots = [name.removesuffix(end) for name in arrays if name.endswith(end)]
    paths = {r: np.column_stack([arrays[f"{r}/pose.x_m"], arrays[f"{r}/pose.y_m"]]) for r in robots}
    return {robot: path[np.isfinite(path).all(axis=1)] for robot, path in paths.items()}
