"""Files that are about to be written: what stands in the way, said before any work is done for them."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable

from understudy.errors import FormatError

HEAD = 65_536  # bytes of an existing file that its kind is known by
IsOwn = Callable[[bytes], bool]


def refusal(path: str | os.PathLike[str], kind: str, is_own: IsOwn) -> str:
    """Return why a file must not be written; empty if it may be. An existing file gives way only to its own kind."""
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
    """Say whether a file holds nothing that could be lost."""
    return target.stat().st_size == 0


def is_svg(head: bytes) -> bool:
    """Say whether a file that begins like this is a drawing."""
    return b"<svg" in head


def _refusal_of_folder(folder: pathlib.Path) -> str:
    if not folder.is_dir():
        return f"cannot be written: there is no folder {folder}"
    return "" if os.access(folder, os.W_OK | os.X_OK) else f"cannot be written: no permission in the folder {folder}"
