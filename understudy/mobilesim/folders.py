"""MobileSim's folders: the user's folder with ``init.map`` and ``include``, and the shared resources.

From the manual ("Model Definitions", "Default Map File"): ``~/.MobileSim``, on Windows ``MobileSim`` in the user's home
folder; the environment variable ``MOBILESIM`` names the folder of shared maps.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from understudy.frozen import frozen


@frozen
class Folders:
    """The folders of one start; None for a folder that does not exist."""

    working: Path
    user: Path | None = None
    resources: Path | None = None

    @property
    def init_map(self) -> Path | None:
        """Return the user's default map, None if there is none."""
        found = self.user / "init.map" if self.user else None
        return found if found and found.is_file() else None

    @property
    def includes(self) -> tuple[Path, ...]:
        """Return the user's own model definitions, sorted by name."""
        folder = self.user / "include" if self.user else None
        if folder is None or not folder.is_dir():
            return ()
        return tuple(sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")))


def folders(working: Path, variables: Mapping[str, str] = os.environ, home: Path | None = None) -> Folders:
    """Return MobileSim's folders for a start in *working*."""
    user = (home or Path.home()) / ("MobileSim" if sys.platform == "win32" else ".MobileSim")
    resources = variables.get("MOBILESIM")
    return Folders(working, user, Path(resources) if resources else None)


def find_map(name: str, places: Iterable[Path]) -> Path | None:
    """Return the file called *name* in the first of *places* that has it, ignoring case; None if there is none."""
    for place in places:
        if (place / name).is_file():
            return place / name
        found = _found(place, Path(name).parts)
        if found is not None:
            return found
    return None


def _found(folder: Path, parts: tuple[str, ...]) -> Path | None:
    """Return the file at the path *parts* below *folder*, ignoring case."""
    if not parts or not folder.is_dir():
        return folder if not parts and folder.is_file() else None
    if parts[0] in ("..", os.sep) or Path(parts[0]).is_absolute():
        return _found(folder / parts[0], parts[1:])
    same = sorted(entry for entry in folder.iterdir() if entry.name.lower() == parts[0].lower())
    return next((found for entry in same if (found := _found(entry, parts[1:]))), None)
