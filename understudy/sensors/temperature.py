"""Thermometers: the air temperature of the scene, with a lag."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from understudy.frozen import frozen
from understudy.sensors.base import PERIOD, Array, Keys, Memory, Rows, Sampled, Truth
from understudy.sensors.cards.card import Card, Number
from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.memory import NEVER, low_pass, since
from understudy.units import US_PER_S
from understudy.world.records import rule
from understudy.world.shapes import Mount

_CARD = Card(
    "thermometer",
    "Air temperature, as from the sensor of an RCX.",
    sources=(
        "LURobotSim thesis, figure 1.2: an RCX with a temperature sensor",
        "RCX ROM: readings in tenths of a degree, Celsius or Fahrenheit, at most 69.5 degrees Celsius",
    ),
    modelled=(
        "the scene's air temperature with its daily cycle, by local solar time at the scene's origin",
        "a first-order lag (lag_s), full scale, resolution",
    ),
    not_modelled=(
        "heat of lamps, sun, motors and people; draughts; altitude",
        "local differences of the air temperature",
        "the raw value of an RCX input: that is up to the firmware",
    ),
    numbers=(
        Number("period_us", "estimate"),
        Number("lag_us", "estimate: a small probe in still air"),
        Number("low_c", "estimate: the colder end of the RCX sensor"),
        Number("high_c", "RCX ROM: the warmest reading"),
        Number("noise.step", "RCX ROM: tenths of a degree"),
    ),
)


@frozen
class Thermometer(Sampled):
    """Measures the air temperature."""

    kind: ClassVar[str] = "thermometer"
    card: ClassVar[Card] = _CARD
    period_us: int = rule(1_000_000, least=0, doc=PERIOD)
    unit: Literal["c", "f", "k"] = rule("c", doc="of a reading: Celsius, Fahrenheit or kelvin; noise is in Celsius")
    lag_us: int = rule(10 * US_PER_S, least=0, doc="time constant (63 % of a change); 0: no lag")
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
        """Clip to the full scale and convert to the chosen unit."""
        np.clip(out, self.low_c, self.high_c, out=out)
        if self.unit == "f":
            out[:] = out * 1.8 + 32.0
        elif self.unit == "k":
            out += 273.15
