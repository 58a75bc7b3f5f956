"""What wheels stand on where the ground has heights or there are meshes: the other half of `beneath`.

Its kernel is compiled only for scenes that need it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.compiled import inner, kernel
from understudy.engines.rays.simd import array_at
from understudy.engines.rays.solid_shapes import NOTHING
from understudy.engines.rays.solids import OBSTACLE, SolidWorld
from understudy.engines.rays.terrain import Relief, ground_below, over, relief_of
from understudy.engines.rays.triangles import STACK, Meshes, meshes_of, nearest
from understudy.engines.rigid.beneath import under
from understudy.engines.rigid.driving import advance, enter
from understudy.engines.rigid.readout import turn_of
from understudy.engines.rigid.rows import Array, Ints, Packed, pack
from understudy.world.scene import Scene
from understudy.world.terrain import Terrain


class Rough(NamedTuple):
    """Heights and meshes as the wheels' kernel has them."""

    relief: Relief
    meshes: Meshes
    grips: Array  # of the ground, then of each mesh
    stack: Ints


_NO_TERRAIN = Terrain(np.zeros((2, 2), np.float32), 0.0, 0.0, 1.0, 1.0)


def rough_of(scene: Scene, world: SolidWorld, terrain: Terrain | None) -> Rough | None:
    """Return the heights and meshes of a scene as wheels meet them; None if it has none.

    Wheels stand on heights where rays see the triangles of a ground that is a mesh.
    """
    if terrain is None and world.meshes is None:
        return None
    meshes = world.meshes if world.meshes is not None else meshes_of([])
    meshes.tags[meshes.thing < 0, 0] &= ~OBSTACLE
    grips = [scene.ground.friction, *(_friction(scene, k) for k in meshes.thing.tolist())]
    relief = relief_of(terrain or _NO_TERRAIN, 0 if terrain is None else OBSTACLE)
    return Rough(relief, meshes, np.array(grips, np.float64), np.empty(STACK, np.int64))


def packed_rough(rough: Rough) -> Packed:
    """Return heights and meshes with the arrays' addresses; whoever packs keeps the arrays alive."""
    relief, meshes = rough.relief, rough.meshes
    arrays = (
        meshes.form, meshes.tags, meshes.boxes, meshes.corners, meshes.middle, meshes.reflectance, meshes.thing,
        rough.grips, rough.stack,
    )  # fmt: skip
    whole = [*pack(*arrays), relief.z.ctypes.data, *relief.z.shape, relief.mask]
    real = [relief.x0, relief.y0, relief.dx, relief.dy, relief.low, relief.high, relief.reflectance]
    return Packed(np.array(whole, np.int64), np.array(real, np.float64))


def _friction(scene: Scene, thing: int) -> float:
    """Return the friction of what is a mesh; looks of robots, and the ground, are not stood on."""
    return scene.objects[thing].friction if 0 <= thing < len(scene.objects) else 1.0


@inner()
def _enter(w, f):  # type: ignore[no-untyped-def]
    z = array_at(w[18], (w[19], w[20]), np.float32)
    relief = Relief(z, f[0], f[1], f[2], f[3], f[4], f[5], w[21], f[6])
    meshes = Meshes(
        array_at(w[0], (w[1], 13), np.float64), array_at(w[2], (w[3], 8), np.int64),
        array_at(w[4], (w[5], 6), np.float64), array_at(w[6], (w[7], 10), np.float64),
        array_at(w[8], (w[9], 3), np.float64), array_at(w[10], (w[11],), np.float64),
        array_at(w[12], (w[13],), np.int64),
    )  # fmt: skip
    return Rough(relief, meshes, array_at(w[14], (w[15],), np.float64), array_at(w[16], (w[17],), np.int64))


@inner()
def _put_meshes(qpos, bodies, meshes):  # type: ignore[no-untyped-def]
    """Write where the meshes are that move; MuJoCo's frame of one is at its pose."""
    form = meshes.form
    for m in range(form.shape[0]):
        owner = meshes.tags[m, 1]
        if owner < 0:
            continue
        at = bodies[owner].at
        turn = turn_of(qpos[at + 3], qpos[at + 4], qpos[at + 5], qpos[at + 6])
        x, y, z = meshes.middle[m, 0], meshes.middle[m, 1], meshes.middle[m, 2]
        for k in range(3):
            form[m, k] = qpos[at + k] + turn[3 * k] * x + turn[3 * k + 1] * y + turn[3 * k + 2] * z
        for k in range(9):
            form[m, 3 + k] = turn[k]


@inner()
def _mesh_of(meshes, triangle):  # type: ignore[no-untyped-def]
    """Return the mesh that a triangle belongs to."""
    m = 0
    while m + 1 < meshes.form.shape[0] and meshes.tags[m + 1, 7] <= triangle:
        m += 1
    return m


@inner(copied=False)
def _triangle_normal(meshes, m, triangle, dx, dy, dz):  # type: ignore[no-untyped-def]
    """Return the normal of a triangle, against a ray."""
    row, form = meshes.corners[meshes.tags[m, 3] + triangle - meshes.tags[m, 7]], meshes.form[m]
    ax, ay, az, bx, by, bz = row[3], row[4], row[5], row[6], row[7], row[8]
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    nx = form[3] * x + form[4] * y + form[5] * z
    ny = form[6] * x + form[7] * y + form[8] * z
    nz = form[9] * x + form[10] * y + form[11] * z
    size = math.copysign(math.sqrt(nx * nx + ny * ny + nz * nz), -(nx * dx + ny * dy + nz * dz))
    return nx / size, ny / size, nz / size


@inner(copied=False)
def under_rough(ox, oy, oz, dx, dy, dz, limit, owner, solids, fixed, cells, near, count, grips, rough):  # type: ignore[no-untyped-def]
    """Return what is under a wheel, as `under` does, heights and meshes included."""
    reach, nx, ny, nz, grip, who = under(
        ox, oy, oz, dx, dy, dz, limit, owner, solids, fixed, cells, near, count, grips, rough
    )
    relief, meshes = rough.relief, rough.meshes
    if relief.mask:
        t = over(ox, oy, oz, dx, dy, dz, reach, relief)
        if t < reach:
            _, nx, ny, nz = ground_below(ox + t * dx, oy + t * dy, relief)
            reach, grip, who = t, rough.grips[0], NOTHING
    if meshes.form.shape[0]:
        t, hit = nearest(ox, oy, oz, dx, dy, dz, reach, OBSTACLE, owner, meshes, rough.stack)
        if hit >= 0 and t > 0.0:
            m = _mesh_of(meshes, hit)
            nx, ny, nz = _triangle_normal(meshes, m, hit, dx, dy, dz)
            reach, grip, who = t, rough.grips[1 + m], meshes.tags[m, 1]
    return reach, nx, ny, nz, grip, who


@kernel(effort=9)
def drive_rough(targets, w, f, rough_whole, rough_real):  # type: ignore[no-untyped-def]
    """Write what all wheels do for one sub-step, as `drive` does, on heights and meshes too."""
    world, rough = enter(w, f), _enter(rough_whole, rough_real)
    _put_meshes(world.at, world.bodies, rough.meshes)
    advance(under_rough, targets, world, rough)
