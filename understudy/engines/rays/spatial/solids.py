"""Rays in any direction through solids: fixed ones are in a grid over the ground plan, moving ones are not.

A ray walks the cells below or above it; heights are checked by the solids. Directions are unit vectors. A ray that
starts inside a solid hits it at 0; a ray that hits nothing ends at its limit. Terrain and meshes come after the
solids: the row of a hit is that of a solid, then one row for the terrain, then every triangle of every mesh.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.elementary import arrays
from understudy.engines.rays.level.cell_lists import Strips, box_cells, cells_near, lists_by_cell
from understudy.engines.rays.level.grid import cells_over
from understudy.engines.rays.spatial.solid_shapes import (
    BOX,
    CONE,
    CYLINDER,
    GROUND,
    NOTHING,
    PRISM,
    SPHERE,
    Array,
    Cells,
    Ints,
    Solids,
    cast_from,
)
from understudy.engines.rays.table import RayTable
from understudy.world import walls
from understudy.world.materials import Surface, layer_mask
from understudy.world.robot import Body, Circle, Rectangle
from understudy.world.rotations import turns_of
from understudy.world.scene import Scene, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Mesh, Mount, Pose, Shape, Sphere

if TYPE_CHECKING:
    from understudy.engines.rays.spatial.terrain import Relief
    from understudy.engines.rays.spatial.triangles import Meshes
    from understudy.engines.rays.spatial.worn_looks import CarriedLook
    from understudy.world.face_textures import FaceTextures

NOBODY = -1  # no owner; a ray without an owner sees everything
_NO_OWNER = -2  # an owner that no solid has

OBSTACLE = 1 << 16  # mask bit of what robots collide with and stand on; not a sensor layer

_SEAM_M = 1e-9  # wall segments without thickness overlap by this much, so that no ray slips through a corner
_EDGE_M = 1e-6  # margin for rounding around bounds
_NO_ROWS = np.empty((0, 0), np.int64)

Triple = tuple[float, float, float]
Points = tuple[tuple[float, float], ...]


class Moving(NamedTuple):
    """Solids that move with their owners' poses, their centres and their orientations in their owners' frames."""

    solids: Solids
    offset: Array  # (N, 3)
    turns: Array  # (N, 3, 3)
    parts: int = 0  # number of the last rows that are parts of robots


class SolidWorld(NamedTuple):
    """Everything that rays can hit: first the fixed solids, in the grid, then from row *fixed* on the moving ones."""

    solids: Solids
    fixed: int
    cells: Cells
    offset: Array  # of the moving ones, (N - fixed, 3)
    turns: Array  # of the moving ones in their owners' frames, (N - fixed, 3, 3)
    relief: Relief | None = None
    meshes: Meshes | None = None
    paint: npt.NDArray[np.int16] | None = None  # colours of the triangles of meshes
    textures: FaceTextures | None = None  # textures of the triangles
    carried: CarriedLook | None = None  # the meshes that joints carry
    parts: int = 0  # number of the last rows that are parts of robots

    @property
    def first_triangle(self) -> int:
        """Return the row of the first triangle; the one before it is the terrain."""
        return len(self.solids.tags) + 1

    @property
    def has_obstacle_meshes(self) -> bool:
        """Return whether any mesh is something to collide with or to stand on."""
        return self.meshes is not None and bool((self.meshes.tags[:, 0] & OBSTACLE).any())

    def owners(self, which: Ints) -> Ints:
        """Return the owners of what rays have hit, NOBODY for nothing or without owner."""
        solids = self.solids.owner
        found = np.where(which < len(solids), np.append(solids, NOBODY)[np.minimum(which, len(solids))], NOBODY)
        if self.meshes is not None and (far := which >= self.first_triangle).any():
            found[far] = self.meshes.tags[_mesh_rows(self, which[far]), 1]
        return np.asarray(np.where(which == NOTHING, NOBODY, found))

    def reflectances(self, which: Ints) -> Array:
        """Return the reflectance for lasers of what rays have hit, 0 for nothing."""
        count = len(self.solids.tags)
        rows = np.append(self.solids.reflectance, self.relief.reflectance if self.relief else 1.0)
        found = np.where(which <= count, rows[np.minimum(which, count)], 1.0)
        if self.meshes is not None and (far := which >= self.first_triangle).any():
            found[far] = self.meshes.reflectance[_mesh_rows(self, which[far])]
        return np.asarray(np.where(which == NOTHING, 0.0, found))


def _mesh_rows(world: SolidWorld, which: Ints) -> Ints:
    from understudy.engines.rays.spatial.triangles import rows_met

    assert world.meshes is not None
    return rows_met(world.meshes, which - world.first_triangle)


class _Part(NamedTuple):
    """A solid before it becomes a row: the pose of the thing, and the shape in the thing's frame."""

    kind: int
    pose: Pose
    offset: Triple
    half: Triple
    surface: Surface
    owner: int = NOBODY
    points: Points = ()


