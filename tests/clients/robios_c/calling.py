"""One C program for many tests: each case is a few lines of C, chosen by the program's first argument."""

import math
import struct
from dataclasses import dataclass, field
from pathlib import Path

from understudy.clients.robios_c.build import CProgram, compile_program, first_error


@dataclass
class Case:
    """Lines of C, and what they must lead to: calls on the wire, and text on stdout."""

    name: str
    code: str
    out: str = ""
    calls: list = field(default_factory=list)
    queries: list = field(default_factory=list)
    frame: dict = field(default_factory=dict)
    answers: dict = field(default_factory=dict)
    fake: dict = field(default_factory=dict)


def call(number, form="", *values, rest=b""):
    """Return the content of a CALL or QUERY record."""
    return struct.pack("<B" + form, number, *values) + rest


def rad(degrees):
    return math.radians(degrees)


def program(cases, head=""):
    """Return the source of a program that runs the case that its first argument names."""
    functions = "".join(f"static void case_{at}(void) {{ {case.code} }}\n" for at, case in enumerate(cases))
    choice = "".join(f'    if (!strcmp(words[1], "{case.name}")) case_{at}();\n' for at, case in enumerate(cases))
    include = '#include <stdio.h>\n#include <string.h>\n#include "eyebot.h"\n'
    main = f"int main(int count, char **words) {{\n    (void)count;\n{choice}    return 0;\n}}\n"
    return f"{include}{head}\n{functions}{main}"


def compiled(source: str, folder: Path, name="program.c", classic=False, options=("-O1",)):
    """Return the executable of a source text; fails with what the compiler says."""
    file = folder / name
    file.write_text(source)
    made = file.with_suffix(".x")
    done = compile_program(CProgram((file,), tuple(options), made, classic), capture=True)
    assert done.returncode == 0, first_error(done.stderr) + done.stderr
    return made
