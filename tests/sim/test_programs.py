import textwrap
import threading
import time

import pytest
from scenes import robot, room

from understudy.sim.sim import Sim
from understudy.sim.sleeping import SleepPatch
from understudy.world.robot import Program

WANDER = """
def main(robot):
    while True:
        robot.drive(0.3)
        if robot.wait_for("front").min() < 0.6:
            robot.drive(0.0, 1.0)
            robot.wait(0.7)
"""


@pytest.fixture
def start(tmp_path):
    sims = []

    def make(text, mode="gated", names=("scout",), **extra):
        (tmp_path / "prog.py").write_text(textwrap.dedent(text), encoding="utf-8")
        robots = [robot(name, -2.0 + 1.5 * i) for i, name in enumerate(names)]
        sim = Sim(
            room(*robots), seed=2, folder=tmp_path, user_programs={n: Program("prog.py", mode) for n in names}, **extra
        )
        sims.append(sim)
        return sim

    yield make
    for sim in sims:
        sim.close()


def test_a_program_drives_its_robot_and_time_waits_for_it(start):
    sim = start(WANDER)
    sim.run(20.0)
    assert sim.robot("scout").pose.x_m != -2.0
    assert not sim.robot("scout").stalled


def test_the_same_program_gives_the_same_run(start):
    def end():
        sim = start(WANDER, names=("a", "b"))
        sim.run(10.0)
        return sim.hash()

    assert end() == end()


def test_a_program_starts_before_the_first_tick_and_its_order_acts_in_it(start):
    sim = start("def main(robot):\n    robot.drive(1.0)\n    robot.wait(1)\n")
    sim.step()
    assert sim.robot("scout").pose.x_m > -2.0


def test_when_a_program_ends_its_robot_stops(start):
    sim = start("def main(robot):\n    robot.drive(0.5)\n    robot.wait(1.0)\n")
    sim.run(3.0)
    assert sim.robot("scout").pose.x_m == pytest.approx(-1.5, abs=0.1)


def test_a_program_that_raises_is_reported_with_its_line_and_the_world_goes_on(start, caplog):
    sim = start("def main(robot):\n    robot.drive(0.5)\n    robot.wait(1.0)\n    1 / 0\n")
    sim.run(3.0)
    assert sim.tick == 600
    assert 'prog.py", line 4, in main' in caplog.text
    assert "ZeroDivisionError" in caplog.text
    assert 'programs.py"' not in caplog.text
    assert sim.robot("scout").pose.x_m < -1.3


def test_a_program_without_main_is_reported(start, caplog):
    start("x = 1\n").run(0.1)
    assert "prog.py: no function main(robot)" in caplog.text


def test_a_program_with_a_syntax_error_is_reported_with_its_line(start, caplog):
    start("def main(robot):\n    robot.drive(\n").run(0.1)
    assert "prog.py:2: '(' was never closed" in caplog.text


def test_sleeping_is_waiting_in_simulated_time_with_one_notice(start, caplog):
    text = """
    from time import sleep

    def main(robot):
        for _ in range(3):
            sleep(100.0)
        robot.drive(1.0)
        robot.wait(9)
    """
    sim = start(text)
    sim.run(299.0)
    assert sim.robot("scout").pose.x_m == -2.0
    sim.run(2.0)
    assert sim.robot("scout").pose.x_m > -2.0
    assert caplog.text.count("time.sleep") == 1


def test_sleep_outside_programs_is_still_sleep(start):
    before = time.sleep
    start(WANDER).run(0.1)
    assert time.sleep is before


def test_sleep_is_itself_again_after_a_program_that_is_interrupted(start, caplog):
    before = time.sleep
    sim = start("def main(robot):\n    while True:\n        pass\n")
    sim._guard.patience_s = 0.1
    sim.run(0.1)
    assert "did not yield" in caplog.text
    assert time.sleep is before


def test_another_thread_sleeps_in_real_time_while_a_program_runs():
    slept = []
    patch = SleepPatch()
    with pytest.MonkeyPatch.context() as change:
        change.setattr(time, "sleep", slept.append)
        with patch:
            thread = threading.Thread(target=lambda: time.sleep(0.25))
            thread.start()
            thread.join()
    assert slept == [0.25]


def test_a_reset_starts_programs_anew(start):
    sim = start(WANDER)
    sim.run(3.0)
    first = sim.hash()
    sim.reset()
    sim.run(3.0)
    assert sim.hash() == first


def test_a_program_can_name_the_type_of_its_robot(start):
    sim = start("""
        import understudy as us

        def main(robot: us.ProgramRobot) -> None:
            assert isinstance(robot, us.ProgramRobot)
            robot.drive(0.3)
            robot.wait(1.0)
            robot.drive(robot.velocity.ahead_m_s / 2)
            robot.wait(1.0)
        """)
    sim.run(1.9)
    assert sim.failed_programs == {}
    assert sim.robot("scout").velocity.ahead_m_s == pytest.approx(0.15, abs=0.01)
