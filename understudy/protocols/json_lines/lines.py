"""Lines of bytes to requests, within bounds: how long a line is, how deep it nests, what an id may be."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from understudy.errors import cut, excerpt
from understudy.protocols.json_lines.requests import BadRequest

LONGEST_LINE = 65_536
DEEPEST = 8  # lists and tables inside each other; requests need one
LONGEST_ID = 200
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"?')  # also one without an end, so that each character is looked at once
_HTTP = re.compile(rb"[A-Z]+ \S+ HTTP/\d")


class LineBuffer:
    """Cuts bytes into lines; one that is too long is reported as None, and its bytes are dropped."""

    def __init__(self) -> None:
        self.rest = bytearray()
        self.too_long = False

    def take(self, data: bytes) -> list[bytes | None]:
        """Return the lines that *data* completes, without their ends."""
        *ends, rest = data.split(b"\n")
        lines = [self._line(end) for end in ends]
        self._append(rest)
        return lines

    def _line(self, end: bytes) -> bytes | None:
        self._append(end)
        line = None if self.too_long else bytes(self.rest)
        self.rest.clear()
        self.too_long = False
        return line

    def _append(self, part: bytes) -> None:
        self.too_long = self.too_long or len(self.rest) + len(part) > LONGEST_LINE
        self.rest = bytearray() if self.too_long else self.rest + part


def is_http(line: bytes) -> bool:
    """Return whether a browser speaks: a web page must not drive robots.

    >>> is_http(b"POST / HTTP/1.1"), is_http(b'{"do": "time"}')
    (True, False)
    """
    return _HTTP.match(line) is not None


def parsed(line: bytes) -> dict[str, Any]:
    """Return the table of a line; raises BadRequest."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise BadRequest(f"byte {problem.start + 1} is not UTF-8") from None
    if _depth(text) > DEEPEST:
        raise BadRequest(f"lists and tables are nested more than {DEEPEST} deep")
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as problem:
        raise BadRequest(f"not JSON: {problem.msg} at character {problem.pos + 1}") from None
    except ValueError:  # an integer of thousands of digits
        raise BadRequest("not JSON: a number is too long") from None
    if not isinstance(value, dict):
        raise BadRequest(f"a request is a table {{...}}, not {excerpt(value)}")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise BadRequest(f"not JSON: {name}")


def _depth(text: str) -> int:
    depth = deepest = 0
    for character in _STRINGS.sub("", text):
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def id_of(given: dict[str, Any]) -> str | int | float | None:
    """Return the id of a request; raises BadRequest."""
    found = given.get("id")
    if found is None or (isinstance(found, str) and len(found) <= LONGEST_ID):
        return found
    if isinstance(found, int | float) and not isinstance(found, bool) and abs(found) < 2**63:
        return found
    raise BadRequest(f"id: want a number or a text of at most {LONGEST_ID} characters, got {cut(excerpt(found), 60)}")
