"""Zip archives that hold a scene and the pictures, meshes, maps and robot files that it names.

The scene is ``scene.toml`` or has the archive's own name; else it is the only one of its kind in the outermost folder
that has one. Nothing is written to disk, and what is in an archive names only what is in it.
"""

from __future__ import annotations

import dataclasses
import io
import os
import pathlib
import zipfile

from understudy import formats
from understudy.assets import archive, fence
from understudy.errors import FormatError
from understudy.formats.document import Document
from understudy.formats.native import scene_file
from understudy.world.vocabulary import Vocabulary

SUFFIXES: tuple[str, ...] = (".zip",)
_NO_SCENES = (
    "zip",
    "sear",
    "bitmap",
    "nodes",
    "aria_params",
    "robi",
    "esobj",
)  # formats of what a scene names, or of one archive in another


def sniff(data: bytes, name: str) -> bool:
    """Return whether this is an archive with a scene in it; one of meshes only is read by the mesh readers."""
    if not data.startswith(archive.SIGNATURE):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = packed.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return name.lower().endswith(SUFFIXES)
    return any(_rank(inside) is not None for inside in names)


def parse(data: bytes, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the document in an archive, with the archive's files; raises FormatError or SceneError."""
    inside = archive.unpacked(data, file)
    home = folder / pathlib.PurePath(file).name if folder else pathlib.Path(file)
    name = _scene_in(inside, file)
    with fence.mounted({home / other: content for other, content in inside.items()}):
        document = formats.parse(inside[name], f"{file}/{name}", vocabulary, (home / name).parent)
    start = pathlib.PurePosixPath(name).parent
    files = {pathlib.PurePath(os.path.relpath(other, start)).as_posix(): content for other, content in inside.items()}
    return dataclasses.replace(document, files=files)


def _scene_in(inside: dict[str, bytes], file: str) -> str:
    """Return the name of the scene in an archive; raises FormatError if there is none, or if there are several."""
    own = ("scene", pathlib.PurePath(file).stem)
    places = {name: (_depth(name), rank) for name in inside if (rank := _rank(name)) is not None}
    scenes = [name for name in places if not name.lower().endswith(".toml") or scene_file.sniff(inside[name], "")]
    best = [name for name in scenes if places[name] == min(places[other] for other in scenes)]
    chosen = [name for name in best if pathlib.PurePosixPath(name).stem in own] or best
    if len(chosen) == 1:
        return chosen[0]
    if not chosen:
        raise FormatError(f"{file}: contains no scene")
    raise FormatError(f"{file}: contains several scenes: {', '.join(sorted(chosen))}; name the main one scene.toml")


def _depth(name: str) -> int:
    return len(pathlib.PurePosixPath(name).parts)


def _rank(name: str) -> int | None:
    """Return the place of a file's format in the order in which scenes are looked for; None if it is no scene."""
    if name.startswith("__MACOSX/") or pathlib.PurePosixPath(name).name.startswith("."):
        return None
    known = [scenes for kind, scenes in formats.FORMATS.items() if kind not in _NO_SCENES]
    return next((n for n, scenes in enumerate(known) if name.lower().endswith(tuple(scenes.SUFFIXES))), None)
