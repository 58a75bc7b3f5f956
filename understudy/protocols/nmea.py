"""NMEA 0183 sentences of a GPS receiver, and the few MTK commands that change what it sends.

Layout::

    $ talker type , fields * checksum CR LF
                            ^ xor of all between $ and *, two upper-case hex digits; 82 characters at most

An epoch is one reading of the receiver: its sentences carry the time at which the reading was due. An empty field means
"unknown". Commands: ``PMTK220`` sets the period (ms), ``PMTK314`` selects sentences; both are confirmed by ``PMTK001``.
All other input is ignored, since position daemons probe a port with foreign bytes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import reduce
from operator import xor
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from understudy.protocols.base import Tree
from understudy.robots.nmea_gps import Fix, NmeaGps
from understudy.units import KM_H_PER_M_S, KNOTS_PER_M_S, US_PER_MS
from understudy.world.changes import Done
from understudy.world.plain import rule

Sentence = Literal["GGA", "GLL", "GSA", "GSV", "RMC", "VTG"]
Fields = tuple[str, ...]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LONGEST_LINE = 255  # of input; MTK commands are far shorter
MOST_ANSWERS = 64
MODES = {1: "A", 2: "D", 4: "R", 5: "F", 6: "E", 8: "S"}  # by GGA quality
PMTK314: tuple[Sentence, ...] = ("GLL", "RMC", "VTG", "GGA", "GSA", "GSV")  # by position in the command
SHORTEST_PERIOD_MS, LONGEST_PERIOD_MS = 100, 10_000

# a fixed sky: satellite number, elevation, azimuth (deg), signal (dB)
SKY = (
    (1, 40, 83, 42), (3, 30, 180, 40), (6, 25, 270, 38), (11, 60, 10, 45), (14, 35, 130, 41), (17, 50, 225, 43),
    (19, 20, 310, 36), (22, 70, 95, 46), (24, 15, 45, 34), (27, 28, 155, 38), (28, 55, 340, 44), (32, 12, 245, 33),
)  # fmt: skip
PDOP_PER_HDOP, VDOP_PER_HDOP = 1.90 / 1.20, 1.50 / 1.20  # of that sky


@dataclass(frozen=True, slots=True)
class NmeaSheet:
    """What a receiver is set to send."""

    kind: ClassVar[str] = "nmea"
    units: ClassVar[tuple[str, ...]] = ("nmea_gps",)

    sentences: tuple[Sentence, ...] = ("GGA", "GSA", "RMC", "VTG")
    period_us: int = rule(1_000_000, above=0, doc="at least this long between two epochs")
    decimals: int = rule(4, least=1, most=6, doc="of the minutes of latitude and longitude")
    gga_fields: int = rule(14, least=13, most=14, doc="13: without the last one, as the FV-M8 sends")
    quality: int = rule(1, least=1, most=8, doc="GGA's word for a fix: 1 GPS, 2 DGPS, 8 simulator")
    geoid_m: float = rule(0.0, doc="geoid above the ellipsoid")
    variation_deg: float | None = rule(None, least=-180.0, most=180.0, doc="magnetic variation, + is east")
    talker: str = rule("GP", form="name")


def checksum(body: bytes) -> bytes:
    """Return the xor of all bytes as two hex digits."""
    return b"%02X" % reduce(xor, body, 0)


def sentence(body: str) -> bytes:
    """Return the line around *body*.

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
    """Return the fields of an input line, or None if it holds no sentence with a right checksum."""
    _, dollar, text = line.strip().rpartition(b"$")  # a probe's bytes may stand before it
    body, star, digits = text.partition(b"*")
    if not (dollar and star and body.isascii()) or digits.upper() != checksum(body):
        return None
    return body.decode("ascii").split(",")


