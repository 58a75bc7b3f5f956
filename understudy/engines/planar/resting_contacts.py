"""Resting contacts: computed from poses, so that a robot at rest against a wall touches it too."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from understudy.engines.planar.contact import apart, on_line, spread, take, touching_line
from understudy.engines.planar.layout import Movers
from understudy.engines.planar.near import gather
from understudy.engines.planar.rows import FIXED, NOBODY, Ints, enter, triples
from understudy.jit import inner, kernel

Array = npt.NDArray[np.float64]

LEAN_M = 1e-5  # contact distance: a few skins, because a pushing robot keeps a little more than one
COLUMNS = 7


def contacts(packed: Ints, movers: Movers, piece_masks: Ints, robots: int) -> Array:
    """Return what each robot touches, or has hit in the last step, in the order of the rows."""
    order = np.argsort(movers.place[:, 0] - movers.reach, kind="stable")
    found = np.empty((4 * robots + 16, COLUMNS))
    while (count := find_contacts(packed, order, movers.mask, piece_masks, found)) > len(found):
        found = np.empty((count, COLUMNS))
    return found[:count][np.argsort(found[:count, 0], kind="stable")] if count else found[:0]


@inner(copied=False)
def touched(arena, place, robots):
    """Return whether a robot may touch something: cheaper than to find what, and never too low."""
    rows = arena.rows
    for i in range(robots):
        me = rows[i]
        if me.who != NOBODY or (me.solid and _near(arena, i, place) > 0):
            return True
        for k in range(place.shape[0]):
            if k != i and _may_touch(me, rows[k], place[k, 0] - place[i, 0], place[k, 1] - place[i, 1]):
                return True
    return False


@kernel()
def find_contacts(packed, order, mover_masks, piece_masks, found):
    """Write the contacts of robots; return how many there are, even if there is no room for all."""
    arena, place, robots = enter(packed), triples(packed, 0), triples(packed, 2).shape[0]
    return add_contacts(arena, place, robots, order, mover_masks, piece_masks, found, 0)


@inner(copied=False)
def add_contacts(arena, place, robots, order, mover_masks, piece_masks, found, count):
    """Write the contacts of robots behind the first *count*; return how many there are now."""
    rows, pieces = arena.rows, arena.pieces
    for i in range(robots):
        if rows[i].solid:
            for p in range(_near(arena, i, place)):
                k = pieces[p].near
                count = _touch_piece(arena, i, k, place, LEAN_M, piece_masks[k], found, count)
    for n in range(order.shape[0]):
        i = order[n]
        right = place[i, 0] + rows[i].reach + LEAN_M
        for m in range(n + 1, order.shape[0]):
            k = order[m]
            if place[k, 0] - rows[k].reach > right:
                break
            if _may_touch(rows[i], rows[k], place[k, 0] - place[i, 0], place[k, 1] - place[i, 1]):
                count = _touch_mover(arena, robots, i, k, place, LEAN_M, mover_masks, found, count)
    for i in range(robots):
        count = _met(arena, robots, i, place, mover_masks, piece_masks, found, count)
    return count


@inner(copied=False)
def _near(arena, i, place):
    """Store the fixed pieces that a robot may touch; return how many."""
    me = arena.rows[i]
    reach = me.reach
    me.reach += LEAN_M
    count = gather(arena, me, place[i, 0], place[i, 1], 0.0)
    me.reach = reach
    return count


@inner()
def _may_touch(me, other, dx, dy):
    """Return whether two movers are solid, at the same height, and near enough."""
    far = me.reach + other.reach + LEAN_M
    near = dx * dx + dy * dy <= far * far
    return near and me.solid and other.solid and other.bottom < me.top and me.bottom < other.top


@inner(copied=False)
def _gap(arena, i, place, other, x, y, h):
    """Return the gap between a mover and another at a pose, the line to it, and the number of corners of each."""
    me, frame = arena.rows[i], arena.frame[0]
    na = spread(arena, frame.a, me, place[i, 0], place[i, 1], place[i, 2])
    nb = spread(arena, frame.b, other, x, y, h)
    gap, nx, ny, _ = apart(arena, na, nb)
    return gap - me.radius - other.radius, nx, ny, na, nb


@inner(copied=False)
def _touch(arena, i, place, other, x, y, h, within, mask, found, count):
    """Write that a robot touches another if it is near enough; return the number of contacts so far."""
    gap, nx, ny, na, nb = _gap(arena, i, place, other, x, y, h)
    if gap > within:
        return count
    if count < found.shape[0]:
        low, high = touching_line(arena, na, nb, nx, ny)
        row = found[count]
        row[0] = i
        row[1], row[2] = on_line(arena, na, nx, ny, arena.rows[i].radius, 0.5 * (low + high))
        row[3], row[4], row[5], row[6] = -nx, -ny, max(0.5 * (high - low), 0.0), mask
    return count + 1


@inner(copied=False)
def _touch_piece(arena, i, k, place, within, mask, found, count):
    fixed = take(arena, k)
    return _touch(arena, i, place, fixed, fixed.x, fixed.y, 0.0, within, mask, found, count)


@inner(copied=False)
def _touch_mover(arena, robots, i, k, place, within, masks, found, count):
    """Write that two movers touch, for each of them that is a robot."""
    for a, b in ((i, k), (k, i)):
        if a < robots:
            other = arena.rows[b]
            count = _touch(
                arena, a, place, other, place[b, 0], place[b, 1], place[b, 2], within, masks[b], found, count
            )
    return count


@inner(copied=False)
def _met(arena, robots, i, place, mover_masks, piece_masks, found, count):
    """Write what a robot has hit in the last step if it is no longer near: a ball that it has kicked."""
    who = arena.rows[i].who
    if who == NOBODY:
        return count
    if who >= 0:
        gap, _, _, _, _ = _gap(arena, i, place, arena.rows[who], place[who, 0], place[who, 1], place[who, 2])
        if gap > LEAN_M and not (who < robots and arena.rows[who].who == i and who < i):  # the other has written it
            count = _touch_mover(arena, robots, i, who, place, math.inf, mover_masks, found, count)
        return count
    fixed = take(arena, FIXED - who)
    if _gap(arena, i, place, fixed, fixed.x, fixed.y, 0.0)[0] > LEAN_M:
        count = _touch_piece(arena, i, FIXED - who, place, math.inf, piece_masks[FIXED - who], found, count)
    return count
