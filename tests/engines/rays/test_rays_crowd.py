"""Two thousand robots in one room: far more bodies than a scan has room for at once, and none is forgotten."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scenes import PERFECT, model, robot
from test_rays_million import MOUNT, SCAN
from test_rays_scan import brute, cast, world_rays

from understudy.engines.planar.engine import PlanarEngine
from understudy.engines.rays.level.paint import MOST
from understudy.sensors import SENSORS
from understudy.world.robot import Circle, Polygon, Rectangle
from understudy.world.scene import Ground, Scene, Wall
from understudy.world.shapes import Mount

ACROSS, ALONG, APART_M = 50, 40, 0.5
OCTAGON = tuple((0.06 * math.cos(a), 0.05 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 9)[:-1])
THIN = {"discs": Circle(0.05), "boxes": Rectangle(0.1, 0.06), "polygons": Polygon(points_m=OCTAGON)}
ROWS = (0, 1024, 1999)
RING = tuple(Mount(0.05 * math.cos(a), 0.05 * math.sin(a), 0.5, a) for a in np.linspace(-3, 3, 6))


def crowd(body):
    """Return a room full of robots that are thin enough to look past."""
    random = np.random.default_rng(3)
    parts, edge = (
        model(PERFECT, body=replace(body, height_m=1.0)),
        (ACROSS * APART_M / 2 + 0.5, ALONG * APART_M / 2 + 0.5),
    )
    middle = np.array([ACROSS - 1, ALONG - 1]) / 2
    places = [APART_M * (np.array([n % ACROSS, n // ACROSS]) - middle) for n in range(ACROSS * ALONG)]
    robots = [
        robot(f"r{n}", *(place + random.uniform(-0.15, 0.15, 2)), random.uniform(-4, 4), parts)
        for n, place in enumerate(places)
    ]
    corners = tuple((x * edge[0], y * edge[1]) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    wall = Wall(name="edge", points_m=corners, closed=True)
    return Scene(ground=Ground((2 * edge[0], 2 * edge[1])), walls=(wall,), robots=tuple(robots))


@pytest.fixture(scope="module", params=THIN)
def full(request):
    scene = crowd(THIN[request.param])
    return scene, PlanarEngine(scene)


def wanted(scene, row, table):
    """Return every ray against everything."""
    return brute(scene, row, *world_rays(scene, row, table), table.limit_m)


def test_no_ray_of_a_scan_forgets_a_body(full):
    scene, engine = full
    assert len(scene.robots) > 3 * MOST
    found = cast(engine, SCAN, MOUNT, ROWS)
    for i, row in enumerate(ROWS):
        assert np.abs(found[i] - wanted(scene, row, SCAN.table(MOUNT))).max() < 1e-6


def test_no_single_ray_forgets_a_body(full):
    scene, engine = full
    sonar = SENSORS["sonar"](ring=RING, rays_per_cone=5, max_m=15.0)
    found = cast(engine, sonar, Mount(), ROWS)
    for i, row in enumerate(ROWS):
        assert np.abs(found[i] - wanted(scene, row, sonar.table(Mount()))).max() < 1e-6


def test_no_cone_forgets_a_body(full):
    scene, engine = full
    sonar = SENSORS["sonar"](ring=RING, cone_rad=math.radians(2.0), max_m=15.0)
    dense = replace(sonar, rays_per_cone=201)
    found = cast(engine, sonar, Mount(), ROWS)
    for i, row in enumerate(ROWS):
        nearest = wanted(scene, row, dense.table(Mount())).reshape(len(RING), -1).min(axis=1)
        assert np.all(found[i] <= nearest + 1e-9), "nothing that a ray in the cone hits is missed"
        assert np.abs(found[i] - nearest).max() < 5e-3
