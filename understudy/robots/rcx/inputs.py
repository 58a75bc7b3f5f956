"""The three inputs of an RCX: from the raw value of a port to what a program reads.

Rules and numbers are those of the RCX's ROM: booleans with hysteresis or slope, counted changes, temperature.
"""

from __future__ import annotations

from dataclasses import dataclass

from understudy.frozen import frozen

RAW_MOST = 1023
SAMPLE_MS = 3
NO_DEVICE, SWITCH, TEMPERATURE, LIGHT, ANGLE = range(5)
RAW, BOOLEAN, EDGES, PULSES, PERCENT, CELSIUS, FAHRENHEIT, ANGLES = range(8)
DEFAULT_MODE = (RAW, BOOLEAN, CELSIUS, PERCENT, ANGLES)  # by type
PRESSED, RELEASED = 180, RAW_MOST  # raw values of a touch sensor
_ONE_BELOW, _ZERO_ABOVE = 460, 562
_QUIET = 100  # samples after a counted change in which no other one counts
_NO_TEMPERATURE = 32_767
_COLDEST, _HOTTEST = 928, 290
# raw below, scale, offset: tenths of a degree Celsius = (raw * scale + offset) / 100, toward 0
_TEMPERATURES = (
    (340, -261, 145_200), (390, -194, 123_000), (478, -144, 103_500), (520, -123, 93_600), (790, -107, 85_200),
    (886, -134, 106_600), (928, -175, 142_600),
)  # fmt: skip


@frozen
class Signal:
    """What a device gives to a port: a voltage as raw value, the angle of an axle, a light value of its own scale."""

    raw: int = RAW_MOST
    angle: int = 0  # sixteenths of a turn
    light: int | None = None  # replaces the percent value


def celsius(raw: int) -> int:
    """Return tenths of a degree Celsius.

    >>> celsius(290), celsius(928)
    (695, 32767)
    """
    if not _HOTTEST <= raw < _COLDEST:
        return _NO_TEMPERATURE
    scale, offset = next((scale, offset) for below, scale, offset in _TEMPERATURES if raw < below)
    tenths = raw * scale + offset
    return abs(tenths) // 100 * (1 if tenths >= 0 else -1)


def raw_of_celsius(degrees: float) -> int:
    """Return the raw value whose temperature is nearest."""
    return min(range(_HOTTEST, _COLDEST), key=lambda raw: abs(celsius(raw) - 10.0 * degrees))


def percent(raw: int, kind: int) -> int:
    """Return the percent value of a type of sensor.

    >>> percent(697, LIGHT), percent(322, LIGHT), percent(1022, LIGHT)
    (47, 100, 0)
    """
    value = 146 - raw // 7 if kind == LIGHT else 100 * (RAW_MOST - raw) // RAW_MOST
    return min(max(value, 0), 100)


def raw_of_percent(value: float) -> int:
    """Return the raw value of a light sensor that reads a percent value."""
    return min(max(7 * (146 - round(value)), 0), RAW_MOST)


@dataclass(slots=True)
class RcxInput:
    """One port: type, mode, and what was counted."""

    type: int = NO_DEVICE
    mode: int = RAW
    slope: int = 0
    raw: int = RAW_MOST
    before: int = RAW_MOST  # the sample before
    boolean: int = 0
    edges: int = 0
    quiet: int = 0  # samples for which no change counts
    angle: int = 0
    zero: int = 0  # angle at which the count was cleared
    light: int = -1  # below 0: none of its own
    edge: bool = False  # a counted change in this sample
    fast: bool = False  # a change above the slope in this sample

    def plug(self, kind: int) -> None:
        """Set type and default mode."""
        self.type, self.mode, self.slope = kind, DEFAULT_MODE[kind], 0
        self.clear()

    def set_mode(self, mode: int, slope: int) -> None:
        """Set mode and slope; clears the value."""
        self.mode, self.slope = mode & 7, slope & 31
        self.clear()

    def clear(self) -> None:
        """Clear what was counted."""
        self.edges, self.quiet, self.zero = 0, 0, self.angle

    def feel(self, signal: Signal) -> None:
        """Take what the device gives from now on."""
        self.raw, self.angle = signal.raw, signal.angle
        self.light = -1 if signal.light is None else signal.light

    def sample(self) -> None:
        """Evaluate one sample of the converter, each 3 ms."""
        fall = self.before - self.raw
        self.before, old = self.raw, self.boolean
        self.fast = self.slope > 0 and abs(fall) > self.slope
        if self.slope:
            self.boolean = (1 if fall > 0 else 0) if self.fast else old
        elif self.raw < _ONE_BELOW or self.raw > _ZERO_ABOVE:
            self.boolean = 1 if self.raw < _ONE_BELOW else 0
        self.quiet = max(0, self.quiet - 1)
        self.edge = self.boolean != old and not self.quiet and self.mode in (EDGES, PULSES)
        if self.edge:
            self.edges, self.quiet = self.edges + 1, _QUIET

    @property
    def pulse(self) -> bool:
        """Return whether a pulse was counted in this sample."""
        return self.edge and self.edges % 2 == 0

    @property
    def value(self) -> int:
        """Return what a program reads."""
        match self.mode:
            case 0:
                return self.raw
            case 1:
                return self.boolean
            case 2:
                return self.edges
            case 3:
                return self.edges // 2
            case 4:
                return percent(self.raw, self.type) if self.light < 0 else self.light
            case 5:
                return celsius(self.raw)
            case 6:
                tenths = celsius(self.raw)
                return tenths if tenths == _NO_TEMPERATURE else _fahrenheit(tenths)
            case _:
                return self.angle - self.zero


def _fahrenheit(tenths: int) -> int:
    """Return tenths of a degree Fahrenheit, toward 0."""
    scaled = tenths * 18
    return abs(scaled) // 10 * (1 if scaled >= 0 else -1) + 320
