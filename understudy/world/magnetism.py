"""Magnetic declination by the World Magnetic Model of NOAA and the British Geological Survey.

The package pygeomag has the models of 2010, 2015, 2020 and 2025, so dates from 2010 to the end of 2029 are covered;
earlier and later ones get the value of the nearest covered date.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays

Array = npt.NDArray[np.float64]

FIRST_YEAR, LAST_YEAR = 2010, 2029
_EPOCH = datetime(1970, 1, 1)
_CELL = np.array([1e-3, 1e-3, 100.0])  # deg, deg, m: within one the declination changes by some 0.001 deg


def declination_rad(latitude_deg: float, longitude_deg: float, altitude_m: float, year: float) -> float:
    """Return how far east of true north the needle points (rad)."""
    at = min(max(year, float(FIRST_YEAR)), LAST_YEAR + 1.0)
    field = _model(min(int(at), LAST_YEAR)).calculate(latitude_deg, longitude_deg, altitude_m / 1000.0, at)
    return float(arrays.grained(math.radians(field.d)))


def declinations_rad(places: Array, utc_us: int) -> Array:
    """Return the declination at rows of latitude (deg), longitude (deg) and altitude (m), cell by cell (rad).

    The value of a cell of about 100 m is cached, so that moving robots rarely evaluate the model.
    """
    year = round(decimal_year(utc_us), 3)
    cells = np.rint(places / _CELL) * _CELL
    return np.array([_kept_rad(*cell, year) for cell in cells.tolist()])


def decimal_year(utc_us: int) -> float:
    """Return microseconds since 1970 as a year with its fraction.

    >>> decimal_year(1_751_457_600_000_000)
    2025.5
    """
    when = _EPOCH + timedelta(microseconds=utc_us)
    begin, end = (datetime(year, 1, 1) for year in (when.year, when.year + 1))
    return when.year + (when - begin) / (end - begin)


@lru_cache(maxsize=65_536)
def _kept_rad(latitude_deg: float, longitude_deg: float, altitude_m: float, year: float) -> float:
    return declination_rad(latitude_deg, longitude_deg, altitude_m, year)


@cache
def _model(year: int) -> Any:
    from pygeomag import GeoMag

    return GeoMag(base_year=year)
