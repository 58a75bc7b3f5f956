"""Ray casting on triangle meshes: a bounding volume hierarchy over each mesh, in the mesh's own frame.

The tree is complete: the children of node k are 2 k and 2 k + 1, and each node's triangles are halved along the longest
side of the box around their centres. A triangle is hit from both sides; edges have a tolerance, so that nothing slips
through between two triangles. A ray that starts inside a closed body hits it at 0, as with all solids.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.engines.rays.spatial.solid_shapes import _turn
from understudy.jit import inner, kernel
from understudy.world.face_textures import FaceTextures, joined_textures
from understudy.world.rotations import turns_of
from understudy.world.triangles import Triangles

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_LEAF = 4  # maximum number of triangles in a leaf box
_EDGE = 1e-9  # of a side: how far outside a triangle a ray still hits it
_ALONG = 1e-12  # sine of the angle below which a ray is in the plane of a triangle and misses it
_ROOM = 1e-9  # of the size: margin of boxes
_TINY = 1e-300  # replaces a direction of 0
STACK = 64


class Tree(NamedTuple):
    """One mesh: boxes by node, triangles in the order of the leaf boxes, and the face number of each."""

    boxes: Array  # (2 * 2**depth, 6): low, high; row 0 is unused
    corners: Array  # (T, 10): a corner, two sides, and the minimum length of the normal along a ray
    face: Ints  # (T,)
    depth: int
    closed: bool
    middle: Array
    reach: float
    colours: npt.NDArray[np.int16]  # (T, 3), -1 if the file has none
    textures: FaceTextures | None = None


class Meshes(NamedTuple):
    """Placed meshes, one row each, and the concatenated trees of all of them."""

    form: Array  # (N, 13): centre in the world, rotation by rows, reach
    tags: Ints  # (N, 8): mask, owner, first box, first triangle, triangles, depth, closed, first id
    boxes: Array
    corners: Array
    middle: Array  # (N, 3) of each in its own frame
    reflectance: Array
    thing: Ints  # (N,) the row of the scene's objects, then robots, whose shape it is, or -1


class Placed(NamedTuple):
    """A mesh before it becomes a row."""

    tree: Tree
    pose: Sequence[float]  # x, y, z, roll, pitch, yaw
    mask: int
    owner: int
    reflectance: float
    thing: int = -1


# ---- building


def tree_of(triangles: Triangles) -> Tree:
    """Return the tree over a mesh."""
    corners = triangles.corners
    count = len(corners)
    depth = ((max(count, 1) - 1) // _LEAF).bit_length()
    order = _order(corners.mean(axis=1), depth)
    corners = corners[order]
    low, high = triangles.bounds_m if count else (np.zeros(3), np.zeros(3))
    middle = (low + high) / 2
    corners = corners - middle
    reach = float(np.sqrt((corners * corners).sum(axis=2).max(initial=0.0))) * (1.0 + _ROOM) + 1e-12
    sides = np.stack([corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]], axis=1)
    least = _ALONG * arrays.lengths(np.cross(sides[:, 0], sides[:, 1]))
    rows = np.column_stack([corners[:, 0], sides[:, 0], sides[:, 1], least])
    inside = triangles.closed and triangles.volume_m3 > 0.0
    colours = triangles.colours[order].astype(np.int16) if len(triangles.colours) else np.full((count, 3), -1, np.int16)
    textures = triangles.textures.of(order) if triangles.textures else None
    return Tree(_boxes(corners, depth, reach), rows, order, depth, inside, middle, reach, colours, textures)


def _starts(count: int, level: int) -> Ints:
    """Return where the parts of a level of the tree begin, and where the last ends."""
    return np.arange((1 << level) + 1, dtype=np.int64) * count >> level


def _order(middles: Array, depth: int) -> Ints:
    """Return an order in which every node's triangles are contiguous, halved along its longest side."""
    order = np.arange(len(middles))
    for level in range(depth):
        starts = _starts(len(middles), level)
        piece = np.repeat(np.arange(1 << level), np.diff(starts))
        sorted_middles = middles[order]
        low, high = (f.reduceat(sorted_middles, starts[:-1]) for f in (np.minimum, np.maximum))
        axis = (high - low).argmax(axis=1)
        rows = np.arange(1 << level)
        side = np.maximum((high - low)[rows, axis], _TINY)
        along = sorted_middles[np.arange(len(order)), axis[piece]]
        share = (along - low[rows, axis][piece]) / side[piece]
        order = order[np.argsort(piece + share * 0.999, kind="stable")]
    return order.astype(np.int64)


