"""Looks of robots for cameras: triangles in the frames that carry them, instead of the robots' bodies.

Only cameras see looks; all other sensors, and collisions, use the robot's body and parts. Without cameras nothing of
this is built.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from understudy.assets import figures
from understudy.assets.library import Library
from understudy.assets.pictures import texture
from understudy.elementary import arrays
from understudy.engines.rays.spatial.solids import SolidWorld
from understudy.engines.rays.spatial.triangles import Array, Ints, Tree, tree_of
from understudy.errors import UnderstudyError
from understudy.world.face_textures import TextureFile
from understudy.world.looks import Figure, Look
from understudy.world.materials import layer_mask
from understudy.world.robot import PlacedRobot
from understudy.world.rotations import rotation, shift, turns_of
from understudy.world.scene import Scene
from understudy.world.shapes import Mesh
from understudy.world.texture_mapping import wrapped
from understudy.world.triangles import Triangles, joined

if TYPE_CHECKING:
    from understudy.engines.joints import Chain

log = logging.getLogger(__name__)
SMALLEST = 0.2  # of a robot's reach: smaller parts of figures are not shown to cameras
CAMERA = layer_mask(("camera",))
_NOTHING = TextureFile("", b"")  # shapes are wrapped in a texture that is then removed


class WornLook(NamedTuple):
    """The looks of a robot in one frame."""

    robot: int
    joint: str  # or empty: the robot's body carries them
    tree: Tree


def worn_of(scene: Scene, library: Library) -> list[WornLook]:
    """Return the looks of robots, if there is any camera; equal looks share one tree."""
    if not any(device.sheet.sees_pictures for r in scene.robots for device in r.built.devices):
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
            body = _body(look, texture.rgb(look.colour or robot.colour), library)
        except UnderstudyError as problem:
            log.warning("look %s of %s is not shown to cameras: %s", look.name, robot.name, problem)
            continue
        placed = body.moved(np.diag(look.stretch), np.zeros(3))
        for mount in reversed(mounts):
            placed = placed.moved(rotation(mount), shift(mount))
        yield placed


def _body(look: Look, colour: tuple[int, int, int], library: Library) -> Triangles:
    """Return the mesh of a look, with a colour for every face."""
    assert not isinstance(look.shape, Figure)
    if not isinstance(look.shape, Mesh):
        return replace(wrapped(look.shape, _NOTHING, colour), textures=None)
    body = library.mesh(look.shape)
    return (
        body if len(body.colours) else replace(body, colours=np.tile(np.array(colour, np.uint8), (len(body.faces), 1)))
    )


def hide_bodies(world: SolidWorld, worn: Sequence[WornLook]) -> None:
    """Hide bodies and parts of robots with looks from cameras."""
    tags = world.solids.tags[world.fixed :]
    tags[np.isin(tags[:, 2], [wear.robot for wear in worn]), 1] &= ~CAMERA


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
