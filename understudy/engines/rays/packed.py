"""Bundles of arrays as two flat arrays, so that a compiled call from Python takes 2 arguments instead of 50.

Numba needs about 0.15 us to look at each array it is given: a scan of one robot takes 0.7 us, handing over its world
took 8. `pack` notes addresses, shapes and numbers once; the kernels put the bundles together again, which costs them
nothing. Whoever packs must keep the arrays alive, and pack again when one is replaced.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import carray, types  # type: ignore[attr-defined]
from numba.extending import intrinsic

from understudy.compiled import inner, kernel
from understudy.engines.rays.beams import beams
from understudy.engines.rays.grid import Grid
from understudy.engines.rays.lists import Lists
from understudy.engines.rays.scan import Bodies, Fan, Work, scan
from understudy.engines.rays.sector import cones


class Packed(NamedTuple):
    """Addresses, shapes and whole numbers; and the other numbers."""

    whole: npt.NDArray[np.int64]
    real: npt.NDArray[np.float64]


def pack(*bundles: Any) -> Packed:
    """Return bundles (named tuples or bare arrays) in the order of their fields: an array is its address and shape."""
    whole: list[int] = []
    real: list[float] = []
    for bundle in bundles:
        for value in bundle if isinstance(bundle, tuple) else (bundle,):
            if isinstance(value, np.ndarray):
                assert value.flags.c_contiguous
                whole += [value.ctypes.data, *value.shape]
            elif isinstance(value, float):
                real.append(value)
            else:
                whole.append(int(value))
    return Packed(np.array(whole, np.int64), np.array(real, np.float64))


@intrinsic
def _pointer(typing, address):  # type: ignore[no-untyped-def]
    """Return a whole number as the address that it is."""

    def generate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.inttoptr(args[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


@inner()
def _floats(w, k):  # type: ignore[no-untyped-def]
    return carray(_pointer(w[k]), w[k + 1], np.float64)


@inner()
def _ints(w, k):  # type: ignore[no-untyped-def]
    return carray(_pointer(w[k]), w[k + 1], np.int64)


@inner()
def unpack(w, f):  # type: ignore[no-untyped-def]
    """Return fan, grid, walls, lists, bodies, room to work in and places, packed in this order."""
    fan = Fan(_floats(w, 0), _floats(w, 2), w[4], f[0], f[1], w[5] != 0, f[2], f[3], f[4], f[5])
    grid = Grid(f[6], f[7], f[8], w[6], w[7], _ints(w, 8), _ints(w, 10), _ints(w, 12), _ints(w, 14))
    seg = carray(_pointer(w[16]), (w[17], 4), np.float64)
    lists = Lists(_ints(w, 19), _ints(w, 21), _floats(w, 23), w[25])
    bodies = Bodies(
        f[9], f[10], f[11], w[26], w[27], _ints(w, 28), _ints(w, 30), _floats(w, 32), _floats(w, 34), _floats(w, 36),
        _floats(w, 38), _ints(w, 40), carray(_pointer(w[42]), (w[43], w[44], 2), np.float64), f[12],
    )  # fmt: skip
    work = Work(_floats(w, 46), _floats(w, 48), _floats(w, 50), _ints(w, 52), _ints(w, 54), _ints(w, 56))
    place = carray(_pointer(w[58]), (w[59], 3), np.float64)
    return fan, grid, seg, lists, bodies, work, place


@kernel()
def packed_scan(first, last, todo, rows, w, f, out):  # type: ignore[no-untyped-def]
    """Do `scan` in a packed world."""
    fan, grid, seg, lists, bodies, work, place = unpack(w, f)
    return scan(first, last, todo, rows, place, fan, grid, seg, lists, bodies, work, out)


@kernel()
def packed_cones(first, last, todo, rows, rays, half, reach, w, f, out):  # type: ignore[no-untyped-def]
    """Do `cones` in a packed world."""
    fan, grid, seg, lists, bodies, work, place = unpack(w, f)
    return cones(first, last, todo, rows, place, rays, half, reach, fan, grid, seg, lists, bodies, work, out)


@kernel()
def packed_beams(first, last, todo, rows, rays, reach, w, f, out):  # type: ignore[no-untyped-def]
    """Do `beams` in a packed world."""
    fan, grid, seg, lists, bodies, work, place = unpack(w, f)
    return beams(first, last, todo, rows, place, rays, fan.limit, reach, fan, grid, seg, lists, bodies, work, out)
