"""While a person drives a robot by keys, its program's motion waits; afterwards the program has the robot again."""

import textwrap

import numpy as np
import pytest
from scenes import robot, room

from understudy import api
from understudy.robots.base import Drive
from understudy.sim.inbox import Order
from understudy.sim.sim import Sim
from understudy.sim.takeover import GIVE_BACK_US
from understudy.world.robot import Program

AHEAD = """
def main(robot):
    while True:
        robot.drive(0.2)
        robot.wait(0.1)
"""
ONCE = """
def main(robot):
    robot.drive(0.2)
    robot.wait(60)
"""


@pytest.fixture
def start(tmp_path):
    sims = []

    def make(text):
        (tmp_path / "prog.py").write_text(textwrap.dedent(text), encoding="utf-8")
        programs = {"scout": Program("prog.py", "gated")}
        sims.append(Sim(room(robot("scout", -2.0)), seed=2, folder=tmp_path, user_programs=programs))
        return sims[-1]

    yield make
    for sim in sims:
        sim.close()


def press(sim, motion):
    sim.inbox.post("user", Order(sim.robot("scout").unit_path(), motion))


def speed(sim):
    return sim.robot("scout").velocity.ahead_m_s


def test_a_held_key_is_stronger_than_the_program(start):
    sim = start(AHEAD)
    sim.run(1)
    press(sim, Drive(-0.1))
    sim.run(5)
    assert speed(sim) == pytest.approx(-0.1)


def test_a_motion_that_is_refused_takes_nothing_over(start):
    sim = start(AHEAD)
    sim.run(1)
    press(sim, Drive(float("nan")))
    sim.run(0.05)
    press(sim, Drive(np.zeros(3)))
    sim.run(1)
    assert speed(sim) == pytest.approx(0.2)
    assert sim.current.state()["takeover"]["units"] == {}


def test_the_robot_rests_for_a_moment_after_the_last_key(start):
    sim = start(AHEAD)
    press(sim, Drive(-0.1))
    sim.run(1)
    press(sim, Drive())
    sim.run(1)
    assert speed(sim) == 0.0


@pytest.mark.parametrize("program", [AHEAD, ONCE], ids=["repeats its order", "gave it before the key"])
def test_the_program_goes_on_after_the_last_key(start, program):
    sim = start(program)
    sim.run(1)
    press(sim, Drive(-0.1))
    sim.run(1)
    press(sim, Drive())
    sim.run(GIVE_BACK_US / 1e6 + 1)
    assert speed(sim) == pytest.approx(0.2)


def test_a_robot_without_a_program_rests_after_the_last_key(start):
    sim = start("def main(robot):\n    pass\n")
    press(sim, Drive(0.1))
    sim.run(1)
    press(sim, Drive())
    sim.run(5)
    assert speed(sim) == 0.0


def test_a_key_that_is_let_go_and_pressed_again_keeps_the_robot(start):
    sim = start(AHEAD)
    for motion in (Drive(-0.1), Drive(), Drive(-0.1)):
        press(sim, motion)
        sim.run(1)
    sim.run(GIVE_BACK_US / 1e6 + 1)
    assert speed(sim) == pytest.approx(-0.1)


def test_a_saved_run_remembers_who_drives(start, tmp_path):
    sim = start(AHEAD)
    press(sim, Drive(-0.1))
    sim.run(1)
    press(sim, Drive())
    sim.run(0.5)
    (tmp_path / "run.saved").write_bytes(sim.save())
    sim.run(3)
    with api.restore(tmp_path / "run.saved", trust=True) as again:
        again.run(3)
        assert (again.hash(), speed(again)) == (sim.hash(), pytest.approx(0.2))
