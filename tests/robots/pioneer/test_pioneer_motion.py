"""Motion commands of the reference's section 7, on a bench whose wheels obey exactly."""

from __future__ import annotations

import dataclasses
import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots.robots_fakes import MODEL, TICK_US, Bench

from understudy.robots.base import Session
from understudy.robots.pioneer.motion import AxisLimits, approach
from understudy.robots.pioneer.orders import (
    Enable,
    Head,
    LateralVel,
    QuickStop,
    Rvel,
    SetAccel,
    SetOdometry,
    SetSpeed,
    SetTurnRate,
    Stop,
    Travel,
    TurnBy,
    Vel,
    Vel2,
)
from understudy.world.robot import Omni

SECOND = 1_000_000 // TICK_US
TICK_S = TICK_US / 1e6


def pioneer(**settings: object) -> Bench:
    bench = Bench("pioneer", **settings)  # type: ignore[arg-type]
    bench.unit.order(Session(True))
    return bench


def speeds(bench: Bench) -> list[float]:
    return [m_s for m_s, _, _ in bench.seen()]


def heading_deg(bench: Bench) -> float:
    return math.degrees(bench.unit.odometry.heading_rad)


# ---- MOVE


@pytest.mark.parametrize("mm", [1000, -1000, 40, 1, -7, 5000])
def test_a_move_ends_where_it_should_and_stands(mm: int) -> None:
    bench = pioneer()
    bench.unit.order(Travel(mm))
    bench.step(15 * SECOND)
    assert bench.unit.odometry.x_m * 1000 == pytest.approx(mm, abs=0.6)
    assert bench.seen()[-1] == (0.0, 0.0, 0.0)


def test_a_move_of_nothing_is_harmless() -> None:
    bench = pioneer()
    bench.unit.order(Travel(0))
    bench.step(SECOND)
    assert set(speeds(bench)) == {0.0}


def test_a_move_keeps_to_its_ramps_and_cruises_at_the_set_speed() -> None:
    bench = pioneer()
    for order in (SetSpeed(300), SetAccel("ahead", 200), SetAccel("ahead", -400), Travel(1500)):
        bench.unit.order(order)
    bench.step(10 * SECOND)
    steps = [b - a for a, b in pairwise(speeds(bench))]
    assert max(speeds(bench)) == pytest.approx(0.3)
    assert max(steps) == pytest.approx(0.2 * TICK_S)
    assert min(steps) >= -2 * 0.4 * TICK_S


def test_the_cruise_before_any_setting_is_within_the_hard_limit() -> None:
    bench = pioneer()
    bench.unit.order(Travel(9000))
    bench.step(9 * SECOND)
    assert max(speeds(bench)) == pytest.approx(1.0)


def test_vel_cancels_a_move() -> None:
    bench = pioneer()
    bench.unit.order(Travel(5000))
    bench.step(SECOND)
    bench.unit.order(Vel(100))
    bench.step(3 * SECOND)
    assert speeds(bench)[-1] == 0.1


def test_a_move_counts_the_path_of_a_curve() -> None:
    bench = pioneer()
    bench.unit.order(Rvel(30))
    bench.unit.order(Travel(1000))
    bench.step(10 * SECOND)
    assert bench.unit.odometry.way_m == pytest.approx(1.0, abs=0.001)
    assert bench.seen()[-1].turn_rad_s == pytest.approx(math.radians(30))


@given(st.floats(0.001, 0.5), st.floats(0.1, 2), st.floats(0.05, 3), st.floats(0.05, 3), st.sampled_from([0.005, 0.05]))
def test_an_approach_never_goes_too_far(left: float, cruise: float, accel: float, decel: float, dt_s: float) -> None:
    bounds, speed, rest = AxisLimits(2.0, cruise, accel, decel), 0.0, left
    for _ in range(3000):
        speed = approach(speed, rest, bounds, dt_s)
        rest -= speed * dt_s
        if speed == 0.0:
            break
    assert abs(rest) <= bounds.done


