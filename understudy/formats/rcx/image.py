"""Programs of an RCX as images: the ``.rcx`` files of NQC, read and written."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal

from understudy.errors import FormatError
from understudy.formats.rcx.isa import RcxFirmware
from understudy.frozen import frozen

MAGIC, VERSION = b"RCXI", 0x0102
MOST_BYTES = 1_000_000  # of a file; the brick has 6 KB
TARGET_OF: Mapping[RcxFirmware, int] = MappingProxyType({"fw1": 0, "fw2": 3, "swan": 5})
_FIRMWARE_OF = {number: name for name, number in TARGET_OF.items()}
_OTHERS = {1: "a CyberMaster", 2: "a Scout", 4: "a Spybotics"}
Kind = Literal["task", "sub", "sound", "animation"]
KINDS: tuple[Kind, ...] = ("task", "sub", "sound", "animation")
COUNTS: Mapping[str, int] = MappingProxyType({"task": 10, "sub": 8})  # that a program can have
_HEADER, _FRAGMENT, _SYMBOL = struct.Struct("<4sHHHBB"), struct.Struct("<BBH"), struct.Struct("<BBBB")


@frozen
class Fragment:
    """A task or subroutine: its byte code, and from which line of text the instruction at each address comes."""

    kind: Kind
    number: int
    code: bytes
    lines: tuple[tuple[int, int], ...] = ()  # address, line from 1


@frozen
class Symbol:
    """The name of a task (kind 0), subroutine (1) or variable (2)."""

    kind: int
    number: int
    name: bytes  # as in the file, without the final zero


@frozen
class RcxImage:
    """A program: fragments in the order in which they are downloaded, and direct commands around them."""

    firmware: RcxFirmware
    fragments: tuple[Fragment, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    before: tuple[bytes, ...] = ()  # direct commands before the first fragment and after it; only in LASM text
    after: tuple[bytes, ...] = ()

    def __iter__(self) -> Iterator[Fragment]:
        """Return the fragments."""
        return iter(self.fragments)


def read_image(data: bytes, file: str = "<image>") -> RcxImage:
    """Return the program of an ``.rcx`` file; raises FormatError with the offset of what is wrong."""
    if len(data) > MOST_BYTES:
        raise FormatError(f"{file}: too large for an RCX image ({len(data):,} bytes, at most {MOST_BYTES:,})")
    if len(data) < _HEADER.size or data[:4] != MAGIC:
        raise FormatError(f"{file}: not an RCX image (it does not begin with RCXI; compile it with nqc -O)")
    _, version, fragments, symbols, target, _ = _HEADER.unpack_from(data)
    if version != VERSION:
        raise FormatError(f"{file}: version {version:#06x} of RCX images is not supported (want {VERSION:#06x})")
    if target not in _FIRMWARE_OF:
        brick = _OTHERS.get(target, f"the unknown target {target}")
        raise FormatError(f"{file}: a program for {brick} (compile it with nqc -TRCX, -TRCX2 or -TSwan)")
    reader = _Reader(data, file)
    found = tuple(reader.fragment() for _ in range(fragments))
    named = tuple(reader.symbol() for _ in range(symbols))
    reader.end()
    return RcxImage(_FIRMWARE_OF[target], found, named)


class _Reader:
    """What stands where in the bytes of an image."""

    def __init__(self, data: bytes, file: str) -> None:
        self._data, self._file, self._at = data, file, _HEADER.size
        self._found: set[tuple[int, int]] = set()

    def fragment(self) -> Fragment:
        """Return the next fragment."""
        kind, number, length = self._record(_FRAGMENT, "fragment")
        if kind >= len(KINDS):
            raise self._wrong(f"unknown kind of fragment {kind}")
        if number >= (most := COUNTS.get(KINDS[kind], 256)):
            raise self._wrong(f"there is no {KINDS[kind]} {number} (want 0 to {most - 1})")
        if (kind, number) in self._found and KINDS[kind] in COUNTS:
            raise self._wrong(f"{KINDS[kind]} {number} stands twice")
        self._found.add((kind, number))
        code = self._take(length, "fragment")
        padding = self._take(-length % 4, "padding of a fragment")
        if any(padding):
            raise self._wrong("the padding of a fragment is not zero")
        return Fragment(KINDS[kind], number, code)

    def symbol(self) -> Symbol:
        """Return the next symbol."""
        kind, number, length, zero = self._record(_SYMBOL, "symbol")
        name = self._take(length, "symbol")
        if zero or not name or name[-1]:
            raise self._wrong("a symbol does not end with a zero byte")
        return Symbol(kind, number, name[:-1])

    def end(self) -> None:
        """Check that nothing follows."""
        if self._at != len(self._data):
            raise self._wrong(f"{len(self._data) - self._at} bytes after the last symbol")

    def _record(self, layout: struct.Struct, what: str) -> tuple[int, ...]:
        return layout.unpack(self._take(layout.size, what))

    def _take(self, size: int, what: str) -> bytes:
        if self._at + size > len(self._data):
            raise self._wrong(f"the file ends in the middle of a {what}")
        self._at += size
        return self._data[self._at - size : self._at]

    def _wrong(self, text: str) -> FormatError:
        return FormatError(f"{self._file}: offset {self._at}: {text}")


def write_image(image: RcxImage) -> bytes:
    """Return the bytes of an ``.rcx`` file."""
    counts = len(image.fragments), len(image.symbols)
    data = bytearray(_HEADER.pack(MAGIC, VERSION, *counts, TARGET_OF[image.firmware], 0))
    for each in image:
        data += _FRAGMENT.pack(KINDS.index(each.kind), each.number, len(each.code))
        data += each.code + bytes(-len(each.code) % 4)
    for symbol in image.symbols:
        data += _SYMBOL.pack(symbol.kind, symbol.number, len(symbol.name) + 1, 0) + symbol.name + b"\0"
    return bytes(data)
