"""Exact ray intersection with solids, and the walk through their grid: the compiled half of `solids`.

Every kind is convex, so a ray is inside it for one interval of its length: a ray that starts inside hits it at 0. A
solid has its own frame with the origin at its centre; a cylinder and a cone stand along z, the cone with its tip on
top. The arithmetic is relative to the point of the ray nearest to the centre, so that it is as exact from far away.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy import elementary
from understudy.engines.cells import cell_index
from understudy.jit import CAMERA, inner, kernel
from understudy.world.rotations import matrix_rows

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BOX, CYLINDER, CONE, SPHERE, PRISM, GROUND = 0, 1, 2, 3, 4, 5
NOTHING = -1  # the row of a hit that hits nothing


class Solids(NamedTuple):
    """One row per solid, packed so that one ray and one solid touch two cache lines; properties are views by name.

    A box of half size 0 in y is a wall without thickness, which a ray in its plane misses.
    """

    form: Array  # (N, 16): centre, rotation by rows, half sizes, reach
    tags: Ints  # (N, 5): kind, mask, owner, first and last + 1 of its edges
    edges: Array  # (E, 3), of all prisms: x, y of the normal, which points outward, and the edge's distance along it
    reflectance: Array  # (N,)

    @property
    def centre(self) -> Array:
        """Return the centres in the world frame (m)."""
        return self.form[:, :3]

    @property
    def turn(self) -> Array:
        """Return the rotations from the solids' frames to the world frame, (N, 3, 3)."""
        return self.form[:, 3:12].reshape(-1, 3, 3)

    @property
    def half(self) -> Array:
        """Return the half sizes in the solids' frames; round ones have their radius in x and y (m)."""
        return self.form[:, 12:15]

    @property
    def reach(self) -> Array:
        """Return the radius around the centre that contains each solid; for a sphere its own (m)."""
        return self.form[:, 15]

    @property
    def kind(self) -> Ints:
        """Return BOX, CYLINDER, CONE, SPHERE, PRISM or GROUND."""
        return self.tags[:, 0]

    @property
    def mask(self) -> Ints:
        """Return the layers that see each solid, one bit each."""
        return self.tags[:, 1]

    @property
    def owner(self) -> Ints:
        """Return the row of the robot or thing whose body it is, or NOBODY."""
        return self.tags[:, 2]


class Cells(NamedTuple):
    """A grid over the ground plan: which solids stand above each cell, within which heights, and the ground's row."""

    x0: float
    y0: float
    cell: float
    nx: int
    ny: int
    low: float
    high: float
    start: Ints  # by cell, into *rows*; one more than there are cells
    rows: Ints
    ground: int  # or NOTHING


_rotation = inner()(matrix_rows)


@inner()
def _turn(roll, pitch, yaw):
    return _rotation(
        elementary.cos(roll),
        elementary.sin(roll),
        elementary.cos(pitch),
        elementary.sin(pitch),
        elementary.cos(yaw),
        elementary.sin(yaw),
    )


@inner()
def _in_slab(p, d, half):
    """Return the interval of a ray between -half and half; a ray within a slab of zero thickness misses it."""
    if d == 0.0:
        return (-math.inf, math.inf) if abs(p) <= half and half > 0.0 else (math.inf, -math.inf)
    near, far = (-half - p) / d, (half - p) / d
    return (near, far) if near <= far else (far, near)


@inner()
def _in_box(px, py, pz, dx, dy, dz, hx, hy, hz):
    x0, x1 = _in_slab(px, dx, hx)
    y0, y1 = _in_slab(py, dy, hy)
    z0, z1 = _in_slab(pz, dz, hz)
    return max(x0, max(y0, z0)), min(x1, min(y1, z1))


