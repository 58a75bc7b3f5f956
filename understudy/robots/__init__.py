"""Units: the firmware's behaviour between wire and wheels, and the catalogue of robots as data.

To add a firmware: one file here and one line in UNITS. To add a robot of a known kind: one file in ``catalog/``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from understudy.robots.base import Unit
from understudy.robots.controller import Controller
from understudy.robots.nmea_gps import NmeaGps
from understudy.robots.pioneer import Pioneer
from understudy.robots.servos import Servos

UNITS: Mapping[str, type[Unit]] = MappingProxyType(
    {"controller": Controller, "pioneer": Pioneer, "nmea_gps": NmeaGps, "servos": Servos}
)


def catalog() -> Mapping[str, str]:
    """Return the text of every robot file of the catalogue, by the robot's name; each Pioneer also without errors."""
    folder = files(__name__).joinpath("catalog")
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    texts = {file.name.removesuffix(".toml"): file.read_text("utf-8") for file in found}
    tables = {name: tomllib.loads(text) for name, text in texts.items()}
    exact = {f"{name}-no-error": _NO_ERROR.format(name=name) for name in texts if _is_pioneer(name, tables)}
    return dict(sorted({**texts, **exact}.items()))


_NO_ERROR = """\
[robot]
like = "{name}"
summary = "{name} without odometry error"

[unit.arcos]
odometry_error = [0, 0, 0]

[card.numbers]
"unit.arcos.odometry_error" = "none, by its name"
"""


def _is_pioneer(name: str, tables: Mapping[str, Mapping[str, Any]]) -> bool:
    """Say whether a robot, or the one that it is like, has a Pioneer's firmware."""
    table = tables[name]
    kinds = (unit.get("kind") for unit in table.get("unit", {}).values() if unit)
    return "pioneer" in kinds or ("like" in table["robot"] and _is_pioneer(table["robot"]["like"], tables))
