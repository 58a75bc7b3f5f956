"""The example scenes and programs: they load, they say what they show, and their robots keep going."""

import math
from pathlib import Path

import pytest

import understudy as us

EXAMPLES = Path(__file__).parent.parent / "examples"
SCENES = sorted(EXAMPLES.glob("*.toml"))


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


@pytest.mark.parametrize("scene", SCENES, ids=lambda path: path.stem)
def test_an_example_has_no_mistake(scene):
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


def test_the_robots_of_the_office_are_on_their_way_within_half_a_minute():
    assert all(longest_stay_s(places) < 20 for places in tour(30).values())


@pytest.mark.soak
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_robots_of_the_office_keep_going_for_ten_minutes(seed):
    assert all(longest_stay_s(places) < 60 for places in tour(600, seed).values())
