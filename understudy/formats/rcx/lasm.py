"""LASM text: the assembly language of the RCX, as ROBOLAB and LEGO's tools write it; parser and assembler.

One instruction per line: a mnemonic and numbers with commas between them. ``Name:`` is a label. ``task 0`` to ``endt``
and ``sub 0`` to ``ends`` are blocks; lines outside of them are direct commands. ``.byte`` has bytes as they are,
``.firmware``, ``.symbol``, ``.sound`` and ``.animation`` keep what else an image has. Comments begin with ``;`` or
``//``. The dialect ``nqc`` is that of NQC's listings (``nqc -L -c``): ``out`` and ``gout`` have the motors first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, cast

from understudy.errors import FormatError, cut, nearest
from understudy.formats.rcx.code import OperandError, encode
from understudy.formats.rcx.image import COUNTS, Fragment, Kind, RcxImage, Symbol
from understudy.formats.rcx.isa import FIRMWARES, RcxFirmware, RcxOpcode, by_name

Dialect = Literal["lego", "nqc"]
DIALECTS: tuple[Dialect, ...] = ("lego", "nqc")
MOST_CODE = 0xFFFF  # bytes of a fragment: what an image can hold
MOST_TEXT = 2_000_000  # characters
MOST_DIRECT = 1000  # direct commands
MOST_COMPARED = 1000  # labels that are compared with one that is missing
MOST_PROBLEMS = 20
_ENDS = re.compile(r"\r\n|\r|\n")
_WORD = re.compile(r"\S+")
_NAME = re.compile(r"[A-Za-z_.$][A-Za-z0-9_.$]*")
_LABEL = re.compile(r"\s*([A-Za-z_$][A-Za-z0-9_.$]*)\s*:")
_NUMBER = re.compile(r"[+-]?(0[xX][0-9A-Fa-f]+|[0-9]+)")
_DIGITS = 12  # of a number; more is out of every range
_SYMBOLS = ("task", "sub", "variable")


@dataclass(slots=True)
class _Operand:
    text: str
    column: int


@dataclass(slots=True)
class _Line:
    """An instruction of a block: what it was on its line, and where its bytes are."""

    number: int
    column: int
    opcode: RcxOpcode | None  # None: bytes as they are
    operands: list[_Operand]
    at: int
    data: bytes = b""


@dataclass(slots=True)
class _Block:
    kind: Kind
    number: int
    line: int
    lines: list[_Line] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    size: int = 0


class _Wrong(Exception):
    """A problem at a column of the present line."""

    def __init__(self, column: int, text: str) -> None:
        self.column, self.text = column, text
        super().__init__(text)


def assemble(text: str, file: str = "<lasm>", firmware: RcxFirmware = "swan", dialect: Dialect = "lego") -> RcxImage:
    """Return the program of LASM text; raises FormatError with line and column of every problem.

    A ``.firmware`` line in the text counts more than *firmware*.

    >>> assemble("task 0\\n out 2,1\\n endt").fragments[0].code.hex()
    '2181'
    """
    if len(text) > MOST_TEXT:
        raise FormatError(f"{file}: too large for a program ({len(text):,} characters, at most {MOST_TEXT:,})")
    return _Assembler(file, firmware, dialect).run(text)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text as editors number them: they end with LF, CR or both.

    >>> lines_of("a\\fb\\r\\nc\\rd")
    ['a\\x0cb', 'c', 'd']
    """
    return _ENDS.split(text.lstrip("\ufeff"))


