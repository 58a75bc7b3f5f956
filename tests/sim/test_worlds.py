"""A world gives the same bits alone and among others."""

import functools
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from limbs import panning
from pictures import striped
from scenes import box, model, pioneer_model, robot, room
from tier_tools import interpreted

import understudy as us
from understudy.errors import EngineError, UnknownName
from understudy.sensors import SENSORS
from understudy.sim.sim import Sim
from understudy.sim.worlds import Worlds
from understudy.world.changes import Move
from understudy.world.drive_stages import DriveStageSpec, Slip
from understudy.world.robot import DeviceSpec, Omni, PlacedRobot, Program, Rectangle
from understudy.world.scene import Ball, Scene, SceneEvent, Solid
from understudy.world.shapes import Cylinder, Mount, Pose


def busy_robot():
    """Return a robot with corners and devices of every way in which worlds are measured."""
    extra = (
        DeviceSpec(name="bumper", sheet=SENSORS["bumper"](hold_us=20_000), mount=Mount(z_m=0.1)),
        DeviceSpec(
            name="late", sheet=SENSORS["laser"](rays=9, period_us=15_000, latency_us=20_000), mount=Mount(z_m=0.2)
        ),
        DeviceSpec(name="gyro", sheet=SENSORS["gyro"](period_us=10_000)),
        DeviceSpec(name="odometry", sheet=SENSORS["odometry"]()),
        DeviceSpec(name="battery", sheet=SENSORS["battery"]()),
    )
    drive = Omni(0.3, max_m_s=1.0, max_rad_s=3.0, max_lateral_m_s=0.5)
    return model(body=Rectangle(0.4, 0.3), drive=drive, devices=(*model().devices, *extra))


@functools.cache
def crowded():
    """Return a room with two robots, a pillar, a crate and a ball that they push about."""
    pillar = Solid(name="pillar", shape=Cylinder(0.15, 1.0), pose=Pose(0.9, -0.6))
    return room(
        robot("a", -1.0, 0.0),
        robot("b", 0.9, 0.4, 3.0, parts=busy_robot()),
        objects=(pillar, box("crate", -0.3, 0.05, (0.3, 0.3, 0.3), mass_kg=1.0)),
        balls=(Ball(name="ball", radius_m=0.1, pose=Pose(0.5, 0.42)),),
        width=3.0,
        depth=2.4,
        tick_us=20_000,
    )


