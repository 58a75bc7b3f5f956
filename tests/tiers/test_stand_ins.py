"""Every intrinsic against what stands in for it where nothing is compiled, on random numbers and on odd ones."""

import math

import numpy as np
import pytest
from numba import njit

from understudy.engines.rays.simd import interpreted, llvm, vec8

at, put, bits, cross, dot, every = llvm.at, llvm.put, vec8.bits, vec8.cross, vec8.dot, vec8.every
load, load_some, store, store_some, select = vec8.load, vec8.load_some, vec8.store, vec8.store_some, vec8.select
high, low, largest, smallest, root, size = vec8.high, vec8.low, vec8.largest, vec8.smallest, vec8.root, vec8.size
ceiling, polynomial, lowest = vec8.ceiling, vec8.polynomial, vec8.lowest
first_lanes, lanes_between = vec8.first_lanes, vec8.lanes_between

ROUNDS = 200


@njit(error_model="numpy")
def _numbers(a, b, c, d, x, some, out):
    """Write what all operations make of eight numbers of each array."""
    p, q, r, s = load(a, 0), load(b, 0), load(c, 0), load(d, 0)
    store(out, 0, high(p, q))
    store(out, 8, low(p, q))
    store(out, 16, high(p, x))
    store(out, 24, low(x, p))
    store(out, 32, dot(p, q, r, s))
    store(out, 40, cross(p, q, r, s))
    store(out, 48, polynomial(p, (1.5, -2.25, x)))
    store(out, 56, root(p))
    store(out, 64, size(p))
    store(out, 72, ceiling(p))
    store(out, 80, select(p < q, r, x))
    store(out, 88, select((p <= q) & (r > s), p / q, 1.0 - s))
    store(out, 96, load_some(a, 0, some))
    store_some(out, 104, some, every(x))
    put(out, 112, largest(p))
    put(out, 113, smallest(p))
    put(out, 114, at(a, 3))
    put(out, 115, dot(x, x, x, 2.0))


@njit(error_model="numpy")
def _flags(a, b, n, m):
    p, q = load(a, 0), load(b, 0)
    both = bits((p < q) | (p >= 1.0))
    return both, bits(first_lanes(n)), bits(lanes_between(n, m)), lowest(both | 256)


def _interpreted(function):
    """Return a function with stand-ins instead of intrinsics."""
    from understudy.tiers.twins import twin_of

    twin = twin_of(function)

    def silent(*arguments):
        with np.errstate(all="ignore"):
            return twin(*arguments)

    return silent


def _eights(random, odd):
    values = random.normal(size=(4, 8)) * 10.0 ** random.integers(-3, 4, size=(4, 8))
    if odd:
        values[random.random((4, 8)) < 0.3] = random.choice([0.0, -0.0, math.inf, -math.inf, math.nan, 1.0])
    return values


@pytest.mark.parametrize("odd", [False, True])
def test_numbers_are_the_same_bit_for_bit(odd):
    random, twin = np.random.default_rng(1), _interpreted(_numbers)
    for _ in range(ROUNDS):
        values, x, some = _eights(random, odd), float(random.normal()), int(random.integers(-1, 10))
        mine, theirs = np.zeros(116), np.zeros(116)
        _numbers(*values, x, some, mine)
        twin(*values, x, some, theirs)
        nan = np.isnan(mine)
        assert np.array_equal(nan, np.isnan(theirs))  # which NaN it is nobody asks
        assert mine[~nan].tobytes() == theirs[~nan].tobytes()


@pytest.mark.parametrize("odd", [False, True])
def test_flags_are_the_same(odd):
    random, twin = np.random.default_rng(2), _interpreted(_flags)
    for _ in range(ROUNDS):
        values, (n, m) = _eights(random, odd), random.integers(-2, 11, 2).tolist()
        assert _flags(values[0], values[1], n, m) == twin(values[0], values[1], n, m)


def test_nothing_that_emits_code_lacks_a_stand_in():
    from understudy.tiers.twins import _STAND_INS

    intrinsics = [value for value in (*vars(vec8).values(), *vars(llvm).values()) if hasattr(value, "_defn")]
    assert len(intrinsics) > 20
    assert all(id(value) in _STAND_INS for value in intrinsics)


def test_what_is_loaded_is_a_copy():
    row = np.arange(8.0)
    held = interpreted.load(row, 0)
    row[:] = 0.0
    assert held.tolist() == list(range(8))
