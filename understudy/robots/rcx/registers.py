"""The registers of an RCX's three motors, and what comes out of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

MOTORS = ("A", "B", "C")
FLOAT, OFF, ON = range(3)
REVERSE, FLIP, FORWARD = range(3)
_LEVELS = 8


class OutputDrive(NamedTuple):
    """What an output does: a mode, and a power from -100 to 100 percent."""

    mode: int
    percent: float


@dataclass(slots=True)
class MotorRegister:
    """One motor: mode, direction and power, and the global settings that limit them."""

    mode: int = OFF
    forward: bool = True
    percent: float = 100.0
    enabled: int = ON  # global mode
    normal: bool = True  # global direction
    most: int = 7  # greatest power
    brake: int = 0  # Swan's brake power, which has no effect

    @property
    def level(self) -> int:
        """Return the power as one of eight levels."""
        return min(max(-int(-self.percent * _LEVELS // 100) - 1, 0), _LEVELS - 1)

    def set_level(self, level: int) -> None:
        """Set the power to one of eight levels; others are ignored."""
        if 0 <= level < _LEVELS:
            self.percent = of_level(level)

    def set_signed(self, value: int) -> None:
        """Set power and direction from -100 to 100 percent."""
        self.percent, self.forward = float(min(abs(value), 100)), value >= 0

    def turn(self, way: int) -> None:
        """Set the direction."""
        self.forward = not self.forward if way & 1 else way == FORWARD

    def turn_all(self, way: int) -> None:
        """Set the global direction."""
        self.normal = not self.normal if way & 1 else way == FORWARD

    @property
    def status(self) -> int:
        """Return the status byte: power, forward 08, off 40, on 80."""
        return self.level | (8 if self.forward else 0) | _bits(self.mode)

    @property
    def global_status(self) -> int:
        """Return the status byte of the global settings."""
        return self.most | (8 if self.normal else 0) | _bits(self.enabled)

    @property
    def drive(self) -> OutputDrive:
        """Return what comes out."""
        mode = self.mode if self.enabled == ON else self.enabled
        if mode != ON:
            return OutputDrive(mode, 0.0)
        power = min(self.percent, of_level(self.most))
        return OutputDrive(ON, power if self.forward == self.normal else -power)


def of_level(level: int) -> float:
    """Return the power of one of eight levels (percent)."""
    return (level + 1) * 100.0 / _LEVELS


def mode_of(code: int) -> int:
    """Return the mode that two bits of an instruction mean; 3 is on, too."""
    return min(code, ON)


def _bits(mode: int) -> int:
    return (0, 0x40, 0x80)[mode]


@dataclass(slots=True)
class MotorBank:
    """The three motors, and the remote control's buttons, which come before them."""

    motors: list[MotorRegister] = field(default_factory=lambda: [MotorRegister() for _ in MOTORS])
    remote: list[int] = field(default_factory=lambda: [0, 0, 0])  # 1 forward, -1 reverse
    held_ms: int = 0  # how long the buttons still count

    def of(self, mask: int) -> list[MotorRegister]:
        """Return the motors of a mask."""
        return [motor for n, motor in enumerate(self.motors) if mask >> n & 1]

    def drives(self) -> tuple[OutputDrive, ...]:
        """Return what comes out of each output."""
        return tuple(
            OutputDrive(ON, 100.0 * held) if held else motor.drive for held, motor in zip(self.remote, self.motors)
        )

    def hold(self, bits: int, ms: int) -> None:
        """Take the motor buttons of the remote control."""
        ahead, back = bits >> 3 & 7, bits >> 6 & 7
        self.remote = [(ahead >> n & 1) - (back >> n & 1) for n in range(len(MOTORS))]
        self.held_ms = ms if any(self.remote) else 0

    def pass_ms(self) -> None:
        """Release the remote control's buttons when no packet has come for a while."""
        if self.held_ms:
            self.held_ms -= 1
            if not self.held_ms:
                self.remote = [0, 0, 0]
