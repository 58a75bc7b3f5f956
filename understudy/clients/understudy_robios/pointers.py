"""Memory that programs give by ctypes pointers: read and written only as far as it is known to reach.

A pointer that was made of an array, a value, bytes or a NumPy array knows its memory. One that was made of an address
does not: there the program is responsible, as in C.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

POINTERS = (ctypes._Pointer, ctypes.c_void_p, ctypes.c_char_p)
_OBJECTS = (ctypes._SimpleCData, ctypes.Array, ctypes.Structure, ctypes.Union)
_ENDLESS = 1 << 62


def address_of(pointer: Any) -> int:
    """Return where a pointer points to; raises ValueError if it is NULL."""
    address = ctypes.cast(pointer, ctypes.c_void_p).value
    if not address:
        raise ValueError("the pointer is NULL")
    return address


def read(pointer: Any, size: int) -> bytes:
    """Return at most *size* bytes from where a pointer points to, fewer if its memory ends before."""
    address = address_of(pointer)
    return ctypes.string_at(address, min(size, _room(pointer, address)))


def write(pointer: Any, data: bytes) -> int:
    """Write bytes to where a pointer points to, up to the end of its memory; returns how many.

    Raises TypeError for the memory of bytes, which must not change.
    """
    address = address_of(pointer)
    for owner in _owners(pointer):
        if isinstance(owner, bytes) and _reach(owner, address):
            raise TypeError("the pointer is one to bytes, which cannot be written to; use create_string_buffer")
    size = min(len(data), _room(pointer, address))
    ctypes.memmove(address, data, size)
    return size


def _room(pointer: Any, address: int) -> int:
    """Return how many bytes there are from an address on; very many if nobody knows."""
    known = [size for owner in _owners(pointer) if (size := _reach(owner, address))]
    return max(known, default=_ENDLESS)


def _reach(owner: Any, address: int) -> int:
    """Return how many bytes of an object's memory begin at an address; 0 if it lies elsewhere."""
    if isinstance(owner, bytes):
        start, size = ctypes.cast(ctypes.c_char_p(owner), ctypes.c_void_p).value or 0, len(owner)
    elif isinstance(owner, _OBJECTS):
        start, size = ctypes.addressof(owner), ctypes.sizeof(owner)
    else:  # a NumPy array
        start, size = owner.ctypes.data, owner.nbytes
    return start + size - address if start <= address < start + size else 0


def _owners(thing: Any) -> Iterator[Any]:
    """Yield the objects whose memory a pointer knows."""
    array = getattr(thing, "_arr", None)  # of array.ctypes.data_as(...)
    if hasattr(array, "nbytes") and hasattr(array, "ctypes"):
        yield array
    kept = getattr(thing, "_objects", None)
    for owner in kept.values() if isinstance(kept, dict) else (kept,):
        if isinstance(owner, (bytes, *_OBJECTS)):
            yield owner
