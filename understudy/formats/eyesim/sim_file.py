"""EyeSim's ``.sim`` files: a world or maze, robots with their programs, objects and settings.

Both forms are read, that of EyeSim 5 and 6 and that of EyeSim-VR. Unknown keywords are skipped with a warning.
"""

from __future__ import annotations

import os
import pathlib
from itertools import islice

from understudy.errors import FormatError
from understudy.formats.document import Document, as_text
from understudy.formats.eyesim.finder import EyeSimFiles
from understudy.formats.eyesim.line_words import FileNotes, said_lines
from understudy.formats.eyesim.sim_lines import SimReader
from understudy.world.vocabulary import Vocabulary

__all__ = ["SUFFIXES", "parse", "sniff"]

SUFFIXES: tuple[str, ...] = (".sim",)
_MOST_LINES = 100_000


def sniff(data: bytes, name: str) -> bool:
    """Return whether a file of this content and name is a ``.sim`` file."""
    return name.lower().endswith(SUFFIXES) and b"\0" not in data


def parse(data: bytes | str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
    """Return the scene that a ``.sim`` file describes; raises SceneError with every error."""
    text = as_text(data, file)
    notes = FileNotes(file)
    reader = SimReader(notes, EyeSimFiles(folder, os.environ), vocabulary)
    lines = list(islice(said_lines(text, "#;"), _MOST_LINES + 1))
    if len(lines) > _MOST_LINES:
        raise FormatError(f"{file}: the file is too long: more than {_MOST_LINES:,} lines")
    scene = reader.scene(lines)
    notes.raise_errors()
    return Document(scene, file, text, folder, reader.lines, warnings=notes.all_warnings())
