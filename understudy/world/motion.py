"""Planar motion of a robot in its own frame: one order of the three numbers everywhere."""

from __future__ import annotations

from typing import NamedTuple

from understudy import elementary


class Motion(NamedTuple):
    """Commanded or true speeds of a robot; rows of targets have the same order."""

    ahead_m_s: float = 0.0
    left_m_s: float = 0.0
    turn_rad_s: float = 0.0


REST = Motion()


def in_own_frame(heading_rad: float, vx_m_s: float, vy_m_s: float, turn_rad_s: float) -> Motion:
    """Return the motion of a robot from its velocity in the world."""
    cos, sin = elementary.cos(heading_rad), elementary.sin(heading_rad)
    return Motion(cos * vx_m_s + sin * vy_m_s, cos * vy_m_s - sin * vx_m_s, turn_rad_s)
