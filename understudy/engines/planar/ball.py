"""Balls: they roll straight, slow down, bounce off obstacles and hit each other.

While balls roll, robots and things stay in place; what a robot does to a ball in its path is in `push`.
"""

from __future__ import annotations

import math

from understudy.engines.planar.contact import after, apart, meet, spread, take, touch
from understudy.engines.planar.near import gather
from understudy.engines.planar.rows import FIXED, NOBODY, enter, triples
from understudy.jit import kernel

_BOUNCES = 16  # plus four per ball: after that the rest of the tick is lost for all


@kernel(effort=5)
def roll(packed):
    """Roll all balls for one tick, from bounce to bounce."""
    arena, place, speed = enter(packed), triples(packed, 0), triples(packed, 1)
    rows, frame, robots = arena.rows, arena.frame, triples(packed, 2).shape[0]
    rest, bounces = frame[0].tick, _BOUNCES + 4 * (place.shape[0] - robots)
    while rest > 0.0 and bounces > 0:
        first = rest
        _set_off(arena, speed, robots, rest)
        _look_at_each_other(arena, robots)
        for b in range(robots, place.shape[0]):
            if rows[b].who != NOBODY:
                first = min(first, rows[b].free)
        _roll_on(arena, speed, robots, first)
        for b in range(robots, place.shape[0]):
            if rows[b].who != NOBODY and rows[b].free <= first:
                _bounce(arena, speed, robots, b)
        rest -= first
        bounces -= 1
    for b in range(robots, place.shape[0]):
        rows[b].v, rows[b].u, rows[b].drag = 0.0, 0.0, 0.0


@kernel(inline=True)
def _set_off(arena, speed, robots, rest):
    """Write the motion of each ball, and when it hits something fixed."""
    for b in range(robots, arena.rows.shape[0] - 1):
        me = arena.rows[b]
        me.v, me.u, me.who, me.drag = speed[b, 0], speed[b, 1], NOBODY, 0.0
        fast = math.sqrt(me.v * me.v + me.u * me.u)
        me.until = rest if fast > 0.0 else 0.0
        if fast > 0.0 and me.roll > 0.0:
            me.drag, me.until = me.roll / fast, min(rest, fast / me.roll)
        me.free = me.until
        if fast > 0.0 and me.solid:
            for p in range(gather(arena, me, me.x, me.y, me.until)):
                k = arena.pieces[p].near
                t, _, _ = meet(arena, me, take(arena, k), me.free, 0.0)
                if t < me.free:
                    me.free, me.who = t, FIXED - k


@kernel(inline=True)
def _look_at_each_other(arena, robots):
    """Find when a ball hits a robot, a thing or a ball."""
    for p in range(2 * arena.frame[0].pairs):
        pair = arena.pairs[p // 2]
        b, k = (pair.a, pair.b) if p % 2 else (pair.b, pair.a)
        me, other = arena.rows[b], arena.rows[k]
        if me.ball and me.until > 0.0:
            t, _, _ = meet(arena, me, other, me.free, other.until if other.ball else 0.0)
            if t < me.free:
                me.free, me.who = t, k


@kernel(inline=True)
def _roll_on(arena, speed, robots, t):
    """Advance every ball for a time."""
    for b in range(robots, arena.rows.shape[0] - 1):
        me = arena.rows[b]
        if me.until > 0.0:
            rolls = t if me.drag * t < 1.0 else 1.0 / me.drag
            fade = 1.0 - me.drag * t if me.drag * t < 1.0 else 0.0
            me.x, me.y, _ = after(me, rolls - 0.5 * me.drag * rolls * rolls)
            speed[b, 0], speed[b, 1] = fade * speed[b, 0], fade * speed[b, 1]


@kernel(inline=True)
def _bounce(arena, speed, robots, b):
    """Reflect a ball from what it has hit."""
    me = arena.rows[b]
    k = me.who
    other = take(arena, FIXED - k) if k < 0 else arena.rows[k]
    na = spread(arena, arena.frame[0].a, me, me.x, me.y, 0.0)
    nb = spread(arena, arena.frame[0].b, other, other.x, other.y, other.h)
    _, nx, ny, _ = apart(arena, na, nb)
    vx, vy, give, bounce = 0.0, 0.0, 0.0, me.bounce
    if k >= robots:
        vx, vy = speed[k, 0], speed[k, 1]
        if other.ball:
            give, bounce = me.mass / (me.mass + other.mass), min(me.bounce, other.bounce)
    elif k >= 0:
        x, y = touch(arena, na, nb, nx, ny, me.radius, me.x, me.y)
        vx = other.cos * speed[k, 0] - other.sin * speed[k, 1] - speed[k, 2] * (y - other.y)
        vy = other.sin * speed[k, 0] + other.cos * speed[k, 1] + speed[k, 2] * (x - other.x)
    blow = max((speed[b, 0] - vx) * nx + (speed[b, 1] - vy) * ny, 0.0) * (1.0 + bounce)
    speed[b, 0] -= blow * (1.0 - give) * nx
    speed[b, 1] -= blow * (1.0 - give) * ny
    if give > 0.0:
        speed[k, 0] += blow * give * nx
        speed[k, 1] += blow * give * ny
