import math
from dataclasses import replace

import numpy as np
import pytest
from geographiclib.geodesic import Geodesic
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import model, robot, room
from sensors.scripted import Bench

from understudy.robots.nmea_gps import NmeaGps
from understudy.sensors.gps import Gps, decimal_degrees, degrees_minutes
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.surroundings import Surroundings
from understudy.sim.sim import Sim
from understudy.world.geo import DEGREE_OF_LATITUDE_M, GeoFrame
from understudy.world.robot import DeviceSpec, UnitSpec
from understudy.world.scene import Origin
from understudy.world.shapes import Mount

EXACT = Gps(noise=LengthNoise("perfect"))
SEAR = Origin(33.61, -80.865, 182.5)
FIX, SATELLITES = 5, 6


def at(sheet, x=0.0, y=0.0, mount=None, origin=SEAR, **state):
    bench = Bench(sheet, mount or Mount(), scene=room(origin=origin))
    return bench.at(0, poses=[[x, y, 0.0, 0.0, 0.0, 0.0]], **state)[0]


# ---- where it is


@settings(max_examples=200, deadline=None)
@given(st.floats(-85.0, 85.0), st.floats(-180.0, 180.0), st.floats(0.0, 2 * math.pi), st.floats(0.0, 20_000.0))
def test_positions_agree_with_geodesics_to_a_decimetre(latitude, longitude, direction, distance):
    x, y = distance * math.cos(direction), distance * math.sin(direction)
    got = at(EXACT, x, y, origin=Origin(latitude, longitude))
    bearing = math.degrees(math.pi / 2 - direction)
    wanted = Geodesic.WGS84.Direct(latitude, longitude, bearing, distance)
    assert Geodesic.WGS84.Inverse(got[0], got[1], wanted["lat2"], wanted["lon2"])["s12"] < 0.1


def test_the_antenna_is_where_its_mount_is():
    bench = Bench(EXACT, Mount(x_m=-0.16, y_m=0.12, z_m=0.4), scene=room(origin=SEAR))
    got = bench.at(0, poses=[[10.0, 20.0, 0.0, 0.0, 0.0, math.pi / 2]])[0]
    assert got[:3] == pytest.approx(bench.around.frame.to_geo(10.0 - 0.12, 20.0 - 0.16, 0.4), abs=1e-9)


def test_the_antenna_moves_when_the_robot_turns_on_the_spot():
    got = at(EXACT, mount=Mount(x_m=-0.2), twists=[[0.0, 0.0, 0.0, 0.0, 0.0, 2.0]])
    assert got[3:5] == pytest.approx([0.4, 180.0])


def test_the_flat_earth_is_that_of_sear():
    """(100 m north, 100 m east) of SEAR's example, by its formulas with the table's nearest row."""
    latitude = 33.61 + 100.0 / 110_940.59
    longitude = -80.865 + 100.0 / (111_320.3411 * math.cos(math.radians(latitude)))
    got = at(replace(EXACT, earth="flat"), 100.0, 100.0)
    assert got[:3] == pytest.approx([latitude, longitude, 182.5], abs=1e-11)


def test_the_flat_earth_turns_with_north():
    frame = GeoFrame.from_origin(replace(SEAR, north_rad=0.0))
    latitude, longitude, _ = frame.flat_geodetic(np.array([[1000.0, 0.0, 0.0]]))[0]
    assert latitude > 33.619
    assert longitude == pytest.approx(-80.865)


def test_the_flat_earth_has_poles_and_a_date_line():
    far = np.array([[50.0, 50.0, 0.0]])
    assert np.isfinite(GeoFrame.from_origin(Origin(90.0, 0.0)).flat_geodetic(far)).all()
    assert -180.0 <= GeoFrame.from_origin(Origin(0.0, 180.0)).flat_geodetic(far)[0, 1] < -179.99


def test_the_table_of_degrees_is_that_of_the_series():
    for row, length in enumerate(DEGREE_OF_LATITUDE_M):
        p = math.radians(5.0 * row)
        series = 111132.954 - 559.822 * math.cos(2 * p) + 1.175 * math.cos(4 * p) - 0.0023 * math.cos(6 * p)
        assert length == pytest.approx(series, abs=0.006)


