"""Robots without a drive: bolted ones stay where they are put, loose ones fall and stand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from limbs import UP, bar
from scenes import box, robot, room

from understudy import Sim
from understudy.world import changes
from understudy.world.joints import Joint, Revolute
from understudy.world.robot import Circle, RobotModel, Undriven
from understudy.world.scene import Ball
from understudy.world.shapes import Mount, Pose

pytest.importorskip("mujoco")

LIFT = Joint(name="lift", motion=Revolute(-2.0, 2.0), axis=UP, mount=Mount(z_m=0.3))
BOOM = bar("boom", "lift", (0.4, 0.05, 0.05), 20.0, x_m=0.2)
CRANE = RobotModel(body=Circle(0.05, height_m=0.25, mass_kg=0.5), drive=Undriven(), joints=(LIFT,), parts=(BOOM,))
TURNED = Pose(1.0, -0.7, 0.2, math.radians(33.0), roll_rad=0.3)


def crane(pose=TURNED, model=CRANE, **given):
    return Sim(room(replace(robot(parts=model), place=pose), engine="rigid", **given))


def test_a_bolted_robot_stays_where_it_is_put_to_the_bit():
    sim = crane(balls=(Ball(name="ball", radius_m=0.1, mass_kg=5.0, pose=Pose(1.0, -0.7, 2.0)),))
    sim.robot("scout").servo("lift").to(1.0)
    sim.robot("scout").drive(1.0, 1.0)
    sim.run(seconds=1.5)
    assert sim.robot("scout").pose == TURNED
    assert not sim.current.engine.twists().any()


def test_a_light_base_that_is_bolted_down_holds_a_heavy_boom():
    sim = crane()
    sim.robot("scout").servo("lift").to(0.5)
    sim.run(seconds=1.5)
    assert sim.robot("scout").servo("lift").position == pytest.approx(0.5, abs=0.003)


def test_a_boom_does_not_collide_with_the_base_that_it_sits_on():
    sim = crane()
    sim.run(seconds=0.1)
    assert len(sim.current.engine.contacts()) == 0


def test_a_bolted_robot_can_be_put_elsewhere_and_takes_its_boom_along():
    sim = crane(objects=(box("crate", 2.0, 1.0, mass_kg=1.0),))
    sim.change(changes.Move("scout", Pose(-1.0, 0.5)))
    sim.run(seconds=0.2)
    assert sim.robot("scout").pose == Pose(-1.0, 0.5)
    sim.change(changes.Remove("crate"))
    sim.run(seconds=0.2)
    assert sim.robot("scout").pose == Pose(-1.0, 0.5)
    assert sim.current.engine.matter().solids.form[-1, :3] == pytest.approx([-0.8, 0.5, 0.325], abs=0.01)


def test_a_bolted_robot_goes_on_from_a_saved_state():
    first, second = crane(), crane(Pose())
    for sim in (first, second):
        sim.robot("scout").servo("lift").to(1.0)
    first.run(seconds=0.5)
    second.current.engine.restore(first.current.engine.state())
    targets = np.zeros((1, 3))
    for sim in (first, second):
        sim.current.engine.step(targets)
    assert first.current.engine.poses() == pytest.approx(second.current.engine.poses(), abs=1e-12)
    assert np.array_equal(first.current.engine.state()["at"], second.current.engine.state()["at"])


def test_what_is_not_bolted_falls_and_lies_still():
    loose = replace(CRANE, drive=Undriven(bolted=False), joints=(), parts=())
    sim = crane(Pose(0.0, 0.0, 0.3), loose)
    sim.run(seconds=1.0)
    assert sim.robot("scout").pose.z_m == pytest.approx(0.0, abs=0.002)


def test_the_planar_engine_leaves_what_has_no_drive_where_it_is():
    sim = Sim(room(robot(parts=replace(CRANE, joints=(), parts=())), engine="planar"))
    sim.robot("scout").drive(1.0, 1.0)
    sim.run(seconds=0.5)
    assert sim.robot("scout").pose == Pose()
