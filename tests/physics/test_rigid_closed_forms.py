"""Bodies on the rigid engine against what a textbook says."""

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from scenes import box, model, robot, room

from understudy.engines.rigid.engine import RigidEngine
from understudy.world.scene import Ball, Ground, Scene, Solid
from understudy.world.shapes import Box, Pose

G = 9.81
NOBODY = np.zeros((0, 3))


def scene(*objects, balls=(), robots=(), **ground):
    ground = Ground((100.0, 100.0), **ground)
    return Scene(name="bench", ground=ground, objects=objects, balls=balls, robots=robots)


def run(engine, seconds, *targets):
    rows = np.array(targets, np.float64).reshape(-1, 3)
    for _ in range(round(seconds / 0.005)):
        engine.step(rows)


def shoved(engine, speed, row=0):
    """Give the only thing of an engine a speed along x."""
    state = engine.state()
    state["speed"][6 * row] = speed
    engine.restore(state)
    return engine


def place(engine):
    return engine.movables()[1][0].copy()


def energy(engine):
    """Return the mechanical energy of all bodies (J)."""
    for find in (mujoco.mj_fwdPosition, mujoco.mj_energyPos, mujoco.mj_energyVel):
        find(engine._model.mj, engine._data)
    return float(engine._data.energy.sum())


def on_slope(angle, friction):
    """Return a crate on a long slope, which rises along x."""
    top = 12.0
    slope = Solid(
        name="slope", shape=Box((40.0, 4.0, 1.0)), friction=0.1,
        pose=Pose(math.sin(angle), 0.0, top - math.cos(angle), pitch_rad=-angle),
    )  # fmt: skip
    crate = Solid(
        name="crate", shape=Box((0.4, 0.4, 0.1)), mass_kg=2.0, friction=friction, pose=Pose(0.0, 0.0, top, 0.0, -angle)
    )
    return RigidEngine(scene(slope, crate))


def test_what_lies_on_a_slope_below_the_limit_of_friction_stays():
    engine = on_slope(math.radians(20.0), math.tan(math.radians(22.0)))
    run(engine, 1.0)
    before = place(engine)
    run(engine, 1.0)
    assert np.linalg.norm(place(engine)[:3] - before[:3]) < 1e-3


def test_what_lies_on_a_steeper_slope_slides_down_as_friction_lets_it():
    angle, friction = math.radians(30.0), 0.3
    engine = on_slope(angle, friction)
    run(engine, 0.5)
    first = place(engine)
    run(engine, 0.5)
    second = place(engine)
    run(engine, 0.5)
    gained = np.linalg.norm(place(engine)[:3] - second[:3]) - np.linalg.norm(second[:3] - first[:3])
    assert gained / 0.5**2 == pytest.approx(G * (math.sin(angle) - friction * math.cos(angle)), rel=0.03)


def test_a_crate_that_slides_comes_to_rest_after_v_squared_by_two_mu_g():
    crate = Solid(name="crate", shape=Box((0.4, 0.4, 0.1)), mass_kg=2.0, friction=0.4)
    engine = shoved(RigidEngine(scene(crate)), 3.0)
    run(engine, 2.0)
    assert place(engine)[0] == pytest.approx(3.0**2 / (2 * 0.4 * G), rel=0.03)


def test_a_ball_that_rolls_is_slowed_by_its_rolling_friction():
    ball = Ball(name="ball", radius_m=0.1, rolling_friction=0.05)
    engine = RigidEngine(scene(balls=(ball,)))
    state = engine.state()
    state["speed"][[0, 4]] = 2.0, 2.0 / 0.1  # it rolls from the beginning
    engine.restore(state)
    run(engine, 1.0)
    assert place(engine)[0] == pytest.approx(2.0 - 0.05 * G / 2, rel=0.02)


