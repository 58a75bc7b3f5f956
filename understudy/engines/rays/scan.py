"""Planar scans by an exact angular z-buffer over visible-wall lists; single beams over the same lists.

In the sensor's frame a wall from u to v is met along the direction (c, s) at the inverse range ``A c + B s`` with
``A = (vy - uy) / cross(u, v)`` and ``B = (ux - vx) / cross(u, v)``: linear, no division per ray. A scan takes, for each
wall that may be seen, the maximum of it over the rays between the wall's ends; the ends are found by a polynomial
arctangent and, where that is too close to a ray to tell, decided exactly by a cross product. So no ray slips between
two walls that meet.

Bodies (robots, round things) are found through a hash of cells, bounded by what the walls have left visible. Corners
make front faces, which are walls; discs are met between their tangents.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.compiled import inner, kernel
from understudy.engines.rays.grid import cast_walls
from understudy.engines.rays.lists import TOO_MANY, UNKNOWN
from understudy.engines.rays.simd import WIDTH, at, fmax, fmin, put, raise_span

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MOST_EDGES = 512  # walls or edges of bodies that one scan works on
_TINY, _NEAR = 1e-20, 2e-3
_ROWS = 8  # planes of the scratch table: A, B, ux, uy, vx, vy, first index, last index


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
    """Everything that is not a wall, sorted into cells; *radius* is 0 for what this layer and height does not see."""

    x0: float
    y0: float
    per_m: float
    nx: int
    ny: int
    start: Ints  # by cell, in the order of *order*
    order: Ints
    at_x: Array  # in sorted order
    at_y: Array
    heading: Array  # by body
    radius: Array
    corners: Ints
    outline: Array
    widest: float


class Work(NamedTuple):
    """Room to work in, for one thread."""

    z: Array
    table: Array  # _ROWS planes of MOST_EDGES
    disc: Array  # x, y, r of the discs in reach
    missing: Ints  # cells without a list, and
    undone: Ints  # the rows that have to wait for them
    faces: Ints  # where the edges of each polygon begin in the table, and where the last one ends


def work(rays: int, rows: int) -> Work:
    """Return room to work in for scans of so many rays by so many robots."""
    padded = (rays + WIDTH - 1) // WIDTH * WIDTH + WIDTH
    missing, undone, faces = (np.zeros(n, np.int64) for n in (rows, rows, MOST_EDGES + 1))
    return Work(np.zeros(padded), np.zeros(_ROWS * MOST_EDGES), np.zeros(3 * MOST_EDGES), missing, undone, faces)


@inner(fastmath=True)
def _angle(y, x):  # type: ignore[no-untyped-def]
    """Return atan2 to about 1e-5 rad; exactness comes from `_index`."""
    wide, narrow = fmax(abs(x), abs(y)), fmin(abs(x), abs(y))
    a = narrow / (wide + _TINY)
    q = a * a
    r = a * (0.99997726 + q * (-0.33262347 + q * (0.19354346 + q * (-0.11643287 + q * (0.05265332 + q * -0.01172120)))))
    r = 1.5707963267948966 - r if abs(y) > abs(x) else r
    r = 3.141592653589793 - r if x < 0.0 else r
    return -r if y < 0.0 else r


@inner(fastmath=True)
def _index(f, x, y, rays, cos, sin):  # type: ignore[no-untyped-def]
    """Return the first ray at or to the left of the direction (x, y), whose fractional index is about *f*."""
    r = int(math.ceil(f))
    off = f - r
    if off > -_NEAR or off < _NEAR - 1.0:
        r = int(math.floor(f + 0.5))
        if 0 <= r < rays and at(cos, r) * y - at(sin, r) * x > 0.0:
            r += 1
    return min(max(r, 0), rays)


@inner(fastmath=True)
def _paint_edges(count, fan, work):  # type: ignore[no-untyped-def]
    """Raise the z-buffer by the edges of the scratch table, each seen from its right end u to its left end v."""
    t = work.table
    for q in range(count):
        ux, vx = at(t, q + 2 * MOST_EDGES), at(t, q + 4 * MOST_EDGES)
        if not fan.wide and ux < 0.0 and vx < 0.0:
            continue
        uy, vy = at(t, q + 3 * MOST_EDGES), at(t, q + 5 * MOST_EDGES)
        first = _index(at(t, q + 6 * MOST_EDGES), ux, uy, fan.rays, fan.cos, fan.sin)
        last = _index(at(t, q + 7 * MOST_EDGES), vx, vy, fan.rays, fan.cos, fan.sin)
        a, b = at(t, q), at(t, q + MOST_EDGES)
        if first > last or (uy >= 0.0 and vy < 0.0 and (ux < 0.0 or vx < 0.0)):  # across the seam behind
            for r in range(first, fan.rays, WIDTH):
                raise_span(work.z, fan.cos, fan.sin, r, fan.rays - r, a, b)
            first = 0
        for r in range(first, last, WIDTH):
            raise_span(work.z, fan.cos, fan.sin, r, last - r, a, b)


@inner(fastmath=True)
def _note_edge(q, ux, uy, vx, vy, inverse, fan, t):  # type: ignore[no-untyped-def]
    """Write one edge, given by its ends in the sensor's frame, into the scratch table."""
    put(t, q, (vy - uy) * inverse)
    put(t, q + MOST_EDGES, (ux - vx) * inverse)
    put(t, q + 2 * MOST_EDGES, ux)
    put(t, q + 3 * MOST_EDGES, uy)
    put(t, q + 4 * MOST_EDGES, vx)
    put(t, q + 5 * MOST_EDGES, vy)
    put(t, q + 6 * MOST_EDGES, (_angle(uy, ux) - fan.first_rad) * fan.per_rad)
    put(t, q + 7 * MOST_EDGES, (_angle(vy, vx) - fan.first_rad) * fan.per_rad)


