"""Laser scanners of a Pioneer as clients configure them: field of view, angular step, and the scan that is sent.

The client's field of view is set in the scanner itself (a change of its data sheet), so that every ray points exactly
where the client expects it: reading i is at start + i * step. The number of readings and the rules of reflectance are
those of MobileSim, whose own rays are spaced slightly too narrowly.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.robots.pioneer.orders import SetLaser
from understudy.robots.pioneer.sheet import MOST_LASERS
from understudy.sensors.base import Array, Device
from understudy.sensors.laser import Laser, Sweep
from understudy.world.changes import Tune
from understudy.world.news import Note
from understudy.world.records import from_plain, to_plain

WITH_REFLECTANCE = 2  # mode of a scanner
MOST_RAYS = 3601  # 0.1 degree over 360 degrees
FARTHEST_REFLECTOR_M = 30.0
REFLECTOR, REFLECTOR_SENT = 2, 32  # MobileSim's reflector value, and what it sends for it

Bytes1 = npt.NDArray[np.uint8]
Bytes2 = npt.NDArray[np.uint16]


class Scan(NamedTuple):
    """One sweep as sent to a client: ranges (mm) and reflectances, in the client's order."""

    ranges_mm: Bytes2
    reflectances: Bytes1


@dataclass(slots=True)
class Scanner:
    """The settings of one scanner in this session."""

    mode: int = 0  # 0 off, 1 plain, 2 with reflectance
    start: int | None = None  # deg
    end: int | None = None  # deg
    step: int | None = None  # 1/100 deg
    own: dict[str, Any] | None = None  # the data sheet before it was tuned, as plain values

    @property
    def reversed(self) -> bool:
        """Return whether readings are in clockwise order."""
        return self.start is not None and self.end is not None and self.start > self.end

    def wanted(self, sheet: Laser) -> Laser | str:
        """Return the data sheet for the client's settings, or why they are not supported."""
        if self.mode == WITH_REFLECTANCE and not sheet.reflectance:
            sheet = dataclasses.replace(sheet, reflectance=True)
        if self.start is None and self.end is None and self.step is None:
            return sheet
        angles = sheet.angles_rad()
        own_step = math.degrees(angles[1] - angles[0]) if len(angles) > 1 else 1.0
        start = math.degrees(angles[0]) if self.start is None else float(self.start)
        end = math.degrees(angles[-1]) if self.end is None else float(self.end)
        step = own_step if not self.step else abs(self.step) / 100.0
        low, width = min(start, end), abs(end - start)
        rays = math.ceil(round(width / step, 6)) + 1
        if width > 360.0 or abs(low) > 360.0 or rays > MOST_RAYS:
            return f"the laser does not support {start:g} to {end:g} degrees in steps of {step:g}"
        angles_wanted = np.radians(low + step * np.arange(rays))
        if len(angles) == rays and np.allclose(angles, angles_wanted, rtol=0.0, atol=1e-9):
            return sheet
        return dataclasses.replace(sheet, rays=rays, sweep=Sweep(math.radians(low), math.radians(step)))

    def tuned(self, sheet: Laser) -> Laser | str:
        """Return the data sheet to use from now on; the scanner's own sheet is kept."""
        new = self.wanted(sheet if self.own is None else from_plain(Laser, self.own))
        if isinstance(new, Laser) and self.own is None and new != sheet:
            self.own = to_plain(sheet)
        return new

    def forget(self) -> None:
        """End the session; the scanner's own data sheet is kept."""
        self.mode, self.start, self.end, self.step = 0, None, None, None


