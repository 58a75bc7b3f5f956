"""Drives that fail, on both engines."""

from __future__ import annotations

import pytest
from scenes import PERFECT, model, robot, room

from understudy.errors import ChangeRefused
from understudy.sensors import SENSORS
from understudy.sim.sim import Sim
from understudy.world.changes import Fault
from understudy.world.drive_stages import Dead, Slip, Weak
from understudy.world.robot import DeviceSpec


@pytest.mark.parametrize("engine", ["planar", "rigid"])
@pytest.mark.parametrize(("how", "speed"), [(Slip(0.25), 0.3), (Weak(0.2), 0.2)])
def test_a_drive_that_slips_or_is_weak_moves_more_slowly_than_it_was_asked_to(engine, how, speed):
    with Sim(room(robot("scout", -2.0, parts=model(PERFECT)), engine=engine)) as sim:
        sim.change(Fault("scout", how))
        sim.robot("scout").drive(0.4)
        sim.run(1.0)
        before = sim.robot("scout").pose.x_m
        sim.run(1.0)
        assert sim.robot("scout").pose.x_m - before == pytest.approx(speed, rel=0.05)


def test_a_weak_drive_does_what_it_still_can():
    with Sim(room(robot("scout", -2.0, parts=model(PERFECT)))) as sim:
        sim.change(Fault("scout", Weak(0.5)))
        sim.robot("scout").drive(0.3)
        sim.run(1.0)
        before = sim.robot("scout").pose.x_m
        sim.run(1.0)
        assert sim.robot("scout").pose.x_m - before == pytest.approx(0.3)


def test_only_a_drive_has_sides():
    laser = DeviceSpec(name="front", sheet=SENSORS["laser"]())
    refused = pytest.raises(ChangeRefused, match="scout/front is a device, which has no left side")
    with Sim(room(robot("scout", parts=model(devices=(laser,))))) as sim, refused:
        sim.change(Fault("scout/front", Dead("left")))
