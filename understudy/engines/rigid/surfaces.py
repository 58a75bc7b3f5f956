"""Driving surfaces: terrain as MuJoCo's height field, poses of things on it, and wheel grip."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from understudy import elementary
from understudy.engines.planar import layout
from understudy.engines.rigid.rows import Array
from understudy.errors import EngineError
from understudy.world.scene import Scene
from understudy.world.shapes import Mesh, Pose
from understudy.world.terrain import Terrain

_BASE_M = 1.0  # depth of solid ground below the lowest point
_ON_GROUND_M = 1e-3  # a thing this near to the height of the ground stands on it


def height_field(spec: Any, mj: Any, terrain: Terrain) -> dict[str, Any]:
    """Add a height field to a model; return its shape."""
    low, high = float(terrain.heights.min()), float(terrain.heights.max())
    rise = max(high - low, 1e-3)
    rows, columns = terrain.heights.shape
    x, y = (size / 2 for size in terrain.size_m)
    data = ((terrain.heights.astype(np.float64) - low) / rise).astype(np.float32).ravel()
    spec.add_hfield(name="ground", nrow=rows, ncol=columns, size=[x, y, rise, _BASE_M], userdata=data)
    middle = terrain.center_m
    return {"type": mj.mjtGeom.mjGEOM_HFIELD, "hfieldname": "ground", "pos": [*middle, low]}


def leaned(pose: Pose, terrain: Terrain, reach_m: float) -> Pose:
    """Return a level pose on the ground tilted as a thing of this size would rest there; other poses unchanged."""
    level = not (pose.pitch_rad or pose.roll_rad)
    if not level or abs(pose.z_m - terrain.height_m(pose.x_m, pose.y_m)) > _ON_GROUND_M or reach_m <= 0.0:
        return pose
    c, s = reach_m * elementary.cos(pose.heading_rad), reach_m * elementary.sin(pose.heading_rad)
    ways = ((c, s), (-c, -s), (-s, c), (s, -c))
    ahead, behind, left, right = (terrain.height_m(pose.x_m + dx, pose.y_m + dy) for dx, dy in ways)
    pitch, roll = -elementary.atan2(ahead - behind, 2 * reach_m), elementary.atan2(left - right, 2 * reach_m)
    middle = max((ahead + behind) / 2, (left + right) / 2, pose.z_m)
    return replace(pose, z_m=middle, pitch_rad=pitch, roll_rad=roll)


def is_flat(scene: Scene) -> bool:
    """Return whether a scene is a floor plan, apart from the tilt of its robots; parts of robots do not count."""
    if any(part.seen for robot in scene.robots for part in robot.built.parts):
        return False
    try:
        layout.refuse_what_is_not_flat(replace(scene, robots=()))
    except EngineError:
        return False
    return True


def grips_of(scene: Scene, count: int, fixed: int) -> Array:
    """Return the wheel grip on each solid of the caster: ground, fixed objects, pushable ones; 1 for the others."""
    grips = np.ones(count)
    if scene.ground.heights is None:
        grips[0] = scene.ground.friction
    solids = [solid for solid in scene.objects if not isinstance(solid.shape, Mesh)]
    still = [solid.friction for solid in solids if not solid.mass_kg]
    grips[fixed - len(still) : fixed] = still
    pushed = [solid.friction for solid in solids if solid.mass_kg]
    first = fixed + len(scene.robots)
    grips[first : first + len(pushed)] = pushed
    return grips
