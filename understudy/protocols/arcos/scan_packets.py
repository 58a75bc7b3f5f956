"""Laser packets: a scan in pieces of 32 readings, plain (0x60) or with reflectance (0x61).

Layouts, after the type byte::

    60 | x mm, y mm, heading deg (i16) | total, first (u16) | readings here (u8) | ranges mm (u16 each)
    61 | total, first (u16) | readings here (u8) | range mm (u16), reflectance (u8), 0, 0 each | laser, flags
"""

from __future__ import annotations

import math
import struct

import numpy as np

from understudy.robots.pioneer.laser import Scan
from understudy.robots.pioneer.odometry import WheelOdometry

PIECE = 32  # readings per packet, as in MobileSim
MOVED = 1  # flag: the robot was teleported since the last packet
_READING = np.dtype([("range", "<u2"), ("reflectance", "u1"), ("reserved", "<u2")])


def plain(scan: Scan, odometry: WheelOdometry) -> list[bytes]:
    """Return a scan as plain packets."""
    total = len(scan.ranges_mm)
    place = odometry.x_m * 1000, odometry.y_m * 1000, math.degrees(odometry.heading_rad)
    here = struct.pack("<B3hH", 0x60, *(_wrap16(value) for value in place), total)
    ranges = scan.ranges_mm.astype("<u2").tobytes()
    return [
        here + struct.pack("<HB", first, min(PIECE, total - first)) + ranges[2 * first : 2 * (first + PIECE)]
        for first in range(0, total, PIECE)
    ]


def extended(scan: Scan, laser: int, moved: bool) -> list[bytes]:
    """Return a scan as packets with reflectance; the first one has the flag MOVED if the robot was teleported."""
    total, size = len(scan.ranges_mm), _READING.itemsize
    readings = np.zeros(total, _READING)
    readings["range"], readings["reflectance"] = scan.ranges_mm, scan.reflectances
    data = readings.tobytes()
    return [
        struct.pack("<BHHB", 0x61, total, first, min(PIECE, total - first))
        + data[size * first : size * (first + PIECE)]
        + bytes([laser, MOVED if moved and not first else 0])
        for first in range(0, total, PIECE)
    ]


def _wrap16(value: float) -> int:
    return (round(value) + 0x8000) % 0x10000 - 0x8000
