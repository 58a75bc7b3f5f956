"""The exception classes; each is also a builtin, so plain ``except ValueError`` works too."""

from __future__ import annotations

from collections.abc import Iterable

from understudy.frozen import frozen


class UnderstudyError(Exception):
    """Base class of all errors raised by Understudy."""


MOST_EXCERPT, MOST_MESSAGE, MOST_PROBLEMS = 80, 300, 50  # characters of a value, characters of a line, lines


def excerpt(value: object, most: int = MOST_EXCERPT) -> str:
    """Return a value as a message shows it, cut in the middle if it is long.

    >>> excerpt("abcdefghij" * 3, 16), excerpt(3.5), excerpt([1, 2])
    ("'abcdefg ... ij'", '3.5', 'a list')
    """
    if isinstance(value, list | tuple | dict):
        return "a table" if isinstance(value, dict) else "a list"
    try:
        text = repr(value)
    except ValueError:  # Python does not write out integers of more than 4,300 digits
        text = "a number with thousands of digits"
    return cut(" ".join(text.split()), most)


def cut(text: str, most: int) -> str:
    """Return a text of at most *most* characters; a longer one loses its middle."""
    kept = most - len(" ... ")
    return text if len(text) <= most else f"{text[: kept - kept // 3]} ... {text[-(kept // 3) :]}"


def in_one_line(text: str) -> str:
    """Return a message in one line of limited length."""
    return cut(" ".join(text.split()), MOST_MESSAGE)


@frozen
class Problem:
    """One error in a file: where it is, what is wrong and how to fix it."""

    file: str
    line: int
    path: str
    text: str

    def __str__(self) -> str:
        """Return ``room.toml:14: robot[0].device.front.max_m: must be above 0``."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        path = f"{cut(self.path, MOST_EXCERPT)}: " if self.path else ""
        return f"{place}: {path}{cut(self.text, MOST_MESSAGE)}"


class SceneError(UnderstudyError, ValueError):
    """A scene is invalid; carries every error, one line each."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        lines = [str(problem) for problem in self.problems[:MOST_PROBLEMS]]
        more = len(self.problems) - len(lines)
        super().__init__("\n".join([*lines, f"... and {more:,} more"] if more else lines))


class FormatError(UnderstudyError, ValueError):
    """A file is not valid in its format."""


class UnknownName(UnderstudyError, LookupError):
    """An unknown name; the message lists the known ones."""


class EngineError(UnderstudyError, ValueError):
    """An engine cannot do what the scene asks; the message names the object and a remedy."""


class ChangeRefused(UnderstudyError, RuntimeError):
    """A change was refused; the message gives the reason."""


class ProgramError(UnderstudyError, RuntimeError):
    """A user's program could not be loaded or failed."""


class LinkError(UnderstudyError, OSError):
    """A port, socket or pseudo-terminal could not be opened."""


class TapeError(UnderstudyError, ValueError):
    """A tape or saved run cannot be read, or does not match the scene or version."""


_MOST_NAMED = 30  # names in one message


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``(did you mean 'x'?)`` or the list of known names.

    >>> nearest("lazer", ["laser", "sonar"])
    "(did you mean 'laser'?)"
    >>> nearest("qq", ["laser", "sonar"])
    '(known: laser, sonar)'
    """
    from difflib import get_close_matches

    names = sorted(known)
    close = get_close_matches(word[:MOST_EXCERPT], names, n=1, cutoff=0.6)
    if close:
        return f"(did you mean {close[0]!r}?)"
    if not names:
        return "(there are none)"
    more = f" ... {len(names)} in all" if len(names) > _MOST_NAMED else ""
    return f"(known: {', '.join(names[:_MOST_NAMED])}{more})"
