"""The z-buffer of a scan: edges and discs, found eight at a time, are painted over the rays between their ends.

Everything is in the sensor's frame. An edge from u to v is hit along the direction (c, s) at the inverse range
``A c + B s`` with ``A = (vy - uy) / cross(u, v)`` and ``B = (ux - vx) / cross(u, v)``: linear, no division per ray. The
ends are found by a polynomial arctangent and, if that is too close to a ray, decided exactly by a cross product: no ray
slips between two walls that meet.

An edge whose line passes through the sensor covers no angle: a ray along it hits its near end, and if the sensor is on
it, everything is hit at once.

Walls are painted first, over inverse ranges: higher is nearer. Later things are painted over ranges.
"""

from __future__ import annotations

import math

from understudy import elementary
from understudy.engines.cells import cell_index
from understudy.engines.rays.level.grid import HAIR_M
from understudy.engines.rays.level.visible_walls import AX, AY, BX, BY, COLUMNS
from understudy.engines.rays.level.visible_walls import WHICH as WHICH_WALL
from understudy.engines.rays.simd.llvm import WIDTH, at, put
from understudy.engines.rays.simd.vec8 import (
    bits,
    ceiling,
    cross,
    dot,
    first_lanes,
    high,
    lanes_between,
    load,
    low,
    lowest,
    polynomial,
    root,
    select,
    size,
    store,
)
from understudy.jit import inner

MOST = 512  # edges or discs painted at once
PLANE = MOST + WIDTH  # stride between planes of a table: not a power of 2, to avoid cache conflicts
UX, UY, VX, VY, A, B, FIRST, LAST, LEAN, WHICH = (PLANE * n for n in range(10))  # planes of edges
X, Y, R, WHO = (PLANE * n for n in range(4))  # planes of discs
TABLE, DISCS = 12 * PLANE, 4 * PLANE
HERE = 1.0 / HAIR_M  # the inverse range of a hit at the origin
FAR_M = 1e30

_TINY = 1e-30
_ARCTANGENT = (0.99997726, -0.33262347, 0.19354346, -0.11643287, 0.05265332, -0.01172120)  # of a, by powers of a * a
_SLACK, _SLACK_RAD = 1e-3, 4e-6  # ends nearer to a ray than these limits are decided exactly


@inner(counted=False)
def _wide(x, y):
    return high(size(x), size(y)) + _TINY


@inner(counted=False)
def _angle(x, y, over):
    """Return atan2(y, x) to 2e-6 rad; *over* is 1 / _wide(x, y)."""
    steep = size(y) > size(x)
    a = low(size(x), size(y)) * over
    r = a * polynomial(a * a, _ARCTANGENT)
    r = select(steep, 1.5707963267948966 - r, r)
    r = select(x < 0.0, 3.141592653589793 - r, r)
    return select(y < 0.0, 0.0 - r, r)


@inner(counted=False)
def _index(f, x, y, fan):
    """Return exactly the first ray at or to the left of the direction (x, y), whose index is approximately *f*."""
    r = cell_index(f + 0.5, fan.rays + 1)
    while r < fan.rays and at(fan.cos, r) * y - at(fan.sin, r) * x > 0.0:
        r += 1
    while r > 0 and at(fan.cos, r - 1) * y - at(fan.sin, r - 1) * x <= 0.0:
        r -= 1
    return r


@inner(counted=False)
def _span(q, ux, uy, vx, vy, over_u, over_v, fan, t):
    """Store the ray interval of things from u to v; return which need a closer look, cross the seam, are seen."""
    slack, rays = _SLACK + _SLACK_RAD * fan.per_rad, float(fan.rays)
    fu = (_angle(ux, uy, over_u) - fan.first_rad) * fan.per_rad
    fv = (_angle(vx, vy, over_v) - fan.first_rad) * fan.per_rad
    ru, rv = ceiling(fu), ceiling(fv)
    du, dv = ru - fu, rv - fv
    close = (low(du, dv) < slack) | (high(du, dv) > 1.0 - slack)
    ru, rv = low(high(ru, 0.0), rays), low(high(rv, 0.0), rays)
    across = (ru > rv) | ((uy >= 0.0) & (vy < 0.0) & (low(ux, vx) < 0.0))
    store(t, q + FIRST, select(close, fu, ru))
    store(t, q + LAST, select(close, fv, rv))
    return close, across, across | close | (ru < rv)


@inner(counted=False)
def _ends(q, lane, close, across, fan, t):
    """Return the first ray of a thing and the one after the last, and whether the seam is between them."""
    first, last, beyond = at(t, q + FIRST), at(t, q + LAST), (across >> lane) & 1 != 0
    if (close >> lane) & 1 == 0:
        return cell_index(first, fan.rays + 1), cell_index(last, fan.rays + 1), beyond
    a = _index(first, at(t, q + UX), at(t, q + UY), fan)
    b = _index(last, at(t, q + VX), at(t, q + VY), fan)
    return a, b, beyond or a > b


