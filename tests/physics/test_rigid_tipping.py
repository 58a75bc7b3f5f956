"""When a robot falls over on a slope, against statics: half its stance over the height of its centre of gravity."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scenes import model, robot

from understudy.engines.rigid.engine import RigidEngine
from understudy.world.robot import Rectangle, Skid
from understudy.world.scene import Ground, Scene, Solid
from understudy.world.shapes import Box, Pose
from understudy.world.vehicle import Dynamics, Wheel

TOP_M = 3.0
NEAR_DEG = 1.0
# track and height of the centre of gravity (m), mass (kg): a LEGO robot, a Pioneer on stilts, a tall one, a cart
SIZES = [(0.1, 0.1, 0.5), (0.4, 0.4, 9.0), (0.4, 0.8, 9.0), (0.4, 0.2, 9.0), (1.0, 1.0, 60.0)]
STILL = np.zeros((1, 3))


def rover(track, high, mass):
    places = [(x * track / 2, y * track / 2) for x in (1, -1) for y in (1, -1)]
    wheels = tuple(Wheel(name=f"w{n}", x_m=x, y_m=y, friction=2.0) for n, (x, y) in enumerate(places))
    return model(
        devices=(), body=Rectangle(track, 0.9 * track, height_m=1.2 * high, mass_kg=mass), wheels=wheels,
        drive=Skid(track, wheel_radius_m=track / 4), dynamics=Dynamics(cog_m=(0.0, 0.0, high)),
    )  # fmt: skip


def limit_deg(track, high):
    return math.degrees(math.atan(track / 2 / high))


def falls(parts, degrees, axis, substep_us=0):
    """Say whether a robot falls over that is put on a slope, which goes down to its side or ahead of it."""
    angle = math.radians(degrees)
    turn = {"roll_rad": angle} if axis == "roll" else {"pitch_rad": angle}
    low = (0.0, math.sin(angle)) if axis == "roll" else (-math.sin(angle), 0.0)
    slope = Solid(
        name="slope", shape=Box((8.0, 8.0, 1.0)), friction=2.0, pose=Pose(*low, TOP_M - math.cos(angle), **turn)
    )
    put = replace(robot("rover", parts=parts), place=Pose(0.0, 0.0, TOP_M, **turn))
    engine = RigidEngine(
        Scene(name="slope", ground=Ground((50.0, 50.0)), objects=(slope,), robots=(put,), substep_us=substep_us)
    )
    for _ in range(600):
        engine.step(STILL)
        if engine.poses()[0, 3 if axis == "roll" else 4] - angle > 0.3:
            return True
    return False


@pytest.mark.parametrize("axis", ["roll", "pitch"])
@pytest.mark.parametrize(("track", "high", "mass"), SIZES)
def test_a_robot_that_is_put_on_a_slope_falls_over_where_statics_say_so(track, high, mass, axis):
    limit, parts = limit_deg(track, high), rover(track, high, mass)
    assert not falls(parts, limit - NEAR_DEG, axis)
    assert falls(parts, limit + 0.3, axis)


@pytest.mark.parametrize("substep_us", [1_000, 5_000])
def test_other_substeps_change_little_of_that(substep_us):
    parts, limit = rover(0.4, 0.4, 9.0), limit_deg(0.4, 0.4)
    assert not falls(parts, limit - NEAR_DEG, "roll", substep_us)
    assert falls(parts, limit + 0.3, "roll", substep_us)


@pytest.mark.parametrize(("track", "high", "mass"), SIZES)
def test_on_ground_that_leans_slowly_a_robot_lifts_its_upper_wheels_where_statics_say_so(track, high, mass):
    put = robot("rover", parts=rover(track, high, mass))
    engine = RigidEngine(Scene(name="table", ground=Ground((50.0, 50.0), friction=2.0), robots=(put,)))
    degrees = 0.0
    while (engine._vehicles.wheels["bears"][[0, 2]] > 0.0).all() or degrees < 1.0:
        degrees += 0.01
        angle = math.radians(degrees)
        engine._model.mj.opt.gravity[:] = 0.0, -9.81 * math.sin(angle), -9.81 * math.cos(angle)
        engine.step(STILL)
    assert degrees == pytest.approx(limit_deg(track, high), abs=NEAR_DEG)


@pytest.mark.parametrize("axis", ["roll", "pitch"])
def test_a_robot_that_is_put_on_a_slope_stands_still_at_once(axis):
    angle = math.radians(20.0)
    turn = {"roll_rad": angle} if axis == "roll" else {"pitch_rad": angle}
    low = (0.0, math.sin(angle)) if axis == "roll" else (-math.sin(angle), 0.0)
    slope = Solid(
        name="slope", shape=Box((8.0, 8.0, 1.0)), friction=1.0, pose=Pose(*low, TOP_M - math.cos(angle), **turn)
    )
    put = replace(robot("scout", parts=model(devices=())), place=Pose(0.0, 0.0, TOP_M, **turn))
    engine = RigidEngine(Scene(name="slope", objects=(slope,), robots=(put,)))
    fastest = 0.0
    for _ in range(200):
        engine.step(STILL)
        fastest = max(fastest, float(np.abs(engine.twists()[0, :3]).max()))
    assert fastest < 0.01
