"""One file per file format: text in, world out, and back where the format allows.

To add one: a module with SUFFIXES, ``sniff`` and ``parse``, and one line in FORMATS.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import Protocol

from understudy.errors import FormatError
from understudy.formats import native
from understudy.formats.document import Document
from understudy.world.vocabulary import Vocabulary


class Format(Protocol):
    """What a module of this folder has."""

    SUFFIXES: tuple[str, ...]

    def sniff(self, data: bytes, name: str) -> bool:
        """Say whether a file of this content and name is of this format."""
        ...

    def parse(self, text: str, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
        """Return the document that *text* describes; raises SceneError or FormatError that names file and line."""
        ...


FORMATS: Mapping[str, Format] = {"native": native}


def detect(path: str | os.PathLike[str]) -> Format:
    """Return the format of a file, by its content; raises FormatError that says what there is."""
    file = pathlib.Path(path)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise FormatError(f"{path}: cannot be read ({error.strerror})") from None
    for known in FORMATS.values():
        if known.sniff(data, file.name):
            return known
    kinds = ", ".join(f"{name} ({' '.join(known.SUFFIXES)})" for name, known in FORMATS.items())
    raise FormatError(f"{path}: not a scene of a format that is known here: {kinds}")
