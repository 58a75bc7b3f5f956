"""The things that rays have hit, by the numbers of `world.labels`: where, with which normal and optional colour."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.engines.rays.spatial import normals
from understudy.engines.rays.spatial.solid_normals import normal
from understudy.engines.rays.spatial.solid_shapes import _turn
from understudy.engines.rays.spatial.solids import SolidWorld
from understudy.engines.rays.spatial.texture_lookup import TextureLookup
from understudy.engines.rays.spatial.triangles import corner_rows, rows_met
from understudy.engines.rays.table import Array, Ints, RayTable
from understudy.jit import CAMERA, kernel
from understudy.world import labels, walls
from understudy.world.scene import Scene
from understudy.world.shapes import Mesh

Colours = npt.NDArray[np.int16]


class HitDetails(NamedTuple):
    """What rays have hit, (rows, rays): arrays of one shape, or with three numbers each."""

    label: Ints  # by `world.labels`
    point: Array  # where each ray ended (m)
    way: Array  # its direction
    normal: Array  # unit vectors against the ray, 0 where nothing was hit
    colour: Colours  # red, green, blue at the point of a mesh or texture; -1: the thing's own colour


class Numbers(NamedTuple):
    """The labels of fixed solids by row, of movable things by owner, and of possible meshes: objects, then robots."""

    fixed: Ints
    owner: Ints
    objects: Ints


def numbers_of(scene: Scene) -> Numbers:
    """Return the labels of everything that rays can hit, in the order in which `solids` makes rows."""
    first_object = labels.FIRST + len(scene.walls)
    first_robot = first_object + len(scene.objects)
    first_ball = first_robot + len(scene.robots)
    objects = list(range(first_object, first_robot))
    fixed = [] if scene.ground.heights else [labels.GROUND]
    for row, wall in enumerate(scene.walls):
        fixed += [labels.FIRST + row] * len(walls.pieces(wall))
    movable = [bool(solid.mass_kg) for solid in scene.objects]
    plain = [not isinstance(solid.shape, Mesh) for solid in scene.objects]
    fixed += [n for n, moves, simple in zip(objects, movable, plain) if simple and not moves]
    owner = [*range(first_robot, first_ball), *(n for n, moves in zip(objects, movable) if moves)]
    owner += range(first_ball, first_ball + len(scene.balls))
    meshes = range(first_object, first_ball)
    return Numbers(*(np.array(numbers, np.int64) for numbers in (fixed, owner, meshes)))


def things_met(
    world: SolidWorld,
    numbers: Numbers,
    canvas: TextureLookup,
    table: RayTable,
    places: Array,
    distances: Array,
    which: Ints,
) -> HitDetails:
    """Return what the rays of a table have hit from some poses; *which* are rows of the world."""
    shape = (*which.shape, 3)
    met = HitDetails(
        np.zeros(which.shape, np.int64), np.empty(shape), np.empty(shape), np.zeros(shape), _no_colours(shape)
    )
    name_solids(places, table.origins, table.directions, distances, which, world.solids, world.fixed, *numbers[:2], met)
    others = which >= len(world.solids.tags)
    if others.any():
        _name_others(world, numbers, which, others, met)
    canvas.paint(world, which, met, distances * table.pixel_rad)
    return met


def _no_colours(shape: tuple[int, ...]) -> Colours:
    return np.full(shape, -1, np.int16)


def _name_others(
    world: SolidWorld, numbers: Numbers, which: Ints, others: npt.NDArray[np.bool_], met: HitDetails
) -> None:
    """Write the labels of terrain and meshes."""
    met.label[others] = labels.GROUND
    met.normal[others] = normals.normals_of(world, which[others], met.point[others], met.way[others])
    if world.meshes is None or world.paint is None:
        return
    far = which >= world.first_triangle
    ids = which[far] - world.first_triangle
    thing = world.meshes.thing[rows_met(world.meshes, ids)]
    own = np.append(numbers.objects, labels.GROUND)  # -1, the last entry, is the ground
    met.label[far], met.colour[far] = own[thing], world.paint[corner_rows(world.meshes, ids)]


@kernel(effort=30, cost=("which", 5e-6), what=CAMERA)
def name_solids(places, origins, directions, distances, which, solids, fixed, still, owner, met):
    """Write end points and directions of rays, and label and normal of the solids that they hit."""
    count = solids.tags.shape[0]
    for n in range(places.shape[0]):
        px, py, pz = places[n, 0], places[n, 1], places[n, 2]
        xx, xy, xz, yx, yy, yz, zx, zy, zz = _turn(places[n, 3], places[n, 4], places[n, 5])
        for r in range(origins.shape[0]):
            a, b, c = directions[r, 0], directions[r, 1], directions[r, 2]
            dx, dy, dz = xx * a + xy * b + xz * c, yx * a + yy * b + yz * c, zx * a + zy * b + zz * c
            a, b, c, t = origins[r, 0], origins[r, 1], origins[r, 2], distances[n, r]
            x = px + xx * a + xy * b + xz * c + t * dx
            y = py + yx * a + yy * b + yz * c + t * dy
            z = pz + zx * a + zy * b + zz * c + t * dz
            met.point[n, r, 0], met.point[n, r, 1], met.point[n, r, 2] = x, y, z
            met.way[n, r, 0], met.way[n, r, 1], met.way[n, r, 2] = dx, dy, dz
            k = which[n, r]
            if 0 <= k < count:
                met.label[n, r] = still[k] if k < fixed else owner[solids.tags[k, 2]]
                nx, ny, nz = normal(k, x, y, z, solids)
                side = -1.0 if nx * dx + ny * dy + nz * dz > 0.0 else 1.0
                met.normal[n, r, 0], met.normal[n, r, 1], met.normal[n, r, 2] = side * nx, side * ny, side * nz
