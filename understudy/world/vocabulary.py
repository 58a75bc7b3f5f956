"""The words that a scene may use: kinds of devices, units, protocols and links, and the robots of the catalogue.

The tables belong to higher layers; a reader is handed them as this one value, so that reading knows no firmware and a
third party's sensor is a word like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from understudy.world.plain import Kinds


@dataclass(frozen=True)
class Vocabulary:
    """Kind -> data sheet class, for each sort of part; catalogue name -> text of the robot file."""

    devices: Mapping[str, type]
    units: Mapping[str, type]
    protocols: Mapping[str, type]
    links: tuple[str, ...]
    engines: tuple[str, ...]
    catalog: Mapping[str, str]

    @property
    def kinds(self) -> Kinds:
        """Return the open unions of the reader."""
        return {"devices": self.devices, "units": self.units, "protocols": self.protocols}
