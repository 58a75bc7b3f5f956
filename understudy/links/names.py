"""Stable names of pseudo-terminals: symbolic links, each reserved for one run by a lock file."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from understudy.errors import LinkError

NAMES = 100  # NAME, NAME-2, ... NAME-100 are tried
SLAVE = re.compile(r"/dev/(pts/\d+|ttys\d+)")  # target of our symbolic links, on Linux and on macOS


class Name:
    """The path of a symbolic link, reserved for this run while its lock file is locked."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock
        self._target = ""

    def point_at(self, target: str) -> None:
        """Publish *target* under the name, atomically."""
        aside = self.path.with_name(f".{self.path.name}.new")
        aside.unlink(missing_ok=True)
        aside.symlink_to(target)
        aside.replace(self.path)
        self._target = target

    def give_back(self) -> None:
        """Remove the link, unless another program has replaced it, and unlock the name."""
        with suppress(OSError):
            if str(self.path.readlink()) == self._target:
                self.path.unlink()
        with suppress(OSError):
            _lock_file(self.path).unlink()
        os.close(self._lock)


def claim(first: Path) -> Name:
    """Return the first of NAME, NAME-2, ... that no running instance uses."""
    for number in range(1, NAMES + 1):
        path = first if number == 1 else first.with_name(f"{first.name}-{number}")
        if not _is_replaceable(path):
            raise LinkError(f"{path} exists and is not a simulated serial port; remove it, or choose another name")
        lock = _lock(path)
        if lock is not None:
            return Name(path, lock)
    raise LinkError(f"{first} to {first.name}-{NAMES} are all in use; stop a run, or choose another name")


def _is_replaceable(path: Path) -> bool:
    """Return whether the path is free, or a link that an earlier run has left behind."""
    try:
        return bool(SLAVE.fullmatch(str(path.readlink())))
    except FileNotFoundError:
        return True
    except OSError:  # a file, a folder, a device
        return False


def _lock_file(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock")


def _lock(path: Path) -> int | None:
    """Return a descriptor that locks *path*, or None if another run has it. The system unlocks it when a run ends."""
    import fcntl

    lock = _lock_file(path)
    while True:
        try:
            file = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        except PermissionError:
            if lock.exists():  # it belongs to another user
                return None
            raise
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return None
        with suppress(FileNotFoundError):
            if lock.stat().st_ino == os.fstat(file).st_ino:
                return file
        os.close(file)  # its last owner removed it between open and lock
