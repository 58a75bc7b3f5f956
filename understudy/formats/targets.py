"""Output files: checks that they can be written, before any work is done."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable

from understudy.errors import FormatError

HEAD = 65_536  # bytes of an existing file from which its format is detected
IsOwn = Callable[[bytes], bool]


def refusal(path: str | os.PathLike[str], kind: str, is_own: IsOwn) -> str:
    """Return why a file must not be written; empty if it may. Only a file of the same kind is overwritten."""
    target = pathlib.Path(path)
    try:
        if target.is_dir():
            return "is a folder"
        if not target.exists():
            return _refusal_of_folder(target.parent)
        if not os.access(target, os.W_OK):
            return "cannot be written (no permission)"
        if not target.is_file() or is_empty(target):  # such as /dev/null
            return ""
        with target.open("rb") as file:
            own = is_own(file.read(HEAD))
    except (OSError, ValueError) as problem:  # ValueError: a zero byte in its name
        return f"cannot be written ({getattr(problem, 'strerror', None) or problem})"
    return "" if own else f"exists and is not {kind}, so it is not overwritten; choose another name"


def check(path: str | os.PathLike[str], kind: str, is_own: IsOwn) -> None:
    """Raise FormatError if a file must not be written."""
    if reason := refusal(path, kind, is_own):
        raise FormatError(f"{path}: {reason}")


def is_empty(target: pathlib.Path) -> bool:
    """Return whether a file is empty."""
    return target.stat().st_size == 0


def is_svg(head: bytes) -> bool:
    """Return whether a file that begins like this is a drawing."""
    return b"<svg" in head


def _refusal_of_folder(folder: pathlib.Path) -> str:
    if not folder.is_dir():
        return f"cannot be written: folder {folder} does not exist"
    return "" if os.access(folder, os.W_OK | os.X_OK) else f"cannot be written: no permission in the folder {folder}"
