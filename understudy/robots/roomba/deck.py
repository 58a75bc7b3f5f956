"""Lights, brushes, buttons, outputs, clock and script of a Roomba."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from understudy.robots.roomba import orders

PUSH_US = 1_000_000 // 6  # a button that is pushed by command is released after this
MOST_SCRIPT = 100
DAYS, HOURS, MINUTES, MINUTE_US = 7, 24, 60, 60_000_000
_BYTE = 0xFF


@dataclass(slots=True)
class Deck:
    """Everything that only shows or keeps what a client has set."""

    motors: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])  # main brush, side brush, vacuum
    leds: list[int] = field(default_factory=lambda: [0, 0, 0])  # bits, colour, intensity
    schedule_leds: list[int] = field(default_factory=lambda: [0, 0])
    digits: list[int] = field(default_factory=lambda: [0, 0, 0, 0])  # segment bits
    outputs: int = 0
    inputs: int = 0
    volts: float = 0.0
    buttons: int = 0
    release_us: int = -1
    schedule: list[list[int]] = field(default_factory=list)
    days: int = 0
    clock_us: int = 0  # the clock's time since Sunday 0:00, at time zero of the run
    script: list[int] = field(default_factory=list)

    def order(self, command: Any, now_us: int) -> None:
        """Take a command."""
        match command:
            case orders.Motors(main, side, vacuum):
                self.motors = [main, side, vacuum]
            case orders.Leds(bits, colour, intensity):
                self.leds = [bits, colour, intensity]
            case orders.ScheduleLeds(days, bits):
                self.schedule_leds = [days, bits]
            case orders.Digits(segments):
                self.digits = list(segments)
            case orders.DigitalOut(bits):
                self.outputs = bits & 0b111
            case orders.PushButtons(bits):
                self.buttons, self.release_us = bits & _BYTE, now_us + PUSH_US
            case orders.Schedule(days, times):
                self.days, self.schedule = days, [list(each) for each in times]
            case orders.SetClock(day, hour, minute):
                if day < DAYS and hour < HOURS and minute < MINUTES:
                    self.clock_us = ((day * HOURS + hour) * MINUTES + minute) * MINUTE_US - now_us
            case orders.StoreScript(code):
                if len(code) <= MOST_SCRIPT:
                    self.script = list(code)
            case orders.CargoBay(bits, volts):
                self.inputs, self.volts = bits & 0b1111, max(0.0, min(5.0, volts))

    def go_on(self, now_us: int) -> None:
        """Release the buttons when it is time."""
        if 0 <= self.release_us <= now_us:
            self.buttons, self.release_us = 0, -1

    def cleaning_is_due(self, now_us: int, dt_us: int) -> bool:
        """Return whether the schedule starts cleaning in these *dt_us*."""
        if not self.days or not self.schedule:
            return False
        minute, before = ((at + self.clock_us) // MINUTE_US for at in (now_us, now_us - dt_us))
        if minute == before:
            return False
        day, rest = divmod(minute % (DAYS * HOURS * MINUTES), HOURS * MINUTES)
        return bool(self.days >> day & 1) and self.schedule[day] == list(divmod(rest, MINUTES))

    def switch_off(self) -> None:
        """Turn motors, lights and display off."""
        self.motors = [0.0, 0.0, 0.0]
        self.leds, self.schedule_leds, self.digits = [0, 0, 0], [0, 0], [0, 0, 0, 0]
