"""The files that a robot's table names, of looks, filters and firmware: named as they are found from another folder."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable, Mapping
from typing import Any

Table = Mapping[str, Any]


def seen_from_beside(table: Table, folder: str) -> Table:
    """Return a robot's table with its files as they are found from where *folder* is.

    >>> seen_from_beside({"look": {"hull": {"shape": {"kind": "mesh", "file": "hull.stl"}}}}, "robots")["look"]
    {'hull': {'shape': {'kind': 'mesh', 'file': 'robots/hull.stl'}}}
    >>> seen_from_beside({"device": {"front": {"filter": "rain.py:rain"}}}, "robots")["device"]
    {'front': {'filter': 'robots/rain.py:rain'}}
    >>> seen_from_beside({"unit": {"board": {"kind": "board", "firmware": "sear.py"}}}, "robots")["unit"]
    {'board': {'kind': 'board', 'firmware': 'robots/sear.py'}}
    """
    if folder in ("", "."):
        return table
    moved = {
        section: {name: move(entry, folder) for name, entry in table[section].items()}
        for section, move in _MOVES.items()
        if isinstance(table.get(section), Mapping)
    }
    return {**table, **moved}


def way(start: pathlib.Path | None, end: pathlib.Path | None) -> str:
    """Return the way from one folder to another, as names of files have it; nothing if there is none."""
    if start is None or end is None:
        return ""
    try:
        return pathlib.PurePath(os.path.relpath(end.resolve(), start.resolve())).as_posix()
    except ValueError:  # on another drive
        return end.resolve().as_posix()


def _look(look: Any, folder: str) -> Any:
    shape = look.get("shape") if isinstance(look, Mapping) else None
    return {**look, "shape": _with_file(shape, "file", folder)} if isinstance(shape, Mapping) else look


def _device(device: Any, folder: str) -> Any:
    return _with_file(device, "filter", folder) if isinstance(device, Mapping) else device


def _unit(unit: Any, folder: str) -> Any:
    return _with_file(unit, "firmware", folder) if isinstance(unit, Mapping) else unit


def _with_file(table: Table, key: str, folder: str) -> Table:
    """Return a table with the file that it has under a key, if it has one, seen from elsewhere."""
    name = table.get(key)
    return {**table, key: str(pathlib.PurePosixPath(folder) / name)} if isinstance(name, str) and name else table


_MOVES: Mapping[str, Callable[[Any, str], Any]] = {"look": _look, "device": _device, "unit": _unit}
