"""One family of exceptions; each is also a builtin, so plain ``except ValueError`` works too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


class UnderstudyError(Exception):
    """Root of the family: catch this to catch them all."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a file: where it is, and what would do instead."""

    file: str
    line: int
    path: str
    text: str

    def __str__(self) -> str:
        """Return ``room.toml:14: robot[0].device.front.max_m: must be above 0``."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.path}: {self.text}" if self.path else f"{place}: {self.text}"


class SceneError(UnderstudyError, ValueError):
    """A scene says something we cannot do; carries every mistake, one line each."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class FormatError(UnderstudyError, ValueError):
    """A file is not of the format it claims to be."""


class UnknownName(UnderstudyError, LookupError):
    """Nothing has this name; the message lists what there is."""


class EngineError(UnderstudyError, ValueError):
    """An engine cannot do what the scene asks; the message names the object and the way out."""


class ChangeRefused(UnderstudyError, RuntimeError):
    """A change was not carried out; the message says why."""


class ProgramError(UnderstudyError, RuntimeError):
    """A user's program could not be loaded or failed."""


class LinkError(UnderstudyError, OSError):
    """A port, socket or pseudo-terminal could not be had."""


class TapeError(UnderstudyError, ValueError):
    """A tape or saved run cannot be read, or was made by something else."""


_MOST_NAMED = 30  # names in one message


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``(did you mean 'x'?)`` or the list of what is known.

    >>> nearest("lazer", ["laser", "sonar"])
    "(did you mean 'laser'?)"
    >>> nearest("qq", ["laser", "sonar"])
    '(known: laser, sonar)'
    """
    from difflib import get_close_matches

    names = sorted(known)
    close = get_close_matches(word, names, n=1, cutoff=0.6)
    if close:
        return f"(did you mean {close[0]!r}?)"
    if not names:
        return "(there are none)"
    more = f" ... {len(names)} in all" if len(names) > _MOST_NAMED else ""
    return f"(known: {', '.join(names[:_MOST_NAMED])}{more})"
