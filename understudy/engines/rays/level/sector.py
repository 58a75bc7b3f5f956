"""Exact cones: the nearest point of anything within a sector, at little more than the cost of a single ray.

The nearest point in a sector is not hidden by anything, so the lists of visible walls are valid here too. The nearest
point of a wall in the sector is its nearest point at all, if that is inside, or where it crosses one of the sector's
sides. A disc beside the sector is hit along the nearer side.
"""

from __future__ import annotations

import math

from understudy import elementary
from understudy.engines.cells import cell_index
from understudy.engines.rays.level.grid import HAIR_M, NOTHING
from understudy.engines.rays.level.paint import FAR_M, HERE
from understudy.engines.rays.level.ring import ring
from understudy.engines.rays.simd.vec8 import cross, dot, high, load_some, low, root, select
from understudy.jit import inner

_TINY = 1e-30


@inner(counted=False)
def _aim(rays, block):
    """Return the tips of eight sectors, their left sides and right sides, and the cross products of these."""
    planes, count, half, _ = rays
    n, cos, sin = count - block, elementary.cos(half), elementary.sin(half)
    ox, oy = load_some(planes, block, n), load_some(planes, block + count, n)
    dx, dy = load_some(planes, block + 2 * count, n), load_some(planes, block + 3 * count, n)
    lx, ly, rx, ry = cross(dx, dy, sin, cos), dot(dx, dy, sin, cos), dot(dx, dy, cos, sin), cross(cos, sin, dx, dy)
    return ox, oy, lx, ly, cross(ox, oy, lx, ly), rx, ry, cross(rx, ry, ox, oy)


@inner(counted=False)
def _see(sector, wall):
    """Return inverse squared distances as fractions, the cross product of its ends, its line's distance squared.

    The two divisions, for the sides and for the nearest point, are done as one.
    """
    ox, oy, lx, ly, moment_l, rx, ry, moment_r = sector
    ax, ay, bx, by, dx, dy, area, ex, ey, shift, over = wall
    a_left, b_left = cross(ax, ay, lx, ly) - moment_l, cross(bx, by, lx, ly) - moment_l
    a_right, b_right = cross(rx, ry, ax, ay) - moment_r, cross(rx, ry, bx, by) - moment_r
    more_left, more_right = b_left - a_left, b_right - a_right
    area = area - cross(ox, oy, dx, dy)
    off = area * area * over
    t = low(high(dot(ox, oy, ex, ey) - shift, 0.0), 1.0)
    nx, ny = ax - ox + t * dx, ay - oy + t * dy
    square, some = dot(nx, ny, nx, ny) + _TINY, select(off > HAIR_M * HAIR_M, area, 1.0)
    both = 1.0 / (some * square)
    by_left = select((a_left * b_left <= 0.0) & (off > HAIR_M * HAIR_M), 0.0 - more_left, 0.0)
    by_right = select((a_right * b_right <= 0.0) & (off > HAIR_M * HAIR_M), more_right, 0.0)
    side = both * square
    side = high(high(by_left * side, by_right * side), 0.0)
    inside = (a_left + t * more_left >= -HAIR_M) & (a_right + t * more_right >= -HAIR_M)
    return high(side * side, select(inside, both * some, 0.0)), 1.0, area, off


@inner(counted=False)
def _ends(near, limit):
    """Return distances (m) and their inverses."""
    inverse = root(near)
    z = select(near >= HERE * HERE, 0.0, 1.0 / high(inverse, _TINY))
    return select(near <= 1.0 / (limit * limit), limit, z), inverse


@inner(counted=False)
def _meet(sector, x, y, radius):
    """Return the distance to a disc in the sectors (m), 0 from inside, and the cosine of incidence."""
    ox, oy, lx, ly, _, rx, ry, _ = sector
    px, py = x - ox, y - oy
    square = dot(px, py, px, py)
    power = square - radius * radius
    left, right = cross(px, py, lx, ly), cross(rx, ry, px, py)
    outside, inside = left < 0.0, (left >= 0.0) & (right >= 0.0)
    along = dot(px, py, select(outside, lx, rx), select(outside, ly, ry))
    gap = along * along - power
    length = root(select(inside, square, high(gap, 0.0)))
    t = select(inside, length - radius, select((gap > 0.0) & (along > 0.0), along - length, FAR_M))
    return select(power <= 0.0, 0.0, t), select((power <= 0.0) | inside, 1.0, length / radius)


