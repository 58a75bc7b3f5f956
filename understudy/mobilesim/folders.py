"""Where MobileSim keeps its things: the user's folder with ``init.map`` and ``include``, and the shared resources.

From the manual ("Model Definitions", "Default Map File"): ``~/.MobileSim``, on Windows ``MobileSim`` in the user's own
folder; the variable ``MOBILESIM`` names the folder of maps that belong to everybody.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders that count for one start; None is not there."""

    working: Path
    user: Path | None = None
    resources: Path | None = None

    @property
    def init_map(self) -> Path | None:
        """Return the map that is loaded when none is named, if the user has one."""
        found = self.user / "init.map" if self.user else None
        return found if found and found.is_file() else None

    @property
    def includes(self) -> tuple[Path, ...]:
        """Return the user's own model definitions, in the order of their names."""
        folder = self.user / "include" if self.user else None
        if folder is None or not folder.is_dir():
            return ()
        return tuple(sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")))


def folders(working: Path, variables: Mapping[str, str] = os.environ, home: Path | None = None) -> Folders:
    """Return MobileSim's folders for somebody who starts it in *working*."""
    user = (home or Path.home()) / ("MobileSim" if sys.platform == "win32" else ".MobileSim")
    resources = variables.get("MOBILESIM")
    return Folders(working, user, Path(resources) if resources else None)


def find_map(name: str, places: Iterable[Path]) -> Path | None:
    """Return the file called *name* in the first of *places* that has it, letters large or small; None without."""
    for place in places:
        if (place / name).is_file():
            return place / name
        found = _found(place, Path(name).parts)
        if found is not None:
            return found
    return None


def _found(folder: Path, parts: tuple[str, ...]) -> Path | None:
    """Return the file that *parts* lead to from *folder*, whatever the case of their letters."""
    if not parts or not folder.is_dir():
        return folder if not parts and folder.is_file() else None
    if parts[0] in ("..", os.sep) or Path(parts[0]).is_absolute():
        return _found(folder / parts[0], parts[1:])
    same = sorted(entry for entry in folder.iterdir() if entry.name.lower() == parts[0].lower())
    return next((found for entry in same if (found := _found(entry, parts[1:]))), None)
