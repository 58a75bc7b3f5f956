"""Colliders of EyeSim-VR's robots and objects, in its model space: x right, y up, z ahead (mm)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from understudy import elementary
from understudy.formats.stage.shape import convex_hull
from understudy.frozen import frozen

_ROUND = 16  # corners of a circle
# numbers of each: the centre is cx cy cz; of a capsule, the height is that of the whole
SIZES = {"box": "sx sy sz", "sphere": "r", "capsule": "r h"}


@frozen
class Collider:
    """A box, sphere or capsule: its centre and its size (mm); a capsule has the size of its bounding box."""

    kind: str
    centre: tuple[float, float, float]
    size: tuple[float, float, float]

    def scaled(self, factor: float) -> Collider:
        """Return it larger or smaller, about the origin of the model."""
        x, y, z = (factor * value for value in self.centre)
        wide, high, long = (factor * value for value in self.size)
        return Collider(self.kind, (x, y, z), (wide, high, long))

    @property
    def is_round(self) -> bool:
        """Return whether it is a circle seen from above."""
        return self.kind != "box" and math.isclose(self.size[0], self.size[2])

    def low_high(self, axis: int) -> tuple[float, float]:
        """Return its extent along an axis (mm)."""
        return self.centre[axis] - self.size[axis] / 2, self.centre[axis] + self.size[axis] / 2

    def outline(self) -> list[tuple[float, float]]:
        """Return its corners seen from above, in the robot's frame: ahead and left (m)."""
        x, y = self.centre[2] / 1000, -self.centre[0] / 1000
        half_x, half_y = self.size[2] / 2000, self.size[0] / 2000
        if self.is_round:
            turns = (math.tau * n / _ROUND for n in range(_ROUND))
            return [(x + half_x * elementary.cos(turn), y + half_y * elementary.sin(turn)) for turn in turns]
        return [(x + half_x * a, y + half_y * b) for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))]


def collider(kind: str, size: Sequence[float], centre: Sequence[float], axis: str = "y") -> Collider | None:
    """Return the collider of these numbers; None if it has no size."""
    if not all(value > 0.0 for value in size):
        return None
    if kind == "box":
        edges = (size[0], size[1], size[2])
    elif kind == "sphere":
        edges = (2 * size[0],) * 3
    else:
        across, along = 2 * size[0], max(size[1], 2 * size[0])
        edges = (along if axis == "x" else across, along if axis == "y" else across, along if axis == "z" else across)
    return Collider(kind, (centre[0], centre[1], centre[2]), edges)


def whole_outline(parts: Sequence[Collider]) -> list[tuple[float, float]]:
    """Return the convex outline of all colliders seen from above, counter-clockwise (m)."""
    return convex_hull(np.array([point for part in parts for point in part.outline()]))
