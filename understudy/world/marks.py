"""Marks on a map that are not physical: goals, docks, homes, forbidden lines and areas, sectors.

The types are the words of ARIA's map files (its reference, "Map File Format"); any other word is a mark too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from understudy.frozen import frozen
from understudy.world.records import rule
from understudy.world.shapes import Pose

Array = npt.NDArray[np.float64]
Point = tuple[float, float]
Piece = tuple[float, float, float, float]

HOME, DOCK = "RobotHome", "Dock"
NO_GPS = ("BadGPSSector", "SimBadGPSSector")
DIRT = ("Dirt",)  # what a robot that cleans finds


@frozen
class Tag:
    """How a map names a thing."""

    type: str = rule(form="word", doc="such as Goal, GoalWithHeading, RobotHome, Dock, ForbiddenArea; or any other")
    label: str = rule("", doc="display name")
    note: str = ""
    icon: str = rule("ICON", doc="ICON, or ID=number")
    description: str = rule("", doc="an optional second note")
    extra: tuple[str, ...] = rule((), doc="additional words of the map's line")


@frozen(kw_only=True)
class Mark:
    """A place, a line or an area with a meaning for programs; nothing collides with it and no sensor detects it."""

    name: str = rule("", form="name")
    tag: Tag = rule(inline=True)
    pose: Pose = rule(Pose(), inline=True)
    size_m: tuple[float, float] | None = rule(None, least=0.0, doc="of an area: its length and width about the pose")
    line_m: Piece | None = rule(None, doc="of a line: x1, y1, x2, y2")
    status: Literal["active", "inactive", "child"] = rule(
        "active", doc="inactive: it has no effect; child: it belongs to a part of a larger map"
    )


@frozen
class MapSource:
    """The data of an additional sensor in a map: kept, but not part of the world."""

    name: str = rule(form="word")
    header: tuple[str, ...] = ()
    pieces_m: tuple[Piece, ...] = ()
    dots_m: tuple[Point, ...] = ()


@frozen
class MapNotes:
    """What a map file contains besides the world itself, kept so that it can be written back."""

    form: str = rule("2D-Map", doc="its first line")
    header: tuple[str, ...] = rule((), doc="lines of its header that do not describe the world")
    info: tuple[str, ...] = rule((), doc="lines that define types of marks, MapInfo")
    sources: tuple[MapSource, ...] = ()


def start_pose(marks: Iterable[Mark]) -> Pose:
    """Return the start pose of robots on a map: at the first home, else at the first dock, else at 0, 0."""
    found: dict[str, Pose] = {}
    for mark in marks:
        if mark.status == "active":
            found.setdefault(mark.tag.type, mark.pose)
    return found.get(HOME) or found.get(DOCK) or Pose()


def areas(marks: Sequence[Mark], types: Collection[str]) -> Array:
    """Return the areas of such marks, a row each: x, y of the centre, heading, length, width (m, rad)."""
    rows = [
        (mark.pose.x_m, mark.pose.y_m, mark.pose.heading_rad, *mark.size_m)
        for mark in marks
        if mark.size_m and mark.tag.type in types and mark.status == "active"
    ]
    return np.array(rows, np.float64).reshape(-1, 5)
