"""Stage's ``position`` models as robots that speak the Pioneer protocol, as in MobileSim.

A model derived from one of our own definitions is the catalogue robot with its differences; any other is built
from its file. Lengths are in Stage's units; MobileSim's speeds and ramps are in radians in any world.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from understudy.formats.stage.block_values import StageBlock, is_shape
from understudy.formats.stage.sensors import FLAT_M, RANGERS, absent_sonars, rangers
from understudy.formats.stage.shape import corners, drawing

Table = dict[str, Any]

LIKE = "p3dx"  # provides missing values
_FACTORS = {
    "pioneer_distconv": "dist_factor",
    "pioneer_diffconv": "diff_factor",
    "pioneer_angleconv": "angle_factor",
    "pioneer_velconv": "vel_factor",
    "pioneer_rangeconv": "range_factor",
}
_USED = frozenset({
    "name", "pose", "color", "color_rgba", "mass", "drive", "wheelbase", "velocity_bounds", "acceleration_bounds",
    "max_speed", "accel", "decel", "localization", "odom_error", "pioneer_robot_subtype", "pioneer_robot_type",
    "pioneer_watchdog", "pioneer_gps_pos_x", "pioneer_gps_pos_y", "obstacle_return", "laser_return", "ranger_return",
    *_FACTORS,
})  # fmt: skip
_KINDS = {"diff": "differential", "omni": "omni", "car": "ackermann"}
_HEIGHT_M = 0.25  # of robots in worlds without heights


@dataclass(frozen=True)
class Build:
    """A robot under construction: *whole* if defined by the world alone, else what differs from a catalogue robot."""

    model: StageBlock
    whole: bool
    has: Mapping[str, bool]  # devices that the robot already has: front, sonar


def robot_table(model: StageBlock, like: str, devices: Mapping[str, bool]) -> Table:
    """Return a robot as a table of differences from *like*, a catalogue robot, or from the default robot.

    *devices* gives the devices of the catalogue robot.
    """
    own = bool(like)
    given = frozenset(name for name, value in model.block.properties.items() if not (own and value.place.own))
    build = Build(StageBlock(model.block, model.units, model.notes, given), not own, devices if own else {})
    table: Table = {"like": like or LIKE, **({} if own else {"summary": f"{model.block.names[0]} of a Stage world"})}
    blocks = (part for part in model.block.parts if part.type == "block" and not part.place.own)
    if not own or any(map(is_shape, given)) or any(blocks):
        table["body"] = _body(model)
    table |= {key: value for key, value in (("drive", _drive(build)), ("device", _devices(build))) if value}
    firmware = _firmware(build, table.get("device", {}))
    units: Table = {"arcos": firmware} if firmware else {}
    if not own:
        units["gps"] = False
    table |= {"unit": units} if units else {}
    build.model.note_rest(_USED)
    return {**table, **build.model.surface()}


# ---- body and drive


def _body(model: StageBlock) -> Table:
    """Return the convex outline about the centre of rotation."""
    drawn = drawing(model)
    points = drawn.hull() if drawn else corners(model)
    if len(points) < 3:
        points = corners(model)
    table: Table = {"shape": "polygon", "points_m": [list(point) for point in points]}
    table["height_m"] = model.size_m[2] if model.is_high else _HEIGHT_M
    mass = model.number("mass", 0.0)
    return table | ({"mass_kg": mass} if mass > 0.0 else {})


def _drive(build: Build) -> Table:
    model = build.model
    table: Table = {}
    if build.whole or model.has("drive"):
        word = model.text("drive", "diff")
        if word not in _KINDS:
            model.notes.wrong(model.properties["drive"], "drive", f'want "diff", "omni" or "car", got "{word}"')
        table["kind"] = _KINDS.get(word, "differential")
    if build.whole:
        width = model.size_m[1]
        track = 2.0 / model.number("pioneer_diffconv", 0.0) / 1000 if model.has("pioneer_diffconv") else width
        table |= {"track_m": round(track, 6), "max_m_s": 1.0, "max_deg_s": 90.0}
        table |= {"wheelbase_m": model.length("wheelbase", 1.0)} if table["kind"] == "ackermann" else {}
    ahead, side, turn = _greatest(model)
    table |= {"max_m_s": ahead} if ahead > 0.0 else {}
    table |= {"max_lateral_m_s": side} if side > 0.0 and table.get("kind", "omni") == "omni" else {}
    if turn > 0.0:
        table.pop("max_deg_s", None)
        table["max_rad_s"] = round(turn, 9)
    return table


def _greatest(model: StageBlock) -> tuple[float, float, float]:
    """Return the given maximum speeds: forward and sideways (m/s), turning (rad/s); 0: not given."""
    if (speeds := model.numbers("max_speed", (3, 4))) is not None:
        return speeds[0], speeds[1], speeds[-1]
    if (bounds := model.numbers("velocity_bounds", (8,))) is not None:
        return bounds[1] * model.units.length, bounds[3] * model.units.length, bounds[7] * model.units.angle
    return 0.0, 0.0, 0.0


# ---- firmware


def _firmware(build: Build, devices: Mapping[str, Any]) -> Table:
    model = build.model
    table: Table = {"subtype": "p3dx-sh", "dist_factor": 1.0} if build.whole else {}
    table |= {"odometry_error": [0.0, 0.0, 0.0]} if build.whole else {}
    for name, key in (("pioneer_robot_subtype", "subtype"), ("pioneer_robot_type", "robot_class")):
        table |= {key: model.text(name)} if model.text(name) else {}
    for name, key in _FACTORS.items():
        if model.has(name) and (factor := model.number(name, 1.0)) > 0.0:
            table[key] = factor
    if model.has("pioneer_watchdog"):
        table["watchdog_ms"] = max(model.number("pioneer_watchdog", 2000.0), 0.0)
    table |= {**_ramps(model), **_errors(model)}
    bound = {key: name for key, name in (("laser1", "front"), ("sonar", "sonar")) if devices.get(name)}
    table |= {"uses": bound} if bound and not build.whole else {}
    if (absent := absent_sonars(model)) is not None:
        table["absent_sonars"] = absent
    return table


def _ramps(model: StageBlock) -> Table:
    """Return the ramps of both axes; turn rates are in radians, as MobileSim requires."""
    table: Table = {}
    for name, word in (("accel", "accel"), ("decel", "decel")):
        if (rates := model.numbers(name, (3, 4))) is not None:
            table |= {f"{word}_m_s2": max(rates[0], 0.0), f"{word}_rad_s2": max(rates[-1], 0.0)}
    if (bounds := model.numbers("acceleration_bounds", (8,))) is not None:
        ahead, turn = abs(bounds[1]) * model.units.length, abs(bounds[7]) * model.units.angle
        table |= {"accel_m_s2": ahead, "decel_m_s2": ahead, "accel_rad_s2": turn, "decel_rad_s2": turn}
    return table


def _errors(model: StageBlock) -> Table:
    """Return the odometry errors: MobileSim's three numbers are maximum shares, Stage's four are twice that."""
    if model.text("localization", "odom" if model.has("odom_error") else "gps") != "odom":
        return {"odometry_error": [0.0, 0.0, 0.0]} if model.has("localization") else {}
    found = model.numbers("odom_error", (3, 4, 6))
    if found is None:
        return {"odometry_error": [0.015, 0.015, 0.025]}
    shares = found if len(found) == 3 else (found[0] / 2, found[1] / 2, found[-1] / 2)
    if len(found) == 6:  # mean and deviation of each
        shares = (found[1], found[3], found[5])
    return {"odometry_error": [min(abs(share), 1.0) for share in shares]}


# ---- devices


def _devices(build: Build) -> Table:
    """Return the sensors: all of them for a robot of the world's own, else those added to its model."""
    model = build.model
    devices: Table = {"front": False, "sonar": False, "gps": False} if build.whole else {}
    for part in model.block.parts:
        if part.place.own and not build.whole:
            continue
        if part.type in RANGERS:
            for kind, table in rangers(model.part(part), _high(model)):
                devices[_free_name(kind, devices, build.has)] = table
        elif part.type not in ("block", "gps"):
            model.notes.ignore(part, "")
    if model.has("pioneer_gps_pos_x", "pioneer_gps_pos_y"):
        place = (model.length(f"pioneer_gps_pos_{axis}", 0.0) for axis in "xy")
        devices["gps"] = {"kind": "gps", "mount": dict(zip(("x_m", "y_m"), place))}
    return devices


def _free_name(kind: str, devices: Mapping[str, Any], has: Mapping[str, bool]) -> str:
    """Return the name of an additional device of a kind: front, laser2 ... or sonar, sonar2 ..."""
    first = "front" if kind == "laser" else "sonar"
    names = [first, *(f"{kind}{n}" for n in range(2, 100))]
    return next(name for name in names if not devices.get(name) and not has.get(name))


def _high(model: StageBlock) -> float:
    """Return the height of a part of the robot: on top of it, if the world gives the robot's height (m)."""
    return model.size_m[2] + model.pose().z_m if model.is_high else FLAT_M
