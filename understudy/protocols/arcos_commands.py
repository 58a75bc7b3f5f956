"""The ARCOS command table: every number that the MobileSim manual or ARIA knows, and what it becomes here."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any

from understudy.robots.base import Session
from understudy.robots.pioneer import Enable, Pulse, Rvel, SetOdometry, Sonar, Stop, Vel
from understudy.units import wrap_rad
from understudy.world.changes import Move, Reset
from understudy.world.shapes import Pose


class Arg(Enum):
    """What follows a command's number."""

    NONE = "none"
    INT = "int"
    TEXT = "text"
    BYTES2 = "two bytes as int"
    BLOCK = "block"
    POSE = "i32 x 3"
    INDEXED = "int, optional u8"


class Own(Enum):
    """What a command does to the conversation itself."""

    OPEN = "open"
    CLOSE = "close"
    CONFIG = "config"


Make = Callable[[bytes, str], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Command:
    """One row of the command table; *make* turns argument bytes and the robot's name into values."""

    code: int
    name: str
    arg: Arg
    effect: str
    make: Make | None = None

    @property
    def supported(self) -> bool:
        """Say whether the command does anything here; the others are counted and ignored."""
        return self.make is not None


def integer(arg: bytes) -> int:
    """Return an integer argument, signed.

    >>> integer(bytes.fromhex("3b c8 00")), integer(bytes.fromhex("1b c8 00")), integer(b"")
    (200, -200, 0)
    """
    kind, value = struct.unpack("<BH", arg[:3].ljust(3, b"\0"))
    value = -value if kind == 0x1B else value
    return int((value + 0x8000) % 0x10000 - 0x8000)


def _pose(arg: bytes, layout: str) -> tuple[float, float, float]:
    """Return x, y (m) and heading (rad) of three integers in mm and degrees behind a type byte."""
    size = struct.calcsize(layout)
    x, y, heading = struct.unpack(layout, arg[1 : size + 1].ljust(size, b"\0"))
    return x / 1000, y / 1000, wrap_rad(math.radians(heading))


def _set_odometry(arg: bytes, robot: str) -> tuple[Any, ...]:
    return (SetOdometry(*_pose(arg, "<3h")) if len(arg) >= 7 else SetOdometry(),)


def _set_pose(arg: bytes, robot: str) -> tuple[Any, ...]:
    x, y, heading = _pose(arg, "<3i")
    return Move(robot, Pose(x, y, heading_rad=heading)), Pulse()


_SUPPORTED = (
    Command(0, "PULSE", Arg.NONE, "reset the watchdog", lambda a, r: (Pulse(),)),
    Command(1, "OPEN", Arg.INT, "start status packets", lambda a, r: (Own.OPEN, Pulse())),
    Command(2, "CLOSE", Arg.INT, "end the session, close the link", lambda a, r: (Own.CLOSE, Session(False))),
    Command(4, "ENABLE", Arg.INT, "motors on (1) or off (0)", lambda a, r: (Enable(integer(a) != 0),)),
    Command(7, "SETO", Arg.INT, "odometry to zero, or to three i16: x mm, y mm, heading deg", _set_odometry),
    Command(9, "ROTATE", Arg.INT, "rotate, deg/s; the same as RVEL", lambda a, r: (Rvel(integer(a)),)),
    Command(11, "VEL", Arg.INT, "translate, mm/s", lambda a, r: (Vel(integer(a)),)),
    Command(18, "CONFIG", Arg.INT, "send the CONFIG packet", lambda a, r: (Own.CONFIG, Pulse())),
    Command(21, "RVEL", Arg.INT, "rotate, deg/s, + is left", lambda a, r: (Rvel(integer(a)),)),
    Command(28, "SONAR", Arg.INT, "sonar off (0) or on", lambda a, r: (Sonar(integer(a) != 0),)),
    Command(29, "STOP", Arg.INT, "stop both axes with normal decel", lambda a, r: (Stop(),)),
    Command(224, "SIM_SET_POSE", Arg.POSE, "move the true pose: x mm, y mm, heading deg", _set_pose),
    Command(225, "SIM_RESET", Arg.NONE, "to the start pose, odometry zero", lambda a, r: (Reset(r), SetOdometry())),
)
# known and ignored: (first number, names of consecutive numbers, argument, effect)
_IGNORED: tuple[tuple[int, str, Arg, str], ...] = (
    (3, "POLLING", Arg.TEXT, "sonar polling order"),
    (5, "SETA", Arg.INT, "translational accel (+) or decel (-), mm/s2"),
    (6, "SETV", Arg.INT, "speed of MOVE, mm/s"),
    (8, "MOVE", Arg.INT, "drive a distance, mm"),
    (10, "SETRV", Arg.INT, "turning speed of HEAD and DHEAD, deg/s"),
    (12, "HEAD", Arg.INT, "turn to a heading of the odometry, deg"),
    (13, "DHEAD DROTATE", Arg.INT, "turn by an angle, deg"),
    (15, "SAY", Arg.TEXT, "beeps: pairs of duration and half-cycle"),
    (17, "JOYINFO", Arg.INT, "joystick packets: 0 stop, 1 one, 2 stream"),
    (19, "ENCODER", Arg.INT, "encoder packets: 0 stop, above 0 stream"),
    (20, "SETRVDIR", Arg.INT, "rotation limit per direction, deg/s"),
    (22, "DCHEAD", Arg.INT, "turn relative to the set-point, deg"),
    (23, "SETRA", Arg.INT, "rotational accel (+) or decel (-), deg/s2"),
    (26, "IMUREQUEST", Arg.INT, "inertial packets"),
    (30, "DIGOUT POWERPORT", Arg.BYTES2, "outputs: mask of bits to change, states"),
    (32, "VEL2", Arg.BYTES2, "speeds of the left and right wheel, 20 mm/s each"),
    (33, "GRIPPER KICK", Arg.INT, "gripper, kicker"),
    (35, "OLD_LRF_ENABLE", Arg.INT, "laser: 0 off, 1 plain, 2 extended packets; also ADSEL"),
    (36, "OLD_LRF_PARMSTART OLD_LRF_PARMEND", Arg.INT, "laser angle, deg; also GRIPPERVAL, GRIPPERPACREQUEST"),
    (38, "OLD_LRF_PARMINC", Arg.INT, "laser increment, 1/100 deg"),
    (40, "IOREQUEST", Arg.INT, "I/O packets: 0 stop, 1 one, 2 stream"),
    (41, "PTUPOS", Arg.BYTES2, "pan-tilt position"),
    (42, "TTY2", Arg.TEXT, "text for auxiliary port 1"),
    (43, "GETAUX", Arg.INT, "bytes wanted from auxiliary port 1"),
    (44, "BUMPSTALL", Arg.INT, "bumpers that count as a stall: 0 none, 1 front, 2 rear, 3 both"),
    (45, "TCM2", Arg.INT, "compass packets"),
    (47, "JOYDRIVE", Arg.INT, "drive by joystick"),
    (49, "MOVINGBLINK", Arg.INT, "blink while moving"),
    (50, "HOSTBAUD AUX1BAUD AUX2BAUD", Arg.INT, "baud rate of a port"),
    (55, "ESTOP ESTALL ESTOP_57", Arg.INT, "stop with the greatest decel; ESTALL: the button counts as a stall"),
    (58, "GYRO", Arg.INT, "gyro packets"),
    (59, "MESSAGE_59 TTY4", Arg.TEXT, "text for the log behind three code bytes; for auxiliary port 3"),
    (61, "GETAUX3", Arg.INT, "bytes wanted from auxiliary port 3; also OLD_LOADPARAM"),
    (62, "BATTERYINFO", Arg.INT, "battery packets; OLD_END_SIM only in compatibility mode"),
    (63, "OLD_LOADWORLD OLD_STEP", Arg.BLOCK, "of the first simulator"),
    (65, "CALCOMP", Arg.INT, "calibrate the compass"),
    (66, "TTY3 GETAUX2", Arg.INT, "auxiliary port 2; OLD_SETORIGINX, OLD_SETORIGINY in compatibility mode"),
    (68, "OLD_SETORIGINTH OLD_RESET_TO_ORIGIN", Arg.INT, "true heading, SIM_RESET in compatibility mode"),
    (70, " ".join(f"ARM_{n}" for n in range(70, 82)), Arg.BLOCK, "arm"),
    (82, "ROTKP ROTKV ROTKI TRANSKP TRANSKV TRANSKI", Arg.INT, "gain of a control loop"),
    (90, "SOUND PLAYLIST SOUNDTOG", Arg.INT, "AmigoBot's sounds"),
    (95, "POWER_95 POWER_96 POWER_97 POWER_98", Arg.INT, "power switch"),
    (110, "LATVEL", Arg.INT, "lateral velocity, mm/s, + is left"),
    (113, "LATACCEL", Arg.INT, "lateral accel (+) or decel (-), mm/s2"),
    (120, "RECENTERWHEELS", Arg.NONE, "wheels straight ahead"),
    (123, "ACCELINFO TORQUEINFO", Arg.INT, "drive packets"),
    (125, "POWER_125 POWER_126 POWER_127 POWER_128 POWER_129", Arg.INT, "power switch"),
    (149, "HEADINGINFO ROTVEL_CLOSEDLOOP", Arg.INT, "heading packets, closed loop"),
    (210, "MTX_210 MTX_211 MTX_212 ABSOLUTE_MAXES", Arg.BLOCK, "MTX firmware"),
    (214, " ".join(f"MTX_{n}" for n in range(214, 221)), Arg.BLOCK, "MTX firmware"),
    (226, "SIM_MODEL_CONFIG", Arg.BLOCK, "change the model"),
    (229, "SIM_DEVICE_DATA", Arg.BLOCK, "device data request"),
    (230, "SIM_LRF_ENABLE", Arg.INDEXED, "laser: 0 off, 1 plain, 2 extended packets"),
    (231, "SIM_LRF_SET_FOV_START SIM_LRF_SET_FOV_END", Arg.INDEXED, "laser angle, deg"),
    (233, "SIM_LRF_SET_RES", Arg.INDEXED, "laser increment, 1/100 deg"),
    (236, "SIM_CTRL", Arg.BLOCK, "load a map, rotate logs, ask for SIMINFO"),
    (237, "SIM_STAT", Arg.INT, "SIMSTAT: 1 one, 2 before each SIP, 0 stop"),
    (238, "SIM_MESSAGE", Arg.TEXT, "text for the log"),
    (239, "SIM_EXIT", Arg.INT, "end the simulator with this exit code"),
    (250, "BATTEST FAULT_TEST TEMPERATURE_TEST", Arg.INT, "battery decivolts, temperature warning, temperature"),
    (253, "RESET", Arg.NONE, "abort the simulator"),
    (255, "MAINTENANCE", Arg.NONE, "abort the simulator"),
)


def _ignored() -> Iterator[Command]:
    for first, names, arg, effect in _IGNORED:
        yield from (Command(first + i, name, arg, effect) for i, name in enumerate(names.split()))


COMMANDS: Mapping[int, Command] = MappingProxyType(
    {row.code: row for row in sorted((*_SUPPORTED, *_ignored()), key=lambda row: row.code)}
)
