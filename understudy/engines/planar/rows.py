"""The rows that the motion kernels work on: movers, corners, fixed pieces, pairs.

Movers are robots first, in the scene's order, then pushable solids, then balls. One more row stands for the fixed
piece that is being looked at, so that a wall is met by the same code as a robot.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import carray  # type: ignore[attr-defined]

from understudy.compiled import inner, pointer

Ints = npt.NDArray[np.int64]
Records = npt.NDArray[Any]

SKIN = 1e-6  # who drives against something stops this far from it (m)
TOUCH = (
    0.5e-6  # this near it has hit it; less than a skin, so that who slides along a wall hits nothing at its seams (m)
)
NOISE = 1e-11  # what rounding may do to a gap (m)
ALONG = 1e-9  # who drives no faster than this towards something drives along it (m/s)

NOBODY = -1  # who stops a robot: nobody, a mover's row, or FIXED minus the number of a piece
FIXED = -2
IDLE, BUSY, TURNING = 0, 1, 2  # what a robot does after its first stop: nothing, goes on, turns and pushes itself off


def _fields(kind: str, names: str) -> list[tuple[str, str]]:
    return [(name, kind) for name in names.split()]


MOVER = np.dtype(
    [
        # where it is, and its twist: ahead, aside, turning; a ball's frame is the world's
        *_fields("f8", "x y h v u w"),
        *_fields("f8", "cos sin"),  # of its heading
        *_fields("f8", "reach"),  # the radius about its place that holds the outline
        *_fields("f8", "radius"),  # of a disc; 0 for what has corners
        *_fields("f8", "until drag"),  # how long it keeps its twist; how fast it slows down, over its speed
        *_fields("f8", "room"),  # how far from its place it may be taken within the tick
        *_fields("i8", "corners first"),  # 0 corners is a disc; where they begin
        *_fields("i8", "solid ball car"),
        *_fields("f8", "bottom top"),
        *_fields("f8", "free soon"),  # how long nothing is in its way: that stands still, or at all
        *_fields("i8", "who next"),  # and who is then, each
        *_fields("i8", "mode stopped"),
        *_fields("f8", "ahead aside turned"),  # what it has driven in this tick
        *_fields("f8", "max_v max_u max_w accel accel_w curve track"),  # what the motors can do
        *_fields("i8", "stalled listed"),  # *listed* is a list of its own: who may be pushed
        # the way out of what it touches, and of the wall that it would touch; *blame*: driving brought it there
        *_fields("f8", "out_x out_y wall_x wall_y"),
        *_fields("i8", "blame"),
        # pushing: where it wants to be, what is left of the tick; the worst it is in, and the way out, now and last
        *_fields("f8", "to_x to_y to_h later step"),
        *_fields("i8", "changed refused"),
        *_fields("f8", "depth hit_x hit_y push_x push_y last_x last_y"),
        # what a robot can drag or what a thing drags with (kg); how willingly it turns (1/m2); a ball's own (m/s2)
        *_fields("f8", "inner mass pull spin bounce roll"),
    ]
)
# a corner, the way out across the edge that begins there, velocity and acceleration
CORNER = np.dtype(_fields("f8", "x y out_x out_y vx vy ax ay"))
PIECE = np.dtype([*_fields("f8", "ax ay bx by radius bottom top"), *_fields("i8", "seen near")])  # *near*: a list
# two lists beside each other: pairs of movers that can meet in this tick, and all movers by their left edges
PAIR = np.dtype([*_fields("i8", "a b row"), *_fields("f8", "left right under over")])
FRAME = np.dtype(
    [
        *_fields("f8", "tick stride left low cells"),
        *_fields("i8", "across up axis stamp pairs"),
        *_fields("i8", "a b"),  # where the corners of the two bodies that are compared are written
    ]
)


class Arena(NamedTuple):
    """All rows of the motion kernels."""

    rows: Records  # MOVER
    corners: Records  # CORNER: outlines about their places, counter-clockwise; then room for two bodies' corners
    pieces: Records  # PIECE: segments and discs that stand still; a disc is a segment of no length
    start: Ints  # the pieces of each cell of the grid: held[start[cell]:start[cell + 1]]
    held: Ints
    pairs: Records  # PAIR
    frame: Records  # FRAME: one row


def pack(*arrays: npt.NDArray[Any]) -> Ints:
    """Return addresses and lengths: compiled code takes one array faster than ten."""
    return np.array([value for array in arrays for value in (array.ctypes.data, len(array))], np.int64)


@inner(inline=True)
def triples(w, k):  # type: ignore[no-untyped-def]
    """Return the k-th packed array, which has rows of three numbers."""
    return carray(pointer(w[2 * k]), (w[2 * k + 1], 3), np.float64)


@inner(inline=True)
def enter(w):  # type: ignore[no-untyped-def]
    """Return the arena, packed after place, speed and travel; its references are not counted."""
    return Arena(
        carray(pointer(w[6]), w[7], MOVER), carray(pointer(w[8]), w[9], CORNER), carray(pointer(w[10]), w[11], PIECE),
        carray(pointer(w[12]), w[13], np.int64), carray(pointer(w[14]), w[15], np.int64),
        carray(pointer(w[16]), w[17], PAIR), carray(pointer(w[18]), w[19], FRAME),
    )  # fmt: skip
