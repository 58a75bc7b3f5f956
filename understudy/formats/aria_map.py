"""ARIA's map files (``.map``): walls as lines, what a scanner has seen as points, and objects with a meaning.

From the reference of ARIA ("Map File Format") and the MobileSim manual. Millimetres, degrees, x to the right, y up::

    2D-Map                          or 2D-Map-Ex, -Ex2, -Ex3, -Ex4
    MinPos: x y                     extents and counts: we count and measure ourselves
    Resolution: 20                  of the points
    OriginLatLongAlt: lat lon alt   where on Earth 0 0 lies
    MapInfo: ...                    types of objects, see `aria_types`
    Cairn: ...                      objects, see `aria_cairns`
    LINES                           then x1 y1 x2 y2, one wall to a line
    DATA                            then x y, one point to a line
    NAME_LINES  NAME_DATA           the same of another sensor (``Sources:``): carried along, no part of the world

Lines and points both are obstacles. Other header lines are kept and written back. A line that is mistaken is passed
over with a warning, as ARIA does; only a file without its first line or without any data tag is refused.
"""

from __future__ import annotations

import pathlib

from understudy.formats import aria_losses, aria_write
from understudy.formats.aria_read import MapReader
from understudy.formats.document import Document
from understudy.world.scene import Scene
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "left_out", "parse", "sniff", "write"]

SUFFIXES: tuple[str, ...] = (".map",)
_HEAD = 4096


def sniff(data: bytes, name: str) -> bool:
    """Say whether a file of this content and name is a map of ARIA's."""
    head = data[:_HEAD]
    return head.lstrip()[:6].lower() == b"2d-map" or (name.lower().endswith(SUFFIXES) and b"\0" not in head)


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the document of a map; raises FormatError that names the line."""
    return MapReader(data.encode() if isinstance(data, str) else data, file).document(folder)


def write(scene: Scene) -> str:
    """Return *scene* as a map; `left_out` says what of it a map cannot hold."""
    return aria_write.write(scene)


def left_out(scene: Scene) -> list[str]:
    """Return in words what of *scene* a map cannot hold."""
    return aria_losses.left_out(scene)
