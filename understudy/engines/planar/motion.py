"""One tick of motion: robots drive until they meet something, all at once, and stop a skin's breadth before it.

Every robot runs on the exact arc of its twist. What it meets, and when, follows from the state before the tick; robots
that meet each other are settled in rounds of thought in which all decide from the round before. So the order of robots
cannot matter. Balls that roll (`ball`) and robots that push (`push`) have kernels of their own.
"""

from __future__ import annotations

import math

from understudy.compiled import inner, kernel
from understudy.engines.planar.contact import after, apart, meet, spread_at, touch, wrap
from understudy.engines.planar.near import gather_ahead, pair_up, take
from understudy.engines.planar.push import stop
from understudy.engines.planar.rows import BUSY, FIXED, IDLE, NOBODY, TOUCH, Arena

BEGIN, DRIVE, FINISH = 0, 1, 2  # what `advance` does next
NO_ROOM, ROLL, PUSH = -1, -2, -3  # what it wants first

_ROUNDS = 16
_ALONG_M_S = 1e-9  # who drives no faster than this towards something drives along it


@inner()
def _toward(now, want, limit, step):  # type: ignore[no-untyped-def]
    """Return the speed after one tick: nearer to what is wanted, within what the motors can do."""
    return min(max(min(max(want, -limit), limit), now - step), now + step)


@inner()
def _prepare(arena, place, speed, targets, robots):  # type: ignore[no-untyped-def]
    """Write where everything is and goes, and how far it can come; return whether a ball rolls."""
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
            v, u, w = 0.0, 0.0, 0.0
        elif me.solid:
            if me.corners > 0:  # what it may push itself off while it turns
                me.room += 2.0 * me.reach * min(abs(w) * dt, 1.0)
            farthest = max(farthest, me.room)
        if me.ball:
            me.h = 0.0
        me.v, me.u, me.w = v, u, w
        me.cos, me.sin = math.cos(me.h), math.sin(me.h)
    return rolling


# ---- until they meet something


@inner()
def _look_at_walls(arena, robots):  # type: ignore[no-untyped-def]
    """Note how long every robot stays clear of everything fixed."""
    dt = arena.frame[0].tick
    for i in range(robots):
        me = arena.rows[i]
        me.free, me.who = dt, NOBODY
        if me.solid and (me.v != 0.0 or me.u != 0.0 or (me.corners > 0 and me.w != 0.0)):
            for p in range(gather_ahead(arena, me, dt)):
                k = arena.pieces[p].near
                t, _, _ = meet(arena, me, take(arena, k), me.free, 0.0)
                if t < me.free:
                    me.free, me.who = t, FIXED - k


@inner(copied=False)
def _look_at(arena, i, k, until):  # type: ignore[no-untyped-def]
    """Note if mover *k* stops robot *i* earlier; of two at once the one more to the left."""
    me, other = arena.rows[i], arena.rows[k]
    t, _, _ = meet(arena, me, other, me.soon, until)
    if t > me.soon or t == arena.frame[0].tick:
        return
    if t == me.soon and me.next >= 0:
        rival = arena.rows[me.next]
        if other.x > rival.x or (other.x == rival.x and other.y >= rival.y):
            return
    elif t == me.soon:
        return
    me.soon, me.next = t, k


@inner()
def _look_at_things(arena, robots, count):  # type: ignore[no-untyped-def]
    """Note how long every robot stays clear of all things too, and let that be how far it comes."""
    rows = arena.rows
    for i in range(robots):
        rows[i].soon, rows[i].next = rows[i].free, rows[i].who
    for p in range(count):
        a, b = min(arena.pairs[p].a, arena.pairs[p].b), max(arena.pairs[p].a, arena.pairs[p].b)
        if a < robots <= b:
            _look_at(arena, a, b, 0.0)
    for i in range(robots):
        me = rows[i]
        me.free, me.who, me.until = me.soon, me.next, me.soon


@inner()
def _race(arena, robots, count):  # type: ignore[no-untyped-def]
    """Find out how far each robot comes when all drive at once; return whether any two met."""
    rows, pairs = arena.rows, arena.pairs
    for turn in range(_ROUNDS):
        changed = False
        for p in range(count):
            a, b = pairs[p].a, pairs[p].b
            if a < robots and b < robots:
                _look_at(arena, a, b, rows[b].until)
                _look_at(arena, b, a, rows[a].until)
        for p in range(count):
            a, b = rows[pairs[p].a], rows[pairs[p].b]
            changed = changed or a.until != a.soon or b.until != b.soon
        if not changed:
            return turn > 0
        for p in range(count):
            a, b = rows[pairs[p].a], rows[pairs[p].b]
            a.until, b.until = a.soon, b.soon
        if turn == _ROUNDS - 1:
            break
        for p in range(count):
            a, b = rows[pairs[p].a], rows[pairs[p].b]
            a.soon, a.next, b.soon, b.next = a.free, a.who, b.free, b.who
    return True


