"""The normal of a solid at a point of its surface, for compiled code without a ray to distinguish edges."""

from __future__ import annotations

import math

from understudy.engines.rays.spatial.solid_shapes import BOX, CONE, GROUND, PRISM, SPHERE
from understudy.jit import inner


@inner()
def _own_normal(k, x, y, z, form, tags, edges):
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
def normal(k, x, y, z, solids):
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
