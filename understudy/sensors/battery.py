"""Batteries: charge that goes with time, driving and devices, and the voltage that is left."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal

import numpy as np

from understudy.elementary import arrays
from understudy.sensors.base import Array, Keys, Memory, Rows, Sampled, Truth
from understudy.sensors.card import Card, Number
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.recall import NEVER, since
from understudy.world.plain import rule
from understudy.world.shapes import Mount

Chemistry = Literal["lead", "nimh", "lithium", "alkaline"]

# volts of one resting cell when it holds none, a tenth, a quarter, half, three quarters, nine tenths, all of its charge
HELD = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
VOLTS = MappingProxyType({
    "lead":     (1.93, 1.96, 1.99, 2.04, 2.08, 2.10, 2.12),
    "nimh":     (1.00, 1.17, 1.22, 1.25, 1.28, 1.32, 1.40),
    "lithium":  (3.00, 3.45, 3.68, 3.80, 3.95, 4.08, 4.20),
    "alkaline": (0.90, 1.05, 1.15, 1.25, 1.36, 1.47, 1.55),
})  # fmt: skip
_SECONDS_PER_HOUR = 3600.0
_METRES = np.array([0.5, 0.5, 1.0])  # driven for a metre of the left wheels, of the right wheels, sideways
_CARD = Card(
    "battery",
    "Voltage, current and charge of the robot's battery, by default three lead batteries of 12 V side by side.",
    sources=(
        "typical resting voltages of the four chemistries, within some 3 percent of any one make",
        "MobileSim and its manual: a Pioneer's battery of about 13 V",
    ),
    modelled=(
        "a constant draw, the power_w of each device that is on, energy for each metre driven, more while held",
        "voltage by charge, and less of it under load (resistance_ohm)",
        "a battery that is empty: no charge, and the lowest voltage",
    ),
    not_modelled=(
        "recharging",
        "what the robot does when it is empty: that is the firmware's",
        "acceleration, slopes, temperature, age; charge that a heavy load cannot reach (Peukert)",
    ),
    numbers=(
        Number("period_us", "MobileSim: once in each status packet, 100 ms"),
        Number("cells", "six make 12 V"),
        Number("capacity_ah", "estimate: three small lead batteries of 7 Ah"),
        Number("start", "a full battery"),
        Number("resistance_ohm", "estimate"),
        Number("idle_w", "estimate: controller and computer of a small robot"),
        Number("drive_j_m", "estimate: rolling and motor losses of a robot of 10 kg"),
        Number("stall_w", "estimate"),
        Number("noise.step", "MobileSim: the status packet has tenths of a volt"),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Battery(Sampled):
    """What a gauge on the robot's battery says."""

    kind: ClassVar[str] = "battery"
    card: ClassVar[Card] = _CARD
    chemistry: Chemistry = "lead"
    cells: int = rule(6, least=1, most=1000, doc="in series")
    capacity_ah: float = rule(21.0, above=0.0)
    start: float = rule(1.0, least=0.0, most=1.0, doc="share of the capacity that it holds at first")
    resistance_ohm: float = rule(0.05, least=0.0, doc="of the whole battery")
    idle_w: float = rule(15.0, least=0.0, doc="taken all the time, beside the devices")
    drive_j_m: float = rule(20.0, least=0.0, doc="energy for each metre that the wheels roll")
    stall_w: float = rule(60.0, least=0.0, doc="taken by motors that are held")
    noise: PlainNoise = rule(PlainNoise(step=0.1), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the values of a reading; a current that is drawn is negative."""
        return ("voltage_v", "current_a", "charge_ah", "held")

    def scales(self) -> Array:
        """Return how much of the noise each value gets: it is the voltage's."""
        return np.array([1.0, 0.0, 0.0, 0.0])

    def memory(self, keys: Keys) -> Memory:
        """Return the charge and the path up to which it was counted."""
        rows = len(keys)
        return {
            "t_us": np.full(rows, NEVER),
            "travel_m": np.zeros((rows, 3)),
            "charge_ah": np.full(rows, self.start * self.capacity_ah),
        }

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write voltage (V), mean current since the last sample (A), charge (Ah) and the share that is held."""
        first, passed = memory["t_us"] == NEVER, since(memory, truth.t_us)
        travel = truth.travel[rows]
        rolled = np.where(first, 0.0, arrays.product(np.abs(travel - memory["travel_m"]), _METRES))
        memory["travel_m"][:] = travel
        speed = np.divide(rolled, passed, out=np.zeros_like(rolled), where=passed > 0.0)
        power = self.idle_w + truth.loads_w[rows] + self.drive_j_m * speed + self.stall_w * truth.stalled[rows]
        charge = memory["charge_ah"]
        resting = self._resting_v(charge)
        current = np.where(charge > 0.0, self._current_a(power, resting), 0.0)
        charge[:] = np.maximum(charge - current * passed / _SECONDS_PER_HOUR, 0.0)
        out[:, 0], out[:, 1] = resting - current * self.resistance_ohm, -current
        out[:, 2], out[:, 3] = charge, charge / self.capacity_ah

    def _resting_v(self, charge_ah: Array) -> Array:
        """Return the voltage without load (V)."""
        return self.cells * np.interp(charge_ah / self.capacity_ah, HELD, VOLTS[self.chemistry])

    def _current_a(self, power_w: Array, resting_v: Array) -> Array:
        """Return the current that gives this power behind the resistance, or the most that can be given (A)."""
        if self.resistance_ohm:
            power_w = np.minimum(power_w, np.square(resting_v) / (4.0 * self.resistance_ohm))
        rest = np.maximum(np.square(resting_v) - 4.0 * self.resistance_ohm * power_w, 0.0)
        return 2.0 * power_w / (resting_v + np.sqrt(rest))