class _Assembler:
    def __init__(self, file: str, firmware: RcxFirmware, dialect: Dialect) -> None:
        self._file, self._firmware, self._dialect = file, firmware, dialect
        self._problems: list[tuple[int, int, str]] = []  # line, column, text
        self._fragments: list[Fragment] = []
        self._symbols: list[Symbol] = []
        self._direct: tuple[list[bytes], list[bytes]] = ([], [])
        self._block: _Block | None = None
        self._line = 0

    def run(self, text: str) -> RcxImage:
        """Return the program; raises FormatError."""
        for self._line, line in enumerate(lines_of(text), 1):
            try:
                self._take(_without_comment(line))
            except _Wrong as wrong:
                self._problem(self._line, wrong.column, wrong.text)
            if len(self._problems) >= MOST_PROBLEMS:
                break
        if self._block is not None and not self._problems:
            end = "endt" if self._block.kind == "task" else "ends"
            self._problem(self._block.line, 1, f"the {self._block.kind} has no end (add {end})")
        if self._problems:
            rows = sorted(self._problems)
            raise FormatError("\n".join(f"{self._file}:{line}:{column}: {text}" for line, column, text in rows))
        before, after = self._direct
        return RcxImage(self._firmware, tuple(self._fragments), tuple(self._symbols), tuple(before), tuple(after))

    def _problem(self, line: int, column: int, text: str) -> None:
        self._problems.append((line, column, cut(text, 300)))

    # ---- lines

    def _take(self, line: str) -> None:
        rest, column = line, 0
        while label := _LABEL.match(rest):
            self._label(label[1], column + label.start(1) + 1)
            column += label.end()
            rest = rest[label.end() :]
        word = _WORD.search(rest)
        if word is None:
            return
        column += word.start() + 1
        name = word[0].lower()
        operands = _operands(rest[word.end() :], column + len(word[0]))
        if name.startswith("."):
            self._directive(name, operands, column, rest[word.end() :])
        elif name in ("task", "sub") and not (self._block and len(operands) > 1):  # Swan has an instruction sub
            self._begin("task" if name == "task" else "sub", operands, column)
        elif name in ("endt", "ends"):
            self._end(name, operands, column)
        elif name in by_name(self._firmware):
            self._instruction(name, operands, column)
        elif not operands and _NAME.fullmatch(word[0]) and self._block is not None and not self._is_typo(name):
            self._label(word[0], column)  # some listings have no colon after a label
        else:
            raise _Wrong(column, self._unknown(name, word[0]))

    def _is_typo(self, name: str) -> bool:
        return any(name in by_name(firmware) for firmware in FIRMWARES)

    def _unknown(self, name: str, word: str) -> str:
        for firmware in FIRMWARES:
            if name in by_name(firmware):
                return f"{word!r} needs the firmware {firmware}, and this program is for {self._firmware}"
        return f"unknown instruction {cut(repr(word), 60)} {nearest(name, tuple(by_name(self._firmware)))}"

    def _label(self, name: str, column: int) -> None:
        if self._block is None:
            raise _Wrong(column, f"the label {cut(repr(name), 60)} is outside of a task or sub")
        if name.lower() in self._block.labels:
            raise _Wrong(column, f"the label {cut(repr(name), 60)} stands twice in this {self._block.kind}")
        self._block.labels[name.lower()] = self._block.size

    def _begin(self, kind: Kind, operands: Sequence[_Operand], column: int) -> None:
        if self._block is not None:
            raise _Wrong(column, f"the {self._block.kind} of line {self._block.line} has not ended")
        if len(operands) != 1:
            raise _Wrong(column, f"want {kind} and its number, such as {kind} 0")
        number = _number(operands[0])
        self._block = _Block(kind, number, self._line)
        most = COUNTS.get(kind, 256)
        if not 0 <= number < most:
            raise _Wrong(operands[0].column, f"there is no {kind} {number} (want 0 to {most - 1})")
        if any((each.kind, each.number) == (kind, number) for each in self._fragments):
            raise _Wrong(operands[0].column, f"{kind} {number} stands twice")

    def _end(self, name: str, operands: Sequence[_Operand], column: int) -> None:
        block = self._block
        if block is None or block.kind != ("task" if name == "endt" else "sub"):
            raise _Wrong(column, f"{name} without its {'task' if name == 'endt' else 'sub'}")
        if operands:
            raise _Wrong(operands[0].column, f"{name} has no operands")
        self._block = None
        self._fragments.append(self._assembled(block))

    def _instruction(self, name: str, operands: list[_Operand], column: int) -> None:
        rows = by_name(self._firmware)[name]
        row = next((each for each in rows if each.count == len(operands)), None)
        if row is None:
            counts = " or ".join(str(each.count) for each in rows)
            raise _Wrong(column, f"{name} has {counts} operands, not {len(operands)}")
        if self._block is None:
            self._direct_command(row, operands, column)
        elif row.use == "D":
            raise _Wrong(column, f"{name} is a direct command and cannot stand in a {self._block.kind}")
        else:
            self._add(_Line(self._line, column, row, operands, self._block.size), row.size, column)

    def _add(self, line: _Line, size: int, column: int) -> None:
        block = self._block
        if block is None:
            raise _Wrong(column, "bytes outside of a task or sub")
        block.lines.append(line)
        block.size += size
        if block.size > MOST_CODE:
            raise _Wrong(column, f"the {block.kind} is longer than {MOST_CODE:,} bytes")

    def _direct_command(self, row: RcxOpcode, operands: Sequence[_Operand], column: int) -> None:
        if row.use == "P":
            raise _Wrong(column, f"{row.name} stands outside of a task or sub, and is not a direct command")
        if sum(map(len, self._direct)) >= MOST_DIRECT:
            raise _Wrong(column, f"more than {MOST_DIRECT:,} direct commands")
        data = self._encoded(row, operands, 0, {})
        self._direct[1 if self._fragments else 0].append(data)

    # ---- directives

    def _directive(self, name: str, operands: list[_Operand], column: int, rest: str) -> None:
        match name:
            case ".byte":
                data = bytes(_byte(each) for each in operands)
                self._add(
                    _Line(self._line, column, None, [], self._block.size if self._block else 0, data), len(data), column
                )
            case ".firmware":
                self._choose(rest.strip().lower(), column)
            case ".symbol":
                self._symbols.append(_symbol(rest, column))
            case ".sound" | ".animation" if operands:
                kind = cast(Kind, name[1:])
                number, *data_ = (_byte(each) for each in operands)
                self._fragments.append(Fragment(kind, number, bytes(data_)))
            case _:
                known = (".byte", ".firmware", ".symbol", ".sound", ".animation")
                raise _Wrong(column, f"unknown directive {cut(repr(name), 60)} {nearest(name, known)}")

    def _choose(self, name: str, column: int) -> None:
        if name not in FIRMWARES:
            raise _Wrong(column, f"unknown firmware {cut(repr(name), 60)} {nearest(name, FIRMWARES)}")
        if self._fragments or self._block:
            raise _Wrong(column, ".firmware must stand before the first task or sub")
        self._firmware = name

    # ---- bytes

    def _assembled(self, block: _Block) -> Fragment:
        code, lines = bytearray(), []
        for line in block.lines:
            lines.append((line.at, line.number))
            if line.opcode is None:
                code += line.data
                continue
            try:
                code += self._encoded(line.opcode, line.operands, line.at, block.labels)
            except _Wrong as wrong:
                self._problem(line.number, wrong.column, wrong.text)
                code += bytes(line.opcode.size)
        return Fragment(block.kind, block.number, bytes(code), tuple(lines))

    def _encoded(self, row: RcxOpcode, operands: Sequence[_Operand], at: int, labels: dict[str, int]) -> bytes:
        numbers = [_number(each) for each in (operands[:-1] if row.jumps else operands)]
        if row.jumps:
            numbers.append(_target(operands[-1], labels))
        if self._dialect == "nqc" and row.fields == ("out",):
            numbers.reverse()
        try:
            return encode(row, numbers, at)
        except OperandError as problem:
            raise _Wrong(operands[problem.index].column, f"{row.name}: {problem}") from None


