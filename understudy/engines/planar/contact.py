"""Two convex bodies on the floor: how far apart they are, where they touch, and when they will meet.

A body is a disc or a convex polygon on a constant twist, so that each of its points runs on a circle. The time of a
meeting is found by going ahead as long as the gap along one fixed line cannot close, then looking again: exact, and
nothing is jumped over however long the tick is.
"""

from __future__ import annotations

import math

from understudy.compiled import inner
from understudy.engines.planar.rows import NOISE, SKIN, TOUCH

_LOOKS = 100  # then the time found so far counts: too early is safe
_STILL_M = 1e-11  # who comes no further than this between two looks has arrived
_FLUSH_M = 1e-5  # corners this near to the touching line touch too


@inner()
def wrap(angle):  # type: ignore[no-untyped-def]
    """Return an angle between -pi and pi (rad)."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@inner(copied=False)
def after(me, t):  # type: ignore[no-untyped-def]
    """Return x, y and heading after a mover has kept its twist for *t* (exact)."""
    turn = me.w * t
    along, across = t, 0.5 * turn * t
    if abs(turn) > 1e-9:
        along, across = math.sin(turn) / me.w, (1.0 - math.cos(turn)) / me.w
    ahead, left = me.v * along - me.u * across, me.v * across + me.u * along
    return me.x + me.cos * ahead - me.sin * left, me.y + me.sin * ahead + me.cos * left, wrap(me.h + turn)


@inner(copied=False)
def _spread(arena, where, me, x, y, c, s, vx, vy, w):  # type: ignore[no-untyped-def]
    """Write the corners of a mover at a pose, with their velocities; return how many (a disc: its middle)."""
    corners = arena.corners
    if me.corners == 0:
        point = corners[where]
        point.x, point.y = x, y
        point.vx, point.vy = vx, vy
        return 1
    for k in range(me.corners):
        own, point = corners[me.first + k], corners[where + k]
        dx, dy = c * own.x - s * own.y, s * own.x + c * own.y
        point.x, point.y = x + dx, y + dy
        point.vx, point.vy = vx - w * dy, vy + w * dx
    return me.corners


@inner(copied=False)
def spread(arena, where, me, x, y, h):  # type: ignore[no-untyped-def]
    """Write the corners of a mover that stands at a pose; return how many."""
    return _spread(arena, where, me, x, y, math.cos(h), math.sin(h), 0.0, 0.0, 0.0)


@inner(copied=False)
def spread_at(arena, where, me, t, until):  # type: ignore[no-untyped-def]
    """Write the corners of a mover after *t* of a motion that ends at *until*; return how many."""
    if until <= 0.0:
        return _spread(arena, where, me, me.x, me.y, me.cos, me.sin, 0.0, 0.0, 0.0)
    x, y, c, s, fade, w = me.x, me.y, me.cos, me.sin, 0.0, 0.0
    if t > 0.0:
        driven = min(t, until)
        x, y, h = after(me, driven - 0.5 * me.drag * driven * driven)
        c, s = math.cos(h), math.sin(h)
    if t < until:
        fade, w = 1.0 - me.drag * t, me.w
    return _spread(arena, where, me, x, y, c, s, fade * (c * me.v - s * me.u), fade * (s * me.v + c * me.u), w)


@inner(copied=False)
def _lowest(corners, where, count, nx, ny):  # type: ignore[no-untyped-def]
    """Return how far corners reach against a direction."""
    best = math.inf
    for k in range(where, where + count):
        best = min(best, corners[k].x * nx + corners[k].y * ny)
    return best


@inner(copied=False)
def _across_edges(corners, a, na, b, nb):  # type: ignore[no-untyped-def]
    """Return the widest gap between a and b along a line across an edge of a, and that line."""
    best, best_x, best_y = -math.inf, 1.0, 0.0
    for k in range(na if na > 1 else 0):
        p, q = corners[a + k], corners[a + (k + 1) % na]
        nx, ny = q.y - p.y, p.x - q.x
        length = math.sqrt(nx * nx + ny * ny)
        nx, ny = nx / length, ny / length
        gap = _lowest(corners, b, nb, nx, ny) - (p.x * nx + p.y * ny)
        if gap > best:
            best, best_x, best_y = gap, nx, ny
    return best, best_x, best_y


@inner(copied=False)
def apart(arena, na, nb):  # type: ignore[no-untyped-def]
    """Return the widest gap between the two bodies whose corners are written, below 0 if they overlap, and its line.

    Lines across every edge are tried, and from corner to corner if one of both is a point. They lead from a to b.
    """
    corners, a, b = arena.corners, arena.frame[0].a, arena.frame[0].b
    best, best_x, best_y = _across_edges(corners, a, na, b, nb)
    gap, nx, ny = _across_edges(corners, b, nb, a, na)
    if gap > best:
        best, best_x, best_y = gap, -nx, -ny
    if na > 1 and nb > 1:
        return best, best_x, best_y
    nearest, nx, ny = math.inf, 0.0, 0.0
    for k in range(a, a + na):
        for j in range(b, b + nb):
            dx, dy = corners[j].x - corners[k].x, corners[j].y - corners[k].y
            if dx * dx + dy * dy < nearest:
                nearest, nx, ny = dx * dx + dy * dy, dx, dy
    length = math.sqrt(nearest)
    if length > 0.0:
        nx, ny = nx / length, ny / length
    gap = _lowest(corners, b, nb, nx, ny) + _lowest(corners, a, na, -nx, -ny)
    if gap > best and (length > 0.0 or best == -math.inf):
        best, best_x, best_y = gap, nx, ny
    return best, best_x, best_y


@inner(copied=False)
def _safe_time(arena, na, nb, room, nx, ny, bend):  # type: ignore[no-untyped-def]
    """Return how long no corner of a can cross the gap to b along a line, and the first one's own speed to there.

    *room* is taken off the gap; *bend* bounds the acceleration of all corners.
    """
    corners, a, b = arena.corners, arena.frame[0].a, arena.frame[0].b
    soonest, own = math.inf, 0.0
    for k in range(a, a + na):
        p = corners[k]
        rate = p.vx * nx + p.vy * ny
        for j in range(b, b + nb):
            q = corners[j]
            gap = max((q.x - p.x) * nx + (q.y - p.y) * ny - room, 0.0)
            closing = rate - q.vx * nx - q.vy * ny
            root = math.sqrt(closing * closing + 2.0 * bend * gap)
            safe = math.inf
            if closing > 0.0:
                safe = 2.0 * gap / (closing + root)
            elif bend > 0.0:
                safe = (root - closing) / bend
            if safe < soonest:
                soonest, own = safe, rate
    return soonest, own


@inner(copied=False)
def fastest(me):  # type: ignore[no-untyped-def]
    """Return the highest speed of any point of a mover on its way (m/s)."""
    drive = math.sqrt(me.v * me.v + me.u * me.u)
    return drive + abs(me.w) * me.reach if me.corners > 0 else drive


@inner(copied=False)
def meet(arena, me, other, limit, until):  # type: ignore[no-untyped-def]
    """Return when a mover on its way has to stop in front of another, at most *limit*, and the line to it.

    The other moves until *until*. Where it runs into this one, that is its own affair. Who overlaps already may go
    where it does not get deeper.
    """
    fast = fastest(me)
    bend = abs(me.w) * fast + me.drag * fast
    if until > 0.0:
        faster = fastest(other)
        fast, bend = fast + faster, bend + abs(other.w) * faster + other.drag * faster
    dx, dy, far = other.x - me.x, other.y - me.y, me.reach + other.reach + fast * limit + SKIN
    if fast == 0.0 or dx * dx + dy * dy > far * far:
        return limit, 0.0, 0.0
    radii = me.radius + other.radius
    t, stop, stop_x, stop_y, near, low = 0.0, -1.0, 0.0, 0.0, math.inf, math.inf
    nb = spread_at(arena, arena.frame[0].b, other, 0.0, until)
    for _ in range(_LOOKS):
        na = spread_at(arena, arena.frame[0].a, me, t, math.inf)
        if t > 0.0 and until > 0.0:
            nb = spread_at(arena, arena.frame[0].b, other, t, until)
        gap, nx, ny = apart(arena, na, nb)
        if near == math.inf:
            near, low = min(SKIN, gap - radii), min(TOUCH, gap - radii - NOISE)
        if gap - radii > near + TOUCH:
            stop = -1.0  # it came free again
        safe, own = _safe_time(arena, na, nb, radii + (near if stop < 0.0 else low), nx, ny, bend)
        if t < until < limit and t + safe >= until:
            t = until
        elif t + safe >= limit:
            return limit, 0.0, 0.0
        elif safe * fast > _STILL_M:
            t += safe
        elif stop < 0.0:
            stop, stop_x, stop_y = t, nx, ny
        elif own > 0.0 or t >= until:
            return stop, stop_x, stop_y
        else:
            t, stop = min(until, limit), -1.0
    return (t, nx, ny) if stop < 0.0 else (stop, stop_x, stop_y)


@inner(copied=False)
def _span(corners, where, count, nx, ny, edge):  # type: ignore[no-untyped-def]
    """Return from where to where along the touching line corners touch it."""
    low, high = math.inf, -math.inf
    for k in range(where, where + count):
        if corners[k].x * nx + corners[k].y * ny <= edge + _FLUSH_M:
            along = corners[k].y * nx - corners[k].x * ny
            low, high = min(low, along), max(high, along)
    return low, high


@inner(copied=False)
def touch(arena, na, nb, nx, ny, radius, x, y):  # type: ignore[no-untyped-def]
    """Return where the two bodies whose corners are written touch, on b (with its radius); nearest to x, y if flush."""
    corners, a, b = arena.corners, arena.frame[0].a, arena.frame[0].b
    edge_a, edge_b = _lowest(corners, a, na, -nx, -ny), _lowest(corners, b, nb, nx, ny)
    low_a, high_a = _span(corners, a, na, -nx, -ny, edge_a)
    low_b, high_b = _span(corners, b, nb, nx, ny, edge_b)
    low, high = max(-high_a, low_b), min(-low_a, high_b)
    along = min(max(y * nx - x * ny, low), high) if low < high else 0.5 * (low + high)
    out = edge_b - radius
    return out * nx - along * ny, out * ny + along * nx
