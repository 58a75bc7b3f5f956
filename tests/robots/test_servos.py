"""Servos as programs and tapes know them."""

import math

import pytest
from limbs import PAN, panning
from scenes import robot, room

from understudy.errors import UnknownName
from understudy.sim.sim import Sim
from understudy.tape import TapeWriter, replay


def simulate(**given):
    return Sim(room(robot(parts=panning(joints=(PAN,))), **given))


def test_a_robot_names_its_joints():
    assert simulate().robot("scout").joints == ("pan",)


def test_a_joint_that_a_robot_does_not_have_is_named_with_what_would_do():
    with pytest.raises(UnknownName, match=r"scout has no joint 'pam'.*'pan'"):
        simulate().robot("scout").servo("pam")


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_servo_accepts_numbers_only(value):
    servo = simulate().robot("scout").servo("pan")
    for tell in (servo.to, servo.turn):
        with pytest.raises(ValueError, match="scout/pan: want a finite number"):
            tell(value)


def test_the_panel_shows_where_joints_are():
    with simulate() as sim:
        sim.robot("scout").servo("pan").to(0.5)
        sim.run(1.0)
        assert sim.robot("scout").panel("servos").positions == (("pan", 0.5),)


@pytest.mark.parametrize("engine", ["planar", "rigid"])
def test_a_tape_moves_servos_again(tmp_path, engine):
    pytest.importorskip("mujoco")
    with simulate(engine=engine) as sim:
        sim.attach(TapeWriter(tmp_path / "a.tape"))
        sim.robot("scout").servo("pan").to(0.5)
        sim.run(0.3)
        sim.robot("scout").servo("pan").turn(-1.0)
        sim.run(0.3)
        final = sim.hash()
    found = replay(tmp_path / "a.tape")
    assert (found.hash, found.mismatch) == (final, None)


def test_a_reset_brings_joints_back_to_their_start():
    with simulate() as sim:
        sim.robot("scout").servo("pan").to(1.0)
        sim.run(1.0)
        sim.reset()
        sim.run(0.1)
        assert sim.robot("scout").servo("pan").position == 0.0