# ---- from a scene to rows


def world_of(fixed: Solids, moving: Moving, relief: Relief | None = None, meshes: Meshes | None = None) -> SolidWorld:
    """Return everything that rays can hit, with a grid over the fixed part."""
    tags = np.concatenate([fixed.tags, moving.solids.tags])
    tags[len(fixed.tags) :, 3:] += len(fixed.edges)
    solids = Solids(
        np.concatenate([fixed.form, moving.solids.form]),
        tags,
        np.concatenate([fixed.edges, moving.solids.edges]),
        np.concatenate([fixed.reflectance, moving.solids.reflectance]),
    )
    return SolidWorld(
        solids, len(fixed.tags), cells_of(fixed), moving.offset, moving.turns, relief, meshes, parts=moving.parts
    )


def solids_of(scene: Scene, ground: bool = True) -> Solids:
    """Return everything fixed: optional flat ground at height 0, walls, fixed objects; no meshes."""
    parts = []
    if ground and scene.ground.heights is None:
        surface = Surface(seen_by=scene.ground.seen_by)
        parts.append(_Part(GROUND, Pose(), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), surface))
    for wall in scene.walls:
        parts += _wall_parts(wall)
    for solid in scene.objects:
        if not solid.mass_kg and not isinstance(solid.shape, Mesh):
            parts.append(_Part(*_form(solid.pose, solid.shape), solid.surface))
    return _rows(parts)


def moving_of(scene: Scene) -> Moving:
    """Return everything that can move: robots, pushable objects, balls; the owner of each is its number among them."""
    movable = [solid for solid in scene.objects if solid.mass_kg]
    parts = [_body_part(robot.pose, robot.built.body, robot.built.surface, n) for n, robot in enumerate(scene.robots)]
    for n, solid in enumerate(movable, len(scene.robots)):
        if not isinstance(solid.shape, Mesh):
            parts.append(_Part(*_form(solid.pose, solid.shape), solid.surface, n))
    for n, ball in enumerate(scene.balls, len(scene.robots) + len(movable)):
        parts.append(_Part(*_form(ball.pose, Sphere(ball.radius_m)), ball.surface, n))
    offset = np.array([part.offset for part in parts], np.float64).reshape(-1, 3)
    return Moving(_rows(parts), offset, np.tile(np.eye(3), (len(parts), 1, 1)))


def with_parts(moving: Moving, scene: Scene) -> Moving:
    """Return the moving solids with the visible parts of robots; they come last."""
    found = [
        (
            _Part(*_form(Pose(), part.shape), replace(robot.built.surface, obstacle=part.contact), n),
            _mounted(part.mount),
        )
        for n, robot in enumerate(scene.robots)
        for part in robot.built.parts
        if part.seen
    ]
    if not found:
        return moving
    rows, poses = _rows([part for part, _ in found]), np.array([_six(pose) for _, pose in found])
    turns = turns_of(poses)
    offset = poses[:, :3] + np.einsum("nij,nj->ni", turns, np.array([part.offset for part, _ in found]))
    solids = Solids(*(np.concatenate(pair) for pair in zip(moving.solids, rows)))
    return Moving(solids, np.concatenate([moving.offset, offset]), np.concatenate([moving.turns, turns]), len(found))


def _mounted(mount: Mount) -> Pose:
    return Pose(mount.x_m, mount.y_m, mount.z_m, mount.yaw_rad, mount.pitch_rad, mount.roll_rad)


def place_moving(world: SolidWorld, poses: Array) -> None:
    """Move solids to their owners' poses; a row of *poses* is x, y, z, roll, pitch, yaw of an owner (m, rad)."""
    moving = world.solids._replace(form=world.solids.form[world.fixed :], tags=world.solids.tags[world.fixed :])
    _put(moving, poses[moving.owner], world.offset)
    if world.parts:  # only parts of robots have another orientation than their owners
        moving.turn[-world.parts :] = arrays.product(moving.turn[-world.parts :], world.turns[-world.parts :])
    if world.meshes is not None:
        from understudy.engines.rays.spatial.triangles import put

        rows = np.flatnonzero(world.meshes.tags[:, 1] >= 0)
        put(world.meshes, rows, poses[world.meshes.tags[rows, 1]])


def _wall_parts(wall: Wall) -> Iterator[_Part]:
    """Yield the straight segments of a wall; thick segments overlap by half their thickness at the corners."""
    thick, high = wall.thickness_m / 2, wall.height_m / 2
    for ax, ay, bx, by in walls.pieces(wall).tolist():
        pose = Pose((ax + bx) / 2, (ay + by) / 2, heading_rad=elementary.atan2(by - ay, bx - ax))
        long = elementary.hypot(bx - ax, by - ay) / 2 + max(thick, _SEAM_M)
        yield _Part(BOX, pose, (0.0, 0.0, high), (long, thick, high), wall.surface)


