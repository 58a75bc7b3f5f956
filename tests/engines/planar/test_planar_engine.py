import math

import numpy as np
import pytest
from contracts.engine_contract import check_engine
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import box, model, robot, room

from understudy.engines import make
from understudy.engines.planar.engine import PlanarEngine
from understudy.engines.rays.table import RayTable
from understudy.errors import EngineError
from understudy.world import changes
from understudy.world.robot import Ackermann, Omni
from understudy.world.scene import Ball, Ground, Heights, Scene, Solid, Wall
from understudy.world.shapes import Cone, Cylinder, Mesh, Pose, Sphere


def test_the_planar_engine_fulfils_the_contract():
    check_engine(PlanarEngine)


def test_an_unknown_engine_is_refused_with_the_list_of_known_ones():
    with pytest.raises(EngineError, match=r"unknown engine 'soft' \(known: planar, rigid\)"):
        make("soft", room())


@pytest.mark.parametrize(
    ("scene", "text"),
    [
        (
            room(objects=(Solid(name="rock", shape=Mesh("rock.obj")),)),
            "rock: the planar engine does not support meshes",
        ),
        (
            room(objects=(Solid(name="ramp", shape=Cylinder(1.0), pose=Pose(pitch_rad=0.2)),)),
            "ramp: the planar engine does not support tilted poses",
        ),
        (Scene(ground=Ground(heights=Heights("hills.png"))), "does not support terrain"),
    ],
)
def test_what_is_not_flat_is_refused_by_name(scene, text):
    with pytest.raises(EngineError, match=f"{text}.*--engine rigid"):
        PlanarEngine(scene)


def level(z, limit=10.0, layer=1, angles=(0.0,)):
    directions = np.array([[math.cos(a), math.sin(a), 0.0] for a in angles])
    return RayTable(np.tile([0.0, 0.0, z], (len(angles), 1)), directions, limit, layer)


def cast(scene, z):
    out = np.empty((1, 1))
    PlanarEngine(scene).cast(level(z), np.array([0]), out)
    return out[0, 0]


@pytest.mark.parametrize(
    ("shape", "z", "distance"),
    [
        (Cylinder(0.5, 1.0), 0.5, 1.5),
        (Cone(0.5, 1.0), 0.5, 1.75),
        (Sphere(0.5), 0.5, 1.5),
        (Sphere(0.5), 0.1, 2.0 - 0.3),
        (Cylinder(0.5, 0.3), 0.5, 3.0),
    ],
)
def test_round_things_are_seen_at_their_width_at_the_height_of_the_ray(shape, z, distance):
    assert cast(room(objects=(Solid(name="it", shape=shape, pose=Pose(2.0)),)), z) == pytest.approx(distance)


def test_a_thick_wall_is_seen_at_its_face():
    wall = Wall(name="w", points_m=((2.0, -1.0), (2.0, 1.0)), thickness_m=0.2)
    scene = room()
    assert cast(Scene(ground=scene.ground, walls=(wall,), robots=scene.robots), 0.2) == pytest.approx(1.9)


def test_a_ray_may_start_outside_the_map():
    assert cast(room(robot("far", -40.0, 0.0), width=100.0), 0.2) == pytest.approx(10.0)
    engine = PlanarEngine(room())
    engine.move("scout", Pose(-20.0))
    out = np.empty((1, 1))
    engine.cast(level(0.2, 30.0), np.array([0]), out)
    assert out[0, 0] == pytest.approx(17.0)


def test_a_ball_is_an_obstacle_and_is_seen():
    scene = room()
    ball = Ball(name="ball", radius_m=0.2, pose=Pose(1.0))
    assert cast(Scene(ground=scene.ground, balls=(ball,), robots=scene.robots), 0.2) == pytest.approx(0.8)


def test_a_tilted_ray_meets_the_ground_and_the_tops_of_things():
    table = RayTable(np.array([[0.0, 0.0, 0.4]] * 2), np.array([[0.6, 0.0, -0.8], [0.8, 0.0, 0.6]]), 5.0, 1)
    out = np.empty((1, 2))
    engine = PlanarEngine(room())
    engine.cast(table, np.array([0]), out)
    assert out[0].tolist() == pytest.approx([0.5, 5.0])
    engine.rebuild(changes.apply(engine.scene(), changes.Add(box("crate", 0.3, size=(0.5, 0.5, 0.2)))))
    engine.cast(table, np.array([0]), out)
    assert out[0, 0] == pytest.approx(0.25)


