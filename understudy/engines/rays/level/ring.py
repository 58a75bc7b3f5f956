"""Rays and cones with their own origins, eight at a time, among the walls and bodies around a robot.

Everything is in the robot's frame. `beams` and `sector` intersect eight of their rays with one wall or one disc; this
module finds the walls and bodies to test. Their measure of nearness may be anything that grows when a wall is nearer:
it saves them roots and divisions.

All rays of a robot use one list, that of the robot's cell: the margin of the lists must reach as far as the origins.
Otherwise, or if there are too many walls for a list, each ray walks the grid.

Arguments that go together are tuples: *here* is the robot's x, y and the cosine and sine of its heading; *rays* are
planes of origin x, y and direction x, y, the number of rays, half the width of a cone, and the maximum range.
"""

from __future__ import annotations

import math

import numpy as np

from understudy import elementary
from understudy.engines.cells import OUTSIDE
from understudy.engines.rays.level.crowd import ALL, cells_of, next_cells
from understudy.engines.rays.level.grid import HAIR_M, NOTHING
from understudy.engines.rays.level.paint import DISCS, FAR_M, PLANE
from understudy.engines.rays.level.scan import list_at, look_ahead
from understudy.engines.rays.level.visible_walls import AWAY, AX, AY, BX, BY, COLUMNS, TOO_MANY, UNKNOWN, WHICH, wall_at
from understudy.engines.rays.simd.llvm import WIDTH, at, put
from understudy.engines.rays.simd.vec8 import (
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
from understudy.jit import inner

GROUP = 64  # rays that search for bodies together
RANGE, WHO, COSINE = 0, GROUP, 2 * GROUP  # of the rays of a group, in work.disc
_MOST = 472  # bodies that are stored at once
_BODY_X, _BODY_Y, _BODY_R, _BODY = (3 * GROUP + _MOST * n for n in range(4))  # of these bodies
_FRONTS = DISCS  # of all blocks
_TINY = 1e-30
_SOME = 32  # walls between two checks whether all rays have ended
_ALL = (1 << WIDTH) - 1
_WIDE_RAD, _NO_FRONT = 1.0, -0.5  # wider cones, or rays of a block that differ this much, have no front


# ---- walls


@inner(counted=False)
def wall_of(ax, ay, bx, by):
    """Return a wall from a to b with everything that is the same for every ray.

    That is a, b, d = b - a, cross(a, b), d / length squared, a d / length squared and 1 / length squared.
    """
    dx, dy = bx - ax, by - ay
    over = 1.0 / (dot(dx, dy, dx, dy) + _TINY)
    ex, ey = dx * over, dy * over
    return ax, ay, bx, by, dx, dy, cross(ax, ay, bx, by), ex, ey, dot(ax, ay, ex, ey), over


@inner(counted=False)
def _wall_at(t, q):
    """Return a wall of the table, as `wall_of` has it."""
    return (
        at(t, q), at(t, q + PLANE), at(t, q + 2 * PLANE), at(t, q + 3 * PLANE), at(t, q + 4 * PLANE),
        at(t, q + 5 * PLANE), at(t, q + 6 * PLANE), at(t, q + 7 * PLANE), at(t, q + 8 * PLANE), at(t, q + 9 * PLANE),
        at(t, q + 10 * PLANE),
    )  # fmt: skip


@inner(counted=False)
def _bring(begin, count, ox, oy, c, s, lists, t):
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
def _note_fronts(rays, disc):
    """Store for each block of rays a direction, and the minimum along it of anything they can hit (m)."""
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
def _front(block, disc):
    """Return what was stored for a block."""
    n = _FRONTS + 3 * (block // WIDTH)
    return at(disc, n), at(disc, n + 1), at(disc, n + 2)


@inner(counted=False)
def _facing(begin, end, count, front, t):
    """Return which walls of the table, from *begin* to *end*, are not entirely behind a front, as bits."""
    facing, (mx, my, least) = 0, front
    for q in range(begin, end, WIDTH):
        a, b = dot(load(t, q), load(t, q + PLANE), mx, my), dot(load(t, q + 2 * PLANE), load(t, q + 3 * PLANE), mx, my)
        facing |= bits(first_lanes(count - q) & (high(a, b) >= least)) << (q - begin)
    return facing


@inner(counted=False)
def _look(see, ends, ray, front, begin, count, limit, lists, t, hits):
    """Return the nearness of the nearest wall of the table to each of eight rays; which, its line's distance squared.

    Walls entirely behind the rays, as *front* says, are skipped. Fractions are compared without a division.
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
def _meet_walls(aim, see, ends, block, group, begin, length, rays, lists, work, hits):
    """Store where the rays of a block hit the walls of a list, which are in the table."""
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
def _walk(alone, group, end, here, rays, grid, seg, disc):
    """Let the rays of a group walk the grid, one by one, and store what they hit."""
    (x, y, c, s), (planes, count, half, limit) = here, rays
    for r in range(group, end):
        ax, ay, bx, by, n = planes[r], planes[r + count], planes[r + 2 * count], planes[r + 3 * count], r - group
        ox, oy, dx, dy = x + c * ax - s * ay, y + s * ax + c * ay, c * bx - s * by, s * bx + c * by
        disc[RANGE + n], disc[WHO + n], disc[COSINE + n] = alone(ox, oy, dx, dy, half, limit, grid, seg)


# ---- bodies


@inner(counted=False)
def _bound(rays, block, z):
    """Return a bounding circle of each of eight rays or sectors that end at *z*: its centre and radius."""
    planes, count, half, _ = rays
    n = count - block
    ox, oy = load_some(planes, block, n), load_some(planes, block + count, n)
    if half > _WIDE_RAD:
        return ox, oy, z
    h = z * (0.5 / elementary.cos(half))
    return ox + h * load_some(planes, block + 2 * count, n), oy + h * load_some(planes, block + 3 * count, n), h


@inner(counted=False)
def _box_of(group, end, here, rays, disc):
    """Return the bounding box of a group of rays around the robot, in world directions; and the longest (m)."""
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
def _meet_polygon(see, ends, ray, k, bx, by, here, bodies, hits):
    """Return where eight rays hit a polygon at b, and the cosines."""
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
def _note_bodies(cells, cursor, me, here, most, bodies, disc):
    """Store the bodies in a box of cells that are near enough, from a *cursor* on; return how many, and where to go on.

    All are written, and those that do not count are overwritten: branches on that would be mispredicted.
    """
    (a0, a1, b0, b1), (x, y, c, s) = cells, here
    found, base = 0, at(bodies.home, me)
    while base != OUTSIDE:
        for j in range(b0, b1 + 1):
            row = base + j * bodies.nx
            first, end = max(at(bodies.start, row + a0), cursor), at(bodies.start, row + a1 + 1)
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
        base = next_cells(base, bodies)
    return found, ALL


@inner(counted=False)
def _bodies_facing(begin, end, front, disc):
    """Return which of the stored bodies, from *begin* to *end*, are not entirely behind a front, as bits."""
    facing, (mx, my, least) = 0, front
    for q in range(begin, end, WIDTH):
        ahead = dot(load(disc, _BODY_X + q), load(disc, _BODY_Y + q), mx, my) + load(disc, _BODY_R + q)
        facing |= bits(first_lanes(end - q) & (ahead >= least)) << (q - begin)
    return facing


@inner(counted=False)
def _shorten(aim, see, ends, meet, block, n, found, here, rays, bodies, walls, disc, hits):
    """Shorten the rays of a block, the n-th of a group and so on, by the stored bodies.

    A polygon is tested only if a ray hits the circle around it.
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
def _meet_bodies(aim, see, ends, meet, me, group, end, here, rays, reach, bodies, walls, disc, hits):
    """Shorten the rays of a group by the bodies around; *walls* is the number of the first body."""
    x, y, _, _ = here
    low_x, low_y, high_x, high_y, far = _box_of(group, end, here, rays, disc)
    cells = cells_of(x + low_x, x + high_x, y + low_y, y + high_y, bodies)
    cursor = np.int64(0)  # a plain 0 would have another type
    while cursor != ALL:
        found, cursor = _note_bodies(cells, cursor, me, here, far + reach, bodies, disc)
        for block in range(group, end, WIDTH):
            _shorten(aim, see, ends, meet, block, block - group, found, here, rays, bodies, walls, disc, hits)


# ---- both


@inner(counted=False)
def _write(out, index, count, values):
    """Write at most WIDTH values; all of them are written faster."""
    if count >= WIDTH:
        store(out, index, values)
    else:
        store_some(out, index, count, values)


@inner(counted=False)
def ring(
    aim, see, ends, meet, alone, first, last, todo, rows, place, planes, half, reach, limit, grid, seg, lists, bodies,
    work, out, which, cosine, hits,
):  # fmt: skip
    """Write ranges (m), and if *hits* what is hit and the cosines; return as `scan` does.

    The first five functions are the difference between beams and cones: aim eight of them, intersect a wall, convert
    nearness to range, intersect a disc, and walk the grid with one of them.
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
