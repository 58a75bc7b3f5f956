"""Texture lookup at the hits of rays.

How a texture is mapped onto a solid is defined in `world.texture_mapping`, which gives solids as triangles; here it is
the inverse, from a point on a solid to texture coordinates. A ray represents a small field, and its colour is a mean
over about as much: a pixel of the texture, or of one of its mipmaps. Textures are decoded when the first ray hits them,
and cached by the library of the scene's files.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.assets.library import Library
from understudy.engines.cells import cell_index
from understudy.engines.rays.spatial.solid_shapes import BOX, SPHERE, Ints
from understudy.jit import CAMERA, inner, kernel
from understudy.world import labels
from understudy.world.face_textures import NO_PICTURE, FaceTextures, TextureFile
from understudy.world.scene import Scene, Solid, Wall
from understudy.world.shapes import Mesh

if TYPE_CHECKING:
    from understudy.engines.rays.spatial.hits import HitDetails
    from understudy.engines.rays.spatial.solids import SolidWorld

Array = npt.NDArray[np.float64]

_LEVEL = 1.0 - 1e-9  # axial component of a round solid's normal above which it is its bottom or top
_GRAZING = 0.1  # cosine of incidence below which no coarser mipmap is used
_EDGE = 1e-6  # of a texture: a point this near outside its edge is on the edge, not on the next tile


class TextureLookup:
    """The textures of a scene: by label those that the scene puts on things, by triangle those of meshes."""

    def __init__(self, scene: Scene, textures: FaceTextures | None, library: Library) -> None:
        things: tuple[Wall | Solid, ...] = (*scene.walls, *scene.objects)
        count = labels.FIRST + len(things) + len(scene.robots) + len(scene.balls)
        own = textures.files if textures else ()
        rows: dict[TextureFile, int] = {texture_file: row for row, texture_file in enumerate(own)}
        self._by_label = np.full(count, NO_PICTURE, np.int64)
        self._sizes = np.zeros((count, 2))  # of one tile on a wall (m); 0: the size of the wall
        self._walls = labels.FIRST + len(scene.walls)  # things with labels below this are walls
        for label, thing in enumerate(things, labels.FIRST):
            if (texture_file := _texture_file(thing, library)) is not None:
                self._by_label[label] = rows.setdefault(texture_file, len(rows))
            if isinstance(thing, Wall) and thing.picture_m:
                self._sizes[label] = thing.picture_m
        self._library, self._textures, self._texture_files = library, textures, tuple(rows)

    def paint(self, world: SolidWorld, which: Ints, met: HitDetails, widths: Array) -> None:
        """Write the texture colours into the colours of the hits; *which* are rows of the world.

        *widths* are the widths of the rays' fields at their ends (m).
        """
        if not self._texture_files:
            return
        number, places = np.full(which.shape, NO_PICTURE, np.int64), np.empty((*which.shape, 3))
        seen = np.zeros(len(self._texture_files), np.bool_)
        find_on_solids(which, met, world.solids, self._by_label, self._sizes, self._walls, number, places, seen)
        if world.meshes is not None and self._textures is not None:
            first, textures = world.first_triangle, self._textures
            find_on_triangles(
                which, first, met, world.meshes, textures.places, textures.which, self._by_label, number, places, seen
            )
        for row in np.flatnonzero(seen).tolist():
            show(self._library.levels(self._texture_files[row]), row, number, places, met, widths)


def _texture_file(thing: Wall | Solid, library: Library) -> TextureFile | None:
    """Return the texture that the scene puts on a thing; raises FormatError, also for a mesh that cannot have one."""
    if thing.picture and isinstance(thing, Solid) and isinstance(thing.shape, Mesh):
        library.body(thing)
    return library.texture_file(thing)


# ---- texture coordinates: from the left and from the bottom, NaN where a surface has none; and the area of the
# surface that the whole texture would cover at this scale (m2)


@inner()
def _on_box(x, y, z, nx, ny, nz, hx, hy, hz):
    """Return the texture coordinates on each face of a box, and the axis of that face."""
    ax, ay, az = abs(nx), abs(ny), abs(nz)
    if ax >= ay and ax >= az:
        return 0.5 + math.copysign(0.5, nx) * y / hy, 0.5 + 0.5 * z / hz, 4.0 * hy * hz, 0
    if ay >= az:
        return 0.5 - math.copysign(0.5, ny) * x / hx, 0.5 + 0.5 * z / hz, 4.0 * hx * hz, 1
    return 0.5 + math.copysign(0.5, nz) * x / hx, 0.5 + 0.5 * y / hy, 4.0 * hx * hy, 2


@inner()
def _on_round(kind, x, y, z, nz, hz):
    """Return the texture coordinates around a cylinder or cone, or on a map of a globe."""
    u, around = 0.5 + elementary.atan2(y, x) / math.tau, math.tau * math.sqrt(x * x + y * y)
    if kind == SPHERE:
        return u, 0.5 + elementary.asin(min(max(z / hz, -1.0), 1.0)) / math.pi, around * math.pi * hz
    if abs(nz) < _LEVEL:
        return u, 0.5 + 0.5 * z / hz, around * 2.0 * hz / math.sqrt(1.0 - nz * nz)
    return math.nan, math.nan, 0.0


@inner()
def _on_solid(k, point, normal, solids, is_wall, size):
    """Return the texture coordinates of a point of a solid with a known normal, and the texture's area (m2)."""
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
    u, v, area, axis = _on_box(x, y, z, nx, ny, nz, form[12], form[13], form[14])
    u, v = min(max(u, 0.0), 1.0), min(max(v, 0.0), 1.0)
    if not is_wall or (axis == 1 and not size[0] > 0.0):
        return u, v, area
    if axis != 1:
        return math.nan, math.nan, 0.0
    return u * 2.0 * form[12] / size[0], v * 2.0 * form[14] / size[1], size[0] * size[1]


