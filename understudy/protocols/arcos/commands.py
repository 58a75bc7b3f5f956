"""The ARCOS command table: every number in the MobileSim manual or ARIA, and its effect here.

Some numbers have two meanings: 35 to 38 set a simulated laser or, on a robot, gripper and analog ports; 62 and 66 to 69
were commands of the simulator SRISim before the robot used them. The port's settings select the row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from understudy.protocols.arcos.arguments import Arg, block, indexed, integer, plain, pose, signed, text, two_bytes
from understudy.protocols.arcos.control import control
from understudy.protocols.arcos.conversation import AuxRead, AuxWrite, Begin, End, Send
from understudy.robots.base import Session
from understudy.robots.pioneer import orders
from understudy.world.changes import Move, Quit, Reset
from understudy.world.news import Note
from understudy.world.shapes import Pose

Make = Callable[[bytes, str], tuple[Any, ...]]
When = Literal["", "laser", "no laser", "srisim", "no srisim"]
CRASHED = 236  # MobileSim's exit code
EXIT_DELAY_US = 1_500_000


class Command(NamedTuple):
    """One row of the command table; *make* turns argument bytes and the robot's name into values."""

    code: int
    name: str
    arg: Arg
    effect: str
    make: Make | None = None
    when: When = ""  # the settings that the row requires
    fate: Literal["ignored", "refused", "unheard"] = "ignored"  # if *make* is None; unheard: no warning

    @property
    def supported(self) -> bool:
        """Return whether the command has an effect; the others are counted and ignored."""
        return self.make is not None

    @property
    def status(self) -> str:
        """Return the status in the support table."""
        return "supported" if self.supported else "refused" if self.fate == "refused" else "ignored"


def _set_odometry(arg: bytes, robot: str) -> tuple[Any, ...]:
    return (orders.SetOdometry(*pose(arg, "<3h")) if len(arg) >= 7 else orders.SetOdometry(),)


def _set_pose(arg: bytes, robot: str) -> tuple[Any, ...]:
    x, y, heading = pose(arg, "<3i")
    return (Move(robot, Pose(x, y, heading_rad=heading)),)


def _wheels(arg: bytes, robot: str) -> tuple[Any, ...]:
    left, right = two_bytes(arg)
    return (orders.Vel2(signed(left), signed(right)),)


def _beep(arg: bytes, robot: str) -> tuple[Any, ...]:
    data = block(arg)
    return (orders.Beep(tuple(zip(data[::2], data[1::2]))),)


def _tty(port: int) -> Make:
    def write(arg: bytes, robot: str) -> tuple[Any, ...]:
        return AuxWrite(port, block(arg)), Note(f"auxiliary port {port}: {plain(block(arg))}")

    return write


def _get(port: int) -> Make:
    return lambda arg, robot: (AuxRead(port, integer(arg)),)


def _send(packet: str) -> Make:
    """Return the function for packets on request: 0 stop, 1 one, 2 stream."""
    return lambda arg, robot: (Send(packet, integer(arg)),)


def _switch(packet: str) -> Make:
    """Return the function for a stream that is on or off."""
    return lambda arg, robot: (Send(packet, 2 if integer(arg) > 0 else 0),)


def _laser(what: Literal["mode", "start", "end", "step"]) -> Make:
    def make(arg: bytes, robot: str) -> tuple[Any, ...]:
        value, laser = indexed(arg)
        return (orders.SetLaser(laser, what, max(0, min(2, value)) if what == "mode" else value),)

    return make


def _accel(axis: Literal["ahead", "turn", "lateral"]) -> Make:
    return lambda arg, robot: (orders.SetAccel(axis, integer(arg)),)


def _abort(arg: bytes, robot: str) -> tuple[Any, ...]:
    return Note("the client requests an abort", "warning"), Quit(CRASHED)


def _exit(code: int) -> tuple[Any, ...]:
    return Note(f"the client requests an exit with code {code}"), Quit(code, EXIT_DELAY_US)


