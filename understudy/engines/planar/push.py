"""The rest of a tick for robots that hit something: they push things and balls, or push themselves off a wall.

It goes in small steps. In each, robots propose their next pose; things move out of their way, without weight but not
through anything; what then overlaps is refused and tried again with half the step. All decide from the previous step
and pushes on one thing combine by the largest in each direction, so the order of robots does not matter.
"""

from __future__ import annotations

import math

from understudy import elementary
from understudy.engines.cells import cell_index
from understudy.engines.planar.contact import after, apart, fastest, meet, spread, take, touch, toward
from understudy.engines.planar.near import gather
from understudy.engines.planar.rows import ALONG, BUSY, IDLE, NOISE, SKIN, TOUCH, TURNING, enter, triples
from understudy.jit import inner, kernel

_STEPS, _MOST = 100, 50_000  # plus twice the number of strides in the longest path, but at most this many
_PUSHES = 16
_SQUEEZED = 0.05  # sine of the angle between two walls below which nothing slides between them
_KICK_M = 1e-5  # a ball this near to a robot that pushes it is kicked


@kernel(effort=13)
def shove(packed):
    """Use up the rest of the tick."""
    arena, place, speed = enter(packed), triples(packed, 0), triples(packed, 1)
    rows, frame, robots = arena.rows, arena.frame, triples(packed, 2).shape[0]
    listed = _list(arena, robots)
    longest = 0.0
    for i in range(robots):
        longest = max(longest, rows[i].room)
    for _ in range(_STEPS + 2 * cell_index(longest / frame[0].stride, _MOST)):
        if not _propose(arena, robots, listed):
            return
        _relax(arena, robots, listed)
        _refuse(arena, place, robots, listed)
        _kick(arena, speed, robots, listed)
        _commit(arena, robots, listed)
    for i in range(robots):
        if rows[i].mode != IDLE:
            rows[i].v, rows[i].u, rows[i].w, rows[i].stopped = 0.0, 0.0, 0.0, 1


@kernel(inline=True)
def _list(arena, robots):
    """Keep the relevant pairs, and list the movers that are in one of them or busy; return how many are listed."""
    rows, pairs, kept, listed = arena.rows, arena.pairs, 0, 0
    for i in range(robots):
        rows[i].step = _longest_step(arena, rows[i])
    for i in range(rows.shape[0] - 1):
        rows[i].changed = rows[i].mode != IDLE
    for p in range(arena.frame[0].pairs):
        a, b = pairs[p].a, pairs[p].b
        if a >= robots or b >= robots or rows[a].mode != IDLE or rows[b].mode != IDLE:
            rows[a].changed, rows[b].changed = 1, 1
            pairs[kept].a, pairs[kept].b = a, b
            kept += 1
    for i in range(rows.shape[0] - 1):
        me = rows[i]
        if me.changed:
            me.cos, me.sin = elementary.cos(me.h), elementary.sin(me.h)
            rows[listed].listed = i
            listed += 1
    arena.frame[0].pairs = kept
    return listed


@inner()
def _longest_step(arena, me):
    return arena.frame[0].stride / max(fastest(me), 1e-9)


@inner(copied=False)
def stop(arena, me):
    """Stop a robot; one with corners may still turn."""
    if me.car or (me.v == 0.0 and me.u == 0.0):
        me.w = 0.0
    me.v, me.u, me.stopped = 0.0, 0.0, 1
    me.step = _longest_step(arena, me)
    if me.corners == 0 or me.w == 0.0:
        me.mode = IDLE


# ---- proposed poses of robots


@kernel(inline=True)
def _propose(arena, robots, listed):
    """Let every busy robot propose its next pose; return whether any is busy."""
    rows, busy = arena.rows, False
    for q in range(listed):
        me = rows[rows[q].listed]
        me.to_x, me.to_y, me.to_h = me.x, me.y, me.h
        me.changed, me.refused, me.until = 0, 0, 0.0
        if me.mode != IDLE:
            busy, me.mode, me.blame = True, BUSY, 0
            me.soon = min(me.step, me.later)
            me.until = me.soon
            for p in range(gather(arena, me, me.x, me.y, me.soon)):
                _look_at(arena, me, take(arena, arena.pieces[p].near), 0.0)
    for p in range(arena.frame[0].pairs):
        a, b = arena.pairs[p].a, arena.pairs[p].b
        if a < robots and rows[a].mode != IDLE and not (b >= robots and rows[b].pull <= rows[a].pull):
            _look_at(arena, rows[a], rows[b], rows[b].until)
        if b < robots and rows[b].mode != IDLE and not (a >= robots and rows[a].pull <= rows[b].pull):
            _look_at(arena, rows[b], rows[a], rows[a].until)
    for q in range(listed):
        if rows[rows[q].listed].mode != IDLE:
            _decide(arena, rows[rows[q].listed])
    return busy


