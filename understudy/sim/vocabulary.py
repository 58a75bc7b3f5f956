"""The words of this installation: the tables of contents of all layers as one value."""

from __future__ import annotations

from functools import cache

from understudy.engines import ENGINES
from understudy.lazy import Lazy
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
        units=Lazy(UNITS, lambda name: UNITS[name].Sheet),
        protocols=Lazy(PROTOCOLS, lambda name: PROTOCOLS[name].Sheet),
        links=tuple(LINKS),
        engines=tuple(ENGINES),
        catalog=catalog(),
        models=Lazy(models(), lambda name: models()[name].device),
    )
