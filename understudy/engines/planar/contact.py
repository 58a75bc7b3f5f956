"""Two convex bodies on the floor: their distance, their contact, and the time of impact.

A body is a disc or a convex polygon on a constant twist, so that each of its points moves on a circle. The time of
impact is found by conservative advancement: advance as long as the gap along one fixed line cannot close, then look
again. This is exact, and nothing is jumped over in a tick of any length.
"""

from __future__ import annotations

import math

from understudy import elementary
from understudy.engines.planar.rows import NOISE, SKIN, TOUCH
from understudy.jit import inner

_LOOKS = 24  # iterations; then the time found so far counts: too early is safe
_STILL_M = 1e-11  # a mover that advances less than this between two iterations has arrived
_FLUSH_M = 1e-5  # corners this near to the contact line touch too


@inner()
def wrap(angle):
    """Return an angle between -pi and pi (rad)."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@inner(copied=False)
def after(me, t):
    """Return x, y and heading after a mover has kept its twist for *t* (exact)."""
    turn = me.w * t
    along, across = t, 0.5 * turn * t
    if abs(turn) > 1e-9:
        along, across = elementary.sin(turn) / me.w, (1.0 - elementary.cos(turn)) / me.w
    ahead, left = me.v * along - me.u * across, me.v * across + me.u * along
    return me.x + me.cos * ahead - me.sin * left, me.y + me.sin * ahead + me.cos * left, wrap(me.h + turn)


@inner(copied=False)
def _spread(arena, where, me, x, y, c, s, fade, w):
    """Write the corners of a mover at a pose, with their motion; return their number (for a disc: its centre).

    *fade* is the remaining share of its speed.
    """
    corners, vx, vy = arena.corners, c * me.v - s * me.u, s * me.v + c * me.u
    drag = me.drag if fade > 0.0 else 0.0  # a stopped mover does not decelerate
    ax, ay, vx, vy = -drag * vx, -drag * vy, fade * vx, fade * vy
    if me.corners == 0:
        point = corners[where]
        point.x, point.y = x, y
        point.vx, point.vy = vx, vy
        point.ax, point.ay = ax - w * vy, ay + w * vx
        return 1
    for k in range(me.corners):
        own, point = corners[me.first + k], corners[where + k]
        dx, dy = c * own.x - s * own.y, s * own.x + c * own.y
        point.x, point.y = x + dx, y + dy
        point.out_x, point.out_y = c * own.out_x - s * own.out_y, s * own.out_x + c * own.out_y
        point.vx, point.vy = vx - w * dy, vy + w * dx
        point.ax, point.ay = ax - w * point.vy, ay + w * point.vx
    return me.corners


@inner(copied=False)
def spread(arena, where, me, x, y, h):
    """Write the corners of a mover at rest at a pose; return their number."""
    return _spread(arena, where, me, x, y, elementary.cos(h), elementary.sin(h), 0.0, 0.0)


@inner(copied=False)
def spread_at(arena, where, me, t, until):
    """Write the corners of a mover after *t* of a motion that ends at *until*; return their number."""
    x, y, c, s, fade, w = me.x, me.y, me.cos, me.sin, 0.0, 0.0
    driven = min(t, until)
    if driven > 0.0:
        x, y, h = after(me, driven - 0.5 * me.drag * driven * driven)
        c, s = elementary.cos(h), elementary.sin(h)
    if t < until:
        fade, w = 1.0 - me.drag * t, me.w
    return _spread(arena, where, me, x, y, c, s, fade, w)


@inner(copied=False)
def _lowest(corners, where, count, nx, ny):
    """Return how far corners extend against a direction."""
    best = math.inf
    for k in range(where, where + count):
        best = min(best, corners[k].x * nx + corners[k].y * ny)
    return best


@inner(copied=False)
def _across_edges(corners, a, na, b, nb):
    """Return the widest gap between a and b along a normal of an edge of a, and where that edge begins."""
    best, edge = -math.inf, a
    for k in range(a, a + na):
        p = corners[k]
        gap = _lowest(corners, b, nb, p.out_x, p.out_y) - (p.x * p.out_x + p.y * p.out_y)
        if gap > best:
            best, edge = gap, k
    return best, edge


@inner(copied=False)
def apart(arena, na, nb):
    """Return the widest gap between the two bodies whose corners are written, negative if they overlap, and its line.

    The normals of all edges are tried, and corner to corner if one of both is a point. They point from a to b. The last
    value is the corner where the edge begins, or -1.
    """
    corners, a, b = arena.corners, arena.frame[0].a, arena.frame[0].b
    best, nx, ny, edge = -math.inf, 1.0, 0.0, -1
    if na > 1:
        best, edge = _across_edges(corners, a, na, b, nb)
        nx, ny = corners[edge].out_x, corners[edge].out_y
    if nb > 1:
        gap, other = _across_edges(corners, b, nb, a, na)
        if gap > best:
            best, edge, nx, ny = gap, other, -corners[other].out_x, -corners[other].out_y
        if na > 1:
            return best, nx, ny, edge
    nearest, ex, ey = math.inf, 0.0, 0.0
    for k in range(a, a + na):
        for j in range(b, b + nb):
            dx, dy = corners[j].x - corners[k].x, corners[j].y - corners[k].y
            if dx * dx + dy * dy < nearest:
                nearest, ex, ey = dx * dx + dy * dy, dx, dy
    length = math.sqrt(nearest)
    if length > 0.0:
        ex, ey = ex / length, ey / length
    gap = _lowest(corners, b, nb, ex, ey) + _lowest(corners, a, na, -ex, -ey)
    if gap > best and (length > 0.0 or edge < 0):
        return gap, ex, ey, -1
    return best, nx, ny, edge


@inner(copied=False)
def _safe_time(corners, p, q, room, nx, ny, w, bend):
    """Return how long corner *q* cannot come nearer than *room* to corner *p* along a line that turns with p's body.

    *bend* bounds the change of their acceleration meanwhile.
    """
    p, q = corners[p], corners[q]
    dx, dy = q.x - p.x, q.y - p.y
    vx, vy = p.vx - q.vx - w * dy, p.vy - q.vy + w * dx
    ax, ay = p.ax - q.ax - w * (w * dx - 2.0 * vy), p.ay - q.ay - w * (w * dy + 2.0 * vx)
    gap, closing, curve = max(dx * nx + dy * ny - room, 0.0), vx * nx + vy * ny, ax * nx + ay * ny + bend
    root = closing * closing + 2.0 * curve * gap
    if closing > 0.0 and root >= 0.0:
        return 2.0 * gap / (closing + math.sqrt(root))
    if closing <= 0.0 and curve > 0.0:
        return (math.sqrt(root) - closing) / curve
    return math.inf


@inner(copied=False)
def _safe(arena, na, nb, edge, room, nx, ny, wa, wb, bend):
    """Return how long a and b cannot come nearer than *room*, and the approach speed of a itself where it is first.

    The normal of an edge turns with its body; the line between two corners is fixed.
    """
    corners, a, b = arena.corners, arena.frame[0].a, arena.frame[0].b
    soonest, own = math.inf, 0.0
    if edge >= b:
        for k in range(a, a + na):
            safe = _safe_time(corners, edge, k, room, -nx, -ny, wb, bend)
            if safe < soonest:
                soonest, own = safe, corners[k].vx * nx + corners[k].vy * ny
        return soonest, own
    first, last, turn = (a, a + na, 0.0) if edge < 0 else (edge, edge + 1, wa)
    for k in range(first, last):
        for j in range(b, b + nb):
            safe = _safe_time(corners, k, j, room, nx, ny, turn, bend)
            if safe < soonest:
                p, q = corners[k], corners[j]
                soonest, own = safe, (p.vx - turn * (q.y - p.y)) * nx + (p.vy + turn * (q.x - p.x)) * ny
    return soonest, own


@inner(copied=False)
def fastest(me):
    """Return the highest speed of any point of a moving mover (m/s)."""
    drive = math.sqrt(me.v * me.v + me.u * me.u)
    return drive + abs(me.w) * me.reach if me.corners > 0 else drive


@inner(copied=False)
def toward(me, heading, nx, ny):
    """Return the speed of a mover with this heading in a direction (m/s)."""
    c, s = elementary.cos(heading), elementary.sin(heading)
    return (c * me.v - s * me.u) * nx + (s * me.v + c * me.u) * ny


@inner(copied=False)
def meet(arena, me, other, limit, until):
    """Return when a moving mover has to stop in front of another, at most *limit*, and the line to it.

    The other moves until *until*. If the other runs into this one, the other stops. A mover that already overlaps may
    move where the overlap does not grow.
    """
    frame, mine, its = arena.frame[0], fastest(me), 0.0
    if until > 0.0:
        its = fastest(other)
    fast, dx, dy = mine + its, other.x - me.x, other.y - me.y
    far = me.reach + other.reach + fast * limit + SKIN
    if mine == 0.0 or dx * dx + dy * dy > far * far:
        return limit, 0.0, 0.0
    radii, near, low = me.radius + other.radius, math.inf, math.inf
    most, t, stop = max(abs(me.w), abs(other.w) if its > 0.0 else 0.0), 0.0, -1.0
    bend = most * most * (most * far + 7.0 * fast) * limit / 3.0
    nb = spread_at(arena, frame.b, other, 0.0, until)
    for _ in range(_LOOKS):
        na = spread_at(arena, frame.a, me, t, math.inf)
        if t > 0.0 and until > 0.0:
            nb = spread_at(arena, frame.b, other, t, until)
        gap, nx, ny, edge = apart(arena, na, nb)
        if near == math.inf:
            near, low = min(SKIN, gap - radii), min(TOUCH, gap - radii - NOISE)
        if gap - radii > near + TOUCH:
            stop = -1.0  # it is free again
        turn = other.w if t < until else 0.0
        safe, own = _safe(arena, na, nb, edge, radii + (near if stop < 0.0 else low), nx, ny, me.w, turn, bend)
        if stop < 0.0 and safe * fast <= _STILL_M:
            stop = t
            safe, own = _safe(arena, na, nb, edge, radii + low, nx, ny, me.w, turn, bend)
        if t < until < limit and t + safe >= until:
            t = until
        elif t + safe >= limit:
            return limit, 0.0, 0.0
        elif safe * fast > _STILL_M:
            t += safe
        elif own > 0.0 or t >= until:
            break
        else:
            t, stop = min(until, limit), -1.0
    return stop if stop >= 0.0 else t, nx, ny


@inner(copied=False)
def _span(corners, where, count, nx, ny, edge):
    """Return the interval of corners that touch, along the contact line."""
    low, high = math.inf, -math.inf
    for k in range(where, where + count):
        if corners[k].x * nx + corners[k].y * ny <= edge + _FLUSH_M:
            along = corners[k].y * nx - corners[k].x * ny
            low, high = min(low, along), max(high, along)
    return low, high


@inner(copied=False)
def touching_line(arena, na, nb, nx, ny):
    """Return the interval in which the two bodies whose corners are written touch, along the line between them.

    The first value exceeds the second if they only come near each other, corner to corner.
    """
    corners, a, b = arena.corners, arena.frame[0].a, arena.frame[0].b
    low_a, high_a = _span(corners, a, na, -nx, -ny, _lowest(corners, a, na, -nx, -ny))
    low_b, high_b = _span(corners, b, nb, nx, ny, _lowest(corners, b, nb, nx, ny))
    return max(-high_a, low_b), min(-low_a, high_b)


@inner(copied=False)
def on_line(arena, na, nx, ny, radius, along):
    """Return the point of body a, which has a radius, at a position along the contact line."""
    out = radius - _lowest(arena.corners, arena.frame[0].a, na, -nx, -ny)
    return out * nx - along * ny, out * ny + along * nx


@inner(copied=False)
def touch(arena, na, nb, nx, ny, radius, x, y):
    """Return where the two bodies whose corners are written touch, on a, which has a radius.

    For edge-to-edge contact it is the point nearest to x, y.
    """
    low, high = touching_line(arena, na, nb, nx, ny)
    along = min(max(y * nx - x * ny, low), high) if low < high else 0.5 * (low + high)
    return on_line(arena, na, nx, ny, radius, along)


@inner(copied=False)
def take(arena, k):
    """Return fixed piece *k* as a mover at rest."""
    piece, fixed, corners = arena.pieces[k], arena.rows[arena.rows.shape[0] - 1], arena.corners
    hx, hy = 0.5 * (piece.bx - piece.ax), 0.5 * (piece.by - piece.ay)
    half = math.sqrt(hx * hx + hy * hy)
    fixed.x, fixed.y = piece.ax + hx, piece.ay + hy
    fixed.radius, fixed.reach = piece.radius, half + piece.radius
    fixed.corners = 0
    if half > 0.0:
        fixed.corners = 2
        p, q, nx, ny = corners[fixed.first], corners[fixed.first + 1], hy / half, -hx / half
        p.x, p.y = -hx, -hy
        p.out_x, p.out_y = nx, ny
        q.x, q.y = hx, hy
        q.out_x, q.out_y = -nx, -ny
    return fixed
