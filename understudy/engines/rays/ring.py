"""Rays and cones with origins of their own, eight at a time: how a robot looks at the walls and bodies around it.

Everything is in the robot's frame. `beams` and `sector` say how eight of their rays meet one wall or one disc; this
module finds what there is to meet. How near a wall is they measure as they like, as long as more is nearer: it saves
them roots and divisions.

All rays of a robot look over one list, that of the robot's cell: the margin of the lists must reach as far as the
origins. If it does not, or where there are too many walls for a list, each ray walks the grid.

Arguments that go together are tuples: *here* is the robot's x, y and the cosine and sine of its heading; *rays* are
planes of origin x, y and direction x, y, how many rays there are, half the width of a cone, and the farthest range.
"""

from __future__ import annotations

import math

import numpy as np

from understudy import elementary
from understudy.compiled import inner
from understudy.engines.rays.crowd import ALL, cells_of
from understudy.engines.rays.grid import HAIR_M, NOTHING
from understudy.engines.rays.lanes import (
    bits,
    cross,
    dot,
    every,
    first_lanes,
    high,
    largest,
    load,
    load_some,
    low,
    lowest,
    root,
    select,
    smallest,
    store,
    store_some,
)
from understudy.engines.rays.lists import AWAY, AX, AY, BX, BY, COLUMNS, TOO_MANY, UNKNOWN, WHICH, wall_at
from understudy.engines.rays.paint import DISCS, FAR_M, PLANE
from understudy.engines.rays.scan import list_at, look_ahead
from understudy.engines.rays.simd import WIDTH, at, put

GROUP = 64  # rays that look for bodies together
RANGE, WHO, COSINE = 0, GROUP, 2 * GROUP  # of the rays of a group, in work.disc
_MOST = 472  # bodies that are noted at once
_BODY_X, _BODY_Y, _BODY_R, _BODY = (3 * GROUP + _MOST * n for n in range(4))  # of these bodies
_FRONTS = DISCS  # of all blocks
_TINY = 1e-30
_SOME = 32  # walls between two looks at whether all rays have ended
_ALL = (1 << WIDTH) - 1
_WIDE_RAD, _NO_FRONT = 1.0, -0.5  # cones that are wider, or rays of a block that differ so much, have no front


# ---- walls


@inner(counted=False)
def wall_of(ax, ay, bx, by):  # type: ignore[no-untyped-def]
    """Return a wall from a to b with all that is the same for every ray.

    That is a, b, d = b - a, cross(a, b), d / length squared, a d / length squared and 1 / length squared.
    """
    dx, dy = bx - ax, by - ay
    over = 1.0 / (dot(dx, dy, dx, dy) + _TINY)
    ex, ey = dx * over, dy * over
    return ax, ay, bx, by, dx, dy, cross(ax, ay, bx, by), ex, ey, dot(ax, ay, ex, ey), over


@inner(counted=False)
def _wall_at(t, q):  # type: ignore[no-untyped-def]
    """Return a wall of the table, as `wall_of` has it."""
    return (
        at(t, q), at(t, q + PLANE), at(t, q + 2 * PLANE), at(t, q + 3 * PLANE), at(t, q + 4 * PLANE),
        at(t, q + 5 * PLANE), at(t, q + 6 * PLANE), at(t, q + 7 * PLANE), at(t, q + 8 * PLANE), at(t, q + 9 * PLANE),
        at(t, q + 10 * PLANE),
    )  # fmt: skip


@inner(counted=False)
def _bring(begin, count, ox, oy, c, s, lists, t):  # type: ignore[no-untyped-def]
    """Write the walls of a list into the table, for a robot at (ox, oy) in the cell's frame."""
    walls = lists.walls
    for q in range(0, count, WIDTH):
        k = COLUMNS * (begin + q)
        ux, uy, vx, vy = (
            load(walls, k + AX) - ox,
            load(walls, k + AY) - oy,
            load(walls, k + BX) - ox,
            load(walls, k + BY) - oy,
        )
        wall = wall_of(dot(c, s, ux, uy), cross(c, s, ux, uy), dot(c, s, vx, vy), cross(c, s, vx, vy))
        for plane in range(11):
            store(t, q + PLANE * plane, wall[plane])


