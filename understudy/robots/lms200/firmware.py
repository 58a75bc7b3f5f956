"""The firmware of an LMS-200: it is set by a client, sets its laser, and reports what the laser measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from understudy.frozen import frozen
from understudy.robots.base import Session, Tree, Unit, UnitSheet, Wiring
from understudy.robots.lms200 import orders, settings
from understudy.robots.lms200.settings import BLOCK_C, BLOCK_D, BLOCK_E, VARIANTS, Variant
from understudy.sensors.base import Array, Device
from understudy.sensors.laser import Laser
from understudy.world.changes import Change, Done, Tune
from understudy.world.news import News
from understudy.world.records import rule

RESTART_US = 500_000  # at least, so that the reply is sent before the baud rate changes
DONE, WRONG_PASSWORD, NOT_POSSIBLE = 0, 1, 2
TYPE = "LMS200;30106;V02.30 "
COMMANDS: tuple[type, ...] = (
    Session, orders.SetMode, orders.ChangeBaud, orders.SetVariant, orders.RequestScan, orders.ReadStatus,
    orders.ReadErrors, orders.ReadType, orders.ReadConfiguration, orders.WriteConfiguration, orders.Restart,
    orders.Unsupported,
)  # fmt: skip


@frozen
class Lms200Sheet(UnitSheet):
    """Settings of the scanner at power-on."""

    kind: ClassVar[str] = "lms200"
    inputs: ClassVar[Mapping[str, str]] = {"laser": "laser"}

    variant: Literal["180/1", "180/0.5", "100/1", "100/0.5", "100/0.25"] = rule(
        "180/1", doc="field of view and angular step, in degrees"
    )
    unit: Literal["mm", "cm"] = rule("mm", doc="of the ranges that it sends")
    measuring: Literal[0, 1, 2, 3, 4, 5, 6, 15, 63] = rule(0, doc="measuring mode: which flags the values have")
    range_m: float = rule(80.0, above=0.0, doc="maximum range; in mm the telegrams reach only 8.182 m")
    start_up_us: int = rule(0, least=0, doc="time from power-on until it answers; 10 s and more on the real scanner")

    @property
    def configuration(self) -> tuple[int, ...]:
        """Return the configuration at power-on."""
        data = list(settings.FACTORY)
        data[BLOCK_D] = self.measuring
        data[BLOCK_E] = int(self.unit == "mm")
        return tuple(data)

    def fitted(self, device: Any) -> Any:
        """Return the laser's data sheet as the scanner sets it at power-on."""
        if not isinstance(device, Laser):
            return device
        variant = VARIANTS[self.variant]
        return settings.laser_sheet(device, variant, settings.ON_REQUEST, self.configuration, self.range_m)


class Scan(NamedTuple):
    """One measurement: ranges (m), the reflectance of what was hit, and which part of a scan it is."""

    ranges_m: Array
    surfaces: Array
    max_m: float
    mean_of: int = 0
    first: int = 0
    last: int = 0
    partial: int | None = None  # number of a partial scan


@frozen
class Lms200Panel:
    """The present settings, and how many scans were measured."""

    ready: bool
    mode: int
    angle_deg: int
    step_deg: float
    unit: str
    scans: int


