"""Elementary functions (sine, logarithm ...) of one number, bit-identical on every processor.

The C library's differ in their last bit between processors with and without fused multiply-add, and NumPy's between
those with and without AVX-512. These use only sums, products, quotients, roots and shifts, which IEEE 754 rounds
exactly. Kernels call them too (`jit` makes that possible), and `elementary.arrays` has the same for arrays. Errors are
little more than the last bit; angles beyond 1e8 rad lose what the double nearest to a full turn lacks.

They raise nothing: an undefined result is NaN, and overflow is infinite.
"""

from __future__ import annotations

import math

from understudy.elementary.pieces import (
    ARC_FROM,
    ARC_RESTS,
    ARCS,
    HALF_PI,
    HALF_PI_REST,
    LARGEST_RAD,
    LEAST_EXP,
    MOST_EXP,
    PI,
    PI_REST,
    SMALL,
    arc,
    arc_from,
    cosine,
    growth,
    less,
    logarithm,
    powers,
    quarters,
    ratio,
    reduced,
    sine,
)

_TAU = math.tau
_INFINITE = math.inf
_NAN = math.nan
_ROOT_HALF = 0.7071067811865476


def folded(x: float) -> float:
    """Return an angle in the range of `reduced`."""
    if abs(x) <= LARGEST_RAD:
        return x
    return math.copysign(abs(x) % _TAU, x) if abs(x) < _INFINITE else _NAN


def sin(x: float) -> float:
    """Return the sine.

    >>> sin(0.5)
    0.479425538604203
    """
    x = folded(float(x))
    if not abs(x) > SMALL:
        return x
    k = quarters(x)
    r, rest = reduced(x, k)
    quarter = int(k) & 3
    value, _ = sine(r, rest) if quarter & 1 == 0 else cosine(r, rest)
    return float(-value if quarter & 2 else value)


def cos(x: float) -> float:
    """Return the cosine."""
    x = folded(float(x))
    if x != x:
        return x
    k = quarters(x)
    r, rest = reduced(x, k)
    quarter = int(k) & 3
    value, _ = cosine(r, rest) if quarter & 1 == 0 else sine(r, rest)
    return float(-value if (quarter + 1) & 2 else value)


def direction(x: float) -> tuple[float, float]:
    """Return cosine and sine together, which takes the interpreter half the time."""
    x = folded(float(x))
    if not abs(x) > SMALL:
        return (1.0 if x == x else x), x
    k = quarters(x)
    r, rest = reduced(x, k)
    s, _ = sine(r, rest)
    c, _ = cosine(r, rest)
    quarter = int(k) & 3
    if quarter & 1:
        s, c = c, -s
    return (-c, -s) if quarter & 2 else (c, s)


def tan(x: float) -> float:
    """Return the tangent."""
    x = folded(float(x))
    if not abs(x) > SMALL:
        return x
    k = quarters(x)
    r, rest = reduced(x, k)
    s, s_rest = sine(r, rest)
    c, c_rest = cosine(r, rest)
    return float(ratio(s, s_rest, c, c_rest) if int(k) & 1 == 0 else -ratio(c, c_rest, s, s_rest))


def arc_parts(q: float) -> tuple[float, float]:
    """Return the arc tangent of q, from 0 to 1, as a large and a small part."""
    if q < ARC_FROM:
        return q, arc(q)
    n = int(q * 4.0 + 0.5)
    high, low = arc_from(q, 0.25 * n, ARCS[n], ARC_RESTS[n])
    return high, low


def atan2(y: float, x: float) -> float:
    """Return the angle of the point (x, y), from -pi to pi.

    >>> atan2(1.0, -1.0), atan2(-0.0, -1.0)
    (2.356194490192345, -3.141592653589793)
    """
    y, x = float(y), float(x)
    if x != x or y != y:
        return _NAN
    high, wide = abs(y), abs(x)
    if high == wide:
        q = 0.0 if high == 0.0 else 1.0
    else:
        q = high / wide if high < wide else wide / high
    h, low = arc_parts(q)
    if high > wide:
        h, low = less(HALF_PI, HALF_PI_REST, h, low)
    if math.copysign(1.0, x) < 0.0:
        h, low = less(PI, PI_REST, h, low)
    return math.copysign(h + low, y)


