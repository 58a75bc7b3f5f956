"""Noise as stages on a batch's array; "perfect" switches all of them off and changes nothing else.

A reading's key is (seed, owner, sample, column), so devices do not affect each other; a missing echo gets no noise.

White noise (`white_noise`) and losses are compiled, because every laser has them. Losses have a stage of their own and
are drawn as gaps: block g gives the number of readings between lost reading g of the row and the previous one, so a row
needs few draws at any width. Where the values of a reading belong together (a fix, a colour, three axes), one draw
decides for all of them whether they are lost, and one whether they are outliers.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from numba import uint64

from understudy import elementary
from understudy.jit import inner, kernel
from understudy.rng import QUANTILES, normals, row_of_normals, row_of_words, uniform, words
from understudy.sensors.imperfection import Noise
from understudy.sensors.white_noise import SPREAD, spread

Array = npt.NDArray[np.float64]
Keys = npt.NDArray[np.uint32]

LOSS, DRIFT, RELATIVE, OUTLIER, WILD, FILTER, SIGNAL, UNIFORM = range(SPREAD + 1, SPREAD + 9)  # stages that draw
_LOSS = np.uint64(LOSS)
_TILE = 256  # blocks drawn at a time: they fit into the L1 cache


def _room() -> tuple[Array, npt.NDArray[np.uint32], Array]:
    """Return the buffers for drawing: the quantile table, room for blocks and for normal numbers."""
    return QUANTILES, np.empty((4, _TILE), np.uint32), np.empty(4 * _TILE)


def pace(lost: float) -> float:
    """Return the mean distance of losses, as a factor of the logarithm of a uniform number."""
    return 1.0 / elementary.log1p(-lost) if 0.0 < lost < 1.0 else 0.0


def corrupt(
    noise: Noise,
    values: Array,
    scales: Array,
    floor: float,
    nothing: float,
    keys: Keys,
    sample: int,
    walk: Array | None = None,
    whole: bool = False,
) -> None:
    """Apply every stage of *noise* in place; column c gets scales[c] of it, and 0 leaves it unchanged.

    A reading falls below *floor* or reaches *nothing* only by being lost. *walk* is the drift of each so far.
    If a reading is *whole*, all its values are lost or outliers together.
    """
    if noise.preset == "perfect" or not values.size:
        return
    everyone = np.arange(len(values))
    if not noise.plain:
        _shift(noise, values, scales, nothing, keys, sample, walk)
    sigma = noise.amount("sigma")
    if sigma > 0.0:
        spread(values, everyone, 0, len(values), sigma, scales, floor, nothing, keys, sample, QUANTILES)
    if noise.amount("uniform") > 0.0:
        _jitter(noise, values, scales, floor, nothing, keys, sample)
    if noise.outliers > 0.0:
        _replace_outliers(noise, values, scales, floor, nothing, keys, sample, whole)
    if noise.lost > 0.0 and whole:
        _lose_whole(noise, values, scales, nothing, keys, sample)
    elif noise.lost > 0.0:
        lose(values, everyone, 0, len(values), scales, pace(noise.lost), nothing, keys, sample)
    if not noise.plain:
        _round(noise, values, scales, floor, nothing)


# ---- stages that few devices have


def draw_normal(keys: Keys, sample: int, stage: int, columns: int) -> Array:
    """Return standard normal numbers, one row per owner."""
    out = np.empty((len(keys), columns))
    _draw(out, np.arange(len(keys)), keys, sample, np.uint64(stage), True, *_room())
    return out


def draw_uniform(keys: Keys, sample: int, stage: int, columns: int) -> Array:
    """Return numbers between 0 and 1, one row per owner."""
    out = np.empty((len(keys), columns))
    _draw(out, np.arange(len(keys)), keys, sample, np.uint64(stage), False, *_room())
    return out


def wander(noise: Noise, walk: Array, keys: Keys, sample: int, period_us: int) -> None:
    """Advance drifts by one sample: a random walk, or one with a correlation time."""
    period_s, time_s = period_us / 1e6, noise.drift_time_us / 1e6
    kept = elementary.exp(-period_s / time_s) if time_s else 1.0
    size = math.sqrt(1.0 - kept * kept) if time_s else math.sqrt(period_s)
    if sample == 0:  # a drift with a correlation time starts in its steady state; a random walk starts at zero
        kept, size = 0.0, 1.0 if time_s else 0.0
    walk *= kept
    walk += noise.amount("drift") * size * draw_normal(keys, sample, DRIFT, walk.shape[1])


def _touched(values: Array, scales: Array, nothing: float) -> npt.NDArray[np.bool_]:
    """Return which values noise may change."""
    return np.asarray((values != nothing) & ~np.isnan(values) & (scales != 0.0))


def _shift(
    noise: Noise, values: Array, scales: Array, nothing: float, keys: Keys, sample: int, walk: Array | None
) -> None:
    """Apply scale, bias, drift, and the part of the white noise that grows with the reading."""
    shifted = noise.scale * values + noise.amount("bias") * scales
    if walk is not None:
        shifted += walk * scales
    if noise.relative > 0.0:
        shifted += noise.relative * np.abs(values) * draw_normal(keys, sample, RELATIVE, values.shape[1])
    np.copyto(values, shifted, where=_touched(values, scales, nothing))


def _jitter(noise: Noise, values: Array, scales: Array, floor: float, nothing: float, keys: Keys, sample: int) -> None:
    """Add uniform noise."""
    draws = 2.0 * draw_uniform(keys, sample, UNIFORM, values.shape[1]) - 1.0
    low, high = (floor, nothing) if nothing > floor else (-math.inf, math.inf)
    jittered = np.clip(values + noise.amount("uniform") * scales * draws, low, high)
    np.copyto(values, jittered, where=_touched(values, scales, nothing))


def _replace_outliers(
    noise: Noise, values: Array, scales: Array, floor: float, nothing: float, keys: Keys, sample: int, whole: bool
) -> None:
    """Replace outliers."""
    struck = draw_uniform(keys, sample, OUTLIER, 1 if whole else values.shape[1]) < noise.outliers
    struck = struck & _touched(values, scales, nothing)
    low, high = max(noise.bound("low", floor), floor), nothing if nothing > floor else math.inf
    high, size = min(noise.bound("high", high), high), noise.amount("outlier")
    if size > 0.0 or not math.isfinite(low + high):
        wrong = values + size * scales * draw_normal(keys, sample, WILD, values.shape[1])
    else:
        wrong = low + (high - low) * draw_uniform(keys, sample, WILD, values.shape[1])
    np.copyto(values, np.clip(wrong, low, high), where=struck)


def _lose_whole(noise: Noise, values: Array, scales: Array, nothing: float, keys: Keys, sample: int) -> None:
    """Lose whole readings: every value that noise may change."""
    gone = draw_uniform(keys, sample, LOSS, 1) < noise.lost
    np.copyto(values, nothing, where=gone & ~np.isnan(values) & (scales != 0.0))


def _round(noise: Noise, values: Array, scales: Array, floor: float, nothing: float) -> None:
    """Round to the device's steps and clip."""
    step, low, high = noise.amount("step"), noise.bound("low", -math.inf), noise.bound("high", math.inf)
    if step == 0.0 and max(low, floor) == -math.inf and high == math.inf:
        return
    seen = _touched(values, scales, nothing)
    reported = step * np.rint(values / step) if step > 0.0 else values
    np.copyto(values, np.clip(reported, max(low, floor), high), where=seen)


