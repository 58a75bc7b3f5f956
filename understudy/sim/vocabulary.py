"""The words of this installation: the tables of contents of all layers as one value."""

from __future__ import annotations

from functools import cache

from understudy.engines import ENGINES
from understudy.links import LINKS
from understudy.protocols import PROTOCOLS
from understudy.robots import UNITS, catalog
from understudy.sensors import plugins
from understudy.sensors.models import models
from understudy.world.vocabulary import Vocabulary


@cache
def vocabulary() -> Vocabulary:
    """Return every kind of part that a scene may name."""
    return Vocabulary(
        devices=plugins.sensors(),
        units={name: unit.Sheet for name, unit in UNITS.items()},
        protocols={name: protocol.Sheet for name, protocol in PROTOCOLS.items()},
        links=tuple(LINKS),
        engines=tuple(ENGINES),
        catalog=catalog(),
        models={name: model.device for name, model in models().items()},
    )
