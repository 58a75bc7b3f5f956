"""The lines of an ``.esObj`` file: an object of EyeSim-VR with its mesh, colliders and mass.

An object with colliders has their shape, which both engines support; one with a mesh only needs the rigid engine.
"""

from __future__ import annotations

import dataclasses
import pathlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from understudy.assets import fence
from understudy.errors import FormatError
from understudy.formats.document import as_text
from understudy.formats.eyesim.colliders import Collider, collider
from understudy.formats.eyesim.line_words import FileNotes, TextLine, check_size, numbers, said_lines
from understudy.world.scene import Ball, Solid
from understudy.world.shapes import Box, Cylinder, Mesh, Pose, Shape, Sphere

SUFFIXES: tuple[str, ...] = (".esobj",)
_USUAL_KG, _COLOUR = 1.0, "#8a8a8a"
KEYWORDS = ("obj", "name", "scale", "mass", "collider", "box", "sphere", "capsule", "fixed", "buoyancy")
_MOST_COLLIDERS = 1_000
_MOST_SCALE, _MOST_KG = 1e6, 1e6
_MESHES = (".obj", ".stl", ".ply", ".glb", ".gltf", ".dae")
_VERTEX = re.compile(rb"^v[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)", re.MULTILINE)
_METRES = 10.0  # a mesh without colliders whose extent is below this is taken to be in metres


@dataclass
class EyeSimObject:
    """What an ``.esObj`` file describes."""

    name: str
    mesh: str = ""
    scale: float = 1.0
    mass_kg: float = _USUAL_KG
    fixed: bool = False
    in_mm: bool = False  # the mesh
    colliders: list[Collider] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)

    def placeable(self, beside: str = "") -> Callable[[Pose, str], Ball | Solid]:
        """Return what places it; *beside* is the folder of its mesh as seen from the scene. A loose sphere rolls."""
        shape, low_m = self._shape(beside)
        mass = 0.0 if self.fixed else self.mass_kg

        def at(pose: Pose, name: str) -> Ball | Solid:
            if isinstance(shape, Sphere) and mass:
                return Ball(name=name, radius_m=shape.radius_m, mass_kg=mass, pose=pose, colour=_COLOUR)
            high = dataclasses.replace(pose, z_m=pose.z_m + low_m)
            return Solid(name=name, shape=shape, pose=high, mass_kg=mass, colour=_COLOUR)

        return at

    def _shape(self, beside: str) -> tuple[Shape, float]:
        """Return its shape, and how high that is above the floor (m)."""
        if not self.colliders:
            unit = 0.001 if self.in_mm else 1.0
            file = f"{beside}/{self.mesh}" if beside not in ("", ".") else self.mesh
            return Mesh(file, scale=self.scale * unit, up="y", hull=True), 0.0
        parts = [part.scaled(self.scale) for part in self.colliders]
        sides = [(min(p.low_high(n)[0] for p in parts), max(p.low_high(n)[1] for p in parts)) for n in range(3)]
        wide, high, long = ((end - start) / 1000 for start, end in sides)
        low = max(sides[1][0] / 1000, 0.0)
        only = parts[0] if len(parts) == 1 else None
        if only and only.kind == "sphere":
            return Sphere(wide / 2), low
        if only and only.is_round:
            return Cylinder(wide / 2, high), low
        return Box((long, wide, high)), low


def read_object(data: bytes | str, file: str, folder: pathlib.Path | None, notes: FileNotes) -> EyeSimObject:
    """Return the object that a file describes; skipped lines go to the notes; raises FormatError."""
    if isinstance(data, bytes):
        check_size(data, file)
    reader = _Reader(EyeSimObject(pathlib.PurePath(file).stem), notes, file)
    for line in said_lines(as_text(data, file), "#;"):
        reader.take(line)
    return reader.object(folder)


