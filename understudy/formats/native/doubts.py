"""What is valid in a scene and still looks like a mistake: robots off the ground, angles in the wrong unit."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from understudy.errors import Problem
from understudy.formats.document import Document
from understudy.formats.sources import SourceMap
from understudy.world.records import Finding, KeyPath
from understudy.world.scene import Scene

_DEGREES_FROM_RAD = 3.0 * math.pi  # nobody writes a turn and a half as an angle in radians; from 10 degrees up it shows
_MOST = 1e9  # larger ones are errors elsewhere


def doubts(document: Document, flat: Scene) -> tuple[Problem, ...]:
    """Return warnings about a valid document, with file and line; *flat* is its flat scene."""
    places = SourceMap(document)
    angles = [doubt for part in document.merged() for doubt in _angles(part)]
    return tuple(places.ordered((*angles, *map(places.problem, _off_ground(document, flat)))))


def _off_ground(document: Document, flat: Scene) -> Iterator[Finding]:
    """Yield the robots that are not on the ground, if a file says how large that is."""
    if not any(path[:1] == ("ground",) for part in document.merged() for path in part.lines):
        return
    (x, y), (width, depth) = flat.ground.center_m, flat.ground.size_m
    for row, robot in enumerate(flat.robots):
        east, north = abs(robot.pose.x_m - x), abs(robot.pose.y_m - y)
        if east > width / 2 or north > depth / 2:
            key = "x_m" if east > width / 2 else "y_m"
            at = f"{robot.name} is at {robot.pose.x_m:g}, {robot.pose.y_m:g}"
            ground = f"x {x - width / 2:g} to {x + width / 2:g}, y {y - depth / 2:g} to {y + depth / 2:g}"
            yield Finding(("robot", row, key), f"{at}, outside the ground ({ground})", elsewhere=(("robot", row),))


def _angles(document: Document) -> Iterator[Problem]:
    """Yield the angles in radians of a file that look like degrees."""
    if "_rad" not in document.text or document.format not in ("", "native"):
        return
    try:
        table = tomllib.loads(document.text)
    except (tomllib.TOMLDecodeError, RecursionError):  # a document that an editor has changed
        return
    for path, value in _numbers(table, ()):
        key = next((part for part in reversed(path) if isinstance(part, str)), "")
        if key.endswith("_rad") and _DEGREES_FROM_RAD < abs(value) < _MOST:
            degrees = f"{key.removesuffix('_rad')}_deg = {value:g}"
            turns = abs(value) / math.tau
            yield document.source.problem(path, f"{value:g} rad is {turns:.1f} turns (did you mean {degrees}?)")


def _numbers(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, float]]:
    """Yield every number of a tree with its path."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _numbers(each, (*path, key))
    elif isinstance(value, list):
        for row, each in enumerate(value):
            yield from _numbers(each, (*path, row))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, value