def scripts(worlds, steps, seed=0, every=20):
    """Return actions (steps, worlds, 2, 3) that change from time to time."""
    rng = np.random.default_rng(seed)
    some = rng.uniform([-0.3, -0.5, -2.0], [1.0, 0.5, 2.0], (steps // every + 1, worlds, 2, 3))
    return np.repeat(some, every, axis=0)[:steps]


def seen_alone(seed, script, scene=None):
    """Return what happens tick by tick to the scene alone: hashes, poses, contacts, readings and stamps."""
    seen = []
    with Sim(scene or crowded(), seed=seed, threads=1) as sim:
        for action in (None, *script):
            if action is not None:
                sim.fleet.drive(action[:, 0], action[:, 2], action[:, 1])
                sim.step()
            touching = np.zeros(2, bool)
            touching[sim.current.engine.contacts()[:, 0].astype(int)] = True
            readings = {path: device.read().tobytes() for path, device in sim.current.readings.items()}
            place = sim.fleet.poses[:, [0, 1, 5]].tobytes()
            things = sim.current.engine.movables()[1][:, [0, 1, 5]].tobytes()
            stalled = sim.fleet.stalled.tobytes()
            stamps = {path: device.stamp_us for path, device in sim.current.readings.items()}
            seen.append((sim.hash(), sim.time_s, place, things, stalled, touching.tobytes(), readings, stamps))
    return seen


def seen_of(worlds, w):
    """Return the same of one world among others."""
    readings = {path: worlds.readings[path][w].tobytes() for path in worlds.readings}
    arrays = worlds.poses[w], worlds.thing_poses[w], worlds.stalled[w], worlds.touching[w]
    stamps = {path: worlds.stamp_us(path)[w] for path in worlds.readings}
    return (worlds.hash(w), worlds.time_s[w], *(each.tobytes() for each in arrays), readings, stamps)


def follow(worlds, script, watched, seen, first=0):
    """Let worlds act a script and compare those that are watched, world by world, with what was seen of each alone."""
    for tick in range(first, len(script)):
        worlds.step(script[tick])
        for w in watched:
            assert seen_of(worlds, w) == seen[w][tick + 1], (tick, w)


@pytest.mark.parametrize(("count", "threads"), [(1, 1), (2, 1), (8, 2), (101, 1), (401, 2)])
def test_a_world_is_the_same_alone_and_among_others(count, threads):
    script, seeds = scripts(count, 120), 5 + np.arange(count)
    watched = sorted({0, count // 3, count - 1})
    alone = {w: seen_alone(int(seeds[w]), script[:, w]) for w in watched}
    worlds = Worlds(crowded(), seeds, threads=threads)
    assert [seen_of(worlds, w) for w in watched] == [alone[w][0] for w in watched]
    follow(worlds, script, watched, alone)


def test_in_the_worlds_that_are_compared_robots_push_bump_and_are_held():
    worlds, script = Worlds(crowded(), range(8)), scripts(8, 120)
    start, stalled, touching = worlds.thing_poses, np.zeros((8, 2), bool), np.zeros((8, 2), bool)
    for actions in script:
        worlds.step(actions)
        stalled |= worlds.stalled
        touching |= worlds.touching
    moved = (worlds.thing_poses != start).any(axis=2)
    assert moved.any(axis=0).all()  # the crate in some world, and the ball
    assert stalled.any()
    assert 0 < touching.sum() < touching.size


@settings(max_examples=8)
@given(st.integers(0, 2**32), st.integers(2, 6), st.integers(1, 30))
def test_a_world_is_the_same_alone_whatever_its_robots_do(seed, count, every):
    script = scripts(count, 60, seed, every)
    w = seed % count
    alone = seen_alone(seed + w, script[:, w])
    follow(Worlds(crowded(), range(seed, seed + count)), script, [w], {w: alone})


def test_a_world_that_is_restarted_is_the_scene_with_its_new_seed_and_the_others_notice_nothing():
    script, again = scripts(7, 90), scripts(7, 60, seed=9)
    others = {w: seen_alone(w, script[:, w]) for w in (0, 6)}
    fresh = {w: seen_alone(70 + w, again[:, w]) for w in (2, 5)}
    worlds = Worlds(crowded(), range(7))
    for tick, actions in enumerate(script):
        if tick == 33:
            worlds.restart([5, 2], seeds=[75, 72])
        if tick >= 33:
            actions = actions.copy()
            actions[[2, 5]] = again[tick - 33][[2, 5]]
        worlds.step(actions)
        for w, seen in others.items():
            assert seen_of(worlds, w) == seen[tick + 1]
        for w, seen in fresh.items():
            assert tick < 33 or seen_of(worlds, w) == seen[tick - 32], (tick, w)
    assert worlds.seeds.tolist() == [0, 1, 72, 3, 4, 75, 6]
    assert worlds.time_s.tolist() == pytest.approx([1.8, 1.8, 1.14, 1.8, 1.8, 1.14, 1.8])


def test_worlds_are_the_same_after_many_restarts_at_different_times():
    script = scripts(40, 200)
    worlds, begun = Worlds(crowded(), range(40), threads=2), np.zeros(40, int)
    rng = np.random.default_rng(4)
    for tick, actions in enumerate(script):
        worlds.step(actions)
        chosen = np.flatnonzero(rng.random(40) < 0.03)
        worlds.restart(chosen, seeds=1000 + chosen)
        begun[chosen] = tick + 1
    for w in (0, 17, 39):
        seed = 1000 + w if begun[w] else w
        assert seen_of(worlds, w) == seen_alone(seed, script[begun[w] :, w])[-1]


def test_a_restart_without_seeds_repeats_all_worlds():
    worlds, script = Worlds(crowded(), range(3)), scripts(3, 30)
    runs = []
    for _ in range(2):
        runs.append([seen_of(worlds, 1)])
        for actions in script:
            worlds.step(actions)
            runs[-1].append(seen_of(worlds, 1))
        worlds.restart()
    assert runs[0] == runs[1]


def test_what_is_moved_in_some_worlds_goes_on_as_if_it_were_moved_alone():
    script, start = scripts(4, 40), [[0.3, -0.8, 7.0], [-0.9, 0.7, -2.0]]
    worlds = Worlds(crowded(), range(4))
    worlds.step(script[0], ticks=10)
    worlds.move("a", start, worlds=[1, 3])
    worlds.move("crate", [-0.2, 0.6, 1.0], worlds=[3])
    with Sim(crowded(), seed=3, threads=1) as sim:
        sim.fleet.drive(script[0, 3, :, 0], script[0, 3, :, 2], script[0, 3, :, 1])
        sim.step(10)
        sim.robot("a").move_to(*start[1])
        sim.change(Move("crate", Pose(-0.2, 0.6, heading_rad=1.0)))
        for actions in script:
            worlds.step(actions)
            sim.fleet.drive(actions[3, :, 0], actions[3, :, 2], actions[3, :, 1])
            sim.step()
            assert worlds.hash(3) == sim.hash()


def test_what_cannot_be_moved_there_is_refused():
    worlds = Worlds(room(), range(2))
    with pytest.raises(UnknownName, match=r"no movable thing is named 'scot' .*scout"):
        worlds.move("scot", [0.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="scout: want finite poses within"):
        worlds.move("scout", [np.nan, 0.0, 0.0])


def test_flags_choose_the_worlds_to_restart():
    worlds = Worlds(room(), range(3))
    worlds.step([0.2, 0.0, 0.0])
    worlds.restart(np.array([True, False, True]), seeds=[8, 9])
    assert worlds.seeds.tolist() == [8, 1, 9]
    assert worlds.time_s.tolist() == [0.0, 0.005, 0.0]
    worlds.restart(np.zeros(3, bool))
    worlds.restart([])
    assert worlds.time_s.tolist() == [0.0, 0.005, 0.0]


def test_worlds_are_the_same_interpreted_and_compiled():
    script = scripts(3, 25, every=5)
    alone = {w: seen_alone(w, script[:, w]) for w in range(3)}
    with interpreted():
        follow(Worlds(crowded(), range(3)), script, [0, 1, 2], alone)


def test_several_ticks_in_one_step_are_as_many_steps():
    one, other = Worlds(crowded(), range(4)), Worlds(crowded(), range(4))
    actions = scripts(4, 1)[0]
    one.step(actions, ticks=30)
    for tick in range(30):
        other.step(actions if tick == 0 else None)
    assert [seen_of(one, w) for w in range(4)] == [seen_of(other, w) for w in range(4)]


# ---- arrays


def test_arrays_have_the_world_as_their_first_axis():
    worlds = Worlds(crowded(), range(5))
    assert len(worlds) == 5
    assert worlds.robots == ("a", "b")
    assert worlds.things == ("crate", "ball")
    assert worlds.poses.shape == (5, 2, 3)
    assert worlds.thing_poses.shape == (5, 2, 3)
    assert worlds.stalled.shape == worlds.touching.shape == (5, 2)
    assert worlds.readings["a/front"].shape == (5, 31)
    assert {"a/front", "b/bumper"} < set(worlds.readings)


def test_a_robot_with_a_nan_goes_on_as_it_was_asked():
    worlds = Worlds(room(robot("a", -1.0), robot("b", 1.0)), range(2))
    worlds.step([0.3, 0.0, 0.0], ticks=60)
    worlds.step([[[np.nan, 0.0, 0.0], [0.0, 0.0, 0.0]]], ticks=60)
    before = worlds.poses
    worlds.step(ticks=60)
    moved = worlds.poses[..., 0] - before[..., 0]
    assert moved == pytest.approx(np.array([[0.09, 0.0], [0.09, 0.0]]))


def test_readings_cannot_be_written_to():
    worlds = Worlds(room(), range(2))
    with pytest.raises(ValueError, match="read-only"):
        worlds.readings["scout/front"][0] = 1.0


def test_a_device_that_is_not_there_is_named_with_the_nearest():
    with pytest.raises(UnknownName, match=r"no robot has a device 'scout/frnt' .*scout/front"):
        Worlds(room(), range(2)).readings["scout/frnt"]


@pytest.mark.parametrize(
    ("actions", "text"),
    [([np.inf, 0.0, 0.0], "want finite speeds"), (np.zeros((3, 1, 3)), r"shape \(3, 1, 3\), want .* = \(2, 1, 3\)")],
)
def test_actions_that_make_no_sense_are_refused(actions, text):
    with pytest.raises(ValueError, match=text):
        Worlds(room(), range(2)).step(actions)


def test_as_many_seeds_as_worlds_are_wanted_and_each_world_once():
    worlds = Worlds(room(), range(3))
    with pytest.raises(ValueError, match="2 seeds for 1 worlds"):
        worlds.restart([1], seeds=[4, 5])
    with pytest.raises(ValueError, match="named twice"):
        worlds.restart([1, 1])
    with pytest.raises(IndexError):
        worlds.restart([3])
    with pytest.raises(ValueError, match="at least one"):
        Worlds(room(), [])


# ---- every kind of sensor


NOT_HERE = {"camera", "feedback", "lamp", "light", "wheel_drop"}  # refused by name, or part of a joint


@functools.cache
def all_senses():
    """Return a room with two robots that have every kind of sensor that many worlds may have."""
    kinds = sorted(set(SENSORS) - NOT_HERE)
    mount = Mount(x_m=0.05, z_m=0.1, yaw_rad=0.3)
    parts = model(devices=tuple(DeviceSpec(name=kind, sheet=SENSORS[kind](), mount=mount) for kind in kinds))
    return room(robot("a", -1.0, parts=parts), robot("b", 1.0, 0.3, 3.0, parts=parts), width=4.0, tick_us=20_000)


def test_every_kind_of_sensor_reads_the_same_alone_and_among_others():
    worlds, script = Worlds(all_senses(), [5, 9, 2], threads=2), scripts(3, 60)
    worlds.restart([1], [77])
    follow(worlds, script, [1, 2], {w: seen_alone(seed, script[:, w], all_senses()) for w, seed in ((1, 77), (2, 2))})


def test_a_world_that_is_restarted_at_time_zero_has_its_first_readings():
    worlds = Worlds(all_senses(), range(3))
    worlds.restart([2], [0])
    for path, readings in worlds.readings.items():
        assert path.startswith("b/") or readings[2].tobytes() == readings[0].tobytes(), path
        assert worlds.stamp_us(path)[2] == worlds.stamp_us(path)[0], path


# ---- what is refused


WORN = DriveStageSpec(name="worn", sheet=Slip())


def tilted_laser():
    return DeviceSpec(name="it", sheet=SENSORS["laser"](rays=5), mount=Mount(z_m=0.2, pitch_rad=0.1))


def with_device(kind, **extra):
    return model(devices=(DeviceSpec(name="it", sheet=SENSORS[kind](**extra)),))


@pytest.mark.parametrize(
    ("scene", "text"),
    [
        (room(engine="rigid"), "rigid engine"),
        (room(robots=()), "no robots"),
        (room(robot(), events=(SceneEvent(1_000_000, Move("scout", Pose(1.0))),)), "the scene has events"),
        (room(robot(program=Program("wander.py"))), "scout has a program"),
        (room(robot(parts=pioneer_model())), r"scout/arcos is firmware \(pioneer\).*scout/host is a port"),
        (room(robot(parts=model(drive_stages=(WORN,)))), "scout/worn is a drive stage"),
        (room(robot(parts=with_device("lamp"))), "scout/it is a lamp"),
        (room(robot(parts=with_device("laser", filter="mine.py:it"))), "scout/it has a filter"),
        (room(robot(parts=with_device("camera"))), "scout/it, a camera, needs"),
        (room(robot(parts=model(devices=(tilted_laser(),)))), "scout/it, a laser, needs rays that are not level"),
        (room(robot(parts=panning())), "is a joint"),
    ],
)
def test_what_many_worlds_cannot_have_is_refused_by_name(scene, text):
    with pytest.raises(EngineError, match=f"{text}.*us.load"):
        Worlds(scene, range(2))


# ---- from files


ROOM = """
schema = 1
seed = 3
ground = {size_m = [4, 4], walled = true}
[[robot]]
name = "scout"
body = {shape = "circle", radius_m = 0.2}
drive = {kind = "differential", track_m = 0.3}
[robot.device.front]
kind = "laser"
rays = 12
"""


def test_a_file_makes_worlds_whose_seeds_follow_that_of_the_scene(tmp_path):
    file = tmp_path / "room.toml"
    file.write_text(ROOM)
    worlds = us.worlds(file, 3)
    assert worlds.seeds.tolist() == [3, 4, 5]
    worlds.step([0.3, 0.0, 0.4], ticks=40)
    with us.load(file, seed=4) as sim:
        sim.robot("scout").drive(0.3, 0.4)
        sim.step(40)
        assert worlds.hash(1) == sim.hash()
        assert worlds.readings["scout/front"][1].tolist() == sim.robot("scout").read("front").tolist()


def test_either_a_number_or_seeds_are_wanted():
    for wrong in ({}, {"count": 2, "seeds": [1, 2]}):
        with pytest.raises(ValueError, match="either how many worlds or their seeds"):
            us.worlds(room(), **wrong)


def test_worlds_of_an_archive_have_its_files(tmp_path):
    text = ROOM.replace("ground = {", 'ground = {picture = "p.png", ') + '[robot.device.line]\nkind = "reflective"\n'
    with zipfile.ZipFile(tmp_path / "room.zip", "w") as packed:
        packed.writestr("room.toml", text)
        packed.writestr("p.png", striped())
    (worlds,) = us.worlds(tmp_path / "room.zip", 1).readings["scout/line"]
    with us.load(tmp_path / "room.zip") as sim:
        assert worlds.tolist() == sim.robot("scout").read("line").tolist()


def test_a_scene_made_of_objects_may_name_models_of_the_catalogue():
    worlds = us.worlds(Scene(robots=(PlacedRobot("scout", "scout"),)), 2)
    worlds.step([0.3, 0.0, 0.0], ticks=20)
    assert (worlds.poses[:, 0, 0] > 0.0).all()
