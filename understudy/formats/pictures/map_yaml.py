"""Reads and writes ROS's ``map.yaml``, as documented by map_server."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from understudy.errors import Problem, SceneError, nearest
from understudy.formats.pictures.flat_yaml import YamlEntry

RESOLUTION_M = 0.05
_MODES = ("trinary", "scale", "raw")
_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


@dataclass(frozen=True)
class MapPlacement:
    """The placement of a picture in the world, and which of its pixels are walls."""

    resolution_m: float = RESOLUTION_M
    corner_m: tuple[float, float] | None = None  # the lower left; None: the picture's centre is at 0, 0
    yaw_rad: float = 0.0
    negate: bool = False
    occupied: float = 0.5  # pixels darker than this share are walls
    mode: str = "trinary"


def placing(entries: Mapping[str, YamlEntry], file: str) -> MapPlacement:
    """Return the placement of the picture in the world; raises SceneError with every error."""
    return _Reader(entries, file).placing()


def text(image: str, resolution_m: float, corner_m: tuple[float, float]) -> str:
    """Return the ``map.yaml`` of a picture that we wrote."""
    x, y = corner_m
    name = image if re.fullmatch(r"[\w.-]+", image) else "'" + image.replace("'", "''") + "'"
    return (
        f"image: {name}\nmode: trinary\nresolution: {resolution_m:.9g}\norigin: [{x:.9g}, {y:.9g}, 0]\n"
        "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
    )


def number(text: str) -> float | None:
    """Return a finite number, or None if *text* is not one."""
    try:
        found = float(text.replace("_", "x"))  # Python would accept 1_000
    except ValueError:
        return None
    return found if math.isfinite(found) else None


class _Reader:
    """Turns the keys of a ``map.yaml`` into values and collects every error."""

    def __init__(self, entries: Mapping[str, YamlEntry], file: str) -> None:
        self._entries, self._file = entries, file
        self._problems: list[Problem] = []

    def placing(self) -> MapPlacement:
        """Return the placement of the map; raises SceneError with every error."""
        resolution = self._number("resolution", None)
        if resolution <= 0.0:
            self._note("resolution", f"must be above 0, got {resolution:g}")
        corner, yaw = self._origin()
        negate = self._flag("negate")
        occupied = self._number("occupied_thresh", 0.65)
        if not 0.0 <= occupied <= 1.0:
            self._note("occupied_thresh", f"want 0 to 1, got {occupied:g}")
        self._number("free_thresh", 0.196)  # unknown cells are not walls either
        mode = self._text("mode", "trinary").lower()
        if mode not in _MODES:
            self._note("mode", f"unknown mode {mode!r} {nearest(mode, _MODES)}")
        if self._problems:
            raise SceneError(self._problems)
        return MapPlacement(resolution, corner, yaw, negate, occupied, mode)

    def _note(self, key: str, text: str) -> None:
        line = self._entries[key].line if key in self._entries else 0
        self._problems.append(Problem(self._file, line, key, text))

    def _text(self, key: str, default: str) -> str:
        value = self._entries[key].value if key in self._entries else default
        if isinstance(value, str):
            return value
        self._note(key, "want one value, got a list")
        return default

    def _number(self, key: str, default: float | None) -> float:
        if key not in self._entries and default is None:
            self._note(key, "missing (want metres per pixel, such as 0.05)")
        text = self._text(key, str(1.0 if default is None else default))
        found = number(text)
        if found is None:
            self._note(key, f"want a number, got {text!r}")
        return 1.0 if found is None else found

    def _flag(self, key: str) -> bool:
        text = self._text(key, "0").lower()
        if text not in (*_TRUE, *_FALSE):
            self._note(key, f"want 0 or 1, got {text!r}")
        return text in _TRUE

    def _origin(self) -> tuple[tuple[float, float], float]:
        if "origin" not in self._entries:
            self._note("origin", "missing (want [x, y, yaw] of the lower left corner)")
            return (0.0, 0.0), 0.0
        value = self._entries["origin"].value
        numbers = [number(item) for item in (value if isinstance(value, tuple) else ())]
        known = [item for item in numbers if item is not None]
        if len(known) != len(numbers) or len(known) not in (2, 3):
            self._note("origin", f"want [x, y, yaw] of the lower left corner, got {value!r}")
            return (0.0, 0.0), 0.0
        return (known[0], known[1]), known[2] if len(known) == 3 else 0.0
