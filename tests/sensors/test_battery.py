from dataclasses import replace

import numpy as np
import pytest
from scenes import model, robot, room
from sensors.scripted import Bench

from understudy.sensors import SENSORS
from understudy.sensors.battery import HELD, VOLTS, Battery
from understudy.sensors.imperfection import PlainNoise
from understudy.sim.sim import Sim
from understudy.world.robot import DeviceSpec

HOUR_US = 3_600_000_000
QUIET = Battery(
    capacity_ah=10.0, resistance_ohm=0.0, idle_w=20.0, drive_j_m=0.0, stall_w=0.0, noise=PlainNoise("perfect")
)


def drained(sheet, hours=1.0, steps=60, **state):
    """Return the readings of a battery that is left alone for so long."""
    step_us = round(hours * HOUR_US / steps)
    bench = Bench(replace(sheet, period_us=step_us))
    readings = [bench.at(k * step_us, **state)[0] for k in range(steps + 1)]
    return np.array(readings)


def test_a_full_battery_rests_at_its_highest_voltage():
    assert drained(QUIET, steps=1)[0] == pytest.approx([6 * 2.12, -20.0 / (6 * 2.12), 10.0, 1.0])


def test_a_battery_may_be_half_empty_at_first():
    reading = drained(replace(QUIET, start=0.5), steps=1)[0]
    assert reading[[0, 2, 3]] == pytest.approx([6 * 2.04, 5.0, 0.5])


@pytest.mark.parametrize("chemistry", sorted(VOLTS))
def test_the_energy_that_is_taken_is_the_power_times_the_time(chemistry):
    sheet = replace(QUIET, chemistry=chemistry, cells=10, capacity_ah=20.0, idle_w=30.0)
    readings = drained(sheet, 2.0, 720)
    energy_wh = np.sum(readings[1:, 0] * -np.diff(readings[:, 2]))
    assert energy_wh == pytest.approx(2.0 * 30.0)


def test_the_current_over_the_time_is_the_charge():
    readings = drained(QUIET, 1.0, 100)
    assert readings[1:, 1].sum() / 100 == pytest.approx(readings[-1, 2] - 10.0)


def test_voltage_falls_as_charge_does():
    readings = drained(QUIET, 8.0, 500)
    assert (np.diff(readings[:, 0]) <= 0.0).all()
    assert readings[-1, 2] == 0.0


@pytest.mark.parametrize("chemistry", sorted(VOLTS))
def test_every_curve_has_a_value_for_every_share_and_only_rises(chemistry):
    assert len(VOLTS[chemistry]) == len(HELD)
    assert (np.diff(VOLTS[chemistry]) > 0.0).all()


def test_an_empty_battery_gives_nothing():
    assert drained(replace(QUIET, start=0.0), steps=3)[-1] == pytest.approx([6 * 1.93, 0.0, 0.0, 0.0])


def test_resistance_takes_voltage_under_load():
    sheet = replace(QUIET, resistance_ohm=0.5)
    voltage, current = drained(sheet, steps=1)[0, :2]
    assert voltage * -current == pytest.approx(20.0)
    assert voltage == pytest.approx(6 * 2.12 + 0.5 * current)


def test_a_battery_gives_no_more_than_it_can():
    voltage, current = drained(replace(QUIET, resistance_ohm=0.5, idle_w=1e4), steps=1)[0, :2]
    assert voltage == pytest.approx(6 * 2.12 / 2)
    assert current == pytest.approx(-6 * 2.12)


def test_driving_takes_energy_by_the_metre():
    bench = Bench(replace(QUIET, period_us=10_000_000, drive_j_m=30.0))
    bench.at(0)
    voltage, current, *_ = bench.at(10_000_000, travel=[[5.0, 5.0, 0.0]])[0]
    assert voltage * -current == pytest.approx(20.0 + 30.0 * 0.5)


def test_turning_takes_energy_too():
    bench = Bench(replace(QUIET, period_us=10_000_000, drive_j_m=30.0))
    bench.at(0)
    voltage, current, *_ = bench.at(10_000_000, travel=[[-5.0, 5.0, 0.0]])[0]
    assert voltage * -current == pytest.approx(20.0 + 30.0 * 0.5)


def test_motors_that_are_held_take_more():
    voltage, current, *_ = drained(replace(QUIET, stall_w=60.0), steps=1, stalled=[True])[0]
    assert voltage * -current == pytest.approx(80.0)


def test_devices_take_what_their_sheets_say():
    devices = (
        DeviceSpec(name="battery", sheet=QUIET),
        DeviceSpec(name="front", sheet=SENSORS["laser"](power_w=20.0)),
        DeviceSpec(name="gps", sheet=SENSORS["gps"](power_w=0.5)),
    )
    sim = Sim(room(robot("scout", parts=model(devices=devices))))
    voltage, current, *_ = sim.robot("scout").read("battery")
    assert voltage * -current == pytest.approx(40.5)
    sim.robot("scout").switch("front", False)
    sim.run(0.2)
    voltage, current, *_ = sim.robot("scout").read("battery")
    assert voltage * -current == pytest.approx(20.5), "what is switched off takes nothing"
