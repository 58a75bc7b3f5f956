"""Whole runs on the rigid engine: tapes, saved runs, changes while time goes on, sensors on slopes."""

import math
from dataclasses import replace

import pytest
from scenes import box, model, robot, room

from understudy.sensors import SENSORS
from understudy.sim.saving import unpack_run
from understudy.sim.sim import Sim
from understudy.tape import Tape, TapeWriter
from understudy.tape.replay import replay
from understudy.world import changes
from understudy.world.robot import DeviceSpec
from understudy.world.scene import Solid
from understudy.world.shapes import Box, Pose


def sim_of(*robots, **extra):
    return Sim(room(*robots, engine="rigid", **extra), threads=1)


def test_a_tape_of_a_run_with_changes_replays_to_the_bit(tmp_path):
    with sim_of(robot("a", -2.0), robot("b", 1.0), objects=(box("crate", 0.0, mass_kg=1.0),)) as sim:
        sim.attach(TapeWriter(tmp_path / "run"))
        sim.robot("a").drive(0.4, 0.1)
        sim.run(0.5)
        sim.change(changes.Add(box("late", 2.0, 1.0)))
        sim.change(changes.Move("b", Pose(1.5, -1.0, heading_rad=1.0)))
        sim.change(changes.Remove("crate"))
        sim.run(0.5)
    result = replay(Tape(tmp_path / "run"))
    assert result.mismatch is None
    assert result.ticks == 200


def test_a_saved_run_goes_on_to_the_bit():
    with sim_of(robot("a", -2.0), objects=(box("crate", -1.0, mass_kg=1.0),)) as sim:
        sim.robot("a").drive(0.4, 0.1)
        sim.run(1.0)
        saved = sim.save()
        sim.run(0.5)
        with Sim.restored(unpack_run(saved)) as other:
            other.run(0.5)
            assert other.hash() == sim.hash()


def test_an_accelerometer_feels_a_slope():
    angle = 0.15
    plate = Solid(name="plate", shape=Box((4.0, 3.0, 1.0)), pose=Pose(pitch_rad=-angle), friction=1.0)
    quiet = type(SENSORS["accelerometer"]().noise)(preset="perfect")
    feel = DeviceSpec(name="feel", sheet=SENSORS["accelerometer"](noise=quiet, bandwidth_hz=0.0))
    place = Pose(-math.sin(angle), 0.0, math.cos(angle), pitch_rad=-angle)
    with sim_of(replace(robot("a", parts=model(devices=(feel,))), place=place), objects=(plate,)) as sim:
        sim.run(0.5)
        felt = sim.robot("a").read("feel").tolist()
    assert felt == pytest.approx([9.81 * math.sin(angle), 0.0, 9.81 * math.cos(angle)], abs=0.06)
