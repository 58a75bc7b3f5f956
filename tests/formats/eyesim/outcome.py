"""What a file of the corpus gives, as plain values that can be compared with ``expected.toml``."""

from __future__ import annotations

import math

from understudy import formats
from understudy.errors import UnderstudyError


def outcome(path, vocabulary):
    """Return a table of what is read, or of what is said about it."""
    try:
        document = formats.read(path, vocabulary)
    except UnderstudyError as error:
        return {"errors": [_short(line, path) for line in str(error).splitlines()]}
    scene = document.scene
    found = {
        "format": document.format,
        "size_mm": [_mm(value) for value in scene.ground.size_m],
        "pieces": sum(len(wall.pieces_m) for wall in scene.walls),
        "robots": [_robot(robot) for robot in scene.robots],
        "tables": [_table(robot.overrides) for robot in scene.robots if robot.overrides],
        "balls": [[*_place(ball.pose)] for ball in scene.balls],
        "objects": [_object(solid) for solid in scene.objects],
        "marks": [_pose(mark.pose) for mark in scene.marks],
        "programs": [" ".join([r.program.file, *r.program.args]) for r in scene.robots if r.program],
        "numbering": list(scene.numbering),
        "warnings": [_short(str(warning), path) for warning in document.warnings],
    }
    return {key: value for key, value in found.items() if value not in ([], 0)}


def _short(line, path):
    """Return a message without the folder of the corpus."""
    return line.replace(f"{path.parent}/", "")


def _mm(value_m):
    value = round(1000.0 * value_m, 3) + 0.0
    return int(value) if value == int(value) else value


def _place(pose):
    return _mm(pose.x_m), _mm(pose.y_m)


def _pose(pose):
    degrees = round(math.degrees(pose.heading_rad) % 360.0, 6)
    return f"{_mm(pose.x_m)} {_mm(pose.y_m)} {degrees:g}"


def _robot(robot):
    return f"{robot.model} {_pose(robot.place)}"


def _object(solid):
    return f"{solid.shape.kind} {_pose(solid.pose)}"


def _table(table):
    """Return what a robot file or parameter file says of a robot, in few words."""
    body, drive, unit = table.get("body", {}), table.get("drive", {}), table.get("unit", {}).get("eyebot", {})
    rings = {name: device.get("ring", []) for name, device in table.get("device", {}).items() if device}
    places = [
        f"{name} {_mm(at.get('x_m', 0))} {_mm(at.get('y_m', 0))} {at.get('yaw_deg', 0):g}"
        for name, ring in rings.items()
        for at in ring
    ]
    corners = [f"{_mm(x)} {_mm(y)}" for x, y in body.get("points_m", [])]
    words = {
        "corners": ", ".join(corners), "radius": body.get("radius_m"), "mass": body.get("mass_kg"),
        "height": body.get("height_m"), "drive": drive.get("kind"), "track": drive.get("track_m"),
        "base": drive.get("wheelbase_m"), "wheel": drive.get("wheel_radius_m"), "m/s": unit.get("max_m_s"),
        "deg/s": unit.get("max_deg_s"), "ticks": unit.get("ticks_per_rev"), "ids": unit.get("psd_ids"),
        "console": unit.get("console"), "devices": " ".join(table.get("device", {})), "at": ", ".join(places),
        "looks": " ".join(table.get("look", {})), "errors": table.get("drive_stage", {}).get("margins"),
    }  # fmt: skip
    return "; ".join(f"{key} {value}" for key, value in words.items() if value)
