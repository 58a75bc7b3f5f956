"""The document: a scene as stored in a file, with the line numbers of its parts."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from understudy.assets import fence
from understudy.assets.files import Contents, contents
from understudy.errors import FormatError, Problem
from understudy.formats.native.toml_lines import line_of
from understudy.world.records import Finding, KeyPath
from understudy.world.rules import alternatives, show
from understudy.world.scene import Scene


def as_text(data: bytes | str, file: str) -> str:
    """Return the text of a file's bytes, without a byte order mark; raises FormatError."""
    try:
        text = data if isinstance(data, str) else data.decode()
    except UnicodeDecodeError as error:
        raise FormatError(f"{file}: byte {error.start} is not UTF-8 text; save the file as UTF-8") from None
    return text.removeprefix("\ufeff")


@dataclass(frozen=True)
class Source:
    """A text file and the lines of its keys."""

    file: str
    lines: Mapping[KeyPath, int]

    def spelled(self, path: KeyPath) -> KeyPath | None:
        """Return *path* as spelled in this file, in whatever unit; None if it is absent."""
        if path in self.lines or not path or isinstance(path[-1], int):
            return path if path in self.lines else None
        others = ((*path[:-1], name) for name, _ in alternatives(path[-1]))
        return next((other for other in others if other in self.lines), None)

    def depth(self, path: KeyPath) -> int:
        """Return how many steps of *path* are present in this file."""
        return next((n for n in range(len(path), 0, -1) if path[:n] in self.lines), 0)

    def problem(self, path: KeyPath, text: str) -> Problem:
        """Return an error at *path* with the line of it or of its nearest parent."""
        path = self.spelled(path) or path
        return Problem(self.file, line_of(self.lines, path), show(path), text)


@dataclass(frozen=True)
class Document:
    """A scene with its includes and unresolved robots, and its source text (empty if a program made it)."""

    scene: Scene
    file: str = "<scene>"
    text: str = ""
    folder: pathlib.Path | None = None
    lines: Mapping[KeyPath, int] = field(default_factory=dict, repr=False)
    included: tuple[Document, ...] = ()
    # the file's row of each thing in the scene, if invalid rows were left out
    rows: Mapping[str, tuple[int, ...]] = field(default_factory=dict, repr=False)
    # what was skipped in reading
    warnings: tuple[Problem, ...] = ()
    # what each part of an imported file was converted to
    became: tuple[Problem, ...] = ()
    # the name of its format in the registry; empty, if a program made it
    format: str = ""
    # the files that came with it, by their names as seen from the folder; then nothing is read from disk
    files: Contents = field(default_factory=dict, repr=False)

    @property
    def source(self) -> Source:
        """Return file and lines."""
        return Source(self.file, self.lines)

    @property
    def home(self) -> pathlib.Path:
        """Return the folder that the names of its files are relative to."""
        return self.folder or pathlib.Path(self.file)

    def opened(self) -> AbstractContextManager[None]:
        """Return a block in which its files are read: those that came with it, else those on disk."""
        if not self.files:
            return nullcontext()
        return fence.mounted({self.home / name: data for name, data in self.files.items()})

    def contents(self, flat: Scene) -> Contents:
        """Return what is in the files that its flat scene names, for the run."""
        with self.opened():
            return contents(flat, self.home)

    def merged(self) -> Iterator[Document]:
        """Yield the included documents and this one, in the order in which their things are merged."""
        made = (Document(include.scene, include.file) for include in self.scene.include)
        for document in self.included or made:
            yield from document.merged()
        yield self

    def problem(self, finding: Finding) -> Problem:
        """Return an error of this file with its line."""
        found = (self.source.spelled(path) for path in (finding.path, *finding.elsewhere))
        return self.source.problem(next((path for path in found if path), finding.path), finding.text)
