"""Programs beside the clock."""

import threading
from collections import Counter

import pytest
from scenes import robot, room

from understudy.sim.orders import Orders
from understudy.sim.sim import Sim
from understudy.world.changes import Remove
from understudy.world.robot import Program

DONE_S = 30.0  # simulated; time goes on until a thread has had its turn


@pytest.fixture
def start(tmp_path):
    sims = []

    def make(text):
        (tmp_path / "prog.py").write_text(text, encoding="utf-8")
        programs = {"scout": Program("prog.py", "realtime")}
        sims.append(Sim(room(robot("scout", -2.0)), seed=2, folder=tmp_path, user_programs=programs))
        return sims[-1]

    yield make
    for sim in sims:
        sim.close()


def threads():
    return [thread for thread in threading.enumerate() if thread.name == "program scout"]


def run_until(sim, reached):
    while not reached() and sim.time_s < DONE_S:
        sim.run(0.1)
    assert reached()


def test_it_may_loop_without_waiting(start):
    sim = start(
        "def main(robot):\n    robot.drive(0.3)\n    while robot.time_s < 0.2:\n        robot.read('front')\n"
        "    robot.drive(0.0, 1.0)\n    while True:\n        pass\n"
    )
    run_until(sim, lambda: sim.robot("scout").pose.heading_rad > 0.0)
    assert sim.robot("scout").pose.x_m > -2.0


def test_unknown_devices_are_reported(start, caplog):
    sim = start("def main(robot):\n    robot.read('nose')\n")
    run_until(sim, lambda: "scout has no device 'nose'" in caplog.text)


def test_with_it_as_fast_as_possible_is_real_time(start):
    sim = start("def main(robot):\n    robot.wait(10)\n")
    sim.run(0.02)
    assert sim._speed() == 1.0


@pytest.mark.parametrize(
    "end", ["pass", "exit()", "exit(2)", "1 / 0", "raise KeyboardInterrupt", "raise GeneratorExit", "raise SystemExit"]
)
def test_however_it_ends_its_robot_stops(start, end):
    sim = start(f"def main(robot):\n    robot.drive(0.1)\n    robot.wait(0.3)\n    {end}\n")
    run_until(sim, lambda: sim.time_s > 0.5 and not threads())
    sim.run(0.6)
    assert sim.robot("scout").pose.x_m > -2.0
    assert not sim.current.engine.twists()[0].any()


def test_a_failure_is_named_with_its_line(start, caplog):
    sim = start("def main(robot):\n    1 / 0\n")
    run_until(sim, lambda: "scout's program failed at " in caplog.text)
    assert "prog.py:2:" in caplog.text


def test_one_that_does_not_let_itself_be_ended_has_no_say_after_a_reset(start):
    loop = "while True:\n        try:\n            robot.drive(0.3)\n        except:\n            pass"
    sim = start(f"def main(robot):\n    {loop}\n")
    run_until(sim, lambda: sim.robot("scout").pose.x_m > -2.0)
    sim.seats._arm = True  # the new run starts no program
    sim.reset()
    sim.run(0.5)
    assert sim.robot("scout").pose.x_m == -2.0


def test_one_that_orders_without_a_pause_gets_only_so_many_orders_into_a_tick(start, monkeypatch):
    sim = start("def main(robot):\n    while True:\n        robot.drive(0.3)\n")
    obeyed, take = Counter(), Orders.take

    def counted(orders, source, order, t_us, outcome):
        obeyed[t_us] += 1
        assert obeyed[t_us] <= 200  # here, for a tick with too many may take for ever
        take(orders, source, order, t_us, outcome)

    monkeypatch.setattr(Orders, "take", counted)
    run_until(sim, lambda: obeyed.total() > 500)


def test_a_robot_that_is_taken_away_takes_its_program_along_and_nothing_else(start):
    before = threads()  # of programs that did not let themselves be ended
    sim = start("def main(robot):\n    while True:\n        robot.drive(0.1)\n        robot.wait(0.05)\n")
    sim.run(0.3)
    sim.change(Remove("scout"))
    run_until(sim, lambda: threads() == before)
