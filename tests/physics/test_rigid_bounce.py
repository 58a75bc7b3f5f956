"""What a ball gives back on the rigid engine, against the number that its scene asks for."""

import math

import mujoco
import numpy as np
import pytest
from scenes import model, robot

from understudy.engines.rigid.bouncing import leaving
from understudy.engines.rigid.engine import RigidEngine
from understudy.world.robot import Rectangle, Skid
from understudy.world.scene import Ball, Ground, Heights, Scene, Solid
from understudy.world.shapes import Box, Pose
from understudy.world.vehicle import Dynamics

G = 9.81
EVERY = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
HEIGHTS_M = (0.02, 0.3, 1.0, 4.0)
NEAR = 0.005  # of the share that comes back


def engine_of(*balls, substep_us=2_500, **given):
    given = {"ground": Ground((100.0, 100.0)), "tick_us": 5_000, **given}
    return RigidEngine(Scene(name="bench", substep_us=substep_us, balls=balls, **given))


def ball(name="ball", x=0.0, z=0.0, **given):
    return Ball(name=name, rolling_friction=0.0, pose=Pose(x, 0.0, z), **given)


def step(engine):
    engine.step(np.zeros((len(engine.poses()), 3)))


def heights(engine, seconds, row=0):
    found = []
    for _ in range(round(seconds / 0.005)):
        step(engine)
        found.append(engine.movables()[1][row, 2])
    return np.array(found)


def energy(engine):
    """Return the mechanical energy of all bodies (J)."""
    for find in (mujoco.mj_fwdPosition, mujoco.mj_energyPos, mujoco.mj_energyVel):
        find(engine._model.mj, engine._data)
    return float(engine._data.energy.sum())


def sped(engine, *speeds):
    state = engine.state()
    for row, speed in enumerate(speeds):
        state["speed"][6 * row : 6 * row + 3] = speed
    engine.restore(state)
    return engine


def given_back(engine, height):
    """Return the root of the share of its height to which the only ball of an engine would come back."""
    at, move = (int(engine._model.bodies[name][-1]) for name in ("at", "move"))
    speeds = [0.0]
    while len(speeds) < 1_000 and (len(speeds) < 2 or speeds[-1] <= speeds[-2]):  # it falls
        step(engine)
        speeds.append(engine._data.qvel[move + 2])
    now = speeds[-1]
    return math.sqrt(max(engine._data.qpos[at + 2] - 0.11 + now * now / (2.0 * G), 0.0) / height)


@pytest.mark.parametrize("substep_us", [1_000, 2_500])
@pytest.mark.parametrize("bounce", EVERY)
def test_a_ball_that_is_dropped_comes_back_as_high_as_its_bounce_says(bounce, substep_us):
    found = [
        given_back(engine_of(ball(z=z, bounce=bounce, mass_kg=mass), substep_us=substep_us), z)
        for z in HEIGHTS_M
        for mass in (0.02, 5.0)
    ]
    assert found == pytest.approx([bounce] * len(found), abs=NEAR)


@pytest.mark.parametrize("speed", [0.2, 2.0, 6.0])
@pytest.mark.parametrize("bounce", EVERY)
def test_a_ball_leaves_a_wall_with_its_share_of_the_speed(bounce, speed):
    wall = Solid(name="wall", shape=Box((0.2, 4.0, 4.0)), pose=Pose(0.31))
    engine = sped(engine_of(ball(z=1.0, bounce=bounce), objects=(wall,), gravity_m_s2=0.0), (speed, 0.0, 0.0))
    heights(engine, 0.2 / speed)
    assert -engine.state()["speed"][0] / speed == pytest.approx(bounce, abs=1e-3)


@pytest.mark.parametrize("substep_us", [1_000, 2_500])
def test_a_ball_that_gives_back_everything_never_gains_energy(substep_us):
    engine = engine_of(ball(z=1.0, bounce=1.0), substep_us=substep_us)
    start, found = energy(engine), []
    for _ in range(6_000):  # some thirty hits
        step(engine)
        found.append(energy(engine))
    assert max(found) <= start * (1 + 1e-12)
    assert found[-1] > 0.995 * start, "nor does it lose any to speak of"


def test_a_ball_that_gives_back_everything_never_gains_energy_on_slopes_and_at_walls():
    slopes = [
        Solid(name=f"slope-{n}", shape=Box((6.0, 6.0, 0.2)), pose=Pose(2.0 * side, 0.0, 0.0, 0.0, -0.5 * side))
        for n, side in enumerate((-1.0, 1.0))
    ]
    engine = engine_of(ball(x=0.4, z=3.0, bounce=1.0), objects=tuple(slopes))
    start = now = energy(engine)
    for _ in range(2_000):
        step(engine)
        now = max(now, energy(engine))
    assert now <= start * (1 + 1e-12)


