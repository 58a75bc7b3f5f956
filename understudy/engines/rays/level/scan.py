"""Planar scans by an exact angular z-buffer over visible-wall lists, and over bodies sorted into cells.

A scan is painted: first the walls that may be visible from the cell, then the bodies in what the walls leave visible.
Nothing is sampled: every ray is as exact as if it were cast alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.engines.cells import OUTSIDE, cell_index, cell_within
from understudy.engines.rays.level.crowd import ALL, gather
from understudy.engines.rays.level.grid import HAIR_M, NOTHING, cosine_of, walk_walls
from understudy.engines.rays.level.paint import DISCS, HERE, TABLE, note_walls, paint_discs, paint_edges
from understudy.engines.rays.level.visible_walls import AWAY, COLUMNS, LENGTH, TOO_MANY, UNKNOWN
from understudy.engines.rays.simd.llvm import WIDTH, aligned, at, fetch
from understudy.engines.rays.simd.vec8 import cross, dot, every, high, largest, load, low, select, smallest, store
from understudy.jit import inner, kernel

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Fan(NamedTuple):
    """Evenly spread rays from one point, from right to left about the device's axis."""

    cos: Array  # padded by WIDTH
    sin: Array
    rays: int
    first_rad: float
    per_rad: float  # rays per radian
    wide: bool  # more than half a turn
    x: float  # mount, in the robot's frame
    y: float
    yaw: float
    limit: float


class Bodies(NamedTuple):
    """Everything that is not a wall, sorted into cells; *radius* is 0 for what this layer and height does not see.

    Each world has cells of its own for what moves in it. Behind those of all worlds come the cells of what stands still
    in every world, from *common* on; OUTSIDE if nothing does.
    """

    x0: float
    y0: float
    per_m: float
    nx: int
    ny: int
    start: Ints  # by cell, those of a world after those of the one before, in the order of *order*
    order: Ints
    at_x: Array  # in sorted order
    at_y: Array
    cos: Array  # of its heading, by body
    sin: Array
    radius: Array
    corners: Ints
    outline: Array
    home: Ints  # by body: the first cell of its world
    common: int
    widest: float


class Work(NamedTuple):
    """Work space of one thread."""

    z: Array  # by ray: inverse ranges, later ranges
    table: Array  # planes of edges
    disc: Array  # planes of discs; by ray what is hit, and the cosine
    missing: Ints  # cells without a list, and
    undone: Ints  # the rows that wait for them


def work(rays: int, rows: int) -> Work:
    """Return work space for scans of this many rays by this many robots."""
    padded = (rays + WIDTH - 1) // WIDTH * WIDTH + WIDTH
    missing, undone = (np.zeros(rows, np.int64) for _ in range(2))
    return Work(aligned(padded), aligned(TABLE), aligned(DISCS + 2 * padded), missing, undone)


@inner(counted=False)
def _cell_of(x, y, grid, per_m):
    """Return the cell of a point and its column and row; OUTSIDE is no cell."""
    i, j = cell_within((x - grid.x0) * per_m, grid.nx), cell_within((y - grid.y0) * per_m, grid.ny)
    return j * grid.nx + i if i != OUTSIDE and j != OUTSIDE else OUTSIDE, i, j


@inner(counted=False)
def list_at(x, y, grid, per_m, lists):
    """Return where the list of a point's cell begins (or UNKNOWN, TOO_MANY), its length, the cell, x and y."""
    cell, i, j = _cell_of(x, y, grid, per_m)
    known = at(lists.start, cell) if cell != OUTSIDE else TOO_MANY
    begin, length = (known >> LENGTH, known & ((1 << LENGTH) - 1)) if known >= 0 else (known, 0)
    return begin, length, cell, x - (grid.x0 + i * grid.cell), y - (grid.y0 + j * grid.cell)


@inner(counted=False)
def look_ahead(p, todo, rows, place, grid, per_m, lists):
    """Prefetch what comes next: the list of the next robot, and the start of that of the one after it."""
    soon, later = (at(todo, p + 1), at(todo, p + 2)) if p + 2 < todo.shape[0] else (rows.shape[0], rows.shape[0])
    if max(soon, later) < rows.shape[0]:  # *todo* may be longer than these rows
        me, then = at(rows, soon), at(rows, later)
        cell, _, _ = _cell_of(place[then, 0], place[then, 1], grid, per_m)
        fetch(lists.start, max(cell, 0))
        begin, length, _, _, _ = list_at(place[me, 0], place[me, 1], grid, per_m, lists)
        for q in range(0, length, WIDTH):
            for column in range(0, AWAY, WIDTH):
                fetch(lists.walls, COLUMNS * (begin + q) + column)


@inner(counted=False)
def _begin(fan, work, hits):
    """Start a z-buffer of inverse ranges: nothing is hit."""
    for r in range(0, fan.rays, WIDTH):
        store(work.z, r, every(1.0 / fan.limit))
        if hits:
            store(work.disc, DISCS + r, every(float(NOTHING)))
            store(work.disc, DISCS + work.z.shape[0] + r, every(0.0))


@inner(counted=False)
def _walk(x, y, c, s, fan, grid, seg, work, hits):
    """Fill the z-buffer ray by ray where no list is kept."""
    for r in range(fan.rays):
        dx, dy = c * fan.cos[r] - s * fan.sin[r], s * fan.cos[r] + c * fan.sin[r]
        t, k = walk_walls(x, y, dx, dy, fan.limit, grid, seg)
        work.z[r] = 1.0 / max(t, HAIR_M)
        if hits:
            work.disc[DISCS + r] = k
            work.disc[DISCS + work.z.shape[0] + r] = cosine_of(dx, dy, seg, k)