_MODE = "laser: 0 off, 1 plain, 2 extended packets"
# fmt: off
_SUPPORTED = (
    Command(0, "PULSE", Arg.NONE, "reset the watchdog", lambda a, r: (orders.Pulse(),)),
    Command(1, "OPEN", Arg.INT, "start status packets", lambda a, r: (Begin(),)),
    Command(2, "CLOSE", Arg.INT, "end the session, close the link", lambda a, r: (End(), Session(False))),
    Command(4, "ENABLE", Arg.INT, "motors on (1) or off (0)", lambda a, r: (orders.Enable(integer(a) != 0),)),
    Command(5, "SETA", Arg.INT, "translational accel (+) or decel (-), mm/s2", _accel("ahead")),
    Command(6, "SETV", Arg.INT, "speed of MOVE, mm/s", lambda a, r: (orders.SetSpeed(integer(a)),)),
    Command(7, "SETO", Arg.INT, "odometry to zero, or to three i16: x mm, y mm, heading deg", _set_odometry),
    Command(8, "MOVE", Arg.INT, "drive a distance, mm", lambda a, r: (orders.Travel(integer(a)),)),
    Command(9, "ROTATE", Arg.INT, "rotate, deg/s; the same as RVEL", lambda a, r: (orders.Rvel(integer(a)),)),
    Command(10, "SETRV", Arg.INT, "turning speed of HEAD and DHEAD, deg/s",
            lambda a, r: (orders.SetTurnRate(integer(a)),)),
    Command(11, "VEL", Arg.INT, "translate, mm/s", lambda a, r: (orders.Vel(integer(a)),)),
    Command(12, "HEAD", Arg.INT, "turn to a heading of the odometry, deg", lambda a, r: (orders.Head(integer(a)),)),
    Command(13, "DHEAD", Arg.INT, "turn by an angle, deg, + is left", lambda a, r: (orders.TurnBy(integer(a)),)),
    Command(15, "SAY", Arg.TEXT, "beeps: pairs of duration and half-cycle", _beep),
    Command(17, "JOYINFO", Arg.INT, "joystick packets: 0 stop, 1 one, 2 stream", _send("joystick")),
    Command(18, "CONFIG", Arg.INT, "send the CONFIG packet", lambda a, r: (Send("config", 1),)),
    Command(19, "ENCODER", Arg.INT, "encoder packets: 0 stop, above 0 stream", _switch("encoder")),
    Command(21, "RVEL", Arg.INT, "rotate, deg/s, + is left", lambda a, r: (orders.Rvel(integer(a)),)),
    Command(23, "SETRA", Arg.INT, "rotational accel (+) or decel (-), deg/s2", _accel("turn")),
    Command(28, "SONAR", Arg.INT, "sonar off (0) or on", lambda a, r: (orders.SwitchSonar(integer(a) != 0),)),
    Command(29, "STOP", Arg.INT, "stop all axes with normal decel", lambda a, r: (orders.Stop(),)),
    Command(30, "DIGOUT", Arg.BYTES2, "outputs: mask of bits to change, states",
            lambda a, r: (orders.DigitalOut(*two_bytes(a)),)),
    Command(32, "VEL2", Arg.BYTES2, "speeds of the left and right wheels, 20 mm/s each", _wheels),
    Command(33, "GRIPPER", Arg.INT, "move the gripper", lambda a, r: (orders.Grip(integer(a)),)),
    Command(35, "OLD_LRF_ENABLE", Arg.INT, _MODE, _laser("mode"), "laser"),
    Command(35, "ADSEL", Arg.INT, "analog port in the status packet",
            lambda a, r: (orders.SelectAnalog(integer(a)),), "no laser"),
    Command(36, "OLD_LRF_PARMSTART", Arg.INT, "first laser angle, deg", _laser("start"), "laser"),
    Command(36, "GRIPPERVAL", Arg.INT, "value for the gripper, 20 ms",
            lambda a, r: (orders.GripValue(integer(a)),), "no laser"),
    Command(37, "OLD_LRF_PARMEND", Arg.INT, "last laser angle, deg", _laser("end"), "laser"),
    Command(37, "GRIPPERPACREQUEST", Arg.INT, "gripper packets: 0 stop, 1 one, 2 stream",
            _send("gripper"), "no laser"),
    Command(38, "OLD_LRF_PARMINC", Arg.INT, "laser increment, 1/100 deg", _laser("step"), "laser"),
    Command(40, "IOREQUEST", Arg.INT, "I/O packets: 0 stop, 1 one, 2 stream", _send("io")),
    Command(41, "PTUPOS", Arg.BYTES2, "pan-tilt: number of the servo, pulse width in 10 us",
            lambda a, r: (orders.ServoPulse(*two_bytes(a)),)),
    Command(42, "TTY2", Arg.TEXT, "text for auxiliary port 1", _tty(1)),
    Command(43, "GETAUX", Arg.INT, "bytes wanted from auxiliary port 1; 0 flushes", _get(1)),
    Command(44, "BUMPSTALL", Arg.INT, "bumpers that count as a stall: 0 none, 1 front, 2 rear, 3 both",
            lambda a, r: (orders.BumpStall(integer(a)),)),
    Command(45, "TCM2", Arg.INT, "compass packets: 0 stop, 1 one, 2 stream", _send("compass")),
    Command(47, "JOYDRIVE", Arg.INT, "let the robot's joystick drive",
            lambda a, r: (orders.JoyDrive(integer(a) != 0),)),
    Command(55, "ESTOP", Arg.INT, "emergency stop, maximum decel", lambda a, r: (orders.QuickStop(),)),
    Command(57, "ESTOP_57", Arg.INT, "emergency stop, maximum decel", lambda a, r: (orders.QuickStop(),)),
    Command(58, "GYRO", Arg.INT, "gyro packets: 0 stop, above 0 stream", _switch("gyro")),
    Command(59, "MESSAGE_59", Arg.TEXT, "three code bytes, then text for the log",
            lambda a, r: (Note(plain(a[4:132])),)),
    Command(60, "TTY4", Arg.TEXT, "text for auxiliary port 3", _tty(3)),
    Command(61, "GETAUX3", Arg.INT, "bytes wanted from auxiliary port 3", _get(3), "no srisim"),
    Command(62, "OLD_END_SIM", Arg.NONE, "end the simulator", lambda a, r: _exit(0), "srisim"),
    Command(66, "TTY3", Arg.TEXT, "text for auxiliary port 2", _tty(2), "no srisim"),
    Command(66, "OLD_SETORIGINX", Arg.INT, "true x, mm",
            lambda a, r: (orders.PlaceRobot(x_m=integer(a) / 1000),), "srisim"),
    Command(67, "GETAUX2", Arg.INT, "bytes wanted from auxiliary port 2", _get(2), "no srisim"),
    Command(67, "OLD_SETORIGINY", Arg.INT, "true y, mm",
            lambda a, r: (orders.PlaceRobot(y_m=integer(a) / 1000),), "srisim"),
    Command(68, "OLD_SETORIGINTH", Arg.INT, "true heading, deg",
            lambda a, r: (orders.PlaceRobot(heading_rad=math.radians(integer(a))),), "srisim"),
    Command(69, "OLD_RESET_TO_ORIGIN", Arg.NONE, "to the start pose, odometry zero",
            lambda a, r: (Reset(r), orders.SetOdometry()), "srisim"),
    Command(90, "SOUND", Arg.INT, "play a sound of the robot's list", lambda a, r: (orders.PlaySound(integer(a)),)),
    Command(92, "SOUNDTOG", Arg.INT, "sounds on (1) or off (0)", lambda a, r: (orders.SoundOn(integer(a) != 0),)),
    Command(110, "LATVEL", Arg.INT, "lateral velocity, mm/s, + is left",
            lambda a, r: (orders.LateralVel(integer(a)),)),
    Command(113, "LATACCEL", Arg.INT, "lateral accel (+) or decel (-), mm/s2", _accel("lateral")),
    Command(224, "SIM_SET_POSE", Arg.POSE, "set the true pose: x mm, y mm, heading deg", _set_pose),
    Command(225, "SIM_RESET", Arg.NONE, "to the start pose, odometry zero",
            lambda a, r: (Reset(r), orders.SetOdometry())),
    Command(230, "SIM_LRF_ENABLE", Arg.INDEXED, _MODE, _laser("mode")),
    Command(231, "SIM_LRF_SET_FOV_START", Arg.INDEXED, "first laser angle, deg", _laser("start")),
    Command(232, "SIM_LRF_SET_FOV_END", Arg.INDEXED, "last laser angle, deg", _laser("end")),
    Command(233, "SIM_LRF_SET_RES", Arg.INDEXED, "laser increment, 1/100 deg", _laser("step")),
    Command(236, "SIM_CTRL", Arg.BLOCK, "load a map, rotate logs, log the state, request SIMINFO", control),
    Command(237, "SIM_STAT", Arg.INT, "SIMSTAT: 1 or no argument one, 2 before each SIP, 0 stop",
            lambda a, r: (Send("simstat", integer(a) if a else 1),)),
    Command(238, "SIM_MESSAGE", Arg.TEXT, "text for the log", lambda a, r: (Note(text(a)),)),
    Command(239, "SIM_EXIT", Arg.INT, "end the simulator with this exit code", lambda a, r: _exit(integer(a))),
    Command(250, "BATTEST", Arg.INT, "reported battery decivolts, or percent; 0: the real value",
            lambda a, r: (orders.BatteryTest(integer(a)),)),
    Command(251, "FAULT_TEST", Arg.INT, "overheating flag", lambda a, r: (orders.HeatTest(integer(a) != 0),)),
    Command(252, "TEMPERATURE_TEST", Arg.INT, "reported temperature, C; -128: none",
            lambda a, r: (orders.TemperatureTest(max(-128, min(127, integer(a)))),)),
    Command(253, "RESET", Arg.NONE, "abort the simulator", _abort),
    Command(255, "MAINTENANCE", Arg.NONE, "abort the simulator", _abort),
)
# known but ignored: (first number, names of consecutive numbers, argument, effect)
_IGNORED: tuple[tuple[int, str, Arg, str], ...] = (
    (3, "POLLING", Arg.TEXT, "sonar polling order"),
    (14, "DROTATE", Arg.INT, "no effect on modern robots"),
    (20, "SETRVDIR", Arg.INT, "rotation limit per direction, deg/s"),
    (22, "DCHEAD", Arg.INT, "turn relative to the setpoint, deg"),
    (26, "IMUREQUEST", Arg.INT, "IMU packets"),
    (31, "POWERPORT", Arg.BYTES2, "outputs of the power board"),
    (34, "KICK", Arg.INT, "kicker"),
    (49, "MOVINGBLINK", Arg.INT, "blink while moving"),
    (56, "ESTALL", Arg.INT, "let the stop button count as a stall"),
    (65, "CALCOMP", Arg.INT, "calibrate the compass"),
    (70, " ".join(f"ARM_{n}" for n in range(70, 82)), Arg.BLOCK, "arm"),
    (82, "ROTKP ROTKV ROTKI TRANSKP TRANSKV TRANSKI", Arg.INT, "gain of a control loop"),
    (91, "PLAYLIST", Arg.INT, "names of the robot's sounds"),
    (95, "POWER_PC POWER_LRF POWER_5V POWER_12V", Arg.INT, "power switch"),
    (120, "RECENTERWHEELS", Arg.NONE, "wheels straight ahead"),
    (123, "ACCELINFO TORQUEINFO", Arg.INT, "drive packets"),
    (125, "POWER_AUX_PC POWER_TOUCHSCREEN POWER_PTZ POWER_AUDIO POWER_LRF2", Arg.INT, "power switch"),
    (149, "HEADINGINFO ROTVEL_CLOSEDLOOP", Arg.INT, "heading packets, closed loop"),
    (210, "SRECORD MARCDEBUG WHEEL_LIGHT ABSOLUTE_MAXES SAFETY_STATE_INFO SAFETY_SET_STATE", Arg.BLOCK, "MTX firmware"),
    (216, "SAFETY_POWER_OFF_TIMER SAFETY_ZONE_ACTIVE WHEELINFO MARC_CONFIG_SET MARC_CONFIG_GET", Arg.BLOCK,
     "MTX firmware"),
    (229, "SIM_DEVICE_DATA", Arg.BLOCK, "device data request"),
)
_SPECIAL = (
    Command(38, "NUMBER_38", Arg.INT, "no effect on a robot", None, "no laser"),
    Command(50, "HOSTBAUD", Arg.INT, "baud rate: TCP has none", None, "", "unheard"),
    Command(51, "AUX1BAUD", Arg.INT, "baud rate: TCP has none", None, "", "unheard"),
    Command(52, "AUX2BAUD", Arg.INT, "baud rate: TCP has none", None, "", "unheard"),
    Command(61, "OLD_LOADPARAM", Arg.TEXT, "load a robot definition", None, "srisim", "refused"),
    Command(62, "BATTERYINFO", Arg.INT, "battery packets; ARIA asks on every connect", None, "no srisim", "unheard"),
    Command(63, "OLD_LOADWORLD", Arg.TEXT, "load a world file", None, "", "refused"),
    Command(64, "OLD_STEP", Arg.INT, "step through the simulation", None, "", "refused"),
    Command(68, "OLD_SETORIGINTH", Arg.INT, "true heading, deg", None, "no srisim", "refused"),
    Command(69, "OLD_RESET_TO_ORIGIN", Arg.NONE, "to the start pose", None, "no srisim", "refused"),
    Command(226, "SIM_MODEL_CONFIG", Arg.BLOCK, "change the model", None, "", "refused"),
)
# fmt: on


def _ignored() -> Iterator[Command]:
    for first, names, arg, effect in _IGNORED:
        yield from (Command(first + i, name, arg, effect) for i, name in enumerate(names.split()))


ROWS: tuple[Command, ...] = tuple(sorted((*_SUPPORTED, *_ignored(), *_SPECIAL), key=lambda row: (row.code, row.when)))


@cache
def commands(srisim_laser: bool = True, srisim: bool = False) -> Mapping[int, Command]:
    """Return the valid row for each number, with the old laser commands and SRISim's commands on or off."""
    held = {"", "laser" if srisim_laser else "no laser", "srisim" if srisim else "no srisim"}
    return MappingProxyType({row.code: row for row in ROWS if row.when in held})
