import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import model, robot, room
from solid_oracles import LIMIT, bisected, by_faces, into_frame

from understudy.engines.planar.engine import PlanarEngine
from understudy.engines.rays.spatial.solids import (
    NOBODY,
    NOTHING,
    cast_from_places,
    cast_solids,
    cast_solids_hits,
    moving_of,
    place_moving,
    solids_of,
    world_of,
)
from understudy.engines.rays.table import RayTable
from understudy.world.materials import Surface
from understudy.world.robot import Circle, Polygon, Rectangle
from understudy.world.scene import Ball, Scene, Solid, Wall
from understudy.world.shapes import Box, Cone, Cylinder, Mesh, Pose, Sphere

LASER, SONAR = 1, 2
HEXAGON = ((0.4, 0.0), (0.2, 0.3), (-0.3, 0.3), (-0.5, 0.1), (-0.3, -0.2), (0.1, -0.3))


def world(objects=(), walls=(), robots=(), balls=(), ground=False):
    scene = Scene(objects=tuple(objects), walls=tuple(walls), robots=tuple(robots), balls=tuple(balls))
    return world_of(solids_of(scene, ground), moving_of(scene))


def solid(shape, *pose, **extra):
    return Solid(name="it", shape=shape, pose=Pose(*pose), **extra)


def wall(*points, **extra):
    return Wall(name="wall", points_m=points, **extra)


def distances(where, origins, directions, limit=LIMIT, layer=LASER, owner=NOBODY):
    out = np.empty(len(origins))
    cast_solids(origins, directions, limit, layer, owner, where, out)
    return out


def distance(where, origin, direction, **extra):
    direction = np.array([direction], np.float64)
    return distances(where, np.array([origin], np.float64), direction / np.linalg.norm(direction), **extra)[0]


