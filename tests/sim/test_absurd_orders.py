"""NaN and infinity are refused wherever they come in, and the robot stays what it was."""

import logging
import math
from dataclasses import dataclass

import numpy as np
import pytest
from limbs import panning
from scenes import pioneer_model, robot, room

from understudy.errors import ChangeRefused, EngineError, excerpt
from understudy.robots.base import Drive
from understudy.robots.servos import Aim
from understudy.sim.inbox import FleetOrder, Order
from understudy.sim.saving import unpack_run
from understudy.sim.sim import Sim
from understudy.sim.wiring import DriveRow
from understudy.tape import Tape, TapeWriter, replay
from understudy.tape.replay import Player
from understudy.world.changes import (
    Add,
    Bring,
    Ended,
    LoadMap,
    Move,
    OpenMap,
    Pause,
    Quit,
    Remove,
    Replace,
    Reset,
    Speed,
    Step,
    Switch,
    Tune,
)  # fmt: skip
from understudy.world.faults import Fault
from understudy.world.motion import Motion
from understudy.world.scene import Wall
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


@dataclass(frozen=True)
class Impostor:
    """A command that has only the name in common with the one that units take."""

    m_s: float = 0.5


Impostor.__name__ = "Drive"
TAPED = [
    *WRONG, Drive(True), Drive(1), Drive(np.float32(0.1)), Drive(10**400), Drive(1j), Drive(object()), Drive([1]),
    Drive({"a": 1}), Drive(Drive(1.0)), Drive(b"x"), Drive("x" * 100_000), Impostor(),
]  # fmt: skip


@pytest.fixture(scope="module")
def two_kinds():
    return room(robot("a"), robot("p", y=1.0, parts=pioneer_model()))


def given(sim, commands):
    for command in commands:
        sim.inbox.post("user", Order("a/controller", command))
        sim.inbox.post("user", Order("p/arcos", command))
        sim.inbox.post("user", Order("nobody/unit", command))
        sim.step(2)
    sim.robot("p").drive(0.2)
    sim.step(20)
    return sim.hash()


@pytest.mark.parametrize(
    "command", [*TAPED, Drive(math.nan), Drive(np.zeros(3))], ids=lambda each: excerpt(repr(each), 40)
)
def test_a_tape_with_a_strange_command_replays(tmp_path, two_kinds, command):
    with Sim(two_kinds, threads=1) as sim:
        sim.attach(TapeWriter(tmp_path / "run.tape"))
        last = given(sim, [command])
    result = replay(tmp_path / "run.tape")
    assert (result.mismatch, result.hash) == (None, last)


def test_a_saved_run_with_strange_commands_in_its_inbox_goes_on_like_the_original(two_kinds):
    with Sim(two_kinds, threads=1) as sim:
        for command in TAPED:
            sim.inbox.post("user", Order("p/arcos", command))
        with Sim.restored(unpack_run(sim.save())) as twin:
            assert given(sim, []) == given(twin, [])


def test_a_replay_refuses_a_command_for_the_reason_that_it_had(tmp_path, two_kinds):
    with Sim(two_kinds, threads=1) as sim:
        sim.attach(TapeWriter(tmp_path / "run.tape"))
        given(sim, [Drive("fast")])
    notes = [news.text for _, outcome in Player(Tape(tmp_path / "run.tape")).play() for _, news in outcome.news]
    assert "Drive refused: m_s: want a number, got 'fast'" in notes


# ---- changes


ABSURD_CHANGES = [
    Move("a", Pose("far")), Move(7, Pose()), Move("a", None), Speed("fast"), Step(0), Pause("x"), Quit("x"), Add(7),
    Add(Wall(name="w", points_m=(("a", "b"), (1.0, 2.0)))), Remove(None), Replace("a", 7), LoadMap(7, "x"),
    Switch("a/front", "maybe"), Fault("a", 7), Reset(7), Tune("a/front", 7), OpenMap(7), Bring(7, 7), Ended(7, 7),
]  # fmt: skip


@pytest.mark.parametrize("change", ABSURD_CHANGES, ids=lambda each: excerpt(repr(each), 40))
def test_a_change_with_values_of_wrong_types_is_refused_and_its_tape_replays(tmp_path, two_kinds, change, caplog):
    with Sim(two_kinds, threads=1) as sim:
        sim.attach(TapeWriter(tmp_path / "run.tape"))
        sim.post(change)
        last = given(sim, [])
        assert sim.tick == 20
    assert f"user: {type(change).__name__} refused: " in caplog.text
    result = replay(tmp_path / "run.tape")
    assert (result.mismatch, result.hash) == (None, last)


def test_a_saved_run_with_absurd_changes_in_its_inbox_goes_on_like_the_original(two_kinds):
    with Sim(two_kinds, threads=1) as sim:
        for change in ABSURD_CHANGES:
            sim.post(change)
        with Sim.restored(unpack_run(sim.save())) as twin:
            assert given(sim, []) == given(twin, [])
