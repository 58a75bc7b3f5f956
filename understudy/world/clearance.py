"""Free space around a pose: for robots that are placed automatically.

A pose near a start is used only if a small robot could drive there from the start without leaving the ground, so that
no robot is placed behind a wall or outside of a building. The search runs on a grid, cell by cell: neighbours that are
both farther from every wall than half a step have no wall between them.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain, count, islice

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.elementary import arrays
from understudy.world import outlines, walls
from understudy.world.outlines import Outline
from understudy.world.scene import Scene, Wall
from understudy.world.shapes import Pose

Array = npt.NDArray[np.float64]
OutlineAt = Callable[[Pose], Outline]
STEP_M = 1.0  # between neighbouring starts
GRID_M = 0.25
MARGIN_M = 0.15  # above half of the grid, so that no wall passes between neighbouring cells
MOST_CELLS = 10_000  # searched for a place, 625 m2


class _Walk:
    """A cached iterator: its values can be iterated several times."""

    def __init__(self, ways: Iterator[tuple[float, float]]) -> None:
        self._ways, self._kept = ways, list[tuple[float, float]]()

    def __iter__(self) -> Iterator[tuple[float, float]]:
        for n in count():
            if n == len(self._kept):
                self._kept.extend(islice(self._ways, 1))
            if n == len(self._kept):
                return
            yield self._kept[n]


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
        self._ground = scene.ground
        self._walks: dict[tuple[float, float], _Walk] = {}  # by start; walls do not move

    def take(self, outline: Outline) -> None:
        """Mark an outline as occupied."""
        self._taken.append(outline)

    def fits(self, outline: Outline) -> bool:
        """Return whether this outline overlaps nothing, regardless of heights."""
        x, y = np.mean(outline.points, axis=0).tolist()
        if any(_is_inside(area, x, y) for area in self._areas):
            return False
        reach_m = max(elementary.hypot(px - x, py - y) for px, py in outline.points) + outline.radius_m
        near = _distances(self._pieces, x, y) - self._radii <= reach_m
        rows = zip(self._pieces[near].tolist(), self._radii[near].tolist())
        others = [Outline("", ((ax, ay), (bx, by)), radius, -1e9, 1e9) for (ax, ay, bx, by), radius in rows]
        return next(outlines.overlaps([outline], [*others, *self._taken]), None) is None

    def nearest(self, pose: Pose, outline_at: OutlineAt) -> Pose:
        """Return *pose*, or the first free place near it."""
        return self.in_line(pose, 0, outline_at)

    def in_line(self, start: Pose, number: int, outline_at: OutlineAt) -> Pose:
        """Return the pose of robot *number* (from 0) of all robots that begin at *start*.

        Each is a metre further in -y, as in MobileSim. If that is not free or not reachable, it is the
        free place nearest to the start by path length, in steps of a metre if possible; then any near it, reachable
        or not; then the start itself.
        """
        wanted = shifted(start, 0.0, -STEP_M * number)
        if self._can_stand(wanted, start, outline_at) and self._is_straight_way(start, number):
            return wanted
        walk = self._walks.setdefault((start.x_m, start.y_m), _Walk(self._reached(start)))
        roomy = (way for way in walk if way[0] % STEP_M == way[1] % STEP_M == 0.0)  # then the closer ones
        places = (shifted(start, dx, dy) for dx, dy in chain(roomy, walk, _rings()))
        return next((place for place in places if self._can_stand(place, start, outline_at)), start)

    def _can_stand(self, place: Pose, start: Pose, outline_at: OutlineAt) -> bool:
        outline = outline_at(place)
        bounded = self._holds(start.x_m, start.y_m)
        inside = all(self._holds(x, y, outline.radius_m) for x, y in outline.points)
        return (inside or not bounded) and self.fits(outline)

    def _is_straight_way(self, start: Pose, number: int) -> bool:
        """Return whether the straight way from a start to *number* metres further in -y is free."""
        steps = round(number * STEP_M / GRID_M)
        return all(self._is_open(start.x_m, start.y_m - GRID_M * n) for n in range(1, steps + 1))

    def _reached(self, start: Pose) -> Iterator[tuple[float, float]]:
        """Yield the offsets of places reachable from a start, nearest first; on the ground if the start is."""
        seen, waiting = {(0, 0)}, deque([(0, 0)])
        bounded = self._holds(start.x_m, start.y_m)
        while waiting and len(seen) < MOST_CELLS:
            column, row = waiting.popleft()
            if column % 2 == row % 2 == 0:  # the cells between are only used for the path
                yield GRID_M * column, GRID_M * row
            for cell in ((column, row - 1), (column + 1, row), (column - 1, row), (column, row + 1)):
                x, y = start.x_m + GRID_M * cell[0], start.y_m + GRID_M * cell[1]
                if cell not in seen and (self._holds(x, y) or not bounded) and self._is_open(x, y):
                    waiting.append(cell)
                seen.add(cell)

    def _holds(self, x: float, y: float, radius_m: float = 0.0) -> bool:
        """Return whether a place, with a radius around it, is on the ground."""
        (cx, cy), (wide, deep) = self._ground.center_m, self._ground.size_m
        return abs(x - cx) <= wide / 2 - radius_m and abs(y - cy) <= deep / 2 - radius_m

    def _is_open(self, x: float, y: float) -> bool:
        return not (_distances(self._pieces, x, y) - self._radii <= MARGIN_M).any()


def _rings() -> Iterator[tuple[float, float]]:
    """Yield the offsets to try if no place is reachable: twelve on each of many rings."""
    for ring in range(1, 41):
        for turn in range(12):
            angle = math.tau * turn / 12
            yield 0.5 * ring * elementary.cos(angle), 0.5 * ring * elementary.sin(angle)


def shifted(pose: Pose, dx: float, dy: float) -> Pose:
    """Return *pose* moved along the axes of the world."""
    return Pose(pose.x_m + dx, pose.y_m + dy, pose.z_m, pose.heading_rad, pose.pitch_rad, pose.roll_rad)


def _of_walls(scene: Scene) -> Iterator[tuple[Array, Array]]:
    for wall in scene.walls:
        if wall.surface.obstacle:
            rows = walls.pieces(wall)
            yield rows, np.full(len(rows), wall.thickness_m / 2)


def blocker(scene: Scene, outline: Outline) -> str:
    """Return the name of an obstacle that an outline overlaps, heights included; empty if it is free.

    Robots with the outline's own name do not count.
    """
    x, y = np.mean(outline.points, axis=0).tolist()
    reach_m = max(elementary.hypot(px - x, py - y) for px, py in outline.points) + outline.radius_m
    others = [
        *chain.from_iterable(_near(wall, x, y, reach_m) for wall in scene.walls if wall.surface.obstacle),
        *chain.from_iterable(outlines.of_solid(solid) for solid in scene.objects if solid.surface.obstacle),
        *(outlines.of_robot(r) for r in scene.robots if r.name != outline.name and r.built.surface.obstacle),
    ]
    found = next(outlines.overlaps([outline], others), None)
    return found[1].name if found else _filled(scene, outline, x, y)


def _near(wall: Wall, x: float, y: float, reach_m: float) -> Iterator[Outline]:
    """Yield the outlines of the pieces of a wall near a place: a scanned map has tens of thousands."""
    rows = walls.pieces(wall)
    radius = wall.thickness_m / 2
    for ax, ay, bx, by in rows[_distances(rows, x, y) <= reach_m + radius].tolist():
        yield Outline(wall.name, ((ax, ay), (bx, by)), radius, 0.0, wall.height_m)


def _filled(scene: Scene, outline: Outline, x: float, y: float) -> str:
    """Return the name of the filled wall around a place; empty if there is none."""
    filled = (wall for wall in scene.walls if wall.solid and wall.surface.obstacle and outline.low_m < wall.height_m)
    return next((wall.name for wall in filled if _is_inside(walls.pieces(wall), x, y)), "")


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
    length2 = np.maximum((np.square(along)).sum(axis=1), 1e-18)
    share = ((to * along).sum(axis=1) / length2).clip(0.0, 1.0)
    apart: Array = arrays.hypot(*(to - along * share[:, None]).T)
    return apart


def _is_inside(edges: Array, x: float, y: float) -> bool:
    """Return whether a place is inside closed lines: a ray from it crosses them an odd number of times."""
    ax, ay, bx, by = edges.T
    crossing = (ay > y) != (by > y)
    if not crossing.any():
        return False
    ax, ay, bx, by = (values[crossing] for values in (ax, ay, bx, by))
    return bool(((bx - ax) * (y - ay) / (by - ay) + ax > x).sum() % 2)
