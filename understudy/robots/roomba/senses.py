"""What a Roomba's own sensors tell: bumpers, wheel drops, cliffs, wall and light bumpers, from the bound devices."""

from __future__ import annotations

import math
from collections.abc import Mapping

from understudy.sensors.base import Array, Device

CLIFFS, LIGHTS = 4, 6  # left to right
_MIDDLE_RAD, _MIDDLE_M = 1e-6, 1e-6


class BodySenses:
    """The newest readings; a device that is not there notices nothing."""

    def __init__(self, devices: Mapping[str, Device]) -> None:
        self._devices = devices
        bumpers, drops = devices.get("bumpers"), devices.get("drops")
        self._sides = () if bumpers is None else tuple(_side(sector) for sector in bumpers.sheet.sectors)
        self._wheels = () if drops is None else tuple(drops.sheet.wheels)

    def _read(self, name: str) -> Array | None:
        device = self._devices.get(name)
        return None if device is None or device.stamp_us < 0 else device.read()

    @property
    def bumps(self) -> tuple[bool, bool]:
        """Return whether the left and the right bumper are pressed; one in the middle presses both."""
        values = self._read("bumpers")
        if values is None:
            return False, False
        pressed = [side for side, value in zip(self._sides, values.tolist()) if value >= 0.5]
        return any(side >= 0 for side in pressed), any(side <= 0 for side in pressed)

    @property
    def drops(self) -> tuple[bool, bool, bool]:
        """Return whether the left wheel, the right wheel and the castor have dropped."""
        values = self._read("drops")
        if values is None:
            return False, False, False
        hanging = [wheel.y_m for wheel, value in zip(self._wheels, values.tolist()) if value >= 0.5]
        return (
            any(y > _MIDDLE_M for y in hanging),
            any(y < -_MIDDLE_M for y in hanging),
            any(abs(y) <= _MIDDLE_M for y in hanging),
        )

    @property
    def cliffs(self) -> tuple[bool, ...]:
        """Return whether there is a cliff: left, front left, front right, right."""
        return tuple(value >= 0.5 for value in self._half("cliffs", CLIFFS, 0))

    @property
    def cliff_signals(self) -> tuple[float, ...]:
        """Return the strength of the cliff signals."""
        return self._half("cliffs", CLIFFS, 1)

    @property
    def wall(self) -> bool:
        """Return whether there is a wall on the right."""
        return self._half("wall", 1, 0)[0] >= 0.5

    @property
    def wall_signal(self) -> float:
        """Return the strength of the wall signal."""
        return self._half("wall", 1, 1)[0]

    @property
    def lights(self) -> tuple[bool, ...]:
        """Return which light bumpers see something, from left to right."""
        return tuple(value >= 0.5 for value in self._half("lights", LIGHTS, 0))

    @property
    def light_signals(self) -> tuple[float, ...]:
        """Return the strength of the light bumpers' signals, from left to right."""
        return self._half("lights", LIGHTS, 1)

    def _half(self, name: str, count: int, which: int) -> tuple[float, ...]:
        """Return the first or second half of a reading of flags and signals, *count* values; 0 where there is none."""
        values = self._read(name)
        if values is None:
            return (0.0,) * count
        half = len(values) // 2
        part = [0.0 if math.isnan(value) else value for value in values.tolist()[half * which : half * (which + 1)]]
        return tuple((*part, *[0.0] * count)[:count])


def _side(sector: object) -> int:
    """Return 1 for a sector on the left, -1 on the right, 0 in the middle."""
    middle = math.remainder(sector.start_rad + sector.width_rad() / 2, math.tau)  # type: ignore[attr-defined]
    return 0 if abs(middle) <= _MIDDLE_RAD else 1 if middle > 0.0 else -1
