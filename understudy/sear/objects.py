"""SEAR's object grammar: the objects of an environment. Each is written to the project's folder when it is made.

Lengths are in metres, angles in degrees; docs/sear-axes.md has the axes. Methods have SEAR's names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from understudy.errors import FormatError
from understudy.formats.sear import axes, kinds
from understudy.formats.sear.kinds import NOTHING, SearEntry
from understudy.sear import projects

_LONG = (0, 3, 6)  # how many numbers may follow the short form: nothing, a position, a position and a rotation


class SearObject:
    """What all objects have: a name, a position, a rotation and a scale."""

    kind: ClassVar[str]

    def __init__(self, name: str, values: Mapping[str, Any], place: tuple[Any, ...] = ()) -> None:
        self._project = projects.current()
        self._entry = _placed(kinds.made(self.kind, name, values), place)
        self._write()

    @property
    def name(self) -> str:
        """Return the object's name."""
        return self._entry.name

    @property
    def entry(self) -> SearEntry:
        """Return the object as it is written."""
        return self._entry

    def move(self, x: float, y: float, z: float) -> None:
        """Move by so many metres along X (north, or left on a robot), Y (up) and Z (east, or forward)."""
        self._set(kinds.moved(self._entry, (x, y, z)))

    def rotate(self, x: float, y: float, z: float) -> None:
        """Turn by so many degrees: about Y, then about the turned Z, then about the turned X."""
        by = kinds.triple((x, y, z), "rotate", 1e6)
        self._set(replace(self._entry, rotate=axes.combined(self._entry.rotate, by)))

    def scale(self, x: float, y: float | None = None, z: float | None = None) -> None:
        """Stretch along the object's own axes; one number stretches all alike."""
        by = kinds.triple((x, x if y is None else y, x if z is None else z), "scale", kinds.MOST_SCALE)
        if not all(number > 0.0 for number in by):
            raise FormatError(f"{self.kind} {self.name!r}: scale must be above 0")
        old = self._entry.scale
        self._set(replace(self._entry, scale=kinds.triple((a * b for a, b in zip(old, by)), "scale", kinds.MOST_SCALE)))

    def belong(self, robot: str) -> None:
        """Become a component of a robot; `SEARrobot.addComponent` calls it."""
        self._set(replace(self._entry, robot=robot))

    def _value(self, name: str, value: Any) -> None:
        self._set(self._entry.with_value(name, value))

    def _set(self, entry: SearEntry) -> None:
        self._entry = entry
        self._write()

    def _write(self) -> None:
        self._project.put(self._entry)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name!r}>"


def _placed(entry: SearEntry, place: tuple[Any, ...]) -> SearEntry:
    """Return an object at the position and rotation of a long form."""
    if len(place) not in _LONG:
        raise FormatError(
            f"{entry.kind} {entry.name!r}: {len(place)} more numbers than the short form takes "
            "(want x, y, z, or x, y, z and three angles, and a picture last)"
        )
    move = kinds.triple(place[:3], "position") if place else NOTHING
    rotate = kinds.triple(place[3:], "rotation", 1e6) if len(place) > 3 else NOTHING
    return replace(entry, move=move, rotate=rotate)


def split(values: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, str]]:
    """Return the numbers of a long form, and the picture that may be its last argument."""
    if values and isinstance(values[-1], str):
        return values[:-1], {"picture": values[-1]}
    return values, {}


class SearBox(SearObject):
    """A cuboid: ``Box(name, length, width, height, mass, [x, y, z, [angles about X, Y, Z]], [picture])``."""

    kind = "box"

    def __init__(self, name: str, length: float, width: float, height: float, mass: float, *more: Any) -> None:
        place, picture = split(more)
        super().__init__(name, {"length": length, "width": width, "height": height, "mass": mass, **picture}, place)


class SearRound(SearObject):
    """What stands on a circle: ``(name, radius, height, mass, [x, y, z, [angles about X, Y, Z]], [picture])``."""

    def __init__(self, name: str, radius: float, height: float, mass: float, *more: Any) -> None:
        place, picture = split(more)
        super().__init__(name, {"radius": radius, "height": height, "mass": mass, **picture}, place)


class SearCylinder(SearRound):
    """An upright cylinder: ``Cylinder(name, radius, height, mass, ...)``."""

    kind = "cylinder"


class SearCone(SearRound):
    """An upright cone: ``Cone(name, radius, height, mass, ...)``."""

    kind = "cone"


class SearFloor(SearObject):
    """The ground: ``Floor(name, length, width, [seen], [x, y, z, [angles]], [picture])``.

    *seen* is False for a floor that distance sensors and scanners ignore.
    """

    kind = "floor"

    def __init__(self, name: str, length: float, width: float, *more: Any) -> None:
        place, picture = split(more)
        seen = {}
        if place and isinstance(place[0], bool):
            seen, place = {"seen": place[0]}, place[1:]
        super().__init__(name, {"length": length, "width": width, **seen, **picture}, place)

    def setVisible(self, seen: bool) -> None:
        """Set whether distance sensors and scanners see it."""
        self._value("seen", bool(seen))

    def setFriction(self, friction: float) -> None:
        """Set the friction of wheels on it; 1 is usual."""
        self._value("friction", friction)


class SearModel(SearObject):
    """A mesh: ``Model(name, file, [mass], [x, y, z, [angles about X, Y, Z]], [picture])``; the file is in assets."""

    kind = "model"

    def __init__(self, name: str, file: str, mass: float = 0.0, *more: Any) -> None:
        place, picture = split(more)
        super().__init__(name, {"file": file, "mass": mass, **picture}, place)

    def setTerrain(self, terrain: bool = True) -> None:
        """Make it the ground; its centre is the centre of the world."""
        self._value("terrain", bool(terrain))

    def setVisible(self, seen: bool) -> None:
        """Set whether distance sensors and scanners see it."""
        self._value("seen", bool(seen))

    def setHull(self, hull: bool = True) -> None:
        """Let collisions use the convex hull of a mesh that has dents."""
        self._value("hull", bool(hull))


class SearWall(SearObject):
    """A wall between two points: ``Wall(name, x1, z1, x2, z2, [height], [thickness], [picture])``."""

    kind = "wall"

    def __init__(self, name: str, x1: float, z1: float, x2: float, z2: float, *more: Any) -> None:
        rest, picture = split(more)
        if len(rest) > 2:
            raise FormatError(f"wall {name!r}: too many numbers (want x1, z1, x2, z2, height, thickness)")
        size = dict(zip(("height", "thickness"), rest))
        super().__init__(name, {"x1": x1, "z1": z1, "x2": x2, "z2": z2, **size, **picture})
