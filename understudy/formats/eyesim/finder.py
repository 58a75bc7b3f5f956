"""Where EyeSim looks for the files that a file names: worlds, robots, objects, programs.

As given, beside the file, in a folder ``worlds`` beside it or above, in the folder of EyeSim (``EYESIM_HOME``) and its
``worlds``, in the user's home. `fence` decides which of them may be read.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from understudy.assets import fence
from understudy.errors import FormatError
from understudy.formats.native.robot_files import way
from understudy.world.limits import TEXT_BYTES

_SIM = re.compile(r"^%sim%[/\\]*", re.IGNORECASE)
_MOST_LETTERS = 1_000  # of a name
# a program that is not compiled yet: its source, which is
_SOURCES = {".x": (".c", ".cpp", ".cc", ".py"), ".exe": (".c", ".cpp", ".cc"), ".dll": (".c", ".cpp", ".cc")}


@dataclass(frozen=True)
class EyeSimFiles:
    """Finds the files that a file in *folder* names; without a folder there are none."""

    folder: pathlib.Path | None
    environ: Mapping[str, str]

    def find(self, name: str) -> pathlib.Path | None:
        """Return the file of this name, None if there is none that may be read."""
        if not 0 < len(name) <= _MOST_LETTERS or "\0" in name:
            return None
        return next(filter(fence.is_file, self._candidates(name)), None)

    def program(self, name: str) -> pathlib.Path | None:
        """Return a program, or the source of one that is not compiled yet."""
        if found := self.find(name):
            return found
        stem, dot, suffix = name.rpartition(".")
        others = _SOURCES.get(f"{dot}{suffix}".lower(), ())
        return next(filter(None, (self.find(stem + other) for other in others)), None)

    def seen(self, path: pathlib.Path) -> str:
        """Return a file's name as seen from the folder."""
        folder = way(self.folder, path.parent)
        return path.name if folder in ("", ".") else f"{folder}/{path.name}"

    def text(self, path: pathlib.Path) -> bytes:
        """Return what is in a text file; raises FormatError."""
        try:
            return fence.read_bytes(path, TEXT_BYTES)
        except OSError as error:
            raise FormatError(f"{path}: cannot be read ({error.strerror})") from None

    def where(self) -> str:
        """Return the places that were searched, for a message."""
        if self.folder is None:
            return "this text was not loaded from a file"
        return "searched beside this file, in worlds, EYESIM_HOME and your home folder"

    def _candidates(self, name: str) -> Iterator[pathlib.Path]:
        if self.folder is None:
            return
        installed = self.environ.get("EYESIM_HOME", "")
        plain = _SIM.sub("", name).replace("\\", "/")
        home = self.environ.get("HOME") or self.environ.get("USERPROFILE", "")
        if home and plain.startswith("~/"):
            yield pathlib.Path(home) / plain[2:]
        if installed and plain != name.replace("\\", "/"):
            yield pathlib.Path(installed) / plain
        for folder in (self.folder, self.folder / "worlds", self.folder.parent / "worlds", pathlib.Path.cwd()):
            yield folder / plain
        if installed:
            yield pathlib.Path(installed) / plain
            yield pathlib.Path(installed) / "worlds" / plain
        if home:
            yield pathlib.Path(home) / plain
