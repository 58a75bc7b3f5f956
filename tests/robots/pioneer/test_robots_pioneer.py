from __future__ import annotations

import dataclasses
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots.robots_fakes import MODEL, TICK_US, TRACK_M, Bench

from understudy.robots.base import Drive, Session
from understudy.robots.pioneer.motion import ramp
from understudy.robots.pioneer.odometry import WheelOdometry
from understudy.robots.pioneer.orders import Enable, Pulse, Rvel, SetOdometry, Stop, SwitchSonar, Vel
from understudy.world.news import Note
from understudy.world.robot import Omni
from understudy.world.shapes import Pose

SIP_TICKS = 100_000 // TICK_US
SECOND = 1_000_000 // TICK_US


def pioneer(**settings: object) -> Bench:
    bench = Bench("pioneer", **settings)  # type: ignore[arg-type]
    bench.unit.order(Session(True))
    return bench


def speeds(bench: Bench, ticks: int) -> list[float]:
    bench.step(ticks)
    return [m_s for m_s, _, _ in bench.seen()[-ticks:]]


# ---- ramps and limits


@pytest.mark.parametrize(
    ("speed", "target", "dt_s", "expected"),
    [
        (0.0, 0.2, 0.1, 0.03),
        (0.2, 0.0, 0.1, 0.14),
        (0.19, 0.2, 0.1, 0.2),
        (0.0, -0.2, 0.1, -0.03),
        (-0.2, 0.0, 0.1, -0.14),
        (0.2, -0.2, 0.1, 0.14),  # equal magnitudes are no reason to jump
        (0.03, -0.2, 0.1, -0.015),  # half the time to brake, half to speed up
        (0.2, 0.2, 0.1, 0.2),
        (0.1, 0.0, 1.0, 0.0),
    ],
)
def test_a_ramp_speeds_up_by_accel_and_slows_down_by_decel(
    speed: float, target: float, dt_s: float, expected: float
) -> None:
    assert ramp(speed, target, 0.3, 0.6, dt_s) == pytest.approx(expected)


@pytest.mark.parametrize("speed", [-1.0, 0.0, 0.5])
def test_a_rate_of_zero_is_instantaneous(speed: float) -> None:
    assert ramp(speed, 0.7, 0.0, 0.0, 0.001) == 0.7


@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(0.01, 5), st.floats(0.01, 5), st.floats(0.0001, 3))
def test_a_ramp_never_leaves_the_way_to_its_target(
    speed: float, target: float, accel: float, decel: float, dt_s: float
) -> None:
    assert min(speed, target) <= ramp(speed, target, accel, decel, dt_s) <= max(speed, target)


def test_vel_200_gains_30_mm_s_per_status_cycle() -> None:
    bench = pioneer()
    bench.unit.order(Vel(200))
    got = speeds(bench, 8 * SIP_TICKS)[SIP_TICKS - 1 :: SIP_TICKS]
    assert got == pytest.approx([0.03, 0.06, 0.09, 0.12, 0.15, 0.18, 0.2, 0.2])


def test_reversing_passes_through_zero() -> None:
    bench = pioneer()
    bench.unit.order(Vel(200))
    bench.step(SECOND)
    bench.unit.order(Vel(-200))
    got = speeds(bench, 2 * SECOND)
    assert max(abs(a - b) for a, b in pairwise(got)) == pytest.approx(0.6 * TICK_US / 1e6)


def test_each_axis_goes_on_when_the_other_gets_a_command() -> None:
    bench = pioneer()
    bench.unit.order(Vel(300))
    bench.unit.order(Rvel(20))
    bench.step(2 * SECOND)
    assert bench.seen()[-1] == pytest.approx((0.3, 0.0, math.radians(20)))


@pytest.mark.parametrize(("order", "axis", "limit"), [(Vel(9000), 0, 1.0), (Rvel(-500), 2, -math.radians(100.0))])
def test_the_drive_sets_the_hard_limit(order: object, axis: int, limit: float) -> None:
    bench = pioneer(watchdog_us=0)
    bench.unit.order(order)
    bench.step(5 * SECOND)
    assert bench.seen()[-1][axis] == pytest.approx(limit)


def test_the_sheet_may_set_a_lower_limit() -> None:
    bench = pioneer(max_m_s=0.4, watchdog_us=0)
    bench.unit.order(Vel(9000))
    bench.step(3 * SECOND)
    assert bench.seen()[-1][0] == 0.4


def test_only_a_drive_that_can_moves_sideways() -> None:
    omni = dataclasses.replace(MODEL, drive=Omni())
    benches = Bench("pioneer"), Bench("pioneer", model=omni)
    for bench in benches:
        bench.unit.order(Drive(0.0, 0.0, 0.2))
        bench.step(SECOND)
    assert [bench.seen()[-1].left_m_s for bench in benches] == [0.0, 0.2]


