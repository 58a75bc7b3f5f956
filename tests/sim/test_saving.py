import subprocess
import sys

import pytest
from scenes import box, pioneer_model, robot, room

from understudy import api
from understudy.errors import TapeError
from understudy.sim.sim import Sim
from understudy.world.changes import Add, Fault
from understudy.world.robot import Program

GO_ON = """
import sys
from understudy import api
with api.restore(sys.argv[1], trust=True) as sim:
    sim.step(int(sys.argv[2]))
    print(sim.tick, sim.hash(), sim.robot("scout").read("front").tobytes().hex())
"""


def other_process(path, ticks):
    done = subprocess.run(
        [sys.executable, "-c", GO_ON, str(path), str(ticks)], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def end(sim):
    return [str(sim.tick), sim.hash(), sim.robot("scout").read("front").tobytes().hex()]


@pytest.fixture
def sim():
    with Sim(room(robot("scout", -1.0), robot("pioneer", 1.0, parts=pioneer_model(latency_us=130_000))), seed=4) as it:
        it.robot("scout").drive(0.3, 0.5)
        it.robot("pioneer").drive(-0.2, 0.5)
        yield it


def test_a_saved_run_goes_on_to_the_bit_in_another_process(sim, tmp_path):
    sim.step(500)
    (tmp_path / "run").write_bytes(sim.save())
    sim.step(500)
    assert other_process(tmp_path / "run", 500) == end(sim)


def test_what_waits_in_the_inbox_is_saved(sim):
    sim.step(100)
    sim.robot("scout").drive(-0.5)
    with api.restore(sim.save()) as other:
        for each in (sim, other):
            each.step(100)
        assert sim.hash() == other.hash()


def test_a_world_that_has_changed_its_structure_is_saved_as_it_is(sim):
    sim.step(100)
    sim.change(Add(box("crate", 0.0, 1.0)))
    sim.change(Add(robot("late", 0.0, -1.0)))
    sim.change(Fault("scout/sonar", "dead"))
    sim.step(100)
    with api.restore(sim.save()) as other:
        for each in (sim, other):
            each.robot("late").drive(0.2)
            each.step(100)
        assert sim.hash() == other.hash()
        assert other.scene == sim.scene
        assert other.robot("scout").read("sonar").tobytes() == sim.robot("scout").read("sonar").tobytes()
        other.reset()
        assert [r.name for r in other.robots] == ["scout", "pioneer"]


PROGRAM = """
def main(robot):
    turns = 0
    while True:
        robot.drive(0.3, 0.1 * turns)
        if robot.wait_for("front").min() < 0.8:
            turns += 1
            robot.wait(0.35)
"""


def test_a_run_with_programs_is_repeated_up_to_the_saved_tick(tmp_path):
    (tmp_path / "prog.py").write_text(PROGRAM)
    scene = room(robot("scout", -1.0), robot("other", 1.0))
    with Sim(scene, seed=4, folder=tmp_path, user_programs={"scout": Program("prog.py")}) as sim:
        sim.step(300)
        sim.robot("other").drive(0.2, 0.3)
        sim.step(100)
        sim.robot("other").move_to(1.0, -0.5)
        sim.step(100)
        (tmp_path / "run").write_bytes(sim.save())
        sim.step(500)
        assert other_process(tmp_path / "run", 500) == end(sim)


def test_a_program_that_is_not_repeatable_is_found_out(tmp_path):
    (tmp_path / "prog.py").write_text(
        "import random\ndef main(robot):\n    robot.drive(random.random() * 0.2)\n    robot.wait(9)\n"
    )
    with Sim(room(), folder=tmp_path, user_programs={"scout": Program("prog.py")}) as sim:
        sim.step(100)
        saved = sim.save()
    with pytest.raises(TapeError, match="a program is not deterministic"):
        api.restore(saved, trust=True)


@pytest.mark.parametrize("data", [b"", b"junk", b"USRUN1\n", b"USRUN1\n\x81\xa3run\xc0"])
def test_what_is_no_saved_run_is_refused(data):
    with pytest.raises(TapeError):
        api.restore(data)
