"""Battery and charger of a Roomba: the gauge's readings, and what the charger has put in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from understudy.robots.roomba.sheet import RoombaSheet
from understudy.sensors.base import Device
from understudy.sensors.battery import HELD, VOLTS

CABLE, HOME_BASE = 1, 2  # charging sources
NOT_CHARGING, RECONDITIONING, CHARGING, TRICKLE, WAITING, FAULT = range(6)  # charging states
SETTLE_S = 1.0  # the charger waits so long after contact
COLD_C, HOT_C = 0.0, 45.0  # it also waits while the battery is colder or hotter than this
DEEP = 0.05  # share of the charge below which a battery is reconditioned ...
_GENTLE = 0.2  # ... with this share of the current
_FULL = 0.995  # share of the charge from which the charger only trickles
_TRICKLE_A = 0.06
_USUAL_V, _USUAL_A, _USUAL_C = 16.0, -0.2, 25.0  # without a battery device
_S_PER_H = 3600.0


class BatteryState(NamedTuple):
    """Voltage (V), current into the battery (A), charge and capacity (Ah)."""

    volts: float
    amps: float
    charge_ah: float
    capacity_ah: float

    @property
    def held(self) -> float:
        """Return the charge as a share of the capacity."""
        return self.charge_ah / self.capacity_ah


@dataclass(slots=True)
class Power:
    """The charger: whether its cable is plugged in, whether the robot is docked, how much it has put in."""

    cable: bool = False
    docked: bool = False
    charged_ah: float = 0.0
    contact_s: float = 0.0  # since the charger was connected

    @property
    def sources(self) -> int:
        """Return the bits of the present sources."""
        return CABLE * self.cable | HOME_BASE * self.docked

    def charge(self, battery: Device | None, thermometer: Device | None, sheet: RoombaSheet, dt_s: float) -> None:
        """Charge for a while, up to the capacity."""
        self.contact_s = self.contact_s + dt_s if self.sources else 0.0
        amps = _charger_a(self.state(battery, thermometer, sheet), sheet)
        if amps is None or battery is None:
            return
        room = battery.sheet.capacity_ah - _finite(battery, 2, battery.sheet.capacity_ah)
        self.charged_ah = min(self.charged_ah + amps * dt_s / _S_PER_H, max(0.0, room))

    def is_empty(self, battery: Device | None) -> bool:
        """Return whether nothing is left in the battery."""
        if battery is None or battery.stamp_us < 0 or self.sources:
            return False
        return self.charged_ah <= 0.0 and _finite(battery, 2, 1.0) <= 0.0

    def gauge(self, battery: Device | None, thermometer: Device | None, sheet: RoombaSheet) -> BatteryState:
        """Return the state of the battery."""
        charger_a = _charger_a(self.state(battery, thermometer, sheet), sheet)
        if battery is None or battery.stamp_us < 0:
            capacity = sheet.battery_mah / 1000
            return BatteryState(_USUAL_V, _USUAL_A if charger_a is None else charger_a, capacity, capacity)
        drawn, charge = _finite(battery, 2, 0.0), self._charge_ah(battery)
        volts = _finite(battery, 0, _USUAL_V) + _resting_v(battery, charge) - _resting_v(battery, drawn)
        amps = _finite(battery, 1, _USUAL_A) if charger_a is None else charger_a
        return BatteryState(volts, amps, charge, battery.sheet.capacity_ah)

    def state(self, battery: Device | None, thermometer: Device | None, sheet: RoombaSheet) -> int:
        """Return the charging state: what the charger does with a battery of this charge and temperature."""
        if not self.sources:
            return NOT_CHARGING
        if battery is not None and battery.stamp_us >= 0 and not np.isfinite(battery.read()).all():
            return FAULT
        if self.contact_s < SETTLE_S or not COLD_C <= celsius(thermometer) <= HOT_C:
            return WAITING
        held = 1.0 if battery is None or battery.stamp_us < 0 else self._charge_ah(battery) / battery.sheet.capacity_ah
        if held < DEEP:
            return RECONDITIONING
        return TRICKLE if held >= _FULL else CHARGING

    def _charge_ah(self, battery: Device) -> float:
        return min(float(battery.sheet.capacity_ah), _finite(battery, 2, 0.0) + self.charged_ah)


def _charger_a(state: int, sheet: RoombaSheet) -> float | None:
    """Return the current of the charger; None while it gives none."""
    if state == TRICKLE:
        return _TRICKLE_A
    return {CHARGING: sheet.charge_a, RECONDITIONING: _GENTLE * sheet.charge_a}.get(state)


def celsius(thermometer: Device | None) -> float:
    """Return the temperature of the battery; 25 without a thermometer."""
    return _USUAL_C if thermometer is None or thermometer.stamp_us < 0 else _finite(thermometer, 0, _USUAL_C)


def _finite(device: Device, column: int, otherwise: float) -> float:
    value = float(device.read()[column])
    return value if math.isfinite(value) else otherwise


def _resting_v(battery: Device, charge_ah: float) -> float:
    sheet = battery.sheet
    return float(sheet.cells * np.interp(charge_ah / sheet.capacity_ah, HELD, VOLTS[sheet.chemistry]))
