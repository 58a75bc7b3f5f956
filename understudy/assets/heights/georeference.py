"""Georeferences of elevation files: rows and columns to latitude and longitude and back.

Degrees are used unchanged in any datum (WGS 84, ETRS 89 and NAD 83 differ by less than 2 m). UTM is the
transverse Mercator of the WGS 84 ellipsoid by Krueger's series in the third flattening, to its third power: below 1 mm
in a zone.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from understudy.elementary import arrays
from understudy.frozen import frozen
from understudy.world.geo import FLATTENING, SEMI_MAJOR_M

Array = npt.NDArray[np.float64]

_N = FLATTENING / (2 - FLATTENING)
_N2 = _N * _N
_RADIUS_M = SEMI_MAJOR_M / (1 + _N) * (1 + _N2 / 4 + _N2 * _N2 / 64)
_SCALE, _EASTING_M, _SOUTH_M = 0.9996, 500_000.0, 10_000_000.0
_ALPHA = (_N / 2 - 2 / 3 * _N2 + 5 / 16 * _N2 * _N, 13 / 48 * _N2 - 3 / 5 * _N2 * _N, 61 / 240 * _N2 * _N)
_BETA = (_N / 2 - 2 / 3 * _N2 + 37 / 96 * _N2 * _N, _N2 / 48 + _N2 * _N / 15, 17 / 480 * _N2 * _N)
_DELTA = (2 * _N - 2 / 3 * _N2 - 2 * _N2 * _N, 7 / 3 * _N2 - 8 / 5 * _N2 * _N, 56 / 15 * _N2 * _N)


@frozen
class Lattice:
    """Coordinates of column 0 and row 0 (the top), and how much they change by column and row."""

    x0: float
    y0: float
    dx: float
    dy: float  # negative where the top is north

    def cut(self, column: int, row: int) -> Lattice:
        """Return the lattice of a part that begins at another column and row."""
        return replace(self, x0=self.x0 + column * self.dx, y0=self.y0 + row * self.dy)


class Reference(Protocol):
    """The geographic position of each row and column."""

    @property
    def lattice(self) -> Lattice:
        """Return the coordinates of rows and columns."""
        ...

    def to_geo(self, column: Array, row: Array) -> tuple[Array, Array]:
        """Return latitudes and longitudes (deg)."""
        ...

    def to_pixel(self, latitude_deg: Array, longitude_deg: Array) -> tuple[Array, Array]:
        """Return columns and rows."""
        ...

    def cut(self, column: int, row: int) -> Reference:
        """Return the reference of a part that begins at another column and row."""
        ...


@frozen
class Degrees:
    """Rows of equal latitude, columns of equal longitude."""

    lattice: Lattice

    def to_geo(self, column: Array, row: Array) -> tuple[Array, Array]:
        """Return latitudes and longitudes (deg)."""
        return self.lattice.y0 + row * self.lattice.dy, self.lattice.x0 + column * self.lattice.dx

    def to_pixel(self, latitude_deg: Array, longitude_deg: Array) -> tuple[Array, Array]:
        """Return columns and rows."""
        east = (longitude_deg - self.lattice.x0 + 180.0) % 360.0 - 180.0
        return east / self.lattice.dx, (latitude_deg - self.lattice.y0) / self.lattice.dy

    def cut(self, column: int, row: int) -> Degrees:
        """Return the reference of a part that begins at another column and row."""
        return Degrees(self.lattice.cut(column, row))


@frozen
class Utm:
    """Rows and columns of metres in a zone of the Universal Transverse Mercator."""

    lattice: Lattice
    zone: int
    south: bool

    def to_geo(self, column: Array, row: Array) -> tuple[Array, Array]:
        """Return latitudes and longitudes (deg)."""
        x, y = self.lattice.x0 + column * self.lattice.dx, self.lattice.y0 + row * self.lattice.dy
        north = (y - (_SOUTH_M if self.south else 0.0)) / (_SCALE * _RADIUS_M)
        east = (x - _EASTING_M) / (_SCALE * _RADIUS_M)
        xi, eta = north.copy(), east.copy()
        for j, beta in enumerate(_BETA, 1):
            xi -= beta * arrays.sin(2 * j * north) * arrays.cosh(2 * j * east)
            eta -= beta * arrays.cos(2 * j * north) * arrays.sinh(2 * j * east)
        chi = arrays.asin(arrays.sin(xi) / arrays.cosh(eta))
        latitude = chi + sum(delta * arrays.sin(2 * j * chi) for j, delta in enumerate(_DELTA, 1))
        return np.degrees(latitude), self._middle_deg + np.degrees(arrays.atan2(arrays.sinh(eta), arrays.cos(xi)))

    def to_pixel(self, latitude_deg: Array, longitude_deg: Array) -> tuple[Array, Array]:
        """Return columns and rows."""
        sine = arrays.sin(np.radians(latitude_deg))
        away = np.radians(longitude_deg - self._middle_deg)
        k = 2 * math.sqrt(_N) / (1 + _N)
        t = arrays.sinh(arrays.atanh(sine) - k * arrays.atanh(k * sine))
        north, east = arrays.atan2(t, arrays.cos(away)), arrays.atanh(arrays.sin(away) / np.sqrt(1 + t * t))
        x, y = east.copy(), north.copy()
        for j, alpha in enumerate(_ALPHA, 1):
            x += alpha * arrays.cos(2 * j * north) * arrays.sinh(2 * j * east)
            y += alpha * arrays.sin(2 * j * north) * arrays.cosh(2 * j * east)
        x = _EASTING_M + _SCALE * _RADIUS_M * x
        y = (_SOUTH_M if self.south else 0.0) + _SCALE * _RADIUS_M * y
        return (x - self.lattice.x0) / self.lattice.dx, (y - self.lattice.y0) / self.lattice.dy

    @property
    def _middle_deg(self) -> float:
        return self.zone * 6.0 - 183.0

    def cut(self, column: int, row: int) -> Utm:
        """Return the reference of a part that begins at another column and row."""
        return replace(self, lattice=self.lattice.cut(column, row))


def of_epsg(code: int, lattice: Lattice) -> Reference | None:
    """Return the reference of a projection by its number in the EPSG registry; None if it is not supported.

    >>> of_epsg(32632, Lattice(0, 0, 1, -1)).zone
    32
    """
    for first, south in ((32600, False), (32700, True), (25800, False), (26900, False)):  # WGS 84, ETRS 89, NAD 83
        if 1 <= code - first <= 60:
            return Utm(lattice, code - first, south)
    return Degrees(lattice) if code in (4326, 4258, 4269, 4979) else None
