"""ARIA's map files (``.map``): walls as lines, scanned obstacles as points, and map objects such as goals.

From the reference of ARIA ("Map File Format") and the MobileSim manual. Millimetres, degrees, x to the right, y up::

    2D-Map                          or 2D-Map-Ex, -Ex2, -Ex3, -Ex4
    MinPos: x y                     extents and counts: recomputed, not read
    Resolution: 20                  of the points
    OriginLatLongAlt: lat lon alt   geographic position of 0 0
    MapInfo: ...                    types of objects, see `cairn_types`
    Cairn: ...                      objects, see `cairns`
    LINES                           then x1 y1 x2 y2, one wall per line
    DATA                            then x y, one point per line
    NAME_LINES  NAME_DATA           the same for another sensor (``Sources:``): kept, but not part of the world

Lines and points both are obstacles. Other header lines are kept and written back. An invalid line is skipped
with a warning, as in ARIA; only a file without its first line or without any data tag is refused.
"""

from __future__ import annotations

import pathlib

from understudy.formats.aria import map_losses, map_write
from understudy.formats.aria.map_read import AriaMapReader
from understudy.formats.document import Document
from understudy.world.scene import Scene
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "left_out", "parse", "sniff", "write"]

SUFFIXES: tuple[str, ...] = (".map",)
_HEAD = 4096


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is an ARIA map."""
    head = data[:_HEAD]
    return head.lstrip()[:6].lower() == b"2d-map" or (name.lower().endswith(SUFFIXES) and b"\0" not in head)


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the document of a map; raises FormatError with the line number."""
    return AriaMapReader(data.encode() if isinstance(data, str) else data, file).document(folder)


def write(scene: Scene) -> str:
    """Return *scene* as a map; `left_out` reports what a map cannot store."""
    return map_write.write(scene)


def left_out(scene: Scene) -> list[str]:
    """Return descriptions of what a map cannot store of *scene*."""
    return map_losses.left_out(scene)
