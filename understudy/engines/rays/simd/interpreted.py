"""The functions of `vec8` and `llvm` in NumPy: bit-identical stand-ins until kernels are compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from understudy.tiers.memory import flat

WIDTH = 8
_FIRST = [np.arange(WIDTH) < count for count in range(WIDTH + 1)]
_BITS = {bytes((whole >> lane) & 1 for lane in range(WIDTH)): whole for whole in range(1 << WIDTH)}  # a fast lookup


# ---- memory


def at(array: Any, index: Any) -> Any:
    """Return ``array[index]``, for any shape."""
    return array.item(index)


def put(array: Any, index: Any, value: Any) -> None:
    """Do ``array[index] = value``, for any shape."""
    flat(array)[index] = value


def fetch(array: Any, index: Any) -> None:
    """Do nothing: prefetching has no effect in the interpreter."""


def load(array: Any, index: Any) -> Any:
    """Return the values from *index* on; a copy, because they may be overwritten while in use."""
    return flat(array)[index : index + WIDTH].copy()


def load_some(array: Any, index: Any, count: Any) -> Any:
    """Return *count* values from *index* on, and 0 after them."""
    found = np.zeros(WIDTH)
    some = min(max(count, 0), WIDTH)
    found[:some] = flat(array)[index : index + some]
    return found


def store(array: Any, index: Any, values: Any) -> None:
    """Write values from *index* on."""
    flat(array)[index : index + WIDTH] = values


def store_some(array: Any, index: Any, count: Any, values: Any) -> None:
    """Write the first *count* values from *index* on."""
    some = min(max(count, 0), WIDTH)
    flat(array)[index : index + some] = values[:some]


# ---- numbers


def high(a: Any, b: Any) -> Any:
    """Return the larger of each two, else the second."""
    return np.where(a > b, a, b)


def low(a: Any, b: Any) -> Any:
    """Return the smaller of each two, else the second."""
    return np.where(a < b, a, b)


def largest(a: Any) -> float:
    """Return the largest, as `high` compares, half with half."""
    while len(a) > 1:
        a = high(a[: len(a) // 2], a[len(a) // 2 :])
    return float(a[0])


def smallest(a: Any) -> float:
    """Return the smallest, as `low` compares, half with half."""
    while len(a) > 1:
        a = low(a[: len(a) // 2], a[len(a) // 2 :])
    return float(a[0])


def dot(ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    """Return ``ax * bx + ay * by``."""
    return ax * bx + ay * by


def cross(ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    """Return ``ax * by - ay * bx``."""
    return ax * by - ay * bx


def polynomial(x: Any, factors: Any) -> Any:
    """Return a polynomial; the factor of the highest power is the last."""
    total = np.full(WIDTH, factors[-1])
    for factor in factors[-2::-1]:
        total = total * x + factor
    return total


# ---- flags


def every(number: Any) -> Any:
    """Return eight times the same number."""
    return np.full(WIDTH, number, np.float64)


def select(which: Any, a: Any, b: Any) -> Any:
    """Return *a* where flagged, else *b*."""
    return np.where(which, a, b)


def first_lanes(count: Any) -> Any:
    """Return flags for the first *count* lanes."""
    return _FIRST[min(max(count, 0), WIDTH)]


def lanes_between(first: Any, last: Any) -> Any:
    """Return flags from *first* on, before *last*."""
    return ~first_lanes(first) & first_lanes(last)


def bits(which: Any) -> int:
    """Return flags as the bits of an integer."""
    return _BITS[which.tobytes()]


def lowest(whole: Any) -> int:
    """Return the number of the lowest bit that is not 0."""
    return int(whole & -whole).bit_length() - 1
