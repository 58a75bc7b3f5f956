"""Measured beam patterns: the range at which a pole is just detected, per angle; each point becomes a cone.

A row is an angle (degrees, to the left) and the greatest distance at which the pole was detected (metres), separated by
a comma, semicolon, tab or space. A header row may name other units: ``angle_rad``, ``distance_cm``,
``distance_mm``. A cone reaches half way to the next angle on each side; a distance of 0 means that nothing was detected
at this angle, such as a gap before a side lobe.
"""

from __future__ import annotations

import math
import pathlib
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from understudy.assets import fence
from understudy.errors import FormatError
from understudy.world.records import Finding

Table = Mapping[str, Any]
Lobes = list[dict[str, float]]

BEAM = "lobes"  # the device key that may name such a file
_ANGLES = {"angle_deg": math.radians(1.0), "angle_rad": 1.0}
_DISTANCES = {"distance_m": 1.0, "distance_cm": 0.01, "distance_mm": 0.001}
_WANT = "want angle_deg, distance_m"
_MOST = 1_000


def parse(text: str, file: str) -> Lobes:
    """Return the lobes of a beam pattern as tables; raises FormatError with the line number.

    >>> [round(lobe["max_m"], 3) for lobe in parse("-10, 1.0\\n0, 2.5\\n10, 1.0", "beam.csv")]
    [1.0, 2.5, 1.0]
    """
    points = sorted(_points(text, file))
    if not 2 <= len(points) <= _MOST:
        raise FormatError(f"{file}: want from 2 to {_MOST} points, got {len(points)}")
    for (_, _, before), (_, _, line) in _twins(points):
        raise FormatError(f"{file}:{max(before, line)}: the same angle as in line {min(before, line)}; give it once")
    lobes = list(_lobes([(angle, distance) for angle, distance, _ in points]))
    if not lobes:
        raise FormatError(f"{file}: every distance is 0; want at least one above 0")
    return lobes


def _twins(points: list[tuple[float, float, int]]) -> Iterator[tuple[tuple[float, float, int], ...]]:
    return ((one, other) for one, other in pairwise(points) if one[0] == other[0])


def _points(text: str, file: str) -> Iterator[tuple[float, float, int]]:
    """Yield angle (rad), distance (m) and line of each point."""
    per_angle, per_distance, first = _ANGLES["angle_deg"], 1.0, True
    for line, row in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        words = [word for word in re.split(r"[,;\s]+", row.partition("#")[0].strip()) if word]
        if not words:
            continue
        if first and len(words) == 2 and words[0] in _ANGLES and words[1] in _DISTANCES:
            per_angle, per_distance = _ANGLES[words[0]], _DISTANCES[words[1]]
        else:
            yield *_point(words, row, per_angle, per_distance, f"{file}:{line}"), line
        first = False


def _point(words: list[str], row: str, per_angle: float, per_distance: float, where: str) -> tuple[float, float]:
    try:
        angle, distance = (float(word) for word in words)
    except ValueError:
        raise FormatError(f"{where}: not a measured point: {row.strip()!r} ({_WANT})") from None
    angle, distance = angle * per_angle, distance * per_distance
    if not abs(angle) <= math.pi:
        raise FormatError(f"{where}: an angle must be from -180 to 180 degrees, got {words[0]}")
    if not 0.0 <= distance < math.inf:
        raise FormatError(f"{where}: a distance must be at least 0, got {words[1]}")
    return angle, distance


def _lobes(points: list[tuple[float, float]]) -> Iterator[dict[str, float]]:
    """Yield a cone for each point above 0, half way to its neighbours on both sides."""
    angles = [angle for angle, _ in points]
    middles = [(a + b) / 2 for a, b in pairwise(angles)]
    edges = [2 * angles[0] - middles[0], *middles, 2 * angles[-1] - middles[-1]]
    for (_, distance), right, left in zip(points, edges, edges[1:]):
        if distance > 0.0:
            yield {"width_rad": min(left - right, math.pi), "max_m": distance, "yaw_rad": (left + right) / 2}


# ---- devices that name such a file


def measured(table: Table, folder: pathlib.Path | None) -> tuple[Table, list[Finding]]:
    """Return a robot's table with beam files replaced by their points, and the errors in those files."""
    devices, findings = table.get("device"), []
    if not isinstance(devices, Mapping):
        return table, []
    whole = dict(devices)
    for name, device in devices.items():
        if isinstance(device, Mapping) and isinstance(device.get(BEAM), str):
            try:
                lobes = _beam(device[BEAM], folder)
            except FormatError as error:
                findings.append(Finding(("device", name, BEAM), str(error)))
                lobes = []
            whole[name] = {**device, BEAM: lobes}
    return {**table, "device": whole}, findings


def _beam(name: str, folder: pathlib.Path | None) -> Lobes:
    if folder is None:
        raise FormatError(f"cannot resolve {name!r}: this text was not loaded from a file")
    try:
        text = fence.read_bytes(folder / name).decode()
    except FileNotFoundError:
        raise FormatError(f"no such file {name!r}") from None
    except OSError as error:
        raise FormatError(f"cannot read {name!r} ({error.strerror})") from None
    except UnicodeDecodeError:
        raise FormatError(f"cannot read {name!r}: it is not UTF-8 text") from None
    return parse(text, name)
