"""What a wheel stands on where the scene has terrain or meshes: the other half of `wheel_contact_flat`.

Its kernel is compiled only for scenes that need it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from understudy.engines.rays.simd.llvm import array_at
from understudy.engines.rays.spatial.solid_shapes import NOTHING
from understudy.engines.rays.spatial.solids import OBSTACLE, SolidWorld
from understudy.engines.rays.spatial.terrain import Relief, ground_below, over, relief_of
from understudy.engines.rays.spatial.triangles import STACK, Meshes, meshes_of, nearest
from understudy.engines.rigid.driving import advance, enter
from understudy.engines.rigid.readout import turn_of
from understudy.engines.rigid.rows import Array, Ints, PackedWheels, pack
from understudy.engines.rigid.wheel_contact_flat import under
from understudy.jit import inner, kernel
from understudy.world.scene import Scene
from understudy.world.terrain import Terrain


class Rough(NamedTuple):
    """Terrain and meshes for the wheels' kernel."""

    relief: Relief
    meshes: Meshes
    grips: Array  # of the ground, then of each mesh
    stack: Ints


_NO_TERRAIN = Terrain(np.zeros((2, 2), np.float32), 0.0, 0.0, 1.0, 1.0)


def rough_of(scene: Scene, world: SolidWorld, terrain: Terrain | None) -> Rough | None:
    """Return the terrain and meshes of a scene for wheels; None if it has none.

    For ground that is a mesh, wheels use its height field while rays see its triangles.
    """
    if terrain is None and world.meshes is None:
        return None
    meshes = world.meshes if world.meshes is not None else meshes_of([])
    meshes.tags[meshes.thing < 0, 0] &= ~OBSTACLE
    grips = [scene.ground.friction, *(_friction(scene, k) for k in meshes.thing.tolist())]
    relief = relief_of(terrain or _NO_TERRAIN, 0 if terrain is None else OBSTACLE)
    return Rough(relief, meshes, np.array(grips, np.float64), np.empty(STACK, np.int64))


def packed_rough(rough: Rough) -> PackedWheels:
    """Return terrain and meshes with the arrays' addresses; the caller must keep the arrays alive."""
    relief, meshes = rough.relief, rough.meshes
    arrays = (
        meshes.form, meshes.tags, meshes.boxes, meshes.corners, meshes.middle, meshes.reflectance, meshes.thing,
        rough.grips, rough.stack,
    )  # fmt: skip
    whole = [*pack(*arrays), relief.z.ctypes.data, *relief.z.shape, relief.mask]
    real = [relief.x0, relief.y0, relief.dx, relief.dy, relief.low, relief.high, relief.reflectance]
    return PackedWheels(np.array(whole, np.int64), np.array(real, np.float64))


def _friction(scene: Scene, thing: int) -> float:
    """Return the friction of a mesh; wheels do not stand on looks of robots, nor on the ground's mesh."""
    return scene.objects[thing].friction if 0 <= thing < len(scene.objects) else 1.0


@inner()
def _enter(w, f):
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
def _put_meshes(qpos, bodies, meshes):
    """Write the positions of moving meshes; MuJoCo's frame of one is at its pose."""
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
def _mesh_of(meshes, triangle):
    """Return the mesh that a triangle belongs to."""
    m = 0
    while m + 1 < meshes.form.shape[0] and meshes.tags[m + 1, 7] <= triangle:
        m += 1
    return m


@inner(copied=False)
def _triangle_normal(meshes, m, triangle, dx, dy, dz):
    """Return the normal of a triangle, facing the ray."""
    row, form = meshes.corners[meshes.tags[m, 3] + triangle - meshes.tags[m, 7]], meshes.form[m]
    ax, ay, az, bx, by, bz = row[3], row[4], row[5], row[6], row[7], row[8]
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    nx = form[3] * x + form[4] * y + form[5] * z
    ny = form[6] * x + form[7] * y + form[8] * z
    nz = form[9] * x + form[10] * y + form[11] * z
    size = math.copysign(math.sqrt(nx * nx + ny * ny + nz * nz), -(nx * dx + ny * dy + nz * dz))
    return nx / size, ny / size, nz / size


@inner(copied=False)
def under_rough(ox, oy, oz, dx, dy, dz, limit, owner, solids, fixed, cells, near, count, grips, rough):
    """Return what is under a wheel, as `under` does, including terrain and meshes."""
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
def drive_rough(targets, w, f, rough_whole, rough_real):
    """Write the forces of all wheels for one sub-step, as `drive` does, also on terrain and meshes."""
    world, rough = enter(w, f), _enter(rough_whole, rough_real)
    _put_meshes(world.at, world.bodies, rough.meshes)
    advance(under_rough, targets, world, rough)
