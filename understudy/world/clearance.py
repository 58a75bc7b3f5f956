"""How much room there is around a place: for robots that are put somewhere by a rule and not by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from understudy.world import outlines, walls
from understudy.world.outlines import Outline
from understudy.world.scene import Scene
from understudy.world.shapes import Pose

Array = npt.NDArray[np.float64]
OutlineAt = Callable[[Pose], Outline]


class Clearance:
    """The obstacles of a scene as pieces with a radius around each, and the outlines of its robots."""

    def __init__(self, scene: Scene) -> None:
        objects = list(_of_objects(scene))
        made = [*_of_walls(scene), *objects]
        self._pieces = np.concatenate([rows for rows, _ in made]) if made else np.empty((0, 4))
        self._radii = np.concatenate([radii for _, radii in made]) if made else np.empty(0)
        filled = [walls.pieces(wall) for wall in scene.walls if wall.solid and wall.surface.obstacle]
        self._areas = [*filled, *(rows for rows, _ in objects)]
        self._taken = [outlines.of_robot(robot) for robot in scene.robots]

    def take(self, outline: Outline) -> None:
        """Remember that something stands there."""
        self._taken.append(outline)

    def fits(self, outline: Outline) -> bool:
        """Say whether something of this outline meets nothing, whatever the heights."""
        x, y = np.mean(outline.points, axis=0).tolist()
        if any(_is_inside(area, x, y) for area in self._areas):
            return False
        reach_m = max(math.hypot(px - x, py - y) for px, py in outline.points) + outline.radius_m
        near = _distances(self._pieces, x, y) - self._radii <= reach_m
        rows = zip(self._pieces[near].tolist(), self._radii[near].tolist())
        others = [Outline("", ((ax, ay), (bx, by)), radius, -1e9, 1e9) for (ax, ay, bx, by), radius in rows]
        return next(outlines.overlaps([outline], [*others, *self._taken]), None) is None

    def nearest(self, pose: Pose, outline_at: OutlineAt) -> Pose:
        """Return *pose*, or the first free place beside it: 1 m further in -y each time, then on rings around it."""
        return next((place for place in _around(pose) if self.fits(outline_at(place))), pose)


def _around(pose: Pose) -> Iterator[Pose]:
    """Yield places to try, this one first."""
    for step in range(4):
        yield shifted(pose, 0.0, -float(step))
    for ring in range(1, 41):
        for turn in range(12):
            angle = math.tau * turn / 12
            yield shifted(pose, 0.5 * ring * math.cos(angle), 0.5 * ring * math.sin(angle))


def shifted(pose: Pose, dx: float, dy: float) -> Pose:
    """Return *pose* moved along the axes of the world."""
    return Pose(pose.x_m + dx, pose.y_m + dy, pose.z_m, pose.heading_rad, pose.pitch_rad, pose.roll_rad)


def _of_walls(scene: Scene) -> Iterator[tuple[Array, Array]]:
    for wall in scene.walls:
        if wall.surface.obstacle:
            rows = walls.pieces(wall)
            yield rows, np.full(len(rows), wall.thickness_m / 2)


def _of_objects(scene: Scene) -> Iterator[tuple[Array, Array]]:
    for solid in scene.objects:
        for outline in outlines.of_solid(solid) if solid.surface.obstacle else ():
            points = np.array(outline.points)
            rows = np.column_stack([points, np.roll(points, -1, axis=0)])
            yield rows, np.full(len(rows), outline.radius_m)


def _distances(pieces: Array, x: float, y: float) -> Array:
    """Return the distance from a place to each piece x1, y1, x2, y2."""
    a, along = pieces[:, :2], pieces[:, 2:] - pieces[:, :2]
    to = np.array([x, y]) - a
    length2 = np.maximum((along**2).sum(axis=1), 1e-18)
    share = ((to * along).sum(axis=1) / length2).clip(0.0, 1.0)
    apart: Array = np.hypot(*(to - along * share[:, None]).T)
    return apart


def _is_inside(edges: Array, x: float, y: float) -> bool:
    """Say whether a place is enclosed by closed lines: a ray from it crosses them an odd number of times."""
    ax, ay, bx, by = edges.T
    crossing = (ay > y) != (by > y)
    if not crossing.any():
        return False
    ax, ay, bx, by = (values[crossing] for values in (ax, ay, bx, by))
    return bool(((bx - ax) * (y - ay) / (by - ay) + ax > x).sum() % 2)
