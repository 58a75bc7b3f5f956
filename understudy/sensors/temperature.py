"""Thermometers: the air of the scene, after a while."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from understudy.sensors.base import Array, Keys, Memory, Rows, Sampled, Truth
from understudy.sensors.card import Card, Number
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.recall import NEVER, low_pass, since
from understudy.units import US_PER_S
from understudy.world.plain import rule
from understudy.world.shapes import Mount

_CARD = Card(
    "thermometer",
    "Temperature of the air, such as the sensor of an RCX gives it.",
    sources=(
        "LURobotSim thesis, figure 1.2: an RCX with a temperature sensor",
        "RCX ROM: readings in tenths of a degree, Celsius or Fahrenheit, at most 69.5 degrees Celsius",
    ),
    modelled=(
        "the air of the scene with its daily course, by the local solar time of the scene's origin",
        "a sensor that follows slowly (lag_s), full scale, resolution",
    ),
    not_modelled=(
        "warmth of lamps, sun, motors and people; draughts; the height over the sea",
        "how the air differs from place to place",
        "the raw value of an RCX input: that is the firmware's",
    ),
    numbers=(
        Number("period_us", "estimate"),
        Number("lag_us", "estimate: a small probe in still air"),
        Number("low_c", "estimate: the colder end of the RCX sensor"),
        Number("high_c", "RCX ROM: the warmest reading"),
        Number("noise.step", "RCX ROM: tenths of a degree"),
    ),
)


@dataclass(frozen=True, slots=True)
class Thermometer(Sampled):
    """How warm the air is."""

    kind: ClassVar[str] = "thermometer"
    card: ClassVar[Card] = _CARD
    period_us: int = rule(1_000_000, least=0, doc="time between two samples; 0: at every tick")
    unit: Literal["c", "f", "k"] = rule("c", doc="of a reading: Celsius, Fahrenheit or kelvin; noise is in Celsius")
    lag_us: int = rule(10 * US_PER_S, least=0, doc="time in which it makes up two thirds of a change; 0: at once")
    low_c: float = rule(-20.0, doc="full scale")
    high_c: float = rule(69.5, doc="full scale")
    noise: PlainNoise = rule(PlainNoise(step=0.1), shorthand="preset")

    def columns(self) -> tuple[str, ...]:
        """Return the temperature."""
        return (f"temperature_{self.unit}",)

    def memory(self, keys: Keys) -> Memory:
        """Return the temperatures of the air and of the probe."""
        rows = len(keys)
        return {"t_us": np.full(rows, NEVER), "air_c": np.zeros((rows, 1)), "probe_c": np.zeros((rows, 1))}

    def measure(self, truth: Truth, rows: Rows, mount: Mount, out: Array, memory: Memory) -> None:
        """Write the temperature of the probe (degrees Celsius)."""
        passed = since(memory, truth.t_us)
        air = np.full((len(rows), 1), truth.around.air_c(truth.t_us))
        bandwidth_hz = US_PER_S / (np.pi * 2 * self.lag_us) if self.lag_us else 0.0
        out[:] = low_pass(memory["probe_c"], memory["air_c"], air, bandwidth_hz, passed)
        memory["air_c"][:], memory["probe_c"][:] = air, out

    def finish(self, truth: Truth, out: Array) -> None:
        """Stay within the full scale, and report in the wanted unit."""
        np.clip(out, self.low_c, self.high_c, out=out)
        if self.unit == "f":
            out[:] = out * 1.8 + 32.0
        elif self.unit == "k":
            out += 273.15
