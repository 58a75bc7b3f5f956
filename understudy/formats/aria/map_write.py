"""Writes ARIA's map files; `map_file` describes the format.

Plain walls are LINES and dots are DATA; strongly reflecting walls are reflectors. Upright boxes, and walls that some
sensors do not detect, are areas of a type that defines their effect. Round things become lines around them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.formats.aria.cairn_types import REFLECTOR_STRENGTH, Effect, definition, name_for, types_of
from understudy.formats.aria.cairns import area_line, mark_line, reflector_line
from understudy.formats.aria.map_read import RESOLUTION, TAG, resolution_m
from understudy.formats.aria.words import as_mm, one_line, words
from understudy.world import walls as wall_pieces
from understudy.world.marks import HOME, MapNotes, Mark, Piece, Point, Tag
from understudy.world.materials import Surface
from understudy.world.scene import Origin, Scene, Solid, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Pose, Sphere

Ints = npt.NDArray[np.int64]

_SIDES = 24  # of the polygon around a round thing
_PANE_M = 0.01  # thickness of a wall that is written as an area
NORTH_UP = math.pi / 2
_SORTED = ("pointsaresorted:", "linesaresorted:")


def write(scene: Scene) -> str:
    """Return *scene* as a map."""
    plan, notes = plan_of(scene), scene.map or MapNotes()
    lines = [one_line(notes.form), *_head(plan, notes)]
    if scene.origin and scene.origin.north_rad == NORTH_UP:
        lines.append(_origin_line(scene.origin))
    boxes = _Boxes(notes.info)
    cairns = [mark_line(mark) for mark in plan.marks] + [boxes.line(box) for box in plan.boxes]
    cairns += [reflector_line(tag, piece) for tag, piece in plan.reflectors]
    lines += [*map(one_line, boxes.info), *cairns, *_lists("", plan.pieces, plan.dots)]
    for source in notes.sources:
        lines += _lists(f"{source.name}_", source.pieces_m, source.dots_m)
    return "\n".join(lines) + "\n"


# ---- how things are written


class Plan(NamedTuple):
    """The parts of a scene by their form in a map, and the things that a map cannot store."""

    pieces: list[Piece]
    dots: list[Point]
    dot_m: float
    reflectors: list[tuple[Tag | None, Piece]]
    boxes: list[Solid]
    marks: list[Mark]
    nothing: list[Solid]


def plan_of(scene: Scene) -> Plan:
    """Return how each thing is written."""
    dotted = [wall.dot_m for wall in scene.walls if wall.dots_m and _is_plain(wall.surface)]
    plan = Plan([], [], dotted[0] if dotted else 0.02, [], [], [*scene.marks, *_home(scene)], [])
    for wall in scene.walls:
        _plan_wall(wall, plan)
    for solid in scene.objects:
        _plan_solid(solid, plan)
    return plan


def _plan_wall(wall: Wall, plan: Plan) -> None:
    if _is_plain(wall.surface):
        plan.pieces.extend(_around(wall))
        plan.dots.extend(wall.dots_m)
    elif _is_reflector(wall.surface):
        plan.reflectors.extend((wall.tag, piece) for piece in (*_around(wall), *_joined_dots(wall)))
    else:
        plan.boxes.extend(_pane(wall, *piece) for piece in wall_pieces.pieces(wall).tolist())


def _plan_solid(solid: Solid, plan: Plan) -> None:
    upright = not solid.pose.pitch_rad and not solid.pose.roll_rad
    if isinstance(solid.shape, Box) and upright:
        plan.boxes.append(solid)
    elif isinstance(solid.shape, Cylinder | Cone | Sphere) and upright and _is_plain(solid.surface):
        plan.pieces.extend(_circle(solid.pose, solid.shape.radius_m))
    else:
        plan.nothing.append(solid)


def _is_plain(surface: Surface) -> bool:
    return Effect.of(surface) == Effect()


def _is_reflector(surface: Surface) -> bool:
    return Effect.of(surface) == Effect(laser=REFLECTOR_STRENGTH)


def _around(wall: Wall) -> Iterator[Piece]:
    """Yield the pieces of a thin wall, or the outlines of the pieces of a thick one; not its dots."""
    bare = dataclasses.replace(wall, dots_m=())
    if not wall.thickness_m:
        yield from _rows(wall_pieces.pieces(dataclasses.replace(bare, pieces_m=())))
        yield from wall.pieces_m
        return
    for x1, y1, x2, y2 in _rows(wall_pieces.pieces(bare)):
        long, pose = elementary.hypot(x2 - x1, y2 - y1), _middle(x1, y1, x2, y2)
        yield from _loop(_box_corners(pose, long + wall.thickness_m, wall.thickness_m))


def _joined_dots(wall: Wall) -> Iterator[Piece]:
    return _rows(wall_pieces.pieces(Wall(dots_m=wall.dots_m, dot_m=wall.dot_m)))


def _rows(pieces: npt.NDArray[np.float64]) -> Iterator[Piece]:
    return ((x1, y1, x2, y2) for x1, y1, x2, y2 in pieces.tolist())


def _pane(wall: Wall, x1: float, y1: float, x2: float, y2: float) -> Solid:
    """Return a piece of wall as a thin box."""
    thick = wall.thickness_m or _PANE_M
    size = (elementary.hypot(x2 - x1, y2 - y1) + wall.thickness_m, thick, wall.height_m)
    return Solid(shape=Box(size), pose=_middle(x1, y1, x2, y2), surface=wall.surface, tag=wall.tag)


def _middle(x1: float, y1: float, x2: float, y2: float) -> Pose:
    return Pose((x1 + x2) / 2, (y1 + y2) / 2, heading_rad=elementary.atan2(y2 - y1, x2 - x1))


def _box_corners(pose: Pose, long: float, wide: float) -> list[Point]:
    cos, sin = elementary.cos(pose.heading_rad), elementary.sin(pose.heading_rad)
    signs = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    corners = ((long * sx, wide * sy) for sx, sy in signs)
    return [(pose.x_m + cos * x - sin * y, pose.y_m + sin * x + cos * y) for x, y in corners]


def _circle(pose: Pose, radius: float) -> Iterator[Piece]:
    angles = (math.tau * side / _SIDES for side in range(_SIDES))
    return _loop([(pose.x_m + radius * elementary.cos(a), pose.y_m + radius * elementary.sin(a)) for a in angles])


def _loop(corners: Sequence[Point]) -> Iterator[Piece]:
    return ((*a, *b) for a, b in zip(corners, (*corners[1:], corners[0])))


def _home(scene: Scene) -> Iterator[Mark]:
    """Yield a home where the first robot starts, if the scene marks none."""
    places = [robot.place for robot in scene.robots if isinstance(robot.place, Pose)]
    if places and not any(mark.tag.type == HOME and mark.status == "active" for mark in scene.marks):
        yield Mark(tag=Tag(HOME, "Home"), pose=places[0])


# ---- lines of the file


class _Boxes:
    """Finds or defines a type for each box."""

    def __init__(self, info: Sequence[str]) -> None:
        self.info = list(info)
        self._effects = {name: kind.effect for name, kind in types_of(info)[0].items()}

    def line(self, box: Solid) -> str:
        """Return the line of one box."""
        assert isinstance(box.shape, Box)
        effect = Effect.of(box.surface)
        name = box.tag.type if box.tag and self._effects.get(box.tag.type) == effect else self._name(effect)
        tag = dataclasses.replace(box.tag, type=name) if box.tag else Tag(name, box.name)
        return area_line(tag, box.pose, box.shape.size_m[:2])

    def _name(self, effect: Effect) -> str:
        """Return the type of boxes with this effect; a missing one is defined."""
        name = name_for(effect)
        while self._effects.get(name, effect) != effect:
            name += "_"
        if name not in self._effects:
            self._effects[name] = effect
            self.info.append(definition(name, effect))
        return name


def _head(plan: Plan, notes: MapNotes) -> Iterator[str]:
    header = [line for line in map(one_line, notes.header) if line and not TAG.fullmatch(line)]
    yield from _measured("", plan.pieces, plan.dots)
    for line in header:
        yield from _kept(line, plan)
    if plan.dots and plan.dot_m != 0.02 and not any(_keyword(line) == RESOLUTION for line in header):
        yield _resolution_line(plan)
    for source in notes.sources:
        yield from _measured(source.name, source.pieces_m, source.dots_m)
        yield from map(one_line, source.header)


def _kept(line: str, plan: Plan) -> Iterator[str]:
    """Yield a line of the header, if it is still valid for the map."""
    keyword = _keyword(line)
    if keyword == RESOLUTION and plan.dots and resolution_m(line) not in (None, plan.dot_m):
        yield _resolution_line(plan)
    elif keyword in _SORTED and words(line)[-1].lower() == "true" and not _is_sorted(keyword, plan):
        yield f"{words(line)[0]} false"
    else:
        yield line


def _resolution_line(plan: Plan) -> str:
    return f"Resolution: {as_mm(plan.dot_m)}"


def _is_sorted(keyword: str, plan: Plan) -> bool:
    rows: Sequence[Piece] | Sequence[Point] = plan.dots if keyword == _SORTED[0] else plan.pieces
    starts = [row[:2] for row in rows]
    return all(a <= b for a, b in pairwise(starts))


def _keyword(line: str) -> str:
    return words(line)[0].lower()


def _measured(prefix: str, pieces: Sequence[Piece], dots: Sequence[Point]) -> Iterator[str]:
    """Yield extents and counts."""
    for word, noun, rows in (("", "Points", _mm(dots, 2)), ("Line", "Lines", _mm(pieces, 4))):
        if len(rows):
            points = rows.reshape(-1, 2)
            yield "{}{}MinPos: {} {}".format(prefix, word, *points.min(axis=0))
            yield "{}{}MaxPos: {} {}".format(prefix, word, *points.max(axis=0))
            yield f"{prefix}Num{noun}: {len(rows)}"


def _lists(prefix: str, pieces: Sequence[Piece], dots: Sequence[Point]) -> Iterator[str]:
    """Yield the data tags and their rows; DATA is always written, even without rows."""
    if pieces:
        yield f"{prefix}LINES"
        yield from map("%d %d %d %d".__mod__, map(tuple, _mm(pieces, 4).tolist()))
    if dots or not prefix:
        yield f"{prefix}DATA"
        yield from map("%d %d".__mod__, map(tuple, _mm(dots, 2).tolist()))


def _mm(rows: Sequence[Piece] | Sequence[Point], width: int) -> Ints:
    return np.rint(np.array(rows, np.float64).reshape(-1, width) * 1000).astype(np.int64)


def _origin_line(origin: Origin) -> str:
    return f"OriginLatLongAlt: {origin.latitude_deg!r} {origin.longitude_deg!r} {origin.altitude_m!r}"
