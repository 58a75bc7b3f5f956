"""One file per file format: a file's bytes in, world out, and back where the format allows.

To add one: a module with SUFFIXES, ``sniff``, ``parse`` (and ``write``, if it can be written), and one line in FORMATS.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from understudy.errors import FormatError
from understudy.formats import fence
from understudy.formats.document import Document
from understudy.lazy import imported
from understudy.world.limits import TEXT_BYTES, TEXT_LINES, TOML_BYTES
from understudy.world.scene import Scene
from understudy.world.vocabulary import Vocabulary


class Format(Protocol):
    """What a module of this folder has."""

    SUFFIXES: tuple[str, ...]

    def sniff(self, data: bytes, name: str) -> bool:
        """Say whether a file of this content and name is of this format."""
        ...

    def parse(self, data: bytes, file: str, vocabulary: Vocabulary, folder: pathlib.Path | None = None) -> Document:
        """Return the document that a file's bytes describe; raises SceneError or FormatError that names file and line.

        A format of text begins with ``text = as_text(data, file)`` and so takes text as well as bytes.
        """
        ...


@runtime_checkable
class Writer(Protocol):
    """What a module has besides, if its format can be written."""

    def write(self, scene: Scene) -> str | bytes:
        """Return the file that describes *scene* as a document has it, but without includes; text is UTF-8."""
        ...


@runtime_checkable
class Saver(Protocol):
    """What a module has besides, if its format is several files beside each other (a picture and its yaml)."""

    def save(self, scene: Scene, path: str | pathlib.Path) -> tuple[pathlib.Path, ...]:
        """Write the files that describe *scene*, of which *path* is one; returns all of them."""
        ...

    def files_of(self, path: str | pathlib.Path) -> tuple[pathlib.Path, ...]:
        """Return the files that `save` may write."""
        ...


@runtime_checkable
class Confessor(Protocol):
    """What a module has besides, if it can say what its format cannot hold."""

    def left_out(self, scene: Scene) -> list[str]:
        """Return in words what of *scene* is left out, or has another form, in a file of this format."""
        ...


FORMATS: Mapping[str, Format] = imported(
    {
        "native": f"{__name__}.native",
        "map": f"{__name__}.aria_map",
        "wld": f"{__name__}.saphira_wld",
        "bitmap": f"{__name__}.bitmap",
        "aria_params": f"{__name__}.aria_params",
        "stage_world": f"{__name__}.stage_world",
        "urdf": f"{__name__}.urdf",
        "nodes": f"{__name__}.node_tree",
    }
)
_BINARY = ("bitmap", "nodes")  # their own readers look at how much they hold


def detect(path: str | os.PathLike[str]) -> Format:
    """Return the format of a file, by its content; raises FormatError that says what there is."""
    return FORMATS[_kind(content(path), path)]


def read(path: str | os.PathLike[str], vocabulary: Vocabulary) -> Document:
    """Return the document in a file of any format; raises FormatError or SceneError that names the file."""
    data = content(path)
    kind = _kind(data, path)
    if kind not in _BINARY:
        _check_text(data, path, TOML_BYTES if kind == "native" else TEXT_BYTES)
    return FORMATS[kind].parse(data, str(path), vocabulary, pathlib.Path(path).parent)


def _check_text(data: bytes, path: str | os.PathLike[str], most: int) -> None:
    """Raise FormatError if a text is longer than what can be read in bearable time."""
    if len(data) > most:
        raise FormatError(f"{path}: {len(data):,} bytes are too many (at most {most:,})")
    if (lines := data.count(b"\n")) > TEXT_LINES:
        raise FormatError(f"{path}: {lines:,} lines are too many (at most {TEXT_LINES:,})")


def content(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a file; raises FormatError that says why not."""
    try:
        return fence.read_bytes(pathlib.Path(path))
    except OSError as error:
        raise FormatError(f"{path}: cannot be read ({error.strerror})") from None


def _kind(data: bytes, path: str | os.PathLike[str]) -> str:
    """Return the name of a file's format; raises FormatError that says what there is."""
    for name, known in FORMATS.items():
        if known.sniff(data, pathlib.Path(path).name):
            return name
    kinds = ", ".join(f"{name} ({' '.join(known.SUFFIXES)})" for name, known in FORMATS.items())
    raise FormatError(f"{path}: not a scene of a format that is known here: {kinds}")
