"""Bundles of arrays as two flat arrays, so that a compiled call from Python takes 2 arguments instead of 50.

Numba needs about 0.15 us to inspect each array argument: a scan of one robot takes 0.7 us, passing its world took 8.
`pack` stores addresses, shapes and numbers once; the kernels restore the bundles, which costs nothing. The caller must
keep the arrays alive, and pack again when one is replaced.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.engines.rays.level.beams import beams, beams_hits
from understudy.engines.rays.level.grid import Grid
from understudy.engines.rays.level.scan import Bodies, Fan, Work, scan, scan_hits, sort_bodies
from understudy.engines.rays.level.sector import cones, cones_hits
from understudy.engines.rays.level.visible_walls import Lists
from understudy.engines.rays.simd.llvm import array_at
from understudy.jit import inner, kernel

SCAN, CONES, BEAMS = 0, 1, 2  # how rays are cast


class Packed(NamedTuple):
    """Addresses, shapes and integers; and the other numbers."""

    whole: npt.NDArray[np.int64]
    real: npt.NDArray[np.float64]


def pack(*bundles: Any) -> Packed:
    """Return bundles (named tuples or bare values) in the order of their fields: an array is its address and shape."""
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


@inner(inline=True)
def _floats(w, k):
    return array_at(w[k], (w[k + 1],), np.float64)


@inner(inline=True)
def _ints(w, k):
    return array_at(w[k], (w[k + 1],), np.int64)


@inner(inline=True)
def _fan_and_work(w, f):
    fan = Fan(_floats(w, 0), _floats(w, 2), w[4], f[0], f[1], w[5] != 0, f[2], f[3], f[4], f[5])
    return fan, Work(_floats(w, 45), _floats(w, 47), _floats(w, 49), _ints(w, 51), _ints(w, 53))


@inner(inline=True)
def unpack(w, f):
    """Return fan, grid, walls, lists, bodies, work space, poses, rays, half-width of cones, reach of origins."""
    fan, work = _fan_and_work(w, f)
    grid = Grid(f[6], f[7], f[8], w[6], w[7], _ints(w, 8), _ints(w, 10))
    seg = array_at(w[12], (w[13], 4), np.float64)
    lists = Lists(_ints(w, 15), _floats(w, 17), w[19], f[9])
    return fan, grid, seg, lists, _bodies(w, 20, f, 10), work, _triples(w, 55), _floats(w, 58), f[14], f[15]


@inner(inline=True)
def _triples(w, k):
    return array_at(w[k], (w[k + 1], 3), np.float64)


@inner(inline=True)
def _bodies(w, k, f, r):
    outline = array_at(w[k + 18], (w[k + 19], w[k + 20], 2), np.float64)
    return Bodies(
        f[r], f[r + 1], f[r + 2], w[k], w[k + 1], _ints(w, k + 2), _ints(w, k + 4), _floats(w, k + 6),
        _floats(w, k + 8), _floats(w, k + 10), _floats(w, k + 12), _floats(w, k + 14), _ints(w, k + 16), outline,
        _ints(w, k + 22), w[k + 24], f[r + 3],
    )  # fmt: skip


@kernel(effort=20)
def cast_rows(kind, first, last, todo, rows, w, f, out):
    """Cast for the rows todo[first:last] in a packed world; return how many lacked a list, as `scan` does."""
    fan, grid, seg, lists, bodies, work, place, rays, half, reach = unpack(w, f)
    if kind == SCAN:
        return scan(first, last, todo, rows, place, fan, grid, seg, lists, bodies, work, out)
    if kind == CONES:
        return cones(first, last, todo, rows, place, rays, half, reach, fan, grid, seg, lists, bodies, work, out)
    return beams(first, last, todo, rows, place, rays, fan.limit, reach, fan, grid, seg, lists, bodies, work, out)


@kernel(effort=9)
def _scan_hits(first, last, todo, rows, w, f, out, which, cosine):
    fan, grid, seg, lists, bodies, work, place, _, _, _ = unpack(w, f)
    return scan_hits(first, last, todo, rows, place, fan, grid, seg, lists, bodies, work, out, which, cosine)


@kernel(effort=9)
def _cones_hits(first, last, todo, rows, w, f, out, which, cosine):
    fan, grid, seg, lists, bodies, work, place, rays, half, reach = unpack(w, f)
    return cones_hits(
        first, last, todo, rows, place, rays, half, reach, fan, grid, seg, lists, bodies, work, out, which, cosine
    )


@kernel(effort=9)
def _beams_hits(first, last, todo, rows, w, f, out, which, cosine):
    fan, grid, seg, lists, bodies, work, place, rays, _, reach = unpack(w, f)
    return beams_hits(
        first, last, todo, rows, place, rays, fan.limit, reach, fan, grid, seg, lists, bodies, work, out, which, cosine
    )


cast_rows_hits = {SCAN: _scan_hits, CONES: _cones_hits, BEAMS: _beams_hits}  # apart: each takes seconds to compile


@kernel()
def settle(w, f):
    """Sort bodies into their cells.

    Packed are bodies, the places of those that move, room for all places, cursors; then which bodies are to be sorted,
    first and last, and into which cells.
    """
    moving, place = _triples(w, 25), _triples(w, 28)
    for k in range(moving.shape[0]):
        for n in range(3):
            place[k, n] = moving[k, n]
    sort_bodies(place, _bodies(w, 0, f, 0), _ints(w, 31), w[33], w[34], w[35], w[36])


@inner(inline=True)
def lacking(w):
    """Return the cells without a list that the last cast used, and the rows that wait for them, of a packed world."""
    return _ints(w, 51), _ints(w, 53)
