"""What to draw of a world, and how it looks: one shape per row that rays can hit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.engines.gl import forms
from understudy.engines.gl.assets import Assets, swatches
from understudy.engines.gl.forms import Form, GroundTexture
from understudy.engines.gl.textured import Piece, TexturedThings
from understudy.engines.rays.spatial.hits import Numbers
from understudy.engines.rays.spatial.solid_shapes import BOX, CONE, GROUND, PRISM, SPHERE
from understudy.engines.rays.spatial.solids import NOBODY, SolidWorld
from understudy.world import labels

Array = npt.NDArray[np.float64]
Triple = tuple[float, float, float]

DEEP_M = 10.0  # depth of unbounded ground
_THIN_M = 1e-4  # half the thickness of walls without thickness: a box needs two sides
_LAMP_CELLS = 48  # light is computed at vertices: a lamp needs many of them
_LAMP_QUADS = 8
_ONE: Triple = (1.0, 1.0, 1.0)
_HERE = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])  # the world frame


class Looks(NamedTuple):
    """Looks of what rays can hit: labels by row, colours by label, the ground's texture, outlines of robots."""

    numbers: Numbers
    colours: npt.NDArray[np.uint8]  # (labels, 3)
    floor: GroundTexture
    outlines: Sequence[tuple[tuple[float, float], ...]]  # by robot; empty for robots without an outline
    lamps: bool  # whether there may be lamps, whose light needs fine shapes
    shadows: bool  # whether suns may cast shadows
    textured: TexturedThings = TexturedThings({}, {})  # things with textures


class Drawn(NamedTuple):
    """A shape to be drawn: its kind and size or mesh, the row of its pose, and its look."""

    kind: str  # "BOX", "SPHERE" or "MESH", as in MuJoCo
    size: Triple
    mesh: int  # number, or -1
    place: int  # row of all poses
    label: int
    owner: int
    colour: Triple
    material: int = -1
    endless: bool = False  # it moves with the camera


