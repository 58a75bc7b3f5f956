"""The instructions that only Swan's firmware has, as NQC 3.1 lists them.

The virtual machine runs arithmetic on 16 bits, assignments, bits, waits and messages. Arithmetic on 32 bits, floating
point, and the forms of test-and-branch are kept, but not run: their exact meaning is not in any source that we have.
"""

from __future__ import annotations

from collections.abc import Iterator

VERBS = ("sum", "sub", "mul", "div", "and", "or", "not", "mod")  # in the order of the opcodes of every family
# first opcode, what follows the verb in the name, fields, whether it runs
_FAMILIES = (
    (0x08, "", "v16 v16", True),
    (0x18, "l", "v16 v16", False),
    (0x48, "gb", "b b", True),
    (0x58, "gw", "b W", True),
    (0x68, "ll", "v16 b b b b", False),
    (0xB8, "s", "v8 v8", True),
    (0xC8, "g", "b v8", True),
    (0xD8, "sw", "v8 W", True),
    (0xF8, "p", "v16 v16", True),
)
_SINGLE: tuple[tuple[int, str, str, str, bool], ...] = (
    (0x00, "noop", "", "do nothing", True),
    (0x26, "setl", "v16 v16", "32 bits: target = source", False),
    (0x28, "setlw", "v16 W", "32 bits: target = word", False),
    (0x29, "setll", "v16 b b b b", "32 bits: target = number", False),
    (0x2B, "setgb", "b b", "global variable = byte", True),
    (0x2C, "setgw", "b W", "global variable = word", True),
    (0x2D, "setg", "b v8", "global variable = source", True),
    (0x2E, "notv", "b v16", "variable = complement of a source", True),
    (0x2F, "setsv", "v16 v16", "target = source", True),
    (0x36, "sets", "v8 v8", "target = source", True),
    (0x38, "sumf", "v16 v16", "floating point", False),
    (0x39, "subf", "v16 v16", "floating point", False),
    (0x3A, "mulf", "v16 v16", "floating point", False),
    (0x3B, "divf", "v16 v16", "floating point", False),
    (0x46, "upevtmap", "", "internal", False),
    (0x47, "waitms", "v16", "sleep, ms", True),
    (0x66, "assert", "", "internal", False),
    (0x76, "setlb", "v16 b", "32 bits: target = byte", False),
    (0x7B, "abs", "v16 v16", "target = magnitude of a source", True),
    (0x7C, "sgn", "v16 v16", "target = sign of a source", True),
    (0x7D, "btst", "v16 v16", "target = whether the bit of that number is set in it", True),
    (0x7E, "bset", "v16 v16", "set the bit of that number", True),
    (0x7F, "bclr", "v16 v16", "clear the bit of that number", True),
    (0x88, "xor", "v16 v16", "target ^= source", True),
    (0x8C, "ftol", "v16 v16", "floating point", False),
    (0x8D, "itol", "v16 v16", "32 bits", False),
    (0x98, "shl", "v16 v16", "target <<= source", True),
    (0x99, "shr", "v16 v16", "target >>= source", True),
    (0x9B, "neg", "v16 v16", "target = - source", True),
    (0xA2, "msgsb", "b b", "fill the own mailbox: message, parameter", True),
    (0xAC, "itof", "v16 v16", "floating point", False),
    (0xAD, "ltof", "v16 v16", "floating point", False),
    (0xAE, "ftoi", "v16 v16", "floating point", False),
    (0xAF, "ltoi", "v16 v16", "32 bits", False),
    (0xB3, "msgsw", "b w", "fill the own mailbox: message, parameter", True),
    (0xB6, "uptimer", "", "internal", False),
    (0xC3, "msgp", "v8 v16", "send a message with a parameter by infra-red light", True),
    (0xC4, "msgsv", "v8 v16", "fill the own mailbox: message, parameter", True),
    (0xC7, "clrall", "b", "clear what the flags name", False),
    (0xD3, "playkhz", "v16", "tone", False),
    (0xD6, "updevvar", "", "internal", False),
    (0xE3, "playkhzv", "v16", "tone", False),
    (0xF5, "modv", "b v16", "variable %= source", True),
)
_BRANCHES = {  # test-and-branch: name and length of the operands, whose meaning is not published
    0x3C: ("tablbn", 7), 0x3D: ("tablbf", 8), 0x3E: ("tabibf", 8), 0x3F: ("tabfbf", 8), 0x56: ("tabicsn", 5),
    0x57: ("tabicbn", 7), 0x78: ("tabiscn", 5), 0x79: ("tabibcn", 7), 0x86: ("tabfsf", 6), 0x89: ("tabfbn", 7),
    0x8A: ("tabfsn", 5), 0x8B: ("tablsn", 5), 0x8E: ("tabisn", 5), 0x8F: ("tabibn", 7), 0x96: ("tablsf", 6),
    0xD5: ("tabisf", 6),
}  # fmt: skip
_BREAKPOINTS = range(0xE6, 0xF0)


def _rows() -> Iterator[tuple[int, str, str, str, bool]]:
    for first, suffix, fields, runs in _FAMILIES:
        for n, verb in enumerate(VERBS):
            meaning = "target = complement of a source" if verb == "not" else f"target {_SIGNS[verb]}= source"
            yield first + n, f"{verb}{suffix}", fields, meaning if runs else f"32 bits: {meaning}", runs
    yield from _SINGLE
    for code, (name, size) in _BRANCHES.items():
        yield code, name, " ".join("b" * size), "test and branch", False
    for n, code in enumerate(_BREAKPOINTS):
        yield code, f"brk{n}", "", "breakpoint", True


_SIGNS = {"sum": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "mod": "%"}
SWAN_ROWS: tuple[tuple[int, str, str, str, bool], ...] = tuple(_rows())
