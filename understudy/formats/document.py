"""The document: a scene as a file holds it, with what is needed to find the line of each of its parts."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from understudy.errors import FormatError, Problem
from understudy.formats.toml_lines import line_of
from understudy.world.plain import Mistake, Path
from understudy.world.rules import alternatives, show
from understudy.world.scene import Scene


def as_text(data: bytes | str, file: str) -> str:
    """Return the text of a file's bytes, without the mark that some editors begin it with; raises FormatError."""
    try:
        text = data if isinstance(data, str) else data.decode()
    except UnicodeDecodeError as error:
        raise FormatError(f"{file}: byte {error.start} is not UTF-8 text; save the file as UTF-8") from None
    return text.removeprefix("\ufeff")


@dataclass(frozen=True)
class Source:
    """A text file and the lines of its keys."""

    file: str
    lines: Mapping[Path, int]

    def spelled(self, path: Path) -> Path | None:
        """Return *path* as it is written here, whatever its unit; None if it is not."""
        if path in self.lines or not path or isinstance(path[-1], int):
            return path if path in self.lines else None
        others = ((*path[:-1], name) for name, _ in alternatives(path[-1]))
        return next((other for other in others if other in self.lines), None)

    def depth(self, path: Path) -> int:
        """Return how many steps of *path* are written here."""
        return next((n for n in range(len(path), 0, -1) if path[:n] in self.lines), 0)

    def problem(self, path: Path, text: str) -> Problem:
        """Return a mistake at *path* with the line that it, or its nearest parent, stands on."""
        path = self.spelled(path) or path
        return Problem(self.file, line_of(self.lines, path), show(path), text)


@dataclass(frozen=True)
class Document:
    """A scene with its includes and unresolved robots, and the text it came from (none, if a program made it)."""

    scene: Scene
    file: str = "<scene>"
    text: str = ""
    folder: pathlib.Path | None = None
    lines: Mapping[Path, int] = field(default_factory=dict, repr=False)
    included: tuple[Document, ...] = ()
    # which rows of the file the scene's things are, where mistaken ones have been left out
    rows: Mapping[str, tuple[int, ...]] = field(default_factory=dict, repr=False)
    # what was passed over in reading, and is no reason to refuse the file
    warnings: tuple[Problem, ...] = ()
    # what each part of a stranger's file has become here
    became: tuple[Problem, ...] = ()

    @property
    def source(self) -> Source:
        """Return file and lines."""
        return Source(self.file, self.lines)

    def merged(self) -> Iterator[Document]:
        """Yield the included documents and this one, in the order in which their things are merged."""
        made = (Document(include.scene, include.file) for include in self.scene.include)
        for document in self.included or made:
            yield from document.merged()
        yield self

    def problem(self, mistake: Mistake) -> Problem:
        """Return a mistake of this file with its line."""
        found = (self.source.spelled(path) for path in (mistake.path, *mistake.elsewhere))
        return self.source.problem(next((path for path in found if path), mistake.path), mistake.text)