class Lms200(Unit):
    """A scanner between power-on and power-off."""

    Sheet: ClassVar[type] = Lms200Sheet
    inputs: ClassVar[Mapping[str, str]] = Lms200Sheet.inputs
    drives: ClassVar[bool] = Lms200Sheet.drives
    commands: ClassVar[tuple[type, ...]] = COMMANDS
    ticks: ClassVar[bool] = True

    def __init__(self, sheet: Lms200Sheet, wiring: Wiring) -> None:
        self.sheet, self._wiring = sheet, wiring
        self.variant, self.configuration = VARIANTS[sheet.variant], sheet.configuration
        self._now_us, self._ready_us = 0, sheet.start_up_us
        self.power_ons = 0  # start-ups that have ended
        self.scans = 0  # measurements to report
        self._detuned = True  # the laser's data sheet may not match the settings
        self._seen_us = -1  # stamp of the newest reading
        self._enter(orders.SetMode(settings.ON_REQUEST))

    def _enter(self, command: orders.SetMode) -> None:
        """Begin an operating mode."""
        self.mode, self.mean_of, self.first, self.last = command.mode, command.mean_of, command.first, command.last
        self._sum: list[float] = []
        self._echoes: list[int] = []
        self._averaged = 0
        self._mean: list[float] = []
        self._detuned = True

    @property
    def _laser(self) -> Device | None:
        return self._wiring.devices.get("laser")

    @property
    def ready(self) -> bool:
        """Return whether the start-up has ended."""
        return self._ready_us < 0

    def rewire(self, wiring: Wiring) -> None:
        """Replace the handle of the laser."""
        self._wiring, self._detuned = wiring, True

    # ---- commands

    def order(self, command: Any) -> Any:
        """Take a command and return its reply; a scanner that starts up is deaf."""
        if not isinstance(command, COMMANDS):
            raise TypeError(f"lms200 takes Session and the commands of robots.lms200.orders, not {command!r}")
        if isinstance(command, Session) or not self.hears:
            return None
        match command:
            case orders.SetMode():
                return self._set_mode(command)
            case orders.SetVariant():
                return self._set_variant(Variant(command.angle_deg, command.step))
            case orders.RequestScan():
                return orders.ScanPromised(self.mode in settings.MONITORING)
            case orders.ReadStatus():
                return self.status
            case orders.ReadErrors():
                return orders.ErrorReport()
            case orders.ReadType():
                return orders.TypeName(TYPE)
            case orders.ReadConfiguration():
                return orders.Configuration(True, self.configuration)
            case orders.WriteConfiguration():
                return self._configure(command.data)
            case orders.Restart():
                return self._restart()
        return orders.Acknowledged()

    @property
    def hears(self) -> bool:
        """Return whether it takes commands: not while it starts up."""
        return self.ready or self._ready_us <= self._now_us

    def _set_mode(self, command: orders.SetMode) -> orders.ModeSet:
        if command.mode == settings.INSTALLATION and command.password != settings.PASSWORD:
            return orders.ModeSet(WRONG_PASSWORD)
        if not self._possible(command):
            return orders.ModeSet(NOT_POSSIBLE)
        self._enter(command)
        return orders.ModeSet(DONE)

    def _possible(self, command: orders.SetMode) -> bool:
        if command.mode in settings.AVERAGING and not settings.LEAST_MEAN <= command.mean_of <= settings.MOST_MEAN:
            return False
        if command.mode in settings.CUTTING:
            return 1 <= command.first <= command.last <= self.variant.readings
        return command.mode in (settings.INSTALLATION, settings.DIAGNOSIS, *settings.MONITORING)

    def _set_variant(self, wanted: Variant) -> orders.VariantSet:
        """Change the variant, which ends a stream."""
        ok = wanted in VARIANTS.values() and self.mode != settings.DIAGNOSIS
        if ok:
            self.variant = wanted
            mode = settings.INSTALLATION if self.mode == settings.INSTALLATION else settings.ON_REQUEST
            self._enter(orders.SetMode(mode))
        return orders.VariantSet(ok, *self.variant)

    def _configure(self, data: tuple[int, ...]) -> orders.Configuration:
        ok = self.mode == settings.INSTALLATION and settings.accepts(data)
        if ok:
            written = data[: len(self.configuration)]
            self.configuration = (*written, *self.configuration[len(written) :])
            self._detuned = True
        return orders.Configuration(ok, self.configuration)

    def _restart(self) -> orders.Acknowledged:
        self._enter(orders.SetMode(settings.ON_REQUEST))
        self._ready_us = self._now_us + max(self.sheet.start_up_us, RESTART_US)
        return orders.Acknowledged()

    @property
    def status(self) -> orders.Status:
        """Return the present settings."""
        data = self.configuration
        return orders.Status(self.mode, data[BLOCK_D], *self.variant, bool(data[BLOCK_E]), data[BLOCK_C])

    # ---- time

    def tick(self, now_us: int, dt_us: int) -> None:
        """End the start-up, and count new readings of the laser."""
        self._now_us = now_us
        if not dt_us:
            return
        if not self.ready and now_us >= self._ready_us:
            self._ready_us = -1
            self.power_ons += 1
        laser = self._laser
        if laser is not None and laser.stamp_us != self._seen_us:
            self._seen_us = laser.stamp_us
            if self.ready and self._is_tuned(laser):
                self._measured(laser)

    def _is_tuned(self, laser: Device) -> bool:
        return bool(laser.sheet.rays == self.variant.readings and laser.stamp_us >= 0)

    def _measured(self, laser: Device) -> None:
        averaging = self.mode in settings.AVERAGING
        if not averaging or self._average(laser.read()[: self.variant.readings], laser.sheet.max_m):
            self.scans += 1

    def _average(self, ranges: Array, max_m: float) -> bool:
        """Add a scan to the mean; returns whether it is complete. Missing echoes do not count."""
        seen = ranges < max_m
        total = np.array(self._sum or [0.0] * len(ranges)) + np.where(seen, ranges, 0.0)
        echoes = np.array(self._echoes or [0] * len(ranges)) + seen
        self._averaged += 1
        if self._averaged < self.mean_of:
            self._sum, self._echoes = total.tolist(), echoes.tolist()
            return False
        self._mean = np.where(echoes > 0, total / np.maximum(echoes, 1), max_m).tolist()
        self._sum, self._echoes, self._averaged = [], [], 0
        return True

    @property
    def streaming(self) -> bool:
        """Return whether it sends scans without being asked."""
        return self.mode in settings.MONITORING and self.mode != settings.ON_REQUEST

    def scan(self, whole: bool = False, part: int = 0) -> Scan | None:
        """Return the newest measurement as the operating mode reports it, or *whole*; None if there is none.

        *part* counts partial scans: all directions are measured in each turn, so that any part may be sent at any time.
        """
        laser, count = self._laser, self.variant.readings
        averaging = self.mode in settings.AVERAGING and not whole
        if laser is None or not self._is_tuned(laser) or (averaging and not self._mean):
            return None
        reading, max_m = laser.read(), float(laser.sheet.max_m)
        ranges, surfaces = reading[:count], reading[count:]
        if whole or self.mode == settings.ALL_VALUES:
            return Scan(ranges, surfaces, max_m)
        if self.mode == settings.PARTIAL:
            return self._partial(ranges, surfaces, max_m, part)
        if averaging:
            ranges, surfaces = np.array(self._mean), surfaces[:0]
        cut = slice(self.first - 1, self.last) if self.mode in settings.CUTTING else slice(None)
        if self.mode == settings.WITH_REFLECTIVITY:  # all ranges, and the reflectivity of some
            return Scan(ranges, surfaces, max_m, 0, self.first, self.last)
        return Scan(ranges[cut], surfaces[cut], max_m, self.mean_of, self.first, self.last)

    def _partial(self, ranges: Array, surfaces: Array, max_m: float, part: int) -> Scan:
        numbers, turns = self.variant.partials, self.variant.turns
        index = part % turns
        return Scan(ranges[index::turns], surfaces[index::turns], max_m, partial=numbers[index])

    def asks(self) -> Sequence[Change | News]:
        """Return the change that sets the laser, if it is not set already."""
        laser = self._laser
        if not self._detuned or laser is None or not isinstance(laser.sheet, Laser):
            return ()
        self._detuned = False
        sheet = settings.laser_sheet(laser.sheet, self.variant, self.mode, self.configuration, self.sheet.range_m)
        return () if sheet == laser.sheet else (Tune(laser.name, sheet),)

    def done(self, outcome: Done) -> None:
        """Do nothing: a laser that cannot be set gives no scans."""

    # ---- saving

    def panel(self) -> Lms200Panel:
        """Return the settings."""
        unit = "mm" if self.configuration[BLOCK_E] else "cm"
        return Lms200Panel(self.ready, self.mode, self.variant.angle_deg, self.variant.step / 100, unit, self.scans)

    def state(self) -> Tree:
        """Return settings, counters and an unfinished mean."""
        return {
            "variant": list(self.variant), "configuration": list(self.configuration),
            "mode": [self.mode, self.mean_of, self.first, self.last],
            "now_us": self._now_us, "ready_us": self._ready_us, "seen_us": self._seen_us,
            "power_ons": self.power_ons, "scans": self.scans,
            "sum": list(self._sum), "echoes": list(self._echoes), "averaged": self._averaged,
            "mean": list(self._mean),
        }  # fmt: skip

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        variant, configuration = Variant(*state["variant"]), tuple(state["configuration"])
        if variant not in VARIANTS.values() or not settings.accepts(configuration):
            raise ValueError(f"invalid settings of an LMS-200: {variant}, {configuration}")
        self.variant, self.configuration = variant, configuration
        mode, mean_of, first, last = state["mode"]
        self._enter(orders.SetMode(mode, "", mean_of, first, last))
        self._now_us, self._ready_us, self._seen_us = state["now_us"], state["ready_us"], state["seen_us"]
        self.power_ons, self.scans = state["power_ons"], state["scans"]
        self._sum, self._echoes, self._averaged = list(state["sum"]), list(state["echoes"]), state["averaged"]
        self._mean = list(state["mean"])
