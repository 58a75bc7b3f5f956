"""TOML text to plain tables, with mistakes that tell a student what to type."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from understudy.errors import Problem, SceneError

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")

# how tomllib's message begins -> what would do
_ADVICE = {
    "Invalid value": 'text stands in "quotes", a number has no unit, true and false are small',
    "Expected '=' after a key": "want key = value",
    "Expected newline": "want one key = value per line",
    "Cannot overwrite": "this key is there already; give it once",
    "Cannot declare": "this table is there already; repeated things have double brackets, [[wall]]",
    "Cannot mutate": "this table is there already; give it once",
    "Unclosed array": "a ] is missing",
    "Unclosed inline table": "a } is missing on the same line",
    "Expected ']' at the end": "a ] is missing",
    "Expected ']]' at the end": "]] is missing",
    "Illegal character '\\n'": "a closing quote is missing",
    "Unterminated string": "a closing quote is missing",
    "Unescaped '\\'": "in \"quotes\" write \\\\ for a backslash, or use 'single quotes'",
    "Invalid initial character for a key": "a table in { } has no line break and no comma before the }",
}


def loads(text: str, file: str) -> dict[str, Any]:
    """Return the tables of *text*; raises SceneError that names the line."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SceneError([_problem(str(error), text, file)]) from None
    except RecursionError:
        raise SceneError([Problem(file, 1, "", "lists and tables are nested too deeply")]) from None


def _problem(message: str, text: str, file: str) -> Problem:
    place = _PLACE.search(message)
    what = message[: place.start()] if place else message
    advice = next((tip for start, tip in _ADVICE.items() if what.startswith(start)), "")
    line = int(place[1]) if place and place[1] else text.count("\n") + (not text.endswith("\n"))
    column = f" at column {place[2]}" if place and place[2] else ""
    return Problem(file, max(line, 1), "", f"not TOML: {what}{column}" + (f"; {advice}" if advice else ""))
