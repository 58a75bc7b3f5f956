import math

import numpy as np
import pytest

from understudy.world.magnetism import decimal_year, declination_rad, declinations_rad

# NOAA's test values of WMM2025: year, altitude (km), latitude, longitude, declination (deg)
PUBLISHED = [
    (2025.0, 28, 89, -121, -99.77),
    (2025.0, 48, 80, -96, -29.91),
    (2025.0, 54, 82, 87, 54.89),
    (2025.0, 65, 43, 93, 0.50),
    (2025.0, 51, -33, 109, -5.49),
    (2025.0, 39, -59, -8, -15.75),
    (2025.0, 3, -50, -103, 27.96),
    (2025.0, 18, 0, 21, 1.29),
    (2025.5, 6, -36, -137, 20.28),
    (2025.5, 63, 26, 81, 0.51),
]
JULY_2025_US = 1_751_457_600_000_000


@pytest.mark.parametrize(("year", "altitude_km", "latitude", "longitude", "declination"), PUBLISHED)
def test_declinations_agree_with_the_published_test_values(year, altitude_km, latitude, longitude, declination):
    got = declination_rad(latitude, longitude, 1000.0 * altitude_km, year)
    assert math.degrees(got) == pytest.approx(declination, abs=0.01)


def test_what_is_kept_for_a_cell_is_within_a_hundredth_of_a_degree():
    rng = np.random.default_rng(4)
    places = np.column_stack([rng.uniform(-75, 75, 200), rng.uniform(-180, 180, 200), rng.uniform(-100, 4000, 200)])
    exact = [declination_rad(*place, 2025.5) for place in places.tolist()]
    assert np.degrees(declinations_rad(places, JULY_2025_US) - exact) == pytest.approx(np.zeros(200), abs=0.01)


def test_places_in_one_cell_ask_the_model_once():
    near = declinations_rad(np.array([[50.0001, 8.0001, 10.0], [50.0002, 7.9999, 20.0]]), JULY_2025_US)
    assert near[0] == near[1]


@pytest.mark.parametrize(("year", "same_as"), [(1996.0, 2010.0), (2077.3, 2030.0)])
def test_a_date_outside_the_models_gets_the_nearest_one(year, same_as):
    assert declination_rad(50.0, 8.0, 0.0, year) == declination_rad(50.0, 8.0, 0.0, same_as)


@pytest.mark.parametrize("year", [2010.0, 2014.999, 2015.0, 2019.5, 2020.0, 2024.99, 2025.0, 2029.99, 2030.0])
def test_models_follow_each_other_within_their_accuracy(year):
    before, after = declination_rad(50.0, 8.0, 0.0, year - 0.02), declination_rad(50.0, 8.0, 0.0, year)
    assert math.degrees(before) == pytest.approx(math.degrees(after), abs=0.4)


def test_the_poles_and_the_date_line_are_places_too():
    edges = np.array([[90.0, 0.0, 0.0], [-90.0, 12.0, 0.0], [0.0, 180.0, 0.0], [0.0, -180.0, 0.0]])
    assert np.isfinite(declinations_rad(edges, JULY_2025_US)).all()


def test_years_have_fractions_and_leap_years_more_days():
    assert decimal_year(0) == 1970.0
    assert decimal_year(-86_400_000_000) == pytest.approx(1970.0 - 1 / 365)
    assert decimal_year(1_709_251_200_000_000) == pytest.approx(2024.0 + 60 / 366)