@inner()
def _in_round(px, py, pz, dx, dy, dz, hz, width, slope):
    """Return the interval inside a cylinder or cone: a quadratic, cut off at bottom and top.

    *width* is the radius at half height. A ray that is flatter than the side is inside between both roots, a steeper
    one beyond the lower root; the cone's mirror image above its tip is what the top cuts off.
    """
    z0, z1 = _in_slab(pz, dz, hz)
    radius = width - slope * pz
    a = dx * dx + dy * dy - slope * slope * dz * dz
    b = px * dx + py * dy + slope * radius * dz
    c = px * px + py * py - radius * radius
    square = b * b - a * c
    if square < 0.0 and a > 0.0:
        return math.inf, -math.inf
    q = -b - math.copysign(math.sqrt(max(square, 0.0)), b)  # a steep ray has roots: below 0 is rounding at the tip
    if q != 0.0:
        near, far = min(q / a, c / q), max(q / a, c / q)
    elif a != 0.0:  # through the tip
        near, far = 0.0, 0.0
    else:  # along the axis of a cylinder, or the side of a cone
        near, far = (-math.inf, math.inf) if c <= 0.0 else (math.inf, -math.inf)
    if a >= 0.0:
        return max(z0, near), min(z1, far)
    return (max(z0, far), z1) if dz < 0.0 else (z0, min(z1, near))


@inner()
def _in_prism(px, py, pz, dx, dy, dz, hz, first, last, edges):
    """Return the interval inside all edges and between bottom and top."""
    t0, t1 = _in_slab(pz, dz, hz)
    for e in range(first, last):
        outside = edges[e, 0] * px + edges[e, 1] * py - edges[e, 2]
        leaving = edges[e, 0] * dx + edges[e, 1] * dy
        if leaving < 0.0:
            t0 = max(t0, -outside / leaving)
        elif leaving > 0.0:
            t1 = min(t1, -outside / leaving)
        elif outside > 0.0:
            t1 = -math.inf
    return t0, t1


@inner()
def ray_solid(k, ox, oy, oz, dx, dy, dz, best, form, tags, edges):
    """Return the distance to solid *k* along a ray (0 from inside), or *best* if that is nearer or it misses (m)."""
    wx, wy, wz = ox - form[k, 0], oy - form[k, 1], oz - form[k, 2]
    ahead = -(wx * dx + wy * dy + wz * dz)
    qx, qy, qz = wx + ahead * dx, wy + ahead * dy, wz + ahead * dz
    gap = form[k, 15] * form[k, 15] - (qx * qx + qy * qy + qz * qz)
    if gap <= 0.0 or ahead < -form[k, 15]:
        return best
    kind = tags[k, 0]
    if kind == SPHERE:
        t1 = math.sqrt(gap)
        t0 = -t1
    else:
        px = form[k, 3] * qx + form[k, 6] * qy + form[k, 9] * qz
        py = form[k, 4] * qx + form[k, 7] * qy + form[k, 10] * qz
        pz = form[k, 5] * qx + form[k, 8] * qy + form[k, 11] * qz
        ux = form[k, 3] * dx + form[k, 6] * dy + form[k, 9] * dz
        uy = form[k, 4] * dx + form[k, 7] * dy + form[k, 10] * dz
        uz = form[k, 5] * dx + form[k, 8] * dy + form[k, 11] * dz
        hx, hy, hz = form[k, 12], form[k, 13], form[k, 14]
        if kind == BOX:
            t0, t1 = _in_box(px, py, pz, ux, uy, uz, hx, hy, hz)
        elif kind == PRISM:
            t0, t1 = _in_prism(px, py, pz, ux, uy, uz, hz, tags[k, 3], tags[k, 4], edges)
        else:
            slope = 0.5 * hx / hz if kind == CONE else 0.0
            t0, t1 = _in_round(px, py, pz, ux, uy, uz, hz, hx - slope * hz, slope)
    hit = t0 <= t1 and t1 + ahead >= 0.0 and t0 + ahead < best
    return max(t0 + ahead, 0.0) if hit else best


@inner()
def neighbours(x, y, z, reach, layer, owner, fixed, form, tags, near):
    """Store the moving solids that rays from a position may hit; return how many."""
    count = 0
    for k in range(fixed, form.shape[0]):
        dx, dy, dz = form[k, 0] - x, form[k, 1] - y, form[k, 2] - z
        far = reach + form[k, 15]
        if tags[k, 1] & layer and tags[k, 2] != owner and dx * dx + dy * dy + dz * dz <= far * far:
            near[count] = k
            count += 1
    return count


