"""Who can meet whom: pairs of movers by a sorted sweep, fixed pieces by a grid. Finding them never changes a result."""

from __future__ import annotations

import math

from understudy.compiled import inner
from understudy.engines.planar.rows import SKIN


@inner(copied=False)
def pair_up(arena):  # type: ignore[no-untyped-def]
    """Note the pairs of movers that can meet in this tick; return how many, or -1 if there is no room for them."""
    rows, pairs, movers, count = arena.rows, arena.pairs, arena.rows.shape[0] - 1, 0
    for n in range(movers):
        _sort_in(arena, n)
    for n in range(movers):
        mine = pairs[n]
        me = rows[mine.row]
        if not me.solid:
            continue
        for m in range(n + 1, movers):
            its = pairs[m]
            if its.left > mine.right:
                break
            if its.under > mine.over or its.over < mine.under:
                continue
            other = rows[its.row]
            if not other.solid or me.room + other.room == 0.0 or other.bottom >= me.top or other.top <= me.bottom:
                continue
            if count == pairs.shape[0]:
                return -1
            pairs[count].a, pairs[count].b = mine.row, its.row
            count += 1
    return count


@inner()
def _sort_in(arena, n):  # type: ignore[no-untyped-def]
    """Bring the n-th of the sorted list to its place among those before it; the list hardly changes from tick to tick.

    Of two whose left edges are the same the lower comes first.
    """
    pairs = arena.pairs
    i = pairs[n].row
    me = arena.rows[i]
    half = me.reach + me.room + 2.0 * SKIN
    along, across = (me.x, me.y) if arena.frame[0].axis == 0 else (me.y, me.x)
    left, under = along - half, across - half
    while n > 0:
        before, here = pairs[n - 1], pairs[n]
        if before.left < left or (before.left == left and (before.under, before.row) < (under, i)):
            break
        here.row, here.left, here.right = before.row, before.left, before.right
        here.under, here.over = before.under, before.over
        n -= 1
    here = pairs[n]
    here.row, here.left, here.right = i, left, along + half
    here.under, here.over = under, across + half


@inner()
def _cell(place, most):  # type: ignore[no-untyped-def]
    return int(min(max(place, 0.0), float(most)))


@inner(copied=False)
def gather(arena, me, x, y, dx, dy, bow):  # type: ignore[no-untyped-def]
    """Note the fixed pieces that a mover can touch from here on a way of dx, dy that bends no more than *bow* (m).

    Return how many.
    """
    frame, pieces, start = arena.frame[0], arena.pieces, arena.start
    frame.stamp += 1
    reach, count = me.reach + 2.0 * SKIN, 0
    wide, cells, left, low = reach + math.sqrt(dx * dx + dy * dy), frame.cells, x - frame.left, y - frame.low
    i0, i1 = _cell((left - wide) * cells, frame.across), _cell((left + wide) * cells + 1.0, frame.across)
    j0, j1 = _cell((low - wide) * cells, frame.up), _cell((low + wide) * cells + 1.0, frame.up)
    for j in range(j0, j1):
        for p in range(start[j * frame.across + i0], start[j * frame.across + i1]):
            k = arena.listed[p]
            piece = pieces[k]
            if piece.seen == frame.stamp or piece.bottom >= me.top or piece.top <= me.bottom:
                continue
            piece.seen = frame.stamp
            ex, ey, px, py = piece.bx - piece.ax, piece.by - piece.ay, piece.ax - x, piece.ay - y
            length2 = ex * ex + ey * ey
            if length2 > 0.0:
                u = min(max(-(px * ex + py * ey) / length2, 0.0), 1.0)
                px, py = px + u * ex, py + u * ey
            away = math.sqrt(px * px + py * py)
            toward = dx * px + dy * py + bow * away  # times the distance: so much nearer can it come
            if (away - reach - piece.radius) * away <= max(toward, 0.0):
                pieces[count].near = k
                count += 1
    return count


@inner(copied=False)
def gather_ahead(arena, me, t):  # type: ignore[no-untyped-def]
    """Note the fixed pieces that a mover can touch on its way within a time; return how many."""
    dx, dy = t * (me.cos * me.v - me.sin * me.u), t * (me.sin * me.v + me.cos * me.u)
    return gather(arena, me, me.x, me.y, dx, dy, 0.5 * abs(me.w) * t * math.sqrt(dx * dx + dy * dy))


@inner(copied=False)
def take(arena, k):  # type: ignore[no-untyped-def]
    """Return fixed piece *k* as a mover that stands still."""
    piece, fixed, corners = arena.pieces[k], arena.rows[arena.rows.shape[0] - 1], arena.corners
    hx, hy = 0.5 * (piece.bx - piece.ax), 0.5 * (piece.by - piece.ay)
    fixed.x, fixed.y = piece.ax + hx, piece.ay + hy
    fixed.radius, fixed.reach = piece.radius, math.sqrt(hx * hx + hy * hy) + piece.radius
    fixed.corners = 0
    if hx != 0.0 or hy != 0.0:
        fixed.corners = 2
        p, q = corners[fixed.first], corners[fixed.first + 1]
        p.x, p.y = -hx, -hy
        q.x, q.y = hx, hy
    return fixed
