"""The shape of a beam: one cone, or several nested or adjacent ones, each with its own range."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from understudy.elementary import arrays
from understudy.engines.rays.table import RayTable
from understudy.frozen import frozen
from understudy.sensors.base import Array, fan
from understudy.sensors.places import on_robot
from understudy.world.materials import Layer, layer_mask
from understudy.world.records import rule
from understudy.world.rotations import rotation
from understudy.world.shapes import Mount

_TILTED_RAYS = 33  # that represent a cone which is not level
_GOLDEN_RAD = math.pi * (3.0 - math.sqrt(5.0))
LOBES = "the beam as several cones, nested or side by side, or a file of measured points"
RAYS = "0: the exact cone; otherwise this many rays spread over it"


@frozen
class Lobe:
    """A part of a beam: a cone with its own range, around an axis that may differ from the device's."""

    width_rad: float = rule(least=0.0, most=math.pi, doc="0: a single ray")
    max_m: float = rule(above=0.0, doc="anything farther in this lobe gives no echo")
    yaw_rad: float = rule(0.0, doc="the lobe's axis, to the left of the device's")
    pitch_rad: float = rule(0.0, doc="the lobe's axis, below the device's")
    rays: int = rule(0, least=0, most=1000, doc=RAYS)


def range_findings(ring: Sequence[Mount], min_m: float, max_m: float) -> Iterator[tuple[str, str]]:
    """Yield key and message for each invalid combination of values on the data sheet of a ranger."""
    if not ring:
        yield "ring", "needs at least one position, such as [{yaw_deg = 0}]"
    if min_m >= max_m:
        yield "min_m", f"must be below max_m, {max_m:g}, got {min_m:g}"


def lobe_table(mount: Mount, ring: Sequence[Mount], lobes: Sequence[Lobe], limit_m: float, layer: Layer) -> RayTable:
    """Return the rays of all transducers of a ring, lobe by lobe, in the robot's frame."""
    level = _is_level(mount, ring, lobes)
    cones = [_cone(lobe, level) for lobe in lobes]
    rays = np.concatenate([arrays.product(cone, _turn(lobe).T) for lobe, cone in zip(lobes, cones)])
    counts = [len(cone) for cone in cones]
    origins = np.repeat(on_robot(mount, ring), len(rays), axis=0)
    directions = np.concatenate(
        [arrays.product(rays, arrays.product(rotation(mount), rotation(disc)).T) for disc in ring]
    )
    if level:
        directions[:, 2] = 0.0
    widths = np.repeat([lobe.width_rad if level and lobe.rays == 0 else 0.0 for lobe in lobes], counts)
    lengths = np.repeat([lobe.max_m for lobe in lobes], counts)
    cone_rad = float(widths[0]) if (widths == widths[0]).all() else np.tile(widths, len(ring))
    own = None if (lengths >= limit_m).all() else np.tile(lengths, len(ring))
    return RayTable(origins, directions, limit_m, layer_mask((layer,)), cone_rad=cone_rad, lengths=own)


def _is_level(mount: Mount, ring: Sequence[Mount], lobes: Sequence[Lobe]) -> bool:
    places = (mount, *ring)
    return not any(place.pitch_rad or place.roll_rad for place in places) and not any(each.pitch_rad for each in lobes)


def _turn(lobe: Lobe) -> Array:
    return rotation(Mount(yaw_rad=lobe.yaw_rad, pitch_rad=lobe.pitch_rad))


def _cone(lobe: Lobe, level: bool) -> Array:
    """Return the rays that represent a lobe around the x axis: its axis, a fan in the plane, or a spiral around it."""
    if lobe.width_rad == 0.0 or (level and lobe.rays == 0):
        return np.array([[1.0, 0.0, 0.0]])
    if level:
        angles = fan(lobe.width_rad, lobe.rays)
        return np.column_stack([arrays.cos(angles), arrays.sin(angles), np.zeros(len(angles))])
    count = lobe.rays or _TILTED_RAYS
    numbers = np.arange(count)
    off, around = lobe.width_rad / 2 * np.sqrt(numbers / max(count - 1, 1)), _GOLDEN_RAD * numbers
    return np.column_stack(
        [arrays.cos(off), arrays.sin(off) * arrays.cos(around), arrays.sin(off) * arrays.sin(around)]
    )