@inner()
def _span(rx, ry, rz, dx, dy, dz, limit, wide, deep, high):
    """Return the interval of a ray in the box of the grid, 0 and -1 if it misses that."""
    if abs(rx) > wide or abs(ry) > deep or abs(rz) > high:
        begin, end = _in_box(rx, ry, rz, dx, dy, dz, wide, deep, high)
        return (max(begin, 0.0), min(end, limit)) if begin <= end else (0.0, -1.0)
    if dz == 0.0:
        return 0.0, limit
    return 0.0, min(((high if dz > 0.0 else -high) - rz) / dz, limit)


@inner()
def _first_cell(o, d, begin, low, cell, cells):
    """Return along one axis the cell where a walk begins, its step, where the next cell begins, and the spacing."""
    p = (o + d * begin - low) / cell
    i = cell_index(p, cells)
    if d == 0.0:
        return i, 0, math.inf, math.inf
    width = cell / abs(d)
    return (i, 1, begin + (i + 1 - p) * width, width) if d > 0.0 else (i, -1, begin + (p - i) * width, width)


@kernel(effort=30, cost=("out", 2e-5), what=CAMERA)
def cast_from(places, owners, origins, directions, limit, reach, layer, solids, fixed, cells, near, out, which):
    """Write distances (m), and rows of solids unless *which* is empty, for the same rays in the frame of every place.

    Solids from row *fixed* on move. *reach* is the largest distance of a ray's end from its frame; *near* is room for
    their rows.
    """
    form, tags, edges, ground = solids.form, solids.tags, solids.edges, cells.ground
    wide, deep, high = cells.nx * cells.cell / 2, cells.ny * cells.cell / 2, (cells.high - cells.low) / 2
    for n in range(places.shape[0]):
        x, y, z, owner = places[n, 0], places[n, 1], places[n, 2], owners[n]
        xx, xy, xz, yx, yy, yz, zx, zy, zz = _turn(places[n, 3], places[n, 4], places[n, 5])
        count = neighbours(x, y, z, reach, layer, owner, fixed, form, tags, near)
        for r in range(origins.shape[0]):
            a, b, c = origins[r, 0], origins[r, 1], origins[r, 2]
            ox, oy, oz = x + xx * a + xy * b + xz * c, y + yx * a + yy * b + yz * c, z + zx * a + zy * b + zz * c
            a, b, c = directions[r, 0], directions[r, 1], directions[r, 2]
            dx, dy, dz = xx * a + xy * b + xz * c, yx * a + yy * b + yz * c, zx * a + zy * b + zz * c
            best, hit = limit, NOTHING
            if ground >= 0 and tags[ground, 1] & layer and (oz < 0.0 or dz < 0.0):
                t = max(-oz / dz, 0.0) if oz >= 0.0 else 0.0
                if t < best:
                    best, hit = t, ground
            for p in range(count):
                t = ray_solid(near[p], ox, oy, oz, dx, dy, dz, best, form, tags, edges)
                if t < best:
                    best, hit = t, near[p]
            rx, ry, rz = ox - cells.x0 - wide, oy - cells.y0 - deep, oz - cells.low - high
            begin, end = _span(rx, ry, rz, dx, dy, dz, best, wide, deep, high)
            i, step_x, next_x, wide_x = _first_cell(ox, dx, begin, cells.x0, cells.cell, cells.nx)
            j, step_y, next_y, wide_y = _first_cell(oy, dy, begin, cells.y0, cells.cell, cells.ny)
            while begin < min(end, best) and 0 <= i < cells.nx and 0 <= j < cells.ny:
                for p in range(cells.start[j * cells.nx + i], cells.start[j * cells.nx + i + 1]):
                    k = cells.rows[p]
                    if tags[k, 1] & layer and tags[k, 2] != owner:
                        t = ray_solid(k, ox, oy, oz, dx, dy, dz, best, form, tags, edges)
                        if t < best:
                            best, hit = t, k
                if next_x < next_y:
                    begin, next_x, i = next_x, next_x + wide_x, i + step_x
                else:
                    begin, next_y, j = next_y, next_y + wide_y, j + step_y
            out[n, r] = best
            if which.shape[0]:
                which[n, r] = hit
