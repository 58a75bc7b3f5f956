"""What of a scene rays have met, by the numbers of `world.labels`: where, how it lies, and its colour there, if any."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.compiled import CAMERA, kernel
from understudy.engines.rays import normals
from understudy.engines.rays.canvas import Canvas
from understudy.engines.rays.solid_normals import normal
from understudy.engines.rays.solid_shapes import _turn
from understudy.engines.rays.solids import SolidWorld
from understudy.engines.rays.table import Array, Ints, RayTable
from understudy.engines.rays.triangles import corner_rows, rows_met
from understudy.world import labels, walls
from understudy.world.scene import Scene
from understudy.world.shapes import Mesh

Colours = npt.NDArray[np.int16]


class Things(NamedTuple):
    """What rays have met, (rows, rays): arrays of one shape, or with three numbers each."""

    label: Ints  # by `world.labels`
    point: Array  # where each ray ended (m)
    way: Array  # its direction
    normal: Array  # unit vectors against the ray, 0 where nothing was met
    colour: Colours  # red, green, blue of the place on a mesh or a picture; -1: that of the thing counts


class Numbers(NamedTuple):
    """The labels of fixed solids by row, of what moves by owner, and of what may be a mesh: objects, then robots."""

    fixed: Ints
    owner: Ints
    objects: Ints


def numbers_of(scene: Scene) -> Numbers:
    """Return the labels of all that rays can meet, in the order in which `solids` makes rows."""
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
    world: SolidWorld, numbers: Numbers, canvas: Canvas, table: RayTable, places: Array, distances: Array, which: Ints
) -> Things:
    """Return what the rays of a table have met from some places; *which* are rows of what the world holds."""
    shape = (*which.shape, 3)
    met = Things(np.zeros(which.shape, np.int64), np.empty(shape), np.empty(shape), np.zeros(shape), _no_colours(shape))
    name_solids(places, table.origins, table.directions, distances, which, world.solids, world.fixed, *numbers[:2], met)
    others = which >= len(world.solids.tags)
    if others.any():
        _name_others(world, numbers, which, others, met)
    canvas.paint(world, which, met, distances * table.pixel_rad)
    return met


def _no_colours(shape: tuple[int, ...]) -> Colours:
    return np.full(shape, -1, np.int16)


def _name_others(world: SolidWorld, numbers: Numbers, which: Ints, others: npt.NDArray[np.bool_], met: Things) -> None:
    """Write what terrain and meshes are."""
    met.label[others] = labels.GROUND
    met.normal[others] = normals.normals_of(world, which[others], met.point[others], met.way[others])
    if world.meshes is None or world.paint is None:
        return
    far = which >= world.first_triangle
    ids = which[far] - world.first_triangle
    thing = world.meshes.thing[rows_met(world.meshes, ids)]
    own = np.append(numbers.objects, labels.GROUND)  # -1, the last, is the ground
    met.label[far], met.colour[far] = own[thing], world.paint[corner_rows(world.meshes, ids)]


@kernel(effort=30, cost=("which", 5e-6), what=CAMERA)
def name_solids(places, origins, directions, distances, which, solids, fixed, still, owner, met):  # type: ignore[no-untyped-def]
    """Write where rays end and along which way they went, and label and normal of the solids that they met."""
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
