"""Looks of robots and objects for cameras: triangles in the frames that carry them, instead of their bodies.

Only cameras see looks; all other sensors, and collisions, use bodies, parts and shapes. Without cameras nothing of
this is built.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.assets import figures
from understudy.assets.library import Library
from understudy.assets.pictures import texture
from understudy.elementary import arrays
from understudy.engines.rays.spatial.solids import SolidWorld
from understudy.engines.rays.spatial.triangles import Array, Ints, Tree, tree_of
from understudy.errors import UnderstudyError
from understudy.world.face_textures import TextureFile
from understudy.world.looks import Figure, Look, Triple
from understudy.world.materials import layer_mask
from understudy.world.robot import PlacedRobot
from understudy.world.rotations import rotation, shift, turns_of
from understudy.world.scene import Scene, Solid
from understudy.world.shapes import Box, Mesh, Mount, Sphere
from understudy.world.texture_mapping import wrapped
from understudy.world.triangles import Triangles, joined

if TYPE_CHECKING:
    from understudy.engines.joints import Chain

log = logging.getLogger(__name__)
SMALLEST = 0.2  # of a robot's reach: smaller parts of figures are not shown to cameras
SMALLEST_OF_OBJECT = 0.1  # of an object's longest side
_AROUND = 24  # pieces around a round part
CAMERA = layer_mask(("camera",))
_NOTHING = TextureFile("", b"")  # shapes are wrapped in a texture that is then removed


class WornLook(NamedTuple):
    """The looks of a robot in one frame."""

    robot: int
    joint: str  # or empty: the robot's body carries them
    tree: Tree


def has_cameras(scene: Scene) -> bool:
    """Return whether any device of a scene sees looks."""
    return any(device.sheet.sees_pictures for robot in scene.robots for device in robot.built.devices)


def worn_of(scene: Scene, library: Library) -> list[WornLook]:
    """Return the looks of robots, if there is any camera; equal looks share one tree."""
    if not has_cameras(scene):
        return []
    trees: dict[tuple[tuple[Look, ...], str], Tree | None] = {}
    found = []
    for row, robot in enumerate(scene.robots):
        for joint in dict.fromkeys(look.joint for look in robot.built.looks):
            looks = tuple(look for look in robot.built.looks if look.joint == joint)
            if (looks, robot.colour) not in trees:
                bodies = list(_bodies(robot, looks, library))
                trees[looks, robot.colour] = tree_of(joined(bodies)) if bodies else None
            if (tree := trees[looks, robot.colour]) is not None:
                found.append(WornLook(row, joint, tree))
    return found


def _bodies(robot: PlacedRobot, looks: Sequence[Look], library: Library) -> Iterator[Triangles]:
    """Yield looks as triangles; one whose file cannot be read is skipped with a warning: the robot runs without it."""
    least_m = robot.built.body.reach_m() * SMALLEST
    for look, mounts in figures.solids(tuple(looks), least_m):
        try:
            yield _placed(look, mounts, robot.colour, library)
        except UnderstudyError as problem:
            log.warning("look %s of %s is not shown to cameras: %s", look.name, robot.name, problem)


def _placed(look: Look, mounts: Sequence[Mount], colour: str, library: Library) -> Triangles:
    """Return a look where its mounts lead; *colour* is that of the thing, for looks without one."""
    body = _body(look, texture.rgb(look.colour or colour), library)
    placed = body.moved(np.diag(look.stretch), np.zeros(3))
    for mount in reversed(mounts):
        placed = placed.moved(rotation(mount), shift(mount))
    return placed


def _body(look: Look, colour: tuple[int, int, int], library: Library) -> Triangles:
    """Return the mesh of a look, with a colour for every face."""
    assert not isinstance(look.shape, Figure)
    if not isinstance(look.shape, Mesh):
        return replace(wrapped(look.shape, _NOTHING, colour, _AROUND), textures=None)
    body = library.mesh(look.shape)
    return (
        body if len(body.colours) else replace(body, colours=np.tile(np.array(colour, np.uint8), (len(body.faces), 1)))
    )


def dressed_of(scene: Scene, library: Library) -> dict[int, Tree]:
    """Return the looks of objects by row, if there is any camera; equal objects share one tree.

    As in the studio, an object with a texture shows that instead.
    """
    trees: dict[tuple[str, Triple, str], Tree] = {}
    found = {}
    for row, solid in enumerate(scene.objects if has_cameras(scene) else ()):
        if not solid.look or library.textured(solid) is not None:
            continue
        key = solid.look, _size(solid, library), solid.colour
        if key not in trees:
            trees[key] = _dress(*key, library)
        found[row] = trees[key]
    return found


def _size(solid: Solid, library: Library) -> Triple:
    """Return length, width and height of an object (m)."""
    shape = solid.shape
    if isinstance(shape, Box):
        return shape.size_m
    if isinstance(shape, Mesh):
        low, high = library.mesh(shape).bounds_m
        length, width, height = (high - low).tolist()
        return length, width, height
    across = 2 * shape.radius_m
    return across, across, across if isinstance(shape, Sphere) else shape.height_m


def _dress(name: str, size_m: Triple, colour: str, library: Library) -> Tree:
    """Return a figure that is stretched to a size, turned by a quarter if it lies the other way."""
    made_for = figures.figure(name).size_m or size_m
    least_m = max(made_for) * SMALLEST_OF_OBJECT
    look = Look(name=name, shape=Figure(name))
    body = joined([_placed(part, mounts, colour, library) for part, mounts in figures.solids((look,), least_m)])
    (a, b, c), (x, y, z) = size_m, made_for
    if (a > b) != (x > y) and a != b and x != y:
        return tree_of(body.moved(np.array([[0.0, -a / y, 0.0], [b / x, 0.0, 0.0], [0.0, 0.0, c / z]]), np.zeros(3)))
    return tree_of(body.moved(np.diag([a / x, b / y, c / z]), np.zeros(3)))


def hide_bodies(world: SolidWorld, owners: Collection[int], fixed: npt.NDArray[np.bool_] | None = None) -> None:
    """Hide bodies, parts and shapes of what has a look from cameras: of some owners, and some of the fixed rows."""
    tags = world.solids.tags[world.fixed :]
    tags[np.isin(tags[:, 2], list(owners)), 1] &= ~CAMERA
    if fixed is not None:
        world.solids.tags[: world.fixed][fixed, 1] &= ~CAMERA


class CarriedLook(NamedTuple):
    """The meshes on joints, a row each: the row among meshes, the robot, and the joint's name."""

    rows: Ints
    robots: Ints
    joints: tuple[str, ...]