@inner(fastmath=True)
def _paint_walls(start, count, ox, oy, c, s, fan, lists, work):  # type: ignore[no-untyped-def]
    """Raise the z-buffer by the walls of a list, looked at from (ox, oy) in the cell's frame."""
    walls, room = lists.walls, lists.room
    for q in range(count):
        k = start + q
        px, py = at(walls, k) - ox, at(walls, k + room) - oy
        qx, qy = at(walls, k + 2 * room) - ox, at(walls, k + 3 * room) - oy
        cross = px * qy - py * qx
        turned = cross < 0.0
        ux, uy = qx if turned else px, qy if turned else py
        vx, vy = px if turned else qx, py if turned else qy
        inverse = 1.0 / (abs(cross) + _TINY)
        _note_edge(q, c * ux + s * uy, c * uy - s * ux, c * vx + s * vy, c * vy - s * vx, inverse, fan, work.table)
    _paint_edges(count, fan, work)


@inner(fastmath=True)
def _paint_disc(x, y, radius, fan, z):  # type: ignore[no-untyped-def]
    """Lower the ranges *z* by a disc at (x, y) in the sensor's frame, between its tangents."""
    d2, r2 = x * x + y * y, radius * radius
    if d2 <= r2:
        for r in range(fan.rays):
            put(z, r, 0.0)
        return
    if not fan.wide and x < -radius:
        return
    h = math.sqrt(d2 - r2)
    ux, uy = h * x + radius * y, h * y - radius * x
    vx, vy = h * x - radius * y, h * y + radius * x
    first = _index((_angle(uy, ux) - fan.first_rad) * fan.per_rad, ux, uy, fan.rays, fan.cos, fan.sin)
    last = _index((_angle(vy, vx) - fan.first_rad) * fan.per_rad, vx, vy, fan.rays, fan.cos, fan.sin)
    if first > last or (uy >= 0.0 and vy < 0.0 and (ux < 0.0 or vx < 0.0)):
        _lower(z, fan, first, fan.rays, x, y, d2, r2)
        first = 0
    _lower(z, fan, first, last, x, y, d2, r2)


@inner(fastmath=True)
def _lower(z, fan, first, last, x, y, d2, r2):  # type: ignore[no-untyped-def]
    for r in range(first, last):
        along = at(fan.cos, r) * x + at(fan.sin, r) * y
        put(z, r, fmin(at(z, r), along - math.sqrt(fmax(r2 - (d2 - along * along), 0.0))))


