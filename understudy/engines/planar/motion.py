"""One tick of motion: robots drive until they hit something, all at once, and stop just before it.

Every robot moves on the exact arc of its twist. What it hits, and when, follows from the state before the tick; robots
that hit each other are resolved in rounds in which all decide from the previous round. So the order of robots does not
matter. Rolling balls (`ball`) and pushing robots (`push`) have their own kernels.
"""

from __future__ import annotations

import math

from understudy import elementary
from understudy.engines.planar.contact import after, apart, meet, spread_at, take, toward, wrap
from understudy.engines.planar.near import gather, pair_up
from understudy.engines.planar.push import stop
from understudy.engines.planar.rows import ALONG, BUSY, FIXED, IDLE, NOBODY, TOUCH, enter, triples
from understudy.jit import inner, kernel

BEGIN, DRIVE, FINISH = 0, 1, 2  # stages of `advance`
NO_ROOM, ROLL, PUSH = -1, -2, -3  # its requests

_ROUNDS = 16


@inner()
def _toward(now, want, limit, step):
    """Return the speed after one tick: nearer to the target, within the motors' limits."""
    return min(max(min(max(want, -limit), limit), now - step), now + step)


@kernel(inline=True)
def _prepare(arena, place, speed, targets, robots):
    """Write pose and motion of everything, and how far it can get; return whether a ball rolls."""
    dt, farthest, rolling = arena.frame[0].tick, 0.0, False
    for i in range(place.shape[0]):
        me = arena.rows[i]
        me.x, me.y, me.h = place[i, 0], place[i, 1], place[i, 2]
        v, u, w = speed[i, 0], speed[i, 1], speed[i, 2]
        if i < robots:
            v = _toward(v, targets[i, 0], me.max_v, me.accel * dt)
            u = _toward(u, targets[i, 1], me.max_u, me.accel * dt)
            w = _toward(w, targets[i, 2], me.max_w, me.accel_w * dt)
            if me.car:
                w = min(max(w, -abs(v) * me.curve), abs(v) * me.curve)
        me.room = math.sqrt(v * v + u * u) * dt
        if i >= robots:
            rolling = rolling or me.room > 0.0
            me.room += farthest
            me.until = 0.0
            v, u, w = 0.0, 0.0, 0.0
        elif me.solid:
            if me.corners > 0:  # what it may push itself off while it turns
                me.room += 2.0 * me.reach * min(abs(w) * dt, 1.0)
            farthest = max(farthest, me.room)
        if me.ball:
            me.h = 0.0
        me.v, me.u, me.w = v, u, w
        me.cos, me.sin = elementary.cos(me.h), elementary.sin(me.h)
    return rolling


# ---- until they hit something


@kernel(inline=True)
def _look_at_walls(arena, robots):
    """Store how long every robot stays clear of everything fixed."""
    dt = arena.frame[0].tick
    for i in range(robots):
        me = arena.rows[i]
        me.soon, me.next = dt, NOBODY
        if me.solid and (me.v != 0.0 or me.u != 0.0 or (me.corners > 0 and me.w != 0.0)):
            for p in range(gather(arena, me, me.x, me.y, dt)):
                k = arena.pieces[p].near
                look_at(arena, me, take(arena, k), FIXED - k, 0.0)
        me.free, me.until, me.who = me.soon, me.soon, me.next
        me.wall_x, me.wall_y = me.out_x, me.out_y


@inner(copied=False)
def look_at(arena, me, other, who, until):
    """Store it if another mover, which moves until *until*, stops a robot earlier than others do."""
    t, nx, ny = meet(arena, me, other, me.soon, until)
    if t < me.soon:
        me.soon, me.next = t, who
        me.out_x, me.out_y = -nx, -ny


@kernel(inline=True)
def _race(arena, robots):
    """Find how far each robot gets when all drive at once; return whether any hits a mover.

    In each round every robot finds how far it gets if the others get as far as in the previous round. Pairs are in the
    order of positions, so of two that stop a robot at the same time it is always the same that counts.
    """
    rows, pairs, changed = arena.rows, arena.pairs, arena.frame[0].pairs > 0
    turn = 0
    while changed and turn < _ROUNDS:
        for i in range(robots):
            me = rows[i]
            me.soon, me.next = me.free, me.who
            me.out_x, me.out_y = me.wall_x, me.wall_y
        for p in range(arena.frame[0].pairs):
            i, k = pairs[p].a, pairs[p].b
            a, b = rows[i], rows[k]
            if i < robots:
                look_at(arena, a, b, k, b.until)
            if k < robots:
                look_at(arena, b, a, i, a.until)
        changed = False
        for i in range(robots):
            me = rows[i]
            changed = changed or me.until != me.soon
            me.until = me.soon
        turn += 1
    return turn > 1


