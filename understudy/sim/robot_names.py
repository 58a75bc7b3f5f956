"""Robots by name: the one that is meant, or an error that suggests one."""

from __future__ import annotations

from collections.abc import Sequence

from understudy.errors import UnknownName, nearest
from understudy.world.robot import PlacedRobot


def called(name: str, robots: Sequence[PlacedRobot]) -> PlacedRobot:
    """Return the robot of this name; raises UnknownName."""
    return robots[row_of(name, robots)]


def row_of(name: str, robots: Sequence[PlacedRobot]) -> int:
    """Return the place of the robot of this name; raises UnknownName."""
    for row, robot in enumerate(robots):
        if robot.name == name:
            return row
    raise UnknownName(f"no robot is named {name!r} {nearest(name, (robot.name for robot in robots))}")