@inner(counted=False)
def _put(r, better, which, cosine, work):
    """Store what is hit, and its cosine, where it is nearer than what was there."""
    marks, cosines = DISCS + r, DISCS + work.z.shape[0] + r
    store(work.disc, marks, select(better, which, load(work.disc, marks)))
    store(work.disc, cosines, select(better, low(cosine, 1.0), load(work.disc, cosines)))


# ---- edges


@inner(counted=False)
def note_walls(start, count, ox, oy, c, s, lists, t, hits):
    """Write the walls of a list into the table, seen from (ox, oy) in the cell's frame along (c, s)."""
    walls = lists.walls
    for q in range(0, count, WIDTH):
        k = COLUMNS * (start + q)
        px, py, qx, qy = (
            load(walls, k + AX) - ox,
            load(walls, k + AY) - oy,
            load(walls, k + BX) - ox,
            load(walls, k + BY) - oy,
        )
        store(t, q + UX, dot(c, s, px, py))
        store(t, q + UY, cross(c, s, px, py))
        store(t, q + VX, dot(c, s, qx, qy))
        store(t, q + VY, cross(c, s, qx, qy))
        if hits:
            store(t, q + WHICH, load(walls, k + WHICH_WALL))


@inner(counted=False)
def paint_edges(count, fan, work, ranges, hits):
    """Paint the edges of the table, over inverse ranges or over *ranges*."""
    t, behind = work.table, -FAR_M if fan.wide else 0.0
    for q in range(0, count, WIDTH):
        px, py, qx, qy = load(t, q + UX), load(t, q + UY), load(t, q + VX), load(t, q + VY)
        dx, dy = qx - px, qy - py
        area, length2 = cross(px, py, qx, qy), dot(dx, dy, dx, dy)
        turned = area < 0.0
        ux, uy, vx, vy = select(turned, qx, px), select(turned, qy, py), select(turned, px, qx), select(turned, py, qy)
        wide_u, wide_v, some = _wide(ux, uy), _wide(vx, vy), area + select(turned, -_TINY, _TINY)
        both = wide_u * wide_v
        over = 1.0 / (some * both)  # one division is 16 cycles, four of these products 8
        inverse, over = over * both, over * some
        store(t, q + UX, ux)
        store(t, q + UY, uy)
        store(t, q + VX, vx)
        store(t, q + VY, vy)
        store(t, q + A, dy * inverse)
        store(t, q + B, 0.0 - dx * inverse)
        if hits:
            store(t, q + LEAN, size(area) / (root(length2) + _TINY))
        close, across, seen = _span(q, ux, uy, vx, vy, over * wide_v, over * wide_u, fan, t)
        there, thin = first_lanes(count - q), area * area <= HAIR_M * HAIR_M * length2
        close, across, flat = bits(close), bits(across), bits(there & thin)
        seen = bits(there & seen & (high(ux, vx) >= behind)) & ~flat
        while seen:
            lane = lowest(seen)
            seen &= seen - 1
            first, last, beyond = _ends(q + lane, lane, close, across, fan, t)
            _paint_edge(q + lane, first, last, beyond, fan, work, ranges, hits)
        while flat:
            _paint_flat(q + lowest(flat), fan, work, ranges, hits)
            flat &= flat - 1


@inner(counted=False)
def _paint_edge(e, first, last, beyond, fan, work, ranges, hits):
    """Paint an edge over its rays."""
    a, b = at(work.table, e + A), at(work.table, e + B)
    stop = fan.rays if beyond else last
    while True:
        r = first & -WIDTH  # whole blocks: what was stored just before is loaded again without delay
        while r < stop:
            if ranges:
                _lower_to(r, lanes_between(first - r, stop - r), a, b, e, fan, work, hits)
            else:
                _raise(r, lanes_between(first - r, stop - r), a, b, e, fan, work, hits)
            r += WIDTH
        if not beyond:
            return
        first, stop, beyond = 0, last, False


@inner(counted=False)
def _raise(r, which, a, b, e, fan, work, hits):
    """Paint edge *e* over those of the WIDTH rays from *r* on."""
    z = work.z
    value, old = select(which, dot(load(fan.cos, r), load(fan.sin, r), a, b), 0.0), load(z, r)
    store(z, r, high(old, value))
    if hits:
        _put(r, value > old, at(work.table, e + WHICH), value * at(work.table, e + LEAN), work)


