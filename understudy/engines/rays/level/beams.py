"""Single rays with their own origins: intersection of eight of them with a wall or a disc."""

from __future__ import annotations

from understudy.engines.rays.level.grid import HAIR_M, cosine_of, walk_walls
from understudy.engines.rays.level.paint import FAR_M, HERE
from understudy.engines.rays.level.ring import ring
from understudy.engines.rays.simd.vec8 import bits, cross, dot, high, load_some, low, root, select, size
from understudy.jit import inner

_TINY = 1e-30


@inner(counted=False)
def _aim(rays, block):
    """Return origin and direction of eight rays, and the cross product of both."""
    planes, count, _, _ = rays
    n = count - block
    ox, oy = load_some(planes, block, n), load_some(planes, block + count, n)
    dx, dy = load_some(planes, block + 2 * count, n), load_some(planes, block + 3 * count, n)
    return ox, oy, dx, dy, cross(dx, dy, ox, oy)


@inner(counted=False)
def _see(ray, wall):
    """Return the inverse ranges to a wall as fractions, the cross product of its ends, its line's distance squared."""
    ox, oy, dx, dy, moment = ray
    ax, ay, bx, by, wx, wy, area, _, _, _, over = wall
    s0, s1 = cross(dx, dy, ax, ay) - moment, cross(dx, dy, bx, by) - moment
    area = area - cross(ox, oy, wx, wy)
    off = area * area * over
    thin, left = off <= HAIR_M * HAIR_M, area < 0.0
    top, bottom = select(s0 * s1 <= 0.0, select(left, s0 - s1, s1 - s0), 0.0), size(area)
    if bits(thin):
        top, bottom = select(thin, _graze(ray, wall), top), select(thin, 1.0, bottom)
    return top, bottom, area, off


@inner(counted=False)
def _graze(ray, wall):
    """Return the inverse ranges to a wall whose line passes through the origins.

    That is to its near end for a ray along it, else 0; HERE if an origin is on it.
    """
    ox, oy, dx, dy, _ = ray
    ax, ay, _, _, wx, wy, _, ex, ey, shift, _ = wall
    t = low(high(dot(ox, oy, ex, ey) - shift, 0.0), 1.0)
    nx, ny = ax - ox + t * wx, ay - oy + t * wy
    along, beside, hair2 = dot(nx, ny, dx, dy), cross(nx, ny, dx, dy), HAIR_M * HAIR_M
    value = select((along > 0.0) & (beside * beside <= hair2), 1.0 / high(along, HAIR_M), 0.0)
    return select(dot(nx, ny, nx, ny) <= hair2, HERE, value)


@inner(counted=False)
def _ends(near, limit):
    """Return ranges (m) and their inverses."""
    return select(near <= 1.0 / limit, limit, select(near >= HERE, 0.0, 1.0 / high(near, _TINY))), near


@inner(counted=False)
def _meet(ray, x, y, radius):
    """Return the distance to a disc (m), 0 from inside, and the cosine of incidence."""
    ox, oy, dx, dy, _ = ray
    px, py = x - ox, y - oy
    along = dot(px, py, dx, dy)
    power = dot(px, py, px, py) - radius * radius
    gap = along * along - power
    inward = root(high(gap, 0.0))
    t = select((gap > 0.0) & (along > 0.0), along - inward, FAR_M)
    return select(power <= 0.0, 0.0, t), select(power <= 0.0, 1.0, inward / radius)


@inner(counted=False)
def _alone(x, y, dx, dy, half, limit, grid, seg):
    """Return range, wall and cosine of one ray by walking the grid."""
    t, k = walk_walls(x, y, dx, dy, limit, grid, seg)
    return t, float(k), cosine_of(dx, dy, seg, k)


@inner(inline=True)
def beams(first, last, todo, rows, place, rays, limit, reach, fan, grid, seg, lists, bodies, work, out):
    """Write the ranges of single rays with their own origins into *out* (m); return as `scan` does.

    *rays* has four planes: origin x, y and direction x, y in the robot's frame. *reach* is the largest distance of an
    origin from its robot.
    """
    return ring(
        _aim, _see, _ends, _meet, _alone, first, last, todo, rows, place, rays, 0.0, reach, limit, grid, seg, lists,
        bodies, work, out, out, out, False,
    )  # fmt: skip


@inner(inline=True)
def beams_hits(
    first, last, todo, rows, place, rays, limit, reach, fan, grid, seg, lists, bodies, work, out, which, cosine
):
    """Do the same as `beams`, and write what is hit and the cosines as `scan_hits` does."""
    return ring(
        _aim, _see, _ends, _meet, _alone, first, last, todo, rows, place, rays, 0.0, reach, limit, grid, seg, lists,
        bodies, work, out, which, cosine, True,
    )  # fmt: skip
