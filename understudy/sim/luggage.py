"""Files that things bring into a run: read beside the scene when such a thing is added, then part of the inbox."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from understudy.formats.files import contents
from understudy.world.changes import Add, Bring, Change, Replace, apply
from understudy.world.scene import Scene


def needed(change: Change, folder: Path, known: Collection[str]) -> list[Bring]:
    """Return the files that a thing to be added names and the run does not have yet; missing ones are left out."""
    if not isinstance(change, Add | Replace) or not change.thing.name:
        return []
    found = contents(apply(Scene(), Add(change.thing)), folder)
    return [Bring.of(name, data) for name, data in sorted(found.items()) if name not in known]
