"""Conversion between world coordinates and latitude/longitude: a local tangent plane on the WGS 84 ellipsoid."""

from __future__ import annotations

import calendar
import math
import time

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.elementary import arrays
from understudy.frozen import frozen
from understudy.world.scene import Origin

Array = npt.NDArray[np.float64]

SEMI_MAJOR_M = 6_378_137.0  # WGS 84
FLATTENING = 1 / 298.257223563
ECCENTRICITY_2 = FLATTENING * (2 - FLATTENING)

# metres of one degree of latitude at latitudes 0, 5, ... 90 (WGS 84 series), like the table in SEAR
_TABLE_STEP_DEG = 5.0
DEGREE_OF_LATITUDE_M = (
    110_574.30, 110_582.74, 110_607.79, 110_648.72, 110_704.31, 110_772.91, 110_852.46, 110_940.59, 111_034.64,
    111_131.78, 111_229.06, 111_323.52, 111_412.28, 111_492.59, 111_562.01, 111_618.36, 111_659.92, 111_685.38,
    111_693.95,
)  # fmt: skip
DEGREE_OF_LONGITUDE_M = 111_320.3411  # at the equator; SEAR dissertation, formula 5.6.1.1.2


@frozen
class GeoFrame:
    """The mapping from world coordinates to the Earth; the plane touches the ellipsoid at the origin."""

    latitude_rad: float
    longitude_rad: float
    altitude_m: float
    north_rad: float
    start_us: int  # UTC at simulated time zero, since 1970

    @staticmethod
    def from_origin(origin: Origin | None) -> GeoFrame:
        """Return the frame of a scene's origin; a scene without one is at 0, 0."""
        origin = origin or Origin()
        return GeoFrame(
            math.radians(origin.latitude_deg),
            math.radians(origin.longitude_deg),
            origin.altitude_m,
            origin.north_rad,
            _utc_us(origin.date),
        )

    def to_geo(self, x_m: float, y_m: float, z_m: float) -> tuple[float, float, float]:
        """Return latitude (deg), longitude (deg) and altitude (m) of a point of the world."""
        row = self.geodetic(np.array([[x_m, y_m, z_m]]))[0]
        return float(row[0]), float(row[1]), float(row[2])

    def geodetic(self, points: Array) -> Array:
        """Return latitude (deg), longitude (deg), altitude (m) for rows of x, y, z."""
        centre = _geocentric(self.latitude_rad, self.longitude_rad, self.altitude_m)
        return _geodetic(arrays.product(points, self._axes()) + centre)

    def flat_geodetic(self, points: Array) -> Array:
        """Return latitude (deg), longitude (deg), altitude (m) as in SEAR: with constant lengths of a degree.

        The length of a degree of latitude is that of the nearest row of a table; a degree of longitude scales with the
        cosine of the latitude (SEAR dissertation, 5.6.1.1).
        """
        x, y, z = points.T
        sin_n, cos_n = elementary.sin(self.north_rad), elementary.cos(self.north_rad)
        start_deg = math.degrees(self.latitude_rad)
        row = min(round(abs(start_deg) / _TABLE_STEP_DEG), len(DEGREE_OF_LATITUDE_M) - 1)
        latitude = start_deg + (x * cos_n + y * sin_n) / DEGREE_OF_LATITUDE_M[row]
        length = DEGREE_OF_LONGITUDE_M * np.maximum(arrays.cos(np.radians(latitude)), 1e-9)  # it is 0 at the poles
        longitude = math.degrees(self.longitude_rad) + (x * sin_n - y * cos_n) / length
        return np.column_stack([latitude, (longitude + 180.0) % 360.0 - 180.0, z + self.altitude_m])

    def to_local(self, latitude_deg: float, longitude_deg: float, altitude_m: float) -> tuple[float, float, float]:
        """Return x, y, z of a geographic position (m)."""
        point = _geocentric(math.radians(latitude_deg), math.radians(longitude_deg), altitude_m)
        centre = _geocentric(self.latitude_rad, self.longitude_rad, self.altitude_m)
        x, y, z = arrays.product(self._axes(), point - centre)
        return float(x), float(y), float(z)

    def bearing_deg(self, direction_rad: Array) -> Array:
        """Return directions of the world as degrees clockwise from north, 0 to 360."""
        return np.degrees(self.north_rad - direction_rad) % 360.0

    def _axes(self) -> Array:
        """Return the world's x, y and z axes as geocentric rows."""
        sin_lat, cos_lat = elementary.sin(self.latitude_rad), elementary.cos(self.latitude_rad)
        sin_lon, cos_lon = elementary.sin(self.longitude_rad), elementary.cos(self.longitude_rad)
        east = np.array([-sin_lon, cos_lon, 0.0])
        north = np.array([-sin_lat * cos_lon, -sin_lat * sin_lon, cos_lat])
        up = np.array([cos_lat * cos_lon, cos_lat * sin_lon, sin_lat])
        sin_n, cos_n = elementary.sin(self.north_rad), elementary.cos(self.north_rad)
        return np.array([east * sin_n + north * cos_n, -east * cos_n + north * sin_n, up])


def _utc_us(date: str) -> int:
    text = date if "T" in date else f"{date}T00:00:00"
    return calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%S")) * 1_000_000


def _geocentric(latitude_rad: float, longitude_rad: float, altitude_m: float) -> Array:
    sin_lat = elementary.sin(latitude_rad)
    curvature = SEMI_MAJOR_M / math.sqrt(1 - ECCENTRICITY_2 * sin_lat * sin_lat)
    across = (curvature + altitude_m) * elementary.cos(latitude_rad)
    along = (curvature * (1 - ECCENTRICITY_2) + altitude_m) * sin_lat
    return np.array([across * elementary.cos(longitude_rad), across * elementary.sin(longitude_rad), along])


def _geodetic(points: Array) -> Array:
    """Return latitude (deg), longitude (deg), altitude (m); by fixed-point iteration, exact to nm near the ground."""
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    across = arrays.hypot(x, y)
    latitude = arrays.atan2(z, across * (1 - ECCENTRICITY_2))
    for _ in range(6):
        sin_lat = arrays.sin(latitude)
        curvature = SEMI_MAJOR_M / np.sqrt(1 - ECCENTRICITY_2 * sin_lat * sin_lat)
        latitude = arrays.atan2(z + ECCENTRICITY_2 * curvature * sin_lat, across)
    sin_lat, cos_lat = arrays.sin(latitude), arrays.cos(latitude)
    curvature = SEMI_MAJOR_M / np.sqrt(1 - ECCENTRICITY_2 * sin_lat * sin_lat)
    altitude = across * cos_lat + z * sin_lat - SEMI_MAJOR_M**2 / curvature
    return np.column_stack([np.degrees(latitude), np.degrees(arrays.atan2(y, x)), altitude])
