"""The example scenes and programs: they load, they say what they show, and their robots keep going."""

import math
from pathlib import Path

import pytest

import understudy as us
from understudy.formats.aria import map_file
from understudy.robots.base import Session
from understudy.robots.roomba.orders import Sense
from understudy.sim.vocabulary import vocabulary

EXAMPLES = Path(__file__).parent.parent / "examples"
SCENES = sorted((*EXAMPLES.rglob("*.toml"), *EXAMPLES.glob("*.map")))


def longest_stay_s(places, radius_m=0.7):
    """Return the longest time that a robot stayed about one place; one place per second (s)."""
    stays = []
    for start, place in enumerate(places):
        left = next((i for i, other in enumerate(places[start:]) if math.dist(place, other) > radius_m), None)
        stays.append(len(places) - start if left is None else left)
    return max(stays)


def tour(seconds, seed=0):
    places = {"scout": [], "rover": []}
    with us.load(EXAMPLES / "office.toml", seed=seed) as sim:
        for _ in range(seconds):
            sim.run(1.0)
            for name, visited in places.items():
                pose = sim.robot(name).pose
                visited.append((pose.x_m, pose.y_m))
    return places


def test_every_robot_of_the_default_scene_moves_within_seconds_and_none_is_hit():
    with us.load(EXAMPLES / "office.toml") as sim:
        starts = [robot.pose for robot in sim.robots]
        sim.run(3)
        ways = [math.dist((a.x_m, a.y_m), (b.pose.x_m, b.pose.y_m)) for a, b in zip(starts, sim.robots)]
        assert min(ways) > 0.3
        for _ in range(300):
            sim.run(0.1)
            assert not any(robot.stalled for robot in sim.robots), sim.time_s


def test_the_patrol_of_the_default_scene_leaves_the_pioneer_to_a_client():
    with us.load(EXAMPLES / "office.toml") as sim:
        pioneer = sim.robot("pioneer")
        sim.run(2)
        pioneer.order(Session(True, "pioneer/host"))
        sim.run(2)
        rest = pioneer.pose
        sim.run(5)
        assert pioneer.pose == rest


@pytest.mark.parametrize("scene", SCENES, ids=lambda path: path.stem)
def test_an_example_has_no_error(scene):
    assert not us.check(scene)


@pytest.mark.parametrize("scene", SCENES, ids=lambda path: path.stem)
def test_an_example_says_what_it_is(scene):
    with us.load(scene) as sim:
        assert sim.start.name


def test_the_maze_leaves_room_for_a_circle():
    with us.load(EXAMPLES / "maze.toml", seed=7) as sim:
        robot = sim.robot("scout")
        robot.drive(0.3, 0.5)
        sim.run(10)
        assert not robot.stalled
        assert robot.read("front").shape == (181,)


def test_the_skeleton_has_a_laser_a_sonar_ring_and_a_gps():
    with us.load(EXAMPLES / "skeleton.toml") as sim:
        assert {"front", "sonar", "gps"} <= set(sim.robot("pioneer").devices)


@pytest.mark.parametrize("name", ["floor", "objects"])
def test_an_example_map_has_nothing_odd_and_is_written_back_line_by_line(name):
    text = (EXAMPLES / f"{name}.map").read_text()
    document = map_file.parse(text, f"{name}.map", vocabulary())
    assert document.warnings == ()
    assert sorted(map_file.write(document.scene).splitlines()) == sorted(text.replace(" 24\n", " 24.0\n").splitlines())


def test_the_floor_has_a_home_a_dock_goals_a_forbidden_line_and_a_place_on_earth():
    with us.load(EXAMPLES / "floor.map", robots=["p3dx"]) as sim:
        types = {mark.tag.type for mark in sim.scene.marks}
        assert {"RobotHome", "Dock", "Goal", "GoalWithHeading", "ForbiddenLine", "ForbiddenArea"} <= types
        assert sim.scene.origin is not None
        assert (sim.robots[0].pose.x_m, sim.robots[0].pose.y_m) == (1.0, 5.0)


def test_the_objects_differ_in_who_notices_them():
    with us.load(EXAMPLES / "objects.map", robots=["p3dx"]) as sim:
        noticed = {
            ("laser" in thing.surface.seen_by, "sonar" in thing.surface.seen_by, thing.surface.obstacle)
            for thing in sim.scene.objects
        }
        assert noticed == {
            (True, True, True), (False, True, True), (True, False, True), (False, False, True),
            (True, True, False), (False, False, False),
        }  # fmt: skip
        assert {wall.surface.reflectance for wall in sim.scene.walls} == {1.0, 2.0}
        assert any(wall.dots_m for wall in sim.scene.walls)


def test_the_robots_of_the_office_are_on_their_way_within_half_a_minute():
    assert all(longest_stay_s(places) < 20 for places in tour(30).values())


@pytest.mark.soak
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_robots_of_the_office_keep_going_for_ten_minutes(seed):
    assert all(longest_stay_s(places) < 60 for places in tour(600, seed).values())


def test_the_rover_fetches_the_brick_and_lays_it_on_the_shelf():
    pytest.importorskip("mujoco")
    with us.load(EXAMPLES / "fetch.toml") as sim:
        sim.run(16.5)
        names, poses = sim.current.engine.movables()
        brick = poses[names.index("brick")]
    assert brick[:3] == pytest.approx([0.42, 0.244, 0.05], abs=0.02)


def test_the_roomba_of_the_kitchen_stays_on_its_side_of_the_virtual_wall_and_finds_its_base():
    with us.load(EXAMPLES / "kitchen.toml", seed=2) as sim:
        farthest = -math.inf
        for _ in range(90):
            sim.run(1.0)
            farthest = max(farthest, sim.robot("roomba").pose.x_m)
        assert farthest < 1.2
        assert sim.robot("roomba").ask(Sense(("charging sources", "charging state"))).values == (2, 2)
