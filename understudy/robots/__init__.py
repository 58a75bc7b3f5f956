"""Units: the firmware's behaviour between wire and wheels, and the catalogue of robots as data.

To add a firmware: one file here and one line in UNITS. To add a robot of a known kind: one file in ``catalog/``.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType

from understudy.robots.base import Unit
from understudy.robots.controller import Controller
from understudy.robots.nmea_gps import NmeaGps
from understudy.robots.pioneer import Pioneer

UNITS: Mapping[str, type[Unit]] = MappingProxyType({"controller": Controller, "pioneer": Pioneer, "nmea_gps": NmeaGps})


def catalog() -> Mapping[str, str]:
    """Return the text of every robot file of the catalogue, by the robot's name."""
    folder = files(__name__).joinpath("catalog")
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): file.read_text("utf-8") for file in found}