def _form(pose: Pose, shape: Shape) -> tuple[int, Pose, Triple, Triple]:
    """Return kind, pose, offset and half sizes of a shape that stands on its pose."""
    if isinstance(shape, Box):
        x, y, z = (size / 2 for size in shape.size_m)
        return BOX, pose, (0.0, 0.0, z), (x, y, z)
    assert isinstance(shape, Cylinder | Cone | Sphere)
    kind = {Cylinder: CYLINDER, Cone: CONE, Sphere: SPHERE}[type(shape)]
    r = shape.radius_m
    high = r if isinstance(shape, Sphere) else shape.height_m / 2
    return kind, pose, (0.0, 0.0, high), (r, r, high)


def _body_part(pose: Pose, body: Body, surface: Surface, owner: int) -> _Part:
    z = body.height_m / 2
    if isinstance(body, Circle):
        return _Part(CYLINDER, pose, (0.0, 0.0, z), (body.radius_m, body.radius_m, z), surface, owner)
    if isinstance(body, Rectangle):
        half = (body.length_m / 2, body.width_m / 2, z)
        return _Part(BOX, pose, (body.offset_x_m, 0.0, z), half, surface, owner)
    x, y = (max(abs(point[axis]) for point in body.points_m) for axis in (0, 1))
    return _Part(PRISM, pose, (0.0, 0.0, z), (x, y, z), surface, owner, body.points_m)


def _rows(parts: Sequence[_Part]) -> Solids:
    last = np.cumsum([len(part.points) for part in parts], dtype=np.int64)
    solids = Solids(
        np.zeros((len(parts), 16)),
        np.zeros((len(parts), 5), np.int64),
        np.array([edge for part in parts for edge in _edges(part.points)]).reshape(-1, 3),
        np.array([part.surface.reflectance for part in parts], np.float64),
    )
    for row, part in enumerate(parts):
        mask = layer_mask(part.surface.seen_by) | (OBSTACLE if part.surface.obstacle else 0)
        first = last[row] - len(part.points)
        solids.tags[row] = part.kind, mask, part.owner, first, last[row]
        solids.half[row], solids.reach[row] = part.half, _reach(part)
    poses = np.array([_six(part.pose) for part in parts]).reshape(-1, 6)
    _put(solids, poses, np.array([part.offset for part in parts]).reshape(-1, 3))
    return solids


def _put(solids: Solids, poses: Array, offset: Array) -> None:
    """Write the positions of the solids for *poses* of the things that they are parts of."""
    turn = turns_of(poses)
    solids.turn[:] = turn
    solids.centre[:] = poses[:, :3] + np.einsum("nij,nj->ni", turn, offset)


def _six(pose: Pose) -> tuple[float, ...]:
    return pose.x_m, pose.y_m, pose.z_m, pose.roll_rad, pose.pitch_rad, pose.heading_rad


def _edges(points: Points) -> Iterator[Triple]:
    """Yield normal and distance of each edge of a counter-clockwise outline."""
    for (ax, ay), (bx, by) in zip(points, (*points[1:], *points[:1])):
        length = elementary.hypot(bx - ax, by - ay)
        nx, ny = (by - ay) / length, (ax - bx) / length
        yield nx, ny, nx * ax + ny * ay


def _reach(part: _Part) -> float:
    """Return the radius around the centre that contains a solid; exact for a sphere, with a margin for others."""
    x, y, z = part.half
    if part.kind == SPHERE:
        return x
    if part.kind in (CYLINDER, CONE):
        return elementary.hypot(x, z) + _EDGE_M
    return elementary.hypot(x, y, z) + _EDGE_M


# ---- the grid


def cells_of(solids: Solids) -> Cells:
    """Return the grid over fixed solids, with cells of 1 m or more on large maps."""
    rows = np.flatnonzero(solids.kind != GROUND)
    ground = int(np.argmax(solids.kind == GROUND)) if len(rows) < len(solids.kind) else NOTHING
    extent = _extents(solids)[rows] + _EDGE_M
    low, high = solids.centre[rows] - extent, solids.centre[rows] + extent
    x0, y0, z0 = low.min(axis=0, initial=math.inf) if len(rows) else (0.0, 0.0, 0.0)
    x1, y1, z1 = high.max(axis=0, initial=-math.inf) if len(rows) else (0.0, 0.0, 0.0)
    cell, nx, ny = cells_over(float(x1 - x0), float(y1 - y0), 2.0 * extent[:, :2])
    corner = np.array([x0, y0])
    first, last = box_cells(np.column_stack([low[:, :2], high[:, :2]]), corner, cell, nx, ny)
    strips = tuple(_strip(solids, rows, axis, cell) for axis in (0, 1))
    owner, i, j = cells_near(first, last, strips, corner, cell)
    hit = _touches(strips, owner, corner + (np.column_stack([i, j]) + 0.5) * cell)
    start, index = lists_by_cell((j * nx + i)[hit], rows[owner[hit]], nx * ny)
    return Cells(float(x0), float(y0), cell, nx, ny, float(z0), float(z1), start, index, ground)