def _boxes(corners: Array, depth: int, reach: float) -> Array:
    boxes = np.zeros((2 << depth, 6))
    if not len(corners):
        return boxes
    starts = _starts(len(corners), depth)[:-1]
    room = _ROOM * reach
    low = np.minimum.reduceat(corners.min(axis=1), starts) - room
    high = np.maximum.reduceat(corners.max(axis=1), starts) + room
    boxes[1 << depth :] = np.column_stack([low, high])
    for level in range(depth - 1, -1, -1):
        first = 1 << level
        children = boxes[2 * first : 4 * first].reshape(first, 2, 6)
        boxes[first : 2 * first, :3] = children[:, :, :3].min(axis=1)
        boxes[first : 2 * first, 3:] = children[:, :, 3:].max(axis=1)
    return boxes


def meshes_of(placed: Sequence[Placed]) -> Meshes:
    """Return placed meshes as rows; a tree that occurs several times is stored once."""
    trees = _trees(placed)
    box_starts = dict(zip(trees, np.cumsum([0, *(len(tree.boxes) for tree in trees.values())])))
    corner_starts = dict(zip(trees, np.cumsum([0, *(len(tree.corners) for tree in trees.values())])))
    ids = np.cumsum([0, *(len(mesh.tree.corners) for mesh in placed)])
    tags = [
        (mesh.mask, mesh.owner, box_starts[id(mesh.tree)], corner_starts[id(mesh.tree)], len(mesh.tree.corners),
         mesh.tree.depth, mesh.tree.closed, first)
        for mesh, first in zip(placed, ids)
    ]  # fmt: skip
    meshes = Meshes(
        np.zeros((len(placed), 13)),
        np.array(tags, np.int64).reshape(-1, 8),
        np.concatenate([np.empty((0, 6)), *(tree.boxes for tree in trees.values())]),
        np.concatenate([np.empty((0, 10)), *(tree.corners for tree in trees.values())]),
        np.array([mesh.tree.middle for mesh in placed]).reshape(-1, 3),
        np.array([mesh.reflectance for mesh in placed], np.float64),
        np.array([mesh.thing for mesh in placed], np.int64),
    )
    meshes.form[:, 12] = [mesh.tree.reach for mesh in placed]
    put(meshes, np.arange(len(placed)), np.array([mesh.pose for mesh in placed], np.float64).reshape(-1, 6))
    return meshes


def paint_of(placed: Sequence[Placed]) -> npt.NDArray[np.int16]:
    """Return the colours of the triangles of placed meshes, in the rows that their corners have."""
    return np.concatenate([np.empty((0, 3), np.int16), *(tree.colours for tree in _trees(placed).values())])


def textures_of(placed: Sequence[Placed]) -> FaceTextures | None:
    """Return the textures of the triangles of placed meshes, in the rows that their corners have."""
    trees = _trees(placed).values()
    return joined_textures([tree.textures for tree in trees], [len(tree.corners) for tree in trees])


def _trees(placed: Sequence[Placed]) -> dict[int, Tree]:
    """Return every tree once."""
    return {id(mesh.tree): mesh.tree for mesh in placed}


