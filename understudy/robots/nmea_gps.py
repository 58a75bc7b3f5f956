"""A GPS receiver: returns the newest fix of its antenna, with the time at which it was due.

Its client may ask for more readings a second, which changes the antenna's period, and for a restart, after which it has
no fix for some time.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from understudy.frozen import frozen
from understudy.robots.base import Session, Tree, Unit, UnitSheet, Wiring
from understudy.sensors.gps import Gps
from understudy.world.changes import Change, Done, Tune
from understudy.world.news import News


@frozen
class NmeaGpsSheet(UnitSheet):
    """A receiver has no settings of its own: rate and sentences belong to the port's protocol."""

    kind: ClassVar[str] = "nmea_gps"
    inputs: ClassVar[Mapping[str, str]] = {"gps": "gps"}


@frozen
class SetPeriod:
    """Read the antenna at least this often."""

    period_us: int


@frozen
class RestartReceiver:
    """Begin again, without a fix for some time."""

    blind_us: int


@frozen
class Fix:
    """One reading of the receiver; unless *valid*, only the time is meaningful."""

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


class NmeaGps(Unit):
    """Reads the antenna. It sends with or without a client, so it ignores sessions."""

    Sheet: ClassVar[type] = NmeaGpsSheet
    inputs: ClassVar[Mapping[str, str]] = NmeaGpsSheet.inputs
    drives: ClassVar[bool] = NmeaGpsSheet.drives
    commands: ClassVar[tuple[type, ...]] = (Session, SetPeriod, RestartReceiver)
    ticks: ClassVar[bool] = True

    def __init__(self, sheet: NmeaGpsSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        self._wiring = wiring
        self._period_us = 0  # longest that a client allows; 0: as the antenna has it
        self._blind_until_us = 0
        self._now_us = 0

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
        if not all(map(math.isfinite, values)) or values[5] < 1 or stamp < self._blind_until_us:
            return Fix(stamp, utc)
        latitude, longitude, altitude, speed, course, _, satellites, hdop = values
        return Fix(stamp, utc, True, latitude, longitude, altitude, speed, course, round(satellites), hdop)

    def rewire(self, wiring: Wiring) -> None:
        """Replace the antenna's handle."""
        self._wiring = wiring

    def order(self, command: Any) -> None:
        """Take a period, a restart, or a Session, which changes nothing."""
        match command:
            case SetPeriod():
                self._period_us = command.period_us
            case RestartReceiver():
                self._blind_until_us = self._now_us + command.blind_us
            case Session():
                pass
            case _:
                raise TypeError(f"nmea_gps accepts Session, SetPeriod and RestartReceiver, not {command!r}")

    def tick(self, now_us: int, dt_us: int) -> None:
        """Note the time; the antenna samples at its own rate."""
        self._now_us = now_us

    def asks(self) -> Sequence[Change | News]:
        """Return the change that makes the antenna fast enough, if it is too slow."""
        device = self._wiring.devices.get("gps")
        if not self._period_us or device is None or not isinstance(device.sheet, Gps):
            return ()
        if device.sheet.period_us <= self._period_us:
            return ()
        return (Tune(device.name, dataclasses.replace(device.sheet, period_us=self._period_us)),)

    def done(self, outcome: Done) -> None:
        """Give up if the antenna cannot be faster."""
        self._period_us = self._period_us if outcome.ok else 0

    def panel(self) -> Fix | None:
        """Return the newest reading."""
        return self.fix

    def state(self) -> Tree:
        """Return what a client has asked for; the reading belongs to the device."""
        return {"period_us": self._period_us, "blind_until_us": self._blind_until_us, "now_us": self._now_us}

    def digest(self) -> Tree:
        """Return what a client has asked for, nothing by default."""
        asked = {"period_us": self._period_us, "blind_until_us": self._blind_until_us}
        return {name: value for name, value in asked.items() if value}

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        self._period_us, self._blind_until_us = state["period_us"], state["blind_until_us"]
        self._now_us = state["now_us"]