def carried_of(worn: Sequence[WornLook], first: int) -> CarriedLook | None:
    """Return which meshes are on joints, if the first look has row *first*; None if there are none."""
    rows = [n for n, wear in enumerate(worn) if wear.joint]
    if not rows:
        return None
    robots = np.array([worn[n].robot for n in rows], np.int64)
    return CarriedLook(np.array(rows, np.int64) + first, robots, tuple(worn[n].joint for n in rows))


def put_carried(world: SolidWorld, poses: Array, chain: Chain, position: Array) -> None:
    """Move meshes on joints to the joints' positions; a row of *poses* is that of a robot."""
    carried, meshes = world.carried, world.meshes
    if carried is None or meshes is None:
        return
    turns, shifts = chain.frames(position)
    joints = [chain.rows[int(robot), joint] for robot, joint in zip(carried.robots, carried.joints)]
    own, on = poses[carried.robots], turns_of(poses[carried.robots])
    turn = arrays.product(on, turns[joints])
    at = own[:, :3] + np.einsum("nij,nj->ni", on, shifts[joints])
    meshes.form[carried.rows, :3] = at + np.einsum("nij,nj->ni", turn, meshes.middle[carried.rows])
    meshes.form[carried.rows, 3:12] = turn.reshape(-1, 9)