@kernel(effort=30, cost=("which", 3e-6), what=CAMERA)
def find_on_solids(which, met, solids, by_label, sizes, walls, number, places, seen):
    """Write the texture and its coordinates where rays have hit walls and solids; record which are *seen*."""
    count = solids.tags.shape[0]
    for n in range(which.shape[0]):
        for r in range(which.shape[1]):
            k, label = which[n, r], met.label[n, r]
            row = by_label[label]
            if row < 0 or not 0 <= k < count:
                continue
            u, v, area = _on_solid(k, met.point[n, r], met.normal[n, r], solids, label < walls, sizes[label])
            if u == u:
                number[n, r], seen[row] = row, True
                places[n, r, 0], places[n, r, 1], places[n, r, 2] = u, v, area


@inner()
def _shares(corner, form, point):
    """Return the barycentric coordinates of a point along two sides of a triangle, and the triangle's area (m2).

    The point is in the world frame.
    """
    wx, wy, wz = point[0] - form[0], point[1] - form[1], point[2] - form[2]
    x = form[3] * wx + form[6] * wy + form[9] * wz - corner[0]
    y = form[4] * wx + form[7] * wy + form[10] * wz - corner[1]
    z = form[5] * wx + form[8] * wy + form[11] * wz - corner[2]
    bx, by, bz, cx, cy, cz = corner[3], corner[4], corner[5], corner[6], corner[7], corner[8]
    bb, bc, cc = bx * bx + by * by + bz * bz, bx * cx + by * cy + bz * cz, cx * cx + cy * cy + cz * cz
    pb, pc = x * bx + y * by + z * bz, x * cx + y * cy + z * cz
    area = max(bb * cc - bc * bc, 1e-300)
    return (cc * pb - bc * pc) / area, (bb * pc - bc * pb) / area, 0.5 * math.sqrt(area)


@kernel(effort=30, cost=("which", 5e-6), what=CAMERA)
def find_on_triangles(which, first, met, meshes, corners, shown, by_label, number, places, seen):
    """Write the texture where rays have hit meshes: that of the scene, or that of the triangle."""
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
            b, c, area = _shares(meshes.corners[t], meshes.form[m], met.point[n, r])
            bu, bv = corners[t, 1, 0] - corners[t, 0, 0], corners[t, 1, 1] - corners[t, 0, 1]
            cu, cv = corners[t, 2, 0] - corners[t, 0, 0], corners[t, 2, 1] - corners[t, 0, 1]
            u, v = corners[t, 0, 0] + b * bu + c * cu, corners[t, 0, 1] + b * bv + c * cv
            if u == u and v == v:
                number[n, r], seen[row] = row, True
                places[n, r, 0], places[n, r, 1] = u, v
                places[n, r, 2] = area / max(0.5 * abs(bu * cv - bv * cu), 1e-12)


# ---- colours


@inner()
def _share(u):
    """Return the coordinate within a tile of a repeating texture."""
    return u if -_EDGE < u < 1.0 + _EDGE else u - math.floor(u)


@inner()
def _level(width, cosine, area, sizes):
    """Return the mipmap level whose pixels are about as large as the field of a ray on an inclined surface."""
    field = width * width * sizes[0, 1] * sizes[0, 2]  # in pixels, times the area of the texture and the cosine
    level = 0
    while field > 2.0 * max(cosine, _GRAZING) * area and level < sizes.shape[0] - 1:
        field, level = 0.25 * field, level + 1
    return level


@kernel(effort=30, cost=("number", 2e-6), what=CAMERA)
def show(levels, row, number, places, met, widths):
    """Write the colours of a texture where it is the one that was hit."""
    for n in range(number.shape[0]):
        for r in range(number.shape[1]):
            if number[n, r] != row:
                continue
            way, normal = met.way[n, r], met.normal[n, r]
            cosine = abs(way[0] * normal[0] + way[1] * normal[1] + way[2] * normal[2])
            size = levels.sizes[_level(widths[n, r], cosine, places[n, r, 2], levels.sizes)]
            u, v = _share(places[n, r, 0]), _share(places[n, r, 1])
            i, j = cell_index((1.0 - v) * size[1], size[1]), cell_index(u * size[2], size[2])
            for channel in range(3):
                met.colour[n, r, channel] = levels.pixels[size[0] + i * size[2] + j, channel]
