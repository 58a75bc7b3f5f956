"""The sensor contract.

A sensor kind is a frozen data sheet. Ray sensors declare once which rays they cast and then turn hits into a reading;
other sensors compute their reading from the true state. Noise, latency and rate are stages that any sensor can have.

Abilities are optional: `Sampled` has a default for each, and a kind overrides those that it has.

==================  ===========================  ===============================================================
ability             default                      meaning
==================  ===========================  ===============================================================
card                None                         its validity card (`understudy card KIND`)
findings()          none                         key and message of each invalid combination of values
on_joint            False                        it measures a joint, so a device must name one
on                  True                         whether its devices are switched on at the start
power_w             0.0                          power that it draws from the robot's battery (W)
filter              ""                           file.py:name of the user's own last stage
whole               False                        the values of a reading are lost, or are outliers, together
mixed_times         False                        devices whose times differ are measured at once: `truth.times_us`
table(mount)        None                         the rays that it casts; a sensor without rays has `measure`
reduce(hits, out)   nearest ray of each value    how distances along its rays become a reading
closer              False                        it needs to know what its rays hit: `look` instead of `reduce`
look(glance, out)   an error                     the reading of a closer sensor
settle(out)         nothing                      post-processing of a closer sensor after the noise
memory(keys)        None                         its state between samples; `measure` gets it
calm(memory)        False                        its reading stays 0 while no robot touches anything
finish(truth, out)  nothing                      the last step after the noise, such as clipping
ranges(reading)     None                         the distances in a reading (m), NaN where unknown
pictures(reading)   None                         the pictures of a reading, by name
renderer            None                         what draws its pictures: auto, rays or gl
sees_floor          False                        it sees colours of the ground, so they are loaded before the run
sees_pictures       False                        it sees textures on things, so they are loaded before the run
==================  ===========================  ===============================================================
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from understudy.engines.base import Seen
from understudy.engines.rays.table import RayTable
from understudy.frozen import frozen
from understudy.sensors.cards.card import Card
from understudy.sensors.imperfection import Noise
from understudy.sensors.surroundings import Surroundings
from understudy.world.geo import GeoFrame
from understudy.world.records import rule
from understudy.world.shapes import Mount

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Keys = npt.NDArray[np.uint32]
Memory = dict[str, npt.NDArray[Any]]  # by name, one row per device


class Switched(Protocol):
    """Identical devices that can be on or off; a batch is one."""

    @property
    def sheet(self) -> Any:
        """Return the data sheet."""
        ...

    @property
    def mount(self) -> Mount:
        """Return their mount."""
        ...

    @property
    def joint(self) -> str:
        """Return the joint that carries them; empty: the robot itself."""
        ...

    @property
    def rows(self) -> Rows:
        """Return the robots that carry them."""
        ...

    @property
    def lit(self) -> npt.NDArray[np.bool_]:
        """Return which devices are switched on and have not failed."""
        ...


class Lamps(Switched, Protocol):
    """Identical lamps, which an output may dim; a batch of lamps is one."""

    @property
    def level(self) -> Array:
        """Return the share of their power that lamps are supplied with."""
        ...


class MotorLoads(Protocol):
    """The motors of units' outputs, as loads of the batteries."""

    @property
    def driven(self) -> Rows:
        """Return the rows of the robots whose wheels such motors turn."""
        ...

    def drawn_w(self) -> Array:
        """Return the power that the motors of each robot draw now (W)."""
        ...


@frozen
class Truth:
    """The true state at one tick, one row per robot; read from the engine only when a sensor needs it."""

    t_us: int
    engine: Seen
    around: Surroundings
    lamps: Sequence[Lamps] = ()
    loads: Sequence[Switched] = ()  # devices that draw power
    joint: str = ""  # the joint whose frame is used; empty: the frame of the robots
    by_device_us: Rows | None = None  # the time of each device that is measured, if they differ
    slipped: Array | None = None  # path that slipping wheels rolled in vain, as `travel`; None: no wheel has slipped
    motors: MotorLoads | None = None  # of units' outputs; None: there are none

    @property
    def times_us(self) -> Any:
        """Return the time of the devices that are measured: one number, or a column if they differ (us)."""
        return self.t_us if self.by_device_us is None else self.by_device_us[:, None]

    def on(self, joint: str) -> Truth:
        """Return the true state in the frame of the joints with this name; without a name, in that of the robots."""
        from understudy.sensors.carried import seen_from

        return self if joint == self.joint else replace(self, engine=seen_from(self.engine, joint), joint=joint)

    @property
    def frame(self) -> GeoFrame:
        """Return the conversion from metres to latitude and longitude."""
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
        rolled = self.engine.travel()
        return rolled if self.slipped is None else rolled + self.slipped

    @property
    def stalled(self) -> npt.NDArray[np.bool_]:
        """Return which robots are stalled."""
        return self.engine.stalled()

    @property
    def loads_w(self) -> Array:
        """Return the power that the devices switched on draw from each robot's battery (W)."""
        taken = np.zeros(len(self.around.tracks_m))
        for devices in self.loads:
            np.add.at(taken, devices.rows[devices.lit], devices.sheet.power_w)
        return taken


class Sheet(Protocol):
    """What every data sheet has; `Sampled` provides most of it, and the defaults of all optional abilities."""

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
        """Return the delay from sample to report (us)."""
        ...

    @property
    def noise(self) -> Noise:
        """Return the imperfection."""
        ...

    def columns(self) -> tuple[str, ...]:
        """Return the name of each value of a reading, with its unit."""
        ...

    def scales(self) -> Array:
        """Return the noise factor of each value."""
        ...

    def floor(self) -> float:
        """Return the lower limit of a reading."""
        ...

    def nothing(self) -> float:
        """Return the value that means "no reading"; noise never changes it."""
        ...

    def finish(self, truth: Truth, out: Array) -> None:
        """Turn the reading, noise included, into what the device reports."""
        ...

    def blank(self) -> Array:
        """Return the reading of a device that is dead or off."""
        ...


