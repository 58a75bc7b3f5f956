"""Sonar and laser exactly as in MobileSim 0.9.8.

A sonar is one ray along the axis of each transducer, without a beam; a laser misses nothing. Both have bounded uniform
noise, and none on readings without an echo. MobileSim also rotates each laser ray by up to 0.02 degrees; here rays
point exactly where the client expects them.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from understudy.sensors.cone import Sonar
from understudy.sensors.imperfection import LengthNoise
from understudy.sensors.laser import Laser

SONAR_NOISE, LASER_NOISE = LengthNoise(uniform_m=0.00025), LengthNoise(uniform_m=0.0025)


def as_in_mobilesim(sheet: Any) -> Any:
    """Return the data sheet of a sonar or laser as in MobileSim; any other sheet unchanged."""
    if isinstance(sheet, Sonar):
        return dataclasses.replace(
            sheet, cone_rad=0.0, rays_per_cone=1, lobes=(), reflection=None, min_m=min(0.1, sheet.max_m),
            noise=SONAR_NOISE,
        )  # fmt: skip
    if isinstance(sheet, Laser):
        return dataclasses.replace(
            sheet, reflectance=True, reach_m=0.0, grazing_rad=0.0, spot_rad=0.0, noise=LASER_NOISE
        )
    return sheet