@pytest.mark.parametrize("bounce", [0.0, 0.5, 0.9])
def test_a_ball_comes_back_from_a_wall_with_its_share_of_the_speed(bounce):
    ball = Ball(name="ball", radius_m=0.1, rolling_friction=0.0, bounce=bounce, pose=Pose(0.0, 0.0, 1.0))
    wall = Solid(name="wall", shape=Box((0.2, 4.0, 4.0)), pose=Pose(0.5))
    engine = RigidEngine(Scene(name="shot", gravity_m_s2=0.0, objects=(wall,), balls=(ball,)))
    shoved(engine, 2.0)
    run(engine, 0.4)
    assert -engine.state()["speed"][0] / 2.0 == pytest.approx(bounce, abs=0.06)


def test_energy_never_grows():
    boxes = [
        Solid(name=f"box-{k}", shape=Box((0.3, 0.3, 0.3)), mass_kg=1.0, pose=Pose(0.1 * k, 0.07 * k, 0.4 * k, 0.3 * k))
        for k in range(4)
    ]
    engine = RigidEngine(scene(*boxes, balls=(Ball(name="ball", bounce=0.8, pose=Pose(0.0, 0.1, 2.0)),)))
    energies = [energy(engine)]
    for _ in range(300):
        engine.step(NOBODY)
        energies.append(energy(engine))
    assert max(energies) <= energies[0] * (1 + 1e-9), "springs of contacts give back at most what they took"
    assert energies[-1] < 0.6 * energies[0]


def test_a_robot_that_accelerates_on_a_plank_pushes_it_back():
    plank = Solid(name="plank", shape=Box((4.0, 1.0, 0.1)), mass_kg=5.0, friction=1.0, pose=Pose(z_m=0.1))
    places = [Pose(x, y) for x in (-1.0, 1.0) for y in (-0.4, 0.4)]
    rollers = [Ball(f"ball-{k}", 0.05, 0.01, pose, rolling_friction=0.0, bounce=0.0) for k, pose in enumerate(places)]
    rider = replace(robot("rider", parts=model(devices=())), place=Pose(0.0, 0.0, 0.2))
    engine = RigidEngine(scene(plank, balls=tuple(rollers), robots=(rider,)))
    run(engine, 0.3, (0.0, 0.0, 0.0))
    run(engine, 0.5, (0.5, 0.0, 0.0))
    ahead, back = engine.twists()[0, 0], engine.state()["speed"][4 * 6]
    assert ahead - back == pytest.approx(0.5, abs=0.01)
    assert ahead == pytest.approx(-back, abs=0.03), "they weigh the same: what one gets the other loses"


def test_a_robot_climbs_a_ramp_and_feels_its_slope():
    angle = math.radians(12.0)
    ramp = Solid(
        name="ramp", shape=Box((8.0, 3.0, 0.5)), friction=1.0,
        pose=Pose(4.5, 0.0, 4 * math.sin(angle) - 0.5 * math.cos(angle) - 0.002, pitch_rad=-angle),
    )  # fmt: skip
    engine = RigidEngine(scene(ramp, robots=(robot("a", parts=model(devices=())),)))
    run(engine, 6.0, (0.5, 0.0, 0.0))
    assert engine.poses()[0, 4] == pytest.approx(-angle, abs=0.01)
    assert math.hypot(*engine.twists()[0, :3]) == pytest.approx(0.5, rel=0.01)
    assert engine.poses()[0, 2] > 0.2


def test_a_robot_stalls_against_a_wall_and_its_wheels_stand_still():
    engine = RigidEngine(room(robot("a", 2.0, parts=model(devices=()))))
    run(engine, 3.0, (1.0, 0.0, 0.0))
    rolled = engine.travel()[0].copy()
    run(engine, 1.0, (1.0, 0.0, 0.0))
    assert engine.stalled()[0]
    assert engine.travel()[0] == pytest.approx(rolled, abs=1e-3)


def test_a_robot_pushes_a_light_crate_and_not_a_heavy_one():
    for mass, pushed in ((1.0, True), (200.0, False)):
        engine = RigidEngine(
            room(robot("a", -1.0, parts=model(devices=())), objects=(box("crate", 0.0, mass_kg=mass),))
        )
        run(engine, 3.0, (0.4, 0.0, 0.0))
        assert (place(engine)[0] > 0.2) == pushed
