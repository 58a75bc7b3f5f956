"""Unit conversions for files, protocols and the command line. Internally everything is SI and integer microseconds."""

from __future__ import annotations

import math

US_PER_S = 1_000_000
US_PER_MS = 1_000
KNOTS_PER_M_S = 1.943844
KM_H_PER_M_S = 3.6


def wrap_rad(angle: float) -> float:
    """Return *angle* wrapped into (-pi, pi] (rad)."""
    folded = math.remainder(angle, math.tau)
    return math.pi if folded == -math.pi else folded


def microseconds(seconds: float) -> int:
    """Return *seconds* as whole microseconds."""
    return round(seconds * US_PER_S)


def seconds(microseconds: int) -> float:
    """Return *microseconds* in seconds."""
    return microseconds / US_PER_S
