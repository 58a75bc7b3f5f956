"""Several robots in EyeSim's worlds: the paper's soccer field, added robots, and robots that start together."""

import math
from dataclasses import replace

import pytest

from understudy.eyesim.setup import EyesimSetup, simulation
from understudy.world.changes import Add, Move
from understudy.world.shapes import Pose

# the soccer field of the paper: ten robots, a ball, recessed goals
FIELD = """\
   _____________________________________________________
  |                                                     |
  |                                                     |
  |          r                               l          |
  |                                                     |
 _|                                                     |_
|            r                               l            |
|                                                         |
|  r                         o                         l  |
|                                                         |
|_           r                               l           _|
  |                                                     |
  |                                                     |
  |          r                               l          |
  |                                                     |
  |_____________________________________________________|
100
"""
SAY_ID = """\
from eye import *
open("said.txt", "a").write("%d\\n" % OSMachineID())
VWSetSpeed(100, 0)
OSWait(500)
"""


@pytest.fixture
def field(tmp_path):
    (tmp_path / "field.maz").write_text(FIELD)
    return tmp_path / "field.maz"


def test_the_soccer_field_has_ten_robots_and_a_ball(field):
    with simulation(EyesimSetup(field, mode="gated", speed=None)) as sim:
        assert len(sim.robots) == 10
        assert len(sim.scene.balls) == 1
        headings = [round(math.degrees(robot.pose.heading_rad)) % 360 for robot in sim.robots]
        assert sorted(headings) == [0] * 5 + [180] * 5


@pytest.mark.parametrize("engine", ["planar", "rigid"])
def test_a_robot_pushes_and_kicks_the_ball(field, engine):
    with simulation(EyesimSetup(field, mode="gated", speed=None, engine=engine)) as sim:
        ball = sim.scene.balls[0].pose
        keeper = sim.robots[0]
        sim.change(Move(keeper.name, Pose(ball.x_m - 0.4, ball.y_m)))
        keeper.drive(0.5)
        sim.run(1.5)
        keeper.stop()
        pushed = sim.scene.balls[0].pose.x_m - ball.x_m
        assert pushed > 0.1
        sim.run(1.0)
        assert sim.scene.balls[0].pose.x_m - ball.x_m > pushed + 0.05  # it rolls on


def test_a_robot_that_is_added_runs_the_same_program_with_the_next_number(tmp_path, monkeypatch):
    (tmp_path / "say.py").write_text(SAY_ID)
    monkeypatch.chdir(tmp_path)
    with simulation(EyesimSetup(program=("say.py",), mode="gated", speed=None)) as sim:
        sim.run(0.1)
        sim.change(Add(replace(sim.data("s4-1"), name="eve", place=Pose(0.5, 0.5))))
        sim.run(1.0)
        assert not sim.programs_running
        assert sim.robot("eve").pose.x_m > 0.52
    assert (tmp_path / "said.txt").read_text().splitlines() == ["1", "2"]


def test_programs_of_a_parameter_file_wait_for_the_slowest_at_their_first_driving_call(tmp_path, monkeypatch):
    (tmp_path / "eyesim.p").write_text("name Pip\nrobots 2\nrobot 500 500 0\nrobot 500 1500 0\n")
    (tmp_path / "wait.py").write_text(
        "from eye import *\nif OSMachineID() == 2:\n    OSWait(1000)\nVWSetSpeed(100, 0)\n"
        'open("t%d.txt" % OSMachineID(), "w").write(str(OSGetCount()))\nOSWait(200)\n'
    )
    monkeypatch.chdir(tmp_path)
    with simulation(EyesimSetup(program=("wait.py",), mode="gated", speed=None)) as sim:
        sim.run(3.0)
        assert not sim.failed_programs
    times = [int((tmp_path / f"t{n}.txt").read_text()) for n in (1, 2)]
    assert min(times) >= 1000
    assert max(times) - min(times) <= 15


CLASSIC_C = '#include "eyebot.h"\nint main() { VWHandle vw = VWInit(VW_DRIVE, 1); VWDriveStraight(vw, 0.1, 0.1); }\n'


@pytest.mark.parametrize(
    ("program", "text", "robot", "model"),
    [
        ("go.py", "from eye import *\n", "", "s4"),
        ("go.py", "from eye_classic import *\n", "", "soccerbot"),
        ("go.c", CLASSIC_C, "", "soccerbot"),
        ("go.c", '#include "eyebot.h"\nint main() { VWStraight(100, 100); }\n', "", "s4"),
        ("go.py", "from eye import *\n", "LabBot", "labbot"),
        ("go.py", "from eye_classic import *\n", "Omni", "eyebot-omni"),
    ],
)
def test_the_robot_of_a_maze_is_the_one_asked_for_or_fits_the_program(tmp_path, program, text, robot, model):
    (tmp_path / program).write_text(text)
    (tmp_path / "cell.maz").write_text(" _\n|S|\n1000\n")
    setup = EyesimSetup(tmp_path / "cell.maz", (str(tmp_path / program),), model=robot, mode="gated", speed=None)
    with simulation(setup) as sim:
        assert [robot.model for robot in sim.start.robots] == [model]
