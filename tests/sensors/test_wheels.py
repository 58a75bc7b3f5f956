"""Encoders, odometers and odometry: closed forms without error, statistics with it."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenes import model, robot, room
from sensors.scripted import Bench

from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.odometry import MOBILESIM, WheelError, reckoned
from understudy.sensors.wheels import Encoders, Odometer, Odometry
from understudy.sim.sim import Sim
from understudy.world.robot import Ackermann, DeviceSpec, Differential, Omni

EXACT = Odometry(error=WheelError())
TRACK = 0.3


def driven(sheet, *motions, drive=None, heading=0.0):
    """Return the simulation and the last reading after (seconds, m/s, rad/s, m/s sideways) each."""
    drive = drive or Differential(TRACK, max_m_s=1.0, max_rad_s=3.0)
    parts = model(devices=(DeviceSpec(name="it", sheet=sheet),), drive=drive)
    sim = Sim(room(robot("scout", 1.0, -1.0, heading, parts), width=60.0, depth=60.0))
    for seconds, *motion in motions:
        sim.robot("scout").drive(*motion)
        sim.run(seconds)
    return sim, sim.robot("scout").read("it")


def rolled(sheet, *travels, count=1, step_us=100_000, seed=1):
    """Return the readings after the wheels have rolled so far (left, right, sideways)."""
    bench = Bench(sheet, count=count, seed=seed)
    return [bench.at(k * step_us, travel=travel) for k, travel in enumerate([(0.0, 0.0, 0.0), *travels])]


# ---- encoders


def test_encoders_count_whole_ticks():
    sheet = Encoders(ticks_per_m=100.0)
    assert rolled(sheet, (1.2349, -1.2349, 0.0049))[-1][0, :3] == pytest.approx([1.23, -1.24, 0.0])


def test_a_create_counts_508_8_ticks_in_a_turn_of_its_wheel():
    turn = math.pi * 0.072
    per_m = 508.8 / turn
    reading = rolled(Encoders(ticks_per_m=per_m), (turn, turn, 0.0))[-1][0]
    assert round(reading[0] * per_m) == 508


def test_a_wheel_that_is_too_small_is_counted_too_long():
    sheet = Encoders(error=WheelError(share=(0.01, -0.02, 0.0)))
    assert rolled(sheet, (10.0, 10.0, 0.0))[-1][0, :3] == pytest.approx([10.1, 9.8, 0.0])


def test_shares_of_motion_are_those_of_mobilesim():
    """Ahead, turn and sideways each have their own."""
    sheet = Encoders(error=WheelError(of="motion", share=(0.01, -0.02, 0.03)))
    left, right, side, _ = rolled(sheet, (1.0, 3.0, 2.0))[-1][0]
    assert ((left + right) / 2, (right - left) / 2, side) == pytest.approx((2.02, 0.98, 2.06))


def test_an_error_is_for_good_when_the_robot_comes_back():
    sheet = Encoders(error=WheelError(spread_m=0.01))
    out, back = (reading[0, 0] for reading in rolled(sheet, (5.0, 5.0, 0.0), (0.0, 0.0, 0.0))[1:])
    assert out != 5.0
    assert back != 0.0


def test_perfect_counts_the_true_path():
    sheet = Encoders(error=WheelError(share=(0.1, 0.1, 0.1), random=0.1, spread_m=0.1), noise=LengthNoise("perfect"))
    assert rolled(sheet, (7.0, 8.0, 1.0))[-1][0, :3].tolist() == [7.0, 8.0, 1.0]


def test_shares_are_drawn_once_within_their_limits():
    sheet = Encoders(error=WheelError(random=0.0075))
    first, second = (reading[:, :3] for reading in rolled(sheet, (1, 1, 1), (2, 2, 2), count=400)[1:])
    assert second - first == pytest.approx(first)
    shares = (first - 1.0) / 0.0075
    assert np.abs(shares).max() <= 1.0
    assert shares.mean() == pytest.approx(0.0, abs=4 * (1 / 3 / shares.size) ** 0.5)
    assert shares.var() == pytest.approx(1 / 3, abs=0.04)
    assert np.abs(np.corrcoef(shares.T) - np.eye(3)).max() < 0.2


def test_shares_may_be_drawn_anew_for_every_sample():
    sheet = Encoders(error=replace(MOBILESIM, drawn="always"))
    first, second = (reading[0, 0] for reading in rolled(sheet, (1, 1, 0), (2, 2, 0))[1:])
    assert second - first != pytest.approx(first)


@pytest.mark.parametrize("steps", [1, 10, 50])
def test_the_spread_grows_with_the_root_of_the_path_however_often_it_is_sampled(steps):
    sheet = Encoders(error=WheelError(spread_m=0.01))
    path = [(4.0 * k / steps,) * 3 for k in range(1, steps + 1)]
    errors = rolled(sheet, *path, count=600)[-1][:, :3] - 4.0
    assert errors.std() == pytest.approx(0.02, rel=0.08)
    assert abs(errors.mean()) < 4 * 0.02 / errors.size**0.5


def test_another_seed_has_other_errors_and_the_same_seed_the_same():
    sheet = Encoders(error=WheelError(random=0.01, spread_m=0.01))
    one, again, other = (rolled(sheet, (3.0, 3.0, 0.0), seed=seed)[-1].tolist() for seed in (1, 1, 2))
    assert one == again
    assert one != other


# ---- the odometer


def test_an_odometer_counts_both_directions():
    _, reading = driven(Odometer(), (3.0, 0.5), (1.0, 0.0), (2.0, -0.5), (1.0, 0.0))
    sim, _ = driven(Odometer(), (3.0, 0.5), (1.0, 0.0))
    out = sim.robot("scout").pose.x_m - 1.0
    assert reading[1] == pytest.approx(2 * out - reading[0])
    assert 0.4 < reading[0] < 0.6


def test_a_turn_on_the_spot_is_no_distance():
    assert driven(Odometer(), (3.0, 0.0, 1.0))[1] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_what_is_slower_than_the_dead_band_is_not_counted():
    sheet = Odometer(dead_band_m_s=0.02)
    assert driven(sheet, (5.0, 0.01))[1].tolist() == [0.0, 0.0]
    assert driven(sheet, (5.0, 0.03))[1][0] == pytest.approx(0.15, rel=0.02)


def test_sears_odometer_begins_anew_after_32767_mm():
    sheet = Odometer(again_at_m=32.767)
    reading = rolled(sheet, (40.0, 40.0, 0.0))[-1][0]
    assert reading == pytest.approx([40.0 - 32.767, 40.0])
    assert rolled(sheet, (-40.0, -40.0, 0.0))[-1][0] == pytest.approx([32.767 - 40.0, 40.0])


# ---- odometry


def test_odometry_begins_at_zero_wherever_the_robot_stands():
    assert driven(EXACT, heading=1.0)[1].tolist() == [0.0] * 6


@pytest.mark.parametrize("period_us", [0, 100_000])
@pytest.mark.parametrize(
    ("drive", "motion"),
    [
        (Differential(TRACK, max_m_s=1.0, max_rad_s=3.0), (0.5, 1.2)),
        (Omni(track_m=0.4), (0.3, 0.7, 0.4)),
        (Ackermann(wheelbase_m=0.4, max_m_s=1.0), (0.8, 0.5)),
    ],
)
def test_without_error_the_wheels_know_where_the_robot_is(drive, motion, period_us):
    heading = 0.6
    sim, reading = driven(replace(EXACT, period_us=period_us), (4.0, *motion), drive=drive, heading=heading)
    pose = sim.robot("scout").pose
    dx, dy, cos, sin = pose.x_m - 1.0, pose.y_m + 1.0, math.cos(heading), math.sin(heading)
    assert reading[0] == pytest.approx(cos * dx + sin * dy, abs=2e-3)
    assert reading[1] == pytest.approx(cos * dy - sin * dx, abs=2e-3)
    assert math.remainder(reading[2] - pose.heading_rad + heading, math.tau) == pytest.approx(0.0, abs=1e-9)
    assert reading[3:5] == pytest.approx(motion[:2])


@given(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0), st.floats(-9.0, 9.0), st.floats(-3.0, 3.0))
def test_a_long_arc_is_many_short_ones(ahead, side, turn, heading):
    start, track = np.array([[1.0, 2.0, heading]]), np.array([TRACK])
    step = np.array([[ahead - turn * TRACK / 2, ahead + turn * TRACK / 2, side]])
    long, many = reckoned(start, step, track), start
    for _ in range(32):
        many = reckoned(many, step / 32, track)
    assert many[0, :2] == pytest.approx(long[0, :2], abs=1e-9)
    assert math.remainder(many[0, 2] - long[0, 2], math.tau) == pytest.approx(0.0, abs=1e-9)


def test_a_wheel_share_bends_a_straight_path_into_an_arc():
    sheet = Odometry(error=WheelError(share=(0.0, 0.01, 0.0)))
    x, y, heading, *_ = rolled(sheet, (10.0, 10.0, 0.0))[-1][0]
    turn = 0.1 / TRACK
    radius = 10.05 / turn
    assert heading == pytest.approx(turn)
    assert (x, y) == pytest.approx((radius * math.sin(turn), radius * (1 - math.cos(turn))))


def test_headings_may_be_degrees():
    sheet = replace(EXACT, unit="deg")
    reading = driven(sheet, (1.0, 0.0, 0.5))[1]
    assert reading[2] == pytest.approx(math.degrees(0.5), abs=1.0)
    assert reading[4] == pytest.approx(math.degrees(0.5))
    assert sheet.columns()[2:5] == ("heading_deg", "speed_m_s", "turn_deg_s")


def test_a_drag_goes_unnoticed():
    from understudy.world.changes import Move
    from understudy.world.shapes import Pose

    sim, before = driven(EXACT, (1.0, 0.5), (1.0, 0.0))
    sim.post(Move("scout", Pose(5.0, 5.0, heading_rad=2.0)))
    sim.run(0.5)
    assert sim.robot("scout").read("it") == pytest.approx(before)


def test_by_default_the_place_is_wrong_by_some_percent_of_the_path():
    straight = [(0.1 * k, 0.1 * k, 0.0) for k in range(1, 101)]
    places = rolled(Odometry(), *straight, count=200)[-1][:, :2]
    off = np.hypot(places[:, 0] - 10.0, places[:, 1])
    assert 0.05 < np.median(off) < 0.5
