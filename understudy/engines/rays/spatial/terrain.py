"""Rays over terrain: an exact walk over the cells of a height field, and the height below a point.

Along a ray, its height above the surface is piecewise linear and continuous, so a change of its sign is the hit, and
nothing can slip through an edge. Below the surface all is solid: a ray that starts there hits it at 0. Outside the
terrain there is nothing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.engines.cells import cell_index
from understudy.engines.rays.spatial.solid_shapes import _in_slab, _turn
from understudy.jit import inner, kernel
from understudy.world.terrain import Terrain

Array = npt.NDArray[np.float64]


class Relief(NamedTuple):
    """A terrain for compiled code; *mask* are the layers that see it."""

    z: npt.NDArray[np.float32]  # (rows, columns)
    x0: float
    y0: float
    dx: float
    dy: float
    low: float
    high: float
    mask: int
    reflectance: float


def relief_of(terrain: Terrain, mask: int, reflectance: float = 1.0) -> Relief:
    """Return a terrain in the form of the kernels."""
    z = np.ascontiguousarray(terrain.heights)
    steps = (float(terrain.step_x_m), float(terrain.step_y_m))
    start = (float(terrain.x0_m), float(terrain.y0_m))
    return Relief(z, *start, *steps, float(z.min()), float(z.max()), int(mask), float(reflectance))


@inner()
def _patch(z, i, j):
    """Return the heights at the corners of a cell: at minimum x and y, minimum y, minimum x, maximum."""
    return np.float64(z[j, i]), np.float64(z[j, i + 1]), np.float64(z[j + 1, i]), np.float64(z[j + 1, i + 1])


@inner()
def ground_below(x, y, relief):
    """Return the height of the surface at x, y and its normal; -inf and straight up outside the terrain."""
    rows, columns = relief.z.shape
    u, v = (x - relief.x0) / relief.dx, (y - relief.y0) / relief.dy
    if not (0.0 <= u <= columns - 1 and 0.0 <= v <= rows - 1):
        return -math.inf, 0.0, 0.0, 1.0
    i, j = cell_index(u, columns - 1), cell_index(v, rows - 1)
    a, b, c, d = _patch(relief.z, i, j)
    u, v = u - i, v - j
    gx, gy = (b - a, d - b) if u >= v else (d - c, c - a)
    height = a + gx * u + gy * v
    gx, gy = gx / relief.dx, gy / relief.dy
    length = math.sqrt(1.0 + gx * gx + gy * gy)
    return height, -gx / length, -gy / length, 1.0 / length


@kernel()
def below(points, relief, out):
    """Write height and normal of the surface at the x, y of each point into rows of four."""
    for n in range(points.shape[0]):
        out[n, 0], out[n, 1], out[n, 2], out[n, 3] = ground_below(points[n, 0], points[n, 1], relief)


@inner()
def _gap(a, b, c, d, u, v, z):
    """Return how far z is above the surface of a cell at u, v from 0 to 1."""
    return z - (a + (b - a) * u + (d - b) * v if u >= v else a + (d - c) * u + (c - a) * v)


@inner()
def _span(px, py, pz, ux, uy, uz, limit, nx, ny, low, high):
    """Return the interval of a ray above the terrain's area and not above its peak; 0 and -1 if there is none."""
    x0, x1 = _in_slab(px - 0.5 * nx, ux, 0.5 * nx)
    y0, y1 = _in_slab(py - 0.5 * ny, uy, 0.5 * ny)
    begin, end = max(max(x0, y0), 0.0), min(min(x1, y1), limit)
    if uz < 0.0:
        begin = max(begin, (high - pz) / uz)
    elif uz > 0.0:
        end = min(end, (high - pz) / uz)
    elif pz > high:
        return 0.0, -1.0
    return (begin, end) if begin <= end else (0.0, -1.0)


@inner()
def _edge(p, u, i):
    """Return where a ray leaves the cell *i* along one axis."""
    if u > 0.0:
        return (i + 1 - p) / u
    return (i - p) / u if u < 0.0 else math.inf


