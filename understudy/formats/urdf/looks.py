"""The visuals of URDF links: shapes, meshes and colours of their ``<visual>`` elements.

A mesh with colours of its own keeps them; else it gets the colour of its material or of the Gazebo element.
Format: the ROS wiki, "urdf/XML/link" and "urdf/XML/visual".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from understudy.assets import xml_text
from understudy.assets.xml_text import Element
from understudy.elementary import arrays
from understudy.formats.robot_parts import Array, LookBody, Table, free_name
from understudy.formats.urdf.files import Beside
from understudy.formats.urdf.shapes import UrdfNotes, form_of, origin
from understudy.world.colour_names import colour, from_shares

_CLEAR = 0.01  # opacity below which a visual is invisible


class Painter:
    """Converts the visual elements of one robot to looks."""

    def __init__(self, root: Element, file: str, beside: Beside, notes: UrdfNotes) -> None:
        self._file, self._beside, self._notes = file, beside, notes
        self._materials = {m.get("name"): m for m in _materials(root) if m.first("color")}
        self._gazebo = {g.get("reference"): _gazebo_colour(g) for g in root.all("gazebo")}
        self._names: set[str] = set()

    def looks(self, link: Element, matrix: Array, wheel: str, joint: str) -> Iterator[LookBody]:
        """Yield the looks of a link at *matrix*; they move with the *wheel* or *joint* of this name, if any."""
        for visual in link.all("visual"):
            paint = self._colour(visual)
            geometry = visual.first("geometry")
            for shape in geometry.children if geometry and paint is not None else ():
                form = self._form(shape)
                if form is None:
                    continue
                table, stretch, lift = form
                place = arrays.product(matrix, origin(visual, self._file), lift)
                tint = paint or self._gazebo.get(link.get("name"), "")
                name = free_name(link.get("name"), "look", self._names)
                yield LookBody(name, table, place, stretch, tint, wheel, joint)
                break

    def _form(self, shape: Element) -> tuple[Table, tuple[float, ...], Array] | None:
        """Return a shape as a table, its scale, and the pose of its base relative to its centre; None if unknown."""
        form = form_of(shape, self._file)
        if form is not None:
            return form[0], (1.0, 1.0, 1.0), form[1]
        return self._mesh(shape) if shape.tag == "mesh" else None

    def _mesh(self, shape: Element) -> tuple[Table, tuple[float, ...], Array] | None:
        name = self._beside.name(shape.get("filename"))
        if not name:
            self._notes.lose(shape, f"the mesh {shape.get('filename')!r} was not found; it is left out")
            return None
        scale = xml_text.numbers(shape.get("scale", "1 1 1"), 3, self._file, shape.line, "a scale")
        table: Table = {"kind": "mesh", "file": name}
        if scale[0] > 0.0 and scale[0] == scale[1] == scale[2]:
            return table | ({"scale": scale[0]} if scale[0] != 1.0 else {}), (1.0, 1.0, 1.0), np.eye(4)
        return table, scale, np.eye(4)

    def _colour(self, visual: Element) -> str | None:
        """Return the colour of a visual element, empty if it has none, None if it is transparent."""
        own = visual.first("material")
        if own is None:
            return ""
        source = own if own.first("color") else self._materials.get(own.get("name"))
        paint = source.first("color") if source else None
        if paint is None:
            return ""
        red, green, blue, opacity = xml_text.numbers(paint.get("rgba"), 4, self._file, paint.line, "a colour")
        return None if opacity < _CLEAR else from_shares(red, green, blue)


def _materials(root: Element) -> Iterator[Element]:
    """Yield all materials: those of the robot, and those that a link defines for others."""
    yield from root.all("material")
    for link in root.all("link"):
        for visual in link.all("visual"):
            yield from visual.all("material")


def _gazebo_colour(gazebo: Element) -> str:
    """Return the colour of a material of Gazebo's own, such as ``Gazebo/DarkGrey``; empty for others."""
    material = gazebo.first("material")
    found = material.text.strip() if material else ""
    return (colour(found.removeprefix("Gazebo/")) or "") if found.startswith("Gazebo/") else ""


def wheel_below(name: str, parents: Mapping[str, tuple[str, str]], wheels: Mapping[str, str]) -> str:
    """Return the wheel that a link is or is fixed to; *parents* gives the parent link and joint type of each."""
    here = name
    while here not in wheels and here in parents and parents[here][1] == "fixed":
        here = parents[here][0]
    return wheels.get(here, "")
