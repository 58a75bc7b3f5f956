"""Trees of plain values and arrays as msgpack bytes: for hashes, tapes and saved runs. Equal trees give equal bytes."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any

import msgpack
import numpy as np

from understudy.world.limits import PACKED_VALUES

_ARRAY = 1
_DTYPE = re.compile(r"[<|][fiub][1248]")  # plain numbers are all that runs save


def _pack_default(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        head = [value.dtype.str, list(value.shape), np.ascontiguousarray(value).tobytes()]
        return msgpack.ExtType(_ARRAY, msgpack.packb(head))
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be saved")


def _unpack_ext(code: int, data: bytes) -> Any:
    if code != _ARRAY:
        raise ValueError(f"unknown extension {code}")
    dtype, shape, raw = msgpack.unpackb(data)
    if not isinstance(dtype, str) or not _DTYPE.fullmatch(dtype):
        raise ValueError("an array contains something other than numbers")
    return np.frombuffer(raw, np.dtype(dtype)).reshape(shape).copy()


class _Counter:
    """Counts unpacked values, so that a small file cannot expand into a huge number of objects."""

    def __init__(self) -> None:
        self.values = 0

    def take(self, container: Any) -> Any:
        """Count the items of a list or the entries of a table."""
        self.values += 1 + len(container)
        if self.values > PACKED_VALUES:
            raise ValueError(f"it unpacks to more than {PACKED_VALUES:,} values")
        return container


def pack(tree: Any) -> bytes:
    """Return *tree* as bytes."""
    data: bytes = msgpack.packb(tree, default=_pack_default, strict_types=False)
    return data


def unpack(data: bytes) -> Any:
    """Return the tree packed in *data*; raises ValueError if it is not one."""
    count = _Counter().take
    most = min(PACKED_VALUES, len(data))
    try:
        return msgpack.unpackb(
            data, ext_hook=_unpack_ext, strict_map_key=False, list_hook=count, object_hook=count,
            max_array_len=most, max_map_len=most,
        )  # fmt: skip
    except (msgpack.UnpackException, TypeError) as problem:
        raise ValueError(f"not a saved tree: {problem}") from problem


def digest(tree: Any) -> str:
    """Return a hash of *tree*: 16 hex digits."""
    return blake2b(pack(tree), digest_size=8).hexdigest()
