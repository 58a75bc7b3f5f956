"""Distance sensors and the laser scanner, in mm; 9999 where nothing is hit."""

from __future__ import annotations

import struct
from typing import Any

from . import constants
from .calls import current, robios
from .frame import NO_PSD
from .values import fill, whole

__all__ = ["LIDARGet", "LIDARSet", "PSDGet", "PSDGetRaw", "SIMLaserScan"]
MOST_POINTS = 3600
_OLD_TO_NEW = {1: 2, 2: 1}  # until 2018 number 1 was on the left, and 2 in front


class _Scan:
    """How the laser scans: set by LIDARSet."""

    range_deg, tilt_deg, points = 360, 0, 360


scan = _Scan()


def _psd(number: int) -> int:
    if constants.PSD_ORDER == "2018":
        number = _OLD_TO_NEW.get(number, number)
    session = current()
    place = session.greeting.place("psd", number)
    return session.frame_with(NO_PSD).psd_mm(place) if place >= 0 else 0


@robios(starts=True)
def PSDGet(psd: Any) -> int:
    """Return the distance that a sensor measures (mm); 9999 if nothing is there, 0 without such a sensor."""
    return _psd(whole(psd))


@robios(starts=True)
def PSDGetRaw(psd: Any) -> int:
    """Return the raw value of a distance sensor; here the same as PSDGet."""
    return _psd(whole(psd))


def _scanned() -> list[int]:
    answer = current().query("LIDAR", scan.points, scan.range_deg, scan.tilt_deg)
    if len(answer) != 4 * scan.points:  # the robot has none
        return [0] * scan.points
    return list(struct.unpack(f"<{scan.points}i", answer))


@robios(starts=True)
def LIDARGet(distances: Any = None) -> Any:
    """Return a scan from left over the front to the right (mm); with an array, store it there."""
    values = _scanned()
    if distances is None:
        return values
    fill(distances, values)
    return 0


@robios(starts=True)
def LIDARSet(range: Any, tilt: Any, points: Any) -> int:
    """Set the range of scans (1 to 360 degrees), the tilt (degrees, positive: down) and the number of points."""
    wide, count = whole(range), whole(points)
    if not (1 <= wide <= 360 and 1 <= count <= MOST_POINTS and abs(whole(tilt)) <= 90):
        return 1
    scan.range_deg, scan.tilt_deg, scan.points = wide, whole(tilt), count
    return 0


@robios(starts=True)
def SIMLaserScan(distances: Any = None) -> Any:
    """Return a scan as EyeSim of 2017 had it: the first value is ahead, the others follow to the left (mm)."""
    values = _scanned()
    middle = len(values) // 2
    turned = values[middle::-1] + values[:middle:-1]
    if distances is None:
        return turned
    fill(distances, turned)
    return 0
