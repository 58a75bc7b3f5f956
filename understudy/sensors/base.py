"""The sensor contract.

A sensor kind is a frozen data sheet. Ray sensors say once which rays they cast and then how hits become a reading;
other sensors compute theirs from the truth. Noise, latency and rate are stages that any sensor can have.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from understudy.engines.base import Seen
from understudy.engines.rays.table import RayTable
from understudy.sensors.imperfection import Noise
from understudy.sensors.surroundings import Surroundings
from understudy.world.geo import Frame
from understudy.world.plain import rule
from understudy.world.shapes import Mount

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint32]
Memory = dict[str, npt.NDArray[Any]]  # by name, one row per device


class Switched(Protocol):
    """Devices of equal data sheets on robots that may be on or off: a batch is such."""

    @property
    def sheet(self) -> Any:
        """Return the data sheet."""
        ...

    @property
    def mount(self) -> Mount:
        """Return where they sit."""
        ...

    @property
    def joint(self) -> str:
        """Return the joint that carries them; empty: their robots do."""
        ...

    @property
    def rows(self) -> Rows:
        """Return the robots that carry them."""
        ...

    @property
    def lit(self) -> npt.NDArray[np.bool_]:
        """Say which are switched on and have not failed."""
        ...


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true at one tick, one row per robot; asked of the engine only when a sensor wants it."""

    t_us: int
    engine: Seen
    around: Surroundings
    lamps: Sequence[Switched] = ()
    loads: Sequence[Switched] = ()  # devices that take power
    joint: str = ""  # in whose frame it is told; empty: in that of the robots

    def on(self, joint: str) -> Truth:
        """Return what is true where the joints of a name are; without a name that of the robots themselves."""
        from understudy.sensors.carried import seen_from

        return self if joint == self.joint else replace(self, engine=seen_from(self.engine, joint), joint=joint)

    @property
    def frame(self) -> Frame:
        """Return the way from metres to latitude and longitude."""
        return self.around.frame

    @property
    def poses(self) -> Array:
        """Return x, y, z, roll, pitch, yaw (m, rad)."""
        return self.engine.poses()

    @property
    def twists(self) -> Array:
        """Return vx, vy, vz, wx, wy, wz in the world's frame (m/s, rad/s)."""
        return self.engine.twists()

    @property
    def travel(self) -> Array:
        """Return the path of the left wheels, the right wheels, sideways (m)."""
        return self.engine.travel()

    @property
    def stalled(self) -> npt.NDArray[np.bool_]:
        """Say who is held back."""
        return self.engine.stalled()

    @property
    def loads_w(self) -> Array:
        """Return what the devices that are on take from each robot's battery (W)."""
        taken = np.zeros(len(self.around.tracks_m))
        for devices in self.loads:
            np.add.at(taken, devices.rows[devices.lit], devices.sheet.power_w)
        return taken


class Sheet(Protocol):
    """What every data sheet has; `Sampled` gives most of it. Its class also has a ``card``, of the class Card."""

    kind: ClassVar[str]

    @property
    def period_us(self) -> int:
        """Return the time between two samples (us)."""
        ...

    @property
    def phase_us(self) -> int:
        """Return when the first sample is due (us)."""
        ...

    @property
    def latency_us(self) -> int:
        """Return how long a sample takes to be reported (us)."""
        ...

    @property
    def noise(self) -> Noise:
        """Return the imperfection."""
        ...

    def columns(self) -> tuple[str, ...]:
        """Return the name of each value of a reading, with its unit."""
        ...

    def scales(self) -> Array:
        """Return how much of the noise each value gets."""
        ...

    def floor(self) -> float:
        """Return the least value that a reading can have."""
        ...

    def nothing(self) -> float:
        """Return the value that stands for "no reading"; noise never touches it."""
        ...

    def finish(self, truth: Truth, out: Array) -> None:
        """Turn the reading, noise included, into what the device reports."""
        ...

    def blank(self) -> Array:
        """Return what is read of a device that is dead or off."""
        ...


