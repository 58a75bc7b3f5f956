"""TOML text to plain tables, with errors that tell the user what to type."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from understudy.errors import Problem, SceneError, cut
from understudy.world.limits import DIGITS, TOML_DEPTH, TOML_KEY_LETTERS, TOML_LETTERS
from understudy.world.rules import show

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")

_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*+(?:{_PART}){{{TOML_DEPTH}}}", re.MULTILINE)
_LONG_NUMBER = re.compile(rf"[0-9a-fA-F_]{{{DIGITS},}}")

# how tomllib's message begins -> suggestion
_ADVICE = {
    "Invalid value": 'write text in "quotes", numbers without units, true and false in lower case',
    "Expected '=' after a key": "want key = value",
    "Expected newline": "want one key = value per line",
    "Cannot overwrite": "this key is already defined; define it once",
    "Cannot declare": "this table is already defined; an array of tables has double brackets, [[wall]]",
    "Cannot mutate": "this table is already defined; define it once",
    "Unclosed array": "a ] is missing",
    "Unclosed inline table": "a } is missing on the same line",
    "Expected ']' at the end": "a ] is missing",
    "Expected ']]' at the end": "]] is missing",
    "Illegal character '\\n'": "a closing quote is missing",
    "Unterminated string": "a closing quote is missing",
    "Unescaped '\\'": "in \"quotes\" write \\\\ for a backslash, or use 'single quotes'",
    "Invalid initial character for a key": "an inline table { } must be on one line, without a comma before the }",
}


def loads(text: str, file: str) -> dict[str, Any]:
    """Return the tables of *text*; raises SceneError with the line number."""
    if deep := _LONG_KEY.search(text):  # tomllib's memory grows with the square of its length
        problem = f"a key has more than {TOML_DEPTH} parts: {cut(deep[0].strip(), 40)}"
        raise SceneError([Problem(file, _line(text, deep.start() + 1), "", problem)])
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SceneError([_problem(str(error), text, file)]) from None
    except ValueError:  # not TOMLDecodeError: Python refuses longer numbers
        number = _LONG_NUMBER.search(text)
        line, digits = (_line(text, number.start()), len(number[0])) if number else (1, DIGITS)
        raise SceneError([Problem(file, line, "", f"a number has too many digits ({digits:,})")]) from None
    except RecursionError:
        raise SceneError([Problem(file, 1, "", "lists and tables are nested too deeply")]) from None
    _check_sizes(table, text, file)
    return table


def _check_sizes(table: dict[str, Any], text: str, file: str) -> None:
    """Raise SceneError if something is nested too deeply or much too long, so that later steps need no check."""
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), table)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            if len(value) > TOML_LETTERS:
                problem = f"a text is too long: {len(value):,} characters (at most {TOML_LETTERS:,})"
                raise SceneError([Problem(file, _line(text, text.find(value[:100])), show(path), problem)])
        elif len(path) >= TOML_DEPTH and isinstance(value, dict | list):
            line = _line(text, text.find(str(path[0])))
            raise SceneError([Problem(file, line, str(path[0]), "lists and tables are nested too deeply")])
        elif isinstance(value, dict):
            _check_keys(value, text, file)
            waiting += [((*path, key), inner) for key, inner in value.items()]
        elif isinstance(value, list) and not _are_rows(value):
            waiting += [((*path, row), inner) for row, inner in enumerate(value)]


def _are_rows(items: list[Any]) -> bool:
    """Return whether a list holds only numbers, or only short lists of numbers (maps have millions of them)."""
    kinds = set(map(type, items))
    if kinds == {list}:
        kinds = {type(value) for row in items for value in row}
    return kinds <= {int, float}


def _check_keys(table: dict[str, Any], text: str, file: str) -> None:
    for key in table:
        if len(key) > TOML_KEY_LETTERS:
            problem = f"a key is too long ({len(key):,} characters): {cut(key, 40)}"
            raise SceneError([Problem(file, _line(text, text.find(key)), "", problem)])


def _line(text: str, at: int) -> int:
    """Return the line number of a position in a text."""
    return text.count("\n", 0, max(at, 0)) + 1


def _problem(message: str, text: str, file: str) -> Problem:
    place = _PLACE.search(message)
    what = message[: place.start()] if place else message
    advice = next((tip for start, tip in _ADVICE.items() if what.startswith(start)), "")
    line = int(place[1]) if place and place[1] else text.count("\n") + (not text.endswith("\n"))
    column = f" at column {place[2]}" if place and place[2] else ""
    return Problem(file, max(line, 1), "", f"not TOML: {cut(what, 120)}{column}" + (f"; {advice}" if advice else ""))
