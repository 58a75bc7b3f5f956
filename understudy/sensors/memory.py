"""State of devices between samples: the time since the last sample, and filters."""

from __future__ import annotations

import math

import numpy as np

from understudy.elementary import arrays
from understudy.sensors.base import Array, Memory
from understudy.units import US_PER_S

NEVER = -1  # the time of the previous sample before the first


def since(memory: Memory, now_us: int) -> Array:
    """Return the time since each device's previous sample, 0 at the first (s); stores the present time as ``t_us``."""
    before = memory["t_us"]
    passed = np.where(before == NEVER, 0, now_us - before) / US_PER_S
    before[:] = now_us
    return np.asarray(passed)


def low_pass(value: Array, before: Array, now: Array, bandwidth_hz: float, passed_s: Array) -> Array:
    """Return a first-order filter's value after an input that changed linearly from *before* to *now*; 0 Hz: no filter.

    Exact for such an input, for any time since the last sample. One row per device.
    """
    if bandwidth_hz == 0.0:
        return now
    lags = np.broadcast_to(math.tau * bandwidth_hz * passed_s[:, None], now.shape)
    moved = lags > 0.0
    trail = np.divide(now - before, lags, out=np.zeros_like(now), where=moved)
    return np.where(moved, now - trail + arrays.exp(-lags) * (value - before + trail), now)
