"""Locks between processes, so that two processes that start together do not compile the same kernel twice.

A lock is a file next to the cache that holds the process id of its owner; a lock of a dead owner is ignored. In the
worst case two processes compile the same kernel, which is harmless.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

LOOK_S, PATIENCE_S = 0.2, 120.0


@contextmanager
def held(kernel: Any) -> Iterator[None]:
    """Hold the lock for compiling a kernel: its cache index is one file."""
    folder = kernel.stats.cache_path
    name = f"{kernel.py_func.__module__}.{kernel.py_func.__name__}.lock"
    file = Path(folder) / name if folder else None
    mine = file is not None and _waited(file)
    try:
        yield
    finally:
        if mine and file is not None:
            with suppress(OSError):
                file.unlink()


def _waited(file: Path) -> bool:
    """Return True when the lock is ours; False if that is impossible or takes too long."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        try:
            if _taken(file):
                return True
        except OSError:
            return False
        time.sleep(LOOK_S)
    return False


def _taken(file: Path) -> bool:
    """Try to create the file; remove it if its owner is dead."""
    try:
        with file.open("x") as made:
            made.write(str(os.getpid()))
    except FileExistsError:
        if not _alive(file):
            file.unlink(missing_ok=True)
        return False
    return True


def _alive(file: Path) -> bool:
    import psutil

    try:
        return bool(psutil.pid_exists(int(file.read_text() or "0")))
    except (OSError, ValueError):  # removed, or its owner has not written yet
        return True