class Scanners:
    """All scanners of a robot: the client's settings, and the scans for the client."""

    def __init__(self, nothing_mm: int) -> None:
        self._nothing_mm = nothing_mm
        self._devices: dict[int, Device] = {}
        self._scanners = [Scanner() for _ in range(MOST_LASERS)]
        self.detuned = False  # a scanner's data sheet may not match its settings yet

    def rewire(self, devices: Mapping[str, Device]) -> None:
        """Replace the handles."""
        self._devices = {n: devices[f"laser{n + 1}"] for n in range(MOST_LASERS) if f"laser{n + 1}" in devices}

    @property
    def modes(self) -> tuple[int, ...]:
        """Return the mode of each scanner: 0 off, 1 plain, 2 with reflectance."""
        return tuple(scanner.mode for scanner in self._scanners)

    def set(self, command: SetLaser) -> str:
        """Take a setting; return why a laser cannot be switched on, or an empty string."""
        if command.laser not in self._devices:
            return f"the robot has no laser {command.laser + 1}" if command.what == "mode" and command.value else ""
        setattr(self._scanners[command.laser], command.what, command.value)
        self.detuned = True
        return ""

    def forget(self) -> None:
        """End a session: all scanners off, with their own data sheets again."""
        for scanner in self._scanners:
            self.detuned = self.detuned or scanner.own is not None
            scanner.forget()

    def asks(self, session: bool) -> list[Tune | Note]:
        """Return the changes that apply the settings to the scanners; in a session only to those that are on."""
        if not self.detuned:
            return []
        self.detuned = False
        requests: list[Tune | Note] = []
        for n, device in self._devices.items():
            scanner = self._scanners[n]
            if isinstance(device.sheet, Laser) and (scanner.mode or not session):
                sheet = scanner.tuned(device.sheet)
                if isinstance(sheet, str):
                    requests.append(Note(sheet, "warning"))
                elif sheet != device.sheet:
                    requests.append(Tune(device.name, sheet))
        return requests

    def scan(self, laser: int) -> Scan | None:
        """Return the newest sweep of a scanner as sent to a client; None before the first."""
        device = self._devices.get(laser)
        return None if device is None else scan(device, self._nothing_mm, self._scanners[laser].reversed)

    def state(self) -> list[dict[str, Any]]:
        """Return the settings."""
        return [dataclasses.asdict(scanner) for scanner in self._scanners]

    def restore(self, state: list[dict[str, Any]]) -> None:
        """Continue from saved settings."""
        self._scanners = [Scanner(**scanner) for scanner in state]


def scan(device: Device, nothing_mm: int, backwards: bool) -> Scan | None:
    """Return the newest sweep of a device as sent to a client; None before the first."""
    if device.stamp_us < 0:
        return None
    values, sheet = device.read(), device.sheet
    ranges, surfaces = _parts(values, sheet)
    ranges_mm = _ranges_mm(ranges, sheet.max_m, nothing_mm)
    reflectances = sick_reflectances(surfaces, ranges)
    if backwards:
        ranges_mm, reflectances = ranges_mm[::-1], reflectances[::-1]
    return Scan(ranges_mm, reflectances)


def _parts(values: Array, sheet: Any) -> tuple[Array, Array]:
    """Return the ranges of a reading and, if the scanner measures them, the reflectances."""
    if len(values) == sheet.rays:
        return values, values[:0]
    names = sheet.columns()
    ranges, surfaces = ([i for i, name in enumerate(names) if name.startswith(word)] for word in ("range", "reflect"))
    return values[ranges], values[surfaces]


def _ranges_mm(ranges: Array, reach_m: float, nothing_mm: int) -> Bytes2:
    """Return ranges as sent (mm); no echo is *nothing_mm*, which the client takes for out of range."""
    seen = ranges < reach_m  # false for NaN
    return np.where(seen, np.clip(np.rint(ranges * 1000.0), 0, 65_535), nothing_mm).astype(np.uint16)


def sick_reflectances(surfaces: Array, ranges: Array) -> Bytes1:
    """Return reflectances as a SICK sends them: 0 for ordinary surfaces and for those too far away.

    >>> sick_reflectances(np.array([1.0, 2.0, 40.0, 2.0]), np.array([1.0, 1.0, 1.0, 31.0])).tolist()
    [0, 32, 40, 0]
    """
    if len(surfaces) < len(ranges):  # the scanner does not measure reflectance
        return np.zeros(len(ranges), np.uint8)
    bright = (surfaces > 1.0) & (ranges <= FARTHEST_REFLECTOR_M)
    level = np.where(surfaces == REFLECTOR, REFLECTOR_SENT, np.clip(np.rint(surfaces), 0, 255))
    return np.where(bright, level, 0).astype(np.uint8)
