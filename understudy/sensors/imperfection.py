"""Imperfections of a device as given on its data sheet; `noise` applies them.

A reading is, in this order: scaled, biased, drifted, spread, jittered; replaced if it is an outlier or lost;
rounded to the device's steps; clipped. Amounts are in the unit of the reading, so there is one class for each unit.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from understudy.frozen import frozen
from understudy.world.records import rule

_SIGMA = "standard deviation of the white noise"
_UNIFORM = "half width of uniformly distributed noise"
_BIAS = "added to every reading"
_DRIFT = "standard deviation of the drift after one second; with drift_time_s: in the long run"
_OUTLIER = "standard deviation of outliers around the truth; 0: anywhere in the device's range, or from low to high"
_STEP = "resolution: the reading is a multiple of this; 0: any value"
_LOW, _HIGH = "no reading is below this", "no reading is above this"


@frozen
class Noise:
    """The dimensionless settings: shares and factors."""

    unit: ClassVar[str] = ""
    preset: Literal["", "perfect"] = rule("", doc="perfect: the reading is the true value")
    relative: float = rule(0.0, least=0.0, doc="standard deviation of white noise as a share of the reading")
    scale: float = rule(1.0, doc="factor on the true value")
    drift_time_us: int = rule(0, least=0, doc="correlation time of the drift; 0: infinite, a random walk")
    outliers: float = rule(0.0, least=0.0, most=1.0, doc="share of readings that are outliers")
    lost: float = rule(0.0, least=0.0, most=1.0, doc="share of readings that are lost")

    @property
    def plain(self) -> bool:
        """Return whether white noise and losses are the only imperfections."""
        stages = ("uniform", "bias", "drift", "step")
        whole = self.relative == self.outliers == 0.0 and self.scale == 1.0 and not any(map(self.amount, stages))
        return whole and self.bound("low", math.inf) == self.bound("high", math.inf) == math.inf

    @property
    def silent(self) -> bool:
        """Say whether nothing is wrong."""
        return self.preset == "perfect" or (self.plain and self.lost == self.amount("sigma") == 0.0)

    def amount(self, name: str) -> float:
        """Return sigma, uniform, bias, drift, outlier or step, in the unit of the reading."""
        return float(getattr(self, f"{name}_{self.unit}" if self.unit else name))

    def bound(self, name: str, otherwise: float) -> float:
        """Return low or high, in the unit of the reading, or *otherwise* if it is not set."""
        found: float | None = getattr(self, f"{name}_{self.unit}" if self.unit else name)
        return otherwise if found is None else found


@frozen
class PlainNoise(Noise):
    """For readings without a unit, or in the unit of their name."""

    sigma: float = rule(0.0, least=0.0, doc=_SIGMA)
    uniform: float = rule(0.0, least=0.0, doc=_UNIFORM)
    bias: float = rule(0.0, doc=_BIAS)
    drift: float = rule(0.0, least=0.0, doc=_DRIFT)
    outlier: float = rule(0.0, least=0.0, doc=_OUTLIER)
    step: float = rule(0.0, least=0.0, doc=_STEP)
    low: float | None = rule(None, doc=_LOW)
    high: float | None = rule(None, doc=_HIGH)


@frozen
class LengthNoise(Noise):
    """For distances."""

    unit: ClassVar[str] = "m"
    sigma_m: float = rule(0.0, least=0.0, doc=_SIGMA)
    uniform_m: float = rule(0.0, least=0.0, doc=_UNIFORM)
    bias_m: float = rule(0.0, doc=_BIAS)
    drift_m: float = rule(0.0, least=0.0, doc=_DRIFT)
    outlier_m: float = rule(0.0, least=0.0, doc=_OUTLIER)
    step_m: float = rule(0.0, least=0.0, doc=_STEP)
    low_m: float | None = rule(None, doc=_LOW)
    high_m: float | None = rule(None, doc=_HIGH)


@frozen
class AngleNoise(Noise):
    """For angles."""

    unit: ClassVar[str] = "rad"
    sigma_rad: float = rule(0.0, least=0.0, doc=_SIGMA)
    uniform_rad: float = rule(0.0, least=0.0, doc=_UNIFORM)
    bias_rad: float = rule(0.0, doc=_BIAS)
    drift_rad: float = rule(0.0, least=0.0, doc=_DRIFT)
    outlier_rad: float = rule(0.0, least=0.0, doc=_OUTLIER)
    step_rad: float = rule(0.0, least=0.0, doc=_STEP)
    low_rad: float | None = rule(None, doc=_LOW)
    high_rad: float | None = rule(None, doc=_HIGH)


@frozen
class RateNoise(Noise):
    """For angular rates."""

    unit: ClassVar[str] = "rad_s"
    sigma_rad_s: float = rule(0.0, least=0.0, doc=_SIGMA)
    uniform_rad_s: float = rule(0.0, least=0.0, doc=_UNIFORM)
    bias_rad_s: float = rule(0.0, doc=_BIAS)
    drift_rad_s: float = rule(0.0, least=0.0, doc=_DRIFT)
    outlier_rad_s: float = rule(0.0, least=0.0, doc=_OUTLIER)
    step_rad_s: float = rule(0.0, least=0.0, doc=_STEP)
    low_rad_s: float | None = rule(None, doc=_LOW)
    high_rad_s: float | None = rule(None, doc=_HIGH)


@frozen
class AccelerationNoise(Noise):
    """For accelerations."""

    unit: ClassVar[str] = "m_s2"
    sigma_m_s2: float = rule(0.0, least=0.0, doc=_SIGMA)
    uniform_m_s2: float = rule(0.0, least=0.0, doc=_UNIFORM)
    bias_m_s2: float = rule(0.0, doc=_BIAS)
    drift_m_s2: float = rule(0.0, least=0.0, doc=_DRIFT)
    outlier_m_s2: float = rule(0.0, least=0.0, doc=_OUTLIER)
    step_m_s2: float = rule(0.0, least=0.0, doc=_STEP)
    low_m_s2: float | None = rule(None, doc=_LOW)
    high_m_s2: float | None = rule(None, doc=_HIGH)