def put(meshes: Meshes, rows: Ints, poses: Array) -> None:
    """Move some of the meshes; a row of *poses* is x, y, z, roll, pitch, yaw (m, rad)."""
    turn = turns_of(poses)
    meshes.form[rows, :3] = poses[:, :3] + np.einsum("nij,nj->ni", turn, meshes.middle[rows])
    meshes.form[rows, 3:12] = turn.reshape(-1, 9)


# ---- casting


@inner()
def _box_entry(box, px, py, pz, ix, iy, iz, begin, end):
    """Return where a ray enters a box, or inf; ix, iy, iz are one over its direction."""
    a, b = (box[0] - px) * ix, (box[3] - px) * ix
    c, d = (box[1] - py) * iy, (box[4] - py) * iy
    e, f = (box[2] - pz) * iz, (box[5] - pz) * iz
    near = max(max(min(a, b), min(c, d)), max(min(e, f), begin))
    far = min(min(max(a, b), max(c, d)), min(max(e, f), end))
    return near if near <= far else math.inf


@inner()
def _meet(row, px, py, pz, ux, uy, uz):
    """Return the distance to a triangle along a line, or inf, and whether it is hit from behind."""
    ax, ay, az, bx, by, bz, cx, cy, cz = row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8]
    nx, ny, nz = uy * cz - uz * cy, uz * cx - ux * cz, ux * cy - uy * cx
    turn = bx * nx + by * ny + bz * nz
    if abs(turn) <= row[9]:
        return math.inf, False
    wx, wy, wz = px - ax, py - ay, pz - az
    u = (wx * nx + wy * ny + wz * nz) / turn
    if not -_EDGE <= u <= 1.0 + _EDGE:
        return math.inf, False
    qx, qy, qz = wy * bz - wz * by, wz * bx - wx * bz, wx * by - wy * bx
    v = (ux * qx + uy * qy + uz * qz) / turn
    if v < -_EDGE or u + v > 1.0 + _EDGE:
        return math.inf, False
    return (cx * qx + cy * qy + cz * qz) / turn, turn < 0.0


@inner()
def _flipped(u):
    return 1.0 / (u if u != 0.0 else _TINY)


@inner(copied=False)
def through(m, px, py, pz, ux, uy, uz, begin, end, tags, boxes, corners, stack):
    """Return where a ray between *begin* and *end* first hits mesh *m* in its frame, which triangle, from behind."""
    first, row, count, depth = tags[m, 2], tags[m, 3], tags[m, 4], tags[m, 5]
    best, hit, behind = end, -1, False
    ix, iy, iz = _flipped(ux), _flipped(uy), _flipped(uz)
    leaves, size, k = 1 << depth, 0, 1
    if _box_entry(boxes[first + 1], px, py, pz, ix, iy, iz, begin, best) == math.inf:
        return best, hit, behind
    while True:
        if k >= leaves:
            for p in range(((k - leaves) * count) >> depth, ((k - leaves + 1) * count) >> depth):
                t, back = _meet(corners[row + p], px, py, pz, ux, uy, uz)
                if begin <= t < best:
                    best, hit, behind = t, p, back
        else:
            near, far = 2 * k, 2 * k + 1
            t0 = _box_entry(boxes[first + near], px, py, pz, ix, iy, iz, begin, best)
            t1 = _box_entry(boxes[first + far], px, py, pz, ix, iy, iz, begin, best)
            if t1 < t0:
                near, far, t0, t1 = far, near, t1, t0
            if t1 < math.inf:
                stack[size] = far
                size += 1
            if t0 < math.inf:
                k = near
                continue
        while size:
            size -= 1
            k = stack[size]
            if _box_entry(boxes[first + k], px, py, pz, ix, iy, iz, begin, best) < math.inf:
                break
        else:
            return best, hit, behind


