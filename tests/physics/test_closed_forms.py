"""Motion against closed forms."""

import math

import pytest
from scenes import model, robot, room

from understudy.sim.sim import Sim
from understudy.world.robot import Differential

INSTANT = Differential(0.3, max_m_s=1.0, max_rad_s=3.0, accel_m_s2=1e6, accel_rad_s2=1e6)


def hall(drive=INSTANT, **place):
    return Sim(room(robot("scout", parts=model(drive=drive), **place), width=100.0, depth=100.0))


def test_a_straight_run_has_the_length_of_speed_times_time():
    sim = hall(heading=0.3)
    sim.robot("scout").drive(0.5)
    sim.run(10.0)
    pose = sim.robot("scout").pose
    assert (pose.x_m, pose.y_m) == pytest.approx((5.0 * math.cos(0.3), 5.0 * math.sin(0.3)))


def test_an_arc_is_a_circle_of_radius_v_over_w():
    sim = hall()
    sim.robot("scout").drive(0.5, 0.25)
    sim.run(4.0)
    pose = sim.robot("scout").pose
    assert (pose.x_m, pose.y_m) == pytest.approx((2.0 * math.sin(1.0), 2.0 * (1.0 - math.cos(1.0))))
    assert pose.heading_rad == pytest.approx(1.0)


def test_a_full_circle_ends_where_it_began():
    sim = hall()
    sim.robot("scout").drive(0.5, math.pi / 5)
    sim.run(10.0)
    pose = sim.robot("scout").pose
    assert (pose.x_m, pose.y_m) == pytest.approx((0.0, 0.0), abs=1e-9)


def test_a_spin_turns_on_the_spot():
    sim = hall()
    sim.robot("scout").drive(0.0, 2.0)
    sim.run(1.0)
    pose = sim.robot("scout").pose
    assert (pose.x_m, pose.y_m, pose.heading_rad) == pytest.approx((0.0, 0.0, 2.0))


def test_speeding_up_takes_speed_over_acceleration():
    sim = hall(Differential(0.3, max_m_s=1.0, accel_m_s2=0.5))
    sim.robot("scout").drive(1.0)
    sim.run(2.0)
    assert sim.robot("scout").pose.x_m == pytest.approx(0.5 * 0.5 * 2.0**2, rel=0.005)


def test_no_order_exceeds_what_the_motors_can_do():
    sim = hall(Differential(0.3, max_m_s=0.4, accel_m_s2=1e6))
    sim.robot("scout").drive(5.0)
    sim.run(10.0)
    assert sim.robot("scout").pose.x_m == pytest.approx(4.0)
