"""Values that a user has pinned, recorded while the simulation runs: what the plots show and a CSV file holds.

The simulation's thread records; the web server's thread reads. A reset begins anew, because time does.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
import threading
from collections import deque
from collections.abc import Iterable

from understudy.errors import UnknownName
from understudy.frozen import frozen
from understudy.sim.listeners import Snapshot
from understudy.sim.recording import Channel, Moment
from understudy.sim.sim import Sim
from understudy.studio.quantities import Quantity
from understudy.studio.readings import channel, quantities

EVERY_US = 20_000  # simulated time between two points of a curve
MOST_POINTS = 15_000  # of a curve: five minutes
MOST_PINS = 12


@frozen
class Pin:
    """One value: the path of its section, and its place there."""

    path: str
    index: int


@frozen
class Point:
    """The values of all pins at one moment, in the order of the pins; nan where there is none."""

    number: int
    t_s: float
    values: tuple[float, ...]


class Scope:
    """Records the values of pins."""

    def __init__(self) -> None:
        self.pins: tuple[Pin, ...] = ()
        self._names: dict[Pin, Quantity] = {}
        self._channels: dict[str, Channel] = {}
        self._points: deque[Point] = deque(maxlen=MOST_POINTS)
        self._numbers = itertools.count(1)
        self._due_us = 0
        self._lock = threading.Lock()
        self.begun = 0  # how often the curves have begun anew

    # ---- in the simulation's thread

    def toggle(self, sim: Sim, pin: Pin) -> None:
        """Pin a value, or take its pin away; raises UnknownName if there is no such value."""
        if pin in self.pins:
            self._choose(sim, tuple(other for other in self.pins if other != pin))
            return
        known = quantities(sim.view(), pin.path)
        if not 0 <= pin.index < len(known):
            raise UnknownName(f"{pin.path} has no value {pin.index}")
        if len(self.pins) >= MOST_PINS:
            raise UnknownName(f"{MOST_PINS} values are plotted already: take a pin away first")
        self._names[pin] = known[pin.index]
        self._choose(sim, (*self.pins, pin))

    def _choose(self, sim: Sim, pins: tuple[Pin, ...]) -> None:
        """Record these pins from now on; the points so far keep the values of pins that stay."""
        places = [self.pins.index(pin) if pin in self.pins else -1 for pin in pins]
        with self._lock:
            kept = [
                Point(next(self._numbers), point.t_s, tuple(point.values[i] if i >= 0 else math.nan for i in places))
                for point in self._points
            ]
            self._points = deque(kept if pins else (), MOST_POINTS)
            self.pins = pins
            self.begun += 1
        self._channels = {pin.path: channel(sim.view(), pin.path) for pin in pins if self._is_there(sim, pin)}

    @staticmethod
    def _is_there(sim: Sim, pin: Pin) -> bool:
        try:
            channel(sim.view(), pin.path)
        except UnknownName:
            return False
        return True

    def begin(self, sim: Sim) -> None:
        """Begin anew."""
        with self._lock:
            self._points.clear()
            self.begun += 1
        self._due_us = 0
        self._channels = {pin.path: channel(sim.view(), pin.path) for pin in self.pins if self._is_there(sim, pin)}

    def tick(self, snapshot: Snapshot) -> None:
        """Record a point if one is due."""
        if self.pins and snapshot.sub == 0 and snapshot.t_us >= self._due_us:
            moment = Moment(snapshot)
            values = tuple(self._value(moment, pin) for pin in self.pins)
            self._points.append(Point(next(self._numbers), snapshot.t_us / 1e6, values))
            self._due_us = (snapshot.t_us // EVERY_US + 1) * EVERY_US

    def _value(self, moment: Moment, pin: Pin) -> float:
        try:
            row = self._channels[pin.path].read(moment)
            return float(row[pin.index]) * self._names[pin].factor
        except (KeyError, UnknownName, IndexError):  # the robot was removed, or a scanner set to fewer readings
            return math.nan

    def end(self, reason: str) -> None:
        """Do nothing: the points stay."""

    # ---- in the web server's thread

    def after(self, number: int) -> list[Point]:
        """Return the points with a number above *number*."""
        with self._lock:
            return [point for point in tuple(self._points) if point.number > number]

    def titles(self) -> list[tuple[str, str]]:
        """Return title and unit of each pin."""
        return [(f"{pin.path} {self._names[pin].name}", self._names[pin].unit) for pin in self.pins]

    def csv(self) -> str:
        """Return all points as a table."""
        made = io.StringIO()
        rows = csv.writer(made, lineterminator="\n")
        rows.writerow(["time_s", *(f"{title} ({unit})" if unit else title for title, unit in self.titles())])
        rows.writerows([f"{point.t_s:.6g}", *_cells(point.values)] for point in self.after(0))
        return made.getvalue()


def _cells(values: Iterable[float]) -> list[str]:
    return ["" if math.isnan(value) else repr(value) for value in values]
