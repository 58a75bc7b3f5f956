"""Series and range reductions for single numbers and for arrays: only sums and products.

Every function takes numbers or arrays and does the same operations in the same order for both, so the results are
bit-identical. The series are Taylor series with as many terms as matter after rounding. Constants that need more than
53 bits are split into parts, the first of which have so few bits that products with integers are exact.
"""

from __future__ import annotations

from typing import Any

LARGEST_RAD = 1e8  # larger angles are first reduced by the double nearest to a full turn
SMALL = 2.0**-27  # below, sine, tangent and arc tangent equal their argument
_ROUND = 1.5 * 2.0**52  # added and subtracted again, it rounds to the nearest integer

_QUARTERS = 0.6366197723675814  # quarter turns per radian: 2 / pi
_QUARTER = (
    float.fromhex("0x1.921fb54000000p+0"), float.fromhex("0x1.10b4610000000p-30"),
    float.fromhex("0x1.a626330000000p-58"), float.fromhex("0x1.45c06e0e68948p-86"),
)  # fmt: skip
_Q1, _Q2, _Q3, _Q4 = _QUARTER  # pi / 2: three parts of 27 bits, then the rest

PI, PI_REST = 3.141592653589793, 1.2246467991473532e-16
HALF_PI, HALF_PI_REST = 1.5707963267948966, 6.123233995736766e-17
LN2, LN2_REST = 0.6931471803691238, 1.9082149292705877e-10  # the first has 32 bits
_PER_LN2 = 1.4426950408889634
ARC_FROM = 0.1875  # above, arcs start at the nearest quarter
ARCS = (0.0, 0.24497866312686414, 0.4636476090008061, 0.6435011087932844, 0.7853981633974483)  # of 0, 1/4 ... 1
ARC_RESTS = (0.0, 1.0698755618734451e-17, 2.2698777452961687e-17, 1.5834785051444286e-17, 3.061616997868383e-17)
MOST_EXP, LEAST_EXP = 709.782712893384, -745.1332191019412  # beyond, exponentials are infinite and 0


def quarters(x: Any) -> Any:
    """Return the nearest integer number of quarter turns."""
    return (x * _QUARTERS + _ROUND) - _ROUND


def reduced(x: Any, k: Any) -> Any:
    """Return x minus k quarter turns, and its rounding error; |k| < 2**26."""
    a = x - k * _Q1
    b = k * _Q2
    s = a - b
    t = s - a
    lost = (a - (s - t)) - (b + t)
    c = k * _Q3
    u = s - c
    t = u - s
    rest = (lost + ((s - (u - t)) - (c + t))) - k * _Q4
    r = u + rest
    return r, (u - r) + rest


def sine(r: Any, rest: Any) -> Any:
    """Return the sine of at most an eighth of a turn, and its rounding error."""
    z = r * r
    p = 1 / 355687428096000
    p = -1 / 1307674368000 + z * p
    p = 1 / 6227020800 + z * p
    p = -1 / 39916800 + z * p
    p = 1 / 362880 + z * p
    p = -1 / 5040 + z * p
    p = 1 / 120 + z * p
    p = -1 / 6 + z * p
    small = r * z * p + rest * (1.0 - 0.5 * z)
    s = r + small
    return s, (r - s) + small


def cosine(r: Any, rest: Any) -> Any:
    """Return the cosine of at most an eighth of a turn, and its rounding error."""
    z = r * r
    p = -1 / 6402373705728000
    p = 1 / 20922789888000 + z * p
    p = -1 / 87178291200 + z * p
    p = 1 / 479001600 + z * p
    p = -1 / 3628800 + z * p
    p = 1 / 40320 + z * p
    p = -1 / 720 + z * p
    p = 1 / 24 + z * p
    half = 0.5 * z
    w = 1.0 - half
    small = ((1.0 - w) - half) + (z * z * p - r * rest)
    c = w + small
    return c, (w - c) + small


def ratio(s: Any, s_rest: Any, c: Any, c_rest: Any) -> Any:
    """Return (s + s_rest) / (c + c_rest), rounded about once."""
    q = s / c
    q_high, c_high = q * 134217729.0, c * 134217729.0  # 2**27 + 1: splits a number, so that products are exact
    q_high, c_high = q_high - (q_high - q), c_high - (c_high - c)
    q_low, c_low = q - q_high, c - c_high
    product = q * c
    lost = ((q_high * c_high - product) + q_high * c_low + q_low * c_high) + q_low * c_low
    return q + ((((s - product) - lost) + s_rest) - q * c_rest) / c


def powers(x: Any) -> Any:
    """Return the integer power of two that is nearest to exp(x)."""
    return (x * _PER_LN2 + _ROUND) - _ROUND


def growth(x: Any, k: Any) -> Any:
    """Return exp(x) / 2**k - 1."""
    high, low = x - k * LN2, k * LN2_REST
    r = high - low
    rest = (high - r) - low
    p = 1 / 87178291200
    p = 1 / 6227020800 + r * p
    p = 1 / 479001600 + r * p
    p = 1 / 39916800 + r * p
    p = 1 / 3628800 + r * p
    p = 1 / 362880 + r * p
    p = 1 / 40320 + r * p
    p = 1 / 5040 + r * p
    p = 1 / 720 + r * p
    p = 1 / 120 + r * p
    p = 1 / 24 + r * p
    p = 1 / 6 + r * p
    return r + (rest + r * r * (0.5 + r * p))


def logarithm(f: Any, rest: Any, k: Any) -> Any:
    """Return the logarithm of (1 + f + rest) * 2**k, where 1 + f lies between the roots of 1/2 and 2."""
    s = f / (2.0 + f)
    z = s * s
    p = 2 / 25
    p = 2 / 23 + z * p
    p = 2 / 21 + z * p
    p = 2 / 19 + z * p
    p = 2 / 17 + z * p
    p = 2 / 15 + z * p
    p = 2 / 13 + z * p
    p = 2 / 11 + z * p
    p = 2 / 9 + z * p
    p = 2 / 7 + z * p
    p = 2 / 5 + z * p
    p = 2 / 3 + z * p
    half = 0.5 * f * f
    small = half - (s * (half + z * p) + (rest / (1.0 + f) + k * LN2_REST))
    return k * LN2 - (small - f)


def arc(t: Any) -> Any:
    """Return the arc tangent of t minus t; |t| is at most `ARC_FROM`."""
    z = t * t
    p = -1 / 23
    p = 1 / 21 + z * p
    p = -1 / 19 + z * p
    p = 1 / 17 + z * p
    p = -1 / 15 + z * p
    p = 1 / 13 + z * p
    p = -1 / 11 + z * p
    p = 1 / 9 + z * p
    p = -1 / 7 + z * p
    p = 1 / 5 + z * p
    p = -1 / 3 + z * p
    return t * z * p


def arc_from(q: Any, begin: Any, known: Any, known_rest: Any) -> Any:
    """Return the arc tangent of q, as a large and a small part, from a known one nearby."""
    t = (q - begin) / (1.0 + q * begin)
    return known, t + (arc(t) + known_rest)


def less(whole: Any, rest: Any, high: Any, low: Any) -> Any:
    """Return ``whole - high``, and the correction to it, for arcs in two parts."""
    h = whole - high
    return h, ((whole - h) - high) + (rest - low)