def aimed_rays(count, size, seed=1):
    """Return rays from all around and from inside toward a thing at the origin."""
    rng = np.random.default_rng(seed)
    origins, targets = rng.normal(size=(count, 3)) * 4 * size, rng.normal(size=(count, 3)) * 0.6 * size
    origins[: count // 10] *= 0.1
    directions = targets - origins
    return origins, directions / np.linalg.norm(directions, axis=1)[:, None]


SHAPES = [Box((1.0, 0.3, 0.6)), Cylinder(0.4, 1.2), Cone(0.5, 0.9), Cone(0.1, 2.0), Sphere(0.5)]
TILTS = [(), (0.0, 0.0, 0.0, 0.7), (0.3, -0.2, 0.5, 2.0, 0.6, -1.1)]


@pytest.mark.parametrize("pose", TILTS, ids=["upright", "turned", "tilted"])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_a_shape_is_met_where_bisection_finds_it(shape, pose):
    origins, directions = aimed_rays(4000, 0.5)
    got = distances(world([solid(shape, *pose)]), origins, directions)
    wanted, sure = bisected(shape, *into_frame(Pose(*pose), origins, directions))
    assert sure.mean() > 0.999
    assert 0.03 < (got < LIMIT).mean() < 0.9
    assert np.abs(got - wanted)[sure].max() < 1e-6


@pytest.mark.parametrize("place", [(0.0,) * 6, (0.5, -0.3, 0.2, 0.4, -0.3, 2.0)], ids=["upright", "tilted"])
def test_a_robot_with_a_polygon_for_an_outline_is_met_where_bisection_finds_it(place):
    body = Polygon(HEXAGON, height_m=0.4)
    where = world(robots=[robot(parts=model(body=body))])
    place_moving(where, np.array([place]))
    origins, directions = aimed_rays(4000, 0.5)
    x, y, z, roll, pitch, yaw = place
    wanted, sure = bisected(body, *into_frame(Pose(x, y, z, yaw, pitch, roll), origins, directions))
    got = distances(where, origins, directions)
    assert np.abs(got - wanted)[sure].max() < 1e-6
    assert 0.1 < (got < LIMIT).mean() < 0.9


def random_things(count, seed):
    rng = np.random.default_rng(seed)
    things = []
    for n in range(count):
        x, y = rng.uniform(-10, 10, 2)
        angle, long, r, h = (
            rng.uniform(0, math.tau),
            rng.uniform(0.5, 4.0),
            rng.uniform(0.05, 0.4),
            rng.uniform(0.2, 1.5),
        )
        if n % 5 == 0:
            points = ((x, y), (x + long * math.cos(angle), y + long * math.sin(angle)))
            things.append((Wall(points_m=points, height_m=h), Pose()))
            continue
        tilt = rng.uniform(-0.8, 0.8, 2) * (n % 2)
        shape = (Box(tuple(rng.uniform(0.1, 1.0, 3))), Cylinder(r, h), Cone(r, h), Sphere(r))[n % 5 - 1]
        things.append((shape, Pose(x, y, rng.uniform(0, 1.0) * (n % 3 == 0), angle, *tilt)))
    return things


def test_of_100_000_rays_through_200_solids_none_is_off_by_a_micrometre():
    things = random_things(190, 2)
    bodies = [(Polygon(HEXAGON, 0.4), Pose(n - 4.5, 2.0 * n - 9.0, 0.1, n, 0.1 * n, -0.2)) for n in range(10)]
    where = world(
        [Solid(name="it", shape=shape, pose=pose) for shape, pose in things if not isinstance(shape, Wall)],
        [shape for shape, _ in things if isinstance(shape, Wall)],
        [robot(parts=model(body=body)) for body, _ in bodies],
    )
    place_moving(where, np.array([[p.x_m, p.y_m, p.z_m, p.roll_rad, p.pitch_rad, p.heading_rad] for _, p in bodies]))
    rng = np.random.default_rng(3)
    origins = rng.uniform((-12, -12, -0.2), (12, 12, 1.5), (100_000, 3))
    directions = rng.normal(size=(100_000, 3)) * [1, 1, 0.2]
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    got, wanted = distances(where, origins, directions), by_faces(things + bodies, origins, directions)
    assert 0.3 < (wanted < LIMIT).mean() < 0.95
    assert (np.abs(got - wanted) > 1e-6).sum() == 0


def test_thick_walls_are_boxes_that_join_at_the_corners():
    corner = wall((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), thickness_m=0.2, height_m=0.5)
    assert distance(world(walls=[corner]), (1.0, 1.0, 0.2), (0.0, -1.0, 0.0)) == pytest.approx(0.9)
    assert distance(world(walls=[corner]), (2.05, -0.05, 3.0), (0.0, 0.0, -1.0)) == pytest.approx(2.5)


# ---- where it could go wrong

BOX, CYLINDER, CONE, BALL = (solid(s, 2.0) for s in (Box((1.0, 1.0, 1.0)), Cylinder(0.5), Cone(0.5), Sphere(0.5)))
SCREEN = wall((2.0, -1.0), (2.0, 1.0))


@pytest.mark.parametrize(
    ("thing", "origin", "direction", "wanted"),
    [
        (BOX, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), 1.5),  # along its top
        (BOX, (0.0, 0.5, 0.5), (1.0, 0.0, 0.0), 1.5),  # along a side
        (BOX, (0.0, 0.5, 1.0), (1.0, 0.0, 0.0), 1.5),  # along an edge
        (BOX, (1.5, 0.5, 3.0), (0.0, 0.0, -1.0), 2.0),  # down an edge
        (BOX, (2.0, 0.0, 3.0), (0.0, 0.0, -1.0), 2.0),
        (BOX, (2.0, 0.0, -1.0), (0.0, 0.0, 1.0), 1.0),
        (BOX, (2.0, 0.6, 3.0), (0.0, 0.0, -1.0), LIMIT),
        (BOX, (0.0, 0.0, 1.0 + 1e-9), (1.0, 0.0, 0.0), LIMIT),
        (CYLINDER, (2.0, 0.0, 3.0), (0.0, 0.0, -1.0), 2.0),  # along the axis
        (CYLINDER, (2.3, 0.0, 3.0), (0.0, 0.0, -1.0), 2.0),
        (CYLINDER, (2.6, 0.0, 3.0), (0.0, 0.0, -1.0), LIMIT),
        (CYLINDER, (2.3, 0.0, 3.0), (6e-17, 0.0, -1.0), 2.0),  # as near to the axis as a cosine gets
        (CYLINDER, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), 1.5),  # along its top
        (CONE, (2.0, 0.0, 3.0), (0.0, 0.0, -1.0), 2.0),  # down on the tip
        (CONE, (2.25, 0.0, 3.0), (0.0, 0.0, -1.0), 2.5),
        (CONE, (2.0, 0.0, -1.0), (0.0, 0.0, 1.0), 1.0),
        (CONE, (1.5, 0.0, 3.0), (0.5, 0.0, -2.0), math.sqrt(4.25)),  # steeply onto the tip
        (CONE, (0.5, 0.0, 0.5), (1.0, 0.0, 0.0), 1.25),
        (CONE, (0.0, 0.0, 2.0), (1.0, 0.0, 0.0), LIMIT),  # through its mirror image
        (BALL, (0.0, 0.0, 1.0 - 1e-12), (1.0, 0.0, 0.0), 2.0),  # grazing
        (BALL, (0.0, 0.0, 1.0 + 1e-12), (1.0, 0.0, 0.0), LIMIT),
        (BALL, (2.0, 0.0, 3.0), (0.0, 0.0, -1.0), 2.0),
        (SCREEN, (0.0, 0.5, 0.5), (1.0, 0.0, 0.0), 2.0),
        (SCREEN, (0.0, 0.5, 1.1), (1.0, 0.0, 0.0), LIMIT),
        (SCREEN, (2.0, 0.5, 3.0), (0.0, 0.0, -1.0), LIMIT),  # down its upper edge
        (SCREEN, (2.0, 0.5, 0.5), (1.0, 0.0, 0.0), 0.0),  # from within
    ],
)  # fmt: skip
def test_rays_that_run_along_something_or_straight_up_and_down(thing, origin, direction, wanted):
    where = world(walls=[thing]) if isinstance(thing, Wall) else world([thing])
    assert distance(where, origin, direction) == pytest.approx(wanted, abs=2e-6)


