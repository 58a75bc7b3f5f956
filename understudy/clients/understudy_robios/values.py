"""Values between programs and the library: numbers of any type, texts, results that look like those of ctypes."""

from __future__ import annotations

import ctypes
import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

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
    if isinstance(target, ctypes._SimpleCData):
        target.value = value
    else:
        target[0] = value


def fill(target: Any, values: Iterable[int]) -> None:
    """Write numbers to an array, a pointer or a list that a program gave."""
    target = getattr(target, "_obj", target)
    for at, value in enumerate(values):
        target[at] = value


def fill_text(target: Any, value: str, size: int = 0) -> None:
    """Write a text with its zero to a character buffer that a program gave, at most *size* bytes."""
    data = value.encode("utf-8", "replace")
    room = size or getattr(target, "_length_", len(data) + 1)
    data = data[: max(room - 1, 0)] + b"\0"
    if isinstance(target, bytearray):
        target[: len(data)] = data
    else:
        ctypes.memmove(getattr(target, "_obj", target), data, len(data))


# ---- images


def signed_bytes(data: bytes | bytearray) -> Any:
    """Return an image as programs know it: a ctypes array of signed bytes."""
    return (ctypes.c_byte * len(data)).from_buffer_copy(data)


def image_bytes(image: Any, size: int) -> bytes:
    """Return the first *size* bytes of an image: a buffer, a list (signed or not), a ctypes array or pointer.

    What is missing is black.
    """
    if isinstance(image, (ctypes._Pointer, ctypes.c_void_p, ctypes.c_char_p)) or hasattr(image, "_obj"):
        return _pointed_at(image, size)
    if isinstance(image, (int, float, str)) or image is None:
        raise TypeError(f"an image is a buffer, a list or a pointer, not {type(image).__name__}")
    try:
        view = memoryview(image)
    except TypeError:
        data = _from_numbers(image, size)
    else:
        numbers = image.tolist() if hasattr(image, "tolist") else image
        data = view.tobytes()[:size] if view.itemsize == 1 else _from_numbers(numbers, size)
    return data if len(data) == size else data + bytes(size - len(data))


def _pointed_at(image: Any, size: int) -> bytes:
    owner = getattr(image, "_obj", None)  # byref(array)
    if owner is not None:
        return image_bytes(owner, size)
    address = ctypes.cast(image, ctypes.c_void_p).value
    return ctypes.string_at(address, size) if address else bytes(size)


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
    if isinstance(target, (ctypes._Pointer, ctypes.c_void_p)):
        ctypes.memmove(target, bytes(data), len(data))
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
