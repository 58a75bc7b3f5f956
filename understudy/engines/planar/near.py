"""Who can meet whom: pairs of movers by a sorted sweep, fixed pieces by a grid. Finding them never changes a result."""

from __future__ import annotations

import math

from numba import njit

from understudy.engines.planar.columns import (
    A_X,
    A_Y,
    ACROSS,
    B_X,
    B_Y,
    BOTTOM,
    CELL,
    CORNERS,
    GRID_X,
    GRID_Y,
    HIGH_Z,
    LEFT,
    LOW_Z,
    OVER,
    RADIUS,
    REACH,
    RIGHT,
    ROOM,
    ROUND,
    SOLID,
    TOP,
    UNDER,
    UP,
    X,
    Y,
)


@njit(cache=True, nogil=True, error_model="numpy")
def sort(way, order):  # type: ignore[no-untyped-def]
    """Bring the rows into the order of their left edges; they hardly change from tick to tick."""
    for a in range(1, order.shape[0]):
        i = order[a]
        left, under = way[i, LEFT], way[i, UNDER]
        b = a
        while b > 0:
            k = order[b - 1]
            if way[k, LEFT] < left or (
                way[k, LEFT] == left and (way[k, UNDER] < under or (way[k, UNDER] == under and k < i))
            ):
                break
            order[b] = k
            b -= 1
        order[b] = i


@njit(cache=True, nogil=True, error_model="numpy")
def pair_up(arena, order):  # type: ignore[no-untyped-def]
    """Note the pairs of movers that can meet in this tick; return how many, or -1 if there is no room for them."""
    way, body, pairs = arena.way, arena.body, arena.pairs
    count = 0
    for a in range(order.shape[0]):
        i = order[a]
        if body[i, SOLID] == 0.0:
            continue
        right, under, over = way[i, RIGHT], way[i, UNDER], way[i, OVER]
        for b in range(a + 1, order.shape[0]):
            k = order[b]
            if way[k, LEFT] > right:
                break
            if way[k, UNDER] > over or way[k, OVER] < under or body[k, SOLID] == 0.0:
                continue
            if way[i, ROOM] + way[k, ROOM] == 0.0 or body[k, BOTTOM] >= body[i, TOP] or body[k, TOP] <= body[i, BOTTOM]:
                continue
            if count == pairs.shape[0]:
                return -1
            pairs[count, 0], pairs[count, 1] = i, k
            count += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def gather(arena, i, x, y, reach):  # type: ignore[no-untyped-def]
    """Note the fixed pieces within *reach* of a point that stand as high as row *i*; return how many."""
    frame, shapes, marks = arena.frame, arena.shapes, arena.marks
    bottom, top = arena.body[i, BOTTOM], arena.body[i, TOP]
    left, low, scale, across = frame[GRID_X], frame[GRID_Y], 1.0 / frame[CELL], int(frame[ACROSS])
    i0, i1 = max(0, int(math.floor((x - reach - left) * scale))), int(math.floor((x + reach - left) * scale))
    j0, j1 = max(0, int(math.floor((y - reach - low) * scale))), int(math.floor((y + reach - low) * scale))
    marks[1, shapes.shape[0]] += 1
    stamp = marks[1, shapes.shape[0]]
    count = 0
    for j in range(j0, min(int(frame[UP]) - 1, j1) + 1):
        for p in range(
            arena.start[j * across + min(i0, across)], arena.start[j * across + min(max(i1 + 1, 0), across)]
        ):
            k = arena.index[p]
            if marks[1, k] == stamp:
                continue
            marks[1, k] = stamp
            ax, ay = shapes[k, A_X], shapes[k, A_Y]
            dx, dy = shapes[k, B_X] - ax, shapes[k, B_Y] - ay
            length2 = dx * dx + dy * dy
            u = min(max(((x - ax) * dx + (y - ay) * dy) / length2, 0.0), 1.0) if length2 > 0.0 else 0.0
            ex, ey, far = ax + u * dx - x, ay + u * dy - y, reach + shapes[k, ROUND]
            if ex * ex + ey * ey <= far * far and shapes[k, LOW_Z] < top and shapes[k, HIGH_Z] > bottom:
                marks[0, count] = k
                count += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def take(arena, k):  # type: ignore[no-untyped-def]
    """Put fixed piece *k* into the last row, and return that row."""
    way, body, shapes = arena.way, arena.body, arena.shapes
    last = body.shape[0] - 1
    hx, hy = 0.5 * (shapes[k, B_X] - shapes[k, A_X]), 0.5 * (shapes[k, B_Y] - shapes[k, A_Y])
    way[last, X], way[last, Y] = shapes[k, A_X] + hx, shapes[k, A_Y] + hy
    body[last, RADIUS] = shapes[k, ROUND]
    body[last, REACH] = math.sqrt(hx * hx + hy * hy) + shapes[k, ROUND]
    body[last, CORNERS] = 2.0 if hx != 0.0 or hy != 0.0 else 0.0
    arena.outline[last, 0, 0], arena.outline[last, 0, 1] = -hx, -hy
    arena.outline[last, 1, 0], arena.outline[last, 1, 1] = hx, hy
    return last
