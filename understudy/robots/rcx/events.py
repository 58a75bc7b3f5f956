"""The sixteen events of LEGO's second firmware and of Swan's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from understudy.robots.rcx.machine import Machine

EVENTS = 16
PRESSED, RELEASED, PULSE, EDGE = range(4)
FAST, LOW, NORMAL, HIGH, CLICK, DOUBLE_CLICK, MESSAGE = 7, 8, 9, 10, 11, 12, 14
DELETED = 16
TYPES = frozenset((PRESSED, RELEASED, PULSE, EDGE, FAST, LOW, NORMAL, HIGH, CLICK, DOUBLE_CLICK, MESSAGE))
IS_LOW, IS_NORMAL, IS_HIGH, UNKNOWN, STARTING, CALIBRATING = range(6)  # states
_TIMER, _MAILBOX, _COUNTER, _SOURCES = 3, 7, 8, 11  # first numbers of event sources; 0 to 2 are sensors
_ENTERED = {LOW: IS_LOW, NORMAL: IS_NORMAL, HIGH: IS_HIGH}
_CALIBRATION_MS = 50
_LONG_AGO = -1_000_000
_DEFAULT_CLICK = 15  # x 10 ms


@dataclass(slots=True)
class RcxEvent:
    """One event: its definition, its thresholds, and where its value is."""

    source: int = 0
    type: int = DELETED
    upper: int = 0
    lower: int = 0
    hysteresis: int = 0
    click: int = _DEFAULT_CLICK  # x 10 ms
    clicks: int = 0
    state: int = UNKNOWN
    boolean: int = -1
    left_low_ms: int = _LONG_AGO
    was_high: bool = False
    clicked_ms: int = _LONG_AGO
    ready_ms: int = 0  # end of a calibration

    def define(self, source: int, kind: int) -> None:
        """Define or delete it; thresholds stay."""
        valid = kind in TYPES and source < _SOURCES
        self.source, self.type = source, kind if valid else DELETED
        self.state, self.boolean, self.was_high = UNKNOWN, -1, False

    def calibrate(self, value: int, upper: int, lower: int, hysteresis: int, now_ms: int) -> None:
        """Set thresholds to percentages above and below a value."""
        self.upper = value * (100 + upper) // 100
        self.lower = value * (100 - lower) // 100
        self.hysteresis = value * hysteresis // 100
        self.state, self.ready_ms = STARTING, now_ms + _CALIBRATION_MS

    def value(self, machine: Machine) -> int:
        """Return the value of its source."""
        if self.source < _TIMER:
            return machine.inputs[self.source].value
        if self.source < _MAILBOX:
            return machine.timer(self.source - _TIMER, 100)
        return machine.message if self.source == _MAILBOX else machine.memory[self.source - _COUNTER]

    def happens(self, machine: Machine, sampled: bool) -> bool:
        """Return whether it happens in this millisecond; *sampled*: the inputs have a new sample."""
        if self.type == MESSAGE:
            return machine.arrived
        if self.state in (STARTING, CALIBRATING):
            self.state = CALIBRATING if machine.now_ms < self.ready_ms else UNKNOWN
            return False
        if self.type in (PRESSED, RELEASED):
            return self._switched(machine)
        if self.type in (PULSE, EDGE, FAST):
            return sampled and self._counted(machine)
        old, self.state = self.state, self._ranged(self.value(machine))
        if old == UNKNOWN:
            return False
        if self.type in _ENTERED:
            return self.state != old and self.state == _ENTERED[self.type]
        return self._clicked(old, machine.now_ms)

    def _switched(self, machine: Machine) -> bool:
        if self.source >= _TIMER:
            return False
        old, self.boolean = self.boolean, machine.inputs[self.source].boolean
        return old >= 0 and self.boolean != old and self.boolean == (self.type == PRESSED)

    def _counted(self, machine: Machine) -> bool:
        if self.source >= _TIMER:
            return False
        port = machine.inputs[self.source]
        return {PULSE: port.pulse, EDGE: port.edge, FAST: port.fast}[self.type]

    def _ranged(self, value: int) -> int:
        """Return the range of a value; leaving low or high for normal is harder by the hysteresis."""
        if value < self.lower:
            return IS_LOW
        if value > self.upper:
            return IS_HIGH
        stays_low = self.state == IS_LOW and value <= self.lower + self.hysteresis
        stays_high = self.state == IS_HIGH and value >= self.upper - self.hysteresis
        return self.state if stays_low or stays_high else IS_NORMAL

    def _clicked(self, old: int, now_ms: int) -> bool:
        """Return whether low, high, low within the click time makes a click, or the second of two."""
        if self.state != IS_LOW and old == IS_LOW:
            self.left_low_ms, self.was_high = now_ms, False
        self.was_high = self.was_high or self.state == IS_HIGH
        within = 10 * self.click
        if self.state != IS_LOW or old == IS_LOW or not self.was_high or now_ms - self.left_low_ms > within:
            return False
        self.was_high = False
        self.clicks = (self.clicks + 1) & 0x7FFF
        last, self.clicked_ms = self.clicked_ms, now_ms
        return self.type == CLICK or self.left_low_ms - last < within
