"""From a ``.robi`` file to a robot: a table as in a robot file, with the firmware of an EyeBot.

The robot's frame has its origin on the floor below the axle, as all robots here; EyeSim's is at the model's origin.
"""

from __future__ import annotations

import math
import pathlib
from typing import Any

from understudy.assets import fence
from understudy.elementary import hypot
from understudy.formats.eyesim.colliders import whole_outline
from understudy.formats.eyesim.line_words import FileNotes
from understudy.formats.eyesim.robi_lines import RobiParams, RobiSensor, RobiWheel
from understudy.world.resolve import legal

Table = dict[str, Any]
# what files do not give, as of the catalogue's S4
_PSD = {"kind": "psd", "min_m": 0.0, "max_m": 9.999, "period_ms": 0, "noise": {"sigma_m": 0.0}}
_CAMERA = {"kind": "camera", "on": False, "width": 160, "height": 120, "field_deg": 60, "noise": "perfect"}
_LIDAR = {"kind": "laser", "on": False, "max_m": 9.999, "noise": "perfect"}
_ALWAYS = {"encoders": {"kind": "encoders", "noise": "perfect"}, "compass": {"kind": "compass", "noise": "perfect"}}
_S4_MM = 186.0  # diameter in EyeSim 6
_HEIGHT_M = 0.1
_USUAL_KG = 1.5
_MOST_M_S, _MOST_DEG_S = 20.0, 3600.0
_MESHES = (".obj", ".stl", ".ply", ".glb", ".gltf", ".dae")
_TALL_M = 5.0  # a collider or sensor above this is an error of units


def robot_table(params: RobiParams, folder: pathlib.Path | None, notes: FileNotes) -> Table:
    """Return the robot as a table, as in a robot file."""
    looks = _looks(params, folder, notes)
    return {
        "summary": f"{params.name}, from {pathlib.PurePath(params.file).name}",
        "body": _body(params),
        "drive": _drive(params),
        "device": _devices(params),
        "unit": {"eyebot": _unit(params)},
        **({"look": looks} if looks else {}),
        "card": {"sources": [f"EyeSim robot file {pathlib.PurePath(params.file).name}"]},
    }


def _ahead_mm(params: RobiParams) -> float:
    """Return how far the driven axle is ahead of the model's origin."""
    return params.axes.get("drive", params.axes.get("", (0.0, 0.0)))[1]


def _body(params: RobiParams) -> Table:
    mass = params.single.get("mass", _USUAL_KG)
    if not params.colliders:
        radius = params.single.get("diameter", _S4_MM) / 2000
        return {"shape": "circle", "radius_m": radius, "height_m": _HEIGHT_M, "mass_kg": mass}
    ahead = _ahead_mm(params) / 1000
    points = [(x - ahead, y) for x, y in whole_outline(params.colliders)]
    top = max(part.low_high(1)[1] for part in params.colliders) / 1000
    rest = {"height_m": min(max(top, 0.01), _TALL_M), "mass_kg": mass}
    reach = [hypot(x, y) for x, y in points]
    if len(points) > 8 and max(reach) - min(reach) < 1e-5:
        return {"shape": "circle", "radius_m": round(max(reach), 6), **rest}
    return {"shape": "polygon", "points_m": [[round(x, 6) + 0.0, round(y, 6) + 0.0] for x, y in points], **rest}


def _wheel(params: RobiParams) -> RobiWheel | None:
    return params.wheels.get("drive") or params.wheels.get("") or next(iter(params.wheels.values()), None)


def _drive(params: RobiParams) -> Table:
    """Return the drive with its limits: those of the file, else of its wheels."""
    wheel = _wheel(params)
    radius = wheel.diameter / 2000 if wheel else 0.027
    track = _track_m(params, wheel)
    speed, turn = _limits(params)
    table: Table = {
        "kind": params.drive,
        "track_m": track,
        "wheel_radius_m": radius,
        "max_m_s": speed,
        "max_deg_s": turn,
        "accel_m_s2": 10.0,
        "accel_rad_s2": 100.0,
    }
    if params.drive == "omni":
        table["max_lateral_m_s"] = speed
    if params.drive == "ackermann":
        front = params.axes.get("turn", (0.0, 0.0))[1]
        base = abs(front - _ahead_mm(params)) / 1000
        table |= {"wheelbase_m": base if base > 0.0 else max(track, 0.05), "max_steer_deg": 35.0}
    return table


