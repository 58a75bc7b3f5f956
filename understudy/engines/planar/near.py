"""Broad phase: pairs of movers by a sorted sweep, fixed pieces by a grid. It never changes a result."""

from __future__ import annotations

import math

from understudy.engines.cells import cell_index
from understudy.engines.planar.rows import SKIN
from understudy.jit import inner


@inner(copied=False)
def pair_up(arena):
    """Store the pairs of movers that can meet in this tick; return how many, or -1 if there is no room for them."""
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
def _sort_in(arena, n):
    """Insert the n-th of the sorted list into those before it; the list changes little from tick to tick.

    Of two with the same left edge the lower comes first.
    """
    pairs = arena.pairs
    i = pairs[n].row
    me = arena.rows[i]
    along, across, half = me.x, me.y, me.reach + me.room + 2.0 * SKIN
    if arena.frame[0].axis == 1:
        along, across = across, along
    left, under = along - half, across - half
    while n > 0:
        before = pairs[n - 1]
        if before.left < left or (before.left == left and before.under <= under):
            break
        pairs[n] = before
        n -= 1
    here = pairs[n]
    here.row, here.left, here.under = i, left, under
    here.right, here.over = along + half, across + half


@inner(copied=False)
def gather(arena, me, x, y, t):
    """Store the fixed pieces that a mover can touch if it keeps its twist for a time; return how many."""
    frame, pieces, start = arena.frame[0], arena.pieces, arena.start
    frame.stamp += 1
    dx, dy = t * (me.cos * me.v - me.sin * me.u), t * (me.sin * me.v + me.cos * me.u)
    way, reach, count = math.sqrt(dx * dx + dy * dy), me.reach + 2.0 * SKIN, 0
    bow, wide = 0.5 * abs(me.w) * t * way, reach + way
    cells, left, low = frame.cells, x - frame.left, y - frame.low
    across, up = frame.across + 1, frame.up + 1  # one more: the last may be the one after all
    i0, i1 = cell_index((left - wide) * cells, across), cell_index((left + wide) * cells + 1.0, across)
    j0, j1 = cell_index((low - wide) * cells, up), cell_index((low + wide) * cells + 1.0, up)
    for j in range(j0, j1):
        for p in range(start[j * frame.across + i0], start[j * frame.across + i1]):
            k = arena.held[p]
            piece = pieces[k]
            if piece.seen == frame.stamp or piece.bottom >= me.top or piece.top <= me.bottom:
                continue
            piece.seen = frame.stamp
            ex, ey = piece.bx - piece.ax, piece.by - piece.ay
            px, py = piece.ax - x, piece.ay - y
            length2 = ex * ex + ey * ey
            if length2 > 0.0:
                u = min(max(-(px * ex + py * ey) / length2, 0.0), 1.0)
                px, py = px + u * ex, py + u * ey
            away = math.sqrt(px * px + py * py)
            toward = dx * px + dy * py + bow * away  # times the distance: how much nearer it can come
            if (away - reach - piece.radius) * away <= max(toward, 0.0):
                pieces[count].near = k
                count += 1
    return count
