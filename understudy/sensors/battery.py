"""Batteries: charge used by time, driving and devices, and the remaining voltage."""

from __future__ import annotations

from types import MappingProxyType
from typing import ClassVar, Literal

import numpy as np

from understudy.elementary import arrays
from understudy.frozen import frozen
from understudy.sensors.base import Array, Keys, Memory, Rows, Sampled, Truth
from understudy.sensors.cards.card import Card, Number
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.memory import NEVER, since
from understudy.world.records import rule
from understudy.world.shapes import Mount

Chemistry = Literal["lead", "nimh", "lithium", "alkaline"]

# volts of one resting cell at 0, 10, 25, 50, 75, 90 and 100 % of its charge
HELD = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
VOLTS = MappingProxyType({
    "lead":     (1.93, 1.96, 1.99, 2.04, 2.08, 2.10, 2.12),
    "nimh":     (1.00, 1.17, 1.22, 1.25, 1.28, 1.32, 1.40),
    "lithium":  (3.00, 3.45, 3.68, 3.80, 3.95, 4.08, 4.20),
    "alkaline": (0.90, 1.05, 1.15, 1.25, 1.36, 1.47, 1.55),
})  # fmt: skip
_SECONDS_PER_HOUR = 3600.0
_METRES = np.array([0.5, 0.5, 1.0])  # driven per metre of the left wheels, the right wheels, sideways
_CARD = Card(
    "battery",
    "Voltage, current and charge of the robot's battery, by default three 12 V lead batteries in parallel.",
    sources=(
        "typical resting voltages of the four chemistries, within about 3 percent of any one make",
        "MobileSim and its manual: a Pioneer's battery of about 13 V",
    ),
    modelled=(
        "a constant draw, the power_w of each device that is on, energy per metre driven, more while stalled",
        "motors at outputs of a unit: their power at the moment of the sample, in place of energy per metre",
        "voltage as a function of charge, lower under load (resistance_ohm)",
        "an empty battery: no charge, and the lowest voltage",
    ),
    not_modelled=(
        "recharging",
        "what the robot does when it is empty: that is up to the firmware",
        "acceleration, slopes, temperature, age; capacity loss under heavy load (Peukert)",
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


@frozen
class Battery(Sampled):
    """A gauge on the robot's battery."""

    kind: ClassVar[str] = "battery"
    card: ClassVar[Card] = _CARD
    chemistry: Chemistry = "lead"
    cells: int = rule(6, least=1, most=1000, doc="in series")
    capacity_ah: float = rule(21.0, above=0.0)
    start: float = rule(1.0, least=0.0, most=1.0, doc="initial charge as a share of the capacity")
    resistance_ohm: float = rule(0.05, least=0.0, doc="of the whole battery")
    idle_w: float = rule(15.0, least=0.0, doc="constant draw, without the devices")
    drive_j_m: float = rule(20.0, least=0.0, doc="energy per metre that the wheels roll; not if outputs drive them")
    stall_w: float = rule(60.0, least=0.0, doc="drawn by stalled motors; not if outputs drive the wheels")
    noise: PlainNoise = rule(PlainNoise(step=0.1), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the values of a reading; a discharging current is negative."""
        return ("voltage_v", "current_a", "charge_ah", "held")

    def scales(self) -> Array:
        """Return the noise factor of each value: only the voltage is noisy."""
        return np.array([1.0, 0.0, 0.0, 0.0])

    def memory(self, keys: Keys) -> Memory:
        """Return the charge and the path already accounted for."""
        rows = len(keys)
        return {
            "t_us": np.full(rows, NEVER),
            "travel_m": np.zeros((rows, 3)),
            "charge_ah": np.full(rows, self.start * self.capacity_ah),
        }

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write voltage (V), mean current since the last sample (A), charge (Ah) and state of charge (0 to 1)."""
        first, passed = memory["t_us"] == NEVER, since(memory, truth.t_us)
        travel = truth.travel[rows]
        rolled = np.where(first, 0.0, arrays.product(np.abs(travel - memory["travel_m"]), _METRES))
        memory["travel_m"][:] = travel
        speed = np.divide(rolled, passed, out=np.zeros_like(rolled), where=passed > 0.0)
        moving, held = self.drive_j_m * speed, self.stall_w * truth.stalled[rows]
        if truth.motors is not None:  # their currents are known, so nothing is estimated from the path
            known = np.isin(rows, truth.motors.driven)
            moving, held = np.where(known, 0.0, moving) + truth.motors.drawn_w()[rows], np.where(known, 0.0, held)
        power = self.idle_w + truth.loads_w[rows] + moving + held
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
        """Return the current that gives this power behind the resistance, at most the maximum possible (A)."""
        if self.resistance_ohm:
            power_w = np.minimum(power_w, np.square(resting_v) / (4.0 * self.resistance_ohm))
        rest = np.maximum(np.square(resting_v) - 4.0 * self.resistance_ohm * power_w, 0.0)
        return 2.0 * power_w / (resting_v + np.sqrt(rest))
