"""Which files a map may name: all of them, if its user has opened it; only those below some folders, if a stranger did.

Whatever reads a file that another file names asks here. Outside the fence nothing is there: a message says neither
what a file holds nor whether it exists. Links do not lead out.
"""

from __future__ import annotations

import errno
import os
import pathlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from understudy.errors import FormatError
from understudy.world.limits import FILE_BYTES

_PART_BYTES = 1_000_000  # read at once: Python reserves what it is asked to read, however short the file is
OUTSIDE = "it lies outside the folder of the map"
_folders: ContextVar[tuple[str, ...] | None] = ContextVar("folders", default=None)


@contextmanager
def within(folders: Sequence[pathlib.Path] | None) -> Iterator[None]:
    """Let only files below *folders* be read in this block of this thread; None: any."""
    token = _folders.set(None if folders is None else tuple(os.path.realpath(folder) for folder in folders))
    try:
        yield
    finally:
        _folders.reset(token)


def is_up() -> bool:
    """Say whether there is a fence."""
    return _folders.get() is not None


def allows(path: pathlib.Path) -> bool:
    """Say whether a file may be read, if it is there."""
    folders = _folders.get()
    if folders is None:
        return True
    try:
        real = pathlib.PurePath(os.path.realpath(path))
    except (OSError, ValueError):  # a name that no file can have
        return False
    return any(real.is_relative_to(folder) for folder in folders)


def is_file(path: pathlib.Path) -> bool:
    """Say whether a file is there and may be read."""
    try:
        return allows(path) and path.is_file()
    except OSError:  # a name that is too long
        return False


def read_bytes(path: pathlib.Path, most: int = FILE_BYTES) -> bytes:
    """Return the content of a file, also of a pipe or device without end.

    Raises OSError, PermissionError if it may not be read, and FormatError if it holds more than *most* bytes.
    """
    if not allows(path):
        raise PermissionError(errno.EACCES, OUTSIDE)
    parts, left = [], most + 1
    with path.open("rb") as file:
        while left > 0 and (part := file.read(min(left, _PART_BYTES))):
            parts.append(part)
            left -= len(part)
    if not left:
        raise FormatError(f"{path}: more than {most:,} bytes are too many")
    return b"".join(parts)
