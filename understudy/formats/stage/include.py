"""Search path of Stage's worlds: their own folder, STAGEPATH, MobileSim's folders; and our own models."""

from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Iterator, Mapping

from understudy.assets import fence
from understudy.formats.stage.pioneer_models import FILE, base_text, robot_text
from understudy.world.vocabulary import Vocabulary


def resource_folder(environ: Mapping[str, str]) -> pathlib.Path | None:
    """Return the folder of MobileSim's resources given by the environment variable MOBILESIM."""
    named = environ.get("MOBILESIM", "")
    return pathlib.Path(named) if named else None


def include_folder(home: pathlib.Path, platform: str = sys.platform) -> pathlib.Path:
    """Return the folder of a user's own definitions: ``~/.MobileSim/include``, on Windows without the dot."""
    return home / ("MobileSim" if platform == "win32" else ".MobileSim") / "include"


class Finder:
    """Finds the files of a world; stores the folder of each, because names are relative to the including file."""

    MODELS = FILE

    def __init__(self, vocabulary: Vocabulary, folder: pathlib.Path | None, environ: Mapping[str, str]) -> None:
        self._vocabulary, self._folder = vocabulary, folder
        self._places: dict[str, pathlib.Path] = {}
        named = [pathlib.Path(part) for part in environ.get("STAGEPATH", "").split(os.pathsep) if part]
        self._shared = tuple(filter(None, (*named, resource_folder(environ))))

    def find(self, name: str, wanted_by: str) -> tuple[str, str, bool]:
        """Return the text of an included file, its display name, and whether it is ours; raises LookupError."""
        for path in self._candidates(name, wanted_by):
            if self._is_there(path):
                inside = self._folder is not None and path.is_relative_to(self._folder)
                shown = str(path.relative_to(self._folder or path)) if inside else str(path)
                self._places[shown] = path.parent
                return self.read(path), shown, False
        if pathlib.PurePath(name.replace("\\", "/")).name == FILE:
            return base_text(), FILE, True
        raise LookupError(f"no such file {name!r} (searched beside the world, in STAGEPATH and in MOBILESIM)")

    def robot(self, name: str) -> str:
        """Return the definition of one of our robots; empty if there is none with this name."""
        return robot_text(name, self._vocabulary)

    def picture(self, name: str, wanted_by: str) -> bytes:
        """Return the content of a picture; raises OSError or ValueError."""
        candidates = list(self._candidates(name, wanted_by))
        if not candidates:
            raise ValueError("this text was not loaded from a file")
        found = next(filter(self._is_there, candidates), None)
        return self._content(found or candidates[0])

    def read(self, path: pathlib.Path) -> str:
        """Return the text of a file; characters that are not UTF-8 are replaced, since they occur only in comments."""
        self._places[str(path)] = path.parent
        return self._content(path).decode("utf-8-sig", "replace")

    def _content(self, path: pathlib.Path) -> bytes:
        shared = path.parent in self._shared and not fence.is_mounted()
        return path.read_bytes() if shared else fence.read_bytes(path)

    def _candidates(self, name: str, wanted_by: str) -> Iterator[pathlib.Path]:
        path = pathlib.Path(name)
        if name.startswith("~"):
            yield path.expanduser()
        elif path.is_absolute():
            yield path
        else:
            for folder in (self._places.get(wanted_by), self._folder):
                if folder is not None:
                    yield folder / name
        for folder in self._shared:
            yield folder / path.name

    def _is_there(self, path: pathlib.Path) -> bool:
        """Return whether a file may be read; the shared folders are allowed for every world."""
        return fence.is_file(path) or (path.parent in self._shared and path.is_file() and not fence.is_mounted())
