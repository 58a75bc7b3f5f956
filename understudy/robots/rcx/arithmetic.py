"""Arithmetic and comparisons of the RCX; results are wrapped to 16 or 32 bits where they are stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType


def divided(a: int, b: int) -> int:
    """Return a quotient, toward 0; division by 0 changes nothing."""
    return a if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int:
    return a if b == 0 else a - b * divided(a, b)


def magnitude(a: int) -> int:
    """Return the magnitude of a number of 16 bits."""
    return min(abs(a), 32_767)


def _sign(a: int) -> int:
    return (a > 0) - (a < 0)


OPERATIONS: Mapping[str, Callable[[int, int], int]] = MappingProxyType({
    "set": lambda a, b: b, "sum": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "div": divided, "and": lambda a, b: a & b, "or": lambda a, b: a | b, "not": lambda a, b: ~b, "mod": _remainder,
    "sgn": lambda a, b: _sign(b), "abs": lambda a, b: magnitude(b), "xor": lambda a, b: a ^ b, "neg": lambda a, b: -b,
    "shl": lambda a, b: a << min(b & 0xFFFF, 16), "shr": lambda a, b: a >> min(b & 0xFFFF, 16),
    "btst": lambda a, b: a >> (b & 15) & 1, "bset": lambda a, b: a | 1 << (b & 15),
    "bclr": lambda a, b: a & ~(1 << (b & 15)),
})  # fmt: skip

# of chk and its relatives, by number
RELATIONS: tuple[Callable[[float, float], bool], ...] = (
    lambda a, b: a > b, lambda a, b: a < b, lambda a, b: a == b, lambda a, b: a != b,
)  # fmt: skip
