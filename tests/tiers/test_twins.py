"""Twins of kernels that have one of their own: the same numbers, faster than by their source."""

import math

import numpy as np
import pytest
from numba import njit
from tier_tools import interpreted

from understudy import rng
from understudy.sensors import noise
from understudy.sensors.white_noise import spread
from understudy.tiers import memory
from understudy.tiers.twins import twin_of

KEYS = np.array([[1, 2], [0xFFFFFFFF, 0x9ABCDEF0], [7, 0]], np.uint32)


@njit(error_model="numpy")
def _half(number):
    return number / 2.0


@njit(error_model="numpy")
def _odd(a, b, small):
    """Do all that the interpreter would refuse or do otherwise."""
    c = a / b
    c /= b
    total = small[0] + small[1]
    return c, math.sqrt(-a), max(-1.0, min(_half(c), 1.0)), int(min(max(c, -9.0), 9.0)), float(total)


def test_a_twin_does_what_the_interpreter_would_refuse():
    small = np.full(2, 200, np.uint8)
    for a, b in ((1.0, 0.0), (-1.0, 0.0), (1.0, -0.0), (3.0, 7.0)):
        with np.errstate(all="ignore"):
            mine = twin_of(_odd)(a, b, memory.as_compiled(small))
        assert np.array_equal(mine, _odd(a, b, small), equal_nan=True)


def test_a_twin_calls_twins():
    scope = twin_of(_odd).__globals__
    assert (scope["_half"], scope["_odd"]) == (twin_of(_half), twin_of(_odd))


def test_a_function_without_source_has_a_twin_too():
    scope = {"__name__": "nowhere"}
    exec("def quarter(number): return number / 4.0", scope)
    assert twin_of(njit(scope["quarter"]))(1.0) == 0.25


def test_words_are_those_of_the_compiled_generator():
    counters = np.random.default_rng(0).integers(0, 1 << 32, (50, 6), np.uint64)
    for row in counters:
        assert tuple(map(int, rng.philox(*row))) == twin_of(rng.philox)(*row)


@pytest.mark.parametrize("sample", [0, 5, (1 << 40) + 3])
def test_uniform_numbers_are_those_of_the_compiled_generator(sample):
    for k0, k1 in KEYS:
        assert rng.uniform(k0, k1, sample, np.uint64(2), 9) == twin_of(rng.uniform)(k0, k1, sample, np.uint64(2), 9)


@pytest.mark.parametrize("columns", [1, 3, 8, 181, 1030])
@pytest.mark.parametrize("draw", [noise.draw_normal, noise.draw_uniform])
def test_draws_are_those_of_compiled_code(draw, columns):
    compiled = draw(KEYS, 11, 3, columns)
    with interpreted():
        assert draw(KEYS, 11, 3, columns).tobytes() == compiled.tobytes()


@pytest.mark.parametrize("columns", [1, 7, 8, 181, 300])
@pytest.mark.parametrize("nothing", [8.0, -1.0])
def test_white_noise_is_that_of_compiled_code(columns, nothing):
    random = np.random.default_rng(4)
    truth, scales = random.uniform(0.0, 8.0, (3, columns)), random.choice([0.0, 1.0, 2.0], columns)
    truth[random.random(truth.shape) < 0.2] = nothing
    truth[random.random(truth.shape) < 0.05] = np.nan
    mine, theirs = truth.copy(), truth.copy()
    rest = (np.array([2, 0, 1]), 0, 3, 0.3, scales, 0.02, nothing, KEYS, 77, rng.QUANTILES)
    spread(mine, *rest)
    with interpreted():
        spread(theirs, *rest)
    assert mine.tobytes() == theirs.tobytes()


def test_losses_are_those_of_compiled_code():
    mine, theirs = np.full((3, 500), 4.0), np.full((3, 500), 4.0)
    rest = (np.arange(3), 0, 3, np.ones(500), noise.pace(0.1), 8.0, KEYS, 12)
    noise.lose(mine, *rest)
    with interpreted():
        noise.lose(theirs, *rest)
    assert (mine == 8.0).any()
    assert mine.tobytes() == theirs.tobytes()
