"""Elementary functions of arrays, bit-identical to those of `elementary` for each element."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.elementary import pieces
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
)

Array = npt.NDArray[np.float64]
_ARCS, _ARC_RESTS = np.array(ARCS), np.array(ARC_RESTS)
_ROOT_HALF = 0.7071067811865476
_FEW = 40  # for fewer numbers, scalar functions are faster than NumPy's many steps


def _of_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function take arrays of doubles; small ones are computed by `elementary`, number by number.

    NumPy's warnings are off meanwhile: it also computes branches that are not taken.
    """
    of_one = getattr(elementary, function.__name__)

    @wraps(function)
    def silent(*numbers: Any) -> Any:
        given = [np.asarray(each, np.float64) for each in numbers]
        if max(each.size for each in given) <= _FEW:
            rows = np.broadcast_arrays(*given) if len(given) > 1 else given
            found = np.array(list(map(of_one, *(row.ravel().tolist() for row in rows))), np.float64)
            return found.reshape(rows[0].shape)[()]
        with np.errstate(all="ignore"):
            return function(*given)[()]

    return silent


def _reduced(x: Array) -> tuple[Array, Array, Array]:
    """Return quarter turns from 0 to 3, and the remaining angles in two parts."""
    k = pieces.quarters(x)
    r, rest = pieces.reduced(x, k)
    return k - 4.0 * np.floor(0.25 * k), r, rest


def _folded(x: Array) -> Array:
    if np.abs(x).max(initial=0.0) <= LARGEST_RAD:
        return x
    return np.where(np.abs(x) <= LARGEST_RAD, x, np.fmod(x, np.float64(2.0 * np.pi)))


@_of_numbers
def sin(x: Any) -> Any:
    """Return the sines."""
    x = _folded(x)
    quarter, r, rest = _reduced(x)
    value = np.where((quarter == 0.0) | (quarter == 2.0), pieces.sine(r, rest)[0], pieces.cosine(r, rest)[0])
    return np.where(np.abs(x) > SMALL, np.where(quarter >= 2.0, -value, value), x)


@_of_numbers
def cos(x: Any) -> Any:
    """Return the cosines."""
    quarter, r, rest = _reduced(_folded(x))
    value = np.where((quarter == 0.0) | (quarter == 2.0), pieces.cosine(r, rest)[0], pieces.sine(r, rest)[0])
    return np.where((quarter == 1.0) | (quarter == 2.0), -value, value)


@_of_numbers
def tan(x: Any) -> Any:
    """Return the tangents."""
    x = _folded(x)
    quarter, r, rest = _reduced(x)
    s, c = pieces.sine(r, rest), pieces.cosine(r, rest)
    even = (quarter == 0.0) | (quarter == 2.0)
    return np.where(np.abs(x) > SMALL, np.where(even, pieces.ratio(*s, *c), -pieces.ratio(*c, *s)), x)


@_of_numbers
def atan2(y: Any, x: Any) -> Any:
    """Return the angles of points, from -pi to pi."""
    high, wide = np.abs(y), np.abs(x)
    q = np.where(high < wide, high / wide, wide / high)
    q = np.where(high == wide, np.where(high == 0.0, 0.0, 1.0), q)
    steep, lies = high > wide, np.copysign(1.0, x) < 0.0
    n = np.where(q >= ARC_FROM, q * 4.0 + 0.5, 0.0).astype(np.int64)
    near = q < ARC_FROM
    known, rest = pieces.arc_from(q, 0.25 * n, _ARCS[n], _ARC_RESTS[n])
    h, low = np.where(near, q, known), np.where(near, pieces.arc(q), rest)
    h, low = _where(steep, pieces.less(HALF_PI, HALF_PI_REST, h, low), (h, low))
    h, low = _where(lies, pieces.less(PI, PI_REST, h, low), (h, low))
    return np.where(np.isnan(x) | np.isnan(y), np.nan, np.copysign(h + low, y))


def _where(chosen: Any, some: tuple[Array, Array], others: tuple[Array, Array]) -> tuple[Array, Array]:
    return np.where(chosen, some[0], others[0]), np.where(chosen, some[1], others[1])


@_of_numbers
def atan(x: Any) -> Any:
    """Return the arc tangents."""
    return atan2(x, 1.0)


@_of_numbers
def asin(x: Any) -> Any:
    """Return the arc sines."""
    return atan2(x, np.sqrt((1.0 - x) * (1.0 + x)))


@_of_numbers
def acos(x: Any) -> Any:
    """Return the arc cosines."""
    return atan2(np.sqrt((1.0 - x) * (1.0 + x)), x)


@_of_numbers
def exp(x: Any) -> Any:
    """Return e to the power of each number."""
    inside = (x >= LEAST_EXP) & (x <= MOST_EXP)
    outside = np.where(x > 0.0, np.inf, np.where(x < 0.0, 0.0, x))
    k = pieces.powers(np.where(inside, x, 0.0))
    return np.where(inside, np.ldexp(1.0 + pieces.growth(x, k), k.astype(np.int64)), outside)


