"""Trees of plain values and arrays as bytes: for hashes, tapes and saved runs. Equal trees give equal bytes."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgpack
import numpy as np

_ARRAY = 1


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
    if np.dtype(dtype).hasobject:
        raise ValueError("arrays of objects are not read")
    return np.frombuffer(raw, np.dtype(dtype)).reshape(shape).copy()


def pack(tree: Any) -> bytes:
    """Return *tree* as bytes."""
    data: bytes = msgpack.packb(tree, default=_pack_default, strict_types=False)
    return data


def unpack(data: bytes) -> Any:
    """Return the tree that *data* holds; raises ValueError on anything else."""
    try:
        return msgpack.unpackb(data, ext_hook=_unpack_ext, strict_map_key=False)
    except (msgpack.UnpackException, TypeError) as problem:
        raise ValueError(f"not a saved tree: {problem}") from problem


def digest(tree: Any) -> str:
    """Return 16 hex digits that stand for *tree*."""
    return blake2b(pack(tree), digest_size=8).hexdigest()
