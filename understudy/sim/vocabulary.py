"""The vocabulary of this installation: the registered kinds of all layers as one value."""

from __future__ import annotations

from functools import cache
from typing import Any

from understudy.assets import figures
from understudy.engines import ENGINES
from understudy.formats import FORMATS
from understudy.formats.robot_formats import ROBOT_FORMATS
from understudy.lazy import Lazy, Mapped
from understudy.links import LINKS
from understudy.plugins import Registry
from understudy.protocols import PROTOCOLS
from understudy.robots import UNITS, catalog
from understudy.sensors import SENSORS
from understudy.sensors.models import models
from understudy.sim.program_kinds import program_problem
from understudy.world.vocabulary import Vocabulary


def registries() -> tuple[Registry[Any], ...]:
    """Return every table that other packages can add to."""
    tables = (SENSORS, UNITS, PROTOCOLS, LINKS, FORMATS, ROBOT_FORMATS, ENGINES)
    return tuple(table for table in tables if isinstance(table, Registry))


@cache
def vocabulary() -> Vocabulary:
    """Return every kind of part that a scene may use."""
    return Vocabulary(
        devices=SENSORS,
        units=Mapped(UNITS, lambda unit: unit.Sheet),
        protocols=Mapped(PROTOCOLS, lambda protocol: protocol.Sheet),
        links=LINKS,
        engines=ENGINES,
        catalog=catalog(),
        models=Lazy(models(), lambda name: models()[name].device),
        figures=figures.names(),
        program_problem=program_problem,
    )
