"""Surface normals at the hits of rays, for reflections and angles of incidence.

Everything is hit from outside, so a normal points against the ray.
"""

from __future__ import annotations

import numpy as np

from understudy.elementary import arrays
from understudy.engines.rays.spatial.solid_shapes import BOX, CONE, CYLINDER, GROUND, NOTHING, PRISM, SPHERE, Solids
from understudy.engines.rays.spatial.solids import SolidWorld
from understudy.engines.rays.table import Array, Hits, Ints


def turned(turns: Array, vectors: Array) -> Array:
    """Return vectors after rotations, term by term: the result of a ray must not depend on the number of rays."""
    x, y, z = (vectors[..., axis, None] for axis in range(3))
    return np.asarray(turns[..., 0] * x + turns[..., 1] * y + turns[..., 2] * z)


def describe(world: SolidWorld, which: Ints, points: Array, ways: Array, robots: int, hits: Hits) -> Array:
    """Write what rays have hit, and return the normals there, 0 where nothing was hit.

    *which* are rows of the world, *points* the ends of the rays, *ways* their directions; the first *robots*
    owners are robots.
    """
    normals = normals_of(world, which, points, ways)
    owner = world.owners(which)
    hits.robot[...] = np.where(owner < robots, owner, -1)
    hits.reflectance[...] = world.reflectances(which)
    hits.cosine[...] = np.minimum(np.abs((normals * ways).sum(axis=-1)), 1.0)
    return normals


def normals_of(world: SolidWorld, which: Ints, points: Array, ways: Array) -> Array:
    """Return the normals against the rays where they have hit something, else 0."""
    normals = np.zeros(points.shape)
    solid = (which != NOTHING) & (which < len(world.solids.tags))
    normals[solid] = _on_solids(world.solids, which[solid], points[solid], ways[solid])
    others = which >= len(world.solids.tags)
    if others.any():
        normals[others] = _on_others(world, which[others], points[others])
    against = np.where((normals * ways).sum(axis=-1) > 0.0, -1.0, 1.0)
    normals *= against[..., None]
    return normals


def _on_solids(solids: Solids, k: Ints, at: Array, way: Array) -> Array:
    turn, own = solids.turn[k], np.empty((len(k), 3))
    place, towards = (turned(turn.swapaxes(1, 2), vectors) for vectors in (at - solids.centre[k], way))
    for kind, normal in _NORMALS.items():
        chosen = np.flatnonzero(solids.kind[k] == kind)
        if len(chosen):
            own[chosen] = normal(solids, k[chosen], place[chosen], towards[chosen])
    own *= np.where((own * towards).sum(axis=1) > 0.0, -1.0, 1.0)[:, None]
    return turned(turn, own)


def _on_others(world: SolidWorld, which: Ints, at: Array) -> Array:
    """Return the normals of terrain and of triangles."""
    from understudy.engines.rays.spatial.terrain import below
    from understudy.engines.rays.spatial.triangles import normals_at

    normals = np.empty(at.shape)
    ground = which < world.first_triangle
    if ground.any():
        found = np.empty((int(ground.sum()), 4))
        below(at[ground], world.relief, found)
        normals[ground] = found[:, 1:]
    if not ground.all():
        assert world.meshes is not None
        normals[~ground] = normals_at(world.meshes, which[~ground] - world.first_triangle)
    return normals


def _on_box(solids: Solids, k: Ints, at: Array, way: Array) -> Array:
    """Return the axis of the face that contains a point."""
    normals = np.zeros(at.shape)
    axis = np.abs(solids.half[k] - np.abs(at)).argmin(axis=1)
    normals[np.arange(len(k)), axis] = 1.0
    return normals


def _on_round(solids: Solids, k: Ints, at: Array, way: Array) -> Array:
    """Return the normal of the side of a cylinder or cone, or of its bottom or top."""
    half = solids.half[k]
    slope = np.where(solids.kind[k] == CONE, 0.5 * half[:, 0] / half[:, 2], 0.0)
    off = arrays.hypot(at[:, 0], at[:, 1])
    radius = half[:, 0] - slope * (half[:, 2] + at[:, 2])
    out = at[:, :2] / np.maximum(off, 1e-300)[:, None]
    side = np.column_stack([out, slope]) / arrays.hypot(1.0, slope)[:, None]
    on_side = np.abs(radius - off) <= np.abs(half[:, 2] - np.abs(at[:, 2]))
    return np.where(on_side[:, None], side, [0.0, 0.0, 1.0])


def _on_sphere(solids: Solids, k: Ints, at: Array, way: Array) -> Array:
    return np.asarray(at / np.maximum(arrays.lengths(at), 1e-300)[:, None])


def _on_prism(solids: Solids, k: Ints, at: Array, way: Array) -> Array:
    """Return the normal of the edge that is nearest to a point, or of bottom or top."""
    normals = np.empty(at.shape)
    for row in np.unique(k):
        mine = np.flatnonzero(k == row)
        edges = solids.edges[solids.tags[row, 3] : solids.tags[row, 4]]
        gaps = np.abs(edges[:, 2] - arrays.product(at[mine, :2], edges[:, :2].T))
        nearest = gaps.argmin(axis=1)
        flat = np.column_stack([edges[nearest, :2], np.zeros(len(mine))])
        on_side = gaps.min(axis=1) <= np.abs(solids.half[row, 2] - np.abs(at[mine, 2]))
        normals[mine] = np.where(on_side[:, None], flat, [0.0, 0.0, 1.0])
    return normals


def _on_ground(solids: Solids, k: Ints, at: Array, way: Array) -> Array:
    return np.tile([0.0, 0.0, 1.0], (len(k), 1))


_NORMALS = {
    BOX: _on_box,
    CYLINDER: _on_round,
    CONE: _on_round,
    SPHERE: _on_sphere,
    PRISM: _on_prism,
    GROUND: _on_ground,
}