# ---- compiled stages


@inner()
def _list(blocks, keys, todo, top, bottom, left, right):
    n = 0
    for p in range(top, bottom):
        i = todo[p]
        for number in range(left, right):
            blocks[0, n], blocks[1, n], blocks[2, n] = keys[i, 0], keys[i, 1], number
            n += 1
    return n


@kernel()
def lose(values, todo, first, last, scales, pace, nothing, keys, sample):
    """Lose readings of the rows todo[first:last]."""
    columns = values.shape[1]
    for p in range(first, last):
        i = todo[p]
        at = -1.0
        for gap in range(columns):
            at += 1.0 + np.floor(elementary.log(uniform(keys[i, 0], keys[i, 1], sample, _LOSS, gap)) * pace)
            if not at < columns:  # also if it has become infinite
                break
            c = uint64(at)
            if scales[c] != 0.0 and values[i, c] == values[i, c]:
                values[i, c] = nothing


def _draw_by_rows(out, todo, keys, sample, stage, normal, table, blocks, errors):
    """Do the same as `_draw`, by NumPy over whole rows."""
    for i in range(out.shape[0]):
        words = row_of_words(sample, stage, keys[todo[i], 0], keys[todo[i], 1], out.shape[1])
        out[i] = row_of_normals(words, table) if normal else (words + 0.5) * 2.0**-32


@kernel(twin=_draw_by_rows)
def _draw(out, todo, keys, sample, stage, normal, table, blocks, errors):
    """Write standard normal or uniform numbers, one row per key."""
    columns = out.shape[1]
    across = (columns + 3) // 4
    for i in range(out.shape[0]):
        for left in range(0, across, _TILE):
            right = left + _TILE if left + _TILE < across else across
            count = _list(blocks, keys, todo, i, i + 1, left, right)
            words(sample, stage, blocks, count)
            normals(blocks, count, table, errors)
            for c in range(4 * left, min(4 * right, columns)):
                n = c - 4 * left
                out[i, c] = errors[n] if normal else (blocks[n % 4, n // 4] + 0.5) * 2.0**-32