# ---- HEAD and DHEAD


@pytest.mark.parametrize(
    ("deg", "expected"), [(90, 90), (-90, -90), (270, -90), (180, 180), (359, -1), (-450, -90), (0, 0)]
)
def test_head_turns_to_a_heading_of_the_odometry(deg: int, expected: int) -> None:
    bench = pioneer()
    bench.unit.order(Head(deg))
    bench.step(8 * SECOND)
    assert abs(math.remainder(heading_deg(bench) - expected, 360)) < 0.1
    assert bench.seen()[-1].turn_rad_s == 0.0


def test_head_goes_the_short_way_round() -> None:
    bench = pioneer()
    bench.unit.order(SetOdometry(0.0, 0.0, math.radians(170)))
    bench.unit.order(Head(-170))
    bench.step(5 * SECOND)
    assert min(motion.turn_rad_s for motion in bench.seen()) >= 0.0
    assert heading_deg(bench) == pytest.approx(-170, abs=0.1)


def test_head_may_be_sent_again_and_again() -> None:
    once, often = pioneer(), pioneer()
    once.unit.order(Head(120))
    for _ in range(30):
        often.unit.order(Head(120))
        often.step(20)
    once.step(600)
    assert often.seen() == once.seen()


@pytest.mark.parametrize("order", [Head(90), Head(180), TurnBy(90), Travel(500)], ids=repr)
def test_a_finished_motion_is_over_whatever_the_odometry_is_set_to(order: object) -> None:
    bench = pioneer()
    bench.unit.order(order)
    bench.step(5 * SECOND)
    bench.unit.order(SetOdometry())
    bench.step(3 * SECOND)
    assert heading_deg(bench) == bench.unit.odometry.x_m == 0.0
    assert bench.seen()[-1] == (0.0, 0.0, 0.0)


def test_a_robot_that_is_pushed_out_of_its_heading_stays_there() -> None:
    bench = pioneer()
    bench.unit.order(Head(45))
    bench.step(5 * SECOND)
    bench.travel[1] += 0.02
    bench.step(5 * SECOND)
    assert heading_deg(bench) == pytest.approx(45 + math.degrees(0.02 / 0.33), abs=0.1)


def test_head_during_vel_curves_while_driving() -> None:
    bench = pioneer()
    bench.unit.order(Vel(200))
    bench.unit.order(Head(90))
    bench.step(5 * SECOND)
    assert bench.seen()[-1] == pytest.approx((0.2, 0.0, 0.0))
    assert bench.unit.odometry.y_m > 0.3


def test_rvel_cancels_head() -> None:
    bench = pioneer()
    bench.unit.order(Head(90))
    bench.step(SECOND)
    bench.unit.order(Rvel(-20))
    bench.step(3 * SECOND)
    assert bench.seen()[-1].turn_rad_s == pytest.approx(math.radians(-20))


@pytest.mark.parametrize("deg", [90, -90, 5, 200, -400])
def test_dhead_turns_by_an_angle(deg: int) -> None:
    bench = pioneer()
    bench.unit.order(SetOdometry(0.0, 0.0, 1.0))
    bench.unit.order(TurnBy(deg))
    bench.step(10 * SECOND)
    assert math.degrees(bench.unit.odometry.turned_rad) == pytest.approx(deg, abs=0.1)
    assert bench.seen()[-1].turn_rad_s == 0.0


def test_turning_keeps_to_the_set_rate() -> None:
    bench = pioneer()
    bench.unit.order(SetTurnRate(30))
    bench.unit.order(Head(170))
    bench.step(3 * SECOND)
    assert max(motion.turn_rad_s for motion in bench.seen()) == pytest.approx(math.radians(30))


# ---- wheels, sideways, limits


