"""MobileSim's movable boxes: half a metre square, as the manual's "Special Simulator Map Objects" describes them.

They are as high as walls, so that any sensor that detects a wall can detect a box. Their mass is an estimate: a
Pioneer can push one.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from understudy.world.materials import Surface
from understudy.world.scene import Solid
from understudy.world.shapes import Box

_SHAPE, _YELLOW, _MASS_KG = Box((0.5, 0.5, 1.0)), "#ffff00", 10.0


def _box(surface: Surface) -> Solid:
    return Solid(shape=_SHAPE, mass_kg=_MASS_KG, colour=_YELLOW, surface=surface)


BOXES: Mapping[str, Solid] = MappingProxyType({
    "box": _box(Surface()),
    "box-nolaser": _box(Surface(seen_by=("sonar", "infrared", "camera", "touch"))),
    "box-nolaser-nosonar": _box(Surface(seen_by=("infrared", "camera", "touch"))),
    "box-reflector": _box(Surface(reflectance=2.0)),
})  # fmt: skip
