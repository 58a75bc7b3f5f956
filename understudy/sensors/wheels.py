"""Wheel sensors: encoders count the path of each side, an odometer that of the robot, odometry estimates its pose."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from understudy.frozen import frozen
from understudy.sensors.base import Array, Keys, Memory, Rows, Sampled, Truth
from understudy.sensors.cards.card import Card, Number
from understudy.sensors.imperfection import LengthNoise, Noise
from understudy.sensors.memory import NEVER, since
from understudy.sensors.odometry import MOBILESIM, WheelError, counted, reckoned, wheel_memory
from understudy.world.records import rule
from understudy.world.shapes import Mount

_NO_ERROR = WheelError()
_DRIFTING = replace(MOBILESIM, spread_m=0.002)
_COUNTING = (
    "an accumulating error: shares per wheel or per motion, fixed or random, and a spread that grows with the path",
    "noise = \"perfect\" switches that off as well",
    "slip of a drive stage: the wheels are counted, not the true path",
)  # fmt: skip
_NOT_COUNTING = (
    "slip that depends on ground, load and speed: the error is one of counting",
    "a common error for all devices of a robot: each draws its own; set the shares to have the same in all",
)
_ENCODERS = Card(
    "encoders",
    "The path that the wheels of each side have rolled, and whether the motors are stalled.",
    sources=(
        "EyeSim paper, section 2: shaft encoders below the driving interface",
        "EyeSim robots: ticks per revolution and wheel diameter; Create 2: 508.8 counts per turn of a 72 mm wheel",
    ),
    modelled=("the path of the left and right wheels and sideways; whole ticks; stall", *_COUNTING),
    not_modelled=(
        *_NOT_COUNTING,
        "ticks that get lost at high speed",
        "several wheels on one side that turn differently",
    ),
)
_ODOMETER = Card(
    "odometer",
    "The distance travelled, forward minus backward, and the total path.",
    sources=(
        "SEAR dissertation 5.6.1.5 and table 5.4.2: both directions, a dead band, wraps to 0 after 32.767 m",
        "MobileSim: shares within +-0.0075",
    ),
    modelled=("a dead band of speed; a counter that wraps around", *_COUNTING),
    not_modelled=(*_NOT_COUNTING, "counters that are reset by reading them: that is up to the firmware"),
)
_ODOMETRY = Card(
    "odometry",
    "The pose estimate from wheel counts: x, y and heading since the start.",
    sources=(
        "MobileSim 0.9.8: odometry with a gain error within +-0.0075, drawn once, for every sample, or fixed",
        "EyeSim paper, section 2: position and orientation relative to the starting point",
    ),
    modelled=("exact arcs between samples, with the track width of the drive", *_COUNTING),
    not_modelled=(*_NOT_COUNTING, "a track width that differs from the firmware's: set a share of turn"),
    numbers=(
        Number("error.random", "MobileSim: +-0.0075, separately for ahead, turn and sideways"),
        Number("error.spread_m", "estimate: 2 mm per wheel after a metre, typical of small robots on hard floors"),
    ),
)


def _path(noise: Noise, error: WheelError, travel: Array, memory: Memory) -> Array:
    """Return the counted path; the true one if there is no error (m)."""
    faultless = noise.preset == "perfect" or error == _NO_ERROR
    return travel if faultless else counted(error, travel, memory)


@frozen
class Encoders(Sampled):
    """The motor controller's wheel counters."""

    kind: ClassVar[str] = "encoders"
    card: ClassVar[Card] = _ENCODERS
    whole: ClassVar[bool] = True
    period_us: int = rule(0, least=0, doc="0: at every tick")
    ticks_per_m: float = rule(0.0, least=0.0, doc="the path grows by whole ticks; 0: smoothly")
    error: WheelError = rule(_NO_ERROR, doc="accumulating counting errors")
    noise: LengthNoise = rule(LengthNoise(), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the values of a reading."""
        return ("left_m", "right_m", "lateral_m", "stalled")

    def scales(self) -> Array:
        """Return the noise factor of each value."""
        return np.array([1.0, 1.0, 1.0, 0.0])

    def memory(self, keys: Keys) -> Memory:
        """Return the counts, if they can differ from the path."""
        return {} if self.error == _NO_ERROR else wheel_memory(keys)

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write the path of each side (m) and the stall flag."""
        path = _path(self.noise, self.error, truth.travel[rows], memory)
        out[:, :3] = np.floor(path * self.ticks_per_m) / self.ticks_per_m if self.ticks_per_m else path
        out[:, 3] = truth.stalled[rows]


@frozen
class Odometer(Sampled):
    """Measures the distance travelled."""

    kind: ClassVar[str] = "odometer"
    card: ClassVar[Card] = _ODOMETER
    whole: ClassVar[bool] = True
    period_us: int = rule(0, least=0, doc="0: at every tick")
    dead_band_m_s: float = rule(0.0, least=0.0, doc="slower motion is not counted, as in SEAR")
    again_at_m: float = rule(0.0, least=0.0, doc="the distance wraps to 0 at this value; 0: never")
    error: WheelError = rule(_NO_ERROR, doc="accumulating counting errors")
    noise: LengthNoise = rule(LengthNoise(), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the values of a reading."""
        return ("distance_m", "path_m")

    def memory(self, keys: Keys) -> Memory:
        """Return the wheels' count and the odometer's own."""
        rows = len(keys)
        own = {"t_us": np.full(rows, NEVER), "ahead_m": np.zeros(rows), "gone_m": np.zeros((rows, 2))}
        return own | wheel_memory(keys)

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write the distance forward minus backward, and the sum of both (m)."""
        first, passed = memory["t_us"] == NEVER, since(memory, truth.t_us)
        ahead = _path(self.noise, self.error, truth.travel[rows], memory)[:, :2].mean(axis=1)
        step = np.where(first, 0.0, ahead - memory["ahead_m"])
        step[np.abs(step) < self.dead_band_m_s * passed] = 0.0
        memory["ahead_m"][:] = ahead
        memory["gone_m"] += np.column_stack([step, np.abs(step)])
        out[:] = memory["gone_m"]
        if self.again_at_m:
            out[:, 0] = np.fmod(out[:, 0], self.again_at_m)


@frozen
class Odometry(Sampled):
    """The pose estimate from wheel counts, relative to the start."""

    kind: ClassVar[str] = "odometry"
    card: ClassVar[Card] = _ODOMETRY
    whole: ClassVar[bool] = True
    period_us: int = rule(0, least=0, doc="0: at every tick")
    unit: Literal["rad", "deg"] = rule("rad", doc="of heading and turn rate")
    error: WheelError = rule(_DRIFTING, doc="accumulating counting errors")
    noise: LengthNoise = rule(LengthNoise(), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the values of a reading."""
        return ("x_m", "y_m", f"heading_{self.unit}", "speed_m_s", f"turn_{self.unit}_s", "stalled")

    def scales(self) -> Array:
        """Return the noise factor of each value: only the position has its unit."""
        return np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0])

    def memory(self, keys: Keys) -> Memory:
        """Return the wheels' count and the resulting pose."""
        rows = len(keys)
        own = {"t_us": np.full(rows, NEVER), "wheels_m": np.zeros((rows, 3)), "place": np.zeros((rows, 3))}
        return own | wheel_memory(keys)

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write pose (m, rad), speed (m/s), turn rate (rad/s) and the stall flag."""
        first, passed = memory["t_us"] == NEVER, since(memory, truth.t_us)
        path, tracks = _path(self.noise, self.error, truth.travel[rows], memory), truth.around.tracks_m[rows]
        step = np.where(first[:, None], 0.0, path - memory["wheels_m"])
        memory["wheels_m"][:] = path
        memory["place"][:] = out[:, :3] = reckoned(memory["place"], step, tracks)
        motion = np.column_stack([(step[:, 0] + step[:, 1]) / 2, (step[:, 1] - step[:, 0]) / tracks])
        out[:, 3:5] = np.divide(motion, passed[:, None], out=np.zeros_like(motion), where=passed[:, None] > 0.0)
        out[:, 5] = truth.stalled[rows]

    def finish(self, truth: Truth, out: Array) -> None:
        """Report angles in the chosen unit."""
        if self.unit == "deg":
            out[:, [2, 4]] *= 180.0 / math.pi
