"""Accelerometers and gyros against closed forms."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import model, robot, room
from sensors.scripted import MIDDLE, Bench

from understudy.sensors.attitude import places
from understudy.sensors.imperfection import AccelerationNoise, RateNoise
from understudy.sensors.inertial import STANDARD_GRAVITY_M_S2, Accelerometer, Gyro
from understudy.sensors.memory import low_pass
from understudy.sim.sim import Sim
from understudy.world.robot import Ackermann, DeviceSpec, Differential, Omni
from understudy.world.rotations import rotation, turns_of
from understudy.world.shapes import Mount

FREE = Accelerometer(gravity=False, bandwidth_hz=0.0, noise=AccelerationNoise("perfect"))
HEAVY = replace(FREE, gravity=True)
RATE = Gyro(bandwidth_hz=0.0, noise=RateNoise("perfect"))
DRIVE = Differential(0.3, max_m_s=2.0, max_rad_s=6.0, accel_m_s2=1.5, accel_rad_s2=4.0)


def carried(sheet, mount=MIDDLE, drive=DRIVE, heading=0.0, **extra):
    parts = model(devices=(DeviceSpec(name="it", sheet=sheet, mount=mount),), drive=drive)
    return Sim(room(robot("scout", heading=heading, parts=parts), width=60.0, depth=60.0, **extra))


def after(sim, seconds, *motion):
    sim.robot("scout").drive(*motion)
    sim.run(seconds)
    return sim.robot("scout").read("it")


# ---- the accelerometer's truth


def test_an_accelerometer_at_rest_feels_the_weight_that_holds_it_up():
    assert carried(HEAVY).robot("scout").read("it") == pytest.approx([0.0, 0.0, 9.81])


def test_without_gravity_it_shows_nothing_at_rest():
    assert carried(FREE).robot("scout").read("it").tolist() == [0.0, 0.0, 0.0]


def test_the_scenes_gravity_counts():
    assert carried(HEAVY, gravity_m_s2=1.62).robot("scout").read("it")[2] == pytest.approx(1.62)


@pytest.mark.parametrize("period_us", [0, 10_000, 100_000])
def test_it_feels_a_steady_acceleration(period_us):
    sim = carried(replace(FREE, period_us=period_us), heading=0.7)
    assert after(sim, 0.4, 2.0) == pytest.approx([1.5, 0.0, 0.0], abs=1e-9)


def test_it_feels_braking_backwards():
    sim = carried(FREE)
    after(sim, 2.0, 1.0)
    assert after(sim, 0.2, 0.0) == pytest.approx([-1.5, 0.0, 0.0], abs=1e-9)


@pytest.mark.parametrize("period_us", [0, 10_000, 100_000])
def test_spinning_on_the_spot_pulls_the_mount_to_the_middle(period_us):
    sim = carried(replace(FREE, period_us=period_us), Mount(x_m=0.2, y_m=-0.1))
    assert after(sim, 2.0, 0.0, 3.0) == pytest.approx([-9.0 * 0.2, 9.0 * 0.1, 0.0], abs=1e-9)


def test_beginning_to_spin_pushes_the_mount_aside():
    sim = carried(FREE, Mount(x_m=0.2, y_m=-0.1))
    spin = 4.0 * 0.5
    felt = after(sim, 0.5, 0.0, 6.0)
    assert felt == pytest.approx([4.0 * 0.1 - spin**2 * 0.2, 4.0 * 0.2 + spin**2 * 0.1, 0.0], abs=1e-9)


@pytest.mark.parametrize("period_us", [0, 100_000])
def test_driving_a_circle_pulls_to_its_centre(period_us):
    sim = carried(replace(FREE, period_us=period_us))
    assert after(sim, 3.0, 1.2, 2.0) == pytest.approx([0.0, 1.2 * 2.0, 0.0], abs=1e-9)


def test_a_car_feels_its_curve_where_the_driver_sits():
    drive = Ackermann(wheelbase_m=0.5, max_m_s=2.0, max_rad_s=1.0, accel_m_s2=4.0, accel_rad_s2=50.0)
    sim = carried(FREE, Mount(x_m=0.5), drive=drive)
    assert after(sim, 3.0, 2.0, 0.8) == pytest.approx([-(0.8**2) * 0.5, 2.0 * 0.8, 0.0], abs=1e-9)


def test_a_body_that_slides_sideways_feels_it_to_the_left():
    sim = carried(FREE, drive=Omni(accel_m_s2=1.5))
    assert after(sim, 0.4, 0.0, 0.0, 1.0) == pytest.approx([0.0, 1.5, 0.0], abs=1e-9)


@pytest.mark.parametrize(
    ("mount", "felt"),
    [
        (Mount(yaw_rad=math.pi / 2), [0.0, -1.5, 9.81]),
        (Mount(roll_rad=math.pi), [1.5, 0.0, -9.81]),
        (Mount(pitch_rad=-math.pi / 2), [9.81, 0.0, -1.5]),
    ],
)
def test_the_axes_are_those_of_the_mount(mount, felt):
    assert after(carried(HEAVY, mount), 0.4, 2.0) == pytest.approx(felt, abs=1e-9)


def test_a_robot_that_lies_on_its_side_feels_gravity_there():
    felt = Bench(HEAVY).at(0, poses=[[0.0, 0.0, 0.0, math.pi / 6, 0.0, 1.0]])[0]
    assert felt == pytest.approx([0.0, 9.81 * 0.5, 9.81 * math.cos(math.pi / 6)])


def wild(t):
    """Return a pose that moves and turns in all six ways."""
    return np.array([
        math.sin(t), 0.5 * math.cos(2 * t), 0.2 * math.sin(3 * t),
        0.3 * math.sin(2 * t), 0.4 * math.cos(t), t + 0.3 * math.sin(t),
    ])  # fmt: skip


def twist(t, h=1e-5):
    turn = (turns_of(np.array([wild(t + h)])) - turns_of(np.array([wild(t - h)])))[0] / (2 * h)
    spin = turn @ turns_of(np.array([wild(t)]))[0].T
    speed = (wild(t + h) - wild(t - h))[:3] / (2 * h)
    return np.array([*speed, spin[2, 1], spin[0, 2], spin[1, 0]])


def test_in_any_motion_it_feels_what_the_path_of_its_mount_says():
    """The path of the mount through the world, differentiated twice, plus gravity, seen along the mount's axes."""
    mount, h, end = Mount(0.3, -0.2, 0.5, 0.4, -0.3, 0.8), 1e-4, 0.8
    bench = Bench(replace(HEAVY, period_us=100), mount)
    for k in range(3):
        t = end + (k - 2) * 1e-4
        felt = bench.at(k * 100, poses=[wild(t)], twists=[twist(t)])[0]
    path = [places(np.array([wild(t)]), mount)[0] for t in (end - h, end, end + h)]
    force = (path[0] - 2 * path[1] + path[2]) / h**2 + [0.0, 0.0, 9.81]
    axes = turns_of(np.array([wild(end)]))[0] @ rotation(mount)
    assert felt == pytest.approx(force @ axes, abs=2e-3)


