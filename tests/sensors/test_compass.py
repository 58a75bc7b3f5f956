import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenes import model, robot, room
from sensors.scripted import Bench

from understudy.sensors.compass import Compass
from understudy.sensors.imperfection import AngleNoise
from understudy.sim.sim import Sim
from understudy.world.magnetism import declination_rad
from understudy.world.robot import DeviceSpec
from understudy.world.scene import Origin
from understudy.world.shapes import Mount

TRUE = Compass(north="true", noise=AngleNoise("perfect"))
SEAR = replace(TRUE, north_m=(100_000.0, 0.0), span="signed")
CHARLOTTE = Origin(35.31, -80.73, 200.0, date="2026-11-15T12:00:00")


def shown(sheet, heading=0.0, x=0.0, y=0.0, mount=None, origin=CHARLOTTE):
    device = DeviceSpec(name="it", sheet=sheet, mount=mount or Mount())
    sim = Sim(room(robot("scout", x, y, heading, model(devices=(device,))), origin=origin))
    return float(sim.robot("scout").read("it")[0])


@pytest.mark.parametrize(("heading_deg", "bearing"), [(90, 0), (0, 90), (-90, 180), (180, 270), (45, 45), (91, 359)])
def test_a_compass_counts_clockwise_from_north(heading_deg, bearing):
    assert shown(TRUE, math.radians(heading_deg)) == pytest.approx(bearing, abs=1e-8)


def test_north_is_where_the_scene_has_it():
    assert shown(TRUE, 0.3, origin=replace(CHARLOTTE, north_rad=0.3)) == 0.0


def test_magnetic_north_is_off_by_the_declination():
    """Late in 2026 the needle points 8.11 degrees west in Charlotte."""
    assert shown(replace(TRUE, north="magnetic"), math.pi / 2) == pytest.approx(8.11, abs=0.01)


def test_the_needle_follows_the_robot_over_the_map():
    sheet = replace(TRUE, north="magnetic", span="signed")
    bench = Bench(sheet, scene=room(origin=CHARLOTTE))
    far = bench.at(0, poses=[[0.0, 100_000.0, 0.0, 0.0, 0.0, math.pi / 2]])[0, 0]
    place = bench.around.frame.to_geo(0.0, 100_000.0, 0.0)
    assert far == pytest.approx(-math.degrees(declination_rad(*place, 2026.87)), abs=0.01)
    assert abs(far - 8.11) > 0.1


def test_a_scene_without_an_origin_has_no_declination():
    assert shown(replace(TRUE, north="magnetic"), 0.0, origin=None) == pytest.approx(90.0)


def test_a_fixed_direction_is_north():
    assert shown(replace(TRUE, north_rad=0.0), math.radians(-30)) == pytest.approx(30.0)


@pytest.mark.parametrize(("heading_deg", "bearing"), [(0, 0), (-90, 90), (90, -90), (179, -179), (180, 180)])
def test_a_far_point_is_north_as_in_sear(heading_deg, bearing):
    assert shown(SEAR, math.radians(heading_deg)) == pytest.approx(bearing, abs=1e-8)


def test_a_near_point_is_seen_from_where_the_robot_is():
    assert shown(replace(TRUE, north_m=(1.0, 1.0)), 0.0, x=0.0, y=0.0) == pytest.approx(45.0)
    assert shown(replace(TRUE, north_m=(1.0, 1.0)), 0.0, x=1.0, y=0.0) == pytest.approx(90.0)


def test_headings_may_be_radians():
    assert shown(replace(TRUE, unit="rad", span="signed"), math.pi) == pytest.approx(-math.pi / 2)
    assert replace(TRUE, unit="rad").columns() == ("heading_rad",)


def test_the_mount_turns_the_compass():
    assert shown(TRUE, math.pi / 2, mount=Mount(yaw_rad=-math.pi / 2)) == pytest.approx(90.0)


def test_a_tilted_robot_is_seen_from_above():
    tilted = Bench(TRUE).at(0, poses=[[0.0, 0.0, 0.0, 0.4, -0.5, math.pi / 2]])
    assert tilted[0, 0] == pytest.approx(0.0, abs=1e-8)


def test_iron_on_the_robot_errs_with_the_heading():
    iron = replace(TRUE, iron_rad=math.radians(5.0), noise=AngleNoise())
    assert shown(iron, math.pi / 2) == pytest.approx(0.0, abs=1e-8)
    assert shown(iron, 0.0) == pytest.approx(95.0)
    assert shown(iron, math.pi) == pytest.approx(265.0)


def test_perfect_means_that_there_is_no_iron():
    assert shown(replace(TRUE, iron_rad=0.1), 0.0) == pytest.approx(90.0)


@given(st.floats(-20.0, 20.0), st.sampled_from(["deg", "rad"]), st.sampled_from(["circle", "signed"]))
def test_a_heading_stays_in_its_span(angle, unit, span):
    out = np.array([[angle]])
    replace(TRUE, unit=unit, span=span).finish(None, out)
    circle = 360.0 if unit == "deg" else math.tau
    low, high = (0.0, circle) if span == "circle" else (-circle / 2, circle / 2)
    assert low <= out[0, 0] <= high
    assert out[0, 0] < circle
    assert math.cos(out[0, 0] * math.tau / circle) == pytest.approx(math.cos(angle), abs=1e-7)


@pytest.mark.parametrize("steps", range(-720, 1441, 120))
def test_whole_steps_stay_whole_and_a_full_circle_is_zero(steps):
    """HMC6352 programs read 3600 as an error: its range ends at 359.5."""
    out = np.array([[steps * math.radians(0.5)]])
    TRUE.finish(None, out)
    assert out[0, 0] == (steps % 720) / 2
