"""What is in the files that a scene names: read once, when it is loaded, and kept with its tapes and saved runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from understudy.world.file_names import file_names
from understudy.world.scene import Scene

Contents = Mapping[str, bytes]  # by name


def contents(scene: Scene, folder: Path) -> Contents:
    """Return what is in the files of a scene; who needs one that is not there says so."""
    names = sorted(set(file_names(scene)))
    return {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}
