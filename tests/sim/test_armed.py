"""Programs that are loaded but wait for start."""

import pytest
from scenes import robot, room

from understudy.sim.saving import unpack_run
from understudy.sim.sim import Sim
from understudy.world.robot import Program

TURN = "def main(robot):\n    while True:\n        robot.drive(0.2, 0.4)\n        robot.wait(0.1)\n"


@pytest.fixture
def start(tmp_path):
    (tmp_path / "prog.py").write_text(TURN)

    def make(armed=True, named=True):
        programs = {"scout": Program("prog.py")} if named else {}
        return Sim(room(robot("scout")), seed=3, folder=tmp_path, user_programs=programs, armed=armed)

    return make


def turned(sim):
    return sim.robot("scout").pose.heading_rad


def test_nothing_runs_before_start(start):
    with start() as sim:
        sim.step(100)
        assert (sim.armed, turned(sim)) == (True, 0.0)
        sim.start_programs()
        sim.step(100)
        assert not sim.armed
        assert turned(sim) > 0.1


def test_a_program_that_starts_late_drives_as_one_that_starts_at_once(start):
    with start() as late, start(armed=False) as early:
        late.step(100)
        late.start_programs()
        late.step(100)
        early.step(100)
        assert turned(late) == pytest.approx(turned(early))


def test_a_reset_arms_again(start):
    with start() as sim:
        sim.start_programs()
        sim.step(100)
        sim.reset()
        sim.step(100)
        assert (sim.armed, turned(sim)) == (True, 0.0)


def test_a_scene_without_programs_is_never_armed(start):
    with start(named=False) as sim:
        assert not sim.armed


def test_to_start_twice_is_no_error(start):
    with start() as sim:
        sim.start_programs()
        sim.step(50)
        sim.start_programs()
        sim.step(50)
        with start() as other:
            other.start_programs()
            other.step(100)
            assert sim.hash() == other.hash()


def test_a_run_saved_while_armed_is_armed_when_it_goes_on(start):
    with start() as sim:
        sim.step(60)
        saved = sim.save()
        sim.step(40)
        sim.start_programs()
        sim.step(100)
        with Sim.restored(unpack_run(saved), trust=True) as again:
            assert (again.armed, again.tick) == (True, 60)
            again.step(40)
            again.start_programs()
            again.step(100)
            assert again.hash() == sim.hash()


def test_a_run_whose_program_started_late_goes_on_to_the_bit(start):
    with start() as sim:
        sim.step(60)
        sim.start_programs()
        sim.step(80)
        saved = sim.save()
        sim.step(100)
        with Sim.restored(unpack_run(saved), trust=True) as again:
            assert (again.armed, again.tick) == (False, 140)
            again.step(100)
            assert again.hash() == sim.hash()


def test_a_reset_of_a_run_that_was_saved_armed_arms_again(start):
    with start() as sim:
        sim.step(60)
        with Sim.restored(unpack_run(sim.save()), trust=True) as again:
            again.start_programs()
            again.step(10)
            again.reset()
            assert again.armed
