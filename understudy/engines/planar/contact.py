"""Two convex bodies on the floor: how far apart they are, where they touch, and when they will meet.

A body is a disc or a convex polygon on a constant twist, so that each of its points runs on a circle. The time of a
meeting is found by going ahead as long as the gap along one fixed line cannot close, then looking again: exact, and
nothing is jumped over however long the tick is.
"""

from __future__ import annotations

import math

from numba import njit

from understudy.engines.planar.columns import CORNERS, DRAG, NOISE, RADIUS, REACH, SKIN, TOUCH, H, L, V, W, X, Y

_LOOKS = 100  # then the time found so far counts: too early is safe
_STILL_M = 1e-11  # who comes no further than this between two looks has arrived
_FLUSH_M = 1e-5  # corners this near to the touching line touch too


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def wrap(angle):  # type: ignore[no-untyped-def]
    """Return an angle between -pi and pi (rad)."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@njit(cache=True, nogil=True, error_model="numpy")
def arc(x, y, heading, v, lateral, w, dt):  # type: ignore[no-untyped-def]
    """Return the pose after driving a constant twist for *dt* (exact)."""
    turn = w * dt
    if abs(turn) < 1e-9:
        along, across = dt, 0.5 * turn * dt
    else:
        along, across = math.sin(turn) / w, (1.0 - math.cos(turn)) / w
    c, s = math.cos(heading), math.sin(heading)
    fx, fy = v * along - lateral * across, v * across + lateral * along
    return x + c * fx - s * fy, y + s * fx + c * fy, wrap(heading + turn)


@njit(cache=True, nogil=True, error_model="numpy")
def at(way, i, t, until):  # type: ignore[no-untyped-def]
    """Return x, y, heading, vx, vy, turn of row *i* after *t* of a motion that ends at *until*."""
    x, y, h, v, lateral, w = way[i, X], way[i, Y], way[i, H], way[i, V], way[i, L], way[i, W]
    if until <= 0.0 or (v == 0.0 and lateral == 0.0 and w == 0.0):
        return x, y, h, 0.0, 0.0, 0.0
    drag = way[i, DRAG]
    driven = min(t, until)
    if driven > 0.0:
        x, y, h = arc(x, y, h, v, lateral, w, driven - 0.5 * drag * driven * driven)
    if t >= until:
        return x, y, h, 0.0, 0.0, 0.0
    c, s, fade = math.cos(h), math.sin(h), 1.0 - drag * t
    return x, y, h, fade * (c * v - s * lateral), fade * (s * v + c * lateral), w


@njit(cache=True, nogil=True, error_model="numpy")
def point_velocity(way, i, v, lateral, w, x, y):  # type: ignore[no-untyped-def]
    """Return how a point of row *i* moves where it has this twist (m/s)."""
    c, s = math.cos(way[i, H]), math.sin(way[i, H])
    return c * v - s * lateral - w * (y - way[i, Y]), s * v + c * lateral + w * (x - way[i, X])


@njit(cache=True, nogil=True, error_model="numpy")
def spread(arena, side, i, x, y, h, vx, vy, w):  # type: ignore[no-untyped-def]
    """Write the corners of row *i* at a pose, with their velocities; return how many (a disc: its middle)."""
    points, outline = arena.points, arena.outline
    count = int(arena.body[i, CORNERS])
    if count == 0:
        points[side, 0, 0], points[side, 0, 1], points[side, 0, 2], points[side, 0, 3] = x, y, vx, vy
        return 1
    c, s = math.cos(h), math.sin(h)
    for k in range(count):
        dx = c * outline[i, k, 0] - s * outline[i, k, 1]
        dy = s * outline[i, k, 0] + c * outline[i, k, 1]
        points[side, k, 0], points[side, k, 1] = x + dx, y + dy
        points[side, k, 2], points[side, k, 3] = vx - w * dy, vy + w * dx
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def _lowest(points, side, count, nx, ny):  # type: ignore[no-untyped-def]
    """Return how far the corners of a side reach against a direction."""
    best = points[side, 0, 0] * nx + points[side, 0, 1] * ny
    for k in range(1, count):
        best = min(best, points[side, k, 0] * nx + points[side, k, 1] * ny)
    return best


@njit(cache=True, nogil=True, error_model="numpy")
def apart(points, na, nb):  # type: ignore[no-untyped-def]
    """Return the widest gap between two sets of corners, below 0 if they overlap, and the line from a to b.

    Lines across every edge are tried, and from corner to corner if one of both is a point.
    """
    best, bx, by = -math.inf, 1.0, 0.0
    for side in range(2):
        count, others = (na, nb) if side == 0 else (nb, na)
        for k in range(count if count > 1 else 0):
            after = k + 1 if k + 1 < count else 0
            px, py = points[side, k, 0], points[side, k, 1]
            nx, ny = points[side, after, 1] - py, px - points[side, after, 0]
            length = math.sqrt(nx * nx + ny * ny)
            nx, ny = nx / length, ny / length
            gap = _lowest(points, 1 - side, others, nx, ny) - (px * nx + py * ny)
            if gap > best:
                best = gap
                bx, by = (nx, ny) if side == 0 else (-nx, -ny)
    if na > 1 and nb > 1:
        return best, bx, by
    nearest, dx, dy = math.inf, 0.0, 0.0
    for a in range(na):
        for b in range(nb):
            ex, ey = points[1, b, 0] - points[0, a, 0], points[1, b, 1] - points[0, a, 1]
            if ex * ex + ey * ey < nearest:
                nearest, dx, dy = ex * ex + ey * ey, ex, ey
    length = math.sqrt(nearest)
    if length > 0.0:
        dx, dy = dx / length, dy / length
        gap = _lowest(points, 1, nb, dx, dy) + _lowest(points, 0, na, -dx, -dy)
        if gap > best:
            return gap, dx, dy
    return max(best, 0.0 if na == 1 and nb == 1 else best), bx, by


@njit(cache=True, nogil=True, error_model="numpy")
def _safe_time(points, na, nb, room, nx, ny, bend):  # type: ignore[no-untyped-def]
    """Return how long no corner of a can cross the gap to b along a line, and how fast the first that could moves itself.

    *room* is taken off the gap; *bend* bounds the acceleration of all corners.
    """
    soonest, own = math.inf, 0.0
    for a in range(na):
        along = points[0, a, 0] * nx + points[0, a, 1] * ny
        rate = points[0, a, 2] * nx + points[0, a, 3] * ny
        for b in range(nb):
            gap = max(points[1, b, 0] * nx + points[1, b, 1] * ny - along - room, 0.0)
            closing = rate - points[1, b, 2] * nx - points[1, b, 3] * ny
            root = math.sqrt(closing * closing + 2.0 * bend * gap)
            if closing > 0.0:
                safe = 2.0 * gap / (closing + root)
            else:
                safe = (root - closing) / bend if bend > 0.0 else math.inf
            if safe < soonest:
                soonest, own = safe, rate
    return soonest, own


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def speeds(way, body, i):  # type: ignore[no-untyped-def]
    """Return the highest speed and the highest acceleration of any point of row *i* on its way (m/s, m/s2)."""
    drive, turn = math.sqrt(way[i, V] * way[i, V] + way[i, L] * way[i, L]), abs(way[i, W])
    fast = drive + turn * body[i, REACH] if body[i, CORNERS] > 0.0 else drive
    return fast, turn * fast + way[i, DRAG] * drive


@njit(cache=True, nogil=True, error_model="numpy")
def meet(arena, i, k, limit, until):  # type: ignore[no-untyped-def]
    """Return when row *i* on its way has to stop in front of row *k*, at most *limit*, and the line from i to k.

    *k* moves until *until*. Where *k* runs into *i*, that is its own affair. Who overlaps already may go where it does
    not get deeper.
    """
    way, body, points = arena.way, arena.body, arena.points
    fast, bend = speeds(way, body, i)
    if until > 0.0:
        faster, sharper = speeds(way, body, k)
        fast, bend = fast + faster, bend + sharper
    dx, dy = way[k, X] - way[i, X], way[k, Y] - way[i, Y]
    far = body[i, REACH] + body[k, REACH] + fast * limit + SKIN
    if fast == 0.0 or dx * dx + dy * dy > far * far:
        return limit, 0.0, 0.0
    radii = body[i, RADIUS] + body[k, RADIUS]
    t, stop, sx, sy, near, low = 0.0, -1.0, 0.0, 0.0, 0.0, 0.0
    for look in range(_LOOKS):
        x, y, h, vx, vy, w = at(way, i, t, math.inf)
        na = spread(arena, 0, i, x, y, h, vx, vy, w)
        x, y, h, vx, vy, w = at(way, k, t, until)
        nb = spread(arena, 1, k, x, y, h, vx, vy, w)
        gap, nx, ny = apart(points, na, nb)
        gap -= radii
        if look == 0:
            near, low = min(SKIN, gap), min(TOUCH, gap - NOISE)
        if gap > near + TOUCH:
            stop = -1.0  # it came free again
        safe, own = _safe_time(points, na, nb, radii + (near if stop < 0.0 else low), nx, ny, bend)
        if t < until and t + safe >= until and until < limit:
            t = until
        elif t + safe >= limit:
            return limit, 0.0, 0.0
        elif safe * fast > _STILL_M:
            t += safe
        elif stop < 0.0:
            stop, sx, sy = t, nx, ny
        elif own > 0.0 or t >= until:
            return stop, sx, sy
        else:
            t, stop = min(until, limit), -1.0
    return (stop if stop >= 0.0 else t), nx, ny


@njit(cache=True, nogil=True, error_model="numpy")
def _span(points, side, count, nx, ny, edge):  # type: ignore[no-untyped-def]
    """Return between what places along the touching line the corners of a side touch it."""
    low, high = math.inf, -math.inf
    for k in range(count):
        if points[side, k, 0] * nx + points[side, k, 1] * ny <= edge + _FLUSH_M:
            along = points[side, k, 1] * nx - points[side, k, 0] * ny
            low, high = min(low, along), max(high, along)
    return low, high


@njit(cache=True, nogil=True, error_model="numpy")
def touch(arena, k, na, nb, nx, ny, x, y):  # type: ignore[no-untyped-def]
    """Return where two bodies whose corners are written touch, on the edge of b; of a whole edge the point nearest x, y."""
    points = arena.points
    edge_a, edge_b = _lowest(points, 0, na, -nx, -ny), _lowest(points, 1, nb, nx, ny)
    low_a, high_a = _span(points, 0, na, -nx, -ny, edge_a)
    low_b, high_b = _span(points, 1, nb, nx, ny, edge_b)
    low, high = max(-high_a, low_b), min(-low_a, high_b)
    if low > high:
        low, high = 0.5 * (low + high), 0.5 * (low + high)
    along = min(max(y * nx - x * ny, low), high)
    out = edge_b - arena.body[k, RADIUS]
    return out * nx - along * ny, out * ny + along * nx
