import math
import threading
import time
from dataclasses import replace
from functools import cache

import mujoco
import numpy as np
import pytest
from contracts.engine_contract import check_engine
from scenes import box, model, robot, room

from understudy.engines.planar.engine import PlanarEngine
from understudy.engines.rays.table import RayTable, no_hits
from understudy.engines.rigid.engine import RigidEngine, substep_us
from understudy.errors import EngineError
from understudy.formats.native.robot_read import robot_model
from understudy.sim.vocabulary import vocabulary
from understudy.world.robot import Ackermann, Omni, Skid
from understudy.world.scene import Ground, Heights, Scene, Solid
from understudy.world.shapes import Box, Cylinder, Mount, Pose, Sphere
from understudy.world.vehicle import BodyPart, Castor, Dynamics, Wheel

BARE = model(devices=())


def run(engine, seconds, *target):
    targets = np.tile(np.array(target, np.float64), (len(engine.poses()), 1))
    for _ in range(round(seconds / 0.005)):
        engine.step(targets)
    return engine


def test_the_rigid_engine_fulfils_the_contract():
    check_engine(RigidEngine)


@pytest.mark.parametrize(("tick", "step", "wanted"), [(5_000, 0, 2_500), (3_000, 0, 1_000), (5_000, 500, 500)])
def test_the_sub_step_divides_the_tick(tick, step, wanted):
    assert substep_us(Scene(tick_us=tick, substep_us=step)) == wanted


@pytest.mark.parametrize(("tick", "step", "both"), [(5_000, 2_000, "5000.*2000"), (700, 0, "700.*2500.*1000")])
def test_a_sub_step_that_does_not_divide_the_tick_is_refused_with_both_numbers(tick, step, both):
    with pytest.raises(EngineError, match=both):
        RigidEngine(Scene(tick_us=tick, substep_us=step))


# ---- beside the planar engine


@cache
def catalogue():
    """Return every robot of the catalogue that differs in what moves it."""
    models = (robot_model(name, None, vocabulary()) for name in sorted(vocabulary().catalog) if "-no-error" not in name)
    bare = {repr((m.body, m.drive, m.wheels)): replace(m, devices=(), units=(), ports=(), card=None) for m in models}
    return tuple(bare.values())


