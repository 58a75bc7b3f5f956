"""Lines out of a stream of bytes, and programs out of lines."""

from __future__ import annotations

import re
from typing import Any

LONGEST_LINE = 1_000  # bytes; ROBOLAB's have about 30
MOST_PROGRAM = 65_536  # characters of all tasks and subs
MOST_PARTS = 64  # tasks and subs; a brick has 10 and 8
BEGINS, ENDS = ("task", "sub"), ("endt", "ends")
_END = re.compile(rb"[\r\n\0]")  # also the end of a text in C
_START = re.compile(r"(?:\s*[A-Za-z_$][A-Za-z0-9_.$]*\s*:)*\s*(\S*)")


def first_word(line: str) -> str:
    """Return the instruction of a line, in small letters; empty if there is none.

    >>> first_word("Label1003: ENDT ; the end")
    'endt'
    """
    found = _START.match(line.partition(";")[0].partition("//")[0])
    return found[1].lower() if found else ""


class RobolabLines:
    """Cuts bytes into lines at CR, LF and NUL; empty ones are left out, those that are too long are None."""

    def __init__(self) -> None:
        self.rest = bytearray()
        self.too_long = False

    def take(self, data: bytes) -> list[str | None]:
        """Return the lines that *data* completes."""
        *ends, rest = _END.split(data)
        lines = []
        for end in ends:
            self._append(end)
            lines.append(self.flush())
        self._append(rest)
        return [line for line in lines if line != ""]

    def flush(self) -> str | None:
        """Return what has come of a line, as a line."""
        line = None if self.too_long else self.rest.decode("latin-1").strip()
        self.rest.clear()
        self.too_long = False
        return line

    def _append(self, part: bytes) -> None:
        self.too_long = self.too_long or len(self.rest) + len(part) > LONGEST_LINE
        self.rest = bytearray() if self.too_long else self.rest + part


class RobolabProgram:
    """The tasks and subs of a program, as they come in."""

    def __init__(self) -> None:
        self.parts: dict[str, str] = {}  # text of each task and sub, by its first line
        self.first = ""  # of the task or sub that comes in; empty: none does
        self.text = ""
        self.spoilt = self.fresh = False  # lines were lost; there is something that was not handed over

    def begin(self, line: str) -> None:
        """Begin a task or sub; one that was there before is of another program."""
        if self._key(line) in self.parts:
            self.parts = {}
        self.first, self.text, self.spoilt = line, line + "\n", False

    def add(self, line: str | None) -> bool:
        """Add a line to the task or sub; returns whether it was the last one. None is a line that was lost."""
        room = MOST_PROGRAM - sum(map(len, self.parts.values())) - len(self.text)
        if line is None or len(line) >= room or len(self.parts) >= MOST_PARTS:
            self.spoilt = True
        if not self.spoilt:
            self.text += f"{line}\n"
        return line is not None and first_word(line) in ENDS

    def end(self) -> bool:
        """Keep the task or sub; returns whether all of it has come."""
        whole = not self.spoilt
        if whole:
            self.parts[self._key(self.first)] = self.text
            self.fresh = True
        self.first = self.text = ""
        return whole

    def _key(self, line: str) -> str:
        return " ".join(line.lower().split())

    def whole(self) -> bytes:
        """Return the program so far."""
        self.fresh = False
        return "".join(self.parts.values()).encode()

    def state(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "parts": [list(part) for part in self.parts.items()], "first": self.first, "text": self.text,
            "spoilt": self.spoilt, "fresh": self.fresh,
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a saved state."""
        self.parts = dict(state["parts"])
        self.first, self.text = state["first"], state["text"]
        self.spoilt, self.fresh = state["spoilt"], state["fresh"]
