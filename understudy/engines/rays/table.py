"""A ray table: the rays of a device in its robot's frame, shared by all robots with the same device."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from understudy.frozen import frozen

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@frozen(eq=False)
class Spread:
    """Level rays from one point at evenly spaced angles: the casters are faster for them."""

    x: float
    y: float
    z: float
    yaw: float
    angles: Array  # around the yaw, increasing (rad)

    @property
    def rays(self) -> int:
        """Return the number of rays."""
        return len(self.angles)


@frozen(eq=False)
class RayTable:
    """Rays by origin and direction (m, unit vectors), their range, and the layer of objects that reflects them."""

    origins: Array  # (rays, 3)
    directions: Array  # (rays, 3)
    limit_m: float
    layer: int  # one bit of world.materials.layer_mask
    fan: Spread | None = None  # the same rays, if they are a level fan
    # above 0: a ray is the axis of a level cone this wide, and the nearest thing in it counts; one for all, or by ray
    cone_rad: float | Array = 0.0
    lengths: Array | None = None  # by ray: hits beyond its own length give no echo; None: limit_m for all
    pixel_rad: float = 0.0  # width of the field of one ray of an image; textures are blurred by as much

    @property
    def level(self) -> bool:
        """Return whether all rays are level."""
        return not self.directions[:, 2].any()


class Hits(NamedTuple):
    """What rays have hit, besides the distance: arrays of one shape."""

    reflectance: Array  # of the surface; 0 where nothing was hit
    cosine: Array  # of the angle of incidence: 1 is head-on; 0 where nothing was hit
    robot: Ints  # the row of the robot that was hit; -1: something else, or nothing


def no_hits(*shape: int) -> Hits:
    """Return arrays for hits, initialised to "nothing hit"."""
    return Hits(np.zeros(shape), np.zeros(shape), np.full(shape, -1, np.int64))