class Sketch:
    """Everything in a world that *layer* sees, as shapes, with their meshes and textures."""

    def __init__(self, mj: Any, world: SolidWorld, looks: Looks, layer: int) -> None:
        self.assets = Assets(mj, _LAMP_QUADS if looks.lamps else 1, looks.shadows)
        self.drawn: list[Drawn] = []
        self._looks, self._world, self._layer = looks, world, layer
        self._known: dict[object, int] = {}  # meshes by their content
        self._here = len(places_of(world)) - 1
        for row in range(len(world.solids.tags)):
            if world.solids.mask[row] & layer:
                self._solid(row)
        if world.relief is not None and world.relief.mask & layer:
            self._ground(forms.land(world.relief))
        for row in range(0 if world.meshes is None else len(world.meshes.tags)):
            self._mesh(row)

    def _solid(self, row: int) -> None:
        solids, numbers = self._world.solids, self._looks.numbers
        kind, _, owner = solids.tags[row, :3].tolist()
        if kind == GROUND:
            self._flat_ground()
            return
        x, y, z = solids.half[row].tolist()
        label = int(numbers.fixed[row] if row < self._world.fixed else numbers.owner[owner])
        if (pieces := self._pieces(row, label)) is not None:
            self._textured(pieces, row, label, owner)
            return
        name, size, mesh = "MESH", _ONE, -1
        if kind == BOX:
            name, size = "BOX", (max(x, _THIN_M), max(y, _THIN_M), max(z, _THIN_M))
        elif kind == SPHERE:
            name, size = "SPHERE", (x, x, x)
        else:
            mesh = self._known_mesh(kind, owner, x, z)
        self.drawn.append(Drawn(name, size, mesh, row, label, owner, self._colour(label)))

    def _pieces(self, row: int, label: int) -> Iterable[Piece] | None:
        """Return what is drawn of a solid with textures; None if it has none."""
        textured = self._looks.textured
        if label in textured.walls:
            return textured.walls[label].pieces(np.maximum(self._world.solids.half[row], _THIN_M))
        return textured.things.get(label)

    def _textured(
        self, pieces: Iterable[Piece], place: int, label: int, owner: int, shift: Array | None = None
    ) -> None:
        """Draw textured triangles; *shift* leads to their frame if it is not that of the row."""
        for piece in pieces:
            corners = piece.form.corners + (np.zeros(3) if shift is None else shift)
            form, material, colour = piece.form._replace(corners=corners), -1, _ONE
            if piece.pixels is not None:
                material = self._texture(piece.pixels)
            elif len(piece.colours):
                pixels, spots = swatches(piece.colours)
                form, material = form._replace(spots=np.repeat(spots[:, None], 3, axis=1)), self.assets.texture(pixels)
            else:
                colour = self._colour(label)
            mesh = self.assets.mesh(forms.two_sided(form))
            self.drawn.append(Drawn("MESH", _ONE, mesh, place, label, owner, colour, material))

    def _texture(self, pixels: npt.NDArray[np.uint8]) -> int:
        """Return the material of a texture, created once."""
        if id(pixels) not in self._known:
            self._known[id(pixels)] = self.assets.texture(pixels)
        return self._known[id(pixels)]

    def _known_mesh(self, kind: int, owner: int, radius: float, half: float) -> int:
        """Return the mesh of a cylinder, cone or prism; shared by equal sizes."""
        outline = tuple(self._looks.outlines[owner]) if kind == PRISM else ()
        key = (kind, radius, half, outline)
        if key not in self._known:
            form = forms.prism(outline, half) if outline else forms.round_body(radius, half, kind == CONE)
            self._known[key] = self.assets.mesh(form)
        return self._known[key]

    def _flat_ground(self) -> None:
        looks = self._looks
        if looks.floor.plain and not looks.lamps:
            size, colour = (1.0, 1.0, DEEP_M), self._floor_colour()
            self.drawn.append(Drawn("BOX", size, -1, self._here, labels.GROUND, NOBODY, colour, endless=True))
        else:
            self._ground(forms.floor(looks.floor, _LAMP_CELLS if looks.lamps else 1))

    def _ground(self, form: Form) -> None:
        """Draw ground: in one colour, or with its texture."""
        floor, material, colour = self._looks.floor, -1, _ONE
        if floor.plain:
            form, colour = form._replace(spots=None), self._floor_colour()
        else:
            form, material = form.with_spots(floor), self.assets.texture(floor.pixels)
        mesh = self.assets.mesh(form)
        self.drawn.append(Drawn("MESH", _ONE, mesh, self._here, labels.GROUND, NOBODY, colour, material))

    def _mesh(self, row: int) -> None:
        """Draw a mesh in the colours of its file, or in that of its thing; the ground's mesh with its texture."""
        meshes, paint = self._world.meshes, self._world.paint
        assert meshes is not None
        assert paint is not None
        mask, owner, _, first, count, _, closed, _ = meshes.tags[row].tolist()
        if not mask & self._layer:
            return
        thing, place = int(meshes.thing[row]), len(self._world.solids.tags) + row
        label = labels.GROUND if thing < 0 else int(self._looks.numbers.objects[thing])
        if label in self._looks.textured.things:
            self._textured(self._looks.textured.things[label], place, label, owner, -meshes.middle[row])
            return
        form, colours = _triangles(meshes.corners[first : first + count]), paint[first : first + count]
        textures = self._world.textures
        if owner >= 0 and textures is not None and (part := textures.of(np.arange(first, first + count))).shows:
            self._textured(self._looks.textured.worn(form, part, colours), place, label, owner)
            return
        own = len(colours) and colours[0, 0] >= 0
        if thing < 0 and not own:
            middle = meshes.middle[row]
            moved = form._replace(corners=form.corners + middle)  # it is in the world frame
            self._ground(_seen(moved, bool(closed)))
            return
        mesh, material = self._painted(first, form, colours, bool(closed), bool(own))
        colour = _ONE if own else self._colour(label)
        self.drawn.append(Drawn("MESH", _ONE, mesh, place, label, owner, colour, material))

    def _painted(
        self, first: int, form: Form, colours: npt.NDArray[np.int16], closed: bool, own: bool
    ) -> tuple[int, int]:
        """Return mesh and material of triangles; equal ones are stored once."""
        if ("triangles", first) not in self._known:
            material = -1
            if own:
                pixels, spots = swatches(colours)
                material = self.assets.texture(pixels)
                form = form._replace(spots=np.repeat(spots[:, None], 3, axis=1))
            self._known["triangles", first] = self.assets.mesh(_seen(form, closed))
            self._known["material", first] = material
        return self._known["triangles", first], self._known["material", first]

    def _colour(self, label: int) -> Triple:
        return _bright(self._looks.colours[label])

    def _floor_colour(self) -> Triple:
        return _bright(self._looks.floor.pixels[0, 0])


def _bright(colour: npt.NDArray[np.uint8]) -> Triple:
    red, green, blue = (colour / 255.0).tolist()
    return red, green, blue


def places_of(world: SolidWorld) -> Array:
    """Return centres and rotations of solids, then of meshes, then the world frame, (N, 12)."""
    meshes = np.empty((0, 12)) if world.meshes is None else world.meshes.form[:, :12]
    return np.concatenate([world.solids.form[:, :12], meshes, _HERE[None]])


def _triangles(rows: Array) -> Form:
    """Return triangles given by a corner and two edges."""
    a = rows[:, :3]
    return forms.flat(np.stack([a, a + rows[:, 3:6], a + rows[:, 6:9]], axis=1))


def _seen(form: Form, closed: bool) -> Form:
    return form if closed else forms.two_sided(form)
