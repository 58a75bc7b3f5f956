"""Motion on the planar engine against what a textbook says."""

import math

import numpy as np
import pytest
from scenes import box, model, robot, room

from understudy.engines.planar.engine import PlanarEngine
from understudy.world.robot import Ackermann, Circle, Differential, Omni
from understudy.world.scene import Ball
from understudy.world.shapes import Pose

SLOW = Differential(0.3, max_m_s=2.0, max_rad_s=3.0, accel_m_s2=0.5, accel_rad_s2=1.0)
INSTANT = Differential(0.3, max_m_s=2.0, max_rad_s=6.0, accel_m_s2=1e6, accel_rad_s2=1e6)


def driven(drive, target, seconds, tick_us=5_000, **extra):
    parts = model(body=Circle(0.2), drive=drive, devices=())
    engine = PlanarEngine(room(robot("a", parts=parts), width=100.0, depth=100.0, tick_us=tick_us, **extra))
    for _ in range(round(seconds * 1e6 / tick_us)):
        engine.step(np.array([target], np.float64))
    return engine


@pytest.mark.parametrize("tick_us", [1_000, 5_000, 100_000])
def test_a_straight_line_is_speed_times_time(tick_us):
    engine = driven(INSTANT, (1.5, 0.0, 0.0), 10.0, tick_us)
    assert engine.poses()[0, :2] == pytest.approx([15.0, 0.0], abs=1e-9)


@pytest.mark.parametrize("tick_us", [1_000, 5_000, 100_000])
def test_an_arc_is_exact_at_any_tick(tick_us):
    engine, turn = driven(INSTANT, (1.0, 0.0, 0.7), 9.0, tick_us), 0.7 * 9.0
    x, y, heading = engine.poses()[0, [0, 1, 5]]
    assert (x, y) == pytest.approx((math.sin(turn) / 0.7, (1.0 - math.cos(turn)) / 0.7), abs=1e-9)
    assert math.remainder(heading - turn, math.tau) == pytest.approx(0.0, abs=1e-9)


def test_a_spin_stays_where_it_is():
    engine = driven(INSTANT, (0.0, 0.0, 2.0), 5.0)
    assert engine.poses()[0, :2].tolist() == [0.0, 0.0]
    assert math.remainder(engine.poses()[0, 5] - 10.0, math.tau) == pytest.approx(0.0, abs=1e-9)


def test_a_robot_gets_up_to_speed_at_its_acceleration():
    engine = driven(SLOW, (1.0, 0.0, 0.0), 3.0)
    assert engine.poses()[0, 0] == pytest.approx(0.5 * 0.5 * 2.0**2 + 1.0, abs=0.5 * 0.005)  # one tick of speed


def test_a_robot_coasts_down_over_v_squared_by_two_a():
    engine = driven(SLOW, (1.0, 0.0, 0.0), 4.0)
    begin = engine.poses()[0, 0]
    for _ in range(1000):
        engine.step(np.zeros((1, 3)))
    assert engine.poses()[0, 0] - begin == pytest.approx(1.0**2 / (2 * 0.5), abs=0.5 * 0.005)
    assert engine.twists()[0].tolist() == [0.0] * 6


def test_wheels_roll_what_the_arc_says():
    engine = driven(INSTANT, (1.0, 0.0, 0.5), 4.0)
    assert engine.travel()[0, :2] == pytest.approx([4.0 - 0.15 * 2.0, 4.0 + 0.15 * 2.0], abs=1e-9)


def test_an_omni_robot_that_turns_runs_on_a_circle_to_its_side():
    drive = Omni(max_m_s=2.0, max_lateral_m_s=2.0, max_rad_s=6.0, accel_m_s2=1e6, accel_rad_s2=1e6)
    engine, turn = driven(drive, (0.0, 1.0, 0.5), 4.0), 0.5 * 4.0
    assert engine.poses()[0, :2] == pytest.approx([-(1.0 - math.cos(turn)) / 0.5, math.sin(turn) / 0.5], abs=1e-9)


def test_a_car_turns_no_tighter_than_its_steering():
    drive = Ackermann(0.5, max_steer_rad=math.radians(30.0), max_m_s=2.0, accel_m_s2=1e6, accel_rad_s2=1e6)
    engine = driven(drive, (1.0, 0.0, 3.0), 2.0)
    assert engine.twists()[0, 5] == pytest.approx(math.tan(math.radians(30.0)) / 0.5)


@pytest.mark.parametrize("speed", [0.5, 1.0, 2.0])
def test_a_kicked_ball_stops_after_its_speed_squared_over_two_mu_g(speed):
    ball = Ball(name="ball", radius_m=0.1, rolling_friction=0.05, bounce=1.0, pose=Pose(0.6))
    engine = driven(INSTANT, (speed, 0.0, 0.0), 0.6, balls=(ball,))
    state = engine.state()
    rolling, begin = state["speed"][1, 0], state["place"][1, 0]
    assert rolling > speed
    for _ in range(4000):
        engine.step(np.zeros((1, 3)))
    way = engine.state()["place"][1, 0] - begin
    assert way == pytest.approx(rolling**2 / (2 * 0.05 * 9.81), rel=1e-6)


def test_a_pushed_box_goes_with_its_pusher_and_stops_with_it():
    engine = driven(INSTANT, (0.5, 0.0, 0.0), 2.0, objects=(box(x=0.8, mass_kg=1.0),))
    (pushed,) = engine.scene().objects
    assert pushed.pose.x_m - 0.2 == pytest.approx(engine.poses()[0, 0] + 0.2, abs=1e-4)
    for _ in range(100):
        engine.step(np.zeros((1, 3)))
    assert engine.scene().objects[0].pose.x_m == pushed.pose.x_m