@inner(fastmath=True)
def gather(me, x, y, c, s, low_x, low_y, high_x, high_y, reach, bodies, work, fan, all_faces):  # type: ignore[no-untyped-def]
    """Note the bodies near (x, y): discs into work.disc, faces into the table; return (discs, polygons).

    The box from low to high (relative to the sensor, in the world's directions) bounds what can be seen. Faces that
    look away are left out unless *all_faces*; a polygon around the sensor is noted as a disc around it.
    """
    wide = bodies.widest
    a0 = min(max(int((x + low_x - wide - bodies.x0) * bodies.per_m), 0), bodies.nx - 1)
    a1 = min(max(int((x + high_x + wide - bodies.x0) * bodies.per_m), 0), bodies.nx - 1)
    b0 = min(max(int((y + low_y - wide - bodies.y0) * bodies.per_m), 0), bodies.ny - 1)
    b1 = min(max(int((y + high_y + wide - bodies.y0) * bodies.per_m), 0), bodies.ny - 1)
    discs, edges, polygons = 0, 0, 0
    work.faces[0] = 0
    for j in range(b0, b1 + 1):
        for p in range(at(bodies.start, j * bodies.nx + a0), at(bodies.start, j * bodies.nx + a1 + 1)):
            k = at(bodies.order, p)
            radius = at(bodies.radius, k)
            px, py = at(bodies.at_x, p) - x, at(bodies.at_y, p) - y
            far = reach + radius
            if k == me or radius == 0.0 or px * px + py * py > far * far:
                continue
            bx, by = c * px + s * py, c * py - s * px
            n = at(bodies.corners, k)
            if n == 0:
                if discs < MOST_EDGES:
                    put(work.disc, discs, bx)
                    put(work.disc, discs + MOST_EDGES, by)
                    put(work.disc, discs + 2 * MOST_EDGES, radius)
                    discs += 1
            elif edges + n <= MOST_EDGES:
                seen = _note_faces(k, n, bx, by, c, s, bodies, edges, fan, work.table, all_faces)
                if seen == edges and discs < MOST_EDGES:
                    put(work.disc, discs, 0.0)
                    put(work.disc, discs + MOST_EDGES, 0.0)
                    put(work.disc, discs + 2 * MOST_EDGES, radius)
                    discs += 1
                edges = seen
                polygons += 1
                work.faces[polygons] = edges
    return discs, polygons


@inner(fastmath=True)
def _note_faces(k, n, bx, by, c, s, bodies, edges, fan, t, all_faces):  # type: ignore[no-untyped-def]
    """Note the faces of a polygon that look at the sensor, or all of them; return how many edges there are now."""
    hc, hs = math.cos(at(bodies.heading, k)), math.sin(at(bodies.heading, k))
    rc, rs = hc * c + hs * s, hs * c - hc * s
    px = bx + rc * bodies.outline[k, n - 1, 0] - rs * bodies.outline[k, n - 1, 1]
    py = by + rs * bodies.outline[k, n - 1, 0] + rc * bodies.outline[k, n - 1, 1]
    for e in range(n):
        qx = bx + rc * bodies.outline[k, e, 0] - rs * bodies.outline[k, e, 1]
        qy = by + rs * bodies.outline[k, e, 0] + rc * bodies.outline[k, e, 1]
        cross = px * qy - py * qx
        if cross < 0.0 or all_faces:  # seen from outside, a face of a counter-clockwise outline runs from left to right
            _note_edge(edges, qx, qy, px, py, 1.0 / (-cross + _TINY), fan, t)
            edges += 1
        px, py = qx, qy
    return edges


@inner(fastmath=True)
def _box_of(fan, z, c, s):  # type: ignore[no-untyped-def]
    """Turn inverse ranges into ranges; return the box about the sensor that holds every hit."""
    low_x, low_y, high_x, high_y = 0.0, 0.0, 0.0, 0.0
    for r in range(fan.rays):
        t = 1.0 / at(z, r)
        put(z, r, t)
        wx = t * (c * at(fan.cos, r) - s * at(fan.sin, r))
        wy = t * (s * at(fan.cos, r) + c * at(fan.sin, r))
        low_x, high_x = fmin(low_x, wx), fmax(high_x, wx)
        low_y, high_y = fmin(low_y, wy), fmax(high_y, wy)
    return low_x, low_y, high_x, high_y