@pytest.mark.parametrize(("left", "right"), [(15, 5), (-5, 5), (10, 10), (-128, 127)])
def test_vel2_sets_both_axes(left: int, right: int) -> None:
    bench = pioneer(accel_m_s2=0.0, accel_rad_s2=0.0)
    bench.unit.order(Vel2(left, right))
    bench.step()
    m_s, _, rad_s = bench.seen()[-1]
    assert m_s == pytest.approx((left + right) / 2 * 0.02)
    assert rad_s == pytest.approx(max(-math.radians(100), min(math.radians(100), (right - left) / 2 * 20 * 0.0056)))


def test_a_pioneer_1_counts_its_wheels_in_steps_of_4() -> None:
    bench = pioneer(accel_m_s2=0.0, vel2_divisor=4.0)
    bench.unit.order(Vel2(50, 50))
    bench.step()
    assert bench.seen()[-1][0] == pytest.approx(0.2)


def test_setv_does_not_limit_vel_as_in_mobilesim() -> None:
    bench = pioneer()
    bench.unit.order(SetSpeed(100))
    bench.unit.order(Vel(400))
    bench.step(2 * SECOND)
    assert speeds(bench)[-1] == 0.4


def test_setv_limits_all_motion_as_in_the_robot_if_the_model_says_so() -> None:
    bench = pioneer(limits="all")
    for order in (SetSpeed(100), SetTurnRate(10), Vel(400), Rvel(40)):
        bench.unit.order(order)
    bench.step(2 * SECOND)
    assert bench.seen()[-1] == pytest.approx((0.1, 0.0, math.radians(10)))


def test_settings_are_forgotten_with_the_session() -> None:
    bench = pioneer()
    bench.unit.order(SetAccel("ahead", 1000))
    bench.unit.order(Session(False))
    bench.unit.order(Session(True))
    bench.unit.order(Enable(True))
    bench.unit.order(Vel(500))
    bench.step()
    assert speeds(bench)[-1] == pytest.approx(0.3 * TICK_S)


def test_an_acceleration_of_zero_is_instantaneous() -> None:
    bench = pioneer()
    bench.unit.order(SetAccel("ahead", 0))
    bench.unit.order(Vel(500))
    bench.step()
    assert speeds(bench)[-1] == 0.5


def test_only_robots_that_can_move_sideways_do() -> None:
    omni = dataclasses.replace(MODEL, drive=Omni(max_lateral_m_s=0.3))
    benches = pioneer(), pioneer(model=omni)
    for bench in benches:
        bench.unit.order(LateralVel(900))
        bench.step(2 * SECOND)
    assert [bench.seen()[-1].left_m_s for bench in benches] == [0.0, 0.3]


def test_sideways_has_a_ramp_of_its_own() -> None:
    bench = pioneer(model=dataclasses.replace(MODEL, drive=Omni()))
    bench.unit.order(SetAccel("lateral", 200))
    bench.unit.order(LateralVel(500))
    bench.step()
    assert bench.seen()[-1] == pytest.approx((0.0, 0.2 * TICK_S, 0.0))


# ---- stopping


def test_estop_stops_at_once_and_ignores_motion_until_it_stands() -> None:
    bench = pioneer()
    bench.unit.order(Vel(200))
    bench.unit.order(Rvel(50))
    bench.step(2 * SECOND)
    bench.unit.order(QuickStop())
    bench.step()
    bench.unit.order(Vel(300))
    bench.step(20)
    assert bench.seen()[-1] == (0.0, 0.0, 0.0)
    bench.unit.order(Vel(300))
    bench.step()
    assert speeds(bench)[-1] == pytest.approx(0.3 * TICK_S)


@pytest.mark.parametrize("order", [Stop(), Enable(False), Session(False)])
def test_whatever_stops_ends_a_move_and_a_heading(order: object) -> None:
    bench = pioneer()
    bench.unit.order(Travel(5000))
    bench.unit.order(Head(90))
    bench.step(SECOND)
    bench.unit.order(order)
    bench.step(3 * SECOND)
    assert bench.seen()[-1] == (0.0, 0.0, 0.0)
