"""A GPS receiver: hands out the newest fix of its antenna, with the time at which it was due."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from understudy.robots.base import Session, Tree, Wiring


@dataclass(frozen=True, slots=True)
class NmeaGpsSheet:
    """A receiver has no settings of its own: rate and sentences belong to the port's protocol."""

    kind: ClassVar[str] = "nmea_gps"
    inputs: ClassVar[Mapping[str, str]] = {"gps": "gps"}
    drives: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Fix:
    """One reading of the receiver; without *valid* only the time means anything."""

    stamp_us: int  # simulated time
    utc_us: int  # since 1970
    valid: bool = False
    latitude_deg: float = 0.0
    longitude_deg: float = 0.0
    altitude_m: float = 0.0  # above mean sea level
    speed_m_s: float = 0.0
    course_deg: float = 0.0  # true, clockwise from north
    satellites: int = 0
    hdop: float = 0.0


class NmeaGps:
    """Reads the antenna; sends whether or not anybody listens, so a session means nothing to it."""

    Sheet: ClassVar[type] = NmeaGpsSheet
    inputs: ClassVar[Mapping[str, str]] = NmeaGpsSheet.inputs
    drives: ClassVar[bool] = NmeaGpsSheet.drives
    commands: ClassVar[tuple[type, ...]] = (Session,)
    ticks: ClassVar[bool] = True

    def __init__(self, sheet: NmeaGpsSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        self._wiring = wiring

    @property
    def stamp_us(self) -> int:
        """Return the simulated time of the newest reading; -1 before the first (us)."""
        device = self._wiring.devices.get("gps")
        return -1 if device is None else device.stamp_us

    @property
    def fix(self) -> Fix | None:
        """Return the newest reading, or None before the first."""
        stamp = self.stamp_us
        if stamp < 0:
            return None
        device = self._wiring.devices["gps"]
        values = [float(value) for value in device.sheet.in_degrees(device.read())]
        utc = self._wiring.start_us + stamp
        if not all(map(math.isfinite, values)) or values[5] < 1:
            return Fix(stamp, utc)
        latitude, longitude, altitude, speed, course, _, satellites, hdop = values
        return Fix(stamp, utc, True, latitude, longitude, altitude, speed, course, round(satellites), hdop)

    def rewire(self, wiring: Wiring) -> None:
        """Take a new antenna."""
        self._wiring = wiring

    def order(self, command: Any) -> None:
        """Take a Session, which changes nothing."""
        if not isinstance(command, Session):
            raise TypeError(f"nmea_gps takes Session, not {command!r}")

    def tick(self, now_us: int, dt_us: int) -> None:
        """Do nothing: the antenna keeps its own time."""

    def panel(self) -> Fix | None:
        """Return the newest reading."""
        return self.fix

    def state(self) -> Tree:
        """Return an empty tree: the reading belongs to the device."""
        return {}

    def restore(self, state: Tree) -> None:
        """Go on; there is nothing to restore."""