def test_every_robot_of_the_catalogue_moves_as_on_the_planar_engine():
    crew = [robot(f"r{k:02}", 6.0 * (k % 6), 6.0 * (k // 6), parts=parts) for k, parts in enumerate(catalogue())]
    scene = Scene(name="all", ground=Ground((200.0, 200.0)), robots=tuple(crew))
    engines = RigidEngine(scene), PlanarEngine(scene)
    for target, seconds in (((0.3, 0.0, 0.0), 0.7), ((0.2, 0.0, 0.4), 0.7), ((0.0, 0.2, -0.4), 0.5), ((0, 0, 0), 0.4)):
        for engine in engines:
            run(engine, seconds, *target)
    off = np.abs(engines[0].poses() - engines[1].poses())
    skids = np.array([isinstance(parts.drive, Skid) for parts in catalogue()])
    four_wheels = np.array([sum(not wheel.driven for wheel in parts.wheels) > 1 for parts in catalogue()])
    usual = ~skids & ~four_wheels  # who has idle wheels behind cannot turn without slipping
    assert off[usual, :2].max() < 0.015
    assert off[usual, 5].max() < 0.03
    assert off[skids, :2].max() < 0.04
    assert off[skids, 5].max() < 0.03
    assert off[:, 2:5].max() < 1e-3


def test_a_long_arc_agrees_to_six_millimetres():
    wide = room(robot("a", parts=BARE), width=40.0, depth=40.0)
    engines = [run(make(wide), 6.0, 0.5, 0.0, 0.3) for make in (RigidEngine, PlanarEngine)]
    (x, y, *_, yaw), (px, py, *_, pyaw) = (engine.poses()[0] for engine in engines)
    assert math.hypot(x - px, y - py) < 6e-3
    assert abs(yaw - pyaw) < 5e-3


def test_level_rays_are_those_of_the_planar_engine():
    scene = room(
        robot("a", -2.0, 0.3, 0.4), objects=(box("crate", 1.0), Solid(name="c", shape=Cylinder(0.2), pose=Pose(0, 1)))
    )
    angles = np.linspace(-1.5, 1.5, 61)
    ways = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(61)])
    table = RayTable(np.tile([0.0, 0.0, 0.2], (61, 1)), ways, 10.0, 1)
    found = np.empty((2, 1, 61))
    for make, out in zip((RigidEngine, PlanarEngine), found):
        make(scene).cast(table, np.array([0]), out)
    assert np.abs(found[0] - found[1]).max() < 1e-9


def test_a_cone_of_a_robot_that_leans_sees_the_nearest_thing_in_it():
    scene = room(
        replace(robot("a", -2.0), place=Pose(-2.0, pitch_rad=-0.1)), objects=(box("crate", 0.0, 0.3, (0.2, 0.2, 2.0)),)
    )
    table = RayTable(np.array([[0.0, 0.0, 0.2]]), np.array([[1.0, 0.0, 0.0]]), 10.0, 1, cone_rad=math.radians(30.0))
    out = np.empty((1, 1))
    engine = RigidEngine(scene)
    assert engine.sight is None
    engine.cast(table, np.array([0]), out)
    assert out[0, 0] == pytest.approx(1.9 / math.cos(math.atan2(0.2, 1.9)) / math.cos(0.1), abs=0.03)


# ---- vehicles


def test_drives_do_what_their_kind_can():
    parts = {"omni": replace(BARE, drive=Omni()), "car": replace(BARE, drive=Ackermann(0.3)), "plain": BARE}
    crew = tuple(robot(name, 0.0, 5.0 * k, parts=made) for k, (name, made) in enumerate(parts.items()))
    engine = run(RigidEngine(Scene(name="three", ground=Ground((60, 60)), robots=crew)), 2.0, 0.0, 0.4, 0.5)
    omni, car, plain = engine.poses()
    assert omni[5] == pytest.approx(1.0, abs=0.05)
    assert math.hypot(*omni[:2]) > 0.5
    assert car[[0, 5]] == pytest.approx([0.0, 0.0], abs=1e-3)
    assert plain[5] == pytest.approx(1.0, abs=0.05)
    assert plain[:2] == pytest.approx([0.0, 10.0], abs=0.01)


def test_a_robot_on_described_wheels_stands_level_at_height_0():
    wheels = (Wheel(name="left", y_m=0.15), Wheel(name="right", y_m=-0.15))
    made = replace(
        BARE, wheels=wheels, castors=(Castor(name="rear", x_m=-0.15),), dynamics=Dynamics(cog_m=(-0.04, 0, 0.08))
    )
    engine = run(RigidEngine(room(robot("a", parts=made))), 1.0, 0.0, 0.0, 0.0)
    assert np.abs(engine.poses()[0, 2:5]).max() < 1e-9


def test_a_weak_motor_climbs_no_steep_ramp():
    ramp = Solid(name="ramp", shape=Box((8.0, 3.0, 0.5)), friction=1.0, pose=Pose(4.6, 0.0, 0.302, pitch_rad=-0.2))
    climbed = []
    for torque in (0.0, 0.3):
        made = replace(BARE, dynamics=Dynamics(motor_n_m=torque))
        hill = Scene(ground=Ground((40, 40)), objects=(ramp,), robots=(robot("a", parts=made),))
        climbed.append(run(RigidEngine(hill), 5.0, 0.5, 0.0, 0.0).poses()[0, 2])
    assert climbed[0] > 0.2
    assert climbed[1] < 0.1


def test_a_part_that_stands_out_bumps_into_things_and_a_look_does_not():
    for contact in (True, False):
        arm = BodyPart(name="arm", shape=Box((0.3, 0.1, 0.1)), mount=Mount(x_m=0.25, z_m=0.1), contact=contact)
        engine = run(RigidEngine(room(robot("a", 1.5, parts=replace(BARE, parts=(arm,))))), 3.0, 0.5, 0, 0)
        assert engine.poses()[0, 0] == pytest.approx(3.0 - (0.4 if contact else 0.2), abs=0.005)


def test_another_robot_sees_a_part_where_it_is_and_not_one_that_is_not_seen():
    table = RayTable(np.array([[0.0, 0.0, 0.6]]), np.array([[1.0, 0.0, 0.0]]), 10.0, 1)
    for seen, wanted in ((True, 1.0), (False, 4.0)):
        mast = BodyPart(
            name="mast", shape=Box((0.1, 0.1, 1.0)), mount=Mount(z_m=0.6, pitch_rad=-math.pi / 2), seen=seen
        )
        engine = RigidEngine(room(robot("a", -1.0), robot("b", 1.0, parts=replace(BARE, parts=(mast,)))))
        engine.step(np.zeros((2, 3)))
        out = np.empty((1, 1))
        engine.cast(table, np.array([0]), out)
        assert out[0, 0] == pytest.approx(wanted, abs=1e-3)


CONTACT = replace(BARE, dynamics=Dynamics(wheel_model="contact"))


def test_contact_wheels_drive_stall_and_are_restored_to_the_bit():
    scene = room(robot("a", -2.0, parts=CONTACT))
    engine = run(RigidEngine(scene), 2.0, 0.4, 0.0, 0.0)
    assert engine.travel()[0, 0] == pytest.approx(engine.poses()[0, 0] + 2.0, rel=0.01)
    assert engine.twists()[0, 0] == pytest.approx(0.4, rel=0.01)
    other = RigidEngine(scene)
    other.restore(engine.state())
    for each in (engine, other):
        run(each, 6.0, 0.8, 0.0, 0.0)
    assert engine.poses().tobytes() == other.poses().tobytes()
    assert engine.stalled()[0]


def test_mecanum_wheels_cannot_be_contact_wheels():
    with pytest.raises(EngineError, match=r"a: mecanum wheels need wheel_model = .ray."):
        RigidEngine(room(robot("a", parts=replace(CONTACT, drive=Omni()))))


def test_a_tall_robot_that_is_put_on_its_edge_falls_over():
    tall = replace(BARE, body=replace(BARE.body, height_m=1.0), dynamics=Dynamics(cog_m=(0.0, 0.0, 0.6)))
    engine = RigidEngine(room(replace(robot("a", parts=tall), place=Pose(roll_rad=0.5, z_m=0.1))))
    run(engine, 2.0, 0.0, 0.0, 0.0)
    assert abs(engine.poses()[0, 3]) > 1.0


# ---- the world


def test_a_moved_wall_stops_a_robot_that_keeps_its_motion():
    engine = RigidEngine(room(robot("a", -2.0, parts=BARE), objects=(box("block", 2.0, 1.5),)))
    run(engine, 0.5, 0.5, 0.0, 0.0)
    speed = engine.twists().copy()
    engine.move("block", Pose(0.0))
    assert engine.twists().tobytes() == speed.tobytes()
    run(engine, 5.0, 0.5, 0.0, 0.0)
    assert engine.poses()[0, 0] == pytest.approx(-0.4, abs=0.005)


def test_a_robot_climbs_heights_and_another_stays_parked_on_them():
    rising = b"P2\n2 2\n255\n0 255\n0 255\n"
    ground = Ground((10.0, 10.0), heights=Heights("rising.pgm", 0.0, 2.0))
    crew = (robot("climber", -3.0, 1.0, parts=BARE), robot("parked", 0.0, -1.0, heading=1.0, parts=BARE))
    placed = tuple(replace(each, place=replace(each.pose, z_m=0.2 * (each.pose.x_m + 5.0))) for each in crew)
    engine = RigidEngine(Scene(name="slope", ground=ground, robots=placed), 1, {"rising.pgm": rising})
    drive = np.array([[0.5, 0.0, 0.0], [0.0, 0.0, 0.0]])
    for _ in range(100):
        engine.step(drive)
    before = engine.poses().copy()
    for _ in range(200):
        engine.step(drive)
    (x, _, z, _, pitch, _), parked = engine.poses()
    assert z == pytest.approx(0.2 * (x + 5.0), abs=0.01)
    assert pitch == pytest.approx(-math.atan(0.2), abs=0.01)
    assert x - before[0, 0] == pytest.approx(0.5 * math.cos(math.atan(0.2)), rel=0.01)
    assert parked == pytest.approx(before[1], abs=1e-4)


def test_rays_agree_with_mujocos_own_on_random_solids():
    rng = np.random.default_rng(7)
    shapes = [Box((0.4, 0.7, 0.3)), Cylinder(0.3, 0.8), Sphere(0.35)]
    solids = tuple(
        Solid(
            name=f"s{k}",
            shape=shapes[k % 3],
            pose=Pose(*rng.uniform(-3, 3, 2), rng.uniform(0, 2), *rng.uniform(-3, 3, 3)),
        )
        for k in range(40)
    )
    engine = RigidEngine(Scene(name="heap", ground=Ground((20, 20)), objects=solids))
    mujoco.mj_forward(engine._model.mj, engine._data)
    origins = np.column_stack([rng.uniform(-5, 5, (300, 2)), rng.uniform(2.9, 4, 300)])
    ways = rng.normal(size=(300, 3))
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    out, hit = np.empty(300), np.zeros(1, np.int32)
    engine.cast_world(origins, ways, 30.0, 1, np.full(300, -1), out, no_hits(300))
    theirs = [
        mujoco.mj_ray(engine._model.mj, engine._data, o, w, None, 1, -1, hit, None) for o, w in zip(origins, ways)
    ]
    theirs = np.array([30.0 if t < 0.0 or t > 30.0 else t for t in theirs])
    outside = np.array([_outside(engine, o) for o in origins])
    assert outside.sum() > 250
    assert np.abs(out - theirs)[outside].max() < 1e-6


def _outside(engine, origin):
    """Say whether a point is in none of the solids: rays of ours that start inside meet at 0."""
    out = np.empty(1)
    engine.cast_world(origin[None], np.array([[0.0, 0.0, 1.0]]), 0.001, 1, np.array([-1]), out, no_hits(1))
    return out[0] > 0.0


def test_other_threads_go_on_while_the_engine_steps():
    engine = RigidEngine(room(*(robot(f"r{k}", 0.5 * k - 4.0, parts=BARE) for k in range(16)), width=30.0))
    targets = np.zeros((16, 3))
    alone, beside = (
        _ticks_of_another_thread(work) for work in (lambda: time.sleep(0.002), lambda: engine.step(targets))
    )
    assert beside > 0.2 * alone


def _ticks_of_another_thread(work, seconds=0.25):
    """Return how often another thread wakes up while this one works."""
    ticks, stop = [0], threading.Event()

    def count():
        while not stop.wait(0.001):
            ticks[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        work()
    stop.set()
    thread.join()
    return ticks[0]
