"""The calls of a RoBIOS program that change something: opcode, arguments and the firmware's command.

A call is the opcode (1 byte) and its arguments, packed and least byte first. A call with text or bytes has them at the
end; several texts are separated by a zero byte.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable
from typing import Any

from understudy.frozen import frozen
from understudy.robots.eyebot import lcd_orders as lcd
from understudy.robots.eyebot import orders


@frozen
class MoveRobot:
    """Place a robot by its number; 0 is the caller (m, rad)."""

    number: int
    x_m: float
    y_m: float
    z_m: float
    rad: float


@frozen
class MoveObject:
    """Place an object by its number (m, rad)."""

    number: int
    x_m: float
    y_m: float
    z_m: float
    rad: float


@frozen
class SendRadio:
    """Send a message to the robot with this number; 0 is all robots."""

    number: int
    data: bytes


@frozen
class AtStart:
    """The program has reached its first driving or sensor call."""


@frozen
class Call:
    """One row of the table: *form* is that of `struct`, *rest* says what the bytes after it are."""

    opcode: int
    command: type
    form: str = ""
    rest: str = ""  # "", text, bytes, or the number of texts

    def decode(self, content: bytes) -> Any:
        """Return the command; raises ValueError."""
        packed = struct.Struct("<" + self.form)
        if len(content) < packed.size or (len(content) > packed.size and not self.rest):
            raise ValueError(f"call {self.opcode} has {len(content)} bytes of arguments, want {packed.size}")
        values = packed.unpack_from(content)
        if not all(map(math.isfinite, values)):
            raise ValueError(f"call {self.opcode} has arguments that are not finite")
        return self.command(*values, *_REST[self.rest](content[packed.size :]))

    def encode(self, command: Any) -> bytes:
        """Return the call of a command."""
        count = len(self.form.replace("<", ""))
        values = [getattr(command, name) for name in command.__dataclass_fields__]
        return struct.pack("<B" + self.form, self.opcode, *values[:count]) + _joined(values[count:])


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


_REST: dict[str, Callable[[bytes], Iterable[Any]]] = {
    "": lambda data: (),
    "text": lambda data: (_text(data),),
    "bytes": lambda data: (data,),
    "4 texts": lambda data: (*map(_text, data.split(b"\0")[:4]), *[""] * 4)[:4],
}


def _joined(values: Iterable[str | bytes]) -> bytes:
    return b"\0".join(value.encode() if isinstance(value, str) else value for value in values)


CALLS: dict[int, Call] = {
    call.opcode: call
    for call in (
        Call(1, orders.SetSpeed, "ddd"),
        Call(2, orders.SetPosition, "ddd"),
        Call(3, orders.Straight, "dd"),
        Call(4, orders.Turn, "dd"),
        Call(5, orders.Curve, "ddd"),
        Call(6, orders.DriveTo, "ddd"),
        Call(7, orders.Control, "?dddd"),
        Call(10, orders.MotorDrive, "ii"),
        Call(11, orders.MotorSpeed, "ii"),
        Call(12, orders.MotorPid, "iiii"),
        Call(13, orders.EncoderReset, "i"),
        Call(14, orders.ServoSet, "ii"),
        Call(15, orders.ServoRange, "iii"),
        Call(20, orders.RadioPower, "?"),
        Call(21, SendRadio, "i", "bytes"),
        Call(22, orders.RadioTake, "I"),
        Call(23, orders.Tone, "iq"),
        Call(24, orders.PlayFile, "q", "text"),
        Call(25, orders.DigitalSetup, "i", "text"),
        Call(26, orders.DigitalWrite, "i?"),
        Call(30, lcd.LcdPrint, "", "text"),
        Call(31, lcd.LcdPrintAt, "ii", "text"),
        Call(32, lcd.LcdClear),
        Call(33, lcd.LcdCursor, "ii"),
        Call(34, lcd.LcdColours, "ii"),
        Call(35, lcd.LcdFont, "ii"),
        Call(36, lcd.LcdFontSize, "i"),
        Call(37, lcd.LcdMode, "i"),
        Call(38, lcd.LcdMenu, "", "4 texts"),
        Call(39, lcd.LcdMenuItem, "iii", "text"),
        Call(40, lcd.LcdPixel, "iii"),
        Call(41, lcd.LcdInvert, "iiiii"),
        Call(42, lcd.LcdLine, "iiiii"),
        Call(43, lcd.LcdArea, "iiiii?"),
        Call(44, lcd.LcdCircle, "iiii?"),
        Call(45, lcd.LcdImageArea, "iiii"),
        Call(46, lcd.LcdImage, "i?", "bytes"),
        Call(47, lcd.LcdColourFlags, "i"),
        Call(80, MoveRobot, "idddd"),
        Call(81, MoveObject, "idddd"),
        Call(90, AtStart),
    )
}


def decode(content: bytes) -> Any:
    """Return the command of a call; raises ValueError for bytes that are none."""
    call = CALLS.get(content[0]) if content else None
    if call is None:
        raise ValueError(f"no RoBIOS call has the opcode {content[0] if content else 'of an empty record'}")
    return call.decode(content[1:])
