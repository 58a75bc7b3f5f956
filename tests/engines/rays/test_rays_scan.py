"""Scans against brute force: every ray against every wall and every body."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scenes import PERFECT, model, robot

from understudy.engines.planar.engine import PlanarEngine
from understudy.sensors import SENSORS
from understudy.world.robot import Circle, Polygon, Rectangle
from understudy.world.scene import Ground, Scene, Solid, Wall
from understudy.world.shapes import Box, Cylinder, Mount, Pose

OCTAGON = tuple((0.3 * math.cos(a), 0.25 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 9)[:-1])
BODIES = {"discs": Circle(0.25), "boxes": Rectangle(0.5, 0.3, 0.1), "polygons": Polygon(points_m=OCTAGON)}


def outlines(scene):
    """Return every edge (n, 4) with its owner (-1: nobody) and every disc (x, y, r) with its owner."""
    edges, discs = [], []
    for wall in scene.walls:
        points = [*wall.points_m, wall.points_m[0]] if wall.closed else wall.points_m
        edges += [(*a, *b, -1) for a, b in pairwise(points)]
    for solid in scene.objects:
        if isinstance(solid.shape, Box):
            edges += polygon(solid.pose, box_corners(*solid.shape.size_m[:2]), -1)
        else:
            discs.append((solid.pose.x_m, solid.pose.y_m, solid.shape.radius_m, -1))
    for row, data in enumerate(scene.robots):
        body = data.built.body
        if isinstance(body, Circle):
            discs.append((data.pose.x_m, data.pose.y_m, body.radius_m, row))
        else:
            corners = (
                body.points_m
                if isinstance(body, Polygon)
                else box_corners(body.length_m, body.width_m, body.offset_x_m)
            )
            edges += polygon(data.pose, corners, row)
    return np.array(edges).reshape(-1, 5), np.array(discs).reshape(-1, 4)


def box_corners(length, width, ahead=0.0):
    x, y = length / 2, width / 2
    return ((ahead - x, -y), (ahead + x, -y), (ahead + x, y), (ahead - x, y))


def polygon(pose, corners, owner):
    c, s = math.cos(pose.heading_rad), math.sin(pose.heading_rad)
    points = [(pose.x_m + c * x - s * y, pose.y_m + s * x + c * y) for x, y in corners]
    return [(*a, *b, owner) for a, b in zip(points, [*points[1:], points[0]])]


def brute(scene, row, origins, angles, limit):
    """Return the exact range of each ray, those of one origin at a time, against everything."""
    edges, discs = (things[things[:, -1] != row] for things in outlines(scene))
    starts, start = np.unique(np.asarray(origins), axis=0, return_inverse=True)
    best = np.empty(len(angles))
    for number, (x, y) in enumerate(starts):
        mine = start.reshape(-1) == number
        best[mine] = 0.0 if inside_a_body(edges, x, y) else from_point(edges, discs, x, y, np.asarray(angles)[mine])
    return np.minimum(best, limit)


def from_point(edges, discs, x, y, angles):
    """Return the range of every ray from one point, each against every edge and every disc."""
    c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
    dx, dy = edges[:, 2] - edges[:, 0], edges[:, 3] - edges[:, 1]
    qx, qy = edges[:, 0] - x, edges[:, 1] - y
    with np.errstate(divide="ignore", invalid="ignore"):
        den = c * dy - s * dx
        t, u = (qx * dy - qy * dx) / den, (qx * s - qy * c) / den
        t = np.where((den != 0.0) & (t >= 0.0) & (u >= 0.0) & (u <= 1.0), t, np.inf)
        along = (discs[:, 0] - x) * c + (discs[:, 1] - y) * s
        half = np.sqrt(discs[:, 2] ** 2 - ((discs[:, 0] - x) ** 2 + (discs[:, 1] - y) ** 2 - along**2))
        near = np.where(along + half >= 0.0, np.maximum(along - half, 0.0), np.inf)
    near[np.isnan(near)] = np.inf
    return np.minimum(t.min(axis=1, initial=np.inf), near.min(axis=1, initial=np.inf))


def inside_a_body(edges, x, y):
    """Say whether a point lies within the outline of a robot; what is inside one sees nothing but it."""
    own = edges[edges[:, 4] >= 0]
    turn = (own[:, 2] - own[:, 0]) * (y - own[:, 1]) - (own[:, 3] - own[:, 1]) * (x - own[:, 0])
    outside = np.unique(own[turn < 0.0, 4])
    return len(outside) < len(np.unique(own[:, 4]))


def cast(engine, sheet, mount, rows):
    table = sheet.table(mount)
    out = np.empty((len(rows), len(table.origins)))
    engine.cast(table, np.array(rows), out)
    return out


def office(seed, body, count=30, walls=60):
    """Return a crowded floor: walls that meet, cross, overlap and run along grid lines, boxes, posts, robots."""
    rng = np.random.default_rng(seed)
    lines = []
    for i in range(walls):
        a = np.round(rng.uniform(-9, 9, 2), 1 if i % 2 else 12)
        b = a + (np.round(rng.uniform(-4, 4), 1) * np.eye(2)[i % 4 % 2] if i % 4 < 2 else rng.uniform(-4, 4, 2))
        lines.append(
            Wall(name=f"w{i}", points_m=(tuple(a), tuple(b), *([tuple(b + rng.uniform(-2, 2, 2))] if i % 3 else [])))
        )
    edge = Wall(name="edge", points_m=((-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0)), closed=True)
    solids = [
        Solid(
            name=f"s{i}",
            shape=Box((0.8, 0.4, 1.0)) if i % 2 else Cylinder(0.3),
            pose=Pose(*rng.uniform(-9, 9, 2), heading_rad=i),
        )
        for i in range(8)
    ]
    parts = model(PERFECT, body=replace(body, height_m=1.0))
    robots = [robot(f"r{i}", *rng.uniform(-9.5, 9.5, 2), rng.uniform(-4, 4), parts) for i in range(count)]
    return Scene(ground=Ground((20.0, 20.0)), walls=(edge, *lines), objects=tuple(solids), robots=tuple(robots))


FANS = {
    "half a turn": (SENSORS["laser"](rays=180, max_m=8.0), Mount(0.02, 0.0, 0.5)),
    "a whole turn": (SENSORS["laser"](rays=360, field_rad=2 * math.pi, max_m=30.0), Mount(-0.05, 0.1, 0.5, 0.7)),
    "more than half a turn": (
        SENSORS["laser"](rays=271, field_rad=math.radians(270), max_m=12.0),
        Mount(0.1, 0.0, 0.5, math.pi),
    ),
    "a narrow one": (SENSORS["laser"](rays=17, field_rad=0.3, max_m=5.0), Mount(0.0, 0.0, 0.5, -1.2)),
    "one ray": (SENSORS["laser"](rays=1, max_m=20.0), Mount(0.0, 0.0, 0.5, 0.3)),
}


def world_rays(scene, row, table):
    pose = scene.robots[row].pose
    c, s = math.cos(pose.heading_rad), math.sin(pose.heading_rad)
    x, y = table.origins[:, 0], table.origins[:, 1]
    origins = np.column_stack([pose.x_m + c * x - s * y, pose.y_m + s * x + c * y])
    return origins, pose.heading_rad + np.arctan2(table.directions[:, 1], table.directions[:, 0])


def worst(scene, sheet, mount, rows):
    """Return the largest error of any ray (m)."""
    table = sheet.table(mount)
    found = cast(PlanarEngine(scene), sheet, mount, rows)
    errors = [
        np.abs(found[i] - brute(scene, row, *world_rays(scene, row, table), table.limit_m)).max()
        for i, row in enumerate(rows)
    ]
    return max(errors)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("fan", FANS)
def test_no_ray_of_a_scan_is_off_by_a_micrometre(body, fan):
    for seed in range(2):
        assert worst(office(seed, BODIES[body]), *FANS[fan], range(0, 30, 3)) < 1e-6


@pytest.mark.parametrize("body", BODIES)
def test_no_single_ray_is_off_by_a_micrometre(body):
    ring = tuple(Mount(0.2 * math.cos(a), 0.2 * math.sin(a), 0.5, a) for a in np.linspace(-3, 3, 16))
    sonar = SENSORS["sonar"](ring=ring, rays_per_cone=5, max_m=5.0)
    assert worst(office(5, BODIES[body]), sonar, Mount(), range(0, 30, 2)) < 1e-6


def test_rays_that_start_at_several_heights_see_their_own_heights():
    low = Wall(name="low", points_m=((1.0, -3.0), (1.0, 3.0)), height_m=0.3)
    high = Wall(name="high", points_m=((2.0, -3.0), (2.0, 3.0)), height_m=1.0)
    ring = (Mount(z_m=0.2), Mount(z_m=0.5), Mount(z_m=1.5))
    sonar = SENSORS["sonar"](ring=ring, rays_per_cone=1, cone_rad=0.0)
    scene = Scene(ground=Ground((10.0, 10.0)), walls=(low, high), robots=(robot("r", parts=model(PERFECT)),))
    assert cast(PlanarEngine(scene), sonar, Mount(), [0])[0].tolist() == pytest.approx([1.0, 2.0, 5.0])


def test_a_cell_that_sees_too_many_walls_is_cast_by_the_grid():
    from understudy.engines.rays.level import visible_walls

    stubs = [
        Wall(
            name=f"stub{i}",
            points_m=((4 * math.cos(a), 4 * math.sin(a)), (4.1 * math.cos(a), 4.1 * math.sin(a + 0.002))),
        )
        for i, a in enumerate(np.linspace(0, 6.28, 700))
    ]
    scene = replace(office(4, BODIES["discs"], walls=1), objects=())
    scene = replace(scene, walls=(*scene.walls, *stubs))
    sheet, mount = FANS["a whole turn"]
    engine = PlanarEngine(scene)
    cast(engine, sheet, mount, range(30))
    starts = next(iter(engine._sight._planes.values())).lists.start
    assert (starts == visible_walls.TOO_MANY).any()
    assert worst(scene, sheet, mount, range(0, 30, 6)) < 1e-6


def test_lists_are_built_only_where_rays_start():
    scene = office(1, BODIES["discs"], count=3)
    engine = PlanarEngine(scene)
    cast(engine, *FANS["half a turn"], range(3))
    plane = next(iter(engine._sight._planes.values()))
    assert (plane.lists.start >= 0).sum() <= 3


@pytest.mark.parametrize("angle", [0.0, math.pi / 2, math.pi / 4])
def test_corners_and_grid_lines_let_no_ray_through(angle):
    """A closed room whose corners and walls lie on grid lines, looked at from grid corners."""
    c, s = math.cos(angle), math.sin(angle)
    corners = [(4.0, -4.0), (4.0, 4.0), (-4.0, 4.0), (-4.0, -4.0)]
    walls = Wall(name="room", points_m=tuple((c * x - s * y, s * x + c * y) for x, y in corners), closed=True)
    robots = tuple(robot(f"r{i}", float(i % 3), float(i // 3), i * math.pi / 4, model(PERFECT)) for i in range(9))
    scene = Scene(ground=Ground((20.0, 20.0)), walls=(walls,), robots=robots)
    ghost = replace(scene, robots=tuple(replace(r, parts=replace(r.built, surface=hidden())) for r in robots))
    for fan in FANS.values():
        sheet, mount = replace(fan[0], max_m=30.0), Mount(z_m=0.5)
        assert cast(PlanarEngine(ghost), sheet, mount, range(9)).max() < 4.0 * math.sqrt(2) + 4.0


def hidden():
    from understudy.world.materials import Surface

    return Surface(seen_by=())


def dense_cones(scene, row, ring, cone_rad, limit):
    """Return the nearest hit of very many rays in each cone."""
    pose = scene.robots[row].pose
    c, s = math.cos(pose.heading_rad), math.sin(pose.heading_rad)
    found = []
    for disc in ring:
        origin = (pose.x_m + c * disc.x_m - s * disc.y_m, pose.y_m + s * disc.x_m + c * disc.y_m)
        angles = pose.heading_rad + disc.yaw_rad + np.linspace(-cone_rad / 2, cone_rad / 2, 1501)
        found.append(brute(scene, row, [origin] * len(angles), angles, limit).min())
    return np.array(found)


@pytest.mark.parametrize("body", BODIES)
def test_a_cone_sees_the_nearest_point_in_it(body):
    ring = tuple(Mount(0.2 * math.cos(a), 0.2 * math.sin(a), 0.5, a) for a in np.linspace(-3, 3, 5))
    sonar = SENSORS["sonar"](ring=ring, cone_rad=math.radians(30), max_m=5.0)
    scene = office(6, BODIES[body], count=12, walls=30)
    found = cast(PlanarEngine(scene), sonar, Mount(), range(0, 12, 2))
    for i, row in enumerate(range(0, 12, 2)):
        dense = dense_cones(scene, row, ring, sonar.cone_rad, 5.0)
        assert np.all(found[i] <= dense + 1e-9), "nothing that a ray in the cone hits is missed"
        assert np.abs(found[i] - dense).max() < 2e-3


def test_a_cone_sees_a_post_beside_its_axis_and_none_outside():
    def distance(bearing_deg):
        a = math.radians(bearing_deg)
        post = Solid(name="post", shape=Cylinder(0.05), pose=Pose(2 * math.cos(a), 2 * math.sin(a)))
        scene = Scene(ground=Ground((10.0, 10.0)), objects=(post,), robots=(robot("r", parts=model(PERFECT)),))
        sonar = SENSORS["sonar"](ring=(Mount(z_m=0.2),), cone_rad=math.radians(30))
        return cast(PlanarEngine(scene), sonar, Mount(), [0])[0, 0]

    assert distance(0) == pytest.approx(1.95)
    assert distance(14) == pytest.approx(1.95)
    assert 1.95 < distance(16) < 2.0
    assert distance(17) == 5.0
