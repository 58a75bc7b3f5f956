"""Byte code to LASM text, which assembles to the same bytes.

Only what can be reached from the start of a fragment is written as instructions; all other bytes, and instructions
whose bytes are not what the assembler would write, stay ``.byte``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from understudy.formats.rcx.code import Instruction, decode, encode
from understudy.formats.rcx.image import Fragment, RcxImage, Symbol
from understudy.formats.rcx.isa import RcxFirmware, RcxOpcode, instruction_set, program_set
from understudy.formats.rcx.lasm import Dialect, quoted

_PER_LINE = 8  # bytes
_SYMBOLS = ("task", "sub", "variable")
_LAST = ("jmp", "jmpl", "rets")  # nothing is reached behind these
_ENDS = {"task": "endt", "sub": "ends"}


def reachable(code: bytes, known: Mapping[int, RcxOpcode]) -> dict[int, Instruction]:
    """Return the instructions that may run, by address; where two overlap, the first that was found."""
    found: dict[int, Instruction] = {}
    taken = bytearray(len(code))
    waiting = [0]
    while waiting:
        at = waiting.pop()
        if at in found or not (here := decode(code, at, known)) or any(taken[here.at : here.end]):
            continue
        found[at] = here
        taken[here.at : here.end] = b"\1" * here.opcode.size
        if here.target is not None:
            waiting.append(here.target)
        if here.opcode.name not in _LAST:
            waiting.append(here.end)
    return found


def disassemble(image: RcxImage, dialect: Dialect = "lego") -> str:
    """Return the LASM text of a program."""
    lines = [f".firmware {image.firmware}"]
    lines += [symbol_text(symbol) for symbol in image.symbols]
    lines += [direct_text(data, image.firmware, dialect) for data in image.before]
    for each in image:
        lines += ["", *_fragment(each, program_set(image.firmware), dialect)]
    lines += [direct_text(data, image.firmware, dialect) for data in image.after]
    return "\n".join(lines) + "\n"


def symbol_text(symbol: Symbol) -> str:
    """Return the line of a symbol."""
    kind = _SYMBOLS[symbol.kind] if symbol.kind < len(_SYMBOLS) else str(symbol.kind)
    return f".symbol {kind} {symbol.number} {quoted(symbol.name)}".rstrip()


def data_text(fragment: Fragment) -> str:
    """Return the line of a sound or an animation."""
    return f".{fragment.kind} " + ",".join(map(str, (fragment.number, *fragment.code)))


def _fragment(fragment: Fragment, known: Mapping[int, RcxOpcode], dialect: Dialect) -> Iterator[str]:
    if fragment.kind not in _ENDS:
        yield data_text(fragment)
        return
    yield f"{fragment.kind} {fragment.number}"
    code, found = fragment.code, reachable(fragment.code, known)
    targets = (each.target for each in found.values() if each.target is not None)
    labels = {target for target in targets if target in found or target == len(code)}
    at = 0
    while at < len(code):
        if at in labels:
            yield f"L{at}:"
        here = found.get(at)
        if here is None:
            end = next((n for n in range(at + 1, len(code)) if n in found), len(code))
            yield from _bytes(code[at:end])
            at = end
        else:
            at = here.end
            yield from _instruction(here, code, labels, dialect)
    if at in labels:
        yield f"L{at}:"
    yield _ENDS[fragment.kind]


def _instruction(here: Instruction, code: bytes, labels: set[int], dialect: Dialect) -> Iterator[str]:
    own = code[here.at : here.end]
    if encode(here.opcode, here.numbers, here.at) != own:
        yield from _bytes(own)
        return
    yield f"    {text_of(here, labels, dialect)}"


def text_of(here: Instruction, labels: set[int] | None = None, dialect: Dialect = "lego") -> str:
    """Return an instruction as a line of text; a label that is not among *labels* is an address."""
    words = [str(number) for number in here.numbers]
    if here.target is not None and labels is not None and here.target in labels:
        words[-1] = f"L{here.target}"
    if dialect == "nqc" and here.opcode.fields == ("out",):
        words.reverse()
    return f"{here.opcode.name} {','.join(words)}".rstrip()


def _bytes(data: bytes) -> Iterator[str]:
    for n in range(0, len(data), _PER_LINE):
        yield "    .byte " + ",".join(f"0x{byte:02x}" for byte in data[n : n + _PER_LINE])


def direct_text(data: bytes, firmware: RcxFirmware, dialect: Dialect = "lego") -> str:
    """Return the line of a direct command."""
    here = decode(data, 0, instruction_set(firmware))
    return text_of(here, None, dialect) if here else ""
