"""Randomness with owners: counter-based Philox4x32-10, no state anywhere.

Draw *k* of sample *n* of an owner is a pure function of (seed, owner, n, k), so there is nothing to save, and adding a
robot leaves every other robot's noise as it was. Algorithm and test vectors: Salmon, Moraes, Dror, Shaw, "Parallel
random numbers: as easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

import math
import struct
from hashlib import blake2b

import numpy as np
from numba import njit, uint32, uint64

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint32(0x9E3779B9), np.uint32(0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_UNIT = 2.0**-53


def key(seed: int, owner: str) -> tuple[int, int]:
    """Return the Philox key that belongs to *owner* alone.

    >>> key(7, "scout/front") == key(7, "scout/front"), key(7, "scout/front") == key(7, "scout/rear")
    (True, False)
    """
    digest = blake2b(f"{seed}/{owner}".encode(), digest_size=8).digest()
    first, second = struct.unpack("<II", digest)
    return first, second


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _mulhilo(a, b):  # type: ignore[no-untyped-def]
    product = uint64(a) * uint64(b)
    return uint32(product >> uint64(32)), uint32(product & _LOW)


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def philox(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]
    """Return four random words for a counter of four words and a key of two."""
    for _ in range(10):
        hi0, lo0 = _mulhilo(_M0, c0)
        hi1, lo1 = _mulhilo(_M1, c2)
        c0, c1, c2, c3 = uint32(hi1 ^ c1 ^ k0), lo1, uint32(hi0 ^ c3 ^ k1), lo0
        k0 = uint32(k0 + _W0)
        k1 = uint32(k1 + _W1)
    return c0, c1, c2, c3


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def uniform_pair(k0, k1, sample, draw, stage):  # type: ignore[no-untyped-def]
    """Return two uniform numbers in (0, 1) for draw *draw* of sample *sample* in noise stage *stage*."""
    words = philox(
        uint32(uint64(sample) & _LOW), uint32(uint64(sample) >> uint64(32)), uint32(draw), uint32(stage), k0, k1
    )
    first = (float(words[0] >> uint32(5)) * 67108864.0 + float(words[1] >> uint32(6)) + 0.5) * _UNIT
    second = (float(words[2] >> uint32(5)) * 67108864.0 + float(words[3] >> uint32(6)) + 0.5) * _UNIT
    return first, second


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def normal_pair(k0, k1, sample, draw, stage):  # type: ignore[no-untyped-def]
    """Return two independent standard normal numbers (Box-Muller)."""
    first, second = uniform_pair(k0, k1, sample, draw, stage)
    radius = math.sqrt(-2.0 * math.log(first))
    return radius * math.cos(2.0 * math.pi * second), radius * math.sin(2.0 * math.pi * second)