def test_stop_ramps_both_axes_to_zero() -> None:
    bench = pioneer()
    bench.unit.order(Vel(200))
    bench.unit.order(Rvel(30))
    bench.step(SECOND)
    bench.unit.order(Stop())
    bench.step()
    first = bench.seen()[-1]
    bench.step(SECOND)
    assert 0.0 < first[0] < 0.2
    assert bench.seen()[-1] == (0.0, 0.0, 0.0)


# ---- motors and sessions


def test_the_first_session_begins_with_motors_on() -> None:
    assert pioneer().unit.motors_on


def test_the_second_session_begins_with_motors_off() -> None:
    bench = pioneer()
    bench.unit.order(Session(False))
    bench.unit.order(Session(True))
    assert not bench.unit.motors_on


def test_motion_commands_without_motors_are_discarded() -> None:
    bench = pioneer()
    bench.unit.order(Enable(False))
    bench.unit.order(Vel(200))
    bench.unit.order(Enable(True))
    assert set(speeds(bench, SECOND)) == {0.0}


def test_motors_off_cancels_the_motion() -> None:
    bench = pioneer()
    bench.unit.order(Vel(200))
    bench.step(SECOND)
    bench.unit.order(Enable(False))
    bench.step(SECOND)
    assert bench.seen()[-1] == (0.0, 0.0, 0.0)


def test_a_program_drives_without_any_client() -> None:
    bench = Bench("pioneer")
    bench.unit.order(Drive(0.2, 0.1))
    bench.step(10 * SECOND)
    assert bench.seen()[-1] == (0.2, 0.0, 0.1)


def test_a_button_switches_the_motors() -> None:
    bench = pioneer()
    bench.unit.order(Vel(200))
    bench.step(SECOND)
    (offer,) = bench.unit.offers()
    assert offer.label == "motors off"
    bench.unit.order(offer.order)
    bench.step(SECOND)
    assert (bench.seen()[-1], bench.unit.motors_on) == ((0.0, 0.0, 0.0), False)
    assert bench.unit.offers()[0].label == "motors on"


def test_a_program_drives_after_a_client_has_disconnected() -> None:
    bench = pioneer()
    bench.unit.order(Session(False))
    bench.unit.order(Drive(0.2))
    bench.step(SECOND)
    assert bench.seen()[-1][0] == 0.2


def test_the_end_of_a_session_stops_and_clears_the_odometry() -> None:
    bench = pioneer()
    bench.unit.order(Vel(200))
    bench.step(SECOND)
    bench.unit.order(Session(False))
    assert (bench.unit.odometry.x_m, bench.unit.motors_on, bench.unit.sonar_on) == (0.0, False, False)
    bench.step(SECOND)
    assert bench.seen()[-1] == (0.0, 0.0, 0.0)


# ---- the watchdog


def test_a_watchdog_that_stops_does_so_after_two_silent_seconds() -> None:
    bench = pioneer(watchdog="stop")
    bench.unit.order(Vel(200))
    assert speeds(bench, 2 * SECOND)[-1] == 0.2
    assert speeds(bench, 1)[-1] < 0.2
    assert bench.unit.panel().lapsed


def test_a_pulse_just_in_time_satisfies_the_watchdog() -> None:
    bench = pioneer(watchdog="stop")
    bench.unit.order(Vel(200))
    for _ in range(4):
        bench.step(2 * SECOND)
        bench.unit.order(Pulse())
    assert bench.seen()[-1][0] == 0.2


@pytest.mark.parametrize(("order", "speed"), [(Vel(150), 0.15), (Pulse(), 0.2)])
def test_the_next_packet_resumes_what_the_watchdog_has_stopped(order: object, speed: float) -> None:
    bench = pioneer(watchdog="stop")
    bench.unit.order(Vel(200))
    assert speeds(bench, 4 * SECOND)[-1] == 0.0
    bench.unit.order(order)
    assert speeds(bench, SECOND)[-1] == speed


def test_mobilesims_watchdog_only_warns_once_and_keeps_moving() -> None:
    bench = pioneer()
    bench.unit.order(Vel(200))
    bench.step(5 * SECOND)
    assert (bench.seen()[-1][0], bench.unit.panel().lapsed) == (0.2, True)
    assert bench.unit.asks() == [Note("no packet for 2 s; the robot keeps moving", "warning")]


def test_a_watchdog_of_zero_never_strikes() -> None:
    bench = pioneer(watchdog_us=0)
    bench.unit.order(Vel(200))
    bench.step(20 * SECOND)
    assert bench.seen()[-1][0] == 0.2


