"""The words that a scene may use: kinds of devices, units, protocols and links, and the catalogues.

The tables belong to higher layers; a reader gets them as this one value, so that it does not depend on firmware and a
third-party sensor is a word like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from understudy.world.changes import BY_VERB
from understudy.world.records import Kinds
from understudy.world.robot import PlacedRobot


@dataclass(frozen=True)
class Vocabulary:
    """Kind -> data sheet class, for each sort of part; robot -> text of its file; model of a device -> its table."""

    devices: Mapping[str, type]
    units: Mapping[str, type]
    protocols: Mapping[str, type]
    links: Collection[str]
    engines: Collection[str]
    catalog: Mapping[str, str]
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    figures: Collection[str] = ()  # ready looks
    # why nothing here can run the program of a resolved robot; empty if it can
    program_problem: Callable[[PlacedRobot], str] = lambda robot: ""

    @property
    def kinds(self) -> Kinds:
        """Return the open unions of the reader."""
        return {"devices": self.devices, "units": self.units, "protocols": self.protocols, "changes": BY_VERB}
