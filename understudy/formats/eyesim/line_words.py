"""The lines of EyeSim's text files: words, quotes, comments and numbers; and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from understudy.errors import FormatError, Problem, SceneError, nearest
from understudy.formats.aria.words import number
from understudy.frozen import frozen
from understudy.world.limits import FINDINGS, LENGTH_M, TEXT_BYTES, TEXT_LINES

# a quoted text, or what has neither blanks nor quotes; a quotation mark without its other half ends with the line
_WORD = re.compile(r'"([^"]*)"?|([^\s"]+)')
_QUOTED_MARK = re.compile(r'"[^"]*"?|#.*')
_MOST_MM = 1000.0 * LENGTH_M


@frozen
class TextLine:
    """A line that says something: its number in the file, its words, and its text without a comment."""

    number: int
    words: tuple[str, ...]
    text: str

    @property
    def key(self) -> str:
        """Return the keyword in lower case."""
        return self.words[0].lower()


def said_lines(text: str, comment: str) -> Iterator[TextLine]:
    """Yield the lines of a text that are neither empty nor comments.

    *comment* are the characters that begin a comment: at the beginning of a line, ``#`` in its middle too.

    >>> [line.words for line in said_lines('# yard\\nS4 10 20 0 "my dog.py" # first', "#")]
    [('S4', '10', '20', '0', 'my dog.py')]
    """
    for at, whole in enumerate(text.splitlines(), 1):
        line = whole.strip()
        if not line or line[0] in comment:
            continue
        if "#" in comment and "#" in line:
            line = _QUOTED_MARK.sub(lambda found: "" if found[0][0] == "#" else found[0], line).strip()
        words = tuple(quoted or plain for quoted, plain in _WORD.findall(line))
        if words:
            yield TextLine(at, words, line)


def numbers(words: Sequence[str]) -> list[float] | None:
    """Return words as finite numbers within the size of any world (mm); None if one of them is something else."""
    try:
        values = [number(word) for word in words]
    except ValueError:
        return None
    return values if all(abs(value) <= _MOST_MM for value in values) else None


def is_number(word: str) -> bool:
    """Return whether a word is a number, however large."""
    try:
        number(word)
    except ValueError:
        return word.lower().lstrip("+-") in ("nan", "inf", "infinity")
    return True


def check_size(data: bytes, file: str) -> None:
    """Raise FormatError if a text is too long to be read in reasonable time."""
    if len(data) > TEXT_BYTES:
        raise FormatError(f"{file}: the file is too large: {len(data):,} bytes (at most {TEXT_BYTES:,})")
    if (lines := data.count(b"\n")) > TEXT_LINES:
        raise FormatError(f"{file}: the file is too long: {lines:,} lines (at most {TEXT_LINES:,})")


@dataclass(slots=True)
class FileNotes:
    """What is wrong with a file: warnings about what is skipped, errors that prevent its use. Both are bounded."""

    file: str
    warnings: list[Problem] = field(default_factory=list)
    errors: list[Problem] = field(default_factory=list)
    _skipped: int = 0

    def warn(self, line: int, text: str, file: str = "") -> None:
        """Add a warning; only so many are kept, the rest is counted."""
        if len(self.warnings) < FINDINGS:
            self.warnings.append(Problem(file or self.file, line, "", text))
        else:
            self._skipped += 1

    def unknown(self, line: TextLine, known: Iterable[str], file: str = "") -> None:
        """Warn about a line whose keyword is unknown; the nearest one is looked for only if the warning is kept."""
        hint = nearest(line.key, known) if len(self.warnings) < FINDINGS else ""
        self.warn(line.number, f"unknown keyword {line.words[0][:40]!r}; skipped {hint}", file)

    def wrong(self, line: int, text: str, file: str = "") -> None:
        """Add an error."""
        if len(self.errors) < FINDINGS:
            self.errors.append(Problem(file or self.file, line, "", text))

    def take(self, others: Sequence[Problem]) -> None:
        """Add the warnings of another file."""
        for other in others:
            self.warn(other.line, other.text, other.file)

    def all_warnings(self) -> tuple[Problem, ...]:
        """Return the warnings, the last of which tells how many are left out."""
        more = f"... and {self._skipped:,} more warnings"
        return (*self.warnings, *([Problem(self.file, 0, "", more)] if self._skipped else []))

    def raise_errors(self) -> None:
        """Raise SceneError if there is any error."""
        if self.errors:
            raise SceneError(self.errors)