class RaySheet(Sheet, Protocol):
    """A sensor that casts rays, the same number for each value of its reading; the nearest hit counts.

    For other rules override *reduce*. A sensor that needs to know what the rays hit is *closer* and has *look*.
    """

    def table(self, mount: Mount) -> RayTable:
        """Return the rays of one device in the robot's frame, those of the first value first."""
        ...


@frozen
class Glance:
    """Input of a sensor that needs to know what its rays hit: the robots, the rays and random draws."""

    truth: Truth
    table: RayTable
    mount: Mount
    rows: Rows
    keys: Keys
    sample: int


class StateSheet(Sheet, Protocol):
    """A sensor that computes its reading from the true state."""

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array) -> None:
        """Write the perfect reading of the robots *rows* into *out*."""
        ...


class RememberingSheet(Sheet, Protocol):
    """A sensor whose reading depends on the true state and on its own state from earlier samples."""

    def memory(self, keys: Keys) -> Memory:
        """Return the initial state of new devices, one row each; a sensor with random numbers keeps *keys* in it."""
        ...

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write the perfect reading of the robots *rows* into *out*, and the new state into *memory*."""
        ...


PERIOD = "time between two samples; 0: at every tick"


@frozen(kw_only=True)
class Sampled:
    """The part that all data sheets share: sample timing. Each adds *noise*, in the unit of its readings."""

    period_us: int = rule(100_000, least=0, doc=PERIOD)
    phase_us: int = rule(0, least=0, doc="when the first sample is due")
    latency_us: int = rule(0, least=0, doc="delay from sample to report")
    filter: str = rule("", doc="file.py:name: your own function (reading, time, draws) -> reading, as the last stage")
    power_w: float = rule(0.0, least=0.0, doc="power drawn from the robot's battery")
    on: bool = rule(True, doc="false: it is off until it is switched on")

    card: ClassVar[Card | None] = None
    whole: ClassVar[bool] = False
    mixed_times: ClassVar[bool] = False
    on_joint: ClassVar[bool] = False
    sees_floor: ClassVar[bool] = False
    sees_pictures: ClassVar[bool] = False

    @property
    def closer(self) -> bool:
        """Return whether it needs to know what its rays hit: no."""
        return False

    @property
    def renderer(self) -> str | None:
        """Return what draws its pictures: it has none."""
        return None

    def findings(self) -> Iterable[tuple[str, str]]:
        """Return key and message of each invalid combination of values: none."""
        return ()

    def table(self, mount: Mount) -> RayTable | None:
        """Return the rays of one device in the robot's frame: it casts none."""
        return None

    def reduce(self, hits: Array, out: Array) -> None:
        """Write readings from distances (devices, rays): the nearest of the rays of each value (m)."""
        count, width = out.shape
        np.maximum(hits.reshape(count, width, hits.shape[1] // width).min(axis=2), self.floor(), out=out)

    def look(self, glance: Glance, out: Array) -> None:
        """Write the reading of a closer sensor."""
        raise NotImplementedError

    def settle(self, out: Array) -> None:
        """Post-process the measurement of a closer sensor, noise included: unchanged."""

    def memory(self, keys: Keys) -> Memory | None:
        """Return the initial state of new devices: none."""
        return None

    def calm(self, memory: Memory) -> bool:
        """Return whether nothing it remembers can change its reading as long as no robot touches anything: unknown."""
        return False

    def ranges(self, reading: Array) -> Array | None:
        """Return the distances in a reading: it has none."""
        return None

    def pictures(self, reading: Array) -> dict[str, npt.NDArray[Any]] | None:
        """Return the pictures of a reading by name: it has none."""
        return None

    def columns(self) -> tuple[str, ...]:
        """Return the name of each value of a reading, with its unit."""
        raise NotImplementedError

    def scales(self) -> Array:
        """Return the noise factor of each value: 1."""
        return np.ones(len(self.columns()))

    def floor(self) -> float:
        """Return the lower limit of a reading: none."""
        return -math.inf

    def nothing(self) -> float:
        """Return the value that means "no reading"."""
        return math.nan

    def finish(self, truth: Truth, out: Array) -> None:
        """Report as measured."""

    def blank(self) -> Array:
        """Return the reading of a device that is dead or off: no reading."""
        return np.full(len(self.columns()), self.nothing())


class Device(Protocol):
    """A sensor as a unit or a program sees it: a name and the newest reading."""

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
        """Turn the device on or off, starting with the next sample."""
        ...

    @property
    def stamp_us(self) -> int:
        """Return the simulated time at which the newest reading was due (us); -1 before the first."""
        ...

    @property
    def samples(self) -> int:
        """Return the number of readings so far."""
        ...


def fan(field_rad: float, count: int) -> Array:
    """Return *count* directions spread evenly over a field, from right to left; a single one points ahead (rad).

    A full circle does not repeat its first direction.

    >>> fan(2.0, 3).tolist()
    [-1.0, 0.0, 1.0]
    """
    if count == 1:
        return np.zeros(1)
    gaps = count if field_rad >= 2 * np.pi else count - 1
    return np.asarray(-field_rad / 2 + field_rad / gaps * np.arange(count), np.float64)
