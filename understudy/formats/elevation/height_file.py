"""Elevation data as scenes: ESRI ASCII grids, SRTM tiles and GeoTIFF become the ground, at their place on Earth.

Of a file that is wider than 5 km the scene has one square kilometre in the middle; `middle_deg` and `size_m` of the
ground's heights choose another part. A scene needs a robot: ``understudy run N46E007.hgt --robot p3at``.
"""

from __future__ import annotations

import pathlib
from typing import Any

from understudy.assets.heights import elevation, grids
from understudy.assets.heights.grids import HeightGrid
from understudy.errors import Problem
from understudy.formats.document import Document
from understudy.world.scene import Ground, Heights, Scene
from understudy.world.vocabulary import Vocabulary

SUFFIXES = grids.SUFFIXES
MOST_M, PART_M = 5_000.0, 1_000.0  # widest file that is used whole, and the part of a wider one


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name has elevations; a TIFF without a georeference is a picture."""
    if grids.is_tiff(data):
        return grids.is_georeferenced_tiff(data)
    return grids.is_ascii_grid(data) or name.lower().endswith(".hgt")


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return a scene whose ground has the elevations of a file; raises FormatError."""
    content = data.encode() if isinstance(data, str) else data
    grid = grids.read(content, file)
    part = _part(grid)
    notes = () if not part else (Problem(file, 0, "", "used in part: 1 km x 1 km in the middle"),)
    heights = Heights(pathlib.PurePath(file).name, **part)
    scene = Scene(engine="rigid", ground=Ground(heights=heights))
    return Document(scene, file, data if isinstance(data, str) else "", folder, became=notes)


def _part(grid: HeightGrid) -> dict[str, Any]:
    """Return the keys that select the middle of a wide file; none if all of it is used."""
    east, north = elevation.cell_size_m(grid)
    rows, columns = grid.values.shape
    if max(east * (columns - 1), north * (rows - 1)) <= MOST_M:
        return {}
    wide, deep = (min(count, round(PART_M / cell) + 1) for count, cell in ((columns, east), (rows, north)))
    return {"window": ((columns - wide) // 2, (rows - deep) // 2, max(wide, 2), max(deep, 2))}
