"""Which programs can share the clock, as far as their files tell.

The library is loaded by the dynamic linker, so a program must be dynamically linked, for this kind of machine, and run
with its user's own rights. A script is judged by its interpreter.
"""

from __future__ import annotations

import os
import shutil
import struct
from pathlib import Path

from understudy.together.build import OTHER_WAY

_HEAD = 4096  # bytes of a file that are read
_X86_64, _INTERPRETER, _SETUID = 62, 3, 0o6000
_SCRIPTS = 4  # interpreters that are themselves scripts


def why_not(word: str, depth: int = _SCRIPTS) -> str:
    """Return why a program cannot take part; empty if it can, or if only its start will tell."""
    found = shutil.which(word)
    if found is None:
        return f"{word}: {_why_not_found(Path(word)) if os.sep in word else 'not found'}"
    try:
        with Path(found).open("rb") as file:
            head = file.read(_HEAD)
    except OSError:  # executable, but not readable
        return ""
    if head.startswith(b"#!"):
        words = head[2:].split(b"\n")[0].split()
        problem = why_not(os.fsdecode(words[0]), depth - 1) if words and depth else ""
        return f"{word}: its interpreter {problem}" if problem else ""
    if not head.startswith(b"\x7fELF"):
        return ""
    if Path(found).stat().st_mode & _SETUID:
        return f"{word} runs with the rights of another user (setuid): its clock cannot be shared; {OTHER_WAY}"
    return _why_not_linked(word, head)


def _why_not_found(path: Path) -> str:
    if path.is_dir():
        return "is a directory"
    return "is not executable (chmod +x, or name its interpreter first)" if path.is_file() else "not found"


def _why_not_linked(word: str, head: bytes) -> str:
    if len(head) < 64 or head[4] != 2 or struct.unpack_from("<H", head, 18)[0] != _X86_64:
        return f"{word} is not a program for x86-64: its clock cannot be shared; {OTHER_WAY}"
    (offset,) = struct.unpack_from("<Q", head, 32)
    size, count = struct.unpack_from("<HH", head, 54)
    places = [offset + i * size for i in range(count)]
    kinds = [struct.unpack_from("<I", head, place)[0] for place in places if place + 4 <= len(head)]
    if _INTERPRETER in kinds:
        return ""
    return f"{word} is linked statically (Go programs often are): its clock cannot be shared; {OTHER_WAY}"
