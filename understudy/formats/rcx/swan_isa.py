"""The instructions that only Swan's firmware has, as NQC 3.1 lists them.

The listings have names, lengths and operands, except for the operands of the test-and-branch forms. Their names say the
type (``i`` 16 bits, ``l`` 32 bits, ``f`` floating point), the size of the values (``s`` a byte, ``b`` a word; ``c`` in
front of it or behind it: the first or second one is a constant), and how far they jump (``n`` near, ``f`` far). Their
lengths are those of ``chk`` and ``chkl`` with values of that size, so they are read in this way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

VERBS = ("sum", "sub", "mul", "div", "and", "or", "not", "mod")  # in the order of the opcodes of every family
# first opcode, what follows the verb in the name, fields, bits
_FAMILIES = (
    (0x08, "", "v16 v16", 16),
    (0x18, "l", "v16 v16", 32),
    (0x48, "gb", "b b", 16),
    (0x58, "gw", "b W", 16),
    (0x68, "ll", "v16 b b b b", 32),
    (0xB8, "s", "v8 v8", 16),
    (0xC8, "g", "b v8", 16),
    (0xD8, "sw", "v8 W", 16),
    (0xF8, "p", "v16 v16", 16),
)
_SINGLE: tuple[tuple[int, str, str, str], ...] = (
    (0x00, "noop", "", "do nothing"),
    (0x26, "setl", "v16 v16", "32 bits: target = source"),
    (0x28, "setlw", "v16 W", "32 bits: target = word"),
    (0x29, "setll", "v16 b b b b", "32 bits: target = number"),
    (0x2B, "setgb", "b b", "global variable = byte"),
    (0x2C, "setgw", "b W", "global variable = word"),
    (0x2D, "setg", "b v8", "global variable = source"),
    (0x2E, "notv", "b v16", "variable = complement of a source"),
    (0x2F, "setsv", "v16 v16", "target = source"),
    (0x36, "sets", "v8 v8", "target = source"),
    (0x38, "sumf", "v16 v16", "floating point: target += source"),
    (0x39, "subf", "v16 v16", "floating point: target -= source"),
    (0x3A, "mulf", "v16 v16", "floating point: target *= source"),
    (0x3B, "divf", "v16 v16", "floating point: target /= source; division by 0 changes nothing"),
    (0x46, "upevtmap", "", "nothing; a request of debuggers"),
    (0x47, "waitms", "v16", "sleep, ms"),
    (0x66, "assert", "", "stop the task: an assertion has failed"),
    (0x76, "setlb", "v16 b", "32 bits: target = byte"),
    (0x7B, "abs", "v16 v16", "target = magnitude of a source"),
    (0x7C, "sgn", "v16 v16", "target = sign of a source"),
    (0x7D, "btst", "v16 v16", "target = whether the bit of that number is set in it"),
    (0x7E, "bset", "v16 v16", "set the bit of that number"),
    (0x7F, "bclr", "v16 v16", "clear the bit of that number"),
    (0x88, "xor", "v16 v16", "target ^= source"),
    (0x8C, "ftol", "v16 v16", "target, 32 bits = whole part of a floating-point source"),
    (0x8D, "itol", "v16 v16", "target, 32 bits = source"),
    (0x98, "shl", "v16 v16", "target <<= source"),
    (0x99, "shr", "v16 v16", "target >>= source"),
    (0x9B, "neg", "v16 v16", "target = - source"),
    (0xA2, "msgsb", "b b", "fill the own mailbox: message, parameter"),
    (0xAC, "itof", "v16 v16", "target, floating point = source"),
    (0xAD, "ltof", "v16 v16", "target, floating point = source of 32 bits"),
    (0xAE, "ftoi", "v16 v16", "target = whole part of a floating-point source, limited to 16 bits"),
    (0xAF, "ltoi", "v16 v16", "target = low 16 bits of a source of 32 bits"),
    (0xB3, "msgsw", "b w", "fill the own mailbox: message, parameter"),
    (0xB6, "uptimer", "", "nothing; a request of debuggers"),
    (0xC3, "msgp", "v8 v16", "send a message with a parameter by infra-red light"),
    (0xC4, "msgsv", "v8 v16", "fill the own mailbox: message, parameter"),
    (0xC7, "clrall", "b", "clear: 1 timers, 2 sensors, 4 variables, 8 loops of this task, 16 events, 64 datalog"),
    (0xD3, "playkhz", "v16", "tone, kHz, 0.1 s"),
    (0xD6, "updevvar", "", "nothing; a request of debuggers"),
    (0xE3, "playkhzv", "v16", "tone, kHz, 0.1 s"),
    (0xF5, "modv", "b v16", "variable %= source"),
)


class RcxBranch(NamedTuple):
    """A form of test-and-branch."""

    name: str
    type: Literal["int", "long", "float"]
    values: Literal["chk8", "chk16"]
    far: bool
    constants: tuple[bool, bool] = (False, False)  # whether the first and the second value are constants


BRANCHES: Mapping[int, RcxBranch] = MappingProxyType({
    0x3C: RcxBranch("tablbn", "long", "chk16", False),
    0x3D: RcxBranch("tablbf", "long", "chk16", True),
    0x3E: RcxBranch("tabibf", "int", "chk16", True),
    0x3F: RcxBranch("tabfbf", "float", "chk16", True),
    0x56: RcxBranch("tabicsn", "int", "chk8", False, (True, False)),
    0x57: RcxBranch("tabicbn", "int", "chk16", False, (True, False)),
    0x78: RcxBranch("tabiscn", "int", "chk8", False, (False, True)),
    0x79: RcxBranch("tabibcn", "int", "chk16", False, (False, True)),
    0x86: RcxBranch("tabfsf", "float", "chk8", True),
    0x89: RcxBranch("tabfbn", "float", "chk16", False),
    0x8A: RcxBranch("tabfsn", "float", "chk8", False),
    0x8B: RcxBranch("tablsn", "long", "chk8", False),
    0x8E: RcxBranch("tabisn", "int", "chk8", False),
    0x8F: RcxBranch("tabibn", "int", "chk16", False),
    0x96: RcxBranch("tablsf", "long", "chk8", True),
    0xD5: RcxBranch("tabisf", "int", "chk8", True),
})  # fmt: skip
_BITS = {"int": "16 bits", "long": "32 bits", "float": "floating point"}
_BREAKPOINTS = range(0xE6, 0xF0)


def _rows() -> Iterator[tuple[int, str, str, str]]:
    for first, suffix, fields, bits in _FAMILIES:
        for n, verb in enumerate(VERBS):
            meaning = "target = complement of a source" if verb == "not" else f"target {_SIGNS[verb]}= source"
            yield first + n, f"{verb}{suffix}", fields, meaning if bits == 16 else f"32 bits: {meaning}"
    yield from _SINGLE
    for code, form in BRANCHES.items():
        offset, like = ("s16", "chkl") if form.far else ("u8", "chk")
        yield code, form.name, f"{form.values} {offset}", f"as {like}, {_BITS[form.type]}"
    for n, code in enumerate(_BREAKPOINTS):
        yield code, f"brk{n}", "", "breakpoint"


_SIGNS = {"sum": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "mod": "%"}
SWAN_ROWS: tuple[tuple[int, str, str, str], ...] = tuple(_rows())
