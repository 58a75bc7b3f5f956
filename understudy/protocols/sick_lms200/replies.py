"""The bodies of the scanner's telegrams: replies as tables, scans as words. The status byte follows each body."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.robots.lms200 import orders, settings
from understudy.robots.lms200.firmware import TYPE, Scan
from understudy.robots.lms200.settings import MEASURING, REAL_TIME_INDEX
from understudy.robots.pioneer.laser import sick_reflectances

Words = npt.NDArray[np.uint16]
STATUS = 0x10  # an LMS 2xx without errors
POWER_ON, NOT_ACKNOWLEDGED = 0x90, bytes([0x92])
BAUD_CODES = {9_600: 0x8067, 19_200: 0x8033, 38_400: 0x8019, 500_000: 0x8001}
STATUS_SIZE = 152  # of B1, without the status byte
MILLIMETRES, PARTIAL = 0x4000, 0x2000  # in the number of values
SCAN_CODES = {
    settings.MEAN: 0xB6, settings.SUB_RANGE: 0xB7, settings.MEAN_SUB_RANGE: 0xBF, settings.WITH_REFLECTIVITY: 0xC4,
}  # fmt: skip
_VERSION = TYPE[-7:].encode()


class ScannerState(NamedTuple):
    """What the status telegram reports."""

    status: orders.Status
    baud: int
    address: int


class Field(NamedTuple):
    """A field of the status telegram; what is not listed is 0."""

    offset: int
    name: str
    form: str
    value: Callable[[ScannerState], Any]


STATUS_FIELDS: tuple[Field, ...] = (
    Field(0, "code", "B", lambda state: 0xB1),
    Field(1, "software version", "7s", lambda state: _VERSION),
    Field(8, "operating mode", "B", lambda state: state.status.mode),
    Field(9, "0 ok, 1 error", "B", lambda state: 0),
    Field(67, "motor revolutions per minute", "H", lambda state: 4500),
    Field(102, "measuring mode", "B", lambda state: state.status.measuring),
    Field(107, "angle, deg", "H", lambda state: state.status.angle_deg),
    Field(109, "step, 1/100 deg", "H", lambda state: state.status.step),
    Field(116, "baud rate", "H", lambda state: BAUD_CODES.get(state.baud, BAUD_CODES[9_600])),
    Field(120, "address", "B", lambda state: state.address),
    Field(122, "unit: 0 cm, 1 mm", "B", lambda state: state.status.millimetres),
    Field(123, "laser on", "B", lambda state: 1),
    Field(124, "version of the boot PROM", "7s", lambda state: _VERSION),
)


def status(state: ScannerState) -> bytes:
    """Return the status telegram's body."""
    data = bytearray(STATUS_SIZE)
    for field in STATUS_FIELDS:
        struct.pack_into(f"<{field.form}", data, field.offset, field.value(state))
    return bytes(data)


REPLIES: Mapping[type, Callable[[Any], bytes]] = MappingProxyType(
    {
        orders.SetMode: lambda reply: struct.pack("<BB", 0xA0, reply.code),
        orders.ChangeBaud: lambda reply: bytes([0xA0, 0]),
        orders.SetVariant: lambda reply: struct.pack("<B?HH", 0xBB, reply.ok, reply.angle_deg, reply.step),
        orders.ReadErrors: lambda reply: bytes([0xB2, *(number for pair in reply.pairs for number in pair)]),
        orders.ReadType: lambda reply: b"\xba" + reply.text.encode("latin-1"),
        orders.ReadConfiguration: lambda reply: bytes([0xF4, *reply.data]),
        orders.WriteConfiguration: lambda reply: bytes([0xF7, reply.ok, *reply.data]),
        orders.Restart: lambda reply: bytes([0x91]),
        orders.Unsupported: lambda reply: NOT_ACKNOWLEDGED,
    }
)


def power_on() -> bytes:
    """Return the body of the power-on telegram."""
    return bytes([POWER_ON]) + TYPE.encode()


def words(scan: Scan, setting: orders.Status) -> Words:
    """Return readings as sent: ranges in cm or mm, and reflectivity in the bits above.

    >>> near = Scan(np.array([2.0, 8.183]), np.array([2.0, 0.0]), 8.183)
    >>> [hex(word) for word in words(near, orders.Status(0x24, 1, 180, 100, True, 0))]
    ['0x27d0', '0x1ff7']
    """
    measuring = MEASURING[setting.measuring]
    bright = sick_reflectances(scan.surfaces, scan.ranges_m).astype(np.uint16)
    if measuring.amplitude:
        return bright
    unit = 1000.0 if setting.millimetres else 100.0
    seen = scan.ranges_m < scan.max_m  # false for NaN
    near = np.clip(np.rint(np.where(seen, scan.ranges_m, 0.0) * unit), 0, measuring.beyond)
    levels = (bright >> (8 - measuring.reflectivity_bits)) << measuring.bits if measuring.reflectivity_bits else 0
    return (np.where(seen, near, measuring.beyond).astype(np.uint16) | levels).astype(np.uint16)


def scan_body(scan: Scan, setting: orders.Status, index: int, whole: bool) -> bytes:
    """Return the body of a scan telegram of the operating mode; *whole*: that of a single scan."""
    values = words(scan, setting)
    code = 0xB0 if whole else SCAN_CODES.get(setting.mode, 0xB0)
    head = b""
    if code in (0xB6, 0xBF):
        head += struct.pack("<B", scan.mean_of)
    if code in (0xB7, 0xBF):
        head += struct.pack("<HH", scan.first, scan.last)
    body = bytes([code]) + head + struct.pack("<H", _count(scan, setting)) + values.astype("<u2").tobytes()
    if code == 0xC4:
        body += _reflectivity(scan)
    return body + (bytes([index & 0xFF]) if setting.availability & REAL_TIME_INDEX else b"")


def _count(scan: Scan, setting: orders.Status) -> int:
    """Return the number of values with unit and partial scan."""
    partial = 0 if scan.partial is None else PARTIAL | scan.partial << 11
    return len(scan.ranges_m) | partial | (MILLIMETRES if setting.millimetres else 0)


def _reflectivity(scan: Scan) -> bytes:
    bright = sick_reflectances(scan.surfaces, scan.ranges_m)[scan.first - 1 : scan.last]
    return struct.pack("<HHH", len(bright), scan.first, scan.last) + bright.tobytes()
