"""NaN and infinity are refused wherever they come in, and the robot stays what it was."""

import logging
import math

import numpy as np
import pytest
from limbs import panning
from scenes import pioneer_model, robot, room

from understudy.errors import ChangeRefused, EngineError
from understudy.robots.base import Drive
from understudy.robots.servos import Aim
from understudy.sim.inbox import FleetOrder, Order
from understudy.sim.sim import Sim
from understudy.sim.wiring import DriveRow
from understudy.tape import TapeWriter, replay
from understudy.world.changes import Move
from understudy.world.motion import Motion
from understudy.world.shapes import Pose

ABSURD = [math.nan, math.inf, -math.inf]


@pytest.fixture(params=["controller", "pioneer"])
def sim(request):
    parts = {"parts": pioneer_model()} if request.param == "pioneer" else {}
    with Sim(room(robot("a", **parts)), threads=1) as made:
        yield made


@pytest.mark.parametrize("value", ABSURD)
@pytest.mark.parametrize("which", range(3))
def test_a_robot_is_not_driven_at_no_speed_at_all(sim, value, which):
    speeds = [0.1, 0.1, 0.0]
    speeds[which] = value
    with pytest.raises(ValueError, match=r"^a: Drive: \w+: want a finite number, got"):
        sim.robot("a").drive(*speeds)
    sim.step(20)
    assert sim.robot("a").pose == Pose()


@pytest.mark.parametrize("value", ABSURD)
def test_an_order_past_the_robot_is_refused_in_the_log(sim, value, caplog):
    unit = next(path for path, unit in sim.current.units.items() if unit.drives)
    with caplog.at_level(logging.WARNING):
        sim.inbox.post("user", Order(unit, Drive(value)))
        sim.step(20)
    assert sim.robot("a").pose == Pose()
    assert caplog.messages == [f"{unit}: Drive refused: m_s: want a finite number, got {value}"]


@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_a_fleet_is_not_driven_at_infinite_speed(sim, value):
    with pytest.raises(ValueError, match="a: want finite speeds"):
        sim.fleet.drive(value)


@pytest.mark.parametrize("value", ABSURD)
def test_a_row_of_a_fleet_order_that_is_no_motion_leaves_its_robot_alone(sim, value):
    sim.inbox.post("api", FleetOrder(np.array([[0.1, value, 0.0]])))
    sim.step(20)
    assert sim.robot("a").pose == Pose()


@pytest.mark.parametrize("value", [*ABSURD, 1e12])
def test_a_robot_is_put_to_real_places_only(sim, value):
    for pose in (Pose(value), Pose(0.0, value), Pose(z_m=value)):
        with pytest.raises(ChangeRefused, match=r"Move refused: to\.._m: "):
            sim.change(Move("a", pose))
    assert sim.robot("a").pose == Pose()


@pytest.mark.parametrize("value", ABSURD)
def test_a_servo_is_not_aimed_at_nothing(value):
    with Sim(room(robot("a", parts=panning())), threads=1) as sim:
        sim.inbox.post("user", Order("a/servos", Aim("pan", value)))
        sim.step(5)
        assert sim.robot("a").servo("pan").position == 0.0


def test_a_heading_that_is_no_angle_is_refused(sim):
    with pytest.raises(ChangeRefused, match=r"to\.heading_rad: want a finite number, got nan"):
        sim.robot("a").move_to(0.0, 0.0, math.nan)


def test_firmware_that_asks_for_no_motion_at_all_is_reported_with_its_robot(sim):
    with pytest.raises(EngineError, match=r"a: the firmware commands an invalid motion \(NaN or infinity\): nan m/s"):
        DriveRow(sim.current.engine, sim.current.targets, 0).set(Motion(math.nan))


WRONG = [Aim("arm", 1.0), "left", None, 7, Drive("fast")]


@pytest.mark.parametrize("command", WRONG, ids=repr)
def test_a_command_that_the_unit_does_not_take_is_refused_in_the_log_and_the_run_goes_on(sim, command, caplog):
    sim.robot("a").order(command)
    sim.step(20)
    assert sim.tick == 20
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert f"{type(command).__name__} refused: " in caplog.text


def test_a_refused_command_says_what_the_unit_takes(sim, caplog):
    sim.robot("a").order("left")
    sim.step()
    assert "the unit does not take str commands; it takes " in caplog.text
    assert "Drive" in caplog.text


@pytest.mark.parametrize("command", WRONG[:4], ids=repr)
def test_a_tape_with_a_refused_command_replays(tmp_path, command):
    with Sim(room(robot("a")), threads=1) as sim:
        sim.attach(TapeWriter(tmp_path / "run.tape"))
        sim.robot("a").order(command)
        sim.robot("a").drive(0.2)
        sim.step(20)
        last = sim.hash()
    result = replay(tmp_path / "run.tape")
    assert (result.mismatch, result.hash) == (None, last)
