"""What a wheel stands on: the first solid along a short ray, how far away, how it lies and how it grips.

The solids are those that sensors see, in the same rows; `form` of those that move is written by `readout.place`.
"""

from __future__ import annotations

import math

from understudy.compiled import inner
from understudy.engines.rays.solid_shapes import BOX, CONE, GROUND, NOTHING, PRISM, SPHERE, ray_solid
from understudy.engines.rays.solids import OBSTACLE


@inner(copied=False)
def _try(k, ox, oy, oz, dx, dy, dz, best, hit, owner, solids):  # type: ignore[no-untyped-def]
    """Return distance and row of the nearer of what was hit and solid *k*; who is inside of it does not stand on it."""
    tags = solids.tags
    if tags[k, 1] & OBSTACLE and tags[k, 2] != owner:
        t = ray_solid(k, ox, oy, oz, dx, dy, dz, best, solids.form, tags, solids.edges)
        if 0.0 < t < best:
            return t, k
    return best, hit


@inner()
def _in_cell(i, j, ox, oy, oz, dx, dy, dz, best, hit, owner, solids, cells):  # type: ignore[no-untyped-def]
    if 0 <= i < cells.nx and 0 <= j < cells.ny:
        for p in range(cells.start[j * cells.nx + i], cells.start[j * cells.nx + i + 1]):
            best, hit = _try(cells.rows[p], ox, oy, oz, dx, dy, dz, best, hit, owner, solids)
    return best, hit


@inner()
def look(ox, oy, oz, dx, dy, dz, limit, owner, solids, cells, near, count):  # type: ignore[no-untyped-def]
    """Return how far along a short ray something to stand on is, and its row, or the limit and NOTHING (m).

    *near* are the rows of moving solids that are worth a look, *count* of them.
    """
    best, hit = limit, NOTHING
    if cells.ground >= 0:
        if oz <= 0.0:
            return 0.0, cells.ground
        if dz < 0.0 and -oz / dz < best:
            best, hit = -oz / dz, cells.ground
    i, j = int(math.floor((ox - cells.x0) / cells.cell)), int(math.floor((oy - cells.y0) / cells.cell))
    best, hit = _in_cell(i, j, ox, oy, oz, dx, dy, dz, best, hit, owner, solids, cells)
    ex, ey = ox + limit * dx, oy + limit * dy
    i2, j2 = int(math.floor((ex - cells.x0) / cells.cell)), int(math.floor((ey - cells.y0) / cells.cell))
    if i2 != i or j2 != j:
        best, hit = _in_cell(i2, j2, ox, oy, oz, dx, dy, dz, best, hit, owner, solids, cells)
    for p in range(count):
        best, hit = _try(near[p], ox, oy, oz, dx, dy, dz, best, hit, owner, solids)
    return best, hit


@inner()
def _own_normal(k, x, y, z, form, tags, edges):  # type: ignore[no-untyped-def]
    """Return the normal of solid *k* at a point of its surface, both in its own frame."""
    kind, hx, hy, hz = tags[k, 0], form[k, 12], form[k, 13], form[k, 14]
    flat = abs(hz - abs(z))
    if kind == BOX:
        across, along = abs(hx - abs(x)), abs(hy - abs(y))
        if flat <= across and flat <= along:
            return 0.0, 0.0, math.copysign(1.0, z)
        return (math.copysign(1.0, x), 0.0, 0.0) if across <= along else (0.0, math.copysign(1.0, y), 0.0)
    if kind == SPHERE:
        return x / hx, y / hx, z / hx
    if kind == PRISM:
        best, nx, ny = flat, 0.0, 0.0
        for e in range(tags[k, 3], tags[k, 4]):
            gap = abs(edges[e, 2] - edges[e, 0] * x - edges[e, 1] * y)
            if gap < best:
                best, nx, ny = gap, edges[e, 0], edges[e, 1]
        return (nx, ny, 0.0) if best < flat else (0.0, 0.0, math.copysign(1.0, z))
    slope = 0.5 * hx / hz if kind == CONE else 0.0
    off = math.sqrt(x * x + y * y)
    if abs(hx - slope * (hz + z) - off) > flat or off == 0.0:
        return 0.0, 0.0, math.copysign(1.0, z)
    tall = math.sqrt(1.0 + slope * slope)
    return x / off / tall, y / off / tall, slope / tall


@inner()
def normal(k, x, y, z, solids):  # type: ignore[no-untyped-def]
    """Return the normal of solid *k* at a point of its surface."""
    form, tags = solids.form, solids.tags
    if tags[k, 0] == GROUND:
        return 0.0, 0.0, 1.0
    wx, wy, wz = x - form[k, 0], y - form[k, 1], z - form[k, 2]
    px = form[k, 3] * wx + form[k, 6] * wy + form[k, 9] * wz
    py = form[k, 4] * wx + form[k, 7] * wy + form[k, 10] * wz
    pz = form[k, 5] * wx + form[k, 8] * wy + form[k, 11] * wz
    nx, ny, nz = _own_normal(k, px, py, pz, form, tags, solids.edges)
    return (
        form[k, 3] * nx + form[k, 4] * ny + form[k, 5] * nz,
        form[k, 6] * nx + form[k, 7] * ny + form[k, 8] * nz,
        form[k, 9] * nx + form[k, 10] * ny + form[k, 11] * nz,
    )


@inner()
def under(ox, oy, oz, dx, dy, dz, limit, owner, solids, fixed, cells, near, count, grips, rough):  # type: ignore[no-untyped-def]
    """Return what is under a wheel on flat ground: how far (the limit: nothing), its normal, its grip, whose it is."""
    reach, hit = look(ox, oy, oz, dx, dy, dz, limit, owner, solids, cells, near, count)
    if hit == NOTHING:
        return limit, 0.0, 0.0, 1.0, 0.0, NOTHING
    nx, ny, nz = normal(hit, ox + reach * dx, oy + reach * dy, oz + reach * dz, solids)
    return reach, nx, ny, nz, grips[hit], solids.tags[hit, 2] if hit >= fixed else NOTHING