def test_a_wall_without_thickness_cannot_be_seen_from_its_edge():
    along_x = wall((1.0, 0.0), (3.0, 0.0))
    assert distance(world(walls=[along_x]), (0.0, 0.0, 0.5), (1.0, 0.0, 0.0)) == LIMIT


@pytest.mark.parametrize("thing", [BOX, CYLINDER, CONE, BALL])
@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.3, -0.4, 0.5)])
def test_a_ray_that_starts_inside_is_met_at_once(thing, direction):
    assert distance(world([thing]), (2.1, 0.1, 0.3), direction) == 0.0


LATTICE = st.integers(-4, 4).map(lambda n: n / 2)


@settings(max_examples=300, deadline=None)
@given(st.tuples(LATTICE, LATTICE, LATTICE), st.tuples(*[st.integers(-2, 2)] * 3).filter(any))
def test_rays_between_round_numbers_give_a_number(origin, direction):
    things = [solid(shape, x, y) for (x, y), shape in zip(((0, 0), (1, 0), (0, 1), (1, 1)), SHAPES)]
    body = robot(parts=model(body=Polygon(((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)), 0.5)))
    where = world([*things, solid(Cone(0.5, 0.5), -1.0, -1.0)], [wall((-1.0, 0.0), (-1.0, 1.0))], [body], ground=True)
    assert 0.0 <= distance(where, origin, direction) <= LIMIT


@settings(max_examples=100, deadline=None)
@given(st.integers(3, 12), st.floats(0.0, math.tau), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_no_ray_slips_through_the_corner_of_a_closed_wall(corners, turn, x, y):
    angles = turn + np.arange(corners) * math.tau / corners
    points = [(3.0 * math.cos(a), 3.0 * math.sin(a)) for a in angles]
    where = world(walls=[wall(*points, closed=True)])
    directions = np.array([(px - x, py - y, 0.0) for px, py in points])
    lengths = np.linalg.norm(directions, axis=1)
    got = distances(where, np.tile([x, y, 0.5], (corners, 1)), directions / lengths[:, None])
    assert np.abs(got - lengths).max() < 1e-6


def test_rays_may_start_far_outside_the_map_and_far_above_it():
    where = world([BOX])
    assert distance(where, (-500.0, 0.0, 0.5), (1.0, 0.0, 0.0), limit=1000.0) == pytest.approx(501.5, abs=1e-9)
    assert distance(where, (2.0, 0.0, 700.0), (0.0, 0.0, -1.0), limit=1000.0) == pytest.approx(699.0, abs=1e-9)
    assert distance(where, (2.0, 0.0, 700.0), (0.0, 0.0, 1.0), limit=math.inf) == math.inf


def test_an_empty_world_has_nothing_to_meet():
    assert distance(world(), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)) == LIMIT


