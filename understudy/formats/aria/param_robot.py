"""From an ARIA parameter file to a robot: outline, drive, sonars, lasers and the firmware's parameters.

The outline is MobileSim's octagon: the corners of length and width cut off by the diagonal. If the file gives how far
the robot reaches ahead of and behind its centre of rotation, that is used; otherwise the octagon is centred on it.
"""

from __future__ import annotations

import math
import pathlib
from typing import Any

from understudy.formats.aria.param_keywords import Params

Table = dict[str, Any]
LIKE = "p3dx"  # the catalogue robot that provides missing values

# LaserType -> field deg, increment deg, range m; ARIA's defaults for each (any other: MobileSim's LMS200)
LASERS = {
    "lms2xx": (180.0, 1.0, 32.0),
    "lms1xx": (270.0, 0.5, 20.0),
    "lms5xx": (190.0, 1.0, 80.0),
    "tim3xx": (270.0, 3.0, 4.0),
    "tim5xx": (270.0, 3.0, 4.0),
    "tim510": (270.0, 3.0, 4.0),
    "tim551": (270.0, 1.0, 10.0),
    "tim561": (270.0, 1.0 / 3.0, 10.0),
    "tim571": (270.0, 1.0 / 3.0, 25.0),
    "urg": (240.0, 1.0, 4.095),
    "urg2.0": (360.0, 1.0, 30.0),
    "s3series": (270.0, 0.5, 30.0),
}
_BASE_MM_S, _BASE_DEG_S = 2000.0, 100.0  # of MobileSim's base model
MOST_SONARS = 255  # their numbers are a byte in packets
_HEIGHT_M, _SONAR_M, _LASER_M = 0.3, 0.15, 0.35  # the format has no heights
_MOST_LASERS = 4  # the number that a client can address
_INCREMENTS = {"half": 0.5, "one": 1.0, "quarter": 0.25}


def robot_table(params: Params) -> Table:
    """Return the robot as a table, as in a robot file."""
    names = {n: "front" if n == 1 else f"laser{n}" for n in params.lasers}
    uses = {f"laser{n}": name for n, name in names.items() if n <= _MOST_LASERS}
    sonar, absent = _sonar(params)
    antenna = _antenna(params)
    lasers = {name: _laser(params, n) for n, name in names.items()}
    devices = {"front": False, **lasers, "sonar": sonar or False, "gps": antenna or False}
    return {
        "like": LIKE,
        "summary": f"{params.text('Class')} {_subclass(params)}, from {pathlib.PurePath(params.file).name}",
        "body": {"shape": "polygon", "points_m": octagon(params), "height_m": _HEIGHT_M},
        "drive": _drive(params),
        "device": devices,
        "unit": {"arcos": {"uses": uses, **_firmware(params), "absent_sonars": absent}, "gps": False},
        "card": _card(params),
    }


def _subclass(params: Params) -> str:
    return params.text("Subclass") or pathlib.PurePath(params.file).stem


def octagon(params: Params) -> list[list[float]]:
    """Return the corners, counter-clockwise about the centre of rotation (m)."""
    length, y = params.number("RobotLength"), params.number("RobotWidth") / 2
    front, rear = params.number("RobotLengthFront"), params.number("RobotLengthRear")
    if front <= 0.0 or rear <= 0.0:
        front = rear = length / 2
    cut = min(max(params.number("RobotDiagonal"), 0.0), y, (front + rear) / 2)
    right = [(front, -(y - cut)), (front, y - cut), (front - cut, y), (-(rear - cut), y)]
    left = [(-rear, y - cut), (-rear, -(y - cut)), (-(rear - cut), -y), (front - cut, -y)]
    corners = [(round(x / 1000, 6) + 0.0, round(across / 1000, 6) + 0.0) for x, across in right + left]
    return [list(corner) for corner in dict.fromkeys(corners)]


def _drive(params: Params) -> Table:
    """Return the limits of the drive: the file's maximum speeds, or those of MobileSim's base model."""
    ahead = params.number("MaxVelocity") if params.number("MaxVelocity") > 0.0 else _BASE_MM_S
    turn = params.number("MaxRVelocity") if params.number("MaxRVelocity") > 0.0 else _BASE_DEG_S
    table: Table = {
        "kind": "differential",
        "track_m": round(2.0 / params.number("DiffConvFactor") / 1000, 6),
        "max_m_s": ahead / 1000,
        "max_deg_s": turn,
        "accel_m_s2": max(5.0, 2.0 * _ramp(params, "TransAccel", "TransDecel") / 1000),
        "accel_rad_s2": max(20.0, 2.0 * math.radians(_ramp(params, "RotAccel", "RotDecel"))),
    }
    if params.flag("HasLatVel"):
        sideways = params.number("MaxLatVelocity")
        table |= {"kind": "omni", "max_lateral_m_s": (sideways if sideways > 0.0 else ahead) / 1000}
    return table


