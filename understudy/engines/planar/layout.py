"""From a flat scene to arrays: fixed things as segments and discs, robots as rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.engines.rays.level.grid import CONE, CYLINDER, SPHERE, Obstacles
from understudy.errors import EngineError
from understudy.world import walls
from understudy.world.joints import Prismatic
from understudy.world.materials import Surface, layer_mask
from understudy.world.robot import Body, Circle, Polygon
from understudy.world.scene import Ball, Scene, Solid, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Mesh, Pose, Shape, Sphere

Array = npt.NDArray[np.float64]
Segment = tuple[float, float, float, float]
Height = tuple[float, float]

_MARGIN_M = 1.0


class Movers(NamedTuple):
    """Everything that can move, one row each: robots first, in the scene's order, then pushable solids, then balls.

    *place* is the only part that changes over time.
    """

    place: Array  # x, y, heading
    world: npt.NDArray[np.int64]  # bodies of other worlds do not exist for it
    reach: Array  # radius around the position that contains the outline
    corners: npt.NDArray[np.int64]  # number; 0 is a disc of radius *reach*
    kind: npt.NDArray[np.int64]  # whether a body without corners is a cylinder, a cone or a sphere
    outline: Array  # (movers, most corners, 2), counter-clockwise around the position
    height: Array  # from, to
    mask: npt.NDArray[np.int64]  # sensor layers that see it
    solid: npt.NDArray[np.bool_]
    mass: Array
    reflectance: Array


def refuse_what_is_not_flat(scene: Scene) -> None:
    """Raise EngineError for what needs three dimensions, naming the object."""
    if scene.ground.heights is not None:
        raise EngineError("the planar engine does not support terrain (ground with heights); use --engine rigid")
    for solid in scene.objects:
        if isinstance(solid.shape, Mesh):
            raise EngineError(f"{solid.name}: the planar engine does not support meshes; use --engine rigid")
        if solid.pose.pitch_rad or solid.pose.roll_rad:
            raise EngineError(f"{solid.name}: the planar engine does not support tilted poses; use --engine rigid")
    for robot in scene.robots:
        if robot.pose.pitch_rad or robot.pose.roll_rad:
            raise EngineError(f"{robot.name}: the planar engine does not support tilted poses; use --engine rigid")
        for joint in robot.built.joints:
            if not joint.upright:
                what = "prismatic joints" if isinstance(joint.motion, Prismatic) else "joints with an inclined axis"
                raise EngineError(
                    f"{robot.name}/{joint.name}: the planar engine does not support {what}, only revolute joints "
                    "with a vertical axis; use --engine rigid"
                )


def obstacles(scene: Scene) -> Obstacles:
    """Return everything that is fixed."""
    segments: list[tuple[Segment, Height, Surface]] = []
    discs: list[tuple[tuple[float, float, float], Height, int, Surface]] = []
    for wall in scene.walls:
        segments += [(s, (0.0, wall.height_m), wall.surface) for s in wall_segments(wall)]
    for solid in scene.objects:
        if solid.mass_kg:
            continue
        if isinstance(solid.shape, Box):
            height = (solid.pose.z_m, solid.pose.z_m + solid.shape.size_m[2])
            segments += [(s, height, solid.surface) for s in box_segments(solid.pose, solid.shape)]
        else:
            discs.append(_round(solid))
    return Obstacles(
        np.array([s for s, _, _ in segments], np.float64).reshape(-1, 4),
        np.array([z for _, z, _ in segments], np.float64).reshape(-1, 2),
        np.array([layer_mask(u.seen_by) for _, _, u in segments], np.int64),
        np.array([u.obstacle for _, _, u in segments], np.bool_),
        np.array([u.reflectance for _, _, u in segments], np.float64),
        np.array([d for d, _, _, _ in discs], np.float64).reshape(-1, 3),
        np.array([z for _, z, _, _ in discs], np.float64).reshape(-1, 2),
        np.array([k for _, _, k, _ in discs], np.int64),
        np.array([layer_mask(u.seen_by) for _, _, _, u in discs], np.int64),
        np.array([u.obstacle for _, _, _, u in discs], np.bool_),
        np.array([u.reflectance for _, _, _, u in discs], np.float64),
    )


def _round(solid: Solid) -> tuple[tuple[float, float, float], Height, int, Surface]:
    shape = solid.shape
    assert isinstance(shape, Cylinder | Cone | Sphere)
    if isinstance(shape, Sphere):
        return _disc(solid.pose, shape.radius_m, 2 * shape.radius_m, SPHERE, solid.surface)
    return _disc(solid.pose, shape.radius_m, shape.height_m, _kind(shape), solid.surface)


def _kind(shape: Shape) -> int:
    return CONE if isinstance(shape, Cone) else SPHERE if isinstance(shape, Sphere) else CYLINDER


def _disc(
    pose: Pose, radius: float, height: float, kind: int, surface: Surface
) -> tuple[tuple[float, float, float], Height, int, Surface]:
    return (pose.x_m, pose.y_m, radius), (pose.z_m, pose.z_m + height), kind, surface


def wall_segments(wall: Wall) -> Iterator[Segment]:
    """Yield the segments of a wall; a thick wall is the outline of each segment, joined at the corners."""
    for ax, ay, bx, by in walls.pieces(wall).tolist():
        if wall.thickness_m == 0.0:
            yield ax, ay, bx, by
            continue
        length, heading = elementary.hypot(bx - ax, by - ay), elementary.atan2(by - ay, bx - ax)
        middle = Pose((ax + bx) / 2, (ay + by) / 2, heading_rad=heading)
        size = (length + wall.thickness_m, wall.thickness_m, wall.height_m)
        yield from box_segments(middle, Box(size))


def box_segments(pose: Pose, box: Box) -> Iterator[Segment]:
    """Yield the four sides of a box."""
    c, s = elementary.cos(pose.heading_rad), elementary.sin(pose.heading_rad)
    hx, hy = box.size_m[0] / 2, box.size_m[1] / 2
    corners = [
        (pose.x_m + c * x - s * y, pose.y_m + s * x + c * y) for x, y in ((-hx, -hy), (hx, -hy), (hx, hy), (-hx, hy))
    ]
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
        yield ax, ay, bx, by


def bounds(scene: Scene, fixed: Obstacles) -> tuple[Array, Array]:
    """Return the minimum and maximum x, y of ground and obstacles, with a margin (m)."""
    (cx, cy), (w, h) = scene.ground.center_m, scene.ground.size_m
    points = [np.array([[cx - w / 2, cy - h / 2], [cx + w / 2, cy + h / 2]])]
    points += [fixed.seg[:, :2], fixed.seg[:, 2:]]
    points += [fixed.disc[:, :2] - fixed.disc[:, 2:], fixed.disc[:, :2] + fixed.disc[:, 2:]]
    every = np.concatenate(points)
    return every.min(axis=0) - _MARGIN_M, every.max(axis=0) + _MARGIN_M


def pushables(scene: Scene) -> list[Solid]:
    """Return the solids that can be pushed."""
    return [solid for solid in scene.objects if solid.mass_kg]


def things(scene: Scene) -> list[Solid | Ball]:
    """Return the movable things other than robots, in the order of the rows."""
    return [*pushables(scene), *scene.balls]


def names(scene: Scene) -> list[str]:
    """Return the names of everything that moves, in the order of the rows."""
    return [mover.name for mover in (*scene.robots, *things(scene))]


def movers(scene: Scene) -> Movers:
    """Return everything that can move, at its pose in the scene."""
    robots = [
        (r.pose, *_outline(r.built.body), r.built.body.height_m, CYLINDER, r.built.surface, r.built.body.mass_kg)
        for r in scene.robots
    ]
    solids = [(s.pose, *_shadow(s.shape), _kind(s.shape), s.surface, s.mass_kg) for s in pushables(scene)]
    balls = [(b.pose, b.radius_m, (), 2 * b.radius_m, SPHERE, b.surface, b.mass_kg) for b in scene.balls]
    every = [*robots, *solids, *balls]
    outline = np.zeros((len(every), max([len(points) for _, _, points, *_ in every], default=0), 2))
    for row, (_, _, points, *_) in enumerate(every):
        outline[row, : len(points)] = np.reshape(points, (-1, 2))
    return Movers(
        np.array([(p.x_m, p.y_m, math.remainder(p.heading_rad, math.tau)) for p, *_ in every]).reshape(-1, 3),
        np.zeros(len(every), np.int64),
        np.array([reach for _, reach, *_ in every], np.float64),
        np.array([len(points) for _, _, points, *_ in every], np.int64),
        np.array([kind for *_, kind, _, _ in every], np.int64),
        outline,
        np.array([(p.z_m, p.z_m + height) for p, _, _, height, *_ in every], np.float64).reshape(-1, 2),
        np.array([layer_mask(surface.seen_by) for *_, surface, _ in every], np.int64),
        np.array([surface.obstacle for *_, surface, _ in every], np.bool_),
        np.array([mass for *_, mass in every], np.float64),
        np.array([surface.reflectance for *_, surface, _ in every], np.float64),
    )


Points = tuple[tuple[float, float], ...]


def _outline(body: Body) -> tuple[float, Points]:
    """Return radius and corners of a robot's body; a round one has no corners."""
    if isinstance(body, Circle):
        return body.radius_m, ()
    if isinstance(body, Polygon):
        return body.reach_m(), body.points_m
    x, y, ahead = body.length_m / 2, body.width_m / 2, body.offset_x_m
    return body.reach_m(), ((ahead - x, -y), (ahead + x, -y), (ahead + x, y), (ahead - x, y))


def _shadow(shape: Shape) -> tuple[float, Points, float]:
    """Return radius, corners and height of a solid, seen from above."""
    if isinstance(shape, Box):
        x, y = shape.size_m[0] / 2, shape.size_m[1] / 2
        return elementary.hypot(x, y), ((-x, -y), (x, -y), (x, y), (-x, y)), shape.size_m[2]
    assert isinstance(shape, Cylinder | Cone | Sphere)
    return shape.radius_m, (), 2 * shape.radius_m if isinstance(shape, Sphere) else shape.height_m
