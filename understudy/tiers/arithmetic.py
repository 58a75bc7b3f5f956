"""Interpreter arithmetic that matches compiled code: where Python raises, the result is infinity, NaN or a number."""

from __future__ import annotations

import math as python
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

LEAST = -(1 << 63)  # x86-64's result for a float that does not fit into a 64-bit integer


def over(a: Any, b: Any) -> Any:
    """Return ``a / b``; division by zero gives infinity or NaN.

    >>> over(1.0, -0.0), over(3, 2)
    (-inf, 1.5)
    """
    try:
        return a / b
    except ZeroDivisionError:
        return python.nan if a == 0 or a != a else python.copysign(python.inf, a) * python.copysign(1.0, b)


def whole(number: Any) -> int:
    """Return ``int(number)``; `LEAST` if it does not fit into 64 bits.

    >>> whole(-2.5), whole(float("nan")) == whole(1e300) == LEAST
    (-2, True)
    """
    try:
        value = int(number)
    except (OverflowError, ValueError):
        return LEAST
    return value if LEAST <= value < -LEAST else LEAST


def _tolerant(function: Callable[..., Any], refused: float = python.nan) -> Callable[..., Any]:
    def tolerant(*numbers: Any) -> Any:
        try:
            return function(*numbers)
        except ValueError:
            return refused
        except OverflowError:
            return python.inf

    return tolerant


def _log(number: Any) -> float:
    return python.log(number) if number > 0.0 else -python.inf if number == 0.0 else python.nan


def _rounded(function: Callable[..., Any]) -> Callable[[Any], int]:
    def rounded(number: Any) -> int:
        return whole(function(number)) if -python.inf < number < python.inf else LEAST

    return rounded


_NAN = ("acos", "asin", "cos", "sin", "tan", "sqrt", "exp", "fmod", "remainder")
math = SimpleNamespace(
    **{**vars(python), **{name: _tolerant(getattr(python, name)) for name in _NAN}},
)  # the module as twins see it
math.log, math.floor, math.ceil = _log, _rounded(python.floor), _rounded(python.ceil)
