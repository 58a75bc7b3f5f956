"""Robots of an included scene keep what the files beside that scene give them."""

import pytest

import understudy as us

HALL = """
schema = 1
ground = {size_m = [10, 10], walled = true}

[[robot]]
name = "scout"
model = "scout"
program = "creep.py"
device.front.filter = "fog.py:fog"
"""


@pytest.fixture
def house(tmp_path):
    (tmp_path / "hall").mkdir()
    (tmp_path / "hall" / "hall.toml").write_text(HALL)
    (tmp_path / "hall" / "creep.py").write_text("def main(robot):\n    robot.drive(0.2)\n    robot.wait(9)\n")
    (tmp_path / "hall" / "fog.py").write_text("def fog(reading, t_s, draws):\n    return reading * 0 + 1.25\n")
    (tmp_path / "house.toml").write_text('schema = 1\ninclude = ["hall/hall.toml"]\n')
    return tmp_path / "house.toml"


def test_its_program_drives_it(house):
    with us.load(house) as sim:
        sim.run(1.0)
        assert sim.robot("scout").pose.x_m > 0.1


def test_its_filter_is_the_last_stage_of_its_sensor(house):
    with us.load(house) as sim:
        sim.run(0.2)
        assert set(sim.robot("scout").read("front")) == {1.25}


def test_a_filter_that_a_robot_file_names_is_beside_that_file(house):
    robots = house.parent / "robots"
    robots.mkdir()
    robots.joinpath("foggy.toml").write_text('[robot]\nlike = "scout"\n[device.front]\nfilter = "fog.py:fog"\n')
    robots.joinpath("fog.py").write_text("def fog(reading, t_s, draws):\n    return reading * 0 + 0.5\n")
    house.write_text('schema = 1\n[[robot]]\nname = "one"\nmodel = "robots/foggy.toml"\n')
    with us.load(house) as sim:
        sim.run(0.2)
        assert set(sim.robot("one").read("front")) == {0.5}
