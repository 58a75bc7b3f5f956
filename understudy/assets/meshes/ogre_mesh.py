"""Ogre's ``.mesh.xml`` (written by OgreXMLConverter) and the ``.material`` script next to it, used by SEAR.

A mesh has shared geometry, submeshes with geometry of their own, or both; a submesh names its material. Of a material
the diffuse colour and the texture of its first pass are read. Formats: the Ogre manual, "Material Scripts", and
``ogremeshxml.dtd`` of OgreXMLConverter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np

from understudy.assets import xml_text
from understudy.assets.meshes.nodes import MOST_TRIANGLES, Array, Node, checked, count_checked
from understudy.assets.meshes.textures import Pictures, among
from understudy.errors import FormatError
from understudy.frozen import frozen
from understudy.world.triangles import NO_COLOURS, Colours, Triangles, joined

_TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"|[{}]|[^\s{}\"]+|\n", re.DOTALL)


@frozen
class Material:
    """A material: an optional colour (#rrggbb) and an optional texture file."""

    colour: str = ""
    texture: str = ""


# ---- materials


def materials(text: str) -> dict[str, Material]:
    """Return the materials of a script by name; what is not understood is skipped.

    >>> materials("material Red { technique { pass { diffuse 1 0 0 1 } } }")
    {'Red': Material(colour='#ff0000', texture='')}
    """
    found: dict[str, Material] = {}
    name, depth, words = "", 0, list[str]()
    for token in _TOKEN.findall(text):
        if token.startswith(("//", "/*")):
            continue
        if token == "{":
            if depth == 0 and words[:1] == ["material"] and len(words) > 1:
                name, base = _name(words)
                found[name] = found.get(base, Material())
            depth, words = depth + 1, []
        elif token in ("}", "\n"):
            _note(found, name, words)
            words = [] if depth or token == "}" or words[:1] != ["material"] else words
            depth -= token == "}" and depth > 0
            name = name if depth else ""
        else:
            words.append(token.strip('"'))
    return found


def _name(words: list[str]) -> tuple[str, str]:
    """Return the name of a material and of its base material."""
    name, _, base = " ".join(words[1:]).partition(":")
    return name.strip(), base.strip()


def _note(found: dict[str, Material], name: str, words: list[str]) -> None:
    """Apply a line to a material, if it is a diffuse colour or a texture."""
    if name not in found or len(words) < 2:
        return
    now = found[name]
    if words[0] == "diffuse" and len(words) >= 4:
        found[name] = Material(_hex(words[1:4]) or now.colour, now.texture)
    elif words[0] == "texture" and not now.texture:
        found[name] = Material(now.colour, words[1])


def _hex(words: list[str]) -> str:
    try:
        shares = [min(max(float(word), 0.0), 1.0) for word in words]
    except ValueError:
        return ""
    return "#" + "".join(f"{round(255 * share):02x}" for share in shares) if all(s == s for s in shares) else ""


# ---- meshes


@dataclass
class _Geometry:
    """Vertices and their texture coordinates: u from the left, v from the top."""

    vertices: list[tuple[float, float, float]] = field(default_factory=list)
    places: list[tuple[float, float]] = field(default_factory=list)

    def on_picture(self) -> Array | None:
        """Return the texture coordinates from the left and the bottom; None if not every vertex has them."""
        count = len(self.vertices)
        if len(self.places) < count:
            return None
        return np.array(self.places[:count], np.float64).reshape(-1, 2) * (1.0, -1.0) + (0.0, 1.0)


@dataclass
class _Submesh:
    material: str
    shared: bool
    kind: str
    line: int
    faces: list[tuple[int, int, int]] = field(default_factory=list)
    own: _Geometry = field(default_factory=lambda: _Geometry())


class _Reader:
    """Processes the elements of a mesh as a stream: a file may have millions."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.shared = _Geometry()
        self.submeshes: list[_Submesh] = []
        self._now = self.shared
        self._first = True
        self._placed = True  # the vertex already has texture coordinates; further sets are not read

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        if self._first and tag != "mesh":
            raise FormatError(f"{self.file}:{line}: not an Ogre mesh (its root element is {tag!r}, want 'mesh')")
        self._first = False
        if tag == "submesh":
            kind = attributes.get("operationtype", "triangle_list")
            shared = attributes.get("usesharedvertices", "true") == "true"
            self.submeshes.append(_Submesh(attributes.get("material", ""), shared, kind, line))
        elif tag == "sharedgeometry":
            self._now = self.shared
        elif tag == "geometry" and self.submeshes:
            self._now = self.submeshes[-1].own
        elif tag == "vertex":
            self._placed = False
        elif tag == "position":
            self._now.vertices.append(self._triple(attributes, ("x", "y", "z"), line, "a position"))
        elif tag == "texcoord" and not self._placed:
            self._place(attributes, line)
        elif tag == "face" and self.submeshes:
            self._face(attributes, line)

    def _triple(
        self, attributes: Mapping[str, str], keys: tuple[str, str, str], line: int, noun: str
    ) -> tuple[float, float, float]:
        try:
            a, b, c = (float(attributes[key]) for key in keys)
        except (KeyError, ValueError):
            raise FormatError(f"{self.file}:{line}: not {noun} (want {', '.join(keys)})") from None
        return a, b, c

    def _place(self, attributes: Mapping[str, str], line: int) -> None:
        self._placed = True
        try:
            self._now.places.append((float(attributes.get("u", "nan")), float(attributes.get("v", "nan"))))
        except ValueError:
            raise FormatError(f"{self.file}:{line}: not texture coordinates (want u, v)") from None

    def _face(self, attributes: Mapping[str, str], line: int) -> None:
        mesh = self.submeshes[-1]
        if len(mesh.faces) > MOST_TRIANGLES:
            raise FormatError(f"{self.file}:{line}: too many triangles (at most {MOST_TRIANGLES:,}); simplify the mesh")
        if mesh.kind == "triangle_list" or not mesh.faces:
            a, b, c = self._triple(attributes, ("v1", "v2", "v3"), line, "a face")
        elif mesh.kind in ("triangle_strip", "triangle_fan"):
            a, b, c = self._next(mesh, attributes, line)
        else:
            return  # lines and points
        if not (abs(a) < 2**31 and abs(b) < 2**31 and abs(c) < 2**31):
            raise FormatError(f"{self.file}:{line}: not a face: no such vertices")
        mesh.faces.append((int(a), int(b), int(c)))

    def _next(self, mesh: _Submesh, attributes: Mapping[str, str], line: int) -> tuple[float, float, float]:
        """Return a triangle of a strip or a fan, which shares two corners with the one before."""
        try:
            new = float(attributes["v1"])
        except (KeyError, ValueError):
            raise FormatError(f"{self.file}:{line}: not a face (want v1)") from None
        a, b, c = mesh.faces[-1]
        if mesh.kind == "triangle_fan":
            return a, c, new
        return (c, b, new) if len(mesh.faces) % 2 else (a, c, new)

    def triangles(
        self, looks: Mapping[str, Material], others: Mapping[str, bytes], pictures: Pictures
    ) -> Iterator[Triangles]:
        """Yield the submeshes, each with the colour or texture of its material."""
        for mesh in self.submeshes:
            if mesh.faces:
                geometry, look = self.shared if mesh.shared else mesh.own, looks.get(mesh.material, Material())
                rows, name = np.array(mesh.faces, np.int64), look.texture
                kept = bool(name) and pictures.keep(name, among(name, others))
                points = np.array(geometry.vertices, np.float64).reshape(-1, 3)
                places = geometry.on_picture()
                if kept and places is None:
                    pictures.miss(name)
                yield checked(
                    points, rows, _colours(look.colour, len(rows)), f"{self.file}:{mesh.line}", places,
                    pictures.texture_file(name) if kept and places is not None else None,
                )  # fmt: skip


def _colours(colour: str, count: int) -> Colours:
    if not colour:
        return NO_COLOURS
    return np.tile(np.frombuffer(bytes.fromhex(colour[1:]), np.uint8), (count, 1))


def nodes(data: bytes, file: str, others: Mapping[str, bytes], ignored: list[str] | None = None) -> tuple[Node, ...]:
    """Return the only node of a mesh; *others* are the files next to it, including material scripts.

    Descriptions of materials that are not shown are added to *ignored*.
    """
    reader = _Reader(file)
    xml_text.events(data, file, reader.start, lambda _: None, lambda _: None)
    looks: dict[str, Material] = {}
    for name, script in others.items():
        if name.endswith(".material"):
            looks |= materials(script.decode(errors="replace"))
    parts = list(reader.triangles(looks, others, Pictures(ignored)))
    if not parts:
        raise FormatError(f"{file}: the file has no triangles")
    return count_checked([Node(PurePosixPath(file).name.partition(".")[0], np.eye(4), joined(parts))], file)


def companions(name: str) -> Iterator[str]:
    """Yield the name of the material script next to a mesh."""
    yield PurePosixPath(name).name.removesuffix(".xml").removesuffix(".mesh") + ".material"


def pictures_named(name: str, data: bytes) -> list[str]:
    """Return the pictures that a material script names."""
    if not name.endswith(".material"):
        return []
    return [look.texture for look in materials(data.decode(errors="replace")).values() if look.texture]
