"""The files of users' programs by content: what is beside a program and imported by it belongs to the run.

They are read when the simulation is made and kept with its tapes and saved runs. A restored run executes what was
saved with it, whatever lies on the disk by then. A file that a program opens itself is its own business.
"""

from __future__ import annotations

import posixpath
from pathlib import Path

from understudy.assets import fence, imports
from understudy.assets.files import Contents
from understudy.errors import FormatError, ProgramError, TapeError


class ProgramFiles:
    """Files by name, relative to the scene's folder or with their whole path; what is missing is read from disk.

    If there are *packed* files, those of an archive, every relative name is one of them: none is read from disk.
    """

    def __init__(self, folder: Path, saved: Contents | None = None, packed: Contents | None = None) -> None:
        self._folder, self._saved, self._packed = folder, dict(saved or {}), packed or {}
        self.known: dict[str, bytes] = {}  # those that a program was made of

    def path(self, name: str) -> Path:
        """Return where a file lies, or lay when the run was saved."""
        return self._folder / name

    def read(self, name: str) -> bytes:
        """Return the content of a file and keep it; raises ProgramError."""
        if name not in self.known:
            self.known[name] = self._saved[name] if name in self._saved else self._found(name)
        return self.known[name]

    def has(self, name: str) -> bool:
        """Say whether there is such a file."""
        if name in self.known or name in self._saved:
            return True
        return posixpath.normpath(name) in self._packed if self._is_packed(name) else fence.is_file(self.path(name))

    def is_folder(self, name: str) -> bool:
        """Say whether there is such a folder."""
        inside = f"{name}/"
        if any(each.startswith(inside) for each in (*self.known, *self._saved)):
            return True
        if not self._is_packed(name):
            return self.path(name).is_dir()
        return any(each.startswith(f"{posixpath.normpath(name)}/") for each in self._packed)

    def _is_packed(self, name: str) -> bool:
        """Say whether a file is one of the archive, if it exists at all."""
        return bool(self._packed) and not Path(name).is_absolute()

    def gather(self, name: str) -> None:
        """Keep a Python program and what it imports from beside it, as far as that can be seen without running it."""
        imports.beside(name, self.has, self.read)

    def check_same(self, name: str) -> None:
        """Raise TapeError if a file on the disk is not the one that was saved: a process reads it there."""
        if name in self._saved and not (fence.is_file(self.path(name)) and self._from_disk(name) == self._saved[name]):
            raise TapeError(f"{self.path(name)} is not what it was when the run was saved")

    def forget(self) -> None:
        """Let programs be read from the disk again, unless they came with a saved run."""
        self.known.clear()

    def _found(self, name: str) -> bytes:
        """Return the content of a file of the archive or on disk; raises ProgramError."""
        if not self._is_packed(name):
            return self._from_disk(name)
        if not self.has(name):
            raise ProgramError(f"{self.path(name)}: no such file in the archive")
        return self._packed[posixpath.normpath(name)]

    def _from_disk(self, name: str) -> bytes:
        path = self.path(name)
        try:
            return fence.read_bytes(path)
        except OSError as problem:
            raise ProgramError(f"{path}: {problem.strerror or problem}") from problem
        except FormatError as problem:
            raise ProgramError(str(problem)) from problem