@inner(copied=False)
def nearest(ox, oy, oz, dx, dy, dz, best, layer, owner, meshes, stack):
    """Return the distance along a ray to the first mesh that *layer* sees and *owner* does not own; its id or -1."""
    form, tags, hit = meshes.form, meshes.tags, -1
    for m in range(form.shape[0]):
        if not tags[m, 0] & layer or tags[m, 1] == owner:
            continue
        wx, wy, wz, reach = ox - form[m, 0], oy - form[m, 1], oz - form[m, 2], form[m, 12]
        ahead = -(wx * dx + wy * dy + wz * dz)
        qx, qy, qz = wx + ahead * dx, wy + ahead * dy, wz + ahead * dz
        if qx * qx + qy * qy + qz * qz > reach * reach or ahead < -reach or ahead - reach > best:
            continue
        px = form[m, 3] * qx + form[m, 6] * qy + form[m, 9] * qz
        py = form[m, 4] * qx + form[m, 7] * qy + form[m, 10] * qz
        pz = form[m, 5] * qx + form[m, 8] * qy + form[m, 11] * qz
        ux = form[m, 3] * dx + form[m, 6] * dy + form[m, 9] * dz
        uy = form[m, 4] * dx + form[m, 7] * dy + form[m, 10] * dz
        uz = form[m, 5] * dx + form[m, 8] * dy + form[m, 11] * dz
        end = 2.0 * reach if tags[m, 6] and abs(ahead) <= reach else best - ahead  # the way out may be beyond the limit
        t, p, behind = through(m, px, py, pz, ux, uy, uz, -ahead, end, tags, meshes.boxes, meshes.corners, stack)
        if p >= 0:
            t = 0.0 if behind and tags[m, 6] else max(t + ahead, 0.0)
            if t < best:
                best, hit = t, tags[m, 7] + p
    return best, hit


@kernel()
def cast_meshes(places, owners, origins, directions, layer, meshes, row, out, which):
    """Shorten the distances in *out* to those to meshes (m); there *which*, unless it is empty, is *row* and the id."""
    stack = np.empty(STACK, np.int64)
    for n in range(places.shape[0]):
        x, y, z = places[n, 0], places[n, 1], places[n, 2]
        xx, xy, xz, yx, yy, yz, zx, zy, zz = _turn(places[n, 3], places[n, 4], places[n, 5])
        for r in range(origins.shape[0]):
            a, b, c = origins[r, 0], origins[r, 1], origins[r, 2]
            ox, oy, oz = x + xx * a + xy * b + xz * c, y + yx * a + yy * b + yz * c, z + zx * a + zy * b + zz * c
            a, b, c = directions[r, 0], directions[r, 1], directions[r, 2]
            dx, dy, dz = xx * a + xy * b + xz * c, yx * a + yy * b + yz * c, zx * a + zy * b + zz * c
            t, p = nearest(ox, oy, oz, dx, dy, dz, out[n, r], layer, owners[n], meshes, stack)
            if p >= 0:
                out[n, r] = t
                if which.shape[0]:
                    which[n, r] = row + p


# ---- what was hit


def rows_met(meshes: Meshes, ids: Ints) -> Ints:
    """Return the mesh that each id belongs to."""
    return np.asarray(np.searchsorted(meshes.tags[:, 7], ids, side="right") - 1)


def corner_rows(meshes: Meshes, ids: Ints) -> Ints:
    """Return the rows of triangles in the concatenated trees."""
    rows = rows_met(meshes, ids)
    return np.asarray(meshes.tags[rows, 3] + ids - meshes.tags[rows, 7])


def normals_at(meshes: Meshes, ids: Ints) -> Array:
    """Return the normals of triangles in the world frame."""
    rows = rows_met(meshes, ids)
    corner = meshes.corners[corner_rows(meshes, ids)]
    normal = np.cross(corner[:, 3:6], corner[:, 6:9])
    normal /= np.maximum(arrays.lengths(normal), _TINY)[:, None]
    return np.asarray(np.einsum("nij,nj->ni", meshes.form[rows, 3:12].reshape(-1, 3, 3), normal))