@inner(copied=False)
def _look_at(arena, me, other, until):
    """Store when a robot has to stop in front of another mover, and whether its own driving is the cause."""
    t, nx, ny = meet(arena, me, other, me.soon, until)
    if t < me.soon:
        me.soon, me.blame = t, 0
    if t == me.soon and t < min(me.step, me.later):
        _, _, h = after(me, t)
        if toward(me, h, nx, ny) > ALONG:
            me.blame = 1


@inner()
def _decide(arena, me):
    """Propose a robot's pose: as far as it is free, or turned in place and pushed off, or stopped."""
    step = min(me.step, me.later)
    stuck = me.soon < step and me.soon * fastest(me) < SKIN
    if stuck and me.blame:
        stop(arena, me)
    else:
        if stuck:
            me.mode, me.soon = TURNING, step
        me.changed = 1
        me.to_x, me.to_y, me.to_h = after(me, me.soon)


# ---- making way


@inner(copied=False)
def _gap(arena, me, x, y, h, other, other_x, other_y, other_h):
    """Return the gap between two movers at these poses, the line to the other, and the number of corners of each.

    If they are certainly farther apart than a skin, the gap is 2 skins.
    """
    dx, dy, far = other_x - x, other_y - y, me.reach + other.reach + 2.0 * SKIN
    if dx * dx + dy * dy > far * far:
        return 2.0 * SKIN, 0.0, 0.0, 0, 0
    na = spread(arena, arena.frame[0].a, me, x, y, h)
    nb = spread(arena, arena.frame[0].b, other, other_x, other_y, other_h)
    gap, nx, ny, _ = apart(arena, na, nb)
    return gap - me.radius - other.radius, nx, ny, na, nb


@kernel(inline=True)
def _relax(arena, robots, listed):
    """Move things out of the way of robots, and turning robots off what they turn against, the deepest first."""
    rows = arena.rows
    for turn in range(_PUSHES):
        for q in range(listed):
            i = rows[q].listed
            me = rows[i]
            me.depth = 0.0
            if turn == 0:
                me.last_x, me.last_y = 0.0, 0.0
            if me.changed and (i >= robots or me.mode == TURNING):
                for p in range(gather(arena, me, me.to_x, me.to_y, 0.0)):
                    fixed = take(arena, arena.pieces[p].near)
                    fixed.to_x, fixed.to_y = fixed.x, fixed.y
                    _nudge(arena, me, fixed)
        for p in range(arena.frame[0].pairs):
            i, k = arena.pairs[p].a, arena.pairs[p].b
            if rows[i].changed or rows[k].changed:
                _make_way(arena, robots, i, k)
                _make_way(arena, robots, k, i)
        moved = False
        for q in range(listed):
            me = rows[rows[q].listed]
            if me.depth > 0.0:
                _give_way(me)
                me.changed, moved = 1, True
        if not moved:
            break


@inner(copied=False)
def _make_way(arena, robots, i, k):
    """Push *i* off *k* if *i* is the one that gives way."""
    me, other = arena.rows[i], arena.rows[k]
    if i >= robots:
        gives = k < robots and (other.mode != TURNING or me.pull <= other.pull)
    else:
        gives = me.mode == TURNING and (k < robots or other.pull > me.pull)
    if gives:
        _nudge(arena, me, other)


@inner(copied=False)
def _nudge(arena, me, other):
    """Store how deep a mover is in another, if nothing as deep is stored."""
    gap, nx, ny, na, nb = _gap(arena, me, me.to_x, me.to_y, me.to_h, other, other.to_x, other.to_y, other.to_h)
    if gap >= SKIN or 1.5 * SKIN - gap < me.depth:
        return
    before, _, _, _, _ = _gap(arena, me, me.x, me.y, me.h, other, other.x, other.y, other.h)
    depth = min(1.5 * SKIN, before + 0.5 * SKIN) - gap
    if gap >= before or depth <= me.depth:
        return
    spread(arena, arena.frame[0].a, me, me.to_x, me.to_y, me.to_h)
    spread(arena, arena.frame[0].b, other, other.to_x, other.to_y, other.to_h)
    x, y = touch(arena, na, nb, nx, ny, me.radius, me.to_x, me.to_y)
    me.depth, me.hit_x, me.hit_y = depth, x, y
    me.push_x, me.push_y = -nx, -ny


@inner(copied=False)
def _give_way(me):
    """Move a mover out of what it is in, and turn a thing that is pushed off its centre.

    If that leads back into what it was moved out of before, it slides along that.
    """
    x, y, last_x, last_y = me.push_x, me.push_y, me.last_x, me.last_y
    me.last_x, me.last_y = x, y
    if x * last_x + y * last_y < 0.0:
        along = y * last_x - x * last_y
        if abs(along) > _SQUEEZED:
            me.to_x, me.to_y = me.to_x - last_y * me.depth / along, me.to_y + last_x * me.depth / along
        return
    lever = (me.hit_x - me.to_x) * y - (me.hit_y - me.to_y) * x
    push = me.depth / (1.0 + lever * lever * me.spin)
    me.to_x, me.to_y, me.to_h = me.to_x + push * x, me.to_y + push * y, me.to_h + push * lever * me.spin