class Nmea:
    """A receiver's port: an epoch per reading, sent whether or not anybody listens."""

    Sheet: ClassVar[type] = NmeaSheet
    units: ClassVar[tuple[str, ...]] = NmeaSheet.units

    def __init__(self, sheet: NmeaSheet, robot: str) -> None:
        self._sheet = sheet
        self._line = b""
        self._answers: list[str] = []
        self._sentences: list[str] = list(sheet.sentences)
        self._period_us = sheet.period_us
        self._due_us = 0  # the earliest reading that makes the next epoch
        self._now_us = 0
        self._counts = {"received": 0, "ignored": 0, "sent": 0, "dropped": 0}

    def opened(self) -> Sequence[Any]:
        """Do nothing: the receiver does not know who listens."""
        return ()

    def closed(self) -> Sequence[Any]:
        """Do nothing: settings stay, as in a receiver that keeps its power."""
        return ()

    def greet(self) -> Sequence[Any]:
        """Return nothing: a receiver sends to whoever listens."""
        return ()

    def feed(self, data: bytes) -> Sequence[Any]:
        """Take MTK commands; returns nothing, since they concern the port alone."""
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._append(end)
            self._take(self._line)
            self._line = b""
        self._append(rest)
        return ()

    def _append(self, part: bytes) -> None:
        """Lengthen the unfinished line; beyond a bound it can be no command, and its bytes are dropped."""
        line = self._line + part
        self._counts["dropped"] += max(0, len(line) - LONGEST_LINE)
        self._line = line[:LONGEST_LINE]

    def _take(self, line: bytes) -> None:
        fields = parse(line) if len(line) < LONGEST_LINE else None
        number = {"PMTK220": "220", "PMTK314": "314"}.get(fields[0]) if fields else None
        if fields is None or number is None:
            self._counts["ignored"] += 1
            return
        done = self._set_period(fields[1:]) if number == "220" else self._select(fields[1:])
        self._counts["received"] += 1
        if len(self._answers) < MOST_ANSWERS:
            self._answers.append(f"PMTK001,{number},{3 if done else 2}")

    def _set_period(self, args: Sequence[str]) -> bool:
        wanted = int(args[0]) if args and args[0].isdecimal() and len(args[0]) < 6 else 0
        if not SHORTEST_PERIOD_MS <= wanted <= LONGEST_PERIOD_MS:
            return False
        self._due_us += wanted * US_PER_MS - self._period_us if self._due_us else 0
        self._period_us = wanted * US_PER_MS
        return True

    def _select(self, args: Sequence[str]) -> bool:
        if list(args) == ["-1"]:
            self._sentences = list(self._sheet.sentences)
            return True
        if len(args) < len(PMTK314) or not all(arg in tuple("012345") for arg in args):
            return False
        self._sentences = [name for name, arg in zip(PMTK314, args) if arg != "0"]
        return True

    def done(self, outcome: Done) -> None:
        """Hear of a change; a receiver asks for none."""

    def tick(self, unit: NmeaGps, now_us: int) -> bytes:
        """Return answers, and the sentences of a reading that is new and due when time has moved."""
        lines = [sentence(answer) for answer in self._answers]
        self._answers.clear()
        moved, self._now_us = now_us != self._now_us, now_us
        if unit.stamp_us + self._period_us < self._due_us:  # the run began anew
            self._due_us = 0
        if moved and unit.stamp_us >= self._due_us:
            lines += self._epoch(unit.fix)
        self._counts["sent"] += len(lines)
        return b"".join(lines)

    def _epoch(self, fix: Fix | None) -> list[bytes]:
        assert fix is not None, "a stamped reading has a fix"
        self._due_us = fix.stamp_us + self._period_us
        rows = ((name, fields) for name in self._sentences for fields in SENTENCES[name](fix, self._sheet))
        return [sentence(",".join((self._sheet.talker + name, *fields))) for name, fields in rows]

    def hung_up(self) -> bool:
        """Say no: a receiver never hangs up."""
        return False

    def counters(self) -> Mapping[str, int]:
        """Return commands received, lines ignored, sentences sent, bytes dropped."""
        return dict(self._counts)

    def state(self) -> Tree:
        """Return line buffer, settings and counters."""
        return {
            "line": self._line.hex(),
            "answers": list(self._answers),
            "sentences": list(self._sentences),
            "period_us": self._period_us,
            "due_us": self._due_us,
            "now_us": self._now_us,
            "counters": dict(self._counts),
        }

    def restore(self, state: Tree) -> None:
        """Go on in the middle of a line."""
        for name in state["sentences"]:
            if name not in SENTENCES:
                raise ValueError(f"no such sentence {name!r}")
        self._line = bytes.fromhex(state["line"])
        self._answers, self._sentences = list(state["answers"]), list(state["sentences"])
        self._period_us, self._due_us, self._now_us = state["period_us"], state["due_us"], state["now_us"]
        self._counts = dict(state["counters"])
