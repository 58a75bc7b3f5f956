"""Kinds of sensors from other packages: those with an entry point in the group ``understudy.sensors``."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from importlib.metadata import entry_points

from understudy.lazy import Lazy
from understudy.sensors import SENSORS

log = logging.getLogger(__name__)
GROUP = "understudy.sensors"


def sensors() -> Mapping[str, type]:
    """Return our kinds and those of installed packages; one that cannot be loaded is left out, with a warning."""
    found: dict[str, type] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            sheet = entry.load()
        except Exception as problem:
            log.warning("the sensor %r of %s cannot be loaded: %r", entry.name, entry.value, problem)
            continue
        if getattr(sheet, "kind", None) != entry.name:
            log.warning("the sensor %r of %s calls itself %r", entry.name, entry.value, getattr(sheet, "kind", None))
        elif entry.name in SENSORS:
            log.warning("the sensor %r of %s has the name of one of ours", entry.name, entry.value)
        else:
            found[entry.name] = sheet
    return Lazy((*SENSORS, *found), lambda name: found[name] if name in found else SENSORS[name])