# ---- refusals


@kernel(inline=True)
def _refuse(arena, place, robots, listed):
    """Refuse poses that would overlap, and those that depend on a refused one, until all fits."""
    rows = arena.rows
    for q in range(listed):
        i = rows[q].listed
        me = rows[i]
        if me.changed:
            dx, dy = me.to_x - place[i, 0], me.to_y - place[i, 1]
            me.refused = dx * dx + dy * dy > me.room * me.room * 1.0001 or (i >= robots and _leaps(me))
            for p in range(gather(arena, me, me.to_x, me.to_y, 0.0)):
                fixed = take(arena, arena.pieces[p].near)
                fixed.to_x, fixed.to_y = fixed.x, fixed.y
                me.refused = me.refused or _overlap(arena, me, 1, fixed, 1)
    again = True
    while again:
        again = False
        for p in range(arena.frame[0].pairs):
            i, k = arena.pairs[p].a, arena.pairs[p].b
            a, b = rows[i], rows[k]
            if a.changed - a.refused + b.changed - b.refused > 0 and (
                _overlap(arena, a, 1 - a.refused, b, 1 - b.refused)
                or (i < robots <= k and a.refused and _overlap(arena, a, a.refused, b, 1 - a.refused))
                or (k < robots <= i and b.refused and _overlap(arena, a, 1 - b.refused, b, b.refused))
            ):
                a.refused, b.refused, again = a.changed, b.changed, True


@inner(copied=False)
def _leaps(me):
    """Return whether a thing would move so far at once that it might have passed through a wall."""
    dx, dy = me.to_x - me.x, me.to_y - me.y
    return math.sqrt(dx * dx + dy * dy) + abs(me.to_h - me.h) * me.reach > me.inner


@inner(copied=False)
def _overlap(arena, a, goes_a, b, goes_b):
    """Return whether two movers overlap more than now at their present or proposed poses."""
    ax, ay, ah = (a.to_x, a.to_y, a.to_h) if goes_a else (a.x, a.y, a.h)
    bx, by, bh = (b.to_x, b.to_y, b.to_h) if goes_b else (b.x, b.y, b.h)
    gap, _, _, _, _ = _gap(arena, a, ax, ay, ah, b, bx, by, bh)
    if gap >= TOUCH:
        return False
    before, _, _, _, _ = _gap(arena, a, a.x, a.y, a.h, b, b.x, b.y, b.h)
    return gap < before - NOISE


@kernel(inline=True)
def _kick(arena, speed, robots, listed):
    """Kick the balls that robots push: they leave as fast as their bounce makes them. The hardest kick counts."""
    rows = arena.rows
    for q in range(listed):
        rows[rows[q].listed].depth = 0.0
    for p in range(arena.frame[0].pairs):
        k = max(arena.pairs[p].a, arena.pairs[p].b)
        me, ball = rows[min(arena.pairs[p].a, arena.pairs[p].b)], rows[k]
        if me.mode == IDLE or not ball.ball or not me.changed or me.refused or not ball.changed or ball.refused:
            continue
        gap, nx, ny, na, nb = _gap(arena, me, me.to_x, me.to_y, me.to_h, ball, ball.to_x, ball.to_y, ball.to_h)
        if gap < _KICK_M and na > 0:
            x, y = touch(arena, na, nb, nx, ny, me.radius, ball.to_x, ball.to_y)
            vx = me.cos * me.v - me.sin * me.u - me.w * (y - me.y)
            vy = me.sin * me.v + me.cos * me.u + me.w * (x - me.x)
            gain = ((vx - speed[k, 0]) * nx + (vy - speed[k, 1]) * ny) * (1.0 + ball.bounce)
            if gain > ball.depth:
                ball.depth, ball.push_x, ball.push_y = gain, nx, ny
    for q in range(listed):
        k = rows[q].listed
        if rows[k].depth > 0.0:
            speed[k, 0] += rows[k].depth * rows[k].push_x
            speed[k, 1] += rows[k].depth * rows[k].push_y


@kernel(inline=True)
def _commit(arena, robots, listed):
    """Apply what was not refused; a refused robot tries half of it, or stops."""
    for q in range(listed):
        i = arena.rows[q].listed
        me = arena.rows[i]
        if not me.changed:
            continue
        if me.refused and i < robots:
            me.step = 0.5 * me.soon
            if me.step * fastest(me) < SKIN:
                stop(arena, me)
        elif not me.refused:
            me.x, me.y, me.h = me.to_x, me.to_y, me.to_h
            me.cos, me.sin = elementary.cos(me.h), elementary.sin(me.h)
            if i < robots:
                me.ahead += me.v * me.soon
                me.aside += me.u * me.soon
                me.turned += me.w * me.soon
                me.later -= me.soon
                me.step = min(2.0 * me.step, _longest_step(arena, me))
                if me.later <= 1e-12:
                    me.mode = IDLE
