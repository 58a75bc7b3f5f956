"""The requests as a table: name, parameters with types and units, the reply, and what is done.

A request is carried out as an order to a robot or as a change of the run (`act`), answered from a look at the scene
(`look`), or lets time pass (`until`).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from understudy.errors import excerpt, nearest
from understudy.frozen import frozen
from understudy.protocols.base import For
from understudy.protocols.json_lines import looks
from understudy.protocols.json_lines.looks import Look
from understudy.robots.base import Drive
from understudy.robots.servos import Aim, JointSpeed
from understudy.units import microseconds
from understudy.world.changes import Move, Pause, Reset, Speed, Step, Switch
from understudy.world.shapes import Pose

Arguments = Mapping[str, Any]
Kind = Literal["text", "number", "whole number", "true or false"]
MOST_TICKS = 100_000  # of one step
LONGEST_WAIT_S = 1e9
SERVOS = "servos"  # the unit of a robot that moves its joints
OK = '{"ok": true}'
TIME = '{"t_s": 1.5, "paused": false}'


class BadRequest(Exception):
    """The request cannot be understood; the text says why."""


@frozen
class Parameter:
    """A value that a request takes; `default` is used if it is left out, None: it has no value then."""

    name: str
    kind: Kind
    text: str
    needed: bool = False
    default: Any = None
    least: float = -math.inf
    most: float = math.inf


@frozen
class Request:
    """One row of the table."""

    name: str
    text: str
    reply: str  # an example
    parameters: tuple[Parameter, ...] = ()
    act: Callable[[Arguments], Any] | None = None  # returns an order or a change
    look: Look | None = None  # returns the reply
    until: Callable[[Arguments, int, int], int] | None = None  # arguments, now, tick (us); returns the end (us)


def _drive(given: Arguments) -> For:
    turn = given["rad_s"] if given["rad_s"] is not None else math.radians(given["deg_s"] or 0.0)
    return For(given["robot"], Drive(given["m_s"], turn, given["lateral_m_s"]))


def _servo(given: Arguments) -> For:
    robot, _, joint = given["joint"].partition("/")
    if (given["position"] is None) == (given["speed"] is None):
        raise BadRequest("servo takes either position or speed")
    command = JointSpeed(joint, given["speed"]) if given["position"] is None else Aim(joint, given["position"])
    return For(f"{robot}/{SERVOS}", command)


def _move(given: Arguments) -> Move:
    return Move(given["robot"], Pose(given["x_m"], given["y_m"], heading_rad=math.radians(given["heading_deg"])))


def _wait_end(given: Arguments, now_us: int, tick_us: int) -> int:
    if (given["s"] is None) == (given["until_s"] is None):
        raise BadRequest("wait takes either s or until_s")
    seconds: float = given["until_s"] if given["s"] is None else given["s"]
    return microseconds(seconds) + (0 if given["s"] is None else now_us)


def _step_end(given: Arguments, now_us: int, tick_us: int) -> int:
    return now_us + int(given["ticks"]) * tick_us


_ROBOT = Parameter("robot", "text", "name of a robot", needed=True)
_ANY_ROBOT = Parameter("robot", "text", "name of a robot; default: all")
_SENSOR = Parameter("sensor", "text", "its path, such as `scout/front`", needed=True)

ROWS = (
    Request("hello", "names the protocol, its version and all requests",
            '{"protocol": "json_lines", "version": 1, "requests": ["hello", ...]}', look=looks.hello),
    Request("time", "returns the simulated time", TIME, look=looks.time),
    Request("robots", "lists the robots with their sensors and joints",
            '{"robots": [{"name": "scout", "model": "p3dx", "sensors": ["scout/front"], "joints": []}]}',
            look=looks.robots),
    Request("sensors", "lists sensors with the values of a reading; the unit is part of each name",
            '{"sensors": [{"name": "scout/front", "kind": "laser", "values": {"range_m": 181}}]}',
            (_ANY_ROBOT,), look=looks.sensors),
    Request("read", "reads the newest values of a sensor; `null` where it has none, `t_s`: when they were taken",
            '{"sensor": "scout/front", "t_s": 1.4, "values": {"range_m": [2.5, null]}}', (_SENSOR,), look=looks.read),
    Request("pose", "returns the true pose of a robot",
            '{"robot": "scout", "x_m": 1, "y_m": 0, "z_m": 0, "heading_deg": 90, "stalled": false}', (_ROBOT,),
            look=looks.pose),
    Request("joints", "returns position, speed and effort of joints (rad or m, per s; N m or N)",
            '{"joints": {"scout/arm": {"position": 0.5, "speed": 0, "effort": 0}}}', (_ANY_ROBOT,), look=looks.joints),
    Request("drive", "moves a robot like this until the next command", OK, (
        _ROBOT,
        Parameter("m_s", "number", "ahead (m/s)", default=0.0),
        Parameter("rad_s", "number", "turn to the left (rad/s)"),
        Parameter("deg_s", "number", "the same (deg/s)"),
        Parameter("lateral_m_s", "number", "to the left, for robots that can (m/s)", default=0.0),
    ), act=_drive),
    Request("stop", "stops a robot", OK, (_ROBOT,), act=lambda given: For(given["robot"], Drive())),
    Request("servo", "moves a joint to a position, or at a speed", OK, (
        Parameter("joint", "text", "its path, such as `scout/arm`", needed=True),
        Parameter("position", "number", "rad, or m of a joint that slides"),
        Parameter("speed", "number", "rad/s or m/s"),
    ), act=_servo, look=looks.servo),
    Request("switch", "turns a sensor on or off", OK, (
        _SENSOR, Parameter("on", "true or false", "", needed=True)
    ), act=lambda given: Switch(given["sensor"], given["on"])),
    Request("move", "moves a robot or a thing to another place", OK, (
        Parameter("robot", "text", "name of a robot or a thing", needed=True),
        Parameter("x_m", "number", "east (m)", needed=True),
        Parameter("y_m", "number", "north (m)", needed=True),
        Parameter("heading_deg", "number", "0 is east, 90 is north", default=0.0),
    ), act=_move),
    Request("reset", "restarts the run at time zero, or returns one robot to its start", OK, (_ANY_ROBOT,),
            act=lambda given: Reset(given["robot"] or "")),
    Request("pause", "pauses time", OK, act=lambda given: Pause(True)),
    Request("resume", "resumes time", OK, act=lambda given: Pause(False)),
    Request("speed", "sets how fast time passes", OK, (
        Parameter("factor", "number", "multiple of real time; default: as fast as possible", least=1e-6, most=1e6),
    ), act=lambda given: Speed(given["factor"])),
    Request("step", "advances by this many ticks, also while time is paused; answered after them", TIME, (
        Parameter("ticks", "whole number", "", default=1, least=1, most=MOST_TICKS),
    ), act=lambda given: Step(int(given["ticks"])), look=looks.time, until=_step_end),
    Request("wait", "is answered when the simulated time is reached", TIME, (
        Parameter("s", "number", "from now on (s)", least=0.0, most=LONGEST_WAIT_S),
        Parameter("until_s", "number", "or: since time zero (s)", least=0.0, most=LONGEST_WAIT_S),
    ), look=looks.time, until=_wait_end),
)  # fmt: skip
REQUESTS: Mapping[str, Request] = MappingProxyType({row.name: row for row in ROWS})


def arguments(given: Mapping[str, Any]) -> tuple[Request, dict[str, Any]]:
    """Return the request of a line and a value for each of its parameters; raises BadRequest."""
    name = given.get("do")
    if not isinstance(name, str):
        raise BadRequest('a request is {"do": NAME, ...}; {"do": "hello"} lists the names')
    if name not in REQUESTS:
        raise BadRequest(f"no request is named {excerpt(name)} {nearest(name, REQUESTS)}")
    request = REQUESTS[name]
    known = [parameter.name for parameter in request.parameters]
    for key in given:
        if key not in ("do", "id", *known):
            raise BadRequest(f"{name} takes no {excerpt(key)} (it takes: {', '.join(known) or 'nothing'})")
    return request, {each.name: _value(request, each, given.get(each.name)) for each in request.parameters}


def _value(request: Request, parameter: Parameter, value: Any) -> Any:
    if value is None:
        if parameter.needed:
            raise BadRequest(f"{request.name} needs {parameter.name}: a {parameter.kind}")
        return parameter.default
    if not _FITS[parameter.kind](value):
        raise BadRequest(f"{parameter.name}: want a {parameter.kind}, got {excerpt(value)}")
    if parameter.kind in ("number", "whole number"):
        if not parameter.least <= value <= parameter.most:
            raise BadRequest(f"{parameter.name}: want {parameter.least:g} to {parameter.most:g}, got {excerpt(value)}")
        return float(value) if parameter.kind == "number" else value
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_FITS: Mapping[str, Callable[[Any], bool]] = MappingProxyType({
    "text": lambda value: isinstance(value, str), "number": _is_number, "whole number": _is_whole,
    "true or false": lambda value: isinstance(value, bool),
})  # fmt: skip
