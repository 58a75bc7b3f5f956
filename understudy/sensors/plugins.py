"""Kinds of sensors from other packages: those with an entry point in the group ``understudy.sensors``."""

from __future__ import annotations

import logging
from importlib.metadata import entry_points

from understudy.sensors import SENSORS

log = logging.getLogger(__name__)
GROUP = "understudy.sensors"


def sensors() -> dict[str, type]:
    """Return our kinds and those of installed packages; one that cannot be loaded is left out, with a warning."""
    found = dict(SENSORS)
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
    return found
