"""Contact by true outlines, pushing and rolling."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import box, model, robot, room

from understudy.engines.planar.engine import PlanarEngine
from understudy.world import changes
from understudy.world.robot import Circle, Differential, Polygon, Rectangle
from understudy.world.scene import Ball, Wall
from understudy.world.shapes import Pose

INSTANT = Differential(0.3, max_m_s=5.0, max_rad_s=20.0, accel_m_s2=1e6, accel_rad_s2=1e6)
WEDGE = Polygon(points_m=((0.3, -0.1), (0.3, 0.1), (-0.2, 0.25), (-0.2, -0.25)))
BODIES = {"disc": Circle(0.25), "box": Rectangle(0.6, 0.3, 0.05), "polygon": WEDGE}


def parts(body, **extra):
    return model(drive=INSTANT, body=body, devices=(), **extra)


def run(engine, target, ticks=1):
    targets = np.array([target] * len(engine.poses()), np.float64)
    for _ in range(ticks):
        engine.step(targets)


def corners(body, pose):
    """Return the outline of a body in the world; a disc as many points."""
    if isinstance(body, Circle):
        turn = np.linspace(0, 2 * math.pi, 64, endpoint=False)
        points = body.radius_m * np.column_stack([np.cos(turn), np.sin(turn)])
    elif isinstance(body, Rectangle):
        x, y = body.length_m / 2, body.width_m / 2
        points = np.array([(-x, -y), (x, -y), (x, y), (-x, y)]) + np.array([body.offset_x_m, 0.0])
    else:
        points = np.array(body.points_m)
    c, s = math.cos(pose[5]), math.sin(pose[5])
    return points @ np.array([[c, s], [-s, c]]) + pose[:2]


def inside_room(body, pose, x=3.0, y=2.0):
    outline = corners(body, pose)
    return np.abs(outline[:, 0]).max() <= x + 1e-9 and np.abs(outline[:, 1]).max() <= y + 1e-9


@pytest.mark.parametrize("body", BODIES)
def test_a_robot_stops_where_its_outline_meets_the_wall(body):
    engine = PlanarEngine(room(robot("a", parts=parts(BODIES[body]))))
    run(engine, (1.0, 0.0, 0.0), 1000)
    front = corners(BODIES[body], engine.poses()[0])[:, 0].max()
    assert 3.0 - 1e-5 < front <= 3.0
    assert engine.stalled()[0]
    row, x, _, nx, ny, _, _ = engine.contacts()[0]
    assert (row, x, nx, ny) == (0.0, pytest.approx(3.0, abs=1e-5), pytest.approx(-1.0), pytest.approx(0.0, abs=1e-9))


@pytest.mark.parametrize("body", BODIES)
def test_a_robot_can_back_out_and_turn_where_it_stands(body):
    engine = PlanarEngine(room(robot("a", parts=parts(BODIES[body]))))
    run(engine, (1.0, 0.0, 0.0), 1000)
    at_wall = engine.poses()[0].copy()
    run(engine, (0.0, 0.0, 1.0), 300)
    assert abs(math.remainder(engine.poses()[0, 5] - at_wall[5], 2 * math.pi)) > 1.0
    assert inside_room(BODIES[body], engine.poses()[0])
    engine.move("a", Pose(*at_wall[:2]))
    run(engine, (-0.5, 0.0, 0.0), 200)
    assert engine.poses()[0, 0] == pytest.approx(at_wall[0] - 0.5, abs=0.01)


@pytest.mark.parametrize("tick_us", [5_000, 100_000, 1_000_000])
def test_nothing_thin_is_jumped_over_at_any_tick(tick_us):
    thin = Wall(name="thin", points_m=((1.0, -1.5), (1.0, 1.5)))
    scene = room(robot("a", parts=parts(Circle(0.05))), tick_us=tick_us)
    engine = PlanarEngine(replace(scene, walls=(*scene.walls, thin)))
    run(engine, (5.0, 0.0, 0.0), 5)
    assert engine.poses()[0, 0] <= 0.95 + 1e-9


COMMANDS = st.lists(st.tuples(st.floats(-2, 2), st.floats(-6, 6), st.integers(1, 15)), min_size=1, max_size=8)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(BODIES)), COMMANDS, st.sampled_from([5_000, 60_000, 400_000]))
def test_no_command_sequence_takes_an_outline_through_the_wall(name, commands, tick_us):
    body = BODIES[name]
    engine = PlanarEngine(
        room(robot("a", -1.0, parts=parts(body)), robot("b", 1.0, parts=parts(body)), tick_us=tick_us)
    )
    for v, w, ticks in commands:
        for _ in range(ticks):
            engine.step(np.array([[v, 0.0, w], [-v, 0.0, w]]))
            assert inside_room(body, engine.poses()[0])
            assert inside_room(body, engine.poses()[1])


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(sorted(BODIES)), COMMANDS)
def test_the_order_of_robots_does_not_matter(name, commands):
    one = [robot(f"r{i}", -2.0 + i, 0.3 * i - 0.5, i, parts(BODIES[name])) for i in range(4)]
    crate = box("crate", 0.5, 1.3, mass_kg=1.0)
    first, second = (PlanarEngine(room(*robots, objects=(crate,))) for robots in (one, one[::-1]))
    for v, w, ticks in commands:
        rows = np.array([[v, 0.0, w * (i + 1) / 4] for i in range(4)])
        for _ in range(ticks):
            first.step(rows)
            second.step(rows[::-1].copy())
    assert first.poses().tobytes() == second.poses()[::-1].tobytes()


def test_a_robot_pushes_a_box_that_it_can_and_stops_at_one_that_it_cannot():
    for mass, moved in ((1.0, True), (500.0, False)):
        scene = room(robot("a", parts=parts(Circle(0.25))), objects=(box("crate", 1.0, mass_kg=mass),))
        engine = PlanarEngine(scene)
        run(engine, (0.5, 0.0, 0.0), 300)
        pose = engine.scene().objects[0].pose
        assert (pose.x_m > 1.15) is moved
        assert pose.x_m - 0.2 >= engine.poses()[0, 0] + 0.25 - 1e-6


def test_a_pushed_box_goes_as_far_as_its_pusher():
    engine = PlanarEngine(room(robot("a", parts=parts(Circle(0.25))), objects=(box("crate", 1.0, mass_kg=1.0),)))
    run(engine, (0.5, 0.0, 0.0), 400)
    assert engine.scene().objects[0].pose.x_m == pytest.approx(engine.poses()[0, 0] + 0.25 + 0.2, abs=1e-4)
    assert engine.poses()[0, 0] == pytest.approx(1.0, abs=0.02)


def test_a_box_against_the_wall_stops_its_pusher():
    engine = PlanarEngine(room(robot("a", parts=parts(Circle(0.25))), objects=(box("crate", 2.5, mass_kg=1.0),)))
    run(engine, (1.0, 0.0, 0.0), 1000)
    assert engine.stalled()[0]
    assert engine.scene().objects[0].pose.x_m == pytest.approx(2.8, abs=1e-4)


def kicked(speed, **ball):
    it = Ball(name="ball", radius_m=0.1, pose=Pose(0.5), **ball)
    scene = room(robot("a", parts=parts(Circle(0.2))), width=40.0)
    engine = PlanarEngine(replace(scene, balls=(it,)))
    run(engine, (speed, 0.0, 0.0), 120)
    return engine


def test_a_ball_rolls_away_faster_than_the_robot_that_kicks_it():
    engine = kicked(1.0, bounce=0.5, rolling_friction=0.001)
    assert engine.scene().balls[0].pose.x_m - 0.1 > engine.poses()[0, 0] + 0.2 + 0.05


def test_a_rolling_ball_stops_after_v_squared_over_two_mu_g():
    engine = kicked(1.0, bounce=0.5, rolling_friction=0.05)
    run(engine, (0.0, 0.0, 0.0), 4000)
    start = 0.2 + 0.2 + 0.1
    rolled = engine.scene().balls[0].pose.x_m - start
    assert rolled == pytest.approx(1.5**2 / (2 * 0.05 * 9.81), rel=0.05)


def test_a_ball_bounces_off_the_wall_and_stays_in_the_room():
    ball = Ball(name="ball", radius_m=0.1, pose=Pose(0.5), bounce=1.0, rolling_friction=0.0)
    engine = PlanarEngine(replace(room(robot("a", parts=parts(Circle(0.2)))), balls=(ball,)))
    run(engine, (2.0, 0.0, 0.3), 30)
    run(engine, (0.0, 0.0, 0.0), 2000)
    xs = []
    for _ in range(1000):
        run(engine, (0.0, 0.0, 0.0))
        pose = engine.scene().balls[0].pose
        xs.append(pose.x_m)
        assert abs(pose.x_m) <= 2.9 + 1e-6
        assert abs(pose.y_m) <= 1.9 + 1e-6
    assert max(xs) - min(xs) > 1.0, "it still rolls: nothing slows it"


def test_a_state_in_the_middle_of_a_push_and_a_roll_goes_on_to_the_bit():
    ball = Ball(name="ball", radius_m=0.1, pose=Pose(0.2, 1.0))
    scene = replace(
        room(robot("a", -0.5, parts=parts(Circle(0.25))), objects=(box("crate", 0.5, mass_kg=1.0),)), balls=(ball,)
    )
    one, other = PlanarEngine(scene), PlanarEngine(scene)
    run(one, (0.6, 0.0, 0.2), 150)
    other.restore(one.state())
    for engine in (one, other):
        run(engine, (0.6, 0.0, 0.2), 150)
    assert one.scene() == other.scene()
    assert one.poses().tobytes() == other.poses().tobytes()


def test_a_rolling_ball_goes_on_when_something_else_is_added():
    engine = kicked(1.0, bounce=0.5, rolling_friction=0.01)
    before = engine.scene().balls[0].pose.x_m
    engine.rebuild(changes.apply(engine.scene(), changes.Add(box("late", -10.0))))
    run(engine, (0.0, 0.0, 0.0), 20)
    assert engine.scene().balls[0].pose.x_m > before + 0.05