# ---- how it says so


def test_degrees_and_minutes_may_be_wanted():
    got = at(replace(EXACT, form="minutes"))
    assert got[:2] == pytest.approx([3336.6, -8051.9], abs=1e-9)
    assert replace(EXACT, form="minutes").columns()[:2] == ("latitude_dm", "longitude_dm")


@given(st.floats(-180.0, 180.0))
def test_degrees_and_minutes_lead_back_to_degrees(angle):
    assert decimal_degrees(degrees_minutes(np.array([angle])))[0] == pytest.approx(angle, abs=1e-11)


def test_a_receivers_firmware_understands_both_forms():
    def fix(form):
        device = DeviceSpec(name="gps", sheet=replace(EXACT, form=form))
        unit = UnitSpec(name="receiver", sheet=NmeaGps.Sheet(), uses=(("gps", "gps"),))
        sim = Sim(room(robot("scout", 1.0, 1.0, parts=model(devices=(device,), units=(unit,)))))
        return sim.current.units["scout/receiver"].fix

    assert fix("minutes").latitude_deg == pytest.approx(fix("degrees").latitude_deg, abs=1e-11)


def test_a_receiver_that_stands_keeps_its_course():
    bench = Bench(EXACT, scene=room(origin=SEAR))
    assert bench.at(0)[0, 4] == 0.0
    assert bench.at(1_000_000, twists=[[0.5, 0.0, 0.0, 0.0, 0.0, 0.0]])[0, 4] == pytest.approx(90.0)
    assert bench.at(2_000_000, twists=[[0.0, -0.01, 0.0, 0.0, 0.0, 0.0]])[0, 3:5] == pytest.approx([0.01, 90.0])


def test_the_usual_error_is_three_metres_in_the_plane():
    noise = Gps().noise
    assert math.sqrt(2 * (noise.sigma_m**2 + noise.drift_m**2)) == pytest.approx(3.0, abs=0.01)


# ---- when it does not know


def shadowed(sheet, t_us=0, x=0.0, bench=None):
    """Return a reading in a world that has no reception between x = 4 and x = 6."""
    scene = room(origin=SEAR)
    bench = bench or Bench(sheet, around=Surroundings(scene, np.array([[5.0, 0.0, 0.0, 2.0, 3.0]])))
    return bench.at(t_us, poses=[[x, 0.0, 0.0, 0.0, 0.0, 0.0]])[0], bench


def test_there_is_no_fix_in_the_shadow():
    assert shadowed(EXACT, x=3.9)[0][FIX] == 1.0
    reading, _ = shadowed(EXACT, x=4.1)
    assert reading[[FIX, SATELLITES]].tolist() == [0.0, 0.0]
    assert np.isnan(reading[:5]).all()


def test_a_shadow_may_lie_askew():
    around = Surroundings(room(), np.array([[1.0, 2.0, math.pi / 6, 4.0, 1.0]]))
    along = np.array([1.0 + 1.9 * math.cos(math.pi / 6), 1.0 + 1.9])
    aside = np.array([2.0 + 1.9 * math.sin(math.pi / 6), 2.0])
    assert around.reception(along, aside).tolist() == [False, True]


def test_too_few_satellites_give_no_fix():
    assert at(replace(EXACT, satellites=3))[FIX] == 0.0
    assert at(replace(EXACT, satellites=4))[FIX] == 1.0


def test_a_receiver_takes_its_time_at_the_start_and_after_a_shadow():
    sheet = replace(EXACT, acquire_us=2_000_000)
    fixes, bench = [], None
    for second, x in enumerate([0, 0, 0, 0, 5, 7, 7, 7, 7]):
        reading, bench = shadowed(sheet, second * 1_000_000, x, bench)
        fixes.append(int(reading[FIX]))
    assert fixes == [0, 0, 1, 1, 0, 0, 0, 1, 1]


def test_a_lost_reading_is_a_receiver_without_a_fix():
    reading = at(Gps(noise=LengthNoise(lost=1.0)))
    assert reading[FIX] == 0.0
    assert np.isnan(reading[:5]).all()
