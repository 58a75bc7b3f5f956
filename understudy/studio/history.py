"""What was edited, so that it can be undone and done again."""

from __future__ import annotations

from dataclasses import dataclass

from understudy.world.changes import Change

MOST_STEPS = 200


@dataclass(frozen=True, slots=True)
class Edit:
    """One step: what was done, in words, the change itself and the change that takes it back."""

    words: str
    change: Change
    inverse: Change


class History:
    """Steps that can be undone, and steps that have been."""

    def __init__(self) -> None:
        self._done: list[Edit] = []
        self._undone: list[Edit] = []

    def note(self, edit: Edit) -> None:
        """Remember a step; what was undone before it cannot come back."""
        self._done.append(edit)
        del self._done[:-MOST_STEPS]
        self._undone.clear()

    def undo(self) -> Edit | None:
        """Return the step to take back, None if there is none."""
        if not self._done:
            return None
        self._undone.append(self._done.pop())
        return self._undone[-1]

    def redo(self) -> Edit | None:
        """Return the step to do again, None if there is none."""
        if not self._undone:
            return None
        self._done.append(self._undone.pop())
        return self._done[-1]

    def forget(self) -> None:
        """Begin anew, as after another map was loaded."""
        self._done.clear()
        self._undone.clear()

    @property
    def words(self) -> tuple[str, str]:
        """Return what would be undone and what would be done again; empty where there is nothing."""
        return (self._done[-1].words if self._done else "", self._undone[-1].words if self._undone else "")
