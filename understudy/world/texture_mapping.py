"""Texture mapping of walls and shapes other than meshes, as triangles for renderers.

A texture is upright and readable from outside. A box has it once on each face; on its top it lies like a picture on the
ground, with y up. A cylinder and a cone have it once around the side, its centre forward, along x; bottom and top
stay plain. A sphere has it like the map on a globe. A wall has it on both long sides of each straight piece, once, or
repeated every few metres from the lower left.

Cameras find the places on pictures without triangles, in `engines.rays.canvas`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.elementary import arrays
from understudy.world import walls
from understudy.world.face_textures import NO_PICTURE, FaceTextures, TextureFile
from understudy.world.looks import Prism
from understudy.world.scene import Wall
from understudy.world.shapes import Box, Cone, Cylinder, Mesh, Shape, Sphere
from understudy.world.triangles import Triangles

Array = npt.NDArray[np.float64]

X, Y, Z = np.eye(3)
# directions of right and up on a texture, by face: front, back, left, right, top, bottom
_RIGHT = np.array([Y, -Y, -X, X, X, -X])
_UP = np.array([Z, Z, Z, Z, Y, Y])
_OUT = np.array([X, -X, Y, -Y, Z, -Z])
_LONG_SIDES = (2, 3)  # of a piece of a wall, which runs along x
_AROUND = 64  # pieces around a round body; a sphere has half as many rings
THIN_M = 0.03  # drawn thickness of walls without thickness


def wrapped(
    shape: Shape | Prism, texture_file: TextureFile, colour: tuple[int, int, int], around: int = _AROUND
) -> Triangles:
    """Return a shape at the origin as textured triangles (m), round ones of so many pieces; a mesh has its own."""
    assert not isinstance(shape, Mesh)
    if isinstance(shape, Box):
        return _body(list(_box_quads(np.array(shape.size_m) / 2)), texture_file, colour)
    if isinstance(shape, Prism):
        return _body(list(_prism_quads(shape)), texture_file, colour)
    lids = () if isinstance(shape, Sphere) else _lids(shape, around)
    return _body([*_round_quads(shape, around), *lids], texture_file, colour)


def wrapped_wall(wall: Wall, texture_file: TextureFile, colour: tuple[int, int, int]) -> Triangles:
    """Return a wall as triangles with a texture on its long sides (m)."""
    thick, high = max(wall.thickness_m, THIN_M) / 2, wall.height_m / 2
    quads: list[Quad] = []
    for ax, ay, bx, by in walls.pieces(wall).tolist():
        long = elementary.hypot(bx - ax, by - ay)
        half = np.array([long / 2 + wall.thickness_m / 2, thick, high])
        times = 2.0 * half[::2] / wall.picture_m if wall.picture_m else np.ones(2)
        ahead = np.array([bx - ax, by - ay]) / long
        turn = np.array([[ahead[0], -ahead[1], 0.0], [ahead[1], ahead[0], 0.0], [0.0, 0.0, 1.0]])
        middle = np.array([(ax + bx) / 2, (ay + by) / 2, 0.0])
        for face, (corners, places) in enumerate(_box_quads(half)):
            shown = places * times if face in _LONG_SIDES else None
            quads.append((arrays.product(corners, turn.T) + middle, shown))
    return _body(quads, texture_file, colour)


Quad = tuple[Array, Array | None]  # four corners, counter-clockwise from outside, and their texture coordinates
_SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def _box_quads(half: Array) -> Iterator[tuple[Array, Array]]:
    for out, right, up in zip(_OUT, _RIGHT, _UP):
        across, above = 2.0 * _SQUARE.T - 1.0
        yield (out + across[:, None] * right + above[:, None] * up + Z) * half, _SQUARE


def _prism_quads(shape: Prism) -> Iterator[Quad]:
    """Yield the sides of a prism, then pieces of bottom and top, which are triangles (two of four corners coincide)."""
    points = np.array(shape.points_m)
    (x, y), (u, v) = points.T, np.roll(points, -1, axis=0).T
    area = float((x * v - y * u).sum())
    low = np.column_stack([points if area > 0 else points[::-1], np.zeros(len(points))])
    high = low + shape.height_m * Z
    for one, other in zip(range(len(low)), (*range(1, len(low)), 0)):
        yield np.array([low[one], low[other], high[other], high[one]]), None
    for one in range(1, len(low) - 1):
        yield np.array([low[0], low[one + 1], low[one], low[0]]), None
        yield np.array([high[0], high[one], high[one + 1], high[0]]), None


def _round_quads(shape: Cylinder | Cone | Sphere, around: int) -> Iterator[Quad]:
    """Yield the side of a round body, piece by piece."""
    rings = around // 2 if isinstance(shape, Sphere) else 1
    for row in range(rings):
        for column in range(around):
            places = (_SQUARE + np.array([column, row])) / (around, rings)
            yield _on_round(shape, places), places


def _on_round(shape: Cylinder | Cone | Sphere, places: Array) -> Array:
    """Return the points of a round body at texture coordinates."""
    turn, up = (places[:, 0] - 0.5) * math.tau, places[:, 1]
    if isinstance(shape, Sphere):
        away, high = shape.radius_m * arrays.sin(up * math.pi), shape.radius_m * (1.0 - arrays.cos(up * math.pi))
    else:
        away = shape.radius_m * (1.0 - up if isinstance(shape, Cone) else np.ones(len(up)))
        high = shape.height_m * up
    return np.stack([away * arrays.cos(turn), away * arrays.sin(turn), high], axis=-1)


def _lids(shape: Cylinder | Cone, around: int) -> Iterator[Quad]:
    """Yield bottom and top, which are plain; each piece is a triangle (two of its four corners coincide)."""
    for up in (0.0, 1.0):
        middle = np.array([0.0, 0.0, shape.height_m * up])
        for column in range(around):
            edge = _on_round(shape, np.array([[column / around, up], [(column + 1) / around, up]]))
            near, far = (edge[0], edge[1]) if up else (edge[1], edge[0])
            yield np.array([middle, near, far, middle]), None


def _body(quads: Sequence[Quad], texture_file: TextureFile, colour: tuple[int, int, int]) -> Triangles:
    """Return two triangles for each piece, without those of zero area."""
    halves = np.array([[0, 1, 2], [0, 2, 3]])
    corners = np.array([points for points, _ in quads])[:, halves].reshape(-1, 3, 3)
    places = np.array([np.zeros((4, 2)) if spot is None else spot for _, spot in quads])[:, halves].reshape(-1, 3, 2)
    plain = np.repeat([spot is None for _, spot in quads], 2)
    a, b, c = corners.swapaxes(0, 1)
    real = arrays.lengths(np.cross(b - a, c - a)) > 1e-12
    textures = FaceTextures(places.astype(np.float32), np.where(plain, NO_PICTURE, 0), (texture_file,)).of(real)
    vertices, count = corners[real].reshape(-1, 3), int(real.sum())
    faces = np.arange(3 * count, dtype=np.int64).reshape(-1, 3)
    return Triangles(vertices, faces, np.tile(np.array(colour, np.uint8), (count, 1)), textures)
