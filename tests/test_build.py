"""Simulations of scenes that are made of objects, without a file."""

from __future__ import annotations

import pytest
from pictures import striped

import understudy as us
from understudy.errors import EngineError, SceneError
from understudy.world.changes import Quit
from understudy.world.robot import PlacedRobot
from understudy.world.scene import Ball, Ground, Scene, SceneEvent, Wall
from understudy.world.shapes import Pose

ROOM = Scene(
    ground=Ground((6.0, 4.0), walled=True),
    balls=(Ball("ball", pose=Pose(1.0, 1.0)),),
    robots=(PlacedRobot("scout", "scout"),),
)
TEXT = """
schema = 1
ground = {size_m = [6, 4], walled = true}
[[ball]]
name = "ball"
x_m = 1
y_m = 1
[[robot]]
name = "scout"
model = "scout"
"""


def driven(sim):
    with sim:
        sim.robot("scout").drive(0.3, 0.4)
        sim.run(1.0)
        return sim.hash()


def test_a_scene_of_objects_runs_as_the_same_scene_of_a_file():
    assert driven(us.build(ROOM, seed=5)) == driven(us.load_text(TEXT, seed=5))


def test_engine_seed_and_speed_are_as_for_a_file():
    with us.build(ROOM, engine="rigid", seed=4, speed=2.0) as sim:
        assert (sim.start.engine, sim.start.seed, sim.clock.speed) == ("rigid", 4, 2.0)
    with pytest.raises(EngineError, match=r"unknown engine 'rigit' \(did you mean 'rigid'"):
        us.build(ROOM, engine="rigit")


def test_robots_of_the_catalogue_may_be_added():
    with us.build(ROOM, robots=["p3dx:pioneer"]) as sim:
        assert [robot.name for robot in sim.robots] == ["scout", "pioneer"]


def test_a_flat_scene_may_be_built_again():
    with us.build(ROOM) as sim:
        assert driven(us.build(sim.start, seed=5)) == driven(us.build(ROOM, seed=5))


def test_a_tape_of_it_replays(tmp_path):
    driven(us.build(ROOM, tape=tmp_path / "a.tape"))
    assert us.replay(tmp_path / "a.tape").mismatch is None


def test_a_program_may_drive_it(tmp_path):
    (tmp_path / "go.py").write_text("def main(robot):\n    robot.drive(0.2)\n    robot.wait(1)\n")
    with us.build(ROOM, programs={"scout": str(tmp_path / "go.py")}) as sim:
        sim.run(0.5)
        assert sim.robot("scout").pose.x_m > 0.05


def test_its_files_are_given_by_content_or_lie_in_a_folder(tmp_path):
    scene = Scene(ground=Ground(picture="floor.png"), robots=(PlacedRobot("scout", "mine.toml"),))
    files = {"floor.png": striped(), "mine.toml": b'[robot]\nlike = "scout"\n'}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    for given in ({"files": files}, {"folder": tmp_path}):
        with us.build(scene, **given) as sim:
            assert set(sim.files) == {"floor.png"}


def test_errors_are_reported_by_their_path():
    wrong = Scene(walls=(Wall(name="a", points_m=((0.0, 0.0),)),), robots=(PlacedRobot("b", "scuot"),))
    with pytest.raises(SceneError) as caught:
        us.build(wrong)
    assert "<scene>: wall[0].points_m: a wall needs at least 2 points" in str(caught.value)
    assert "<scene>: robot[0].model: no such robot 'scuot'" in str(caught.value)


def test_its_events_act():
    with us.build(Scene(events=(SceneEvent(50_000, Quit(7)),))) as sim:
        sim.run()
        assert sim.exit_code == 7
