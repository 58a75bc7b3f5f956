"""What is in the files that a scene names: read once, when it is loaded, and kept with its tapes and saved runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from understudy.formats import fence
from understudy.world.file_names import file_names
from understudy.world.scene import Scene

Contents = Mapping[str, bytes]  # by name


def contents(scene: Scene, folder: Path) -> Contents:
    """Return what is in the files of a scene, and in those that its meshes name; who misses one says so."""
    names = sorted(set(file_names(scene)))
    found = {name: fence.read_bytes(folder / name) for name in names if fence.is_file(folder / name)}
    for name in list(found):
        found |= _companions(name, found[name], folder)
    return found


def _companions(name: str, data: bytes, folder: Path) -> dict[str, bytes]:
    from understudy.formats import mesh

    if not mesh.is_mesh(name):
        return {}
    place = PurePosixPath(name).parent
    return {str(place / other): content for other, content in mesh.gathered(data, name, folder / place).items()}
