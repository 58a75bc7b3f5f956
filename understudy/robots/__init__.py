"""Units: firmware behaviour between serial protocol and actuators, and the catalogue of robots as data.

To add a firmware: one file here and one line in UNITS. To add a robot of a known kind: one file in ``catalog/``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING

from understudy.plugins import Registry, of_kind

if TYPE_CHECKING:
    from understudy.robots.base import Unit

UNITS: Mapping[str, type[Unit]] = Registry(
    "understudy.units",
    "unit",
    {
        "beacon": f"{__name__}.beacon:Beacon",
        "board": f"{__name__}.board.unit:BoardUnit",
        "controller": f"{__name__}.passthrough:Controller",
        "eyebot": f"{__name__}.eyebot.firmware:Eyebot",
        "lms200": f"{__name__}.lms200.firmware:Lms200",
        "motors": f"{__name__}.motors:Motors",
        "pioneer": f"{__name__}.pioneer.firmware:Pioneer",
        "rcx": f"{__name__}.rcx.firmware:Rcx",
        "roomba": f"{__name__}.roomba.firmware:Roomba",
        "nmea_gps": f"{__name__}.nmea_gps:NmeaGps",
        "servos": f"{__name__}.servos:JointServos",
    },
    of_kind,
)
_PIONEER = re.compile(r'^kind = "pioneer"$', re.MULTILINE)
_LIKE = re.compile(r'^like = "([\w-]+)"$', re.MULTILINE)


def catalog() -> Mapping[str, str]:
    """Return the text of every robot file of the catalogue, by name; each Pioneer also without odometry error."""
    folder = files(__name__).joinpath("catalog")
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    texts = {file.name.removesuffix(".toml"): file.read_text("utf-8") for file in found}
    exact = {f"{name}-no-error": _NO_ERROR.format(name=name) for name in texts if _is_pioneer(name, texts)}
    return dict(sorted({**texts, **exact}.items()))


_NO_ERROR = """\
[robot]
like = "{name}"
summary = "{name} without odometry error"

[unit.arcos]
odometry_error = [0, 0, 0]

[card.numbers]
"unit.arcos.odometry_error" = "none, as the name says"
"""


def _is_pioneer(name: str, texts: Mapping[str, str]) -> bool:
    """Return whether a robot, or the one that it is like, has the firmware of a Pioneer.

    The files of the catalogue have a fixed layout, so lines are matched: parsing them all takes longer than loading a
    scene.
    """
    like = _LIKE.search(texts[name])
    return _PIONEER.search(texts[name]) is not None or (like is not None and _is_pioneer(like[1], texts))
