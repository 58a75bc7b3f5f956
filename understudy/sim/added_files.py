"""Files of things that are added during a run: read from the scene's folder, then part of the inbox."""

from __future__ import annotations

from collections.abc import Collection

from understudy.formats.document import Document
from understudy.world.changes import Add, Bring, Change, Replace, apply
from understudy.world.scene import Scene


def needed(change: Change, source: Document, known: Collection[str]) -> list[Bring]:
    """Return the files that an added thing refers to and the run does not have yet; missing files are left out.

    They are beside the document that the run was made from, or came with it.
    """
    if not isinstance(change, Add | Replace) or not change.thing.name:
        return []
    found = source.contents(apply(Scene(), Add(change.thing)))
    return [Bring.of(name, data) for name, data in sorted(found.items()) if name not in known]
