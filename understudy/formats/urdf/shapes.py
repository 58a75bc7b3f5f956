"""The bodies of URDF links as point clouds: boxes, cylinders, spheres and meshes."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from understudy.assets import xml_text
from understudy.assets.meshes import mesh
from understudy.assets.xml_text import Element
from understudy.elementary import arrays
from understudy.errors import FormatError, Problem
from understudy.formats.robot_parts import Array, Table
from understudy.formats.urdf.files import Beside
from understudy.world.rotations import turn_of
from understudy.world.shapes import Mesh

_SIDES = 48  # of round shapes


class UrdfNotes:
    """What the elements of a file became, and what was left out."""

    def __init__(self, file: str) -> None:
        self.became: list[Problem] = []
        self.lost: list[Problem] = []
        self._file = file

    def say(self, element: Element, text: str) -> None:
        """Record what an element became."""
        self.became.append(Problem(self._file, element.line, "", text))

    def sorted(self, notes: list[Problem]) -> tuple[Problem, ...]:
        """Return notes by line."""
        return tuple(sorted(notes, key=lambda note: note.line))

    def lose(self, element: Element, text: str) -> None:
        """Record once what was left out."""
        note = Problem(self._file, element.line, "", text)
        if note not in self.lost:
            self.lost.append(note)


def origin(element: Element, file: str) -> Array:
    """Return the pose given by an element's origin: translation, then roll, pitch, yaw about fixed axes."""
    made, found = np.eye(4), element.first("origin")
    if found is None:
        return made
    made[:3, 3] = xml_text.numbers(found.get("xyz", "0 0 0"), 3, file, found.line, "a position")
    roll, pitch, yaw = xml_text.numbers(found.get("rpy", "0 0 0"), 3, file, found.line, "three angles")
    made[:3, :3] = turn_of(roll, pitch, yaw)
    return made


def points_of(part: Element, matrix: Array, file: str, beside: Beside, notes: UrdfNotes) -> Array:
    """Return the points of a visual or collision element, *matrix* applied; empty if it has no shape."""
    geometry = part.first("geometry")
    for shape in geometry.children if geometry else ():
        if shape.tag in _SHAPES:
            own = _SHAPES[shape.tag](shape, file)
        elif shape.tag == "mesh":
            own = _mesh(shape, file, beside, notes)
        else:
            continue
        return np.asarray(arrays.product(own, matrix[:3, :3].T) + matrix[:3, 3])
    return np.zeros((0, 3))


def size_of(shape: Element, key: str, count: int, file: str) -> tuple[float, ...]:
    """Return the dimensions of a shape (m); raises FormatError."""
    found = xml_text.numbers(shape.get(key), count, file, shape.line, f"a {shape.tag}: its {key}")
    if not all(0.0 < value < 1e6 for value in found):
        raise FormatError(f"{file}:{shape.line}: the {key} of a {shape.tag} must be above 0")
    return found


def form_of(shape: Element, file: str) -> tuple[Table, Array] | None:
    """Return a box, cylinder or sphere as a table, and the pose of its base relative to its centre; None for others."""
    lift = np.eye(4)
    if shape.tag == "box":
        size = size_of(shape, "size", 3, file)
        lift[2, 3] = -size[2] / 2
        return {"kind": "box", "size_m": list(size)}, lift
    if shape.tag == "sphere":
        (radius,) = size_of(shape, "radius", 1, file)
        lift[2, 3] = -radius
        return {"kind": "sphere", "radius_m": radius}, lift
    if shape.tag in ("cylinder", "capsule"):
        radius, length = _round(shape, file)
        lift[2, 3] = -length / 2
        return {"kind": "cylinder", "radius_m": radius, "height_m": length}, lift
    return None


def _box(shape: Element, file: str) -> Array:
    x, y, z = (value / 2 for value in size_of(shape, "size", 3, file))
    return np.array([[sx * x, sy * y, sz * z] for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)])


def _round(shape: Element, file: str) -> tuple[float, float]:
    """Return radius and length of a cylinder, or of a capsule with its round ends."""
    (radius,), (length,) = (size_of(shape, key, 1, file) for key in ("radius", "length"))
    return radius, length + 2 * radius if shape.tag == "capsule" else length


def _cylinder(shape: Element, file: str) -> Array:
    radius, length = _round(shape, file)
    turns = np.arange(_SIDES) * (math.tau / _SIDES)
    ring = np.column_stack([radius * arrays.cos(turns), radius * arrays.sin(turns), np.full(_SIDES, length / 2)])
    return np.concatenate([ring, ring * [1.0, 1.0, -1.0]])


def _sphere(shape: Element, file: str) -> Array:
    (radius,) = size_of(shape, "radius", 1, file)
    turns = np.arange(_SIDES) * (math.tau / _SIDES)
    cos, sin, none = radius * arrays.cos(turns), radius * arrays.sin(turns), np.zeros(_SIDES)
    return np.concatenate([np.column_stack(rows) for rows in ((cos, sin, none), (cos, none, sin), (none, cos, sin))])


def _mesh(shape: Element, file: str, beside: Beside, notes: UrdfNotes) -> Array:
    """Return the vertices of a mesh; one that is missing or cannot be read is left out and reported."""
    name = shape.get("filename")
    scale = xml_text.numbers(shape.get("scale", "1 1 1"), 3, file, shape.line, "a scale")
    if name not in beside.vertices:
        beside.vertices[name] = _vertices(shape, name, beside, notes)
    return beside.vertices[name] * scale


def _vertices(shape: Element, name: str, beside: Beside, notes: UrdfNotes) -> Array:
    data = beside.content(name)
    if data is None:
        notes.lose(shape, f"the mesh {name!r} was not found; it is left out")
        return np.zeros((0, 3))
    try:
        return mesh.read(data, Mesh(name)).vertices
    except FormatError as problem:
        notes.lose(shape, f"{problem}; it is left out")
        return np.zeros((0, 3))


_SHAPES: dict[str, Callable[[Element, str], Array]] = {
    "box": _box, "cylinder": _cylinder, "capsule": _cylinder, "sphere": _sphere,
}  # fmt: skip