@inner(counted=False)
def _turn(fan, z, c, s):
    """Convert inverse ranges to ranges; return the bounding box of all hits around the sensor, and the farthest (m)."""
    nearest, limit = 1.0 / fan.limit, fan.limit
    low_x, low_y, high_x, high_y, far = every(0.0), every(0.0), every(0.0), every(0.0), every(0.0)
    for r in range(0, fan.rays, WIDTH):
        v = load(z, r)
        t = select(v <= nearest, limit, select(v >= HERE, 0.0, 1.0 / v))
        store(z, r, t)
        x, y = load(fan.cos, r), load(fan.sin, r)  # both 0 beyond the last ray
        wx, wy = t * cross(x, y, s, c), t * dot(x, y, s, c)
        low_x, low_y, far = low(low_x, wx), low(low_y, wy), high(far, t)
        high_x, high_y = high(high_x, wx), high(high_y, wy)
    return smallest(low_x), smallest(low_y), largest(high_x), largest(high_y), largest(far)


@inner(counted=False)
def _scan(first, last, todo, rows, place, fan, grid, seg, lists, bodies, work, out, which, cosine, hits):
    """Do `scan`, or `scan_hits` if *hits*."""
    missing = 0
    z, walls, per_m, none = work.z, seg.shape[0], 1.0 / grid.cell, np.int64(0)  # a plain 0 would have another type
    turn_c, turn_s = elementary.cos(fan.yaw), elementary.sin(fan.yaw)
    for p in range(first, last):
        row = at(todo, p)
        me = at(rows, row)
        hc, hs = at(bodies.cos, me), at(bodies.sin, me)
        x, y = place[me, 0] + hc * fan.x - hs * fan.y, place[me, 1] + hs * fan.x + hc * fan.y
        c, s = hc * turn_c - hs * turn_s, hs * turn_c + hc * turn_s
        begin, edges, cell, ox, oy = list_at(x, y, grid, per_m, lists)
        look_ahead(p, todo, rows, place, grid, per_m, lists)
        if begin == UNKNOWN:
            work.missing[missing] = cell
            work.undone[missing] = row
            missing += 1
            continue
        _begin(fan, work, hits)
        discs, cursor, corner, box = none, none, none, (0.0, 0.0, 0.0, 0.0, 0.0)
        if begin == TOO_MANY:
            _walk(x, y, c, s, fan, grid, seg, work, hits)
        else:
            note_walls(begin, edges, ox, oy, c, s, lists, work.table, hits)
        for portion in range(1 << 62):  # walls, then bodies
            paint_edges(edges, fan, work, portion > 0, hits)
            if portion == 0:
                box = _turn(fan, z, c, s)
            paint_discs(discs, fan, work, hits)
            if cursor == ALL:
                break
            discs, edges, cursor, corner = gather(me, x, y, c, s, box, bodies, work, fan, cursor, corner, hits, walls)
        for r in range(fan.rays):
            out[row, r] = z[r]
            if hits:
                which[row, r] = int(work.disc[DISCS + r])
                cosine[row, r] = work.disc[DISCS + z.shape[0] + r]
    return missing


@inner(inline=True)
def scan(first, last, todo, rows, place, fan, grid, seg, lists, bodies, work, out):
    """Write the ranges of the rows todo[first:last] into *out*; return how many of them lacked a list.

    Those are in work.undone, their cells in work.missing: the caller builds the lists and does the rows again.
    """
    return _scan(first, last, todo, rows, place, fan, grid, seg, lists, bodies, work, out, out, out, False)


@inner(inline=True)
def scan_hits(first, last, todo, rows, place, fan, grid, seg, lists, bodies, work, out, which, cosine):
    """Do the same as `scan`, and write what is hit and the cosines.

    *which* is the number of a wall, after these of a body, or NOTHING; *cosine* is that of the angle between the ray
    and the normal of what it hits: 1 head-on, 0 for NOTHING.
    """
    return _scan(first, last, todo, rows, place, fan, grid, seg, lists, bodies, work, out, which, cosine, True)


@kernel()
def sort_bodies(place, bodies, cursor, first, last, low, high):
    """Sort the bodies from *first* to *last* into the cells from *low* to *high* by their places (counting sort)."""
    start = bodies.start
    for c in range(low + 1, high + 1):
        start[c] = 0
    start[low] = first
    for k in range(first, last):
        i = cell_index((place[k, 0] - bodies.x0) * bodies.per_m, bodies.nx)
        j = cell_index((place[k, 1] - bodies.y0) * bodies.per_m, bodies.ny)
        cursor[k] = bodies.home[k] + j * bodies.nx + i
        start[cursor[k] + 1] += 1
    for c in range(low, high):
        start[c + 1] += start[c]
    for k in range(last - 1, first - 1, -1):  # backwards, so that each start moves from its end to its beginning
        c = cursor[k] + 1
        start[c] -= 1
        p = start[c]
        bodies.order[p] = k
        bodies.at_x[p], bodies.at_y[p] = place[k, 0], place[k, 1]
        bodies.cos[k], bodies.sin[k] = elementary.cos(place[k, 2]), elementary.sin(place[k, 2])
    for c in range(low, high):  # start[c + 1] is now where c begins
        start[c] = start[c + 1]
    start[high] = last
