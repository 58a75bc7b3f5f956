"""Units: the firmware's behaviour between wire and wheels, and the catalogue of robots as data.

To add a firmware: one file here and one line in UNITS. To add a robot of a known kind: one file in ``catalog/``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING

from understudy.lazy import imported

if TYPE_CHECKING:
    from understudy.robots.base import Unit

UNITS: Mapping[str, type[Unit]] = imported(
    {
        "controller": f"{__name__}.controller:Controller",
        "pioneer": f"{__name__}.pioneer:Pioneer",
        "nmea_gps": f"{__name__}.nmea_gps:NmeaGps",
        "servos": f"{__name__}.servos:Servos",
    }
)
_PIONEER = re.compile(r'^kind = "pioneer"$', re.MULTILINE)
_LIKE = re.compile(r'^like = "([\w-]+)"$', re.MULTILINE)


def catalog() -> Mapping[str, str]:
    """Return the text of every robot file of the catalogue, by the robot's name; each Pioneer also without errors."""
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
"unit.arcos.odometry_error" = "none, by its name"
"""


def _is_pioneer(name: str, texts: Mapping[str, str]) -> bool:
    """Say whether a robot, or the one that it is like, has a Pioneer's firmware.

    Our own files are written alike, so their lines are looked at: parsing them all takes longer than loading a scene.
    """
    like = _LIKE.search(texts[name])
    return _PIONEER.search(texts[name]) is not None or (like is not None and _is_pioneer(like[1], texts))
