"""Surface properties for sensors and collisions."""

from __future__ import annotations

from functools import cache
from typing import Literal

from understudy.frozen import frozen
from understudy.world.records import rule

Layer = Literal["laser", "sonar", "infrared", "camera", "touch"]
LAYERS: tuple[Layer, ...] = ("laser", "sonar", "infrared", "camera", "touch")


@frozen
class Surface:
    """How a thing is detected: the sensors that see it, its laser reflectance, whether robots collide with it."""

    seen_by: tuple[Layer, ...] = LAYERS
    reflectance: float = rule(
        1.0, least=0.0, doc="reflected laser intensity; 1 is a plain matt surface, reflectors are above 1"
    )
    obstacle: bool = True
    temperature_c: float | None = rule(
        None, least=-273.15, doc="its temperature for a thermal camera; default: that of the air"
    )


@cache
def layer_mask(layers: tuple[Layer, ...]) -> int:
    """Return one bit per layer, in the order of LAYERS.

    >>> layer_mask(("laser", "touch"))
    17
    """
    return sum(1 << LAYERS.index(layer) for layer in set(layers))