def _extents(solids: Solids) -> Array:
    """Return half the sizes of the axis-aligned bounding boxes of the solids (m)."""
    boxes = np.einsum("nij,nj->ni", np.abs(solids.turn), solids.half)
    up = solids.turn[:, :, 2]
    rounds = solids.half[:, 2:] * np.abs(up) + solids.half[:, :1] * np.sqrt(np.maximum(1.0 - up * up, 0.0))
    kind = solids.kind[:, None]
    return np.where(kind == SPHERE, solids.half, np.where((kind == CYLINDER) | (kind == CONE), rounds, boxes))


def _strip(solids: Solids, rows: Ints, axis: int, cell: float) -> Strips:
    """Return where the cells of solids are along one of their axes; beside it only bounding boxes touch them."""
    turn, half = solids.turn[rows, :2], solids.half[rows]
    normal = turn[:, :, axis]
    reach = (np.abs(np.einsum("ni,nij->nj", normal, turn)) * half).sum(axis=1)
    return Strips(normal, solids.centre[rows, :2], reach + np.abs(normal).sum(axis=1) * cell / 2 + _EDGE_M)


def _touches(strips: tuple[Strips, ...], owner: Ints, middle: Array) -> npt.NDArray[np.bool_]:
    """Return for each pair of a solid and the middle of a cell whether the cell is in all strips of the solid."""
    inside = np.ones(len(owner), np.bool_)
    for normal, through, reach in strips:
        inside &= np.abs((normal[owner] * (middle - through[owner])).sum(axis=1)) <= reach[owner]
    return inside


# ---- casting


def cast_solids(
    origins: Array, directions: Array, limit: float, layer: int, owner: int, world: SolidWorld, out: Array
) -> None:
    """Write the distance along each ray in the world frame into *out* (m); things of *owner* are not seen."""
    _cast(np.zeros((1, 6)), owner, origins, directions, limit, layer, world, out[None], _NO_ROWS)


def cast_solids_hits(
    origins: Array, directions: Array, limit: float, layer: int, owner: int, world: SolidWorld, out: Array, which: Ints
) -> None:
    """Write distances as `cast_solids` does, and into *which* the row of each solid hit, or NOTHING."""
    _cast(np.zeros((1, 6)), owner, origins, directions, limit, layer, world, out[None], which[None])


def cast_from_places(
    table: RayTable, rows: Ints, places: Array, world: SolidWorld, out: Array, which: Ints = _NO_ROWS
) -> None:
    """Write the distance along each ray of each robot of *rows* into *out* (m), and what was hit into *which*.

    A row of *places* is x, y, z, roll, pitch, yaw of the frame of a robot's rays (m, rad). A robot does not see what it
    owns.
    """
    _cast(places, rows, table.origins, table.directions, table.limit_m, table.layer, world, out, which)


def cast_ahead(
    places: Array, owners: Ints, limit: float, layer: int, world: SolidWorld, out: Array, which: Ints
) -> None:
    """Write the distance (m) and the solid hit, straight ahead of each place, into the only column of each.

    A row of *places* is x, y, z, roll, pitch, yaw (m, rad). Things of the owner of the same row are not seen.
    """
    ahead = np.array([[1.0, 0.0, 0.0]])
    _cast(places, owners, np.zeros((1, 3)), ahead, limit, layer, world, out, which)


def _cast(
    places: Array, owners: Ints | int, origins: Array, directions: Array, limit: float, layer: int,
    world: SolidWorld, out: Array, which: Ints,
) -> None:  # fmt: skip
    owners = np.where(np.atleast_1d(owners) < 0, _NO_OWNER, owners)
    reach = limit + math.sqrt(3.0) * float(np.abs(origins).max(initial=0.0))
    near = np.empty(len(world.solids.tags) - world.fixed, np.int64)
    cast_from(
        places, owners, origins, directions, float(limit), reach, layer, world.solids, world.fixed, world.cells,
        near, out, which,
    )  # fmt: skip
    if world.relief is not None and world.relief.mask & layer:
        from understudy.engines.rays.spatial.terrain import cast_terrain

        cast_terrain(places, origins, directions, world.relief, world.first_triangle - 1, out, which)
    if world.meshes is not None:
        from understudy.engines.rays.spatial.triangles import cast_meshes

        cast_meshes(places, owners, origins, directions, layer, world.meshes, world.first_triangle, out, which)