def brute(seg, x, y, angle, limit):
    best, c, s = limit, math.cos(angle), math.sin(angle)
    for ax, ay, bx, by in seg:
        den = c * (by - ay) - s * (bx - ax)
        if den == 0.0:
            continue
        t = ((ax - x) * (by - ay) - (ay - y) * (bx - ax)) / den
        u = ((ax - x) * s - (ay - y) * c) / den
        if 0.0 <= t < best and 0.0 <= u <= 1.0:
            best = t
    return best


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_rays_through_the_grid_agree_with_brute_force(number):
    rng = np.random.default_rng(number)
    walls = tuple(
        Wall(name=f"w{i}", points_m=(tuple(rng.uniform(-9, 9, 2)), tuple(rng.uniform(-9, 9, 2)))) for i in range(25)
    )
    scene = Scene(ground=Ground((20.0, 20.0)), walls=walls, robots=(robot("scout"),))
    engine = PlanarEngine(scene)
    angles = rng.uniform(0, 2 * math.pi, 200)
    out = np.empty((1, 200))
    engine.cast(level(0.2, 30.0, angles=angles), np.array([0]), out)
    seg = [(*w.points_m[0], *w.points_m[1]) for w in walls]
    assert np.abs(out[0] - [brute(seg, 0.0, 0.0, a, 30.0) for a in angles]).max() < 1e-6


COMMANDS = st.lists(st.tuples(st.floats(-1, 1), st.floats(-3, 3), st.integers(1, 60)), min_size=1, max_size=12)


@settings(max_examples=30, deadline=None)
@given(COMMANDS, COMMANDS, st.sampled_from([5_000, 50_000, 200_000]))
def test_no_command_sequence_leaves_a_robot_inside_anything(first, second, tick_us):
    scene = room(robot("a", -1.0), robot("b", 1.0), objects=(box("crate", 0.0, 1.0),), tick_us=tick_us)
    engine = PlanarEngine(scene)
    targets = np.zeros((2, 3))
    for (v, w, ticks), (v2, w2, _) in zip(first, second):
        targets[:] = (v, 0.0, w), (v2, 0.0, w2)
        for _ in range(ticks):
            engine.step(targets)
            (ax, ay), (bx, by) = engine.poses()[0, :2], engine.poses()[1, :2]
            assert max(abs(ax), abs(bx)) <= 2.8 + 1e-9
            assert max(abs(ay), abs(by)) <= 1.8 + 1e-9
            assert math.hypot(ax - bx, ay - by) >= 0.4 - 1e-9
            for x, y in ((ax, ay), (bx, by)):
                assert math.hypot(max(abs(x) - 0.2, 0.0), max(abs(y - 1.0) - 0.2, 0.0)) >= 0.2 - 1e-9


def drive(parts, target, seconds=2.0):
    engine = PlanarEngine(room(robot("it", parts=parts), width=50.0, depth=50.0))
    for _ in range(round(seconds / 0.005)):
        engine.step(np.array([target], np.float64))
    return engine


def test_an_omni_drive_moves_sideways():
    engine = drive(model(drive=Omni()), (0.0, 0.5, 0.0))
    assert engine.poses()[0, 1] == pytest.approx(1.0, rel=0.05)


def test_a_differential_drive_does_not_move_sideways():
    assert drive(model(), (0.0, 0.5, 0.0)).poses()[0, 1] == 0.0


def test_a_car_does_not_turn_on_the_spot():
    car = model(drive=Ackermann(0.5))
    assert drive(car, (0.0, 0.0, 1.0)).poses()[0, 5] == 0.0
    assert drive(car, (0.5, 0.0, 1.0)).poses()[0, 5] > 0.5


def test_a_robot_that_is_no_obstacle_passes_through_walls():
    from understudy.world.materials import Surface

    ghost = model(surface=Surface(obstacle=False))
    engine = PlanarEngine(room(robot("ghost", parts=ghost)))
    for _ in range(2000):
        engine.step(np.array([[1.0, 0.0, 0.0]]))
    assert engine.poses()[0, 0] > 5.0
