"""Many worlds: each in its turn is brought onto one small arena, advanced by the kernels of one world, and taken back.

So nothing that is decided in a world can depend on another, and what all worlds share is there once: walls, outlines,
limits. Rows of robots come first, world after world, then those of things, world after world.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.engines.planar.ball import roll
from understudy.engines.planar.motion import BEGIN, DRIVE, FINISH, NO_ROOM, ROLL, advance
from understudy.engines.planar.push import shove
from understudy.engines.planar.resting_contacts import add_contacts
from understudy.engines.planar.rows import Ints, enter, triples
from understudy.jit import inner, kernel

Array = npt.NDArray[np.float64]


class Columns(NamedTuple):
    """What worlds keep from tick to tick, by row."""

    place: Array  # x, y, heading
    speed: Array
    travel: Array  # of robots
    stalled: Ints
    who: Ints  # whom a robot has met: a mover of its world, or a fixed piece
    order: Ints  # by world: its movers, as they were sorted last


@inner(inline=True)
def _row(w, i, worlds, robots, things):
    """Return the row of mover *i* of world *w*."""
    return w * robots + i if i < robots else worlds * robots + w * things + i - robots


@inner(copied=False)
def _bring(w, columns, arena, place, speed, travel):
    """Write a world onto the arena."""
    worlds, movers, robots = columns.order.shape[0], place.shape[0], travel.shape[0]
    for i in range(movers):
        row = _row(w, i, worlds, robots, movers - robots)
        for n in range(3):
            place[i, n], speed[i, n] = columns.place[row, n], columns.speed[row, n]
        if i < robots:
            arena.rows[i].who = columns.who[row]
            for n in range(3):
                travel[i, n] = columns.travel[row, n]
        arena.pairs[i].row = columns.order[w, i]


@inner(copied=False)
def _take_back(w, columns, arena, place, speed, travel):
    """Write what has become of a world into its rows."""
    worlds, movers, robots = columns.order.shape[0], place.shape[0], travel.shape[0]
    for i in range(movers):
        row = _row(w, i, worlds, robots, movers - robots)
        for n in range(3):
            columns.place[row, n], columns.speed[row, n] = place[i, n], speed[i, n]
        if i < robots:
            columns.stalled[row], columns.who[row] = arena.rows[i].stalled, arena.rows[i].who
            for n in range(3):
                columns.travel[row, n] = travel[i, n]
        columns.order[w, i] = arena.pairs[i].row


@kernel(effort=25, cost=("targets", 2e-4), what="the motion of many worlds")
def advance_worlds(first, last, targets, mine, columns, packed):
    """Advance the worlds from *first* to *last* by one tick; return the one that lacks room for pairs, else *last*.

    *mine* is room for the targets of one world.
    """
    arena, place, speed, travel = enter(packed), triples(packed, 0), triples(packed, 1), triples(packed, 2)
    robots = travel.shape[0]
    for w in range(first, last):
        _bring(w, columns, arena, place, speed, travel)
        for i in range(robots):
            for n in range(3):
                mine[i, n] = targets[w * robots + i, n]
        stage = BEGIN
        wanted = advance(stage, mine, packed)
        while wanted != 0:
            if wanted == NO_ROOM:
                return w
            if wanted == ROLL:
                roll(packed)
                stage = DRIVE
            else:
                shove(packed)
                stage = FINISH
            wanted = advance(stage, mine, packed)
        _take_back(w, columns, arena, place, speed, travel)
    return last


@inner(copied=False)
def _sort(arena, place, order):
    """Write the movers in the order of their left edges; of two that are equal the lower row comes first."""
    for n in range(order.shape[0]):
        left, m = place[n, 0] - arena.rows[n].reach, n
        while m > 0 and place[order[m - 1], 0] - arena.rows[order[m - 1]].reach > left:
            order[m] = order[m - 1]
            m -= 1
        order[m] = n


@kernel(effort=8, cost=("found", 2e-5))
def find_contacts_of_worlds(columns, packed, order, mover_masks, piece_masks, found):
    """Write the contacts of all robots, world after world; return how many, even if there is no room for all."""
    arena, place, speed, travel = enter(packed), triples(packed, 0), triples(packed, 1), triples(packed, 2)
    robots, count = travel.shape[0], 0
    for w in range(columns.order.shape[0]):
        _bring(w, columns, arena, place, speed, travel)
        _sort(arena, place, order)
        before = count
        count = add_contacts(arena, place, robots, order, mover_masks, piece_masks, found, count)
        for n in range(before, min(count, found.shape[0])):
            found[n, 0] += w * robots
    return count
