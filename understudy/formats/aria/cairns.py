"""Map objects, the ``Cairn:`` lines of ARIA's map files, to things of the world and back.

Layout::

    Cairn: Type x y heading "note" ICON "label" [x1 y1 x2 y2] ["description"]

The four numbers are the ends of a line, or opposite corners of an area in a frame that is turned by *heading* about
the map's origin. Areas of obstacle types are boxes in the world, reflectors are pieces of wall, and everything
else is a mark. ``_Cairn:`` is inactive, ``ChildCairn:`` belongs to a child map of this one.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Literal

from understudy import elementary
from understudy.formats.aria.cairn_types import REFLECTOR, REFLECTOR_STRENGTH, MapType, is_line
from understudy.formats.aria.words import (
    as_degrees,
    as_mm,
    metres,
    number,
    number_or_quoted,
    quoted,
    rounded_mm,
    word_or_quoted,
)
from understudy.world.marks import Mark, Piece, Tag
from understudy.world.materials import Surface
from understudy.world.scene import Solid, Wall
from understudy.world.shapes import Box, Pose

Status = Literal["active", "inactive", "child"]
KEYWORDS: dict[str, Status] = {"cairn:": "active", "_cairn:": "inactive", "childcairn:": "child"}
HEIGHT_M = 1.0  # maps have no heights: boxes are as high as walls
_FEWEST, _WITH_CORNERS = 7, 11
_SPELLED: dict[Status, str] = {"active": "Cairn:", "inactive": "_Cairn:", "child": "ChildCairn:"}


# ---- lines to things


def thing_of(words: Sequence[str], status: Status, types: Mapping[str, MapType]) -> Mark | Solid | Wall:
    """Return what a line describes; raises ValueError with the problem."""
    if len(words) < _FEWEST:
        raise ValueError('want type x y heading "note" ICON "label"')
    heading = math.radians(number(words[3]))
    pose = Pose(metres(words[1]), metres(words[2]), heading_rad=heading)
    has_corners = len(words) >= _WITH_CORNERS
    rest = words[_WITH_CORNERS if has_corners else _FEWEST :]
    tag = Tag(
        words[0].replace(" ", "_") or "Mark", words[6], words[4], words[5], rest[0] if rest else "", tuple(rest[1:])
    )
    if not has_corners:
        return Mark(tag=tag, pose=pose, status=status)
    corners = [number(word) for word in words[_FEWEST:_WITH_CORNERS]]
    if is_line(tag.type, types):
        return _line(tag, pose, corners, status)
    return _area(tag, heading, corners, status, types.get(tag.type))


def _line(tag: Tag, pose: Pose, ends_mm: Sequence[float], status: Status) -> Mark | Wall:
    x1, y1, x2, y2 = (value / 1000 for value in ends_mm)
    if tag.type == REFLECTOR and status == "active" and (x1, y1) != (x2, y2):
        return Wall(pieces_m=((x1, y1, x2, y2),), surface=Surface(reflectance=REFLECTOR_STRENGTH), tag=tag)
    return Mark(tag=tag, pose=pose, line_m=(x1, y1, x2, y2), status=status)


def _area(
    tag: Tag, heading: float, corners_mm: Sequence[float], status: Status, kind: MapType | None
) -> Mark | Solid:  # fmt: skip
    (x1, x2), (y1, y2) = sorted(corners_mm[::2]), sorted(corners_mm[1::2])
    pose, size = _turned((x1 + x2) / 2, (y1 + y2) / 2, heading), ((x2 - x1) / 1000, (y2 - y1) / 1000)
    if kind is None or kind.effect is None or status != "active" or 0.0 in size:
        return Mark(tag=tag, pose=pose, size_m=size, status=status)
    box = Solid(shape=Box((*size, HEIGHT_M)), pose=pose, surface=kind.effect.surface(), tag=tag)
    return dataclasses.replace(box, colour=kind.colour) if kind.colour else box


def _turned(x_mm: float, y_mm: float, heading: float) -> Pose:
    """Return the pose of a point given in the frame turned about the origin."""
    cos, sin = elementary.cos(heading), elementary.sin(heading)
    x, y = (x_mm, y_mm) if not heading else (x_mm * cos - y_mm * sin, x_mm * sin + y_mm * cos)
    return Pose(x / 1000, y / 1000, heading_rad=heading)


# ---- and back


def mark_line(mark: Mark) -> str:
    """Return the line of a mark."""
    if mark.size_m:
        return area_line(mark.tag, mark.pose, mark.size_m, mark.status)
    place = f"{as_mm(mark.pose.x_m)} {as_mm(mark.pose.y_m)} {as_degrees(mark.pose.heading_rad)}"
    ends = " ".join(map(as_mm, mark.line_m)) if mark.line_m else ""
    return _spelled(mark.tag, place, ends, mark.status)


def reflector_line(tag: Tag | None, piece: Piece) -> str:
    """Return the line of a reflecting piece of wall."""
    tag = dataclasses.replace(tag, type=REFLECTOR) if tag else Tag(REFLECTOR)
    return _spelled(tag, "0 0 0", " ".join(map(as_mm, piece)))


def area_line(tag: Tag, pose: Pose, size_m: tuple[float, float], status: Status = "active") -> str:
    """Return the line of an area: its corners in the frame turned about the origin."""
    cos, sin = elementary.cos(pose.heading_rad), elementary.sin(pose.heading_rad)
    x, y = 1000 * (pose.x_m * cos + pose.y_m * sin), 1000 * (pose.y_m * cos - pose.x_m * sin)
    dx, dy = 500 * size_m[0], 500 * size_m[1]
    corners = " ".join(map(rounded_mm, (x - dx, y - dy, x + dx, y + dy)))
    return _spelled(tag, f"0 0 {as_degrees(pose.heading_rad)}", corners, status)


def _spelled(tag: Tag, place: str, corners: str, status: Status = "active") -> str:
    name = f"{quoted(tag.note)} {word_or_quoted(tag.icon)} {quoted(tag.label)}"
    rest = [tag.description, *tag.extra] if tag.description or tag.extra else []
    rest = rest if corners else rest[: _WITH_CORNERS - _FEWEST - 1]  # one more would be read as a line or an area
    words = [_SPELLED[status], tag.type, place, name, corners, *map(number_or_quoted, rest)]
    return " ".join(word for word in words if word)
