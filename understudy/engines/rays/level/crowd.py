"""Bodies that a scan may hit, found through a hash of cells, within the box that the walls leave visible.

A disc is hit between its tangents, a polygon by the faces that face the sensor. What does not fit into the tables at
once is painted in portions.
"""

from __future__ import annotations

import numpy as np

from understudy.engines.cells import OUTSIDE, cell_index
from understudy.engines.rays.level.paint import MOST, UX, UY, VX, VY, WHICH, WHO, R, X, Y
from understudy.engines.rays.simd.llvm import at, put
from understudy.jit import inner

ALL = -1  # cursor of a finished search


@inner(counted=False)
def next_cells(first, bodies):
    """Return where the cells begin that are searched after those from *first* on: what is common to all worlds."""
    return bodies.common if first != bodies.common else OUTSIDE


@inner(counted=False)
def cells_of(low_x, high_x, low_y, high_y, bodies):
    """Return the first and last column and row of the cells of everything that may extend into a box."""
    wide, per_m = bodies.widest, bodies.per_m
    a0 = cell_index((low_x - wide - bodies.x0) * per_m, bodies.nx)
    a1 = cell_index((high_x + wide - bodies.x0) * per_m, bodies.nx)
    b0 = cell_index((low_y - wide - bodies.y0) * per_m, bodies.ny)
    b1 = cell_index((high_y + wide - bodies.y0) * per_m, bodies.ny)
    return a0, a1, b0, b1


@inner(counted=False)
def gather(me, x, y, c, s, box, bodies, work, fan, cursor, corner, hits, walls):
    """Store bodies that a scan may hit: discs, and edges that face the sensor, from a *cursor* on.

    Returns the number of discs and edges, and the cursor for continuing after they are painted, or ALL. A body that
    contains the sensor is stored as a disc around it.
    """
    low_x, low_y, high_x, high_y, far = box
    t, d = work.table, work.disc
    a0, a1, b0, b1 = cells_of(x + low_x, x + high_x, y + low_y, y + high_y, bodies)
    discs, edges, base = np.int64(0), np.int64(0), at(bodies.home, me)
    while base != OUTSIDE:
        for j in range(b0, b1 + 1):
            row = base + j * bodies.nx
            for p in range(max(at(bodies.start, row + a0), cursor), at(bodies.start, row + a1 + 1)):
                k = at(bodies.order, p)
                radius = at(bodies.radius, k)
                px, py = at(bodies.at_x, p) - x, at(bodies.at_y, p) - y
                bx, by, n, most = c * px + s * py, c * py - s * px, at(bodies.corners, k), far + radius
                counts = (k != me) & (radius > 0.0) & (px * px + py * py <= most * most) & (fan.wide | (bx >= -radius))
                if n > 0 and not counts:
                    continue
                if discs == MOST or (edges > 0 and edges + n > MOST):
                    return discs, edges, p, 0
                if n > 0:
                    seen, corner = _note_faces(k, n, corner, bx, by, c, s, bodies, edges, t, hits, walls)
                    if corner:
                        return discs, seen, p, corner
                    if seen > edges:
                        edges = seen
                        continue
                    bx, by = 0.0, 0.0
                put(d, discs + X, bx)
                put(d, discs + Y, by)
                put(d, discs + R, radius)
                if hits:
                    put(d, discs + WHO, float(walls + k))
                discs += int(counts)  # entries that do not count are overwritten: a branch would be mispredicted
        base = next_cells(base, bodies)
    return discs, edges, ALL, 0


@inner(counted=False)
def _note_faces(k, n, corner, bx, by, c, s, bodies, edges, t, hits, walls):
    """Store the faces of a polygon that face the sensor, from a *corner* on; return edges and where to go on or 0."""
    hc, hs = at(bodies.cos, k), at(bodies.sin, k)
    rc, rs = hc * c + hs * s, hs * c - hc * s
    before = (corner if corner else n) - 1
    px = bx + rc * bodies.outline[k, before, 0] - rs * bodies.outline[k, before, 1]
    py = by + rs * bodies.outline[k, before, 0] + rc * bodies.outline[k, before, 1]
    for e in range(corner, n):
        qx = bx + rc * bodies.outline[k, e, 0] - rs * bodies.outline[k, e, 1]
        qy = by + rs * bodies.outline[k, e, 0] + rc * bodies.outline[k, e, 1]
        if px * qy - py * qx < 0.0:  # seen from outside, a face of a counter-clockwise outline runs from left to right
            if edges == MOST:
                return edges, e
            put(t, edges + UX, qx)
            put(t, edges + UY, qy)
            put(t, edges + VX, px)
            put(t, edges + VY, py)
            if hits:
                put(t, edges + WHICH, float(walls + k))
            edges += 1
        px, py = qx, qy
    return edges, 0