def test_on_terrain_too_a_ball_comes_back_as_high_as_its_bounce_says():
    flat = Ground((10.0, 10.0), heights=Heights("flat.asc"))
    rows = "\n".join(["0 " * 20] * 20)
    grid = f"ncols 20\nnrows 20\nxllcorner 0\nyllcorner 0\ncellsize 0.5\n{rows}\n".encode()
    scene = Scene(name="bench", ground=flat, balls=(ball(z=1.0, bounce=0.7),))
    assert given_back(RigidEngine(scene, files={"flat.asc": grid}), 1.0) == pytest.approx(0.7, abs=NEAR)


@pytest.mark.parametrize(("one", "other"), [(1.0, 1.0), (0.8, 0.3), (0.5, 0.0)])
def test_two_balls_leave_each_other_with_the_lesser_bounce_and_keep_their_momentum(one, other):
    pair = (ball("a", -0.3, 1.0, mass_kg=0.4, bounce=one), ball("b", 0.3, 1.0, mass_kg=1.2, bounce=other))
    engine = sped(engine_of(*pair, gravity_m_s2=0.0), (2.0, 0.0, 0.0), (-0.5, 0.0, 0.0))
    heights(engine, 0.4)
    a, b = engine.state()["speed"][[0, 6]]
    assert (b - a) / 2.5 == pytest.approx(min(one, other), abs=1e-3)
    assert 0.4 * a + 1.2 * b == pytest.approx(0.4 * 2.0 - 1.2 * 0.5, abs=1e-9)


def test_a_ball_that_hits_a_crate_moves_it_as_momentum_says():
    crate = Solid(name="crate", shape=Box((0.3, 0.3, 0.3)), mass_kg=2.0, pose=Pose(0.5, 0.0, 0.96))
    engine = engine_of(ball(z=1.0, mass_kg=1.0, bounce=0.6), objects=(crate,), gravity_m_s2=0.0)
    state = engine.state()
    state["speed"][engine._model.bodies["move"][1]] = 3.0
    engine.restore(state)
    heights(engine, 0.3)
    moved, came = (engine.state()["speed"][engine._model.bodies["move"][row]] for row in (0, 1))
    assert (moved - came) / 3.0 == pytest.approx(0.6, abs=0.01)
    assert 2.0 * moved + 1.0 * came == pytest.approx(3.0, abs=1e-6)


def test_beside_wheels_that_slip_the_bounce_is_the_same():
    rover = model(
        devices=(), body=Rectangle(0.5, 0.4), drive=Skid(0.4), dynamics=Dynamics(wheel_model="contact")
    )  # fmt: skip
    engine = engine_of(ball(x=3.0, z=1.0, bounce=0.7), robots=(robot("rover", parts=rover),))
    assert given_back(engine, 1.0) == pytest.approx(0.7, abs=NEAR)


def test_a_ball_that_has_come_to_rest_lies_on_the_ground():
    engine = engine_of(ball(z=0.5, bounce=0.6))
    heights(engine, 4.0)
    assert np.abs(heights(engine, 0.5)).max() < 1e-4


def test_a_hit_within_a_substep_is_that_of_the_parabola():
    """It comes in with 3 m/s at the surface, 0.4 of a sub-step before the engine notices it."""
    since, step_s = 0.001, 0.0025
    left = leaving(3.0 + G * since, 3.0 * since + G * since**2 / 2, G, 0.5, step_s)
    flown = since + step_s
    assert left == pytest.approx((1.5 - G * flown, 1.5 * flown - G * flown**2 / 2))


def test_a_run_with_a_ball_goes_on_to_the_bit_from_a_state_between_two_hits():
    engines = [engine_of(ball(z=1.0, bounce=0.9)) for _ in range(2)]
    heights(engines[0], 0.7)
    engines[1].restore(engines[0].state())
    assert np.array_equal(*(heights(engine, 2.0) for engine in engines))


def test_light_balls_under_a_heavy_plank_stay_under_it():
    plank = Solid(name="plank", shape=Box((1.0, 1.0, 0.1)), mass_kg=15.0, pose=Pose(z_m=0.11))
    corners = [Pose(x, y) for x in (-0.4, 0.4) for y in (-0.4, 0.4)]
    balls = [Ball(f"ball-{k}", 0.05, 0.01, pose, bounce=0.9) for k, pose in enumerate(corners)]
    engine = engine_of(*balls, objects=(plank,))
    heights(engine, 1.0)
    assert engine.movables()[1][0, 2] == pytest.approx(0.1, abs=0.015), "contacts of so light balls are soft"
    assert np.abs(engine.movables()[1][1:, 2]).max() < 0.01