@inner(counted=False)
def _lower_to(r, which, a, b, e, fan, work, hits):
    """Paint edge *e* over those of the WIDTH rays from *r* on."""
    z = work.z
    value, old = select(which, dot(load(fan.cos, r), load(fan.sin, r), a, b), 0.0), load(z, r)
    new = 1.0 / high(value, 1.0 / FAR_M)
    store(z, r, low(old, new))
    if hits:
        _put(r, new < old, at(work.table, e + WHICH), value * at(work.table, e + LEAN), work)


@inner(counted=False)
def _paint_flat(e, fan, work, ranges, hits):
    """Paint an edge whose line passes through the sensor: one ray hits its near end, or all do if it is here."""
    t, z = work.table, work.z
    ux, uy, dx, dy = at(t, e + UX), at(t, e + UY), at(t, e + VX) - at(t, e + UX), at(t, e + VY) - at(t, e + UY)
    share = min(max(-(ux * dx + uy * dy) / max(dx * dx + dy * dy, _TINY), 0.0), 1.0)
    x, y = ux + share * dx, uy + share * dy
    away = math.sqrt(x * x + y * y)
    first, last = 0, fan.rays
    if away > HAIR_M:
        first = cell_index((elementary.atan2(y, x) - fan.first_rad) * fan.per_rad + 0.5, fan.rays)
        last = first + 1 if abs(at(fan.cos, first) * y - at(fan.sin, first) * x) <= HAIR_M else first
        last = last if at(fan.cos, first) * x + at(fan.sin, first) * y > 0.0 else first
    away = max(away, HAIR_M)
    for r in range(first, last):
        if (away < at(z, r)) if ranges else (1.0 / away > at(z, r)):
            put(z, r, away if ranges else 1.0 / away)
            if hits:
                put(work.disc, DISCS + r, at(t, e + WHICH))
                put(work.disc, DISCS + z.shape[0] + r, 0.0 if away > HAIR_M else 1.0)


# ---- discs


@inner(counted=False)
def paint_discs(count, fan, work, hits):
    """Paint the stored discs over ranges; the table is used for their ends."""
    t, d = work.table, work.disc
    for q in range(0, count, WIDTH):
        x, y, r = load(d, q + X), load(d, q + Y), load(d, q + R)
        power = dot(x, y, x, y) - r * r
        h = root(high(power, 0.0))
        ux, uy, vx, vy = dot(h, r, x, y), cross(h, r, x, y), cross(h, r, y, x), dot(h, r, y, x)
        store(t, q + UX, ux)
        store(t, q + UY, uy)
        store(t, q + VX, vx)
        store(t, q + VY, vy)
        store(t, q + A, power)
        wide_u, wide_v = _wide(ux, uy), _wide(vx, vy)
        over = 1.0 / (wide_u * wide_v)
        close, across, seen = _span(q, ux, uy, vx, vy, over * wide_v, over * wide_u, fan, t)
        there = first_lanes(count - q)
        close, across, around = bits(close), bits(across), bits(there & (power <= 0.0))
        seen = bits(there & seen) & ~around
        while seen:
            lane = lowest(seen)
            seen &= seen - 1
            first, last, beyond = _ends(q + lane, lane, close, across, fan, t)
            _paint_disc(q + lane, first, last, beyond, fan, work, hits)
        if around:
            _paint_all(q + lowest(around), fan, work, hits)


@inner(counted=False)
def _paint_disc(e, first, last, beyond, fan, work, hits):
    """Paint a disc over its rays."""
    stop = fan.rays if beyond else last
    while True:
        r = first & -WIDTH
        while r < stop:
            _lower(r, lanes_between(first - r, stop - r), e, fan, work, hits)
            r += WIDTH
        if not beyond:
            return
        first, stop, beyond = 0, last, False


@inner(counted=False)
def _lower(r, which, e, fan, work, hits):
    """Paint disc *e* over those of the WIDTH rays from *r* on."""
    d, z = work.disc, work.z
    along = dot(load(fan.cos, r), load(fan.sin, r), at(d, e + X), at(d, e + Y))
    inward = root(high(along * along - at(work.table, e + A), 0.0))
    new, old = select(which, along - inward, FAR_M), load(z, r)
    store(z, r, low(old, new))
    if hits:
        _put(r, new < old, at(d, e + WHO), inward / at(d, e + R), work)


@inner(counted=False)
def _paint_all(e, fan, work, hits):
    """Paint a disc that contains the sensor."""
    for r in range(fan.rays):
        put(work.z, r, 0.0)
        if hits:
            put(work.disc, DISCS + r, at(work.disc, e + WHO))
            put(work.disc, DISCS + work.z.shape[0] + r, 1.0)