@inner(copied=False)
def _gap_after(arena, me, t, other, s):
    """Return the gap between two movers after times of their own (m), and the line from one to the other."""
    na = spread_at(arena, arena.frame[0].a, me, t, math.inf)
    nb = spread_at(arena, arena.frame[0].b, other, s, math.inf)
    gap, nx, ny, _ = apart(arena, na, nb)
    return gap - me.radius - other.radius, nx, ny


@kernel(inline=True)
def _hold_the_undecided(arena, robots):
    """Keep robots in place that would still overlap: each may have left it to the other to stop."""
    again = True
    while again:
        again = False
        for p in range(arena.frame[0].pairs):
            i, k = arena.pairs[p].a, arena.pairs[p].b
            a, b = arena.rows[i], arena.rows[k]
            if i < robots and k < robots and a.until + b.until > 0.0:
                gap, _, _ = _gap_after(arena, a, a.until, b, b.until)
                if gap >= 0.9 * TOUCH:
                    continue
                before, nx, ny = _gap_after(arena, a, 0.0, b, 0.0)
                if gap < before:
                    a.next, b.next = k, i
                    a.out_x, a.out_y = -nx, -ny
                    b.out_x, b.out_y = nx, ny
                    a.until, b.until = 0.0, 0.0
                    again = True


@kernel(inline=True)
def _arrive(arena, robots):
    """Move every robot to where it got; return whether any has something left to push or to turn."""
    dt, engaged = arena.frame[0].tick, False
    for i in range(robots):
        me = arena.rows[i]
        t = me.until
        me.ahead, me.aside, me.turned = me.v * t, me.u * t, me.w * t
        me.x, me.y, me.h = after(me, t)
        me.later, me.stopped, me.mode = dt - t, 0, IDLE
        me.who, me.until = NOBODY, 0.0
        if t < dt:
            me.who, me.mode = me.next, BUSY
            drives = me.corners == 0 or toward(me, me.h, -me.out_x, -me.out_y) > ALONG
            if drives and not (me.who >= robots and arena.rows[me.who].pull <= me.pull):
                stop(arena, me)
            engaged = engaged or me.mode != IDLE
    return engaged


# ---- the new state


@kernel(inline=True)
def _finish(arena, place, speed, travel):
    """Write the new state."""
    dt = arena.frame[0].tick
    for i in range(place.shape[0]):
        me = arena.rows[i]
        place[i, 0], place[i, 1] = me.x, me.y
        if i >= travel.shape[0]:
            if not me.ball and me.h != place[i, 2]:
                place[i, 2] = wrap(me.h)
            continue
        if me.corners == 0 and not me.car:  # round robots turn, stopped or not
            me.turned = me.w * dt
            me.h = wrap(place[i, 2] + me.turned)
        place[i, 2] = me.h
        speed[i, 0], speed[i, 1], speed[i, 2] = me.v, me.u, me.w
        me.stalled = me.stopped
        half = 0.5 * me.track * me.turned
        travel[i, 0] += me.ahead - half
        travel[i, 1] += me.ahead + half
        travel[i, 2] += me.aside


@kernel(effort=9, cost=("targets", 2e-4))
def advance(stage, targets, packed):
    """Advance everything by one tick, and return 0.

    It may return a request: more room for pairs, then start again; balls rolled, then the stage DRIVE; robots that
    push, then the stage FINISH.
    """
    arena, place, speed, travel = enter(packed), triples(packed, 0), triples(packed, 1), triples(packed, 2)
    frame, robots = arena.frame, travel.shape[0]
    if stage == BEGIN:
        rolling = _prepare(arena, place, speed, targets, robots)
        frame[0].pairs = pair_up(arena)
        if frame[0].pairs < 0:
            return NO_ROOM
        if rolling:
            return ROLL
    if stage != FINISH:
        _look_at_walls(arena, robots)
        if _race(arena, robots):
            _hold_the_undecided(arena, robots)
        if _arrive(arena, robots):
            return PUSH
    _finish(arena, place, speed, travel)
    return 0
