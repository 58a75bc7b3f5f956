"""The Python API as Markdown, from signatures and docstrings; ``docs/generate.py`` writes it into its page."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Any

import understudy
from understudy import errors
from understudy.sim.robot import ServoHandle
from understudy.tape.replay import Replay

PROPERTIES = (property, cached_property)
RETURNED = (ServoHandle, Replay)  # what public functions return or hand over
FOR_OTHER_LAYERS = {  # public in our code, of no use in a user's
    "Sim": {"armed", "exchange", "prepare", "publish", "restored", "save_tree", "sub", "take_seat", "take_turns"},
    "Robot": {"handle", "post", "unit_path"},
    "Recording": {"begin", "end", "tick"},
    "Tape": {"blocks"},
}  # fmt: skip


def api() -> str:
    """Return the reference: functions, then classes with their methods, then errors."""
    public = [getattr(understudy, name) for name in understudy.__all__ if not name.startswith("__")]
    functions = [thing for thing in public if inspect.isfunction(thing)]
    classes = [thing for thing in public if inspect.isclass(thing) and not issubclass(thing, Exception)]
    classes += [cls for cls in RETURNED if cls not in classes]
    parts = ["## Functions", *(_function(f"us.{f.__name__}", f, f"### {f.__name__}") for f in functions), "## Classes"]
    parts += [part for cls in classes for part in _class(cls)]
    return "\n\n".join([*parts, "## Errors", _errors()])


def _function(name: str, function: Any, heading: str) -> str:
    """Return heading, signature and docstring of a function."""
    return f"{heading}\n\n```py\n{name}{signature(function)}\n```\n\n{_text(function)}"


def _class(cls: type) -> Iterator[str]:
    """Yield a class and its public members, in the order of the source."""
    yield f"### {cls.__name__}\n\n{_text(cls)}{_fields(cls)}"
    for name, member in members(cls):
        path = f"{cls.__name__}.{name}"
        if isinstance(member, PROPERTIES):
            yield f"#### {path}\n\n{_text(member)}"
        else:
            yield _function(path, member, f"#### {path}")


def _fields(cls: type) -> str:
    """Return the fields of a record as a sentence."""
    names = [f"`{field.name}: {field.type}`" for field in fields(cls)] if is_dataclass(cls) else []
    return f" Its fields: {', '.join(names)}." if names else ""


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties that a class itself defines, with docstrings."""
    hidden = FOR_OTHER_LAYERS.get(cls.__name__, set())
    for name, member in vars(cls).items():
        plain = member.__func__ if isinstance(member, staticmethod | classmethod) else member
        if name.startswith("_") or name in hidden or not (isinstance(plain, PROPERTIES) or inspect.isfunction(plain)):
            continue
        yield name, plain


def signature(function: Any) -> str:
    """Return parameters and result of a function as its source has them, without self.

    >>> signature(members)
    '(cls: type) -> Iterator[tuple[str, Any]]'
    """
    found = inspect.signature(function)
    shown = [p.replace(annotation=_Verbatim(p.annotation)) for p in found.parameters.values() if p.name != "self"]
    result = f" -> {_Verbatim(found.return_annotation)}"
    words = list(_words(shown))
    text = f"({', '.join(words)}){result}"
    return text if len(text) < 100 else "(\n    " + ",\n    ".join(words) + f",\n){result}"


def _words(parameters: list[inspect.Parameter]) -> Iterator[str]:
    """Yield parameters as a signature has them, with the star before those that must be named."""
    kinds = [p.kind for p in parameters]
    star = kinds.index(p.KEYWORD_ONLY) if (p := inspect.Parameter).KEYWORD_ONLY in kinds else -1
    for i, parameter in enumerate(parameters):
        if i == star and p.VAR_POSITIONAL not in kinds:
            yield "*"
        yield str(parameter)


class _Verbatim:
    """An annotation that is shown as it is written."""

    __module__ = "builtins"

    def __init__(self, annotation: Any) -> None:
        self._text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))

    def __repr__(self) -> str:
        return self._text


def _text(thing: Any) -> str:
    """Return a docstring as Markdown: examples become blocks."""
    text = inspect.cleandoc(inspect.getdoc(thing) or "").replace("``", "`")
    return re.sub(r"(?m)^>>>.*(?:\n(?!\n).*)*", lambda found: f"```pycon\n{found[0]}\n```", text)


def _errors() -> str:
    """Return the table of exception classes."""
    found = [cls for cls in vars(errors).values() if inspect.isclass(cls) and issubclass(cls, Exception)]
    rows = [f"| `{cls.__name__}` | {_bases(cls)} | {_text(cls).splitlines()[0]} |" for cls in found]
    return "\n".join(["| error | is also a | |", "|---|---|---|", *rows])


def _bases(cls: type) -> str:
    """Return the builtin classes that an exception is."""
    return ", ".join(f"`{base.__name__}`" for base in cls.__bases__ if base.__module__ == "builtins")