@_of_numbers
def expm1(x: Any) -> Any:
    """Return exp(x) - 1, accurate also near 0."""
    inside = np.abs(x) < 40.0
    k = pieces.powers(np.where(inside, x, 0.0))
    power = np.ldexp(1.0, k.astype(np.int64))
    near = np.where(np.abs(x) < SMALL * SMALL, x, (power - 1.0) + power * pieces.growth(x, k))
    return np.where(inside, near, exp(x) - 1.0)


@_of_numbers
def log(x: Any) -> Any:
    """Return the natural logarithms; minus infinity of 0."""
    m, k = _mantissas(x)
    value = pieces.logarithm(m - 1.0, 0.0, k.astype(np.float64))
    outside = np.where((x > 0.0) | np.isnan(x), x, np.where(x == 0.0, -np.inf, np.nan))
    return np.where((x > 0.0) & (x < np.inf), value, outside)


def _mantissas(x: Array) -> tuple[Array, npt.NDArray[Any]]:
    """Return mantissas about 1, and their powers of two."""
    m, k = np.frexp(x)
    low = m < _ROOT_HALF
    return np.where(low, m * 2.0, m), np.where(low, k - 1, k)


@_of_numbers
def log1p(x: Any) -> Any:
    """Return log(1 + x), accurate also near 0."""
    total = 1.0 + x
    rest = np.where(total < 2.0, x - (total - 1.0), 1.0 - (total - x))
    m, k = _mantissas(total)
    far = pieces.logarithm(m - 1.0, np.ldexp(rest, -k), k.astype(np.float64))
    near = np.where(np.abs(x) < SMALL * SMALL, x, pieces.logarithm(x, 0.0, 0.0))
    inside = np.where((x > -0.25) & (x < 0.4), near, far)
    return np.where((x > -1.0) & (x < 1e15), inside, log(total))


@_of_numbers
def sinh(x: Any) -> Any:
    """Return the hyperbolic sines; infinite beyond 709.7."""
    grown = expm1(np.abs(x))
    value = np.where(grown < np.inf, 0.5 * (grown + grown / (grown + 1.0)), grown)
    return np.where(np.abs(x) < SMALL, x, np.copysign(value, x))


@_of_numbers
def cosh(x: Any) -> Any:
    """Return the hyperbolic cosines; infinite beyond 709.7."""
    grown = exp(np.abs(x))
    return 0.5 * grown + 0.5 / grown


@_of_numbers
def atanh(x: Any) -> Any:
    """Return the inverse hyperbolic tangents."""
    a = np.abs(x)
    value = np.where(a == 1.0, np.inf, 0.5 * log1p(2.0 * a / (1.0 - a)))
    return np.where(a <= 1.0, np.copysign(value, x), np.nan)


@_of_numbers
def power(x: Any, exponent: Any) -> Any:
    """Return numbers >= 0 to any power; the error in last bits is about the number of digits of the power."""
    at_zero = np.where(exponent == 0.0, 1.0, np.where(exponent > 0.0, 0.0, np.inf))
    return np.where((x == 0.0) | (exponent == 0.0), at_zero, exp(exponent * log(x)))


@_of_numbers
def hypot(x: Any, y: Any) -> Any:
    """Return the lengths of vectors with two components, whose squares must not overflow."""
    return np.sqrt(x * x + y * y)


def lengths(vectors: Any) -> Any:
    """Return the lengths of vectors along the last axis; NumPy's own uses BLAS for a single vector."""
    vectors = np.asarray(vectors, np.float64)
    return np.sqrt((vectors * vectors).sum(axis=-1))


def product(a: Any, b: Any, *more: Any) -> Any:
    """Return the matrix product ``a @ b``, summed from left to right; the order of BLAS depends on the processor."""
    if more:
        return product(product(a, b), *more)
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    left = a[None, :] if a.ndim == 1 else a
    right = b[:, None] if b.ndim == 1 else b
    total = left[..., :, 0, None] * right[..., None, 0, :]
    for n in range(1, left.shape[-1]):
        total = total + left[..., :, n, None] * right[..., None, n, :]
    total = total[..., 0, :] if a.ndim == 1 else total
    return total[..., 0] if b.ndim == 1 else total


def inverse(matrix: Any) -> Array:
    """Return the inverse of a square matrix, by Gauss-Jordan; the order of LAPACK depends on the processor."""
    left, right = np.array(matrix, np.float64), np.eye(len(matrix))
    for n in range(len(left)):
        best = n + int(np.abs(left[n:, n]).argmax())
        if left[best, n] == 0.0:
            raise np.linalg.LinAlgError("the matrix is singular")
        for side in (left, right):
            side[[n, best]] = side[[best, n]]
        over = left[n, n]
        share = left[:, n] / over
        share[n] = 0.0
        for side in (left, right):
            side -= share[:, None] * side[n]
        right[n] /= over
        left[n] /= over
    return right


def grained(numbers: Any) -> Any:
    """Round to multiples of 2**-40, which removes last bits that depend on the library and the processor."""
    return np.rint(np.asarray(numbers, np.float64) * 2.0**40) / 2.0**40
