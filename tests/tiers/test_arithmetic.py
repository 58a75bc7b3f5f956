import math

import numpy as np
from numba import njit

from understudy.tiers import arithmetic

ODD = [0.0, -0.0, 1.0, -2.5, 1e300, -1e300, math.inf, -math.inf, math.nan, 5e-324]


def same(a, b):
    return np.float64(a).tobytes() == np.float64(b).tobytes() or (math.isnan(a) and math.isnan(b))


@njit(error_model="numpy")
def quotient(a, b):
    return a / b


@njit(error_model="numpy")
def functions(x):
    return math.sqrt(x), math.log(x), math.sin(x), math.asin(x), math.exp(x)


@njit(error_model="numpy")
def rounded(x):
    return int(x), math.floor(x), math.ceil(x)


def test_divisions_are_those_of_compiled_code():
    assert all(same(arithmetic.over(a, b), quotient(a, b)) for a in ODD for b in ODD)


def test_functions_are_those_of_compiled_code():
    mine = [[getattr(arithmetic.math, name)(x) for name in ("sqrt", "log", "sin", "asin", "exp")] for x in ODD]
    assert all(same(a, b) for x, row in zip(ODD, mine) for a, b in zip(row, functions(x)))


def test_whole_numbers_of_what_64_bits_hold_are_those_of_compiled_code():
    held = [x for x in [*ODD, 2.5, -0.5, 9.2e18, -(2.0**63)] if -(2.0**63) <= x < 2.0**63]
    mine = [(arithmetic.whole(x), arithmetic.math.floor(x), arithmetic.math.ceil(x)) for x in held]
    assert mine == [rounded(x) for x in held]


def test_whole_numbers_of_what_64_bits_do_not_hold_raise_nothing():
    assert {arithmetic.whole(x) for x in (math.nan, math.inf, -math.inf, 1e300)} == {arithmetic.LEAST}
