"""What of the looks of a scene's meshes nobody will see; only reading the whole of their files tells."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

from understudy.errors import EngineError, FormatError, Problem
from understudy.formats.document import Document
from understudy.formats.files import contents
from understudy.formats.library import Library
from understudy.world.resolve import merged
from understudy.world.shapes import Mesh


def not_shown(document: Document) -> Iterator[Problem]:
    """Yield a note for each picture and map of a mesh that is passed over, and for each mesh that cannot be read."""
    if document.folder is None:
        return
    scene = merged(document.scene)
    library = Library(contents(scene, document.folder))
    shapes = (solid.shape for solid in scene.objects)
    first = {shape.file: shape for shape in shapes if isinstance(shape, Mesh)}
    first.pop(pathlib.PurePath(document.file).name, None)  # what a file has become is told by its own report
    for name, shape in first.items():
        try:
            for words in library.ignored(shape):
                yield Problem(document.file, 0, "", f"{name}: not shown: {words}")
        except (FormatError, EngineError) as problem:
            yield Problem(document.file, 0, "", str(problem))
