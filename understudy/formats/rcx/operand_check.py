"""Operands of a program that the brick ignores: valid byte code, but mostly a slip of whoever wrote the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from understudy.formats.rcx.code import decode
from understudy.formats.rcx.image import Fragment, RcxImage
from understudy.formats.rcx.isa import RcxOpcode, program_set

_COUNTS: Mapping[str, int] = MappingProxyType({
    "sensor": 3, "sensor type": 5, "timer": 4, "task": 10, "sub": 8, "sound": 6, "program": 5, "event": 16,
    "counter": 3,
})  # fmt: skip
# instruction -> what its first operands are
_OPERANDS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "sent": ("sensor", "sensor type"), "senm": ("sensor",), "senz": ("sensor",), "tmrz": ("timer",),
    "start": ("task",), "stop": ("task",), "delt": ("task",), "calls": ("sub",), "dels": ("sub",),
    "plays": ("sound",), "prgm": ("program",), "sete": ("event",), "cale": ("event",),
    "cnti": ("counter",), "cntd": ("counter",), "cntz": ("counter",),
})  # fmt: skip
_NEED = ("start", "calls")  # a task or sub that is in the program


def ignored_operands(image: RcxImage, file: str) -> Iterator[str]:
    """Yield what the brick will ignore of a program that was made from text, each with file and line."""
    known = program_set(image.firmware)
    there = {(part.kind, part.number) for part in image.fragments}
    for fragment in image.fragments:
        for line, name, what, number in _named(fragment, known):
            if number >= _COUNTS[what]:
                yield f"{file}:{line}: {name}: there is no {what} {number} (want 0 to {_COUNTS[what] - 1})"
            elif name in _NEED and (what, number) not in there:
                yield f"{file}:{line}: {name}: this program has no {what} {number}"


def _named(fragment: Fragment, known: Mapping[int, RcxOpcode]) -> Iterator[tuple[int, str, str, int]]:
    """Yield line, instruction, kind and number of every operand that names something."""
    for at, line in fragment.lines:
        here = decode(fragment.code, at, known)
        if here is not None:
            name = here.opcode.name
            for what, number in zip(_OPERANDS.get(name, ()), here.numbers):
                yield line, name, what, number
