"""Things in a gripper, and other changes that units ask for."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

import understudy as us
from understudy.errors import ChangeRefused
from understudy.robots.pioneer.gripper import CLOSE, OPEN
from understudy.robots.pioneer.orders import Describe, Grip, PlaySound, SetLaser
from understudy.sensors.laser import Sweep
from understudy.world.changes import Grasp, Move, Release, Remove, Tune
from understudy.world.news import Note, Sound
from understudy.world.shapes import Pose

SCENE = """
schema = 1
noise = "perfect"
ground = {size_m = [12, 8], walled = true}
ball = [{name = "ball", radius_m = 0.05, x_m = 0.36}]
object = [
    {kind = "box", name = "crate", size_m = [0.1, 0.1, 0.2], x_m = 2, y_m = 2, mass_kg = 0.5},
    {kind = "box", name = "rock", size_m = [0.1, 0.1, 0.2], x_m = 3, y_m = -2},
]
[[robot]]
model = "p3dx-sh"
name = "scout"
port.host.link = "loop:"
port.gps = false
unit.gps = false
unit.arcos.uses.gripper = "grip"
unit.arcos.uses.laser2 = "rear"
device.grip = {kind = "gripper", mount = {x_m = 0.25, z_m = 0.05}, reach_m = 0.15, width_m = 0.2}
device.rear = {kind = "laser", mount = {x_m = -0.2, z_m = 0.35, yaw_deg = 180}, rays = 31, max_m = 30}
"""


@pytest.fixture
def sim() -> Any:
    with us.load_text(SCENE, seed=1) as made:
        made.step(2)
        yield made


def place(sim: Any, name: str) -> tuple[float, float]:
    thing = next(thing for thing in sim.scene.things() if thing.name == name)
    return thing.pose.x_m, thing.pose.y_m


def grip(sim: Any, action: int) -> None:
    sim.robot("scout").order(Grip(action))
    sim.run(2.0)


def test_a_ball_between_the_paddles_breaks_the_beams(sim: Any) -> None:
    assert sim.robot("scout").read("grip").tolist() == [1.0, 0.0]


def test_a_gripper_takes_a_ball_along_and_puts_it_down(sim: Any) -> None:
    scout = sim.robot("scout")
    grip(sim, CLOSE)
    assert scout.panel("arcos").holding
    scout.drive(0.3, 0.3)
    sim.run(4.0)
    pose, (x, y) = scout.pose, place(sim, "ball")
    assert pose.x_m > 0.5
    assert math.hypot(x - pose.x_m, y - pose.y_m) == pytest.approx(0.36, abs=0.003)
    assert math.atan2(y - pose.y_m, x - pose.x_m) == pytest.approx(pose.heading_rad, abs=0.01)
    scout.stop()
    sim.run(1.0)
    grip(sim, OPEN)
    assert not scout.panel("arcos").holding
    there = place(sim, "ball")
    scout.drive(-0.3)
    sim.run(2.0)
    assert place(sim, "ball") == pytest.approx(there, abs=0.002)
    assert next(iter(sim.scene.balls)).surface.obstacle, "it can be bumped into again"


def test_a_held_thing_does_not_hold_its_robot_back(sim: Any) -> None:
    grip(sim, CLOSE)
    sim.robot("scout").drive(0.5)
    sim.run(3.0)
    assert sim.robot("scout").pose.x_m > 1.0
    assert not sim.robot("scout").stalled


def test_paddles_without_anything_between_them_close(sim: Any) -> None:
    sim.change(Remove("ball"))
    grip(sim, CLOSE)
    assert not sim.robot("scout").panel("arcos").holding
    assert sim.current.units["scout/arcos"].deck.memory.gripper.paddles == 1.0


def test_what_nothing_moves_cannot_be_held(sim: Any, caplog: pytest.LogCaptureFixture) -> None:
    sim.change(Remove("ball"))
    sim.robot("scout").move_to(2.64, -2.0)
    sim.run(0.2)
    grip(sim, CLOSE)
    assert not sim.robot("scout").panel("arcos").holding
    assert "scout cannot grasp: no movable thing within" in caplog.text


def test_a_run_with_something_in_the_grip_is_saved_and_goes_on(sim: Any) -> None:
    grip(sim, CLOSE)
    sim.robot("scout").drive(0.2, 0.2)
    sim.run(1.0)
    with us.restore(sim.save()) as copy:
        for it in (sim, copy):
            it.run(1.0)
        assert copy.hash() == sim.hash()
        assert place(copy, "ball") == place(sim, "ball")


def test_a_held_thing_that_is_taken_away_is_forgotten(sim: Any) -> None:
    sim.change(Grasp("scout", 0.36))
    sim.change(Remove("ball"))
    sim.run(0.5)
    with pytest.raises(ChangeRefused, match="scout holds nothing"):
        sim.change(Release("scout"))


def test_a_program_may_grasp_by_hand(sim: Any) -> None:
    sim.change(Move("crate", Pose(0.4, 0.0)))
    sim.change(Grasp("scout", 0.4, 0.0, 0.02))
    with pytest.raises(ChangeRefused, match="scout holds crate already"):
        sim.change(Grasp("scout", 0.36))
    sim.change(Release("scout"))
    with pytest.raises(ChangeRefused, match="ball is not a robot"):
        sim.change(Grasp("ball", 0.4))


# ---- tuning


def test_a_device_works_by_another_data_sheet_from_the_next_sample_on(sim: Any) -> None:
    sheet = sim.robot("scout").sheet("front")
    wide = dataclasses.replace(sheet, rays=361, sweep=Sweep(-math.pi, math.radians(1.0)))
    sim.run(1.0)
    sim.change(Tune("scout/front", wide))
    sim.run(0.1)
    ranges = sim.robot("scout").read("front")
    assert len(ranges) == 361
    assert ranges[0] == pytest.approx(ranges[360]) == pytest.approx(6.021, abs=1e-6)
    assert ranges[180] == pytest.approx(5.979, abs=1e-6)
    assert sim.robot("scout").stamp_us("front") == 1_100_000


def test_a_device_cannot_become_another_kind(sim: Any) -> None:
    with pytest.raises(ChangeRefused, match="is a laser, not a sonar"):
        sim.change(Tune("scout/front", sim.robot("scout").sheet("sonar")))
    with pytest.raises(ChangeRefused, match="no such device 'scout/fromt'"):
        sim.change(Tune("scout/fromt", sim.robot("scout").sheet("front")))


def test_the_second_laser_is_set_by_itself(sim: Any) -> None:
    scout = sim.robot("scout")
    for what, value in (("start", -30), ("end", 30), ("step", 100), ("mode", 1)):
        scout.order(SetLaser(1, what, value))  # type: ignore[arg-type]
    sim.run(0.2)
    assert (len(scout.read("front")), len(scout.read("rear"))) == (181, 61)
    scan = sim.current.units["scout/arcos"].scanners.scan(1)
    assert scan.ranges_mm[30] == pytest.approx(6000 - 200, abs=1)


# ---- news


class Ear:
    def __init__(self) -> None:
        self.news: list[Any] = []

    def begin(self, sim: Any) -> None: ...

    def tick(self, snapshot: Any) -> None:
        self.news += snapshot.news

    def end(self, reason: str) -> None: ...


def test_listeners_hear_sounds_and_notes(sim: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    ear = Ear()
    sim.attach(ear)
    sim.robot("scout").order(PlaySound(3))
    sim.robot("scout").order(Describe("look"))
    sim.step()
    (where, sound), (_, note) = ear.news
    assert (where, sound) == ("scout/arcos", Sound(number=3))
    assert isinstance(note, Note)
    assert "scout/arcos: look PioneerPanel" in caplog.text
