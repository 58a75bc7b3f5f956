"""Access control for files named by other files: any file for the user's scenes, only some folders for others.

All code that reads a file named by another file asks here. Outside the fence files appear not to exist: a message
reveals neither their content nor whether they exist. Symbolic links are resolved first.

Files may also be `mounted`: those of an archive are read as if they were in a folder, and no others are.
"""

from __future__ import annotations

import errno
import os
import pathlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import BinaryIO

from understudy.errors import FormatError
from understudy.world.limits import FILE_BYTES

_PART_BYTES = 1_000_000  # read at once: Python allocates the requested size, however short the file is
PIPE_S, _LOOK_S = 5.0, 0.02  # until a program writes to a pipe; between two looks
OUTSIDE = "it is outside the folder of the map"
_mount: ContextVar[Mapping[str, bytes] | None] = ContextVar("mount", default=None)
_folders: ContextVar[tuple[str, ...] | None] = ContextVar("folders", default=None)


@contextmanager
def within(folders: Sequence[pathlib.Path] | None) -> Iterator[None]:
    """Allow only files below *folders* to be read in this block of this thread; None: any."""
    token = _folders.set(None if folders is None else tuple(os.path.realpath(folder) for folder in folders))
    try:
        yield
    finally:
        _folders.reset(token)


@contextmanager
def mounted(files: Mapping[pathlib.Path, bytes]) -> Iterator[None]:
    """Let these files, and no others, be read in this block of this thread, wherever they are said to lie."""
    token = _mount.set({place: data for path, data in files.items() if (place := _place(path))})
    try:
        yield
    finally:
        _mount.reset(token)


def is_up() -> bool:
    """Return whether access is restricted."""
    return _folders.get() is not None or is_mounted()


def is_mounted() -> bool:
    """Return whether files come from memory."""
    return _mount.get() is not None


def allows(path: pathlib.Path) -> bool:
    """Return whether a file may be read, if it exists."""
    folders = _folders.get()
    if folders is None or is_mounted():
        return True
    try:
        real = pathlib.PurePath(os.path.realpath(path))
    except (OSError, ValueError):  # an invalid file name
        return False
    return any(real.is_relative_to(folder) for folder in folders)


def is_file(path: pathlib.Path) -> bool:
    """Return whether a file exists and may be read."""
    if (mount := _mount.get()) is not None:
        return _place(path) in mount
    try:
        return allows(path) and path.is_file()
    except OSError:  # a name that is too long
        return False


def size_of(path: pathlib.Path) -> int:
    """Return how many bytes a file has that is there and may be read."""
    mount = _mount.get()
    return path.stat().st_size if mount is None else len(mount[_place(path)])


def read_bytes(path: pathlib.Path, most: int = FILE_BYTES) -> bytes:
    """Return the content of a file, also of an endless pipe or device.

    Raises OSError, PermissionError if it may not be read, and FormatError if it is larger than *most* bytes. A pipe
    that no program writes to is an OSError too.
    """
    if (mount := _mount.get()) is not None:
        return _unpacked(mount, path, most)
    if not allows(path):
        raise PermissionError(errno.EACCES, OUTSIDE)
    parts, left = [], most + 1
    with _open_pipe(path) if path.is_fifo() else path.open("rb") as file:
        if path.is_fifo():
            parts.append(_first_of_pipe(file.fileno()))
            left -= len(parts[0])
        while left > 0 and (part := file.read(min(left, _PART_BYTES))):
            parts.append(part)
            left -= len(part)
    if not left:
        raise FormatError(f"{path}: the file is too large (at most {most:,} bytes)")
    return b"".join(parts)


def _open_pipe(path: pathlib.Path) -> BinaryIO:
    """Open a pipe without waiting for a program that writes to it, which may never come."""
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")


def _first_of_pipe(number: int) -> bytes:
    """Wait until a program writes to a pipe; returns its first bytes, if there are any yet."""
    until, first = time.monotonic() + PIPE_S, b""
    try:
        while not (first := os.read(number, 1)):
            if time.monotonic() > until:
                raise OSError(errno.EPIPE, "no program writes to this pipe")
            time.sleep(_LOOK_S)
    except BlockingIOError:  # a program has it open, and has not written yet
        pass
    os.set_blocking(number, True)
    return first


def _place(path: pathlib.Path) -> str:
    """Return the one spelling of a path, of whatever may not be there; nothing for what no file can be called."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return ""


def _unpacked(mount: Mapping[str, bytes], path: pathlib.Path, most: int) -> bytes:
    data = mount.get(_place(path))
    if data is None:
        raise FileNotFoundError(errno.ENOENT, "no such file in the archive")
    if len(data) > most:
        raise FormatError(f"{path}: more than {most:,} bytes are too many")
    return data
