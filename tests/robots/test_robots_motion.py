"""Motion has one order of its numbers, from a command to the wheels and back."""

import pytest
from scenes import robot, room

from understudy.robots.base import Drive
from understudy.sim.sim import Sim
from understudy.sim.wiring import DriveRow
from understudy.world.motion import Motion


@pytest.fixture
def wheels():
    with Sim(room(robot("a"))) as sim:
        yield DriveRow(sim.current.engine, sim.current.targets, 0)


def test_a_command_means_the_motion_that_it_was_made_of():
    assert Drive.at(Motion(0.3, 0.1, -0.2)).motion == Motion(0.3, 0.1, -0.2)


def test_a_command_names_its_speeds_as_before():
    assert Drive.at(Motion(ahead_m_s=0.3, left_m_s=0.1, turn_rad_s=-0.2)) == Drive(0.3, -0.2, 0.1)


def test_wheels_return_the_motion_that_they_were_asked_for(wheels):
    wheels.set(Motion(0.3, 0.1, -0.2))
    assert wheels.asked() == Motion(ahead_m_s=0.3, left_m_s=0.1, turn_rad_s=-0.2)


def test_a_row_of_targets_has_the_order_of_a_motion():
    with Sim(room(robot("a"))) as sim:
        DriveRow(sim.current.engine, sim.current.targets, 0).set(Motion(0.3, 0.1, -0.2))
        assert Motion(*sim.current.targets[0].tolist()) == Motion(0.3, 0.1, -0.2)
