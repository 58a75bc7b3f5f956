"""Who hit what, in words."""

import pytest
from contracts.listener_contract import check_listener
from scenes import box, robot, room

from understudy.sim.collisions import Collisions, nearest
from understudy.sim.sim import Sim
from understudy.world.scene import Ball, Solid, Wall
from understudy.world.shapes import Cylinder, Pose


def bump(caplog, scene, speed=0.5, ticks=400):
    with Sim(scene) as sim:
        sim.attach(Collisions())
        sim.robot("scout").drive(speed)
        sim.step(ticks)
    return [record.getMessage() for record in caplog.records if " hit " in record.getMessage()]


def test_a_wall_is_named_with_the_place(caplog):
    assert bump(caplog, room(robot("scout", 2.5))) == ["scout hit edge at 3.00, 0.00"]


def test_another_robot_is_named(caplog):
    (text,) = bump(caplog, room(robot("scout", 0.0), robot("rover", 1.0)))
    assert text.startswith("scout hit rover at 0.8")


@pytest.mark.parametrize(
    "thing",
    [box("desk", 1.5), Solid(name="desk", shape=Cylinder(0.2, 0.9), pose=Pose(1.5, 0.0))],
)
def test_an_obstacle_is_named(caplog, thing):
    assert bump(caplog, room(robot("scout", 0.8), objects=(thing,))) == ["scout hit desk at 1.30, 0.00"]


def test_leaning_on_a_thing_is_reported_once(caplog):
    assert len(bump(caplog, room(robot("scout", 2.5)), ticks=2000)) == 1


def test_a_second_bump_later_is_reported_again(caplog):
    with Sim(room(robot("scout", 2.5))) as sim:
        sim.attach(Collisions())
        for speed in (0.5, -0.3, 0.5):
            sim.robot("scout").drive(speed)
            sim.step(300)
    assert caplog.text.count("scout hit edge") == 2


def test_whoever_only_drives_hits_nothing(caplog):
    assert bump(caplog, room(robot("scout", -2.0)), speed=0.2) == []


def test_after_a_reset_a_bump_is_new(caplog):
    with Sim(room(robot("scout", 2.5))) as sim:
        sim.attach(Collisions())
        for _ in range(2):
            sim.robot("scout").drive(0.5)
            sim.step(150)
            sim.reset()
    assert caplog.text.count("scout hit edge") == 2


@pytest.mark.parametrize(
    ("x", "y", "name"),
    [(3.0, 0.0, "edge"), (0.0, 1.05, "thick"), (1.5, -1.5, "ball"), (0.9, 0.0, "desk"), (-1.0, 0.2, "something")],
)
def test_the_nearest_thing_is_meant(x, y, name):
    scene = room(
        robot("scout", -2.0), objects=(box("desk", 1.1),), balls=(Ball("ball", pose=Pose(1.5, -1.6), radius_m=0.1),)
    )
    thick = Wall(name="thick", points_m=((-0.5, 1.2), (0.5, 1.2)), thickness_m=0.3)
    scene = room(*scene.robots, objects=scene.objects, balls=scene.balls, walls=(*scene.walls, thick))
    assert nearest(scene, scene.robots[0], x, y) == name


def test_watching_changes_no_run():
    check_listener(Collisions)
