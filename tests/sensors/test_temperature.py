import math
from dataclasses import replace

import numpy as np
import pytest
from scenes import room
from sensors.scripted import Bench

from understudy.sensors.imperfection import PlainNoise
from understudy.sensors.surroundings import Surroundings
from understudy.sensors.temperature import Thermometer
from understudy.world.scene import Air, Origin

HOUR_US = 3_600_000_000
QUICK = Thermometer(lag_us=0, period_us=HOUR_US, noise=PlainNoise("perfect"))
NOON = Origin(0.0, 0.0, date="2026-06-01T12:00:00")
SUMMER = Air(temperature_c=18.0, swing_c=8.0, warmest_h=15.0)


def test_a_thermometer_shows_the_air_of_the_scene():
    assert Bench(QUICK, scene=room(air=Air(temperature_c=7.5))).at(0)[0, 0] == 7.5


def test_a_scene_that_says_nothing_has_twenty_degrees():
    assert Bench(QUICK).at(0)[0, 0] == 20.0


@pytest.mark.parametrize(("hours", "air_c"), [(3, 26.0), (15, 10.0), (9, 18.0), (27, 26.0)])
def test_air_is_warmest_in_the_afternoon_and_coldest_at_night(hours, air_c):
    bench = Bench(QUICK, scene=room(origin=NOON, air=SUMMER))
    assert bench.at(hours * HOUR_US)[0, 0] == pytest.approx(air_c)


def test_the_hour_is_that_of_the_sun_where_the_scene_lies():
    east = replace(NOON, longitude_deg=45.0)  # three hours ahead of Greenwich
    assert Surroundings(room(origin=east, air=SUMMER)).air_c(0) == pytest.approx(26.0)


def test_a_probe_follows_slowly():
    bench = Bench(replace(QUICK, lag_us=10_000_000, period_us=1_000_000), scene=room(air=Air(temperature_c=20.0)))
    assert bench.at(0)[0, 0] == 20.0
    bench.around = Surroundings(room(air=Air(temperature_c=30.0)))
    shown = [bench.at(k * 1_000_000)[0, 0] for k in range(1, 31)]
    left = 30.0 - np.array(shown)
    assert left[1:] / left[:-1] == pytest.approx(math.exp(-0.1))


@pytest.mark.parametrize(("unit", "value"), [("c", 25.0), ("f", 77.0), ("k", 298.15)])
def test_units_can_be_chosen(unit, value):
    sheet = replace(QUICK, unit=unit)
    assert Bench(sheet, scene=room(air=Air(temperature_c=25.0))).at(0)[0, 0] == pytest.approx(value)
    assert sheet.columns() == (f"temperature_{unit}",)


@pytest.mark.parametrize(("air_c", "shown"), [(-40.0, -20.0), (95.0, 69.5)])
def test_a_thermometer_has_ends(air_c, shown):
    assert Bench(QUICK, scene=room(air=Air(temperature_c=air_c))).at(0)[0, 0] == shown
