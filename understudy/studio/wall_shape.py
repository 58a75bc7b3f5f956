"""Walls that a user drags: shifted as a whole, or by one corner."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence

from understudy.errors import ChangeRefused
from understudy.world.changes import moved
from understudy.world.scene import Wall
from understudy.world.shapes import Pose

SHORTEST_M = 0.05  # piece of a wall that is drawn or dragged
DIGITS = 6  # micrometres, so that saved files have short numbers

Point = tuple[float, float]


def shifted(wall: Wall, dx_m: float, dy_m: float) -> Wall:
    """Return a wall that is moved as a whole."""
    new = moved(wall, Pose(dx_m, dy_m))
    assert isinstance(new, Wall)
    return dataclasses.replace(new, points_m=tuple(map(_tidy, new.points_m)))


def bent(wall: Wall, corner: int, dx_m: float, dy_m: float) -> Wall:
    """Return a wall with one corner moved; raises ChangeRefused if there is no such corner, or a piece is too short."""
    points = list(wall.points_m)
    if not 0 <= corner < len(points):
        raise ChangeRefused(f"{wall.name} has {len(points)} corners, and no corner {corner}")
    x, y = points[corner]
    points[corner] = _tidy((x + dx_m, y + dy_m))
    neighbours = [
        points[near % len(points)] for near in (corner - 1, corner + 1) if wall.closed or 0 <= near < len(points)
    ]
    try:
        for other in neighbours:
            check((points[corner], other))
    except ValueError as problem:
        raise ChangeRefused(f"{wall.name}: {problem}") from problem
    return dataclasses.replace(wall, points_m=tuple(points))


def check(points: Sequence[Point]) -> None:
    """Raise ValueError for a line with a piece that is too short to be a wall."""
    if any(math.dist(a, b) < SHORTEST_M for a, b in itertools.pairwise(points)):
        raise ValueError(f"want a wall of at least {SHORTEST_M:g} m")


def corner_word(wall: Wall, corner: int) -> str:
    """Return what a corner is called: the end of a line, or a corner between two pieces."""
    return "end" if not wall.closed and corner in (0, len(wall.points_m) - 1) else "corner"


def _tidy(point: Point) -> Point:
    return round(point[0], DIGITS), round(point[1], DIGITS)