@inner(counted=False)
def clip_wall(px, py, qx, qy, cos, sin):
    """Return the distance to a wall within the sector around the x axis (half-angle by cos and sin), or FAR_M."""
    p_left, q_left = px * sin - py * cos, qx * sin - qy * cos
    p_right, q_right = px * sin + py * cos, qx * sin + qy * cos
    hair, first, last = -HAIR_M, 0.0, 1.0
    if (p_left < hair and q_left < hair) or (p_right < hair and q_right < hair):
        return FAR_M
    if p_left < hair:
        first = max(first, p_left / (p_left - q_left))
    elif q_left < hair:
        last = min(last, p_left / (p_left - q_left))
    if p_right < hair:
        first = max(first, p_right / (p_right - q_right))
    elif q_right < hair:
        last = min(last, p_right / (p_right - q_right))
    dx, dy = qx - px, qy - py
    t = min(max(-(px * dx + py * dy) / max(dx * dx + dy * dy, _TINY), first), last)
    nx, ny = px + t * dx, py + t * dy
    return math.sqrt(nx * nx + ny * ny) if first <= last else FAR_M


@inner(copied=False, counted=False)
def _alone(x, y, dx, dy, half, limit, grid, seg):
    """Return distance, wall and cosine in a cone by testing every wall of the cells around."""
    cos, sin, best, which = elementary.cos(half), elementary.sin(half), limit, NOTHING
    i0 = cell_index((x - limit - grid.x0) / grid.cell, grid.nx)
    i1 = cell_index((x + limit - grid.x0) / grid.cell, grid.nx)
    j0 = cell_index((y - limit - grid.y0) / grid.cell, grid.ny)
    j1 = cell_index((y + limit - grid.y0) / grid.cell, grid.ny)
    for j in range(j0, j1 + 1):
        for p in range(grid.seg_start[j * grid.nx + i0], grid.seg_start[j * grid.nx + i1 + 1]):
            k = grid.seg_index[p]
            ax, ay, bx, by = seg[k, 0] - x, seg[k, 1] - y, seg[k, 2] - x, seg[k, 3] - y
            t = clip_wall(dx * ax + dy * ay, dx * ay - dy * ax, dx * bx + dy * by, dx * by - dy * bx, cos, sin)
            if t < best:
                best, which = t, k
    best = 0.0 if best <= HAIR_M else best
    if which == NOTHING or best == 0.0:
        return best, float(which), 0.0 if which == NOTHING else 1.0
    ax, ay, wx, wy = seg[which, 0] - x, seg[which, 1] - y, seg[which, 2] - seg[which, 0], seg[which, 3] - seg[which, 1]
    return best, float(which), min(abs(ax * wy - ay * wx) / (math.sqrt(wx * wx + wy * wy) * best + _TINY), 1.0)


@inner(inline=True)
def cones(first, last, todo, rows, place, rays, half, reach, fan, grid, seg, lists, bodies, work, out):
    """Write the nearest distance within *half* of each axis into *out* (m); rays and return value as in `beams`."""
    return ring(
        _aim, _see, _ends, _meet, _alone, first, last, todo, rows, place, rays, half, reach, fan.limit, grid, seg,
        lists, bodies, work, out, out, out, False,
    )  # fmt: skip


@inner(inline=True)
def cones_hits(
    first, last, todo, rows, place, rays, half, reach, fan, grid, seg, lists, bodies, work, out, which, cosine
):
    """Do the same as `cones`, and write what is hit and the cosines as `scan_hits` does."""
    return ring(
        _aim, _see, _ends, _meet, _alone, first, last, todo, rows, place, rays, half, reach, fan.limit, grid, seg,
        lists, bodies, work, out, which, cosine, True,
    )  # fmt: skip
