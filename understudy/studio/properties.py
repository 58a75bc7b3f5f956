"""What users can type for the selected thing: pose, size, mass, colour. One row of a table each."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from understudy.errors import ChangeRefused
from understudy.frozen import frozen
from understudy.world.marks import Mark
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Light, Solid, Thing, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Sphere

Value = float | str
LARGEST_M, LARGEST_KG = 10_000.0, 1e6
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@frozen
class ThingProperty:
    """One value of a thing: a label, a unit, its limits, and how to read and write it; None if a thing has none."""

    label: str
    unit: str
    read: Callable[[Thing], Value | None]
    write: Callable[[Thing, Any], Thing]
    least: float = -LARGEST_M
    most: float = LARGEST_M

    def check(self, value: Value) -> None:
        """Raise ValueError for a value that cannot be."""
        if self.unit == "colour":
            if not isinstance(value, str) or not _COLOUR.fullmatch(value):
                raise ValueError(f"{self.label}: want a colour such as #cc3311, got {value!r}")
        elif isinstance(value, str) or not self.least <= value <= self.most:
            raise ValueError(f"{self.label}: want {self.least:g} to {self.most:g} {self.unit}, got {value}".rstrip())


def _pose(field: str, factor: float = 1.0) -> ThingProperty:
    """Return the property of a pose: one of its numbers."""

    def read(thing: Thing) -> Value | None:
        pose = None if isinstance(thing, Wall) else thing.pose
        return None if pose is None else round(getattr(pose, field) / factor, 6)

    def write(thing: Thing, value: float) -> Thing:
        if isinstance(thing, Wall):
            raise ChangeRefused(f"{thing.name} is a wall: change its ends")
        change: Any = {field: value * factor}
        pose: Any = dataclasses.replace(thing.pose, **change)
        place: Any = {"place" if isinstance(thing, PlacedRobot) else "pose": pose}
        return dataclasses.replace(thing, **place)

    label = field.rpartition("_")[0]
    turns = field.endswith("rad")
    return ThingProperty(label, "°" if turns else "m", read, write)


def _plain(kinds: tuple[type, ...], field: str, label: str, unit: str, least: float, most: float) -> ThingProperty:
    """Return the property that is a field of a thing of some kinds."""

    def read(thing: Thing) -> Value | None:
        return getattr(thing, field) if isinstance(thing, kinds) else None

    def write(thing: Thing, value: Value) -> Thing:
        change: Any = {field: value}
        return dataclasses.replace(thing, **change)

    return ThingProperty(label, unit, read, write, least, most)


def _shape(kinds: tuple[type, ...], field: str, label: str, index: int | None = None) -> ThingProperty:
    """Return the property of the shape of an object, or of a ball's radius: a number, or one of a row of numbers."""

    def read(thing: Thing) -> Value | None:
        shape = thing if isinstance(thing, Ball) else thing.shape if isinstance(thing, Solid) else None
        if not isinstance(shape, kinds):
            return None
        value = getattr(shape, field)
        return float(value if index is None else value[index])

    def write(thing: Thing, value: float) -> Thing:
        if isinstance(thing, Ball):
            return dataclasses.replace(thing, radius_m=value)
        assert isinstance(thing, Solid)
        old = getattr(thing.shape, field)
        change: Any = {field: value if index is None else (*old[:index], value, *old[index + 1 :])}
        shape: Any = thing.shape
        return dataclasses.replace(thing, shape=dataclasses.replace(shape, **change))

    return ThingProperty(label, "m", read, write, 1e-3)


def _end(point: int, axis: int, label: str) -> ThingProperty:
    """Return the property of a straight wall: a coordinate of one of its ends."""

    def read(thing: Thing) -> Value | None:
        return thing.points_m[point][axis] if isinstance(thing, Wall) and len(thing.points_m) == 2 else None

    def write(thing: Thing, value: float) -> Thing:
        assert isinstance(thing, Wall)
        points = [list(each) for each in thing.points_m]
        points[point][axis] = value
        return dataclasses.replace(thing, points_m=tuple((x, y) for x, y in points))

    return ThingProperty(label, "m", read, write)


_EVERYTHING = (PlacedRobot, Solid, Ball, Light, Wall)
PROPERTIES: Mapping[str, ThingProperty] = {
    "x": _pose("x_m"),
    "y": _pose("y_m"),
    "z": _pose("z_m"),
    "heading": _pose("heading_rad", math.radians(1.0)),
    "x1": _end(0, 0, "from x"),
    "y1": _end(0, 1, "from y"),
    "x2": _end(1, 0, "to x"),
    "y2": _end(1, 1, "to y"),
    "length": _shape((Box,), "size_m", "length", 0),
    "width": _shape((Box,), "size_m", "width", 1),
    "height": _shape((Box,), "size_m", "height", 2),
    "radius": _shape((Sphere, Cylinder, Cone, Ball), "radius_m", "radius"),
    "tall": _shape((Cylinder, Cone), "height_m", "height"),
    "wall height": _plain((Wall,), "height_m", "height", "m", 1e-3, LARGEST_M),
    "thickness": _plain((Wall,), "thickness_m", "thickness", "m", 0.0, 100.0),
    "mass": _plain((Solid, Ball), "mass_kg", "mass", "kg", 0.0, LARGEST_KG),
    "brightness": _plain((Light,), "brightness", "brightness", "", 0.0, 1e6),
    "colour": _plain(_EVERYTHING, "colour", "colour", "colour", 0.0, 0.0),
}


def properties(thing: Thing) -> dict[str, Value]:
    """Return what can be typed for a thing, with its present values."""
    if isinstance(thing, Mark):
        return {key: value for key in ("x", "y", "heading") if (value := PROPERTIES[key].read(thing)) is not None}
    return {key: value for key, each in PROPERTIES.items() if (value := each.read(thing)) is not None}
