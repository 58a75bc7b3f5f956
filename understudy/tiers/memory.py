"""Memory as in compiled code: arrays at addresses, rows with attributes, small integers that do not overflow.

Rows of structured arrays are objects with one property per field over the array's memory: NumPy's own records are
several times slower, and these accesses take most of the time of an interpreted kernel. The array of an address is
cached: the caller keeps the memory at an address alive, so a stale one is never read.
"""

from __future__ import annotations

import ctypes
import math
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

_WORD = 8  # bytes per field
_MOST = 1024  # arrays in the cache
_ARRAYS: dict[Any, Any] = {}


class Narrow(np.ndarray[Any, Any]):
    """An array of numbers below 64 bits: elements are read as Python numbers, which neither wrap nor round."""

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return found.item() if isinstance(found, np.generic) else found


class RecordRows:
    """A structured array whose rows have attributes."""

    def __init__(self, address: int, count: int, kind: np.dtype[Any]) -> None:
        self.shape, self._words = (count,), kind.itemsize // _WORD
        memory = memoryview((ctypes.c_char * (count * kind.itemsize)).from_address(address)).cast("B")
        reals, self._wholes = memory.cast("d"), memory.cast("q")
        made = _row_kind(kind)
        self._rows = [made(reals, self._wholes, row * self._words) for row in range(count)]

    def __getitem__(self, index: int) -> Any:
        return self._rows[index]

    def __setitem__(self, index: int, row: Any) -> None:
        begin = index * self._words
        self._wholes[begin : begin + self._words] = row.wholes[row.begin : row.begin + self._words]


class _Row:
    """One row; fields are properties of the classes made from it."""

    __slots__ = ("begin", "reals", "wholes")

    def __init__(self, reals: Any, wholes: Any, begin: int) -> None:
        self.reals, self.wholes, self.begin = reals, wholes, begin


@cache
def _row_kind(kind: np.dtype[Any]) -> type[_Row]:
    """Return a class of rows with a property for each field, generated as source code for speed."""
    lines = ["class Row(Base):", "    __slots__ = ()"]
    for name, (field, offset, *_) in (kind.fields or {}).items():
        if field.itemsize != _WORD or offset % _WORD:
            raise TypeError(f"field {name} of {kind} must have {_WORD} bytes")
        room, value = ("reals", "value") if field.kind == "f" else ("wholes", "int(value)")
        place = f"self.{room}[self.begin + {offset // _WORD}]"
        lines += [f"    def get(self): return {place}", f"    def set(self, value): {place} = {value}"]
        lines += [f"    {name} = property(get, set)"]
    scope: dict[str, Any] = {"Base": _Row}
    exec("\n".join(lines), scope)  # for a dtype of ours
    made: type[_Row] = scope["Row"]
    return made


def array_at(address: Any, shape: Any, kind: Any) -> Any:
    """Return the array of this shape (a number or a tuple) and dtype at an address."""
    key = (address, shape, kind)
    found = _ARRAYS.get(key)
    if found is None:
        if len(_ARRAYS) >= _MOST:
            _ARRAYS.clear()
        sizes = tuple(int(size) for size in shape) if isinstance(shape, tuple) else (int(shape),)
        found = _ARRAYS[key] = _made(int(address), sizes, np.dtype(kind))
    return found


def _made(address: int, sizes: tuple[int, ...], kind: np.dtype[Any]) -> Any:
    count = math.prod(sizes)
    if kind.names:
        return RecordRows(address, count, kind)
    if not count:
        return np.zeros(sizes, kind)
    room: Any = (ctypes.c_char * (count * kind.itemsize)).from_address(address)
    return as_compiled(np.frombuffer(room, kind).reshape(sizes))


def as_compiled(value: Any) -> Any:
    """Return an argument of a kernel in the form that compiled code sees."""
    if isinstance(value, np.ndarray):
        if value.dtype.names:
            return array_at(value.ctypes.data, len(value), value.dtype)
        return value if value.dtype.itemsize == _WORD else value.view(Narrow)
    if isinstance(value, tuple):
        parts = map(as_compiled, value)
        return value._make(parts) if hasattr(value, "_make") else tuple(parts)
    return value


def flat(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a flat view of a C-contiguous array."""
    return array if array.ndim == 1 else array.reshape(-1)
