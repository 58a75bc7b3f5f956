"""The rows that the motion kernels work on: movers, corners, fixed pieces, pairs.

Movers are robots first, in the scene's order, then pushable solids, then balls. One more row represents the fixed
piece that is being tested, so that walls and robots use the same code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.engines.rays.simd.llvm import array_at
from understudy.jit import inner

Ints = npt.NDArray[np.int64]
Records = npt.NDArray[Any]

SKIN = 1e-6  # a robot stops this far from an obstacle (m)
TOUCH = 0.5e-6  # hit distance; less than a skin, so that sliding along a wall hits nothing at its seams (m)
NOISE = 1e-11  # rounding error of a gap (m)
ALONG = 1e-9  # an approach slower than this counts as sliding along (m/s)

NOBODY = -1  # what stops a robot: nothing, a mover's row, or FIXED minus the number of a piece
FIXED = -2
IDLE, BUSY, TURNING = 0, 1, 2  # state after a robot's first stop: nothing to do, continues, turns and pushes itself off


def _fields(kind: str, names: str) -> list[tuple[str, str]]:
    return [(name, kind) for name in names.split()]


MOVER = np.dtype(
    [
        # pose and twist: ahead, sideways, turning; a ball's frame is the world frame
        *_fields("f8", "x y h v u w"),
        *_fields("f8", "cos sin"),  # of its heading
        *_fields("f8", "reach"),  # the radius around its position that contains the outline
        *_fields("f8", "radius"),  # of a disc; 0 for a body with corners
        *_fields("f8", "until drag"),  # how long it keeps its twist; deceleration over its speed
        *_fields("f8", "room"),  # how far from its position it may be moved within the tick
        *_fields("i8", "corners first"),  # 0 corners is a disc; index of the first
        *_fields("i8", "solid ball car"),
        *_fields("f8", "bottom top"),
        *_fields("f8", "free soon"),  # how long its path is free: of fixed things, and of anything
        *_fields("i8", "who next"),  # and what stops it then, each
        *_fields("i8", "mode stopped"),
        *_fields("f8", "ahead aside turned"),  # driven in this tick
        *_fields("f8", "max_v max_u max_w accel accel_w curve track"),  # limits of the motors
        *_fields("i8", "stalled listed"),  # *listed* is a separate list: movers that may be pushed
        # outward normals of what it touches, and of the wall that it would touch; *blame*: driving brought it there
        *_fields("f8", "out_x out_y wall_x wall_y"),
        *_fields("i8", "blame"),
        # pushing: target pose, rest of the tick; the deepest overlap, and the way out, now and last
        *_fields("f8", "to_x to_y to_h later step"),
        *_fields("i8", "changed refused"),
        *_fields("f8", "depth hit_x hit_y push_x push_y last_x last_y"),
        # mass that a robot can drag, or friction mass of a thing (kg); ease of turning (1/m2); a ball's own (m/s2)
        *_fields("f8", "inner mass pull spin bounce roll"),
    ]
)
# a corner, the outward normal of the edge that begins there, velocity and acceleration
CORNER = np.dtype(_fields("f8", "x y out_x out_y vx vy ax ay"))
PIECE = np.dtype([*_fields("f8", "ax ay bx by radius bottom top"), *_fields("i8", "seen near")])  # *near*: a list
# two parallel lists: pairs of movers that can meet in this tick, and all movers by their left edges
PAIR = np.dtype([*_fields("i8", "a b row"), *_fields("f8", "left right under over")])
FRAME = np.dtype(
    [
        *_fields("f8", "tick stride left low cells"),
        *_fields("i8", "across up axis stamp pairs"),
        *_fields("i8", "a b"),  # where the corners of the two compared bodies are written
    ]
)


class Arena(NamedTuple):
    """All rows of the motion kernels."""

    rows: Records  # MOVER
    corners: Records  # CORNER: outlines around their positions, counter-clockwise; then room for two bodies' corners
    pieces: Records  # PIECE: fixed segments and discs; a disc is a segment of zero length
    start: Ints  # the pieces of each cell of the grid: held[start[cell]:start[cell + 1]]
    held: Ints
    pairs: Records  # PAIR
    frame: Records  # FRAME: one row


def pack(*arrays: npt.NDArray[Any]) -> Ints:
    """Return addresses and lengths: compiled code takes one array faster than ten."""
    return np.array([value for array in arrays for value in (array.ctypes.data, len(array))], np.int64)


@inner(inline=True)
def triples(w, k):
    """Return the k-th packed array, which has rows of three numbers."""
    return array_at(w[2 * k], (w[2 * k + 1], 3), np.float64)


@inner(inline=True)
def enter(w):
    """Return the arena, packed after place, speed and travel; its references are not counted."""
    return Arena(
        array_at(w[6], (w[7],), MOVER), array_at(w[8], (w[9],), CORNER), array_at(w[10], (w[11],), PIECE),
        array_at(w[12], (w[13],), np.int64), array_at(w[14], (w[15],), np.int64),
        array_at(w[16], (w[17],), PAIR), array_at(w[18], (w[19],), FRAME),
    )  # fmt: skip