def test_in_any_motion_a_gyro_shows_the_spin_in_its_own_axes():
    mount = Mount(0.3, -0.2, 0.5, 0.4, -0.3, 0.8)
    shown = Bench(RATE, mount).at(0, poses=[wild(0.8)], twists=[twist(0.8)])[0]
    axes = turns_of(np.array([wild(0.8)]))[0] @ rotation(mount)
    assert shown == pytest.approx(twist(0.8)[3:] @ axes)


def test_the_readings_of_a_sample_add_up_to_the_speed():
    sim = carried(replace(FREE, period_us=100_000))
    sim.robot("scout").drive(0.77)
    gained = 0.0
    for _ in range(20):
        sim.run(0.1)
        gained += sim.robot("scout").read("it")[0] * 0.1
    assert gained == pytest.approx(0.77)


# ---- what the device makes of it


def test_axes_can_be_chosen():
    sim = carried(replace(HEAVY, axes="xz"))
    assert sim.robot("scout").read("it") == pytest.approx([0.0, 9.81])
    assert replace(HEAVY, axes="xz").columns() == ("x_m_s2", "z_m_s2")


def test_the_unit_of_an_acceleration_may_be_g():
    sheet = replace(HEAVY, unit="g")
    assert carried(sheet).robot("scout").read("it")[2] == pytest.approx(9.81 / STANDARD_GRAVITY_M_S2)
    assert sheet.columns() == ("x_g", "y_g", "z_g")


