"""A table of rays: what a device casts, in its robot's frame, once for all robots that carry the same device."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class RayTable:
    """Rays by origin and direction (m, unit vectors), how far they reach, and which layer of objects reflects them."""

    origins: npt.NDArray[np.float64]  # (rays, 3)
    directions: npt.NDArray[np.float64]  # (rays, 3)
    limit_m: float
    layer: int  # one bit of world.materials.layer_mask
