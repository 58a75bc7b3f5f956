"""The echo of a laser's spot: strength and distance, where it lies on several surfaces at once.

A few adjacent rays represent a spot.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.engines.rays.table import Hits
from understudy.sensors.base import Array

Bools = npt.NDArray[np.bool_]

RAYS = 5  # that represent a spot


def strengths(ranges: Array, hits: Hits, limit_m: float, reach_m: float, grazing_rad: float) -> Array:
    """Return the echo strength along each ray: 1 is just enough to be detected always, 0 is none.

    It is proportional to reflectance and to the cosine of the angle of incidence, and falls with the square of the
    distance; 1 is a plain matt surface at right angles at *reach_m*. Without a reach every echo has the strength 1.
    """
    met = (ranges < limit_m) & (hits.cosine > elementary.sin(grazing_rad))
    if reach_m == 0.0:
        return np.where(met, 1.0, 0.0)
    fading = np.square(reach_m / np.maximum(ranges, 1e-3))
    return np.where(met, hits.reflectance * hits.cosine * fading, 0.0)


def merged(ranges: Array, strong: Array, limit_m: float, pulse_m: float) -> tuple[Array, Array, Bools]:
    """Return the distance that a spot reads, the strength of its echo, and the rays that contribute.

    The last axis of every array is that of the rays of a spot. Echoes at most *pulse_m* behind the nearest one merge
    with it to a distance in between; if echoes are farther apart, the stronger group is read.
    """
    if ranges.shape[-1] == 1:
        return np.where(strong > 0.0, ranges, limit_m)[..., 0], strong[..., 0], strong > 0.0
    met = strong > 0.0
    nearest = np.where(met, ranges, math.inf).min(axis=-1, keepdims=True)
    first = met & (ranges <= nearest + pulse_m)
    power, others = ((strong * part).sum(axis=-1, keepdims=True) for part in (first, met & ~first))
    chosen = np.where(power >= others, first, met & ~first)
    weights = strong * chosen
    total = weights.sum(axis=-1)
    distance = np.divide((weights * ranges).sum(axis=-1), total, out=np.full(total.shape, limit_m), where=total > 0.0)
    return distance, total / ranges.shape[-1], chosen


def chances(strong: Array) -> Array:
    """Return the chance that an echo of some strength is detected: 1 at strength 1 and above, 0 below a half."""
    return np.clip(2.0 * strong - 1.0, 0.0, 1.0)
