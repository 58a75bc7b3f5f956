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
NOT_CHARGING, CHARGING, TRICKLE = 0, 2, 3  # charging states
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
    """The charger: whether its cable is plugged in, where the charge came from, and how much it has put in."""

    cable: bool = False
    docked: bool = False
    charged_ah: float = 0.0

    @property
    def sources(self) -> int:
        """Return the bits of the present sources."""
        return CABLE * self.cable | HOME_BASE * self.docked

    def charge(self, battery: Device | None, sheet: RoombaSheet, dt_s: float) -> None:
        """Charge for a while, up to the capacity."""
        if not self.sources or battery is None:
            return
        room = battery.sheet.capacity_ah - _finite(battery, 2, battery.sheet.capacity_ah)
        self.charged_ah = min(self.charged_ah + sheet.charge_a * dt_s / _S_PER_H, max(0.0, room))

    def is_empty(self, battery: Device | None) -> bool:
        """Return whether nothing is left in the battery."""
        if battery is None or battery.stamp_us < 0 or self.sources:
            return False
        return self.charged_ah <= 0.0 and _finite(battery, 2, 1.0) <= 0.0

    def gauge(self, battery: Device | None, sheet: RoombaSheet) -> BatteryState:
        """Return the state of the battery."""
        if battery is None or battery.stamp_us < 0:
            capacity = sheet.battery_mah / 1000
            return BatteryState(_USUAL_V, _TRICKLE_A if self.sources else _USUAL_A, capacity, capacity)
        capacity, drawn = battery.sheet.capacity_ah, _finite(battery, 2, 0.0)
        charge = min(capacity, drawn + self.charged_ah)
        volts = _finite(battery, 0, _USUAL_V) + _resting_v(battery, charge) - _resting_v(battery, drawn)
        amps = _finite(battery, 1, _USUAL_A)
        if self.sources:
            amps = _TRICKLE_A if charge >= _FULL * capacity else sheet.charge_a
        return BatteryState(volts, amps, charge, capacity)

    def state_of(self, gauge: BatteryState) -> int:
        """Return the charging state."""
        if not self.sources:
            return NOT_CHARGING
        return TRICKLE if gauge.held >= _FULL else CHARGING


def celsius(thermometer: Device | None) -> float:
    """Return the temperature of the battery; 25 without a thermometer."""
    return _USUAL_C if thermometer is None or thermometer.stamp_us < 0 else _finite(thermometer, 0, _USUAL_C)


def _finite(device: Device, column: int, otherwise: float) -> float:
    value = float(device.read()[column])
    return value if math.isfinite(value) else otherwise


def _resting_v(battery: Device, charge_ah: float) -> float:
    sheet = battery.sheet
    return float(sheet.cells * np.interp(charge_ah / sheet.capacity_ah, HELD, VOLTS[sheet.chemistry]))
