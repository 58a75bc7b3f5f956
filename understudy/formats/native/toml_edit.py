"""Edits a TOML text in place: only the changed statements; comments, order and spacing are preserved.

A *block* is a header with the comment lines right above it and everything up to the next block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from understudy.formats.native import toml_arrays
from understudy.formats.native.toml_lines import Statement, statements
from understudy.formats.native.toml_write import SECTIONS, element_text, pairs_text, tables_text, value_text
from understudy.frozen import frozen
from understudy.world.records import KeyPath


@frozen
class _Block:
    path: KeyPath
    start: int
    end: int
    keys_end: int  # where a new key can be inserted


class Editor:
    """Collects changes to one text; :meth:`text` applies them."""

    def __init__(self, text: str) -> None:
        self._windows = "\r\n" in text
        self._text = text.replace("\r\n", "\n")
        if not self._text.endswith("\n"):
            self._text += "\n"
        self._statements = statements(self._text)
        self._keys = {s.path: s for s in self._statements if s.kind == "key"}
        self._spread = set(_spread(self._statements))
        self._blocks = list(_blocks(self._text, self._statements))
        self._edits: list[tuple[int, int, str]] = []  # start, end, replacement
        self._new_blocks: list[tuple[int, int, str]] = []

    def text(self) -> str:
        """Return the text with all changes, with its line endings preserved."""
        result, at = [], 0
        for start, end, new in sorted(self._edits + self._new_blocks, key=lambda edit: edit[:2]):  # keys before blocks
            result += [self._text[at:start], new]
            at = max(at, end)
        changed = "".join(result) + self._text[at:]
        return changed.replace("\n", "\r\n") if self._windows else changed

    # ---- keys

    def update(self, path: KeyPath, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        """Change the table at *path* from *old* to *new*; equal values keep their text."""
        for key in old:
            if key not in new:
                self.remove((*path, key))
        before: int | None = None
        for key, value in new.items():
            if key not in old or old[key] != value:
                self._exchange((*path, key), old.get(key), value, before)
            statement = self._keys.get((*path, key))
            before = statement.end if statement and statement.table == path else before

    def _exchange(self, path: KeyPath, old: Any, new: Any, after: int | None) -> None:
        if path not in self._spread:
            self.put(path, new, after)
        elif isinstance(new, Mapping) and new:
            self.update(path, old if isinstance(old, Mapping) else {}, new)
        else:
            self.remove(path)
            self.put(path, new)

    def put(self, path: KeyPath, value: Any, after: int | None = None) -> None:
        """Set the key at *path*; a new key is inserted *after* a line, or last in its table."""
        statement = self._keys.get(path)
        if statement:
            self._edits.append((statement.value, statement.stop, value_text(value)))
            return
        homes = (block for block in self._blocks if _under(path[:-1], block.path))
        home = max(homes, key=lambda block: (len(block.path), block.start))
        rest = tuple(str(part) for part in path[len(home.path) :])
        if len(rest) == 1 and not home.path and isinstance(value, Mapping):
            self._insert(home.end, tables_text(rest[0], value))
        elif len(rest) == 2 and not home.path and rest[0] in SECTIONS and isinstance(value, Mapping):
            siblings = [block.end for block in self._blocks if _under(block.path, path[:1])]
            self._insert(max(siblings, default=home.end), tables_text(rest[0], {rest[1]: value}))
        else:
            at = home.keys_end if after is None else after
            self._edits.append((at, at, pairs_text(rest, value)))

    def remove(self, path: KeyPath) -> None:
        """Remove a key or a table with its contents."""
        gone = [block for block in self._blocks if block.path and _under(block.path, path)]
        self._edits += [(block.start, block.end, "") for block in gone]
        for statement in self._statements:
            if statement.kind == "key" and _under(statement.path, path) and not _under(statement.table, path):
                self._edits.append((_line_start(self._text, statement.start), statement.end, ""))

    # ---- elements of arrays of tables

    def is_list(self, key: str) -> bool:
        """Return whether the elements of *key* are inline tables: ``key = [{...}, {...}]``."""
        return (key,) in self._keys

    def edit_list(self, key: str, rows: Sequence[tuple[int | None, Mapping[str, Any] | None]]) -> None:
        """Change inline elements: each has the row that it was, None for a new one, and its table if it differs."""
        statement = self._keys[(key,)]
        array = self._text[statement.value : statement.stop]
        self._edits.append((statement.value, statement.stop, toml_arrays.edited(array, rows)))

    def add_elements(self, key: str, after: int | None, tables: list[Mapping[str, Any]]) -> None:
        """Add ``[[key]]`` tables after the element *after*, or (None) before the first."""
        siblings = [b for b in self._blocks if _under(b.path, (key,) if after is None else (key, after))]
        if not siblings:
            at = len(self._text)
        else:
            at = min(b.start for b in siblings) if after is None else max(b.end for b in siblings)
        self._insert(at, "\n".join(element_text(key, table) for table in tables))

    def _insert(self, at: int, block: str) -> None:
        before = "" if not at or self._text.endswith("\n\n", 0, at) else "\n"
        after = "\n" if at < len(self._text) else ""
        self._new_blocks.append((at, at, before + block + after))


def _under(path: KeyPath, parent: KeyPath) -> bool:
    return path[: len(parent)] == parent


def _spread(found: list[Statement]) -> Iterator[KeyPath]:
    """Yield the tables that have a header or several statements (not inline tables)."""
    for statement in found:
        longest = len(statement.path) - (statement.kind == "key")
        yield from (statement.path[:length] for length in range(1, longest + 1))


def _blocks(text: str, found: list[Statement]) -> Iterator[_Block]:
    groups: list[list[Statement]] = [[]]
    starts = [0]
    for statement in found:
        if statement.kind != "key":
            last = groups[-1][-1].end if groups[-1] else 0
            starts.append(_comment_start(text, statement.start, last))
            groups.append([])
        groups[-1].append(statement)
    for group, start, end in zip(groups, starts, (*starts[1:], len(text))):
        yield _Block(group[0].table if group else (), start, end, group[-1].end if group else 0)


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _comment_start(text: str, at: int, least: int) -> int:
    """Return where the comment lines right above the line of *at* begin, not before *least*."""
    start = _line_start(text, at)
    while start > least:
        above = _line_start(text, start - 1)
        if not text[above:start].lstrip().startswith("#"):
            break
        start = above
    return start