@inner(counted=False)
def _note_fronts(rays, disc):  # type: ignore[no-untyped-def]
    """Note for each block of rays a direction, and the least that anything they can meet lies along it (m)."""
    planes, count, half, limit = rays
    cos, sin = elementary.cos(half), elementary.sin(half)
    for block in range(0, count, WIDTH):
        x, y, end = _TINY, 0.0, min(block + WIDTH, count)
        for r in range(block, end):
            x, y = x + planes[r + 2 * count], y + planes[r + 3 * count]
        long = math.sqrt(x * x + y * y)
        x, y, least, back = x / long, y / long, FAR_M, 0.0
        for r in range(block, end):
            dx, dy = planes[r + 2 * count], planes[r + 3 * count]
            ahead = x * dx + y * dy
            least = min(least, x * planes[r] + y * planes[r + count])
            back = min(back, ahead * cos - abs(x * dy - y * dx) * sin)
            if ahead < _NO_FRONT or half > _WIDE_RAD:
                back = -FAR_M
        n = _FRONTS + 3 * (block // WIDTH)
        disc[n], disc[n + 1], disc[n + 2] = x, y, least + limit * back - HAIR_M


@inner(counted=False)
def _front(block, disc):  # type: ignore[no-untyped-def]
    """Return what was noted of a block."""
    n = _FRONTS + 3 * (block // WIDTH)
    return at(disc, n), at(disc, n + 1), at(disc, n + 2)


@inner(counted=False)
def _facing(begin, end, count, front, t):  # type: ignore[no-untyped-def]
    """Return which walls of the table, from *begin* to *end*, do not lie wholly behind a front, as bits."""
    facing, (mx, my, least) = 0, front
    for q in range(begin, end, WIDTH):
        a, b = dot(load(t, q), load(t, q + PLANE), mx, my), dot(load(t, q + 2 * PLANE), load(t, q + 3 * PLANE), mx, my)
        facing |= bits(first_lanes(count - q) & (high(a, b) >= least)) << (q - begin)
    return facing


@inner(counted=False)
def _look(see, ends, ray, front, begin, count, limit, lists, t, hits):  # type: ignore[no-untyped-def]
    """Return how near the nearest wall of the table is to each of eight rays; who it is, and how far its line, squared.

    What lies wholly behind the rays, as *front* says, is left out. Fractions are compared without a division.
    """
    top, bottom, who, off = every(0.0), every(1.0), every(float(NOTHING)), every(0.0)
    for some in range(0, count, _SOME):
        if some and bits(ends(top / bottom, limit)[0] <= at(lists.walls, wall_at(begin + some) + AWAY)) == _ALL:
            break
        facing = _facing(some, min(some + _SOME, count), count, front, t)
        while facing:
            n = some + lowest(facing)
            facing &= facing - 1
            value, under, _, far = see(ray, _wall_at(t, n))
            better = value * bottom > top * under
            top, bottom = select(better, value, top), select(better, under, bottom)
            if hits:
                who = select(better, at(lists.walls, wall_at(begin + n) + WHICH), who)
                off = select(better, far, off)
    return top / bottom, who, off


@inner(counted=False)
def _meet_walls(aim, see, ends, block, group, begin, length, rays, lists, work, hits):  # type: ignore[no-untyped-def]
    """Note where the rays of a block meet the walls of a list, which are in the table."""
    disc, limit, front = work.disc, rays[3], _front(block, work.disc)
    near, who, off = _look(see, ends, aim(rays, block), front, begin, length, limit, lists, work.table, hits)
    z, inverse = ends(near, limit)
    store(disc, RANGE + block - group, z)
    if hits:
        who = select(z >= limit, float(NOTHING), who)
        steep = select(z <= 0.0, 1.0, low(root(off) * inverse, 1.0))
        store(disc, WHO + block - group, who)
        store(disc, COSINE + block - group, select(who < 0.0, 0.0, steep))


@inner(counted=False)
def _walk(alone, group, end, here, rays, grid, seg, disc):  # type: ignore[no-untyped-def]
    """Let the rays of a group look over the grid, one by one, and note what they meet."""
    (x, y, c, s), (planes, count, half, limit) = here, rays
    for r in range(group, end):
        ax, ay, bx, by, n = planes[r], planes[r + count], planes[r + 2 * count], planes[r + 3 * count], r - group
        ox, oy, dx, dy = x + c * ax - s * ay, y + s * ax + c * ay, c * bx - s * by, s * bx + c * by
        disc[RANGE + n], disc[WHO + n], disc[COSINE + n] = alone(ox, oy, dx, dy, half, limit, grid, seg)


# ---- bodies


@inner(counted=False)
def _bound(rays, block, z):  # type: ignore[no-untyped-def]
    """Return a circle about each of eight rays or sectors that end at *z*: its middle and radius."""
    planes, count, half, _ = rays
    n = count - block
    ox, oy = load_some(planes, block, n), load_some(planes, block + count, n)
    if half > _WIDE_RAD:
        return ox, oy, z
    h = z * (0.5 / elementary.cos(half))
    return ox + h * load_some(planes, block + 2 * count, n), oy + h * load_some(planes, block + 3 * count, n), h


@inner(counted=False)
def _box_of(group, end, here, rays, disc):  # type: ignore[no-untyped-def]
    """Return the box about the robot, in the world's directions, that holds a group of rays; and the longest (m)."""
    _, _, c, s = here
    low_x, low_y, high_x, high_y, far = every(0.0), every(0.0), every(0.0), every(0.0), every(0.0)
    for block in range(group, end, WIDTH):
        z = load(disc, RANGE + block - group)
        mx, my, around = _bound(rays, block, z)
        wx, wy = cross(mx, my, s, c), dot(mx, my, s, c)
        low_x, high_x = low(low_x, wx - around), high(high_x, wx + around)
        low_y, high_y = low(low_y, wy - around), high(high_y, wy + around)
        far = high(far, z)
    return smallest(low_x), smallest(low_y), largest(high_x), largest(high_y), largest(far)


@inner(counted=False)
def _meet_polygon(see, ends, ray, k, bx, by, here, bodies, hits):  # type: ignore[no-untyped-def]
    """Return where eight rays meet a polygon at b, and how steeply."""
    outline, n, hc, hs = bodies.outline, at(bodies.corners, k), at(bodies.cos, k), at(bodies.sin, k)
    rc, rs = hc * here[2] + hs * here[3], hs * here[2] - hc * here[3]
    top, bottom, inside, off = every(0.0), every(1.0), every(FAR_M), every(0.0)
    px, py = outline[k, n - 1, 0], outline[k, n - 1, 1]
    px, py = bx + rc * px - rs * py, by + rs * px + rc * py
    for e in range(n):
        qx, qy = outline[k, e, 0], outline[k, e, 1]
        qx, qy = bx + rc * qx - rs * qy, by + rs * qx + rc * qy
        value, under, area, far = see(ray, wall_of(px, py, qx, qy))
        better = value * bottom > top * under
        top, bottom, inside = select(better, value, top), select(better, under, bottom), low(inside, area)
        if hits:
            off = select(better, far, off)
        px, py = qx, qy
    z, inverse = ends(top / bottom, FAR_M)
    return select(inside >= 0.0, 0.0, z), select(inside >= 0.0, 1.0, low(root(off) * inverse, 1.0))


@inner(counted=False)
def _note_bodies(cells, cursor, me, here, most, bodies, disc):  # type: ignore[no-untyped-def]
    """Note the bodies in a box of cells that are near enough, from a *cursor* on; return how many, and where to go on.

    All are written, and those that do not count are written over: nobody could guess which of them will count.
    """
    (a0, a1, b0, b1), (x, y, c, s) = cells, here
    found = 0
    for j in range(b0, b1 + 1):
        first, end = max(at(bodies.start, j * bodies.nx + a0), cursor), at(bodies.start, j * bodies.nx + a1 + 1)
        stop = min(end, first + _MOST - found)
        for p in range(first, stop):
            k = at(bodies.order, p)
            px, py, radius = at(bodies.at_x, p) - x, at(bodies.at_y, p) - y, at(bodies.radius, k)
            put(disc, _BODY_X + found, c * px + s * py)
            put(disc, _BODY_Y + found, c * py - s * px)
            put(disc, _BODY_R + found, radius)
            put(disc, _BODY + found, float(k))
            far = most + radius
            found += int((k != me) & (radius > 0.0) & (px * px + py * py <= far * far))
        if stop < end:
            return found, stop
    return found, ALL


@inner(counted=False)
def _bodies_facing(begin, end, front, disc):  # type: ignore[no-untyped-def]
    """Return which of the bodies that are noted, from *begin* to *end*, do not lie wholly behind a front, as bits."""
    facing, (mx, my, least) = 0, front
    for q in range(begin, end, WIDTH):
        ahead = dot(load(disc, _BODY_X + q), load(disc, _BODY_Y + q), mx, my) + load(disc, _BODY_R + q)
        facing |= bits(first_lanes(end - q) & (ahead >= least)) << (q - begin)
    return facing


@inner(counted=False)
def _shorten(aim, see, ends, meet, block, n, found, here, rays, bodies, walls, disc, hits):  # type: ignore[no-untyped-def]
    """Shorten the rays of a block, the n-th of a group and so on, by the bodies that are noted.

    A polygon is looked at only if a ray meets the circle around it.
    """
    ray, z, front = aim(rays, block), load(disc, RANGE + n), _front(block, disc)
    who, cosine = load(disc, WHO + n), load(disc, COSINE + n)
    for some in range(0, found, _SOME):
        facing = _bodies_facing(some, min(some + _SOME, found), front, disc)
        while facing:
            b = some + lowest(facing)
            facing &= facing - 1
            x, y, k = at(disc, _BODY_X + b), at(disc, _BODY_Y + b), int(at(disc, _BODY + b))
            t, steep = meet(ray, x, y, at(disc, _BODY_R + b))
            if at(bodies.corners, k) and bits(t < z):
                t, steep = _meet_polygon(see, ends, ray, k, x, y, here, bodies, hits)
            if hits:
                who, cosine = select(t < z, float(walls + k), who), select(t < z, steep, cosine)
            z = low(z, t)
    store(disc, RANGE + n, z)
    if hits:
        store(disc, WHO + n, who)
        store(disc, COSINE + n, cosine)


@inner(counted=False)
def _meet_bodies(aim, see, ends, meet, me, group, end, here, rays, reach, bodies, walls, disc, hits):  # type: ignore[no-untyped-def]
    """Shorten the rays of a group by the bodies around; *walls* is the number of the first body."""
    x, y, _, _ = here
    low_x, low_y, high_x, high_y, far = _box_of(group, end, here, rays, disc)
    cells = cells_of(x + low_x, x + high_x, y + low_y, y + high_y, bodies)
    cursor = np.int64(0)  # a bare 0 would be a type of its own
    while cursor != ALL:
        found, cursor = _note_bodies(cells, cursor, me, here, far + reach, bodies, disc)
        for block in range(group, end, WIDTH):
            _shorten(aim, see, ends, meet, block, block - group, found, here, rays, bodies, walls, disc, hits)


# ---- both


@inner(counted=False)
def _write(out, index, count, values):  # type: ignore[no-untyped-def]
    """Write at most WIDTH values; all of them are written faster."""
    if count >= WIDTH:
        store(out, index, values)
    else:
        store_some(out, index, count, values)


@inner(counted=False)
def ring(  # type: ignore[no-untyped-def]
    aim, see, ends, meet, alone, first, last, todo, rows, place, planes, half, reach, limit, grid, seg, lists, bodies,
    work, out, which, cosine, hits,
):  # fmt: skip
    """Write ranges (m), and if *hits* who is met and how steeply; return as `scan` does.

    The first five are what is different about beams and cones: how to aim eight of them, how they see a wall, how near
    becomes far, how they meet a disc, and how one of them looks over the grid.
    """
    disc, missing, count, per_m = work.disc, 0, planes.shape[0] // 4, 1.0 / grid.cell
    rays = (planes, count, half, limit)
    _note_fronts(rays, disc)
    for p in range(first, last):
        row = at(todo, p)
        me = at(rows, row)
        here = (place[me, 0], place[me, 1], at(bodies.cos, me), at(bodies.sin, me))
        begin, length, cell, ox, oy = list_at(here[0], here[1], grid, per_m, lists)
        look_ahead(p, todo, rows, place, grid, per_m, lists)
        if begin == UNKNOWN:
            work.missing[missing] = cell
            work.undone[missing] = row
            missing += 1
            continue
        begin, length = (begin, length) if reach <= lists.margin else (TOO_MANY, 0)
        _bring(begin, length, ox, oy, here[2], here[3], lists, work.table)
        for group in range(0, count, GROUP):
            end = min(group + GROUP, count)
            for block in range(group, end, WIDTH):
                _meet_walls(aim, see, ends, block, group, begin, length, rays, lists, work, hits)
            if begin == TOO_MANY:
                _walk(alone, group, end, here, rays, grid, seg, disc)
            _meet_bodies(aim, see, ends, meet, me, group, end, here, rays, reach, bodies, seg.shape[0], disc, hits)
            for block in range(group, end, WIDTH):
                _write(out, row * count + block, end - block, load(disc, RANGE + block - group))
            if hits:
                for r in range(group, end):
                    which[row, r], cosine[row, r] = int(disc[WHO + r - group]), disc[COSINE + r - group]
    return missing