# ---- odometry and readings


def test_odometry_follows_a_full_circle() -> None:
    bench = pioneer(accel_m_s2=0.0, accel_rad_s2=0.0, watchdog_us=0)
    bench.unit.order(Drive(0.3, math.tau / 10))
    bench.step(10 * SECOND)
    odometry = bench.unit.odometry
    assert (odometry.x_m, odometry.y_m, odometry.heading_rad) == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)


def test_odometry_counts_the_newest_reading_at_once() -> None:
    bench = pioneer(accel_m_s2=0.0)
    bench.unit.order(Vel(200))
    bench.step()
    assert bench.unit.odometry.x_m == pytest.approx(0.2 * TICK_US / 1e6)


def test_heading_stays_within_one_turn() -> None:
    bench = pioneer(accel_rad_s2=0.0, watchdog_us=0)
    bench.unit.order(Rvel(90))
    headings = []
    for _ in range(90):
        bench.step(SIP_TICKS)
        headings.append(bench.unit.odometry.heading_rad)
    assert -math.pi <= min(headings) < -2.9 < 2.9 < max(headings) <= math.pi


def test_odometry_measures_speed_and_turn() -> None:
    bench = pioneer(accel_m_s2=0.0, accel_rad_s2=0.0)
    bench.unit.order(Drive(0.2, 0.3))
    bench.step(3)
    assert (bench.unit.odometry.m_s, bench.unit.odometry.rad_s) == pytest.approx((0.2, 0.3))


def test_a_stalled_robot_neither_counts_nor_hides_it() -> None:
    bench = pioneer()
    bench.stalled = True
    bench.unit.order(Vel(200))
    bench.step(SECOND)
    assert (bench.unit.odometry.x_m, bench.unit.odometry.stalled) == (0.0, True)


def test_odometry_can_be_set() -> None:
    bench = pioneer()
    bench.unit.order(Vel(200))
    bench.step(SECOND)
    bench.unit.order(SetOdometry(1.0, -2.0, math.pi / 2))
    odometry = bench.unit.odometry
    assert (odometry.x_m, odometry.y_m, odometry.heading_rad) == (1.0, -2.0, math.pi / 2)


def test_dead_encoders_leave_the_odometry_where_it_is() -> None:
    before = WheelOdometry(1.0, 2.0, 0.5, m_s=0.2, left_m=1.0, right_m=1.0, stamp_us=0)
    after = before.advanced(np.array([math.nan] * 4), TICK_US, TRACK_M)
    assert (after.x_m, after.y_m, after.heading_rad, after.m_s, after.left_m) == (1.0, 2.0, 0.5, 0.0, 1.0)


def test_a_unit_made_in_a_running_world_begins_at_zero() -> None:
    bench = pioneer()
    bench.unit.order(Vel(200))
    bench.step(SECOND)
    bench.renew()
    assert bench.unit.odometry.x_m == 0.0


def test_ranges_without_echo_read_the_greatest() -> None:
    bench = Bench("pioneer")
    bench.devices["sonar"].tell((1.5, math.nan, math.inf, 9.0, -1.0), 0)
    assert bench.unit.ranges_m == (1.5, 5.0, 5.0, 5.0, 5.0)


def test_a_sonar_that_is_off_has_no_ranges() -> None:
    bench = pioneer()
    bench.unit.order(SwitchSonar(False))
    assert bench.unit.ranges_m == ()


def test_a_robot_without_sonar_says_so() -> None:
    unit = Bench("pioneer", without=("sonar",)).unit
    assert (unit.has_sonar, unit.sonar_on, unit.ranges_m) == (False, False, ())


def test_the_pose_estimate_is_what_the_odometry_was_set_to() -> None:
    bench = pioneer()
    bench.unit.order(SetOdometry(1.0, -2.0, 0.5))
    assert bench.unit.pose_estimate() == Pose(1.0, -2.0, heading_rad=0.5)


# ---- two ports


def test_a_second_client_on_another_port_neither_zeroes_odometry_nor_stops_the_motors_when_it_leaves() -> None:
    bench = Bench("pioneer")
    bench.unit.order(Session(True, "robot/host"))
    bench.unit.order(Enable(True))
    bench.unit.order(Vel(300))
    bench.step(2 * SECOND)
    far = bench.unit.odometry.x_m
    bench.unit.order(Session(True, "robot/second"))
    bench.unit.order(Session(False, "robot/second"))
    bench.step(SECOND)
    assert bench.unit.odometry.x_m > far > 0.1
    assert bench.unit.motors_on
    bench.unit.order(Session(False, "robot/host"))
    assert not bench.unit.motors_on
