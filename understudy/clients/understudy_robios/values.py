"""Values between programs and the library: numbers of any type, texts, results that look like those of ctypes."""

from __future__ import annotations

import ctypes
import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

from . import pointers

_MOST = 2**31 - 1


def whole(value: Any) -> int:
    """Return a number as a C int: floats lose their fraction; NumPy scalars and ctypes values are welcome."""
    if type(value) is int:
        number = value
    else:
        value = getattr(value, "value", value)
        if isinstance(value, (str, bytes)) and len(value) == 1:
            return ord(value)  # a character, as in C
        number = _finite(value) if isinstance(value, float) else int(value)
    return max(-_MOST - 1, min(number, _MOST))


def _finite(value: float) -> int:
    return int(value) if math.isfinite(value) else _MOST if value > 0 else -_MOST - 1 if value < 0 else 0


def real(value: Any) -> float:
    """Return a number as a finite float: not a number counts as 0."""
    number = float(getattr(value, "value", value))
    return number if math.isfinite(number) else math.copysign(1e9, number) if math.isinf(number) else 0.0


def text(value: Any) -> str:
    """Return a text: a str, bytes, or a buffer of characters, up to a zero."""
    value = getattr(value, "value", value)
    if isinstance(value, str):
        return value.partition("\0")[0]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).partition(b"\0")[0].decode("utf-8", "replace")
    if isinstance(value, ctypes.Array):
        return bytes(value).partition(b"\0")[0].decode("utf-8", "replace")
    return str(value)


def encoded(value: Any) -> bytes:
    """Return a text as UTF-8, up to a zero."""
    return text(value).encode("utf-8", "replace")


def rounded(value: float) -> int:
    """Return the nearest whole number; halves go away from zero, as C's lround has it."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def degrees(rad: float) -> int:
    """Return an angle in whole degrees, above -180 to 180."""
    angle = rounded(math.degrees(rad)) % 360
    return angle - 360 if angle > 180 else angle


# ---- results through pointers, as in C


def store(target: Any, value: int) -> None:
    """Write a number to what a program gave: a ctypes value, byref(), a pointer, an array or a list."""
    target = getattr(target, "_obj", target)
    if isinstance(target, ctypes._SimpleCData) and not isinstance(target, pointers.POINTERS):
        target.value = value
    else:
        fill(target, (value,))


def fill(target: Any, values: Iterable[int]) -> None:
    """Write numbers to an array, a pointer or a list that a program gave; raises ValueError if they do not fit."""
    target, numbers = getattr(target, "_obj", target), list(values)
    if isinstance(target, ctypes._Pointer):
        _fill_memory(target, numbers)
        return
    if not hasattr(target, "__setitem__") or isinstance(target, (dict, *pointers.POINTERS)):
        raise TypeError(f"results need a ctypes value, a pointer, an array or a list, not {type(target).__name__}")
    if len(target) < len(numbers):
        raise ValueError(f"{len(numbers)} values do not fit into {type(target).__name__} of length {len(target)}")
    for at, value in enumerate(numbers):
        target[at] = value


def _fill_memory(target: Any, numbers: list[int]) -> None:
    packed = bytes((target._type_ * len(numbers))(*numbers))
    if pointers.write(target, packed) < len(packed):
        raise ValueError(f"{len(numbers)} values do not fit where the pointer points to")


def fill_text(target: Any, value: str, size: int = 0) -> None:
    """Write a text with its zero to a character buffer that a program gave, at most *size* bytes; the rest is cut."""
    target, data = getattr(target, "_obj", target), value.encode("utf-8", "replace")
    if isinstance(target, ctypes.Array):
        room = min(size or _MOST, ctypes.sizeof(target))
        ctypes.memmove(target, _zero_ended(data, room), min(len(data) + 1, room))
    elif isinstance(target, bytearray):
        ended = _zero_ended(data, size or _MOST)
        target[: len(ended)] = ended
    elif isinstance(target, pointers.POINTERS):
        pointers.write(target, _zero_ended(data, size or _MOST))
    else:
        raise TypeError(f"a text needs a buffer such as create_string_buffer(80), not {type(target).__name__}")


def _zero_ended(data: bytes, room: int) -> bytes:
    return data[: max(room - 1, 0)] + bytes(min(room, 1))


# ---- images


def signed_bytes(data: bytes | bytearray) -> Any:
    """Return an image as programs know it: a ctypes array of signed bytes."""
    return (ctypes.c_byte * len(data)).from_buffer_copy(data)


def image_bytes(image: Any, size: int) -> bytes:
    """Return the first *size* bytes of an image, as `raw` has them; what is missing is black."""
    return raw(image, size).ljust(size, b"\0")


def raw(given: Any, most: int) -> bytes:
    """Return the first bytes of what a program gave: a buffer, a list (signed or not), a ctypes array or pointer."""
    given = getattr(given, "_obj", given)  # of byref()
    if isinstance(given, pointers.POINTERS):
        return pointers.read(given, most)
    if isinstance(given, (int, float, str)) or given is None:
        raise TypeError(f"bytes are a buffer, a list or a pointer, not {type(given).__name__}")
    try:
        view = memoryview(given)
    except TypeError:
        return _from_numbers(given, most)
    numbers = given.tolist() if hasattr(given, "tolist") else given
    return view.tobytes()[:most] if view.itemsize == 1 else _from_numbers(numbers, most)


def _from_numbers(image: Any, size: int) -> bytes:
    flat: list[int] = []
    for value in image:
        if isinstance(value, (list, tuple)):  # pixels or rows
            flat.extend(_from_numbers(value, size))
        else:
            flat.append(whole(value) & 255)
        if len(flat) >= size:
            break
    return bytes(flat[:size])


def write_image(target: Any, data: bytes | bytearray) -> None:
    """Write an image to the buffer that a program gave."""
    target = getattr(target, "_obj", target)
    if isinstance(target, list):
        target[: len(data)] = list(data)
        return
    if isinstance(target, pointers.POINTERS):
        pointers.write(target, bytes(data))
    elif isinstance(target, ctypes.Array):
        ctypes.memmove(target, bytes(data), min(len(data), ctypes.sizeof(target)))
    else:
        view = memoryview(target).cast("B")
        size = min(len(view), len(data))
        view[:size] = bytes(data[:size])


# ---- numbers that are ctypes values and ints at once


class IntResult(ctypes.c_int):
    """The result of a function that the original module returns as ctypes int: `.value`, bytes, and an int."""

    def __int__(self) -> int:
        return int(self.value)

    __index__ = __trunc__ = __int__

    def __bool__(self) -> bool:
        return self.value != 0

    def __float__(self) -> float:
        return float(self.value)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return str(self.value)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, IntResult) else value


def _forward(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: function(self.value, _plain(other))


def _backward(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: function(_plain(other), self.value)


def _unary(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda self: function(self.value)


_BOTH_WAYS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift")
for _name in _BOTH_WAYS:
    _short = _name.rstrip("_")
    setattr(IntResult, f"__{_short}__", _forward(getattr(operator, _name)))
    setattr(IntResult, f"__r{_short}__", _backward(getattr(operator, _name)))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(IntResult, f"__{_name}__", _forward(getattr(operator, _name)))
for _name in ("neg", "pos", "abs", "invert"):
    setattr(IntResult, f"__{_name}__", _unary(getattr(operator, _name)))
IntResult.__hash__ = lambda self: hash(self.value)  # type: ignore[method-assign]
IntResult.__round__ = lambda self, digits=None: round(self.value, digits)  # type: ignore[attr-defined]
