"""What pictures show where rays have met the things that have them: looked up for those rays alone.

How a picture lies on a solid is told in `world.wrapping`, which gives solids as triangles; here it is the other way
round, from a place on a solid to the place on the picture. A picture is decoded when the first ray meets it, and kept
by the library of the scene's files.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from understudy.compiled import inner, kernel
from understudy.engines.rays.solid_shapes import BOX, SPHERE, Ints
from understudy.formats.library import Library
from understudy.world import labels
from understudy.world.scene import Scene, Solid, Wall
from understudy.world.shapes import Mesh
from understudy.world.skins import NO_PICTURE, Poster, Skin

if TYPE_CHECKING:
    from understudy.engines.rays.solids import SolidWorld
    from understudy.engines.rays.things import Things

Array = npt.NDArray[np.float64]

_LEVEL = 1.0 - 1e-9  # of a normal along the axis of a round solid: what is more is its bottom or top
_EDGE = 1e-6  # of a picture: what is this near beyond its edge is still on it, and not where it repeats


class Canvas:
    """The pictures of a scene: by label what the scene puts on things, by triangle what meshes bring along."""

    def __init__(self, scene: Scene, skin: Skin | None, library: Library) -> None:
        things: tuple[Wall | Solid, ...] = (*scene.walls, *scene.objects)
        count = labels.FIRST + len(things) + len(scene.robots) + len(scene.balls)
        own = skin.posters if skin else ()
        rows: dict[Poster, int] = {poster: row for row, poster in enumerate(own)}
        self._by_label = np.full(count, NO_PICTURE, np.int64)
        self._sizes = np.zeros((count, 2))  # of one picture on a wall (m); 0: as large as that
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
        number, places = np.full(which.shape, NO_PICTURE, np.int64), np.empty((*which.shape, 2))
        seen = np.zeros(len(self._posters), np.bool_)
        find_on_solids(which, met, world.solids, self._by_label, self._sizes, self._walls, number, places, seen)
        if world.meshes is not None and self._skin is not None:
            first, skin = world.first_triangle, self._skin
            find_on_triangles(
                which, first, met, world.meshes, skin.places, skin.which, self._by_label, number, places, seen
            )
        for row in np.flatnonzero(seen).tolist():
            show(self._library.pixels(self._posters[row]), row, number, places, met.colour)


def _poster(thing: Wall | Solid, library: Library) -> Poster | None:
    """Return the picture that the scene puts on a thing; raises FormatError, also for a mesh that cannot have one."""
    if thing.picture and isinstance(thing, Solid) and isinstance(thing.shape, Mesh):
        library.body(thing)
    return library.poster(thing)


# ---- places on pictures: from the left and from the bottom; nan where a surface stays plain


@inner()
def _on_box(x, y, z, nx, ny, nz, hx, hy, hz):  # type: ignore[no-untyped-def]
    """Return the place on a picture that is on each face of a box, and the axis along which that face looks."""
    ax, ay, az = abs(nx), abs(ny), abs(nz)
    if ax >= ay and ax >= az:
        return 0.5 + math.copysign(0.5, nx) * y / hy, 0.5 + 0.5 * z / hz, 0
    if ay >= az:
        return 0.5 - math.copysign(0.5, ny) * x / hx, 0.5 + 0.5 * z / hz, 1
    return 0.5 + math.copysign(0.5, nz) * x / hx, 0.5 + 0.5 * y / hy, 2


@inner()
def _on_round(kind, x, y, z, nz, hz):  # type: ignore[no-untyped-def]
    """Return the place on a picture around a cylinder or cone, or on a map of a globe."""
    u = 0.5 + math.atan2(y, x) / math.tau
    if kind == SPHERE:
        return u, 0.5 + math.asin(min(max(z / hz, -1.0), 1.0)) / math.pi
    return (u, 0.5 + 0.5 * z / hz) if abs(nz) < _LEVEL else (math.nan, math.nan)


@inner()
def _on_solid(k, point, normal, solids, is_wall, size):  # type: ignore[no-untyped-def]
    """Return the place on a picture of a point of a solid whose normal is known."""
    form = solids.form[k]
    wx, wy, wz = point[0] - form[0], point[1] - form[1], point[2] - form[2]
    x, y, z = (
        form[3] * wx + form[6] * wy + form[9] * wz,
        form[4] * wx + form[7] * wy + form[10] * wz,
        form[5] * wx + form[8] * wy + form[11] * wz,
    )
    nx = form[3] * normal[0] + form[6] * normal[1] + form[9] * normal[2]
    ny = form[4] * normal[0] + form[7] * normal[1] + form[10] * normal[2]
    nz = form[5] * normal[0] + form[8] * normal[1] + form[11] * normal[2]
    if solids.tags[k, 0] != BOX:
        return _on_round(solids.tags[k, 0], x, y, z, nz, form[14])
    u, v, axis = _on_box(x, y, z, nx, ny, nz, form[12], form[13], form[14])
    u, v = min(max(u, 0.0), 1.0), min(max(v, 0.0), 1.0)
    if not is_wall:
        return u, v
    if axis != 1:
        return math.nan, math.nan
    return (u * 2.0 * form[12] / size[0], v * 2.0 * form[14] / size[1]) if size[0] > 0.0 else (u, v)


@kernel()
def find_on_solids(which, met, solids, by_label, sizes, walls, number, places, seen):  # type: ignore[no-untyped-def]
    """Write which picture is where rays have met walls and solids, and the place on it; note which are *seen*."""
    count = solids.tags.shape[0]
    for n in range(which.shape[0]):
        for r in range(which.shape[1]):
            k, label = which[n, r], met.label[n, r]
            row = by_label[label]
            if row < 0 or not 0 <= k < count:
                continue
            u, v = _on_solid(k, met.point[n, r], met.normal[n, r], solids, label < walls, sizes[label])
            if u == u:
                number[n, r], places[n, r, 0], places[n, r, 1], seen[row] = row, u, v, True


@inner()
def _shares(corner, form, point):  # type: ignore[no-untyped-def]
    """Return how much of the two sides of a triangle leads from its first corner to a point of it in the world."""
    wx, wy, wz = point[0] - form[0], point[1] - form[1], point[2] - form[2]
    x = form[3] * wx + form[6] * wy + form[9] * wz - corner[0]
    y = form[4] * wx + form[7] * wy + form[10] * wz - corner[1]
    z = form[5] * wx + form[8] * wy + form[11] * wz - corner[2]
    bx, by, bz, cx, cy, cz = corner[3], corner[4], corner[5], corner[6], corner[7], corner[8]
    bb, bc, cc = bx * bx + by * by + bz * bz, bx * cx + by * cy + bz * cz, cx * cx + cy * cy + cz * cz
    pb, pc = x * bx + y * by + z * bz, x * cx + y * cy + z * cz
    area = max(bb * cc - bc * bc, 1e-300)
    return (cc * pb - bc * pc) / area, (bb * pc - bc * pb) / area


@kernel()
def find_on_triangles(which, first, met, meshes, corners, shown, by_label, number, places, seen):  # type: ignore[no-untyped-def]
    """Write which picture is where rays have met meshes: that of the scene, or that which the triangle has."""
    starts = meshes.tags[:, 7].copy()
    for n in range(which.shape[0]):
        for r in range(which.shape[1]):
            p = which[n, r] - first
            if p < 0:
                continue
            m = np.searchsorted(starts, p, side="right") - 1
            t = meshes.tags[m, 3] + p - starts[m]
            row = by_label[met.label[n, r]]
            row = shown[t] if row < 0 else row
            if row < 0:
                continue
            b, c = _shares(meshes.corners[t], meshes.form[m], met.point[n, r])
            u = corners[t, 0, 0] + b * (corners[t, 1, 0] - corners[t, 0, 0]) + c * (corners[t, 2, 0] - corners[t, 0, 0])
            v = corners[t, 0, 1] + b * (corners[t, 1, 1] - corners[t, 0, 1]) + c * (corners[t, 2, 1] - corners[t, 0, 1])
            if u == u and v == v:
                number[n, r], places[n, r, 0], places[n, r, 1], seen[row] = row, u, v, True


# ---- colours


@inner()
def _share(u):  # type: ignore[no-untyped-def]
    """Return the place within a picture that a place on one which repeats stands for."""
    return u if -_EDGE < u < 1.0 + _EDGE else u - math.floor(u)


@kernel()
def show(pixels, row, number, places, colour):  # type: ignore[no-untyped-def]
    """Write the colours of a picture where it is the one that was met."""
    rows, columns = pixels.shape[0], pixels.shape[1]
    for n in range(number.shape[0]):
        for r in range(number.shape[1]):
            if number[n, r] == row:
                u, v = _share(places[n, r, 0]), _share(places[n, r, 1])
                i = min(max(int((1.0 - v) * rows), 0), rows - 1)
                j = min(max(int(u * columns), 0), columns - 1)
                for channel in range(3):
                    colour[n, r, channel] = pixels[i, j, channel]
