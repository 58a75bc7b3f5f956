"""A table of rays: what a device casts, in its robot's frame, once for all robots that carry the same device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Level rays from one point at evenly spaced angles: the casters have a faster way for them."""

    x: float
    y: float
    z: float
    yaw: float
    angles: Array  # about the yaw, growing (rad)

    @property
    def rays(self) -> int:
        """Return how many rays there are."""
        return len(self.angles)


@dataclass(frozen=True, slots=True, eq=False)
class RayTable:
    """Rays by origin and direction (m, unit vectors), how far they reach, and which layer of objects reflects them."""

    origins: Array  # (rays, 3)
    directions: Array  # (rays, 3)
    limit_m: float
    layer: int  # one bit of world.materials.layer_mask
    fan: Spread | None = None  # the same rays, if they are a level fan
    # above 0: a ray is the axis of a level cone this wide, and the nearest thing in it counts; one for all, or by ray
    cone_rad: float | Array = 0.0
    lengths: Array | None = None  # by ray: what is hit beyond its ray's own length gives no echo; None: limit_m for all
    pixel_rad: float = 0.0  # how wide the field of one ray of a picture is; pictures on things are blurred by as much

    @property
    def level(self) -> bool:
        """Say whether all rays are level."""
        return not self.directions[:, 2].any()


class Hits(NamedTuple):
    """What rays have met, beside how far away: arrays of one shape."""

    reflectance: Array  # of the surface; 0 where nothing was met
    cosine: Array  # of the angle between the ray and the surface's normal: 1 is straight on; 0 where nothing was met
    robot: Ints  # the row of the robot that was met; -1: something else, or nothing


def no_hits(*shape: int) -> Hits:
    """Return room for what rays meet, as if they had met nothing."""
    return Hits(np.zeros(shape), np.zeros(shape), np.full(shape, -1, np.int64))