def _track_m(params: RobiParams, wheel: RobiWheel | None) -> float:
    """Return the track; of Mecanum wheels with the wheelbase, which no file gives, so that it is as long."""
    if wheel is None:
        track = params.single.get("diameter", _S4_MM) / 1000
    else:
        track = wheel.distance / 1000 * (1.0 if params.is_old else 2.0)
    return 2.0 * track if params.drive == "omni" else track


def _limits(params: RobiParams) -> tuple[float, float]:
    """Return the greatest speeds: m/s and deg/s."""
    wheel = _wheel(params)
    rim = math.pi * wheel.diameter / 1000 * wheel.deg_s / 360 if wheel else 0.6
    speed = params.single.get("speed", 1000.0 * rim) / 1000
    turn = params.single.get("turn", math.degrees(2.0 * rim / _track_m(params, wheel)))
    return round(min(speed, _MOST_M_S), 6), round(min(turn, _MOST_DEG_S), 6)


# ---- devices


def _devices(params: RobiParams) -> Table:
    devices: Table = dict(_ALWAYS)
    if params.psds:
        devices["psd"] = {**_PSD, "ring": [_place(params, sensor) for sensor in params.psds]}
    if params.camera:
        devices["camera"] = {**_CAMERA, **_camera(params)}
    if params.lidar:
        angle, points, tilt = params.lidar
        high = max((part.low_high(1)[1] for part in params.colliders), default=1000.0 * _HEIGHT_M) / 1000
        mount = {"z_m": min(max(high, 0.01) + 0.01, _TALL_M), **({"pitch_deg": tilt} if tilt else {})}
        devices["lidar"] = {**_LIDAR, "field_deg": angle, "rays": int(points), "mount": mount}
    return devices


def _place(params: RobiParams, sensor: RobiSensor) -> Table:
    x, y, z = sensor.place
    place = {"x_m": (x - _ahead_mm(params)) / 1000, "y_m": y / 1000, "z_m": z / 1000}
    place |= {"yaw_deg": sensor.yaw, "pitch_deg": sensor.tilt, "roll_deg": sensor.roll}
    return {key: round(value, 6) for key, value in place.items() if value}


def _camera(params: RobiParams) -> Table:
    x, y, z, pan, tilt = params.camera[:5]
    mount = _place(params, RobiSensor("", 0, (x, y, z), pan, tilt))
    table: Table = {"mount": mount}
    if len(params.camera) == 7 and params.is_old:
        wide, high = (int(min(max(value, 1.0), 2000.0)) for value in params.camera[5:])
        table |= {"width": wide, "height": high}
    return table | ({"field_deg": params.single["fisheye"]} if "fisheye" in params.single else {})


def _unit(params: RobiParams) -> Table:
    """Return the settings of the firmware: numbers and names of its sensors, limits, the reach of the camera."""
    wheel = _wheel(params)
    speed, turn = _limits(params)
    table: Table = {"kind": "eyebot", "uses": {name: name for name in _devices(params)}}
    table |= {"max_m_s": speed, "max_deg_s": turn}
    table["psd_ids"] = [sensor.id for sensor in params.psds]
    table["psd_names"] = [sensor.name for sensor in params.psds]
    if wheel:
        table["ticks_per_rev"] = max(round(wheel.ticks), 1)
    if len(params.camera) == 7 and not params.is_old:
        table |= {"pan_deg": abs(params.camera[5]), "tilt_deg": abs(params.camera[6])}
    return table | ({"console": "classic"} if params.is_old else {})


def _looks(params: RobiParams, folder: pathlib.Path | None, notes: FileNotes) -> Table:
    """Return the mesh of the robot, if its file is there and can be read."""
    if params.model is None:
        return {}
    file, (x, y, z, _, turn, _) = params.model
    line = params.lines["model"]
    if not file.lower().endswith(_MESHES):
        notes.warn(
            line, f"meshes of this kind cannot be shown: {file[:80]!r} (supported: {' '.join(_MESHES)})", params.file
        )
        return {}
    if folder is None or not fence.is_file(folder / file):
        notes.warn(line, f"no such mesh {file[:80]!r}; the robot is drawn as its body", params.file)
        return {}
    mount = {"x_m": (z - _ahead_mm(params)) / 1000, "y_m": -x / 1000, "z_m": y / 1000, "yaw_deg": -turn}
    shape = {"kind": "mesh", "file": file, "scale": 0.001, "up": "y"}
    return {"model": {"shape": shape, "mount": {key: value for key, value in mount.items() if value}}}


def keyword_of(params: RobiParams) -> str:
    """Return the keyword that places this robot in a ``.sim`` file."""
    return params.name.lower()


def name_of(params: RobiParams) -> str:
    """Return a name for a robot of this file."""
    return legal(params.name, "robot")
