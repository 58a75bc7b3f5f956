"""Collision shapes of MuJoCo's model for robots, parts and things."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from understudy import elementary
from understudy.assets.library import Library
from understudy.engines.rigid.readout import placed
from understudy.engines.rigid.vehicle import Chassis
from understudy.world.robot import Circle, Polygon, Rectangle, RobotModel
from understudy.world.scene import Solid
from understudy.world.shapes import Box, Cone, Cylinder, Mesh, Mount, Pose, Shape, Sphere, half_height
from understudy.world.vehicle import PartShape

Triple = tuple[float, float, float]
_SIDES = 48  # of the prisms and pyramids that approximate cylinders and cones


class MujocoShapes:
    """Makes shapes for MuJoCo; hulls become meshes of its model."""

    def __init__(self, spec: Any, mj: Any, files: Library) -> None:
        self._spec, self._mj, self._files = spec, mj, files
        self._meshes = 0

    def hull(self, model: RobotModel, chassis: Chassis) -> dict[str, Any]:
        """Return a robot's body as a shape, from its ground clearance upwards."""
        geom, body = self._mj.mjtGeom, model.body
        low, high = chassis.clearance_m, body.height_m
        half, middle = (high - low) / 2, (high + low) / 2
        if isinstance(body, Circle):
            return {"type": geom.mjGEOM_CYLINDER, "size": [body.radius_m, half, 0.0], "pos": [0.0, 0.0, middle]}
        if isinstance(body, Rectangle):
            size = [body.length_m / 2, body.width_m / 2, half]
            return {"type": geom.mjGEOM_BOX, "size": size, "pos": [body.offset_x_m, 0.0, middle]}
        assert isinstance(body, Polygon)
        return self._hull_of([(x, y, z) for z in (low, high) for x, y in body.points_m])

    def shapes(self, solid: Solid) -> list[dict[str, Any]]:
        """Return the convex shapes of a solid."""
        if not isinstance(solid.shape, Mesh):
            return [self.shape(solid.shape)]
        pieces = self._files.pieces(solid.shape, solid.name)
        return [self._hull_of(piece.vertices[np.unique(piece.faces)].tolist()) for piece in pieces]

    def shape(self, shape: Shape | PartShape) -> dict[str, Any]:
        """Return a shape around its own centre."""
        geom = self._mj.mjtGeom
        if isinstance(shape, Box):
            return {"type": geom.mjGEOM_BOX, "size": [size / 2 for size in shape.size_m]}
        if isinstance(shape, Cylinder):
            return {"type": geom.mjGEOM_CYLINDER, "size": [shape.radius_m, shape.height_m / 2, 0.0]}
        if isinstance(shape, Sphere):
            return {"type": geom.mjGEOM_SPHERE, "size": [shape.radius_m, 0.0, 0.0]}
        assert isinstance(shape, Cone)
        r, h = shape.radius_m, shape.height_m / 2
        return self._hull_of(
            [*((r * elementary.cos(a), r * elementary.sin(a), -h) for a in _angles(_SIDES)), (0.0, 0.0, h)]
        )

    def _hull_of(self, points: Sequence[Triple]) -> dict[str, Any]:
        """Return the convex hull of points, in the frame of the points."""
        self._meshes += 1
        name = f"hull-{self._meshes}"
        self._spec.add_mesh(name=name, uservert=[float(v) for point in points for v in point])
        return {"type": self._mj.mjtGeom.mjGEOM_MESH, "meshname": name}

    def mounted(self, mount: Mount, shape: PartShape) -> dict[str, Any]:
        """Return position and orientation of a shape's centre for a shape on a mount."""
        pose = Pose(mount.x_m, mount.y_m, mount.z_m, mount.yaw_rad, mount.pitch_rad, mount.roll_rad)
        seven = placed(pose, (0.0, 0.0, half_height(shape)))
        return {"pos": seven[:3], "quat": seven[3:]}

    def prism(self, radius: float, half: float) -> dict[str, Any]:
        """Return an upright prism with many sides that approximates a cylinder."""
        return self._hull_of(
            [
                (radius * elementary.cos(a), radius * elementary.sin(a), z)
                for z in (-half, half)
                for a in _angles(_SIDES)
            ]
        )


def _angles(count: int) -> list[float]:
    return [math.tau * k / count for k in range(count)]