def _without_comment(line: str) -> str:
    for mark in (";", "//"):
        line = line.partition(mark)[0]
    return line


def _operands(text: str, column: int) -> list[_Operand]:
    """Return what is between the commas, with columns from 1."""
    if not text.strip():
        return []
    found = []
    for part in text.split(","):
        word = part.strip()
        found.append(_Operand(word, column + len(part) - len(part.lstrip())))
        column += len(part) + 1
    return found


def _number(operand: _Operand) -> int:
    if not _NUMBER.fullmatch(operand.text) or len(operand.text) > _DIGITS:
        raise _Wrong(operand.column, f"not a number: {cut(repr(operand.text), 60)}")
    return int(operand.text, 16 if "x" in operand.text.lower() else 10)


def _byte(operand: _Operand) -> int:
    number = _number(operand)
    if not 0 <= number <= 255:
        raise _Wrong(operand.column, f"not a byte: {number} (want 0 to 255)")
    return number


def _target(operand: _Operand, labels: dict[str, int]) -> int:
    """Return the address of a label, or the address itself."""
    if _NUMBER.fullmatch(operand.text):
        return _number(operand)
    if operand.text.lower() not in labels:
        near = nearest(operand.text.lower(), islice(labels, MOST_COMPARED))
        raise _Wrong(operand.column, f"no label {cut(repr(operand.text), 60)} {near}")
    return labels[operand.text.lower()]


def _symbol(text: str, column: int) -> Symbol:
    words = text.split(maxsplit=2)
    if len(words) < 2 or not words[1].isascii() or not words[1].isdigit() or len(words[1]) > 3 or int(words[1]) > 255:
        raise _Wrong(column, "want .symbol KIND NUMBER NAME, such as .symbol task 0 main")
    kind = words[0].lower()
    if kind in _SYMBOLS:
        number = _SYMBOLS.index(kind)
    elif kind.isascii() and kind.isdigit() and len(kind) <= 3 and int(kind) <= 255:
        number = int(kind)
    else:
        raise _Wrong(column, f"unknown kind of symbol {cut(repr(kind), 60)} {nearest(kind, _SYMBOLS)}")
    try:
        name = unquoted(words[2].strip() if len(words) > 2 else "")
    except ValueError:
        raise _Wrong(column, "the name of a symbol has letters that are not of one byte (write %XX)") from None
    return Symbol(number, int(words[1]), name)


def quoted(name: bytes) -> str:
    """Return a symbol's name as text: what is not a plain letter becomes %XX.

    >>> quoted(b"main"), quoted(b"a b;")
    ('main', 'a%20b%3B')
    """
    plain = b"_$.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return "".join(chr(letter) if letter in plain else f"%{letter:02X}" for letter in name)


def unquoted(text: str) -> bytes:
    """Return the bytes of a symbol's name; raises ValueError for letters of more than one byte."""
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), text.encode("latin-1"))