@inner(copied=False)
def _gap_at(arena, me, t, other, s):  # type: ignore[no-untyped-def]
    """Return the gap between two robots on their ways at times of their own (m)."""
    na = spread_at(arena, arena.frame[0].a, me, t, math.inf)
    nb = spread_at(arena, arena.frame[0].b, other, s, math.inf)
    gap, _, _ = apart(arena, na, nb)
    return gap - me.radius - other.radius


@inner()
def _hold_the_undecided(arena, robots, count):  # type: ignore[no-untyped-def]
    """Leave robots where they were that would still overlap, in case the rounds came to no end."""
    again = True
    while again:
        again = False
        for p in range(count):
            a, b = arena.pairs[p].a, arena.pairs[p].b
            if a < robots and b < robots and arena.rows[a].until + arena.rows[b].until > 0.0:
                me, other = arena.rows[a], arena.rows[b]
                gap = _gap_at(arena, me, me.until, other, other.until)
                if gap < 0.9 * TOUCH and gap < _gap_at(arena, me, 0.0, other, 0.0):
                    me.next, other.next = b, a
                    me.until, other.until = 0.0, 0.0
                    again = True


@inner()
def _note_contacts(arena, robots):  # type: ignore[no-untyped-def]
    """Write where each robot touches what stops it, and whether its driving is to blame."""
    frame = arena.frame[0]
    for i in range(robots):
        me = arena.rows[i]
        if me.until < frame.tick:
            fixed = me.next < 0
            other = take(arena, FIXED - me.next) if fixed else arena.rows[me.next]
            na = spread_at(arena, frame.a, me, me.until, math.inf)
            nb = spread_at(arena, frame.b, other, me.until, 0.0 if fixed else other.until)
            _, nx, ny = apart(arena, na, nb)
            x, y, h = after(me, me.until)
            me.at_x, me.at_y = touch(arena, na, nb, nx, ny, other.radius, x, y)
            me.out_x, me.out_y = -nx, -ny
            c, s = math.cos(h), math.sin(h)
            toward = (c * me.v - s * me.u) * nx + (s * me.v + c * me.u) * ny
            me.blame = me.corners == 0 or toward > _ALONG_M_S


@inner()
def _arrive(arena, robots):  # type: ignore[no-untyped-def]
    """Put every robot where it came; return whether any has something left to push or to turn."""
    dt, engaged = arena.frame[0].tick, False
    for i in range(robots):
        me = arena.rows[i]
        t = me.until
        me.ahead, me.aside, me.turned = me.v * t, me.u * t, me.w * t
        me.x, me.y, me.h = after(me, t)
        me.later, me.stopped, me.mode, me.who = dt - t, 0, IDLE, NOBODY
        if t < dt:
            me.who, me.mode = me.next, BUSY
            if me.blame and not (me.who >= robots and arena.rows[me.who].pull <= me.pull):
                stop(arena, me)
            engaged = engaged or me.mode != IDLE
    return engaged


# ---- the new state


@inner()
def _finish(arena, place, speed, travel):  # type: ignore[no-untyped-def]
    """Write the new state."""
    dt = arena.frame[0].tick
    for i in range(place.shape[0]):
        me = arena.rows[i]
        place[i, 0], place[i, 1] = me.x, me.y
        if i >= travel.shape[0]:
            if not me.ball and me.h != place[i, 2]:
                place[i, 2] = wrap(me.h)
            continue
        if me.corners == 0 and not me.car:  # what is round turns, held back or not
            me.turned = me.w * dt
            me.h = wrap(place[i, 2] + me.turned)
        place[i, 2] = me.h
        speed[i, 0], speed[i, 1], speed[i, 2] = me.v, me.u, me.w
        me.stalled = me.stopped
        half = 0.5 * me.track * me.turned
        travel[i, 0] += me.ahead - half
        travel[i, 1] += me.ahead + half
        travel[i, 2] += me.aside


@kernel()
def advance(  # type: ignore[no-untyped-def]
    stage, place, speed, travel, targets, rows, corners, pieces, start, index, pairs, frame
):
    """Advance everything by one tick, and return 0.

    It may return what it wants first: more room for pairs, from the beginning again; balls rolled, then the stage
    DRIVE; robots that push, then the stage FINISH.
    """
    arena = Arena(rows, corners, pieces, start, index, pairs, frame)
    robots = travel.shape[0]
    if stage == BEGIN:
        rolling = _prepare(arena, place, speed, targets, robots)
        frame[0].pairs = pair_up(arena)
        if frame[0].pairs < 0:
            return NO_ROOM
        if rolling:
            return ROLL
    if stage != FINISH:
        _look_at_walls(arena, robots)
        _look_at_things(arena, robots, frame[0].pairs)
        if _race(arena, robots, frame[0].pairs):
            _hold_the_undecided(arena, robots, frame[0].pairs)
        _note_contacts(arena, robots)
        if _arrive(arena, robots):
            return PUSH
    _finish(arena, place, speed, travel)
    return 0
