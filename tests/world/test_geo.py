import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.world.geo import GeoFrame
from understudy.world.scene import Origin

CAROLINA = GeoFrame.from_origin(Origin(33.61, -80.865, 182.5))


def test_a_hundred_metres_north_east_is_where_the_tangent_plane_says():
    latitude, longitude, _ = CAROLINA.to_geo(100.0, 100.0, 0.0)
    assert (round(latitude, 8), round(longitude, 8)) == (33.61090156, -80.86392249)


@given(
    st.floats(-89.0, 89.0), st.floats(-179.0, 179.0), st.floats(-100.0, 8000.0), st.floats(0.0, 2 * math.pi),
    st.floats(-2000.0, 2000.0), st.floats(-2000.0, 2000.0), st.floats(-50.0, 50.0),
)  # fmt: skip
def test_going_to_the_earth_and_back_loses_less_than_a_micrometre(lat, lon, alt, north, x, y, z):
    frame = GeoFrame.from_origin(Origin(lat, lon, alt, north))
    assert frame.to_local(*frame.to_geo(x, y, z)) == pytest.approx((x, y, z), abs=1e-6)


def test_north_may_point_anywhere():
    frame = GeoFrame.from_origin(Origin(50.0, 8.0, 0.0, north_rad=0.0))
    latitude, longitude, _ = frame.to_geo(1000.0, 0.0, 0.0)
    assert latitude > 50.008
    assert longitude == pytest.approx(8.0, abs=1e-9)


def test_a_degree_of_latitude_has_the_length_of_the_series():
    latitude, _, _ = GeoFrame.from_origin(Origin(45.0, 0.0)).to_geo(0.0, 1.0, 0.0)
    assert 1.0 / (latitude - 45.0) == pytest.approx(111131.78, rel=1e-5)


def test_bearings_count_clockwise_from_north():
    assert CAROLINA.bearing_deg(np.array([math.pi / 2, 0.0, math.pi])).tolist() == pytest.approx([0.0, 90.0, 270.0])


def test_the_date_is_utc():
    assert GeoFrame.from_origin(Origin(date="2026-11-15T12:35:19")).start_us == 1_794_746_119_000_000
