"""SEAR's environment objects as ground, walls and objects of a scene."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import field

import numpy as np

from understudy.elementary import arrays
from understudy.formats.robot_parts import free_name
from understudy.formats.sear import axes, pictures
from understudy.formats.sear.kinds import NOTHING, SearEntry
from understudy.frozen import frozen
from understudy.world.materials import LAYERS, Layer, Surface
from understudy.world.rotations import Array, about
from understudy.world.scene import Ground, Heights, Solid, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Mesh, Pose, half_height

OPEN_M = (100.0, 100.0)  # ground of an environment without a floor
FLOOR_M = 0.1  # thickness of a floor that is not the ground
UNSEEN: tuple[Layer, ...] = ("camera", "touch")
MESH_TURN: Array = about(np.array([0.0, 0.0, 1.0]), math.pi / 2)  # a mesh's own x, left of forward as in SEAR
_Primitive = Box | Cylinder | Cone


@frozen
class PlacedThings:
    """What the environment of a project becomes."""

    ground: Ground = field(default_factory=lambda: Ground(OPEN_M))
    walls: tuple[Wall, ...] = ()
    objects: tuple[Solid, ...] = ()


def placed_things(entries: Iterable[SearEntry], taken: set[str]) -> PlacedThings:
    """Return ground, walls and objects; *taken* are the names that exist, and gets the new ones."""
    ground: Ground | None = None
    walls: list[Wall] = []
    objects: list[Solid] = []
    entries = tuple(entries)
    flat = not any(_is_terrain(entry) for entry in entries)
    for entry in entries:
        name = free_name(entry.name, entry.kind, taken)
        if entry.kind == "wall":
            walls.append(_wall(entry, name))
        elif _is_terrain(entry):
            ground = _terrain(entry, ground)
        elif entry.kind == "floor" and ground is None and _is_ground(entry):
            ground = _ground(entry)
        elif entry.kind == "floor":
            objects.append(_slab(entry, name))
        else:
            objects.append(_solid(entry, name, flat))
    return PlacedThings(ground or Ground(OPEN_M), tuple(walls), tuple(objects))


def _is_terrain(entry: SearEntry) -> bool:
    return entry.kind == "model" and bool(entry["terrain"])


def _seen(entry: SearEntry) -> tuple[Layer, ...]:
    return LAYERS if entry["seen"] else UNSEEN


# ---- the ground


def _is_ground(entry: SearEntry) -> bool:
    """Return whether a floor can be the ground: level, at height 0, not turned."""
    return entry.move[1] == 0.0 and entry.rotate == NOTHING


def _ground(entry: SearEntry) -> Ground:
    east, north, _ = axes.ours(*entry.move)
    size = entry["length"] * entry.scale[2], entry["width"] * entry.scale[0]
    return Ground(
        size, (east, north), picture=entry["picture"], friction=entry["friction"], seen_by=_seen(entry)
    )  # fmt: skip


def _terrain(entry: SearEntry, below: Ground | None) -> Ground:
    if entry.move != NOTHING or entry.rotate != NOTHING:
        raise entry.problem("the terrain's centre is the world's: remove move and rotate")
    heights = Heights(entry["file"], scale=_one_scale(entry))
    size = below.size_m if below else OPEN_M
    return Ground(size, picture=entry["picture"], heights=heights, seen_by=_seen(entry))


def _slab(entry: SearEntry, name: str) -> Solid:
    """Return another floor, or one at a height or at an angle, as a fixed box below its surface."""
    shape = Box((entry["length"] * entry.scale[2], entry["width"] * entry.scale[0], FLOOR_M))
    at = _standing(axes.ours(*entry.move), axes.turn(entry.rotate), entry, -FLOOR_M)
    return Solid(name=name, shape=shape, pose=at, friction=entry["friction"], picture=entry["picture"],
                 colour="#d8d4cc", surface=Surface(_seen(entry)))  # fmt: skip


# ---- walls


def _wall(entry: SearEntry, name: str) -> Wall:
    """Return a wall between two points, moved and turned about its middle."""
    if entry.rotate[0] or entry.rotate[2] or entry.move[1]:
        raise entry.problem("a wall stands upright on the ground: rotate it about Y only; a box can lean or hang")
    ends = np.array([[entry["z1"], entry["x1"]], [entry["z2"], entry["x2"]]]) * (entry.scale[2], entry.scale[0])
    middle = ends.mean(axis=0)
    level = axes.turn(entry.rotate)[:2, :2]
    east, north, _ = axes.ours(*entry.move)
    points = arrays.product(ends - middle, level.T) + middle + (east, north)
    if np.array_equal(points[0], points[1]):
        raise entry.problem("both ends are the same point")
    return Wall(
        name=name, points_m=tuple((float(x), float(y)) for x, y in points), height_m=entry["height"] * entry.scale[1],
        thickness_m=entry["thickness"], picture=entry["picture"],
    )  # fmt: skip


# ---- solids


def shape_of(entry: SearEntry) -> _Primitive:
    """Return the shape of a box, cylinder or cone."""
    sx, sy, sz = entry.scale
    if entry.kind == "box":
        return Box((entry["length"] * sz, entry["width"] * sx, entry["height"] * sy))
    if sx != sz:
        raise entry.problem(f"a {entry.kind} stays round: scale x and z alike")
    kind = Cylinder if entry.kind == "cylinder" else Cone
    return kind(entry["radius"] * sx, entry["height"] * sy)


def mesh_of(entry: SearEntry) -> Mesh:
    """Return the shape of a model."""
    return Mesh(entry["file"], _one_scale(entry), "y", hull=entry["hull"])


def _one_scale(entry: SearEntry) -> float:
    if len(set(entry.scale)) > 1:
        raise entry.problem("a model is scaled alike along all axes")
    return entry.scale[0]


def _solid(entry: SearEntry, name: str, flat: bool) -> Solid:
    surface = Surface(_seen(entry)) if entry.kind == "model" else Surface()
    if entry.kind == "model":
        at = axes.pose(entry.move, entry.rotate, MESH_TURN)
        return Solid(name=name, shape=mesh_of(entry), pose=at, mass_kg=entry["mass"],
                     picture=entry["picture"] or _own_picture(entry), surface=surface)  # fmt: skip
    shape, turn = shape_of(entry), axes.turn(entry.rotate)
    east, north, up = axes.ours(*entry.move)
    if entry["mass"] and flat:  # what falls begins on the floor, not in it
        up = max(up, depth(shape, turn))
    at = _standing((east, north, up), turn, entry, -half_height(shape))
    picture = entry["picture"] or pictures.DEFAULTS[entry.kind]
    colour = pictures.COLOURS[entry.kind]
    return Solid(
        name=name, shape=shape, pose=at, mass_kg=entry["mass"], picture=picture, colour=colour, surface=surface
    )  # fmt: skip


def _own_picture(entry: SearEntry) -> str:
    return pictures.LEAVES if entry["file"] == pictures.TREE else ""


def _standing(centre: axes.Triple, turn: Array, entry: SearEntry, below: float) -> Pose:
    """Return the pose of a shape's base, which lies *below* a point along the shape's own vertical."""
    x, y, z = (float(c) for c in np.array(centre) + turn[:, 2] * below)
    roll, pitch, yaw = axes.angles(entry.rotate, turn)
    return Pose(x, y, z, yaw, pitch, roll)


def depth(shape: _Primitive, turn: Array) -> float:
    """Return how far a turned shape reaches below the middle of its height (m)."""
    upright = float(turn[2, 2])
    if isinstance(shape, Box):
        return float(arrays.product(np.abs(turn[2]), shape.size_m)) / 2
    rim = shape.radius_m * math.sqrt(max(0.0, 1.0 - upright * upright))
    foot = upright * shape.height_m / 2 + rim
    tip = rim - upright * shape.height_m / 2 if isinstance(shape, Cylinder) else -upright * shape.height_m / 2
    return max(foot, tip)
