"""Where RoBIOS programs that start together wait for each other."""

from __future__ import annotations


class StartLine:
    """Which programs have not yet reached their first driving or sensor call."""

    def __init__(self) -> None:
        self._missing: set[str] = set()

    def expect(self, names: set[str]) -> None:
        """Wait for the programs of these robots."""
        self._missing = set(names)

    def arrive(self, name: str) -> None:
        """Note that a robot's program is there, or will never be."""
        self._missing.discard(name)

    @property
    def free(self) -> bool:
        """Return whether all are there."""
        return not self._missing
