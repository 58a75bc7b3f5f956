"""NMEA 0183 sentences of a GPS receiver.

Layout::

    $ talker type , fields * checksum CR LF
                            ^ xor of all bytes between $ and *, two upper-case hex digits; at most 82 characters

An empty field means "unknown".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import reduce
from operator import xor
from types import MappingProxyType
from typing import ClassVar, Literal

from understudy.frozen import frozen
from understudy.robots.nmea_gps import Fix
from understudy.units import KM_H_PER_M_S, KNOTS_PER_M_S, US_PER_MS
from understudy.world.records import rule

Sentence = Literal["GGA", "GLL", "GSA", "GSV", "RMC", "VTG"]
Fields = tuple[str, ...]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MODES = {1: "A", 2: "D", 4: "R", 5: "F", 6: "E", 8: "S"}  # by GGA quality

# a fixed constellation: satellite number, elevation, azimuth (deg), signal (dB)
SKY = (
    (1, 40, 83, 42), (3, 30, 180, 40), (6, 25, 270, 38), (11, 60, 10, 45), (14, 35, 130, 41), (17, 50, 225, 43),
    (19, 20, 310, 36), (22, 70, 95, 46), (24, 15, 45, 34), (27, 28, 155, 38), (28, 55, 340, 44), (32, 12, 245, 33),
)  # fmt: skip
PDOP_PER_HDOP, VDOP_PER_HDOP = 1.90 / 1.20, 1.50 / 1.20  # of that constellation


@frozen
class NmeaSheet:
    """What a receiver is set to send."""

    kind: ClassVar[str] = "nmea"
    units: ClassVar[tuple[str, ...]] = ("nmea_gps",)

    sentences: tuple[Sentence, ...] = ("GGA", "GSA", "GSV", "RMC", "VTG")
    gsv_every: int = rule(5, least=1, most=5, doc="GSV is part of every n-th epoch")
    announce: bool = rule(False, doc="send $PMTK010,001 at power-on")
    period_us: int = rule(1_000_000, above=0, doc="shortest time between two epochs")
    decimals: int = rule(4, least=1, most=6, doc="decimals of the minutes of latitude and longitude")
    gga_fields: int = rule(14, least=13, most=14, doc="13: without the last field, as the FV-M8 sends it")
    quality: int = rule(1, least=1, most=8, doc="quality of a fix in GGA: 1 GPS, 2 DGPS, 8 simulator")
    geoid_m: float = rule(0.0, doc="height of the geoid above the ellipsoid")
    variation_deg: float | None = rule(None, least=-180.0, most=180.0, doc="magnetic variation, + is east")
    talker: str = rule("GP", form="name")


def checksum(body: bytes) -> bytes:
    """Return the xor of all bytes as two hex digits."""
    return b"%02X" % reduce(xor, body, 0)


def sentence(body: str) -> bytes:
    """Return the line for *body*, with checksum.

    >>> sentence("PMTK001,220,3")
    b'$PMTK001,220,3*30\\r\\n'
    """
    data = body.encode("ascii")
    return b"$%b*%b\r\n" % (data, checksum(data))


def angle(degrees: float, digits: int, decimals: int, signs: str) -> Fields:
    """Return degrees and decimal minutes with their hemisphere, rounded once.

    >>> angle(35.99999999, 2, 4, "NS"), angle(-80.865, 3, 4, "EW")
    (('3600.0000', 'N'), ('08051.9000', 'W'))
    """
    unit = 10**decimals
    whole, rest = divmod(round(abs(degrees) * 60 * unit), 60 * unit)
    minutes, fraction = divmod(rest, unit)
    return f"{whole:0{digits}d}{minutes:02d}.{fraction:0{decimals}d}", signs[degrees < 0]


def utc(fix: Fix) -> tuple[str, str]:
    """Return hhmmss.sss and ddmmyy, rounded to the millisecond."""
    moment = EPOCH + timedelta(milliseconds=(fix.utc_us + US_PER_MS // 2) // US_PER_MS)
    return f"{moment:%H%M%S}.{moment.microsecond // US_PER_MS:03d}", f"{moment:%d%m%y}"


def _place(fix: Fix, sheet: NmeaSheet) -> Fields:
    if not fix.valid:
        return ("",) * 4
    latitude = angle(fix.latitude_deg, 2, sheet.decimals, "NS")
    return *latitude, *angle(fix.longitude_deg, 3, sheet.decimals, "EW")


def _course(degrees: float) -> str:
    return f"{round(degrees % 360.0, 2) % 360.0:.2f}"


def _mode(fix: Fix, sheet: NmeaSheet) -> str:
    return MODES.get(sheet.quality, "A") if fix.valid else "N"


def _used(fix: Fix) -> int:
    return min(fix.satellites, len(SKY)) if fix.valid else 0


def gga(fix: Fix, sheet: NmeaSheet) -> list[Fields]:
    """Return time, place, quality, satellites, HDOP, altitude and geoid."""
    time, _ = utc(fix)
    known = (f"{fix.hdop:.2f}", f"{fix.altitude_m:.1f}", "M", f"{sheet.geoid_m:.1f}", "M")
    rest = known if fix.valid else ("", "", "M", "", "M")
    quality = str(sheet.quality if fix.valid else 0)
    return [(time, *_place(fix, sheet), quality, f"{_used(fix):02d}", *rest, *("",) * (sheet.gga_fields - 12))]


def gll(fix: Fix, sheet: NmeaSheet) -> list[Fields]:
    """Return place and time."""
    return [(*_place(fix, sheet), utc(fix)[0], "A" if fix.valid else "V", _mode(fix, sheet))]


def gsa(fix: Fix, sheet: NmeaSheet) -> list[Fields]:
    """Return the satellites used and the dilutions of precision."""
    ids = tuple(f"{satellite[0]:02d}" for satellite in SKY[: _used(fix)])
    dops = tuple(f"{fix.hdop * ratio:.2f}" if fix.valid else "" for ratio in (PDOP_PER_HDOP, 1.0, VDOP_PER_HDOP))
    return [("A", "3" if fix.valid else "1", *ids, *("",) * (12 - len(ids)), *dops)]


def gsv(fix: Fix, sheet: NmeaSheet) -> list[Fields]:
    """Return the satellites in view, four to a sentence."""
    seen = SKY[: _used(fix)]
    total = max(1, math.ceil(len(seen) / 4))
    rows = []
    for number in range(total):
        four = (f"{n:02d},{up:02d},{round_:03d},{snr:02d}" for n, up, round_, snr in seen[4 * number : 4 * number + 4])
        rows.append((str(total), str(number + 1), f"{len(seen):02d}", *four))
    return rows


def rmc(fix: Fix, sheet: NmeaSheet) -> list[Fields]:
    """Return time, place, knots, course, date and variation."""
    time, date = utc(fix)
    if not fix.valid:
        return [(time, "V", *_place(fix, sheet), "", "", date, "", "", "N")]
    motion = f"{fix.speed_m_s * KNOTS_PER_M_S:.2f}", _course(fix.course_deg)
    east = sheet.variation_deg
    variation = ("", "") if east is None else (f"{abs(east):.1f}", "EW"[east < 0])
    return [(time, "A", *_place(fix, sheet), *motion, date, *variation, _mode(fix, sheet))]


def vtg(fix: Fix, sheet: NmeaSheet) -> list[Fields]:
    """Return course, true and magnetic, and speed in knots and km/h."""
    if not fix.valid:
        return [("", "T", "", "M", "", "N", "", "K", "N")]
    magnetic = "" if sheet.variation_deg is None else _course(fix.course_deg - sheet.variation_deg)
    knots, km_h = f"{fix.speed_m_s * KNOTS_PER_M_S:.2f}", f"{fix.speed_m_s * KM_H_PER_M_S:.2f}"
    return [(_course(fix.course_deg), "T", magnetic, "M", knots, "N", km_h, "K", _mode(fix, sheet))]


SENTENCES: Mapping[str, Callable[[Fix, NmeaSheet], list[Fields]]] = MappingProxyType(
    {"GGA": gga, "GLL": gll, "GSA": gsa, "GSV": gsv, "RMC": rmc, "VTG": vtg}
)


def parse(line: bytes) -> list[str] | None:
    """Return the fields of an input line, or None if it has no sentence with a correct checksum."""
    _, dollar, text = line.strip().rpartition(b"$")  # bytes of a probe may precede it
    body, star, digits = text.partition(b"*")
    if not (dollar and star and body.isascii()) or digits.upper() != checksum(body):
        return None
    return body.decode("ascii").split(",")
