"""Line numbers of the keys of a TOML text: a small scanner, since ``tomllib`` gives values without positions.

It expects text that ``tomllib`` has accepted. A *statement* is one ``[header]``, ``[[header]]`` or ``key = value``.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Literal

from understudy.frozen import frozen
from understudy.world.records import KeyPath

_BLANK = re.compile(r"[ \t]*")
_BETWEEN = re.compile(r"(?:[\s,]|#[^\n]*)*")  # what may be between two items of an array or inline table
_KEY_PART = re.compile(r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\]++)*+"|'[^']*'""")
_STRING = re.compile(r""""{3}(?:\\.|[^\\])*?"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\]++)*+"|'[^']*\'""", re.DOTALL)
_NOTED = 1_000  # plain values of a list whose lines are recorded
_SCALAR = re.compile(r"[^,\]}#\r\n]+")


@frozen
class Statement:
    """One statement of a TOML text: its kind, key path and position."""

    kind: Literal["key", "table", "element"]
    path: KeyPath  # from the root; ("wall", 0) for the first [[wall]]
    table: KeyPath  # the header above a key; a header's own path
    start: int
    value: int  # where the value of a key begins; the end of a header
    stop: int  # after the value or header
    end: int  # after the line


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.places: dict[KeyPath, int] = {(): 0}
        self.statements: list[Statement] = []
        self._table: KeyPath = ()
        self._counts: dict[KeyPath, int] = {}

    def run(self) -> None:
        """Record every statement and every path."""
        while self._skip(_BETWEEN) < len(self.text):
            if self.text[self.at] == "[":
                self._header()
            else:
                self._pair(self._table, statement=True)

    def _skip(self, what: re.Pattern[str]) -> int:
        found = what.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.at

    def _note(self, path: KeyPath, at: int) -> None:
        for length in range(1, len(path) + 1):
            self.places.setdefault(path[:length], at)

    def _header(self) -> None:
        start = self.at
        double = self.text.startswith("[[", start)
        self.at += 2 if double else 1
        path: KeyPath = ()
        for part in self._key():
            path = (*self._inside(path), part)
        if double:
            self._counts[path] = self._counts.get(path, 0) + 1
        self._table = self._inside(path)
        self._note(self._table, start)
        self.at += 2 if double else 1
        self._add("element" if double else "table", self._table, start, self.at)

    def _inside(self, path: KeyPath) -> KeyPath:
        """Return *path*, or its last element if it is an array of tables."""
        return (*path, self._counts[path] - 1) if path in self._counts else path

    def _add(self, kind: Literal["key", "table", "element"], path: KeyPath, start: int, value: int) -> None:
        newline = self.text.find("\n", self.at)
        end = len(self.text) if newline < 0 else newline + 1
        self.statements.append(Statement(kind, path, self._table, start, value, self.at, end))

    def _key(self) -> Iterator[str]:
        while True:
            self._skip(_BLANK)
            found = _KEY_PART.match(self.text, self.at)
            assert found, f"no key at {self.at}"
            self.at = found.end()
            yield _unquoted(found[0])
            if not self.text.startswith(".", self._skip(_BLANK)):
                return
            self.at += 1

    def _pair(self, parent: KeyPath, statement: bool = False) -> None:
        start = self.at
        path = (*parent, *self._key())
        self._note(path, start)
        self.at += 1  # the equals sign
        value = self._skip(_BLANK)
        self._value(path)
        if statement:
            self._add("key", path, start, value)

    def _value(self, path: KeyPath) -> None:
        first = self.text[self.at]
        if first == "[":
            self._array(path)
        elif first == "{":
            self._inline_table(path)
        elif first in "\"'":
            self._skip(_STRING)
        else:
            found = _SCALAR.match(self.text, self.at)
            assert found, f"no value at {self.at}"
            self.at += len(found[0].rstrip())

    def _array(self, path: KeyPath) -> None:
        self.at += 1
        index = 0
        while self.text[self._skip(_BETWEEN)] != "]":
            if index < _NOTED or self.text[self.at] in "[{":
                self._note((*path, index), self.at)
            self._value((*path, index))
            index += 1
        self.at += 1

    def _inline_table(self, path: KeyPath) -> None:
        self.at += 1
        while self.text[self._skip(_BETWEEN)] != "}":
            self._pair(path)
        self.at += 1


def _unquoted(part: str) -> str:
    return str(tomllib.loads(f"k = {part}")["k"]) if part[0] in "\"'" else part


def statements(text: str) -> list[Statement]:
    """Return the statements of *text* in order."""
    scanner = _Scanner(text)
    scanner.run()
    return scanner.statements


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the line of every key path, counted from 1; a path built by several lines has the first.

    >>> key_lines("a = 1\\n[[wall]]\\nsize = {x = 2}")
    {(): 1, ('a',): 1, ('wall',): 2, ('wall', 0): 2, ('wall', 0, 'size'): 3, ('wall', 0, 'size', 'x'): 3}
    """
    scanner = _Scanner(text)
    scanner.run()
    ends = [i for i, char in enumerate(text) if char == "\n"]
    return {path: bisect_right(ends, at - 1) + 1 for path, at in scanner.places.items()}


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """Return the line of *path*, or of the nearest parent that has one; 0 if none has."""
    for length in range(len(path), -1, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return 0
