"""Byte code to instructions and back, at their addresses.

Jump offsets are relative to the address of their first byte: sign and magnitude for ``jmp``, unsigned for ``chk``,
two's complement for ``chkl``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from understudy.formats.rcx.isa import SIZES, TARGETS, RcxOpcode
from understudy.frozen import frozen

_SIGN, _SEVEN, _WORD, _HALF = 0x80, 0x7F, 0x10000, 0x8000
# field -> (lowest, highest) of each number of its text
_RANGES: Mapping[str, tuple[tuple[int, int], ...]] = {
    "b": ((0, 255),),
    "w": ((0, 65535),),
    "W": ((-32768, 65535),),
    "v8": ((0, 255), (0, 255)),
    "v16": ((0, 255), (-32768, 65535)),
    "out": ((0, 3), (0, 7)),
    "dir": ((0, 3), (0, 7)),
    "senm": ((0, 7), (0, 31)),
    "chk": ((0, 63), (-32768, 65535), (0, 3), (0, 255), (0, 255)),
    "chk8": ((0, 63), (0, 255), (0, 3), (0, 255), (0, 255)),
    "chk16": ((0, 63), (-32768, 65535), (0, 3), (0, 255), (-32768, 65535)),
    "zero": (),
}


class OperandError(ValueError):
    """A number that an instruction cannot have: which one, from 0, and why."""

    def __init__(self, index: int, text: str) -> None:
        self.index = index
        super().__init__(text)


@frozen
class Instruction:
    """An instruction at an address, with its numbers in the order of the text; a label is an address."""

    at: int
    opcode: RcxOpcode
    numbers: tuple[int, ...]

    @property
    def end(self) -> int:
        """Return the address behind it."""
        return self.at + self.opcode.size

    @property
    def target(self) -> int | None:
        """Return the address that it may jump to; None if it cannot."""
        return self.numbers[-1] if self.opcode.jumps else None


def decode(code: bytes, at: int, known: Mapping[int, RcxOpcode]) -> Instruction | None:
    """Return the instruction at an address; None where there is none, or not all of it."""
    if not 0 <= at < len(code) or (row := known.get(code[at])) is None or at + row.size > len(code):
        return None
    numbers: list[int] = []
    here = at + 1
    for field in row.fields:
        numbers += _numbers(field, code[here : here + SIZES[field]], here)
        here += SIZES[field]
    return Instruction(at, row, tuple(numbers))


def _numbers(field: str, data: bytes, at: int) -> Sequence[int]:
    """Return the numbers of a field, in the order of the text."""
    if field in TARGETS:
        return (_target(field, data, at),)
    first = data[0]
    match field:
        case "b":
            return (first,)
        case "w":
            return (int.from_bytes(data, "little"),)
        case "W":
            return (_signed(int.from_bytes(data, "big")),)
        case "v8":
            return first, data[1]
        case "v16":
            return first, _signed(int.from_bytes(data[1:], "little"))
        case "out" | "dir":
            return first >> 6, first & 7
        case "senm":
            return first >> 5, first & 31
        case "chk":
            return first & 63, _signed(int.from_bytes(data[2:4], "little")), first >> 6, data[1], data[4]
        case "chk8":
            return first & 63, data[2], first >> 6, data[1], data[3]
        case "chk16":
            value, value2 = _signed(int.from_bytes(data[2:4], "little")), _signed(int.from_bytes(data[4:], "little"))
            return first & 63, value, first >> 6, data[1], value2
        case _:  # zero
            return ()


def _target(field: str, data: bytes, at: int) -> int:
    first, far = data[0], data[1] if len(data) > 1 else 0
    match field:
        case "short" | "long":
            distance = (first & _SEVEN) + _SIGN * far
            return at - distance if first & _SIGN else at + distance
        case "s16":
            return at + _signed(first + 256 * far)
        case _:
            return at + first + 256 * far


def encode(row: RcxOpcode, numbers: Sequence[int], at: int) -> bytes:
    """Return the bytes of an instruction at an address; raises OperandError for a number out of range."""
    data = bytearray([row.code])
    index = 0
    for field in row.fields:
        if field in TARGETS:
            data += _offset(field, numbers[index] - (at + len(data)), index)
            index += 1
            continue
        mine = numbers[index : index + len(_RANGES[field])]
        for n, (number, (least, most)) in enumerate(zip(mine, _RANGES[field])):
            if not least <= number <= most:
                raise OperandError(index + n, f"{number} is out of range (want {least} to {most})")
        data += bytes(_bytes(field, mine))
        index += len(mine)
    return bytes(data)


def _bytes(field: str, numbers: Sequence[int]) -> Iterator[int]:
    match field:
        case "w" | "W":
            yield from _word(numbers[0], "little" if field == "w" else "big")
        case "v16":
            yield numbers[0]
            yield from _word(numbers[1], "little")
        case "out" | "dir":
            yield numbers[0] << 6 | numbers[1]
        case "senm":
            yield numbers[0] << 5 | numbers[1]
        case "chk":
            source, value, relation, source2, value2 = numbers
            yield from (relation << 6 | source, source2, *_word(value, "little"), value2)
        case "chk8":
            source, value, relation, source2, value2 = numbers
            yield from (relation << 6 | source, source2, value, value2)
        case "chk16":
            source, value, relation, source2, value2 = numbers
            yield from (relation << 6 | source, source2, *_word(value, "little"), *_word(value2, "little"))
        case "zero":
            yield 0
        case _:  # b, v8
            yield from numbers


def _offset(field: str, distance: int, index: int) -> bytes:
    limits = {"short": (-127, 127), "long": (-32767, 32767), "u8": (0, 255), "u16": (0, 65535), "s16": (-32768, 32767)}
    least, most = limits[field]
    if not least <= distance <= most:
        longer = "; use the long form of the instruction" if field in ("short", "u8") else ""
        raise OperandError(index, f"the label is {distance} bytes away (want {least} to {most}{longer})")
    if field in ("short", "long"):
        size, sign = abs(distance), _SIGN if distance < 0 else 0
        return bytes([size & _SEVEN | sign, size >> 7][: SIZES[field]])
    return (distance % _WORD).to_bytes(2, "little")[: SIZES[field]]


def _word(number: int, order: str) -> bytes:
    return (number % _WORD).to_bytes(2, "little" if order == "little" else "big")


def _signed(number: int) -> int:
    return number - _WORD if number >= _HALF else number
