"""Imperfection as a compiled stage on a batch's array; "perfect" switches the stage off and nothing else.

A reading's key is (seed, owner, sample, column), so no path disturbs another; a missing echo never gets noise.

Column c spreads by the normal number of word c % 4 of block c // 4. Losses have a stage of their own and are drawn as
gaps: block g gives the number of readings between lost reading g of the row and the one before, so a row costs few
draws however wide it is.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from numba import uint64

from understudy.compiled import kernel
from understudy.rng import QUANTILES, normals, uniform, words
from understudy.sensors.imperfection import Noise

Array = npt.NDArray[np.float64]
Keys = npt.NDArray[np.uint32]

_SPREAD, _LOSS = np.uint64(1), np.uint64(2)
_TILE = 256  # blocks drawn at a time: few enough for the nearest cache


def corrupt(noise: Noise, values: Array, scales: Array, floor: float, nothing: float, keys: Keys, sample: int) -> None:
    """Add noise in place; column c spreads by sigma * scales[c] and never falls below *floor*; scale 0: untouched."""
    sigma = noise.amount("sigma")
    if noise.preset == "perfect" or not values.size:
        return
    if sigma > 0.0:
        blocks, errors = np.empty((4, _TILE), np.uint32), np.empty(4 * _TILE)
        _spread(values, sigma, scales, floor, nothing, keys, sample, QUANTILES, blocks, errors)
    if noise.lost > 0.0:
        pace = 1.0 / math.log1p(-noise.lost) if noise.lost < 1.0 else 0.0
        _lose(values, scales, pace, nothing, keys, sample)


@kernel()
def _spread(values, sigma, scales, floor, nothing, keys, sample, table, blocks, errors):  # type: ignore[no-untyped-def]
    """Disturb tile after tile: as many whole rows as fit, or a part of one row."""
    rows, columns = values.shape
    across = (columns + 3) // 4
    wide = across if across < _TILE else _TILE
    tall = _TILE // wide
    for top in range(0, rows, tall):
        bottom = top + tall if top + tall < rows else rows
        for left in range(0, across, wide):
            right = left + wide if left + wide < across else across
            count = _list(blocks, keys, top, bottom, left, right)
            words(sample, _SPREAD, blocks, count)
            normals(blocks, count, table, errors)
            end = 4 * right if 4 * right < columns else columns
            for i in range(top, bottom):
                skipped = 4 * (i - top) * (right - left)
                _add(values, i, 4 * left, end, errors, skipped, sigma, scales, floor, nothing)


@kernel(inline=True)
def _list(blocks, keys, top, bottom, left, right):  # type: ignore[no-untyped-def]
    n = 0
    for i in range(top, bottom):
        for number in range(left, right):
            blocks[0, n], blocks[1, n], blocks[2, n] = keys[i, 0], keys[i, 1], number
            n += 1
    return n


@kernel(inline=True)
def _add(values, i, begin, end, errors, skipped, sigma, scales, floor, nothing):  # type: ignore[no-untyped-def]
    row, offset = uint64(i), uint64(skipped - begin)
    low, high = (floor, nothing) if nothing > floor else (-math.inf, math.inf)
    for c in range(uint64(begin), uint64(end)):
        truth = values[row, c]
        value = truth + sigma * scales[c] * errors[c + offset]
        value = low if value < low else value
        value = high if value > high else value
        values[row, c] = value if truth != nothing and scales[c] != 0.0 else truth


@kernel()
def _lose(values, scales, pace, nothing, keys, sample):  # type: ignore[no-untyped-def]
    rows, columns = values.shape
    for i in range(rows):
        at = -1.0
        for gap in range(columns):
            at += 1.0 + np.floor(math.log(uniform(keys[i, 0], keys[i, 1], sample, _LOSS, gap)) * pace)
            if not at < columns:  # also where it has become infinite
                break
            c = uint64(at)
            if scales[c] != 0.0 and values[i, c] == values[i, c]:
                values[i, c] = nothing
