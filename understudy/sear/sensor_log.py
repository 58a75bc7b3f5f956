"""The logger: chosen sensors of a run to a CSV file, one row per time, the first column is the simulated time."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from understudy.errors import UnderstudyError, UnknownName, nearest
from understudy.formats import targets
from understudy.formats.sear import axes
from understudy.sear.readings import SensorPlace
from understudy.sim.listeners import Snapshot
from understudy.sim.sim import Sim
from understudy.units import microseconds

_BODY_AXES = ("accelerometer", "gyroscope")


def _is_log(head: bytes) -> bool:
    return head.startswith(b"time_s")


class SensorLog:
    """Writes sensors to a CSV file while a simulation runs; attach it with ``sim.attach``.

    A row is written every *every_s* of simulated time, with the newest reading of each sensor at that time.
    """

    def __init__(
        self, path: str | Path, places: Mapping[str, SensorPlace], names: Sequence[str] = (), every_s: float = 0.1
    ) -> None:
        self._path, self._places = Path(path), places
        self._names = tuple(names) or tuple(name for name, place in places.items() if place.kind != "camera")
        for name in self._names:
            if name not in places:
                raise UnknownName(f"no sensor is named {name!r} {nearest(name, places)}")
        self._every_us = microseconds(every_s)
        if self._every_us <= 0:
            raise UnderstudyError(f"a log needs a time between two rows above 0, got {every_s!r}")
        targets.check(self._path, "a log of sensors", _is_log)
        self._due_us = 0
        self._file: IO[str] | None = None
        self._sim: Sim | None = None
        self.rows = 0

    def begin(self, sim: Sim) -> None:
        """Open the file and write its first line; a reset of the simulation begins it again."""
        self.end("restarted")
        self._sim, self._due_us, self.rows = sim, 0, 0
        self._file = self._path.open("w", newline="", encoding="utf-8")
        self._writer = csv.writer(self._file, lineterminator="\n")
        columns = {name: self._columns(sim, name) for name in self._names}
        self._widths = {name: len(found) for name, found in columns.items()}
        self._writer.writerow(["time_s", *(column for found in columns.values() for column in found)])

    def tick(self, snapshot: Snapshot) -> None:
        """Write a row if one is due."""
        if self._sim is None or snapshot.sub or self._sim.t_us < self._due_us:
            return
        self._due_us = (self._sim.t_us // self._every_us + 1) * self._every_us
        values = (value for name in self._names for value in self._values(self._sim, name))
        self._writer.writerow([f"{self._sim.time_s:.6f}", *values])
        self.rows += 1

    def end(self, reason: str) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _columns(self, sim: Sim, name: str) -> list[str]:
        place = self._places[name]
        if place.kind in _BODY_AXES:
            unit = "m_s2" if place.kind == "accelerometer" else "rad_s"
            return [f"{name}.{axis}_{unit}" for axis in "xyz"]
        return [f"{name}.{column}" for column in sim.robot(place.robot).sheet(place.device).columns()]

    def _values(self, sim: Sim, name: str) -> list[str]:
        """Return a sensor's values as text; a scanner that a client has set to fewer readings leaves columns empty."""
        place, width = self._places[name], self._widths[name]
        reading = sim.robot(place.robot).read(place.device)
        values = axes.sears(*reading) if place.kind in _BODY_AXES else reading[:width]
        shown = [f"{value:.9g}" for value in values]
        return shown + [""] * (width - len(shown))