def atan(x: float) -> float:
    """Return the arc tangent."""
    return atan2(x, 1.0)


def asin(x: float) -> float:
    """Return the arc sine."""
    x = float(x)
    if not abs(x) <= 1.0:
        return _NAN
    return atan2(x, math.sqrt((1.0 - x) * (1.0 + x)))


def acos(x: float) -> float:
    """Return the arc cosine."""
    x = float(x)
    if not abs(x) <= 1.0:
        return _NAN
    return atan2(math.sqrt((1.0 - x) * (1.0 + x)), x)


def exp(x: float) -> float:
    """Return e to the power of x.

    >>> exp(1.0), exp(1000.0)
    (2.718281828459045, inf)
    """
    x = float(x)
    if not LEAST_EXP <= x <= MOST_EXP:
        return _INFINITE if x > 0.0 else 0.0 if x < 0.0 else x
    k = powers(x)
    return math.ldexp(1.0 + growth(x, k), int(k))


def expm1(x: float) -> float:
    """Return exp(x) - 1, accurate also near 0."""
    x = float(x)
    if not abs(x) < 40.0:
        return exp(x) - 1.0
    if abs(x) < SMALL * SMALL:
        return x
    k = powers(x)
    power = math.ldexp(1.0, int(k))
    return float((power - 1.0) + power * growth(x, k))


def log(x: float) -> float:
    """Return the natural logarithm; minus infinity of 0.

    >>> log(10.0)
    2.302585092994046
    """
    x = float(x)
    if not 0.0 < x < _INFINITE:
        return x if x > 0.0 or x != x else -_INFINITE if x == 0.0 else _NAN
    m, k = math.frexp(x)
    if m < _ROOT_HALF:
        m, k = m * 2.0, k - 1
    return float(logarithm(m - 1.0, 0.0, float(k)))


def log1p(x: float) -> float:
    """Return log(1 + x), accurate also near 0."""
    x = float(x)
    if not -1.0 < x < 1e15:
        return log(1.0 + x)
    if abs(x) < SMALL * SMALL:
        return x
    if -0.25 < x < 0.4:
        return float(logarithm(x, 0.0, 0.0))
    total = 1.0 + x
    rest = x - (total - 1.0) if total < 2.0 else 1.0 - (total - x)
    m, k = math.frexp(total)
    if m < _ROOT_HALF:
        m, k = m * 2.0, k - 1
    return float(logarithm(m - 1.0, math.ldexp(rest, -k), float(k)))


def sinh(x: float) -> float:
    """Return the hyperbolic sine; infinite beyond 709.7."""
    if abs(x) < SMALL:
        return float(x)
    grown = expm1(abs(float(x)))
    value = 0.5 * (grown + grown / (grown + 1.0)) if grown < _INFINITE else grown
    return math.copysign(value, x)


def cosh(x: float) -> float:
    """Return the hyperbolic cosine; infinite beyond 709.7."""
    grown = exp(abs(float(x)))
    return 0.5 * grown + 0.5 / grown


def asinh(x: float) -> float:
    """Return the inverse hyperbolic sine."""
    a = abs(float(x))
    square = a * a
    return math.copysign(log1p(a + square / (1.0 + math.sqrt(1.0 + square))) if square < _INFINITE else a, x)


def atanh(x: float) -> float:
    """Return the inverse hyperbolic tangent."""
    a = abs(float(x))
    if not a < 1.0:
        return math.copysign(_INFINITE, x) if a == 1.0 else _NAN
    return math.copysign(0.5 * log1p(2.0 * a / (1.0 - a)), x)


def power(x: float, exponent: float) -> float:
    """Return x to any power, for x >= 0; the error in last bits is about the number of digits of the power."""
    if x == 0.0 or exponent == 0.0:
        return 1.0 if exponent == 0.0 else 0.0 if exponent > 0.0 else _INFINITE
    return exp(exponent * log(x))


def hypot(x: float, y: float, z: float = 0.0) -> float:
    """Return the length of a vector with two or three components, whose squares must not overflow."""
    return math.sqrt(x * x + y * y + z * z)
