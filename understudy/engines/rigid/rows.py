"""The rows that the rigid engine's kernels work on: bodies, robots and their wheels.

Bodies are robots first, in the scene's order, then pushable solids, then balls, as in the planar engine. MuJoCo has
them in the order of their names, so that the order in a file cannot matter; *at* and *move* say where.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Records = npt.NDArray[Any]


def _fields(kind: str, names: str) -> list[tuple[str, str]]:
    return [(name, kind) for name in names.split()]


BODY = np.dtype(
    [
        *_fields("i8", "at move"),  # where its position and its speed begin in MuJoCo's state
        *_fields("i8", "joints"),  # how many more numbers of each belong to it
        *_fields("f8", "x y z"),  # where MuJoCo's frame is, seen from the thing's pose
        *_fields("f8", "base"),  # the height at which it stands in the scene
        *_fields("i8", "rolls"),  # a ball: its attitude does not matter
    ]
)
# how a wheel meets the ground: a castor slides any way, a tyre rolls along its own way, rollers push along their axles
CASTOR, TYRE, ROLLERS, ROLLING = 0, 1, 2, 3  # the last are bodies of their own, which MuJoCo lets roll
WHEEL = np.dtype(
    [
        *_fields("i8", "kind driven steered"),
        *_fields("i8", "dof control steering"),  # of what rolls: where MuJoCo has its speed, its motor, its steering
        *_fields("f8", "x y z radius"),  # of the axle's middle, in the robot's frame
        *_fields("f8", "mu slip"),
        *_fields("f8", "load stiff damp up down most"),  # suspension: at rest it bears *load*
        *_fields("f8", "bristle brush"),  # stiffness and damping of the tyre along the ground
        *_fields("f8", "motor brake"),  # the most force at the rim
        *_fields("f8", "axle_x axle_y"),  # of rollers, in the wheel's frame
        *_fields("f8", "per_v per_u per_w"),  # speed of the rim when the drive asks for 1 ahead, 1 aside, 1 turning
        *_fields("f8", "to_v to_u to_w"),  # and what a rim's speed tells of the motion
        # what changes: speed of the rim, bend of the tyre's bristles, steering angle; does it slip; what it bears
        *_fields("f8", "rim wish bend_x bend_y steer"),  # *wish*: what the drive asks of the rim
        *_fields("i8", "slips strained"),  # *strained*: which way its motor is at its limit, 1 or -1
        *_fields("f8", "bears"),
    ]
)
CHANGING = ("rim", "wish", "bend_x", "bend_y", "steer", "slips", "strained", "bears")
ROBOT = np.dtype(
    [
        *_fields("i8", "first last"),  # its wheels
        *_fields("i8", "car"),
        *_fields("f8", "max_v max_u max_w accel accel_w curve track fastest"),
        *_fields("f8", "reach"),  # how far from its place a wheel can touch
        # what changes: the paths of its wheels, how long a motor has been at its limit (s)
        *_fields("f8", "left right aside held"),
        *_fields("i8", "stalled"),
    ]
)


class Packed(NamedTuple):
    """What the wheels' kernel takes: addresses, lengths and whole numbers, and the other numbers."""

    whole: Ints
    real: Array


def pack(*arrays: npt.NDArray[Any]) -> list[int]:
    """Return address and length of each array: compiled code takes one list faster than twenty arrays."""
    return [value for array in arrays for value in (array.ctypes.data, len(array))]


class Vehicles(NamedTuple):
    """All robots and their wheels."""

    robots: Records  # ROBOT
    wheels: Records  # WHEEL
