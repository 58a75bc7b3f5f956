"""The rows that the rigid engine's kernels work on: bodies, robots and their wheels.

Bodies are robots first, in the scene's order, then pushable solids, then balls, as in the planar engine. MuJoCo has
them in the order of their names, so that the order in a file does not matter; *at* and *move* are their indices.
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
        *_fields("i8", "at move"),  # start of its position and velocity in MuJoCo's state
        *_fields("i8", "joints"),  # number of additional entries of each
        *_fields("f8", "x y z"),  # MuJoCo's frame relative to the thing's pose
        *_fields("f8", "base"),  # its height in the scene
        *_fields("i8", "rolls"),  # a ball: its orientation does not matter
    ]
)
# contact of a wheel: a castor slides freely, a tyre rolls in its own direction, rollers push along their axles
CASTOR, TYRE, ROLLERS, ROLLING = 0, 1, 2, 3  # the last are separate bodies that roll in MuJoCo
WHEEL = np.dtype(
    [
        *_fields("i8", "kind driven steered"),
        *_fields("i8", "dof control steering"),  # of contact wheels: MuJoCo's indices of speed, motor and steering
        *_fields("f8", "x y z radius"),  # centre of the axle, in the robot's frame
        *_fields("f8", "mu slip"),
        *_fields("f8", "load stiff damp up down most"),  # suspension: at rest it carries *load*
        *_fields("f8", "bristle brush"),  # stiffness and damping of the tyre along the ground
        *_fields("f8", "motor brake"),  # maximum force at the rim
        *_fields("f8", "share"),  # of its present grip, which its motor never exceeds; 0: no such limit
        *_fields("f8", "axle_x axle_y"),  # of rollers, in the wheel's frame
        *_fields("f8", "per_v per_u per_w"),  # rim speed for a command of 1 ahead, 1 sideways, 1 turning
        *_fields("f8", "to_v to_u to_w"),  # and the motion estimated from rim speeds
        # state: rim speed, tyre deflection, steering angle; whether it slips; its load
        *_fields("f8", "rim wish bend_x bend_y steer"),  # *wish*: rim speed commanded by the drive
        *_fields("i8", "slips strained"),  # *strained*: direction in which its motor is at its limit, 1 or -1
        *_fields("f8", "bears"),
    ]
)
CHANGING = ("rim", "wish", "bend_x", "bend_y", "steer", "slips", "strained", "bears")
ROBOT = np.dtype(
    [
        *_fields("i8", "first last"),  # its wheels
        *_fields("i8", "car"),
        *_fields("f8", "max_v max_u max_w accel accel_w curve track fastest"),
        *_fields("f8", "reach"),  # largest distance from its position at which a wheel can touch
        # state: the paths of its wheels, how long a motor has been at its limit (s)
        *_fields("f8", "left right aside held"),
        *_fields("i8", "stalled"),
    ]
)


class PackedWheels(NamedTuple):
    """Arguments of the wheels' kernel: addresses, lengths and integers, and the other numbers."""

    whole: Ints
    real: Array


def pack(*arrays: npt.NDArray[Any]) -> list[int]:
    """Return address and length of each array: compiled code takes one list faster than twenty arrays."""
    return [value for array in arrays for value in (array.ctypes.data, len(array))]


class Vehicles(NamedTuple):
    """All robots and their wheels."""

    robots: Records  # ROBOT
    wheels: Records  # WHEEL
