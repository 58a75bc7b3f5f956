"""The columns of the tables that the motion kernels work on: one row per mover, and one for a fixed piece.

Rows are robots first, in the scene's order, then pushable solids, then balls. The last row of each table stands for
the piece of wall or the fixed round thing that is being looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# body: what a mover is; nothing here changes while time passes
(
    REACH,  # radius about its place that holds the outline (m)
    INNER,  # radius about its place that the outline holds, 0 if the place lies outside (m)
    CORNERS,  # how many; 0 is a disc
    RADIUS,  # of a disc, 0 for what has corners (m)
    BOTTOM,  # heights (m)
    TOP,
    SOLID,  # 1 if others bump into it
    PULL,  # a robot: the weight it can drag on this floor; a thing: the weight that drags (kg)
    MASS,  # kg
    SPIN,  # how willingly a thing turns when pushed off its middle (1/m2), 0 never
    BALL,  # 1 if it rolls
    BOUNCE,  # speed after over speed before
    ROLL,  # deceleration of a ball (m/s2)
    MAX_V,  # what the motors can do: ahead, to the left, turning
    MAX_L,
    MAX_W,
    ACCEL,
    ACCEL_W,
    CAR,  # 1 if it does not turn on the spot
    CURVE,  # a car's sharpest turn (1/m)
    TRACK,  # between the wheels (m)
) = range(21)
BODY = 21

# way: where a mover is and goes within a tick
(
    X,  # where it is
    Y,
    H,
    V,  # its twist, in its own frame: ahead, left, turn; a ball's frame is the world's
    L,
    W,
    UNTIL,  # how long it keeps that (s)
    DRAG,  # how fast it slows down, over its speed (1/s)
    TO_X,  # where it wants to be
    TO_Y,
    TO_H,
    ROOM,  # how far from its place it may be taken within the tick (m)
    LEFT,  # the box that holds it during the tick; left and right are along the sorted axis (m)
    RIGHT,
    UNDER,
    OVER,
    FREE,  # how long nothing that stands still is in its way (s)
    WHO,  # the row that stops it; -1 nobody, -2 - k fixed piece k
    SOON,  # the same for the round of thought that is going on
    NEXT,
    AT_X,  # where it touches, and the normal out of what it touches
    AT_Y,
    OUT_X,
    OUT_Y,
    AHEAD,  # how far it has driven in this tick, ahead and aside, and turned (m, rad)
    ASIDE,
    TURNED,
    LATER,  # what is left of the tick after its first stop (s)
    STEP,  # the next bit of it that is tried (s)
    MODE,  # see push
    BLAME,  # 1 if driving, not turning, brought it there
    CHANGED,  # 1 if it wants to be elsewhere
    REFUSED,  # 1 if it may not
    STOPPED,  # 1 if it is held back
    X_UP,  # pushes that it gets from all sides: the largest each way
    X_DOWN,
    Y_UP,
    Y_DOWN,
    H_UP,
    H_DOWN,
) = range(40)
WAY = 40

# frame: the grid over the fixed pieces, and a few numbers of the tick
GRID_X, GRID_Y, CELL, ACROSS, UP, TICK, AXIS, STRIDE, BALLS = range(9)
FRAME = 9

# shapes: the fixed pieces, segments and discs alike; a disc is a segment of no length
A_X, A_Y, B_X, B_Y, ROUND, LOW_Z, HIGH_Z = range(7)

SKIN = 1e-6  # who drives against something stops this far from it (m)
TOUCH = 0.5e-6  # and this near it has hit it: a wall beside which it slides is not hit at each seam (m)
NOISE = 1e-11  # what rounding may do to a gap (m)


class Arena(NamedTuple):
    """All tables of the motion kernels."""

    way: Array
    body: Array
    outline: Array  # corners about the place, counter-clockwise
    shapes: Array
    start: Ints  # the fixed pieces of each cell: index[start[c]:start[c + 1]]
    index: Ints
    frame: Array
    points: Array  # room for the corners of two bodies: x, y, vx, vy
    marks: Ints  # room for the pieces near a body, and who was there already
    pairs: Ints  # pairs of movers that can meet in this tick
