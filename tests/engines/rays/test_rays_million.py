"""A million random rays against brute force: none may be off by a micrometre."""

import math
from dataclasses import replace

import numpy as np
import pytest
from test_rays_scan import BODIES, brute, cast, office, world_rays

from understudy.engines.planar.engine import PlanarEngine
from understudy.sensors import SENSORS
from understudy.world.scene import Wall
from understudy.world.shapes import Mount

LIMIT_M, RAYS = 20.0, 360
SCAN = SENSORS["laser"](rays=RAYS, field_rad=2 * math.pi, max_m=LIMIT_M)
MOUNT = Mount(0.03, -0.02, 0.5, 0.3)
SCENES = 31  # for each kind of body: 31 * 3 * 30 robots * 360 rays = 1,004,400


def degenerate(scene, seed):
    """Return a scene with walls of no length, walls twice and walls through each other as well."""
    random = np.random.default_rng(seed)
    points = [tuple(p) for p in random.uniform(-9, 9, (8, 2))]
    odd = [Wall(name=f"point{i}", points_m=(p, p)) for i, p in enumerate(points[:3])]
    odd += [Wall(name=f"again{i}", points_m=wall.points_m) for i, wall in enumerate(scene.walls[1:4])]
    odd += [Wall(name=f"cross{i}", points_m=(points[3 + i], points[7 - i])) for i in range(2)]
    return replace(scene, walls=(*scene.walls, *odd))


def off(seed, body):
    """Return how many rays of a scene are off by more than a micrometre, and how many there are."""
    scene = degenerate(office(seed, BODIES[body]), seed)
    ranges = cast(PlanarEngine(scene), SCAN, MOUNT, range(len(scene.robots)))
    wrong = 0
    for row in range(len(scene.robots)):
        if not ranges[row].any():
            continue  # it stands within another robot, and sees nothing else
        exact = brute(scene, row, *world_rays(scene, row, SCAN.table(MOUNT)), LIMIT_M)
        wrong += int((np.abs(exact - ranges[row]) > 1e-6).sum())
    return wrong, ranges.size


@pytest.mark.parametrize("body", BODIES)
def test_no_ray_is_off_on_a_floor_with_degenerate_walls(body):
    assert off(1000, body)[0] == 0


@pytest.mark.soak
def test_none_of_a_million_rays_is_off():
    found = np.array([off(seed, body) for body in BODIES for seed in range(SCENES)])
    assert found[:, 1].sum() > 1_000_000
    assert found[:, 0].sum() == 0
