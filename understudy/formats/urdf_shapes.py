"""The bodies of URDF links as clouds of points: boxes, cylinders, spheres and meshes."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from understudy.errors import FormatError, Problem
from understudy.formats import mesh, xml_text
from understudy.formats.robot_parts import Array
from understudy.formats.xml_text import Element
from understudy.world.shapes import Mesh

Files = Callable[[str], bytes | None]

_SIDES = 48  # of what is round


class Notes:
    """What became of the elements of a file, and what was left out."""

    def __init__(self, file: str) -> None:
        self.became: list[Problem] = []
        self.lost: list[Problem] = []
        self._file = file

    def say(self, element: Element, text: str) -> None:
        """Note what an element became."""
        self.became.append(Problem(self._file, element.line, "", text))

    def sorted(self, notes: list[Problem]) -> tuple[Problem, ...]:
        """Return notes by line."""
        return tuple(sorted(notes, key=lambda note: note.line))

    def lose(self, element: Element, text: str) -> None:
        """Note what was left out."""
        self.lost.append(Problem(self._file, element.line, "", text))


def points_of(part: Element, matrix: Array, file: str, files: Files, notes: Notes) -> Array:
    """Return the points of a visual or collision element, *matrix* applied; none if it has no form."""
    geometry = part.first("geometry")
    for shape in geometry.children if geometry else ():
        if shape.tag in _SHAPES:
            own = _SHAPES[shape.tag](shape, file)
        elif shape.tag == "mesh":
            own = _mesh(shape, file, files, notes)
        else:
            continue
        return np.asarray(own @ matrix[:3, :3].T + matrix[:3, 3])
    return np.zeros((0, 3))


def _size(shape: Element, key: str, count: int, file: str) -> tuple[float, ...]:
    found = xml_text.numbers(shape.get(key), count, file, shape.line, f"a {shape.tag}: its {key}")
    if not all(0.0 < value < 1e6 for value in found):
        raise FormatError(f"{file}:{shape.line}: the {key} of a {shape.tag} must be above 0")
    return found


def _box(shape: Element, file: str) -> Array:
    x, y, z = (value / 2 for value in _size(shape, "size", 3, file))
    return np.array([[sx * x, sy * y, sz * z] for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)])


def _cylinder(shape: Element, file: str) -> Array:
    (radius,), (length,) = _size(shape, "radius", 1, file), _size(shape, "length", 1, file)
    turns = np.arange(_SIDES) * (math.tau / _SIDES)
    ring = np.column_stack([radius * np.cos(turns), radius * np.sin(turns), np.full(_SIDES, length / 2)])
    return np.concatenate([ring, ring * [1.0, 1.0, -1.0]])


def _sphere(shape: Element, file: str) -> Array:
    (radius,) = _size(shape, "radius", 1, file)
    turns = np.arange(_SIDES) * (math.tau / _SIDES)
    cos, sin, none = radius * np.cos(turns), radius * np.sin(turns), np.zeros(_SIDES)
    return np.concatenate([np.column_stack(rows) for rows in ((cos, sin, none), (cos, none, sin), (none, cos, sin))])


def _mesh(shape: Element, file: str, files: Files, notes: Notes) -> Array:
    """Return the vertices of a mesh; one that is not there or cannot be read is left out, which is said."""
    name = shape.get("filename")
    data = files(name)
    if data is None:
        notes.lose(shape, f"the mesh {name!r} is not there; it is left out")
        return np.zeros((0, 3))
    scale = xml_text.numbers(shape.get("scale", "1 1 1"), 3, file, shape.line, "a scale")
    try:
        body = mesh.read(data, Mesh(name))
    except FormatError as problem:
        notes.lose(shape, f"{problem}; it is left out")
        return np.zeros((0, 3))
    return body.vertices * scale


_SHAPES: dict[str, Callable[[Element, str], Array]] = {"box": _box, "cylinder": _cylinder, "sphere": _sphere}
