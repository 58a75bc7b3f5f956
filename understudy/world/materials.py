"""What a surface is to sensors and to other bodies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from understudy.world.plain import rule

Layer = Literal["laser", "sonar", "infrared", "camera", "touch"]
LAYERS: tuple[Layer, ...] = ("laser", "sonar", "infrared", "camera", "touch")


@dataclass(frozen=True, slots=True)
class Surface:
    """Who notices a thing: which sensors see it, how strongly a laser is thrown back, whether robots bump into it."""

    seen_by: tuple[Layer, ...] = LAYERS
    reflectance: float = rule(1.0, least=0.0, doc="laser intensity thrown back; 1 is plain matt, reflectors are above")
    obstacle: bool = True
    temperature_c: float | None = rule(
        None, least=-273.15, doc="how warm it looks to a thermal camera; else as the air"
    )


@cache
def layer_mask(layers: tuple[Layer, ...]) -> int:
    """Return one bit per layer, in the order of LAYERS.

    >>> layer_mask(("laser", "touch"))
    17
    """
    return sum(1 << LAYERS.index(layer) for layer in set(layers))
