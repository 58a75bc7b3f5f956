"""Digital lines, analog channels and bumpers of an EyeBot."""

from __future__ import annotations

from dataclasses import dataclass, field

from understudy.robots.eyebot import orders

LINES, CHANNELS, TEN_BITS = 16, 8, 1023
_PULLED_UP, _OUTPUT = "I", "o"
_ALL_FLOATING = "i" * LINES  # as at the start


@dataclass(slots=True)
class IoLines:
    """Directions and levels: an input has the level from outside, or that of its pull resistor."""

    directions: str = _ALL_FLOATING
    outside: int = 0  # levels that are applied; bit 0 is line 1
    applied: int = 0  # which lines have something applied
    written: int = 0
    analog: list[int] = field(default_factory=lambda: [0] * CHANNELS)

    @property
    def levels(self) -> int:
        """Return the levels of all lines; bit 0 is line 1."""
        if self.directions == _ALL_FLOATING:
            return self.outside & self.applied
        outputs = sum(1 << n for n, way in enumerate(self.directions) if way == _OUTPUT)
        pulled = sum(1 << n for n, way in enumerate(self.directions) if way == _PULLED_UP)
        inputs = (self.outside & self.applied) | (pulled & ~self.applied)
        return (self.written & outputs) | (inputs & ~outputs)

    def order(self, command: object) -> None:
        """Take a command; lines and channels that do not exist are ignored."""
        match command:
            case orders.DigitalSetup(line, way) if 1 <= line <= LINES and way in ("i", "o", "I", "J"):
                self.directions = self.directions[: line - 1] + way + self.directions[line:]
            case orders.DigitalWrite(line, high) if 1 <= line <= LINES:
                self.written = self.written & ~(1 << line - 1) | high << line - 1
            case orders.SetInput(line, channel, level):
                self._apply(line, channel, level)

    def _apply(self, line: int, channel: int, level: int) -> None:
        if 1 <= line <= LINES:
            bit = 1 << line - 1
            self.applied |= bit
            self.outside = self.outside & ~bit | (bit if level else 0)
        if 1 <= channel <= CHANNELS:
            self.analog[channel - 1] = max(0, min(TEN_BITS, level))


@dataclass(slots=True)
class Bump:
    """How often a bumper was pressed, and when last."""

    pressed: bool = False
    count: int = 0
    last_us: int = -1

    def update(self, pressed: bool, now_us: int) -> None:
        """Take whether it is pressed now."""
        if pressed and not self.pressed:
            self.count, self.last_us = self.count + 1, now_us
        self.pressed = pressed
