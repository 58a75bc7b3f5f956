"""Edits an array of inline tables in a TOML text: elements that stay keep their text, with the comments above them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from understudy.formats.native.toml_write import value_text
from understudy.frozen import frozen

# what may contain brackets and commas that mean nothing: strings of every kind, and comments
_QUOTED = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL)
_OPEN, _CLOSE = "[{", "]}"


@frozen
class _Element:
    """One element: what stands before it since the last comma, its own text, and what follows up to the next comma."""

    before: str
    own: str
    behind: str


def edited(array: str, rows: Sequence[tuple[int | None, Mapping[str, Any] | None]]) -> str:
    """Return an array's text with these elements: the row that it was, None for a new one, and its table if it differs.

    >>> edited("[{a = 1}, {a = 2}]", [(1, None), (None, {"a": 3})])
    '[ {a = 2}, {a = 3}]'
    """
    *pieces, tail = _pieces(array[1:-1])
    if tail.strip() and _split(tail).own:
        pieces, tail = [*pieces, tail], ""
    old = [_split(piece) for piece in pieces]
    space = old[-1].before if old else " "
    made = [_made(old, row, table, space) for row, table in rows]
    comma = "," if tail and made else ""
    return f"[{','.join(made)}{comma}{tail}]"


def _made(old: Sequence[_Element], row: int | None, table: Mapping[str, Any] | None, space: str) -> str:
    if row is None:
        return ("\n" if "\n" in space else "") + _indent(space) + value_text(table)
    element = old[row]
    return element.before + (element.own if table is None else value_text(table)) + element.behind


def _indent(space: str) -> str:
    """Return the spaces of the last line before an element."""
    return space.rpartition("\n")[2] if "\n" in space else space


def _pieces(inner: str) -> Iterator[str]:
    """Yield the text between the commas of an array."""
    start = depth = at = 0
    while at < len(inner):
        if quoted := _QUOTED.match(inner, at):
            at = quoted.end()
            continue
        letter = inner[at]
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if letter == "," and depth == 0:
            yield inner[start:at]
            start = at + 1
        at += 1
    yield inner[start:]


def _split(piece: str) -> _Element:
    start = _skipped(piece)
    end, depth, at = start, 0, start
    while at < len(piece):
        quoted = _QUOTED.match(piece, at)
        if quoted and depth == 0 and quoted[0].startswith("#"):
            break
        letter = piece[at]
        depth += 0 if quoted else (letter in _OPEN) - (letter in _CLOSE)
        at = quoted.end() if quoted else at + 1
        end = end if letter.isspace() and not quoted else at
    return _Element(piece[:start], piece[start:end], piece[end:])


def _skipped(piece: str) -> int:
    """Return where the element begins, after spaces and comments."""
    at = 0
    while at < len(piece):
        quoted = _QUOTED.match(piece, at)
        if quoted and quoted[0].startswith("#"):
            at = quoted.end()
        elif piece[at].isspace():
            at += 1
        else:
            break
    return at
