"""From the parameter file to a robot: what differs from the catalogue's ``soccerbot``."""

from __future__ import annotations

import math
from typing import Any

from understudy.elementary import cos, sin
from understudy.formats.eyesim.error_lines import error_overrides
from understudy.formats.eyesim.param_lines import ClassicParams, PolarSensor

Table = dict[str, Any]
_HEIGHTS_M = {"psd": 0.05, "ir": 0.04}
_TRACK = 0.65  # of the diameter: the wheels of a robot that is round
_DEVICES = {"psd": "psd", "ir": "ir", "bump": "bumper"}


def robot_overrides(params: ClassicParams) -> Table:
    """Return what a parameter file changes of the soccerbot, as a table."""
    devices, unit = _devices(params)
    single = params.single
    drive: Table = {}
    if "diameter" in single:
        drive["track_m"] = round(_TRACK * single["diameter"] / 1000, 6)
    for word, key, factor in (("speed", "max_m_s", 0.01), ("turn", "max_deg_s", 1.0)):
        if word in single:
            drive[key] = unit[key] = round(factor * single[word], 9)
    body = {"radius_m": single["diameter"] / 2000} if "diameter" in single else {}
    errors = error_overrides(params.margins, _there(devices))
    for name, noise in errors.get("device", {}).items():
        devices[name] = {**devices.get(name, {}), **noise}
    tables = {"body": body, "drive": drive, "device": devices, "unit": {"eyebot": unit} if unit else {}}
    tables["drive_stage"] = errors.get("drive_stage", {})
    return {key: table for key, table in tables.items() if table}


def _there(devices: Table) -> list[str]:
    usual = ("psd", "ir", "bumper", "encoders", "camera", "lidar")
    return [name for name in usual if devices.get(name) is not False]


def _devices(params: ClassicParams) -> tuple[Table, Table]:
    """Return the sensors, and their numbers and names for the firmware.

    A file that lists sensors lists all of them: kinds that it does not have are removed.
    """
    devices: Table = {}
    unit: Table = {}
    if params.psd_range:
        devices["psd"] = {"min_m": params.psd_range[0] / 1000, "max_m": params.psd_range[1] / 1000}
    if "ir_range" in params.single:
        devices["ir"] = {"switch_m": params.single["ir_range"] / 1000}
    for kind, name in _DEVICES.items() if any(params.sensors.values()) else ():
        found = params.sensors.get(kind, [])
        unit |= {f"{name}_ids": [sensor.id for sensor in found], f"{name}_names": [sensor.name for sensor in found]}
        if not found:
            devices[name] = False
            unit.setdefault("uses", {})[name] = False
        else:
            devices[name] = {**devices.get(name, {}), **_sheet(kind, found)}
    return devices, unit


def _sheet(kind: str, found: list[PolarSensor]) -> Table:
    if kind == "bump":
        return {"sectors": [{"start_deg": start, "end_deg": end} for start, end in (each.values for each in found)]}
    return {"ring": [_place(kind, sensor) for sensor in found]}


def _place(kind: str, sensor: PolarSensor) -> Table:
    angle, distance, deviation = sensor.values
    turn = math.radians(angle)
    x, y = distance / 1000 * cos(turn), distance / 1000 * sin(turn)
    place = {"x_m": round(x, 6) + 0.0, "y_m": round(y, 6) + 0.0, "yaw_deg": angle + deviation}
    return {**{key: value for key, value in place.items() if value}, "z_m": _HEIGHTS_M[kind]}
