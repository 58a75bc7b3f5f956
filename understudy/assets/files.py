"""The contents of the files that a scene names: read once, at loading, and stored in its tapes and saved runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from understudy.assets import fence, imports
from understudy.world.file_names import file_names, firmware
from understudy.world.scene import Scene

Contents = Mapping[str, bytes]  # by name


def contents(scene: Scene, folder: Path) -> Contents:
    """Return the contents of a scene's files, of those of its meshes, and of what its firmware imports.

    A missing file is reported where it is used.
    """

    def has(name: str) -> bool:
        return fence.is_file(folder / name)

    def read(name: str) -> bytes:
        return fence.read_bytes(folder / name)

    found = {name: read(name) for name in sorted(set(file_names(scene))) if has(name)}
    for name in list(found):
        found |= _companions(name, found[name], folder)
    for name in sorted(set(firmware(scene))):
        found |= imports.beside(name, has, read)
    return found


def _companions(name: str, data: bytes, folder: Path) -> dict[str, bytes]:
    from understudy.assets.meshes import mesh

    if not mesh.is_mesh(name):
        return {}
    place = PurePosixPath(name).parent
    return {str(place / other): content for other, content in mesh.gathered(data, name, folder / place).items()}
