"""The subset of YAML that a ROS ``map.yaml`` needs: keys with plain values and lists, nothing executable.

Anything more (nested tables, anchors, tags, several documents) is refused with its line number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Never

from understudy.errors import Problem, SceneError

_KEY = re.compile(r"""(['"]?)([A-Za-z_][\w.-]*)\1\s*:(?:\s+(.*))?$""")
_PLAIN = re.compile(r"[^\s\[\]{},#&*!|>'\"%@`][^\[\]{},]*")
_QUOTED = re.compile(r"""'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)\"""")


@dataclass(frozen=True)
class YamlEntry:
    """The value of one key: its text, or the texts of a list; and the line of the key."""

    line: int
    value: str | tuple[str, ...]


def loads(text: str, file: str) -> Mapping[str, YamlEntry]:
    """Return every key of *text*; raises SceneError with the line number."""
    return _Reader(file).read(text)


class _Reader:
    def __init__(self, file: str) -> None:
        self._file = file
        self._entries: dict[str, YamlEntry] = {}
        self._open = ""  # the key whose list is still being read
        self._pending = ""  # the part of a bracketed list read so far

    def read(self, text: str) -> Mapping[str, YamlEntry]:
        line = 0
        for line, raw in enumerate(text.splitlines(), 1):
            content = _without_comment(raw).rstrip()
            if content.strip() in ("", "---", "..."):
                continue
            self._line(content, line)
        if self._pending:
            self._refuse(line, "a ] is missing")
        return self._entries

    def _line(self, content: str, line: int) -> None:
        if self._pending:
            self._bracket(self._open, f"{self._pending} {content.strip()}", line)
        elif content.lstrip().startswith("- ") or content.strip() == "-":
            self._item(content.strip()[1:].strip(), line)
        else:
            self._key(content, line)

    def _key(self, content: str, line: int) -> None:
        found = _KEY.match(content)
        if not found:
            self._refuse(line, f"want key: value, got {content.strip()!r}")
        key, value = found[2], (found[3] or "").strip()
        if key in self._entries:
            self._refuse(line, f"{key} is already defined; define it once")
        self._open = key
        if value.startswith("["):
            self._entries[key] = YamlEntry(line, ())
            self._bracket(key, value, line)
        else:
            self._entries[key] = YamlEntry(line, self._scalar(value, line) if value else ())

    def _bracket(self, key: str, value: str, line: int) -> None:
        """Read a list in brackets, which may continue on the next line."""
        if not value.endswith("]"):
            self._pending = value
            return
        self._pending = ""
        inner = value[1:-1].strip().removesuffix(",")
        items = tuple(self._scalar(item.strip(), line) for item in inner.split(",")) if inner else ()
        self._entries[key] = YamlEntry(self._entries[key].line, items)

    def _item(self, value: str, line: int) -> None:
        entry = self._entries.get(self._open)
        if entry is None or isinstance(entry.value, str):
            self._refuse(line, "a list item without a key above it")
        self._entries[self._open] = YamlEntry(entry.line, (*entry.value, self._scalar(value, line)))

    def _scalar(self, text: str, line: int) -> str:
        quoted = _QUOTED.fullmatch(text)
        if quoted:
            return quoted[1].replace("''", "'") if quoted[1] is not None else re.sub(r"\\(.)", r"\1", quoted[2])
        if not _PLAIN.fullmatch(text):
            self._refuse(line, f"want a plain number or text, got {text!r}")
        return text

    def _refuse(self, line: int, text: str) -> Never:
        raise SceneError([Problem(self._file, line, "", text)])


def _without_comment(line: str) -> str:
    """Return a line up to the # that begins a comment, if there is one outside quotes.

    >>> _without_comment("image: 'a # b.pgm'  # drawn by hand")
    "image: 'a # b.pgm'  "
    """
    quote = ""
    for at, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "#" and (at == 0 or line[at - 1].isspace()):
            return line[:at]
    return line
