"""What pictures show where rays have met the things that have them: looked up for those rays alone.

A picture is decoded when the first ray meets it, and kept by the library of the scene's files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from understudy.engines.rays.solid_shapes import BOX, CONE, CYLINDER, SPHERE, Array, Ints, Solids
from understudy.engines.rays.triangles import Meshes, corner_rows, rows_met
from understudy.formats.library import Library
from understudy.formats.texture import Pixels
from understudy.world import labels, wrapping
from understudy.world.scene import Scene, Solid, Wall
from understudy.world.shapes import Mesh
from understudy.world.skins import NO_PICTURE, Poster, Skin

if TYPE_CHECKING:
    from understudy.engines.rays.solids import SolidWorld
    from understudy.engines.rays.things import Things

Colours = npt.NDArray[np.int16]

_ON_SOLIDS = {
    BOX: wrapping.on_box,
    CYLINDER: wrapping.around,
    CONE: wrapping.around,
    SPHERE: wrapping.on_sphere,
}
_EDGE = 1e-6  # of a picture: what is this near beyond its edge is still on it, and not where it repeats


class Canvas:
    """The pictures of a scene: by label what the scene puts on things, by triangle what meshes bring along."""

    def __init__(self, scene: Scene, skin: Skin | None, library: Library) -> None:
        things: tuple[Wall | Solid, ...] = (*scene.walls, *scene.objects)
        count = labels.FIRST + len(things) + len(scene.robots) + len(scene.balls)
        own = skin.posters if skin else ()
        rows: dict[Poster, int] = {poster: row for row, poster in enumerate(own)}
        self._by_label = np.full(count, NO_PICTURE, np.int64)
        self._sizes = np.full((count, 2), np.nan)  # of one picture on a wall (m)
        self._walls = labels.FIRST + len(scene.walls)  # labels below this are walls, if they are things
        for label, thing in enumerate(things, labels.FIRST):
            if (poster := _poster(thing, library)) is not None:
                self._by_label[label] = rows.setdefault(poster, len(rows))
            if isinstance(thing, Wall) and thing.picture_m:
                self._sizes[label] = thing.picture_m
        self._library, self._skin, self._posters = library, skin, tuple(rows)

    def paint(self, world: SolidWorld, which: Ints, met: Things) -> None:
        """Write into the colours of what was met what pictures show there; *which* are rows of what the world holds."""
        if not self._posters:
            return
        number = self._by_label[met.label]
        solid = (number != NO_PICTURE) & (which >= 0) & (which < len(world.solids.tags))
        if solid.any():
            places = self._on_solids(world.solids, which[solid], met.label[solid], met.point[solid], met.normal[solid])
            met.colour[solid] = self._colours(number[solid], places, met.colour[solid])
        far = which >= world.first_triangle
        if world.meshes is not None and self._skin is not None and far.any():
            ids = which[far] - world.first_triangle
            own, places = _on_triangles(world.meshes, self._skin, ids, met.point[far])
            wanted = np.where(number[far] == NO_PICTURE, own, number[far])
            met.colour[far] = self._colours(wanted, places, met.colour[far])

    def _on_solids(self, solids: Solids, k: Ints, label: Ints, point: Array, normal: Array) -> Array:
        """Return the places on pictures of points of solids."""
        back = solids.turn[k].swapaxes(1, 2)
        at, out = (np.einsum("nij,nj->ni", back, vectors) for vectors in (point - solids.centre[k], normal))
        places = np.full((len(k), 2), np.nan)
        wall = label < self._walls
        if wall.any():
            half = solids.half[k[wall]]
            places[wall] = wrapping.on_wall(at[wall], out[wall], half, self._sizes[label[wall]])
        for kind, place in _ON_SOLIDS.items():
            mine = ~wall & (solids.kind[k] == kind)
            if mine.any():
                places[mine] = place(at[mine], out[mine], solids.half[k[mine]])
        return places

    def _colours(self, number: Ints, places: Array, found: Colours) -> Colours:
        """Return what the pictures show at places; what was *found* before where there is none."""
        number = np.where(np.isfinite(places).all(axis=1), number, NO_PICTURE)
        for row in np.unique(number[number != NO_PICTURE]).tolist():
            mine = number == row
            found[mine] = sampled(self._library.pixels(self._posters[row]), places[mine])
        return found


def _poster(thing: Wall | Solid, library: Library) -> Poster | None:
    """Return the picture that the scene puts on a thing; raises FormatError, also for a mesh that cannot have one."""
    if thing.picture and isinstance(thing, Solid) and isinstance(thing.shape, Mesh):
        library.body(thing)
    return library.poster(thing)


def _on_triangles(meshes: Meshes, skin: Skin, ids: Ints, point: Array) -> tuple[Ints, Array]:
    """Return which picture of their own points of triangles have, and where on a picture they are."""
    rows, corners = rows_met(meshes, ids), corner_rows(meshes, ids)
    turn = meshes.form[rows, 3:12].reshape(-1, 3, 3)
    at = np.einsum("nji,nj->ni", turn, point - meshes.form[rows, :3]) - meshes.corners[corners, :3]
    one, two = _shares(at, meshes.corners[corners, 3:6], meshes.corners[corners, 6:9])
    a, b, c = skin.places[corners].astype(np.float64).swapaxes(0, 1)
    return skin.which[corners], a + one[:, None] * (b - a) + two[:, None] * (c - a)


def _shares(at: Array, b: Array, c: Array) -> tuple[Array, Array]:
    """Return how much of two sides of a triangle leads to a point, seen from the corner that they have in common."""
    bb, bc, cc = (b * b).sum(axis=1), (b * c).sum(axis=1), (c * c).sum(axis=1)
    pb, pc = (at * b).sum(axis=1), (at * c).sum(axis=1)
    area = np.maximum(bb * cc - bc * bc, 1e-300)
    return (cc * pb - bc * pc) / area, (bb * pc - bc * pb) / area


def sampled(pixels: Pixels, places: Array) -> Pixels:
    """Return the pixels at places of a picture, which repeats beyond its edges.

    >>> sampled(np.array([[[1, 1, 1], [2, 2, 2]]], np.uint8), np.array([[0.2, 0.5], [1.0, 0.5], [1.2, 0.5]])).tolist()
    [[1, 1, 1], [2, 2, 2], [1, 1, 1]]
    """
    rows, columns = pixels.shape[:2]
    inside = (places > -_EDGE) & (places < 1.0 + _EDGE)
    share = np.where(inside, places, places - np.floor(places))
    column = np.clip((share[:, 0] * columns).astype(np.int64), 0, columns - 1)
    row = np.clip(((1.0 - share[:, 1]) * rows).astype(np.int64), 0, rows - 1)
    return np.asarray(pixels[row, column])