# ---- the ground


@pytest.mark.parametrize(
    ("z", "direction", "wanted"),
    [
        (2.0, (0.0, 0.0, -1.0), 2.0),
        (2.0, (1.0, 0.0, -1.0), 2.0 * math.sqrt(2.0)),
        (2.0, (1.0, 0.0, 0.0), LIMIT),
        (2.0, (0.0, 0.0, 1.0), LIMIT),
        (0.0, (1.0, 0.0, 0.0), LIMIT),
        (0.0, (1.0, 0.0, -1.0), 0.0),
        (-0.1, (1.0, 0.0, 0.0), 0.0),
    ],
)
def test_the_ground_is_met_from_above(z, direction, wanted):
    assert distance(world(ground=True), (50.0, 0.0, z), direction) == pytest.approx(wanted)


def test_what_stands_on_the_ground_hides_it():
    assert distance(world([BOX], ground=True), (2.0, 0.0, 3.0), (0.0, 0.0, -1.0)) == pytest.approx(2.0)


# ---- who sees what


def test_layers_decide_who_sees_a_solid():
    glass = solid(Box((1.0, 1.0, 1.0)), 2.0, surface=Surface(seen_by=("sonar",)))
    where = world([glass], ground=True)
    assert distance(where, (0.0, 0.0, 0.5), (1.0, 0.0, 0.0), layer=LASER) == LIMIT
    assert distance(where, (0.0, 0.0, 0.5), (1.0, 0.0, 0.0), layer=SONAR) == pytest.approx(1.5)


BODIES = [Circle(0.3, height_m=0.4), Rectangle(0.6, 0.4, 0.1, height_m=0.4), Polygon(HEXAGON, height_m=0.4)]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.kind)
def test_a_robot_sees_others_but_not_itself(body):
    where = world(robots=[robot("a", parts=model(body=body)), robot("b", 2.0, parts=model(body=body))])
    ahead = {Circle: 2.0 - math.sqrt(0.3**2 - 0.05**2), Rectangle: 2.0 - 0.2, Polygon: 2.0 - 0.5 + 0.1 / 3}[type(body)]
    assert distance(where, (0.0, 0.05, 0.2), (1.0, 0.0, 0.0)) == 0.0
    assert distance(where, (0.0, 0.05, 0.2), (1.0, 0.0, 0.0), owner=0) == pytest.approx(ahead)
    assert distance(where, (0.0, 0.05, 0.2), (1.0, 0.0, 0.0), owner=1) == 0.0
    assert distance(where, (0.0, 0.05, 0.5), (1.0, 0.0, -0.15), owner=0) < 2.0  # onto its top


def test_hits_tell_which_solid_was_met_and_how_bright_it_is():
    mirror = solid(Box((1.0, 1.0, 1.0)), 2.0, surface=Surface(reflectance=7.0))
    where = world([mirror], robots=[robot("a", 5.0), robot("b", 0.0, -3.0)], ground=True)
    origins = np.tile([0.0, 0.0, 0.2], (4, 1))
    directions = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]])
    out, which = np.empty(4), np.empty(4, np.int64)
    cast_solids_hits(origins, directions, LIMIT, LASER, NOBODY, where, out, which)
    assert out == pytest.approx([1.5, 2.8, LIMIT, 0.2])
    assert which.tolist() == [1, 3, NOTHING, 0]
    assert where.solids.reflectance[1] == 7.0
    assert where.solids.owner[which].tolist()[:2] == [NOBODY, 1]


def test_balls_and_what_can_be_pushed_move_with_their_rows():
    crate = solid(Box((0.4, 0.4, 0.4)), 2.0, mass_kg=1.0)
    where = world([crate], robots=[robot()], balls=[Ball("ball", 0.1)])
    place_moving(where, np.array([[9.0] * 6, [0.0, 3.0, 0.0, 0.0, 0.0, 0.0], [0.0, -3.0, 0.5, 0.0, 0.0, 0.0]]))
    assert distance(where, (0.0, 0.0, 0.2), (0.0, 1.0, 0.0)) == pytest.approx(2.8)
    assert distance(where, (0.0, 0.0, 0.6), (0.0, -1.0, 0.0)) == pytest.approx(2.9)
    assert distance(where, (0.0, 0.0, 0.2), (1.0, 0.0, 0.0)) == LIMIT