@inner()
def _column(x, low, per_m):  # type: ignore[no-untyped-def]
    """Return the column (or row) of cells that a coordinate lies in; negative outside."""
    f = (x - low) * per_m
    return int(f) if f >= 0.0 else -1


@inner()
def list_at(x, y, grid, per_m, lists):  # type: ignore[no-untyped-def]
    """Return where the list of the cell around a point begins (or UNKNOWN, TOO_MANY), the cell, and x, y within it."""
    i, j = _column(x, grid.x0, per_m), _column(y, grid.y0, per_m)
    cell = j * grid.nx + i
    inside = i >= 0 and i < grid.nx and j >= 0 and j < grid.ny
    begin = at(lists.start, cell) if inside else TOO_MANY
    return begin, cell, x - (grid.x0 + i * grid.cell), y - (grid.y0 + j * grid.cell)


@inner(fastmath=True)
def scan(first, last, todo, rows, place, fan, grid, seg, lists, bodies, work, out):  # type: ignore[no-untyped-def]
    """Write the ranges of the rows todo[first:last] into *out*; return how many of them met a cell without a list.

    Those are in work.undone, their cells in work.missing: the caller builds the lists and does the rows again.
    """
    missing = 0
    z = work.z
    nearest, per_m = 1.0 / fan.limit, 1.0 / grid.cell
    for p in range(first, last):
        row = at(todo, p)
        me = at(rows, row)
        heading = place[me, 2]
        hc, hs = math.cos(heading), math.sin(heading)
        x, y = place[me, 0] + hc * fan.x - hs * fan.y, place[me, 1] + hs * fan.x + hc * fan.y
        c, s = math.cos(heading + fan.yaw), math.sin(heading + fan.yaw)
        begin, cell, ox, oy = list_at(x, y, grid, per_m, lists)
        if begin == UNKNOWN:
            work.missing[missing] = cell
            work.undone[missing] = row
            missing += 1
            continue
        if begin == TOO_MANY:
            for r in range(fan.rays):
                dx, dy = c * fan.cos[r] - s * fan.sin[r], s * fan.cos[r] + c * fan.sin[r]
                z[r] = 1.0 / max(cast_walls(x, y, dx, dy, fan.limit, grid, seg), 1e-12)
        else:
            for r in range(fan.rays):
                z[r] = nearest
            _paint_walls(begin, at(lists.length, cell), ox, oy, c, s, fan, lists, work)
        low_x, low_y, high_x, high_y = _box_of(fan, z, c, s)
        discs, polygons = gather(me, x, y, c, s, low_x, low_y, high_x, high_y, fan.limit, bodies, work, fan, False)
        if polygons:
            for r in range(fan.rays):
                z[r] = 1.0 / max(z[r], 1e-12)
            _paint_edges(work.faces[polygons], fan, work)
            for r in range(fan.rays):
                z[r] = 1.0 / z[r]
        for q in range(discs):
            _paint_disc(work.disc[q], work.disc[q + MOST_EDGES], work.disc[q + 2 * MOST_EDGES], fan, z)
        for r in range(fan.rays):
            out[row, r] = z[r]
    return missing


@kernel()
def sort_bodies(place, bodies, cursor):  # type: ignore[no-untyped-def]
    """Sort the bodies into cells by their present places (counting sort)."""
    cells, n = bodies.nx * bodies.ny, place.shape[0]
    start = bodies.start
    for c in range(cells + 1):
        start[c] = 0
    for k in range(n):
        i = min(max(int((place[k, 0] - bodies.x0) * bodies.per_m), 0), bodies.nx - 1)
        j = min(max(int((place[k, 1] - bodies.y0) * bodies.per_m), 0), bodies.ny - 1)
        cursor[k] = j * bodies.nx + i
        start[cursor[k] + 1] += 1
    for c in range(cells):
        start[c + 1] += start[c]
    for k in range(n - 1, -1, -1):  # backwards, so that each start moves from its end to its beginning
        c = cursor[k] + 1
        start[c] -= 1
        p = start[c]
        bodies.order[p] = k
        bodies.at_x[p], bodies.at_y[p] = place[k, 0], place[k, 1]
        bodies.heading[k] = place[k, 2]
    for c in range(cells):  # start[c + 1] is now where c begins
        start[c] = start[c + 1]
    start[cells] = n