def test_nothing_beyond_the_full_scale_is_reported():
    sheet = replace(HEAVY, range_m_s2=5.0)
    assert after(carried(sheet, Mount(x_m=1.0)), 2.0, 0.0, 6.0) == pytest.approx([-5.0, 0.0, 5.0], abs=1e-9)


def test_an_accelerometers_bandwidth_slows_a_step_of_acceleration():
    band = 5.0
    sim = carried(replace(FREE, bandwidth_hz=band, period_us=0))
    felt = after(sim, 0.1, 2.0)[0]
    assert felt == pytest.approx(1.5 * (1.0 - math.exp(-2 * math.pi * band * 0.1)))


def test_the_rate_of_sampling_does_not_change_the_filter():
    def felt(period_us):
        return after(carried(replace(FREE, bandwidth_hz=2.0, period_us=period_us)), 0.4, 2.0)[0]

    assert felt(0) == pytest.approx(felt(50_000)) == pytest.approx(felt(100_000))


@settings(max_examples=50, deadline=None)
@given(st.floats(0.1, 100.0), st.floats(0.001, 1.0), st.floats(-5, 5), st.floats(-5, 5), st.floats(-5, 5))
def test_a_filter_over_one_long_step_is_that_over_many_short_ones(band, time, value, begin, end):
    ends = np.linspace(begin, end, 11)
    slow = low_pass(np.array([[value]]), np.array([[begin]]), np.array([[end]]), band, np.array([time]))
    state = np.array([[value]])
    for one, other in pairwise(ends):
        state = low_pass(state, np.array([[one]]), np.array([[other]]), band, np.array([time / 10]))
    assert state == pytest.approx(slow, abs=1e-6)


# ---- the gyro


def test_a_gyro_shows_the_rate_of_turn():
    assert after(carried(RATE), 2.0, 0.5, -1.25) == pytest.approx([0.0, 0.0, -1.25])


def test_a_gyro_may_report_degrees():
    sheet = replace(RATE, unit="deg_s", axes="z")
    assert after(carried(sheet), 2.0, 0.0, 2.0) == pytest.approx([math.degrees(2.0)])
    assert sheet.columns() == ("z_deg_s",)


def test_a_gyro_that_lies_on_its_side_turns_about_its_own_axes():
    assert after(carried(RATE, Mount(roll_rad=math.pi / 2)), 2.0, 0.0, 2.0) == pytest.approx([0.0, 2.0, 0.0], abs=1e-9)


def test_a_gyro_saturates():
    sheet = replace(RATE, range_rad_s=1.0)
    assert after(carried(sheet), 3.0, 0.0, -3.0) == pytest.approx([0.0, 0.0, -1.0])


def test_a_gyros_bandwidth_makes_it_trail_a_ramp():
    """After its start a first-order filter follows a ramp late by its time constant."""
    band, ramp = 5.0, 4.0
    sim = carried(replace(RATE, bandwidth_hz=band, period_us=0))
    assert after(sim, 1.0, 0.0, 6.0)[2] == pytest.approx(ramp * (1.0 - 1 / (2 * math.pi * band)), abs=1e-6)
