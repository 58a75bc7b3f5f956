"""Dead reckoning: the path that wheels count, and the resulting pose estimate.

Odometry errors are counting errors, so they are made only here: encoders, odometers and odometry have them,
and so does everything that reads these. Shares are drawn by the device's own key, so devices do not affect each other.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from understudy.elementary import arrays
from understudy.frozen import frozen
from understudy.jit import kernel
from understudy.rng import QUANTILES, normals, uniform, words
from understudy.sensors.base import Array, Keys, Memory
from understudy.world.records import rule

_SHARE, _SPREAD = np.uint64(64), np.uint64(65)  # stages of the random numbers, beyond those of noise


@frozen
class WheelError:
    """Why wheels count a path that differs from the true one: wheel size, track width, slip. The error accumulates."""

    of: Literal["wheels", "motion"] = rule(
        "wheels", doc="order of the shares: wheels: left, right, sideways; motion: ahead, turn, sideways (MobileSim)"
    )
    share: tuple[float, float, float] = rule((0.0, 0.0, 0.0), doc="shares by which the counted path is too long")
    random: float = rule(0.0, least=0.0, most=1.0, doc="additional error, drawn for each: up to this share")
    drawn: Literal["once", "always"] = rule("once", doc="once: for the whole run; always: for every sample")
    spread_m: float = rule(
        0.0,
        least=0.0,
        doc="standard deviation of each side after one metre of path; grows with the root of the path",
    )


MOBILESIM = WheelError(of="motion", random=0.0075)  # its default, --odom-error-mode random_init


def wheel_memory(keys: Keys) -> Memory:
    """Return the initial state of new counters: the true path, the counted path, and the key of each."""
    rows = len(keys)
    return {
        "true_m": np.full((rows, 3), np.nan),
        "counted_m": np.zeros((rows, 3)),
        "counts": np.zeros(rows, np.int64),
        "keys": keys.copy(),
    }


def counted(error: WheelError, travel: Array, memory: Memory) -> Array:
    """Return what the wheels have counted after a true path of *travel*: left, right, sideways (m)."""
    new = np.isnan(memory["true_m"])
    memory["true_m"][new] = memory["counted_m"][new] = travel[new]
    memory["counted_m"] += _with_error(error, travel - memory["true_m"], memory["keys"], memory["counts"])
    memory["true_m"][:] = travel
    memory["counts"] += 1
    return memory["counted_m"]


def _with_error(error: WheelError, step: Array, keys: Keys, counts: Array) -> Array:
    """Return the counted step for a true one (m)."""
    parts = step if error.of == "wheels" else _swapped(step)
    drawn, spread = np.zeros((len(step), 3)), np.zeros((len(step), 4))
    if error.random:
        _draw_shares(keys, counts if error.drawn == "always" else np.zeros_like(counts), drawn)
    if error.spread_m:
        _draw_spreads(keys, counts, QUANTILES, spread)
    parts = parts * (1.0 + np.array(error.share) + error.random * drawn)
    paths = parts if error.of == "wheels" else _wheels(parts)
    return np.asarray(paths + error.spread_m * np.sqrt(np.abs(paths)) * spread[:, :3])


def _swapped(step: Array) -> Array:
    """Return left, right, sideways as ahead, half the difference, sideways (m)."""
    left, right, side = step.T
    return np.column_stack([(left + right) / 2, (right - left) / 2, side])


def _wheels(parts: Array) -> Array:
    """Return ahead, half the difference, sideways as left, right, sideways (m)."""
    ahead, half, side = parts.T
    return np.column_stack([ahead - half, ahead + half, side])


@kernel()
def _draw_shares(keys, samples, out):
    """Write three uniform numbers between -1 and 1 for each device."""
    for i in range(keys.shape[0]):
        for j in range(3):
            out[i, j] = 2.0 * uniform(keys[i, 0], keys[i, 1], samples[i], _SHARE, j) - 1.0


@kernel()
def _draw_spreads(keys, samples, table, out):
    """Write four standard normal numbers for each device."""
    blocks = np.empty((4, 1), np.uint32)
    for i in range(keys.shape[0]):
        blocks[0, 0], blocks[1, 0], blocks[2, 0] = keys[i, 0], keys[i, 1], 0
        words(samples[i], _SPREAD, blocks, 1)
        normals(blocks, 1, table, out[i])


def reckoned(place: Array, step: Array, tracks_m: Array) -> Array:
    """Return x, y, heading after the wheels have counted *step*, each row along an arc (m, m, rad).

    *place* has rows of x, y, heading; *step* of left, right, sideways.

    >>> reckoned(np.array([[0.0, 0.0, 0.0]]), np.array([[1.0, 1.0, 0.0]]), np.array([0.3])).tolist()
    [[1.0, 0.0, 0.0]]
    """
    left, right, side = step.T
    ahead, turn = (left + right) / 2, (right - left) / tracks_m
    half = turn / 2
    middle = place[:, 2] + half
    angle = np.where(half == 0.0, 1.0e-20, half)
    chord = arrays.sin(angle) / angle  # as a share of the arc
    x = place[:, 0] + chord * (ahead * arrays.cos(middle) - side * arrays.sin(middle))
    y = place[:, 1] + chord * (ahead * arrays.sin(middle) + side * arrays.cos(middle))
    heading = place[:, 2] + turn
    return np.column_stack([x, y, heading - math.tau * np.ceil(heading / math.tau - 0.5)])