@inner()
def _start(p, u, t, cells):
    """Return the cell in which a ray continues from *t*, and its step."""
    at = p + u * t
    i = cell_index(at, cells)
    if u < 0.0 and at == i and i > 0:
        i -= 1
    return i, (1 if u > 0.0 else -1 if u < 0.0 else 0)


@inner()
def _within(value):
    return min(max(value, 0.0), 1.0)


@inner()
def _cell_hit(a, b, c, d, fx, fy, pz, ux, uy, uz, t0, t1):
    """Return where a ray from t0 to t1 first gets below the surface of a cell, or inf; fx, fy are p minus the cell."""
    g0 = _gap(a, b, c, d, _within(fx + ux * t0), _within(fy + uy * t0), pz + uz * t0)
    if g0 <= 0.0:
        return t0
    if ux != uy:
        bend = (fy - fx) / (ux - uy)
        if t0 < bend < t1:
            w = _within(fx + ux * bend)
            g1 = _gap(a, b, c, d, w, w, pz + uz * bend)
            if g1 <= 0.0:
                return t0 + (bend - t0) * (g0 / (g0 - g1))
            t0, g0 = bend, g1
    g1 = _gap(a, b, c, d, _within(fx + ux * t1), _within(fy + uy * t1), pz + uz * t1)
    return t0 + (t1 - t0) * (g0 / (g0 - g1)) if g1 <= 0.0 else math.inf


@inner(copied=False)
def over(ox, oy, oz, dx, dy, dz, limit, relief):
    """Return the distance along a ray to the terrain (m), or *limit*."""
    ny, nx = relief.z.shape[0] - 1, relief.z.shape[1] - 1
    px, py, ux, uy = (ox - relief.x0) / relief.dx, (oy - relief.y0) / relief.dy, dx / relief.dx, dy / relief.dy
    begin, end = _span(px, py, oz, ux, uy, dz, limit, nx, ny, relief.low, relief.high)
    if end < begin:
        return limit
    i, step_x = _start(px, ux, begin, nx)
    j, step_y = _start(py, uy, begin, ny)
    while 0 <= i < nx and 0 <= j < ny:
        next_x, next_y = _edge(px, ux, i), _edge(py, uy, j)
        leave = min(min(next_x, next_y), end)
        a, b, c, d = _patch(relief.z, i, j)
        if min(oz + dz * begin, oz + dz * leave) <= max(max(a, b), max(c, d)):
            t = _cell_hit(a, b, c, d, px - i, py - j, oz, ux, uy, dz, begin, max(leave, begin))
            if t < limit:
                return t
        if leave >= end:
            break
        begin = max(leave, begin)
        if next_x <= next_y:
            i += step_x
        else:
            j += step_y
    return limit


@kernel()
def cast_terrain(places, origins, directions, relief, row, out, which):
    """Shorten the distances in *out* to those to the terrain (m); there *which*, unless it is empty, becomes *row*."""
    for n in range(places.shape[0]):
        x, y, z = places[n, 0], places[n, 1], places[n, 2]
        xx, xy, xz, yx, yy, yz, zx, zy, zz = _turn(places[n, 3], places[n, 4], places[n, 5])
        for r in range(origins.shape[0]):
            a, b, c = origins[r, 0], origins[r, 1], origins[r, 2]
            ox, oy, oz = x + xx * a + xy * b + xz * c, y + yx * a + yy * b + yz * c, z + zx * a + zy * b + zz * c
            a, b, c = directions[r, 0], directions[r, 1], directions[r, 2]
            dx, dy, dz = xx * a + xy * b + xz * c, yx * a + yy * b + yz * c, zx * a + zy * b + zz * c
            t = over(ox, oy, oz, dx, dy, dz, out[n, r], relief)
            if t < out[n, r]:
                out[n, r] = t
                if which.shape[0]:
                    which[n, r] = row