@dataclass
class _Reader:
    """Reads an object line by line."""

    made: EyeSimObject
    notes: FileNotes
    file: str

    def take(self, line: TextLine) -> None:
        """Process one line, or add a warning."""
        if line.key not in KEYWORDS:
            self.notes.unknown(line, KEYWORDS, self.file)
        else:
            self.made.lines.setdefault(line.key, line.number)
            getattr(self, f"do_{line.key}")(line)

    def _numbers(self, line: TextLine, words: Sequence[str], want: str, *counts: int) -> list[float] | None:
        found = numbers(words)
        if found is None or len(found) not in counts:
            self.notes.warn(line.number, f"not understood and skipped: {line.text[:60]!r} (want {want})", self.file)
            return None
        return found

    def do_obj(self, line: TextLine) -> None:
        """Take the file of the mesh."""
        self.made.mesh = line.words[1].replace("\\", "/") if len(line.words) > 1 else ""

    def do_name(self, line: TextLine) -> None:
        """Take the name, which may have blanks."""
        self.made.name = " ".join(line.words[1:])[:100] or self.made.name

    def do_scale(self, line: TextLine) -> None:
        """Take the factor of mesh and colliders."""
        if (found := self._numbers(line, line.words[1:], "scale FACTOR", 1)) and 0.0 < found[0] <= _MOST_SCALE:
            self.made.scale = found[0]
        elif found:
            self.notes.warn(line.number, f"a scale of {found[0]:g}; skipped (want above 0)", self.file)

    def do_mass(self, line: TextLine) -> None:
        """Take the mass; its centre is that of the shape."""
        found = self._numbers(line, line.words[1:], "mass KG [cx cy cz]", 1, 4)
        if found and 0.0 < found[0] <= _MOST_KG:
            self.made.mass_kg = found[0]
        elif found:
            self.notes.warn(line.number, f"a mass of {found[0]:g} kg; skipped (want above 0)", self.file)

    def do_collider(self, line: TextLine) -> None:
        """Take a collider of the newer form."""
        kind = line.words[1].lower() if len(line.words) > 1 else ""
        self._collider(line, kind, list(line.words[2:]))

    def do_box(self, line: TextLine) -> None:
        """Take a collider of 2018, without the word collider."""
        self._collider(line, line.key, list(line.words[1:]))

    do_sphere = do_capsule = do_box

    def do_fixed(self, line: TextLine) -> None:
        """Let it not be pushed."""
        self.made.fixed = True

    def do_buoyancy(self, line: TextLine) -> None:
        """Skip what is for water."""
        self.notes.warn(line.number, "buoyancy is not supported; skipped", self.file)

    def _collider(self, line: TextLine, kind: str, words: list[str]) -> None:
        axis = words.pop().lower() if kind == "capsule" and words and words[-1].lower() in ("x", "y", "z") else "y"
        counts = {"box": 6, "sphere": 4, "capsule": 5}
        want = "collider box cx cy cz sx sy sz, sphere cx cy cz r, or capsule cx cy cz r h [axis]"
        found = self._numbers(line, words, want, counts[kind]) if kind in counts else None
        if kind not in counts:
            self.notes.warn(line.number, f"unknown collider {kind[:40]!r}; skipped (want {want})", self.file)
        part = collider(kind, found[3:], found[:3], axis) if found else None
        if found and part is None:
            self.notes.warn(line.number, "a collider without size; skipped (want sizes above 0)", self.file)
        if part and len(self.made.colliders) < _MOST_COLLIDERS:
            self.made.colliders.append(part)

    def object(self, folder: pathlib.Path | None) -> EyeSimObject:
        """Return the object; raises FormatError if it has no shape."""
        made = self.made
        if made.colliders:
            return made
        if not made.mesh:
            raise FormatError(f"{self.file}: an object needs a mesh or a collider (obj FILE, collider box ...)")
        if not _is_there(folder, made.mesh):
            where = f"{self.file}:{made.lines['obj']}"
            raise FormatError(f"{where}: no such mesh {made.mesh[:80]!r} (give it, or a collider)")
        made.in_mm = _extent((folder or pathlib.Path()) / made.mesh) * made.scale >= _METRES
        text = "an object with a mesh and no collider needs the rigid engine (add a line: collider box ...)"
        self.notes.warn(made.lines["obj"], text, self.file)
        return made


def _is_there(folder: pathlib.Path | None, name: str) -> bool:
    return folder is not None and name.lower().endswith(_MESHES) and fence.is_file(folder / name)


def _extent(path: pathlib.Path) -> float:
    """Return the largest side of an OBJ file's bounding box, in its own unit; 0 for another format."""
    if path.suffix.lower() != ".obj":
        return 0.0
    try:
        rows = [tuple(map(float, found)) for found in _VERTEX.findall(fence.read_bytes(path))]
    except (OSError, ValueError):
        return 0.0
    return max((max(axis) - min(axis) for axis in zip(*rows)), default=0.0)
