"""Which cells a wall is in: all that it touches, without a look at all the others."""

import math

import numpy as np
import pytest
from scenes import robot, room

from understudy.engines.planar.engine import PlanarEngine
from understudy.engines.rays.level.cell_lists import Strips, box_cells, cells_near, lists_by_cell
from understudy.engines.rays.level.grid import boxes_of, cells_over, wall_lists
from understudy.engines.rays.spatial.solids import NOBODY, cast_solids, moving_of, solids_of, world_of
from understudy.engines.rays.table import RayTable
from understudy.world.scene import Scene, Wall

LASER = 1
FAR = [1e3, 1e6, 1e8]


def pairs(segs, low, cell, nx, ny):
    """Return every pair of a cell and a wall in its list."""
    start, held = wall_lists(boxes_of(segs), segs, low, cell, nx, ny)
    assert start[0] == 0
    assert start[-1] == len(held)
    return set(zip(np.repeat(np.arange(nx * ny), np.diff(start)).tolist(), held.tolist()))


def touched(segs, low, cell, nx, ny):
    """Return the same by asking for every cell whether the wall, cut to the cell, has any length."""
    found = set()
    for k, (ax, ay, bx, by) in enumerate(segs.tolist()):
        for c in range(nx * ny):
            x, y = low[0] + (c % nx) * cell, low[1] + (c // nx) * cell
            enter, leave = 0.0, 1.0
            for a, d, lower in ((ax, bx - ax, x), (ay, by - ay, y)):
                ends = sorted(((lower - a) / d, (lower + cell - a) / d))
                enter, leave = max(enter, ends[0]), min(leave, ends[1])
            if leave - enter > 1e-6:
                found.add((c, k))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_lists_hold_every_wall_that_crosses_a_cell(seed):
    rng = np.random.default_rng(seed)
    segs = rng.uniform(0.0, 20.0, (30, 4))
    grid = np.zeros(2), 1.0, 20, 20
    assert touched(segs, *grid) <= pairs(segs, *grid)


def test_walls_along_cells_and_points_are_in_their_cells_only():
    segs = np.array([[0.5, 2.5, 3.5, 2.5], [1.5, 0.5, 1.5, 3.5], [2.5, 0.5, 2.5, 0.5], [0.5, 3.5, 3.5, 3.5 + 1e-310]])
    found = pairs(segs, np.zeros(2), 1.0, 4, 4)
    along = {(8 + n, 0) for n in range(4)} | {(4 * n + 1, 1) for n in range(4)} | {(12 + n, 3) for n in range(4)}
    assert found == along | {(2, 2)}


def test_the_list_of_a_cell_is_in_the_order_of_walls():
    start, held = lists_by_cell(np.array([3, 1, 3, 3]), np.array([0, 1, 2, 5]), 5)
    assert start.tolist() == [0, 0, 1, 1, 4, 4]
    assert held.tolist() == [1, 0, 2, 5]


@pytest.mark.parametrize("far", FAR)
def test_for_a_long_wall_at_an_angle_a_few_cells_of_each_row_are_looked_at(far):
    segs = np.array([[0.0, 0.0, far, -far]])
    boxes, low = boxes_of(segs), np.array([0.0, -far])
    cell, nx, ny = cells_over(far, far, boxes[:, 2:] - boxes[:, :2])
    normal = segs[:, 2:][:, ::-1] * (-1.0, 1.0)
    strip = Strips(normal, segs[:, :2], cell / 2 * np.abs(normal).sum(axis=1))
    owner, _, _ = cells_near(*box_cells(boxes, low, cell, nx, ny), (strip,), low, cell)
    assert ny <= len(owner) <= 8 * ny


@pytest.mark.parametrize("far", [sign * far for far in FAR for sign in (1.0, -1.0)])
def test_rays_hit_a_long_wall_at_an_angle_near_the_robot(far):
    wall = Wall(name="far", points_m=((1.0, 1.0), (far, -far)) if far > 0 else ((-1.0, -1.0), (far, -far)))
    (ax, ay), (bx, by) = wall.points_m
    angles = np.radians([-40.0, -20.0, 0.0, 20.0, 40.0]) + (0.0 if far > 0 else math.pi)
    headings = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(5)])
    origins = np.tile([0.0, 0.0, 0.2], (5, 1))
    cross = ax * (by - ay) - ay * (bx - ax)
    wanted = cross / (headings[:, 0] * (by - ay) - headings[:, 1] * (bx - ax))
    assert ((wanted > 1.0) & (wanted < 20.0)).all()
    scene = Scene(walls=(wall,))
    solid = np.empty(5)
    cast_solids(origins, headings, 30.0, LASER, NOBODY, world_of(solids_of(scene, False), moving_of(scene)), solid)
    level = np.empty((1, 5))
    engine = PlanarEngine(room(robot(), walls=(wall,)))
    engine.cast(RayTable(origins, headings, 30.0, LASER), np.array([0]), level)
    for name, found in (("solids", solid), ("level", level[0])):
        assert found == pytest.approx(wanted, abs=1e-6 + abs(far) * 1e-12), name
