"""Reports the textures of a scene's meshes that are not shown; this needs the whole mesh files."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

from understudy.assets.library import Library
from understudy.errors import EngineError, FormatError, Problem
from understudy.formats.document import Document
from understudy.world.resolve import merged
from understudy.world.shapes import Mesh


def not_shown(document: Document) -> Iterator[Problem]:
    """Yield a note for each texture of a mesh that is skipped, and for each mesh that cannot be read."""
    if document.folder is None:
        return
    scene = merged(document.scene)
    library = Library(document.contents(scene))
    shapes = (solid.shape for solid in scene.objects)
    first = {shape.file: shape for shape in shapes if isinstance(shape, Mesh)}
    first.pop(pathlib.PurePath(document.file).name, None)  # the file itself has its own conversion report
    for name, shape in first.items():
        try:
            for words in library.ignored(shape):
                yield Problem(document.file, 0, "", f"{name}: not shown: {words}")
        except (FormatError, EngineError) as problem:
            yield Problem(document.file, 0, "", str(problem))