def test_meshes_are_left_out():
    assert len(solids_of(Scene(objects=(solid(Mesh("rock.obj")),)), ground=False).tags) == 0


# ---- batches


def some_table(rays=50):
    rng = np.random.default_rng(5)
    directions = rng.normal(size=(rays, 3))
    return RayTable(
        rng.uniform(-0.2, 0.2, (rays, 3)), directions / np.linalg.norm(directions, axis=1)[:, None], LIMIT, LASER
    )


def some_room():
    things = [Solid(name="it", shape=s, pose=p) for s, p in random_things(60, 4) if not isinstance(s, Wall)]
    return world(things, robots=[robot("a"), robot("b"), robot("c")], ground=True)


def test_a_batch_casts_its_table_from_the_full_pose_of_every_robot():
    where, table = some_room(), some_table()
    poses = np.array(
        [[1.0, 2.0, 0.5, 0.2, -0.3, 1.0], [-3.0, 0.0, 0.6, 0.0, 0.0, -2.0], [4.0, -4.0, 0.7, -1.0, 0.5, 0.0]]
    )
    place_moving(where, poses)
    rows, out, which = np.array([2, 0]), np.empty((2, 50)), np.empty((2, 50), np.int64)
    cast_from_places(table, rows, poses[rows], where, out, which)
    for n, row in enumerate(rows):
        x, y, z, roll, pitch, yaw = poses[row]
        unturned = into_frame(Pose(0.0, 0.0, 0.0, yaw, pitch, roll), np.eye(3), np.eye(3))[0]
        wanted = distances(where, table.origins @ unturned.T + (x, y, z), table.directions @ unturned.T, owner=int(row))
        assert out[n] == pytest.approx(wanted, abs=1e-9)
    assert not (where.solids.owner[which] == rows[:, None])[which != NOTHING].any()


def test_the_order_and_number_of_rows_change_no_bit():
    where, table = some_room(), some_table()
    poses = np.random.default_rng(6).uniform(-3.0, 3.0, (3, 6))
    place_moving(where, poses)
    together, alone = np.empty((3, 50)), np.empty((1, 50))
    cast_from_places(table, np.array([2, 1, 0]), poses[[2, 1, 0]], where, together)
    for n, row in enumerate((2, 1, 0)):
        cast_from_places(table, np.array([row]), poses[[row]], where, alone)
        assert together[n].tobytes() == alone[0].tobytes()


@pytest.mark.parametrize("z", [0.05, 0.3, 0.7])
def test_level_rays_agree_with_the_planar_casters_on_upright_things(z):
    rng = np.random.default_rng(7)
    things = []
    for n in range(60):
        far, angle = rng.uniform(2.0, 8.0), rng.uniform(0, math.tau)
        shape = (Box(tuple(rng.uniform(0.1, 1.0, 3))), Cylinder(0.3, 0.5), Cone(0.3, 0.9), Sphere(0.4))[n % 4]
        things.append(solid(shape, far * math.cos(angle), far * math.sin(angle), 0.0, angle))
    slant = wall((-4.0, -3.0), (5.0, -1.5), (5.0, 3.0), height_m=0.5)
    others = [robot("b", -1.0, 1.0, 0.4, model(body=Rectangle(0.5, 0.3))), robot("c", 1.0, 1.0)]
    scene = room(robot(), *others, width=20.0, depth=20.0, objects=things)
    scene = Scene(walls=(*scene.walls, slant), objects=scene.objects, robots=scene.robots)
    angles = rng.uniform(-math.pi, math.pi, 2000)
    directions = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(2000)])
    table, rows = RayTable(np.tile([0.1, 0.0, z], (2000, 1)), directions, LIMIT, LASER), np.array([0])
    wanted, got = np.empty((1, 2000)), np.empty((1, 2000))
    engine = PlanarEngine(scene)
    engine.cast(table, rows, wanted)
    cast_from_places(table, rows, engine.poses()[rows], world_of(solids_of(scene), moving_of(scene)), got)
    assert np.abs(got - wanted).max() < 1e-6
