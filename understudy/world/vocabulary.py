"""The words that a scene may use: kinds of devices, units, protocols and links, and the catalogues.

The tables belong to higher layers; a reader is handed them as this one value, so that reading knows no firmware and a
third party's sensor is a word like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from understudy.world.plain import Kinds


@dataclass(frozen=True)
class Vocabulary:
    """Kind -> data sheet class, for each sort of part; robot -> text of its file; model of a device -> its table."""

    devices: Mapping[str, type]
    units: Mapping[str, type]
    protocols: Mapping[str, type]
    links: tuple[str, ...]
    engines: tuple[str, ...]
    catalog: Mapping[str, str]
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def kinds(self) -> Kinds:
        """Return the open unions of the reader."""
        return {"devices": self.devices, "units": self.units, "protocols": self.protocols}
