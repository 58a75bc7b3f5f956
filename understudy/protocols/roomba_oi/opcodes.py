"""The opcodes of the Open Interface: data bytes, generations, modes, and what each becomes.

A command is one opcode and its data, without header, checksum or acknowledgement. A few have a length of their own:
the byte that counts is part of their data.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from understudy.protocols.roomba_oi.digits import segments
from understudy.protocols.roomba_oi.packets import ALL, C2, CREATES
from understudy.protocols.roomba_oi.talk import (
    Baud,
    EndTalk,
    PauseStream,
    PlayScript,
    Query,
    RestartRobot,
    SetStream,
    ShowScript,
)
from understudy.robots.roomba import orders
from understudy.robots.roomba.pilot import DEMOS
from understudy.robots.roomba.sheet import Name

Make = Callable[[bytes], tuple[Any, ...]]
Modes = Literal["any", "PSF", "SF", "F", "S"]
Length = int | Literal["list", "notes"]
S4: tuple[Name, ...] = ("roomba400",)
C1: tuple[Name, ...] = ("create1",)
NOT_C1: tuple[Name, ...] = (*S4, *C2)
_DUTY_C1, _DUTY_C2 = 128.0, 127.0


class Opcode(NamedTuple):
    """One row: number, name, data, generations, modes in which it works, the mode after it, effect."""

    code: int
    name: str
    length: Length
    data: str
    generations: tuple[Name, ...]
    modes: Modes
    after: str
    make: Make

    def need(self, queue: bytes | bytearray) -> int:
        """Return how many bytes the command at the head of a queue has, as far as that is known yet."""
        if isinstance(self.length, int):
            return 1 + self.length
        at = 1 if self.length == "list" else 2
        if len(queue) <= at:
            return at + 1
        return at + 1 + queue[at] * (1 if self.length == "list" else 2)


def _pair(data: bytes) -> tuple[int, int]:
    first, second = struct.unpack(">hh", data)
    return first, second


def _const(*values: Any) -> Make:
    return lambda data: values


def _bit(data: bytes, bit: int) -> bool:
    return bool(data[0] >> bit & 1)


def _motors(data: bytes) -> tuple[Any, ...]:
    """Return the motors of a Roomba: bits 0 side brush, 1 vacuum, 2 main brush; 3 and 4 turn the brushes round."""
    side, vacuum, main = (float(_bit(data, n)) for n in range(3))
    return (orders.Motors(-main if _bit(data, 4) else main, -side if _bit(data, 3) else side, vacuum),)


def _drivers(data: bytes) -> tuple[Any, ...]:
    return (orders.Motors(*(float(_bit(data, n)) for n in (2, 1, 0))),)


def _duties(data: bytes) -> tuple[Any, ...]:
    main, side, vacuum = struct.unpack(">bbB", data)
    return (orders.Motors(*(max(-1.0, min(1.0, duty / _DUTY_C2)) for duty in (main, side, vacuum))),)


def _driver_duties(data: bytes) -> tuple[Any, ...]:
    return (orders.Motors(*(min(1.0, duty / _DUTY_C1) for duty in data)),)


def _song(data: bytes) -> tuple[Any, ...]:
    return (orders.Song(data[0], tuple(zip(data[2::2], data[3::2]))),)


def _demo(data: bytes) -> tuple[Any, ...]:
    if data[0] == 255:
        return (orders.Behave("stop"),)
    return (orders.Behave(DEMOS[data[0]]),) if data[0] < len(DEMOS) else ()


def _schedule(data: bytes) -> tuple[Any, ...]:
    return (orders.Schedule(data[0], tuple(zip(data[1::2], data[2::2]))),)


def _wait(kind: orders.WaitKind, code: str) -> Make:
    return lambda data: (orders.Wait(kind, struct.unpack(f">{code}", data)[0]),)


def _behave(name: str) -> Make:
    return _const(orders.Behave(name))


def _enter(way: Literal["start", "control", "safe", "full"]) -> Make:
    return _const(orders.Enter(way))


# fmt: off
OPCODES: tuple[Opcode, ...] = (
    Opcode(7, "reset", 0, "", C2, "any", "off", _const(RestartRobot())),
    Opcode(128, "start", 0, "", ALL, "any", "passive", _enter("start")),
    Opcode(129, "baud", 1, "code 0 to 11", CREATES, "PSF", "", lambda d: (Baud(d[0]),)),
    Opcode(129, "baud", 1, "code 0 to 11", S4, "PSF", "passive", lambda d: (Baud(d[0], passive=True),)),
    Opcode(130, "control", 0, "", ALL, "PSF", "safe", _enter("control")),
    Opcode(131, "safe", 0, "", CREATES, "PSF", "safe", _enter("safe")),
    Opcode(131, "safe", 0, "", S4, "F", "safe", _enter("safe")),
    Opcode(132, "full", 0, "", CREATES, "PSF", "full", _enter("full")),
    Opcode(132, "full", 0, "", S4, "S", "full", _enter("full")),
    Opcode(133, "power", 0, "", NOT_C1, "PSF", "passive", _const(orders.PowerDown())),
    Opcode(134, "spot", 0, "", ALL, "PSF", "passive", _behave("spot")),
    Opcode(135, "clean", 0, "", NOT_C1, "PSF", "passive", _behave("clean")),
    Opcode(135, "cover", 0, "", C1, "PSF", "passive", _behave("cover")),
    Opcode(136, "max", 0, "", NOT_C1, "PSF", "passive", _behave("max")),
    Opcode(136, "demo", 1, "0 to 9; 255 ends it", C1, "PSF", "passive", _demo),
    Opcode(137, "drive", 4, "i16 mm/s, i16 radius mm", ALL, "SF", "", lambda d: (orders.DriveArc(*_pair(d)),)),
    Opcode(138, "motors", 1, "bits", NOT_C1, "SF", "", _motors),
    Opcode(138, "low side drivers", 1, "bits", C1, "SF", "", _drivers),
    Opcode(139, "LEDs", 3, "bits, colour, intensity", ALL, "SF", "", lambda d: (orders.Leds(*d),)),
    Opcode(140, "song", "notes", "number, N, N x (note, duration)", ALL, "PSF", "", _song),
    Opcode(141, "play", 1, "number", ALL, "SF", "", lambda d: (orders.Play(d[0]),)),
    Opcode(142, "sensors", 1, "packet id", ALL, "PSF", "", lambda d: (Query(tuple(d)),)),
    Opcode(143, "seek dock", 0, "", NOT_C1, "PSF", "passive", _behave("dock")),
    Opcode(143, "cover and dock", 0, "", C1, "PSF", "passive", _behave("cover_and_dock")),
    Opcode(144, "PWM low side drivers", 3, "drivers 2, 1, 0: 0 to 128", C1, "SF", "", _driver_duties),
    Opcode(144, "PWM motors", 3, "main, side brush: -127 to 127; vacuum: 0 to 127", C2, "SF", "", _duties),
    Opcode(145, "drive direct", 4, "i16 right, i16 left mm/s", CREATES, "SF", "",
           lambda d: (orders.DriveWheels(*_pair(d)),)),
    Opcode(146, "drive PWM", 4, "i16 right, i16 left: -255 to 255", C2, "SF", "",
           lambda d: (orders.DrivePwm(*_pair(d)),)),
    Opcode(147, "digital outputs", 1, "bits 0 to 2", C1, "SF", "", lambda d: (orders.DigitalOut(d[0]),)),
    Opcode(148, "stream", "list", "N, N packet ids", CREATES, "PSF", "", lambda d: (SetStream(tuple(d[1:])),)),
    Opcode(149, "query list", "list", "N, N packet ids", CREATES, "PSF", "", lambda d: (Query(tuple(d[1:])),)),
    Opcode(150, "pause or resume stream", 1, "0 pause, 1 resume", CREATES, "PSF", "",
           lambda d: (PauseStream(d[0] == 0),)),
    Opcode(151, "send IR", 1, "byte", C1, "SF", "", lambda d: (orders.SendIr(d[0]),)),
    Opcode(152, "script", "list", "N, N bytes", C1, "PSF", "", lambda d: (orders.StoreScript(tuple(d[1:])),)),
    Opcode(153, "play script", 0, "", C1, "PSF", "", _const(PlayScript())),
    Opcode(154, "show script", 0, "", C1, "PSF", "", _const(ShowScript())),
    Opcode(155, "wait time", 1, "1/10 s", C1, "PSF", "", _wait("time", "B")),
    Opcode(156, "wait distance", 2, "i16 mm", C1, "PSF", "", _wait("distance", "h")),
    Opcode(157, "wait angle", 2, "i16 degrees", C1, "PSF", "", _wait("angle", "h")),
    Opcode(158, "wait event", 1, "i8 number; negative: its end", C1, "PSF", "", _wait("event", "b")),
    Opcode(162, "scheduling LEDs", 2, "weekday bits, other bits", C2, "SF", "",
           lambda d: (orders.ScheduleLeds(*d),)),
    Opcode(163, "digit LEDs raw", 4, "segment bits of digits 3, 2, 1, 0", C2, "SF", "",
           lambda d: (orders.Digits((d[0], d[1], d[2], d[3])),)),
    Opcode(164, "digit LEDs ASCII", 4, "characters of digits 3, 2, 1, 0", C2, "SF", "",
           lambda d: (orders.Digits(segments(d)),)),
    Opcode(165, "buttons", 1, "bits", C2, "PSF", "", lambda d: (orders.PushButtons(d[0]),)),
    Opcode(167, "schedule", 15, "day bits, 7 x (hour, minute)", C2, "PSF", "", _schedule),
    Opcode(168, "set day/time", 3, "day, hour, minute", C2, "PSF", "", lambda d: (orders.SetClock(*d),)),
    Opcode(173, "stop", 0, "", C2, "PSF", "off", _const(EndTalk())),
)
# fmt: on
BAUDS = (300, 600, 1200, 2400, 4800, 9600, 14_400, 19_200, 28_800, 38_400, 57_600, 115_200)


@cache
def opcodes(generation: Name) -> Mapping[int, Opcode]:
    """Return the opcodes of a generation by number."""
    return MappingProxyType({row.code: row for row in OPCODES if generation in row.generations})
