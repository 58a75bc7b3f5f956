"""The v-omega interface, on the real engine: where drives end, how speeds ramp, what blocks them."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest

import understudy as us
from understudy.robots.eyebot import orders
from understudy.robots.eyebot.odometry import WheelOdometry
from understudy.robots.eyebot.pilot import Pilot
from understudy.robots.eyebot.sheet import EyebotSheet
from understudy.world.motion import REST

ROOM = """
schema = 1
ground = {size_m = [6, 6], walled = true}
[[robot]]
name = "pip"
model = "s4"
"""
DRIVES = {
    "ahead": (orders.Straight(0.5, 0.3), (0.5, 0.0, 0.0)),
    "back": (orders.Straight(-0.2, 0.3), (-0.2, 0.0, 0.0)),
    "with a negative speed": (orders.Straight(0.2, -0.3), (0.2, 0.0, 0.0)),
    "left": (orders.Turn(math.pi / 2, 1.5), (0.0, 0.0, math.pi / 2)),
    "right": (orders.Turn(-math.pi / 4, 1.5), (0.0, 0.0, -math.pi / 4)),
    "quarter circle": (orders.Curve(0.5 * math.pi / 2, math.pi / 2, 0.2), (0.5, 0.5, math.pi / 2)),
    "curve back": (orders.Curve(-0.5 * math.pi / 2, math.pi / 2, 0.2), (-0.5, -0.5, math.pi / 2)),
    "to a point": (orders.DriveTo(0.4, 0.4, 0.3), (0.4, 0.4, math.pi / 2)),
    "to a point ahead": (orders.DriveTo(0.4, 0.0, 0.3), (0.4, 0.0, 0.0)),
}


@pytest.fixture
def sim():
    with us.load_text(ROOM) as made:
        yield made


def unit(sim):
    return sim.current.units["pip/eyebot"]


def finish(sim, command, most_s=20.0):
    """Give a command and wait for its end; returns the ticks that it took."""
    sim.robot("pip").order(command)
    sim.step()
    ticks = 1
    while unit(sim).pilot.driving and ticks < most_s * 200:
        sim.step()
        ticks += 1
    return ticks


@pytest.mark.parametrize(("command", "pose"), DRIVES.values(), ids=DRIVES)
def test_a_drive_ends_where_it_should(sim, command, pose):
    finish(sim, command)
    here = sim.robot("pip").pose
    assert (here.x_m, here.y_m, here.heading_rad) == pytest.approx(pose, abs=2e-4)
    assert unit(sim).stalled == 0


@pytest.mark.parametrize(("command", "pose"), DRIVES.values(), ids=DRIVES)
def test_odometry_agrees_with_the_true_pose_in_a_perfect_world(sim, command, pose):
    finish(sim, command)
    wheels = unit(sim).wheels
    assert (wheels.x_m, wheels.y_m, wheels.rad) == pytest.approx(pose, abs=2e-4)


def test_the_speed_rises_with_the_ramp_and_falls_before_the_end(sim):
    sim.robot("pip").order(orders.Straight(0.5, 0.4))
    speeds = []
    while not speeds or unit(sim).pilot.driving:
        sim.step()
        speeds.append(unit(sim).wheels.m_s)
    steps = [b - a for a, b in pairwise(speeds)]
    assert max(speeds) == pytest.approx(0.4, rel=1e-6)
    assert max(steps) <= unit(sim).sheet.ramp_m_s2 * 0.005 + 1e-9
    assert min(steps[:-1]) >= -unit(sim).sheet.ramp_m_s2 * 0.005 - 1e-6


def test_a_new_command_replaces_the_running_one(sim):
    sim.robot("pip").order(orders.Straight(5.0, 0.3))
    sim.run(1.0)
    finish(sim, orders.Turn(1.0, 1.0))
    assert sim.robot("pip").pose.x_m < 1.0
    assert sim.robot("pip").pose.heading_rad == pytest.approx(1.0, abs=1e-3)


def test_speeds_above_the_limit_are_reduced_without_a_word(sim):
    sim.robot("pip").order(orders.SetSpeed(5.0, 0.0))
    sim.run(2.0)
    assert unit(sim).wheels.m_s == pytest.approx(unit(sim).sheet.max_m_s)


@pytest.mark.parametrize("command", [orders.Straight(0.0, 0.3), orders.Straight(0.5, 0.0), orders.Turn(0.0, 1.0),
                                     orders.Turn(1.0, 0.0), orders.Curve(0.0, 1.0, 0.3)])  # fmt: skip
def test_a_drive_without_a_way_or_without_speed_has_ended_at_once(sim, command):
    assert finish(sim, command) == 1


def test_a_robot_at_a_wall_gives_up_and_reports_a_stall(sim):
    ticks = finish(sim, orders.Straight(9.0, 0.5))
    assert unit(sim).stalled == 3
    assert ticks * 0.005 < 8.0
    assert unit(sim).psd_mm()[0] < 60


def test_the_next_command_ends_a_stall(sim):
    finish(sim, orders.Straight(9.0, 0.5))
    finish(sim, orders.Straight(-0.1, 0.2))
    assert unit(sim).stalled == 0


@pytest.mark.parametrize("value", [1e6, -1e6, 1e-12])
def test_absurd_distances_stay_finite(value):
    pilot, sheet, wheels = Pilot(), EyebotSheet(), WheelOdometry()
    for command in (orders.Straight(value, 1e9), orders.Turn(value, value), orders.Curve(value, value, value),
                    orders.DriveTo(value, -value, value), orders.SetSpeed(value, value, value)):  # fmt: skip
        pilot.order(command, sheet, wheels)
        for _ in range(3):
            motion = pilot.tick(5000, sheet, wheels)
            assert abs(motion.ahead_m_s) <= sheet.max_m_s
            assert abs(motion.turn_rad_s) <= sheet.max_rad_s


def test_a_stopped_pilot_asks_for_nothing():
    pilot, sheet, wheels = Pilot(), EyebotSheet(), WheelOdometry()
    pilot.order(orders.SetSpeed(0.3, 0.0), sheet, wheels)
    pilot.tick(5000, sheet, wheels)
    pilot.stop()
    assert pilot.tick(5000, sheet, wheels) == REST


def test_what_remains_of_a_drive_counts_down(sim):
    sim.robot("pip").order(orders.Straight(-0.5, 0.2))
    sim.step(2)
    before = unit(sim).remaining_m
    sim.run(1.0)
    assert 0.0 < unit(sim).remaining_m < before <= 0.5


def test_a_sheet_with_slower_ramps_takes_longer(sim):
    quick = finish(sim, orders.Straight(0.3, 0.3))
    unit(sim).sheet = replace(unit(sim).sheet, ramp_m_s2=0.1)
    assert finish(sim, orders.Straight(0.3, 0.3)) > 1.5 * quick