@runtime_checkable
class RaySheet(Sheet, Protocol):
    """A sensor that casts rays: as many for each value of its reading, and the nearest hit counts.

    One that makes more of its rays has a method ``reduce(hits, out)``, from distances (rows, rays) to readings.
    One that wants to know what its rays meet is *closer*: it has ``look(glance, out)`` in place of the nearest hit, and
    ``settle(out)`` after the noise. One whose reading tells distances has a method ``ranges(reading)`` that returns
    them (m), nan where it does not.
    """

    def table(self, mount: Mount) -> RayTable:
        """Return the rays of one device in the robot's frame, those of the first value first."""
        ...


@dataclass(frozen=True, slots=True)
class Glance:
    """What a sensor is handed that looks closer at what its rays meet: who looks, along which rays, and its draws."""

    truth: Truth
    table: RayTable
    mount: Mount
    rows: Rows
    keys: Keys
    sample: int


@runtime_checkable
class StateSheet(Sheet, Protocol):
    """A sensor that computes its reading from the truth."""

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write the perfect reading of the robots *rows* into *out*."""
        ...


@runtime_checkable
class RememberingSheet(Sheet, Protocol):
    """A sensor whose reading follows from the truth and from what it remembers of earlier samples."""

    def memory(self, keys: Keys) -> Memory:
        """Return what new devices remember, one row each; whoever draws random numbers keeps their *keys* in it."""
        ...

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write the perfect reading of the robots *rows* into *out*, and what is to be remembered into *memory*."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """The part that all data sheets share: when samples are taken. Each adds *noise*, in the unit of its readings."""

    period_us: int = rule(100_000, least=0, doc="time between two samples; 0: at every tick")
    phase_us: int = rule(0, least=0, doc="when the first sample is due")
    latency_us: int = rule(0, least=0, doc="how long a sample takes to be reported")
    filter: str = rule("", doc="file.py:name: a function of yours (reading, time, draws) -> reading, as the last stage")
    power_w: float = rule(0.0, least=0.0, doc="what the device takes from the robot's battery")
    whole: ClassVar[bool] = False  # true: the values of a reading are lost, or outliers, together

    def columns(self) -> tuple[str, ...]:
        """Return the name of each value of a reading, with its unit."""
        raise NotImplementedError

    def scales(self) -> Array:
        """Return how much of the noise each value gets: all of it."""
        return np.ones(len(self.columns()))

    def floor(self) -> float:
        """Return the least value that a reading can have: any."""
        return -math.inf

    def nothing(self) -> float:
        """Return the value that means "no reading"."""
        return math.nan

    def finish(self, truth: Truth, out: Array) -> None:
        """Report as measured."""

    def blank(self) -> Array:
        """Return what is read of a device that is dead or off: nothing."""
        return np.full(len(self.columns()), self.nothing())


class Device(Protocol):
    """What a unit or a program holds of a sensor: a name, and the newest reading."""

    @property
    def name(self) -> str:
        """Return the device's path, such as ``scout/front``."""
        ...

    @property
    def sheet(self) -> Any:
        """Return the data sheet."""
        ...

    def read(self) -> Array:
        """Return a copy of the newest reading."""
        ...

    def switch(self, on: bool) -> None:
        """Turn the device on or off, from the next sample on."""
        ...

    @property
    def stamp_us(self) -> int:
        """Return the simulated time at which the newest reading was due; -1 before the first."""
        ...

    @property
    def samples(self) -> int:
        """Return how many readings there have been."""
        ...


def fan(field_rad: float, count: int) -> Array:
    """Return *count* directions spread evenly over a field, from right to left; one alone looks ahead (rad).

    A full circle does not repeat its first direction.

    >>> fan(2.0, 3).tolist()
    [-1.0, 0.0, 1.0]
    """
    if count == 1:
        return np.zeros(1)
    gaps = count if field_rad >= 2 * np.pi else count - 1
    return np.asarray(-field_rad / 2 + field_rad / gaps * np.arange(count), np.float64)
