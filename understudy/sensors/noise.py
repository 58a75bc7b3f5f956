"""Imperfection as a compiled stage on a batch's array; "perfect" switches the stage off and nothing else.

A reading's key is (seed, owner, sample, draw), so no path disturbs another; a missing echo never gets noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from numba import njit

from understudy.rng import normal_pair, uniform_pair
from understudy.world.plain import rule

Array = npt.NDArray[np.float64]
Keys = npt.NDArray[np.uint32]

_SPREAD, _LOSS = np.uint32(1), np.uint32(2)


@dataclass(frozen=True, slots=True)
class Noise:
    """White spread about the truth, and the share of readings that are lost."""

    preset: Literal["", "perfect"] = rule("", doc="perfect: the reading is the truth")
    sigma_m: float = rule(0.0, least=0.0, doc="standard deviation")
    lost: float = rule(0.0, least=0.0, most=1.0, doc="share of readings that see nothing")

    @property
    def active(self) -> bool:
        """Say whether there is anything to do."""
        return self.preset != "perfect" and (self.sigma_m > 0.0 or self.lost > 0.0)


def corrupt(noise: Noise, values: Array, scales: Array, floor: float, nothing: float, keys: Keys, sample: int) -> None:
    """Add noise in place; column c spreads by sigma * scales[c] and never falls below *floor*."""
    if noise.active:
        _corrupt(values, noise.sigma_m * scales, noise.lost, floor, nothing, keys, np.uint64(sample))


@njit(cache=True, nogil=True, error_model="numpy")
def _corrupt(values, sigma, lost, floor, nothing, keys, sample):  # type: ignore[no-untyped-def]
    rows, columns = values.shape
    for i in range(rows):
        k0, k1 = keys[i, 0], keys[i, 1]
        for c in range(0, columns, 2):
            first, second = normal_pair(k0, k1, sample, c >> 1, _SPREAD)
            gone, gone_too = 1.0, 1.0
            if lost > 0.0:
                gone, gone_too = uniform_pair(k0, k1, sample, c >> 1, _LOSS)
            _disturb(values, i, c, first * sigma[c], gone < lost, floor, nothing)
            if c + 1 < columns:
                _disturb(values, i, c + 1, second * sigma[c + 1], gone_too < lost, floor, nothing)


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _disturb(values, i, c, error, gone, floor, nothing):  # type: ignore[no-untyped-def]
    value = values[i, c]
    if value == nothing or value != value:
        return
    if gone:
        values[i, c] = nothing
    else:
        values[i, c] = min(max(value + error, floor), nothing) if nothing > floor else value + error
