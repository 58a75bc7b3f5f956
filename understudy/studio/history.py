"""The history of edits, for undo and redo."""

from __future__ import annotations

from understudy.frozen import frozen
from understudy.world.changes import Change

MOST_STEPS = 200


@frozen
class Edit:
    """One edit: its description, the change itself and the change that undoes it."""

    words: str
    change: Change
    inverse: Change


class History:
    """Edits that can be undone or redone."""

    def __init__(self) -> None:
        self._done: list[Edit] = []
        self._undone: list[Edit] = []

    def note(self, edit: Edit) -> None:
        """Add an edit; undone edits can no longer be redone."""
        self._done.append(edit)
        del self._done[:-MOST_STEPS]
        self._undone.clear()

    def undo(self) -> Edit | None:
        """Return the edit to undo, None if there is none."""
        if not self._done:
            return None
        self._undone.append(self._done.pop())
        return self._undone[-1]

    def redo(self) -> Edit | None:
        """Return the edit to redo, None if there is none."""
        if not self._undone:
            return None
        self._done.append(self._undone.pop())
        return self._done[-1]

    def forget(self) -> None:
        """Clear the history, as after loading another map."""
        self._done.clear()
        self._undone.clear()

    @property
    def words(self) -> tuple[str, str]:
        """Return descriptions of the edits to undo and to redo; empty if there is none."""
        return (self._done[-1].words if self._done else "", self._undone[-1].words if self._undone else "")
