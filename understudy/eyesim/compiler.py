"""``understudy eyesim cc``: RoBIOS programs in C and C++, compiled with the machine's compiler.

understudy eyesim cc prog.c [more.c] [-o prog.x] [--classic | --robios7] [options of the compiler]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from understudy.clients.robios_c.build import C_SUFFIXES, CPP_SUFFIXES, CProgram, compile_program

USAGE = """\
usage: understudy eyesim cc FILE... [-o OUTPUT] [--classic | --robios7] [options of the compiler]

Compile a RoBIOS program in C or C++; the result runs by itself, and brings the simulator up with its first call.

  FILE         sources (.c .cpp .cc .cxx)
  -o OUTPUT    the file to make; default: the first source with the suffix .x
  --classic    the program uses the classic API (handles, metres, radians)
  --robios7    the program uses RoBIOS-7 (millimetres, degrees); default: the API whose functions it calls
"""
_APIS = {"--classic": True, "--robios7": False}


def main_cc(arguments: Sequence[str]) -> int:
    """Compile a program; returns the compiler's exit code, 2 for wrong usage. Raises ProgramError."""
    if "-h" in arguments or "--help" in arguments:
        sys.stdout.write(USAGE)
        return 0
    order = parsed(arguments)
    if order is None:
        sys.stderr.write(USAGE)
        return 2
    return compile_program(order).returncode


def parsed(arguments: Sequence[str]) -> CProgram | None:
    """Return what is to be compiled; None without a source, or without a name after -o."""
    sources: list[Path] = []
    options: list[str] = []
    output, classic = "", None
    words = iter(arguments)
    for word in words:
        if word in _APIS:
            classic = _APIS[word]
        elif word == "-o":
            output = next(words, "")
            if not output:
                return None
        elif word.startswith("-o") and len(word) > 2:
            output = word[2:]
        elif not word.startswith("-") and Path(word).suffix in (*C_SUFFIXES, *CPP_SUFFIXES):
            sources.append(Path(word))
        else:
            options.append(word)
    if not sources:
        return None
    made = Path(output) if output else Path(sources[0].name).with_suffix(".o" if "-c" in options else ".x")
    return CProgram(tuple(sources), tuple(options), made, classic)
