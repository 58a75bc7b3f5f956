"""The files of looks in a robot's table: named as they are found from another folder."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import Any

Table = Mapping[str, Any]


def seen_from_beside(table: Table, folder: str) -> Table:
    """Return a robot's table with the files of its looks as they are found from where *folder* is.

    >>> seen_from_beside({"look": {"hull": {"shape": {"kind": "mesh", "file": "hull.stl"}}}}, "robots")["look"]
    {'hull': {'shape': {'kind': 'mesh', 'file': 'robots/hull.stl'}}}
    """
    looks = table.get("look")
    if folder in ("", ".") or not isinstance(looks, Mapping):
        return table
    return {**table, "look": {name: _moved(look, folder) for name, look in looks.items()}}


def way(start: pathlib.Path | None, end: pathlib.Path | None) -> str:
    """Return the way from one folder to another, as names of files have it; nothing if there is none."""
    if start is None or end is None:
        return ""
    try:
        return pathlib.PurePath(os.path.relpath(end.resolve(), start.resolve())).as_posix()
    except ValueError:  # on another drive
        return end.resolve().as_posix()


def _moved(look: Any, folder: str) -> Any:
    shape = look.get("shape") if isinstance(look, Mapping) else None
    if not isinstance(shape, Mapping) or not isinstance(shape.get("file"), str):
        return look
    return {**look, "shape": {**shape, "file": str(pathlib.PurePosixPath(folder) / shape["file"])}}