def _ramp(params: Params, *keywords: str) -> float:
    return max(params.number(keyword) for keyword in keywords)


def _firmware(params: Params) -> Table:
    """Return what the firmware announces, its factors and its ramps; a ramp of 0 means that of the base model."""
    ramps = {
        "accel_m_s2": params.number("TransAccel") / 1000,
        "decel_m_s2": params.number("TransDecel") / 1000,
        "accel_deg_s2": params.number("RotAccel"),
        "decel_deg_s2": params.number("RotDecel"),
    }
    return {
        "robot_class": params.text("Class"),
        "subtype": _subclass(params),
        "dist_factor": params.number("DistConvFactor"),
        "vel_factor": params.number("VelConvFactor"),
        "range_factor": params.number("RangeConvFactor"),
        "angle_factor": params.number("AngleConvFactor"),
        "diff_factor": params.number("DiffConvFactor"),
        **{key: value for key, value in ramps.items() if value > 0.0},
    }


def _sonar(params: Params) -> tuple[Table, list[int]]:
    """Return the ring, and the numbers without a transducer: not in the file, or at the robot's centre."""
    units = {int(number): place for number, *place in params.rows["SonarUnit"]}
    count = min(int(params.number("SonarNum")), MOST_SONARS)
    there = {n: place for n, place in sorted(units.items()) if n < count and (any(place[:2]) or abs(place[2]) != 180.0)}
    ring = [{"x_m": x / 1000, "y_m": y / 1000, "z_m": _SONAR_M, "yaw_deg": th} for x, y, th in there.values()]
    absent = [n for n in range(count) if n not in there]
    return ({"ring": ring}, absent) if ring else ({}, [])


def _laser(params: Params, n: int) -> Table:
    """Return laser number *n*: its type's values, overridden by the file's field, increment and range."""
    field, step, far = LASERS.get(params.text("LaserType", n).lower(), LASERS["lms2xx"])
    field = _field(params, n, field)
    step = _step(params, n, step)
    high = params.number("LaserZ", n)
    limit = params.number("LaserMaxRange", n)
    mount = {"x_m": params.number("LaserX", n) / 1000, "y_m": params.number("LaserY", n) / 1000}
    return {
        "kind": "laser",
        "mount": {**mount, "z_m": high / 1000 if high > 0.0 else _LASER_M, "yaw_deg": params.number("LaserTh", n)},
        "field_deg": field,
        "rays": math.ceil(field / step - 1e-6) + (field < 360.0),
        "max_m": min(far, limit / 1000) if limit > 0.0 else far,
    }


def _field(params: Params, n: int, usual: float) -> float:
    """Return the field of view, symmetric about straight ahead, that covers the requested one (deg)."""
    start, end = (_maybe(params.text(f"Laser{side}Degrees", n)) for side in ("Start", "End"))
    if start is not None and end is not None:
        usual = min(usual, 2.0 * max(abs(start), abs(end)))
    choice = _maybe(params.text("LaserDegreesChoice", n))
    wanted = min(usual, choice) if choice is not None else usual
    return wanted if wanted > 0.0 else usual


def _step(params: Params, n: int, usual: float) -> float:
    word = params.text("LaserIncrementChoice", n).lower()
    wanted = _maybe(params.text("LaserIncrement", n)) or _INCREMENTS.get(word) or _maybe(word)
    return wanted if wanted and wanted >= 0.01 else usual


def _maybe(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _antenna(params: Params) -> Table:
    x, y = params.number("GPSPX") / 1000, params.number("GPSPY") / 1000
    return {"mount": {"x_m": x, "y_m": y}} if x or y else {}


def _card(params: Params) -> Table:
    name = pathlib.PurePath(params.file).name
    numbers = {
        "robot.body.points_m": "RobotLength, RobotLengthFront, RobotLengthRear, RobotWidth, RobotDiagonal",
        "robot.drive.track_m": "effective track, 2 / DiffConvFactor",
        "robot.drive.max_m_s": "MaxVelocity, or MobileSim's base model",
        "robot.drive.max_deg_s": "MaxRVelocity, or MobileSim's base model",
        "device.front.max_m": "LaserType, LaserMaxRange",
    }
    return {"sources": [f"ARIA parameter file {name}", "MobileSim 0.9.8, its base model"], "numbers": numbers}
