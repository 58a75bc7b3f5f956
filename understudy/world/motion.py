"""Planar motion of a robot in its own frame: one order of the three numbers everywhere."""

from __future__ import annotations

from typing import NamedTuple


class Motion(NamedTuple):
    """Commanded or true speeds of a robot; rows of targets have the same order."""

    ahead_m_s: float = 0.0
    left_m_s: float = 0.0
    turn_rad_s: float = 0.0


REST = Motion()
