"""Numbers of processes and threads that are the same in each run.

Programs make random numbers of their process number: $RANDOM of bash, rand of Ruby, many a seed in C. The kernel lets a
process with the right to do so (root has it) choose the numbers of those that it makes.
"""

from __future__ import annotations

from pathlib import Path

_LIMIT = Path("/proc/sys/kernel/pid_max")
_SPAN = 1000  # numbers that one run uses before it begins again
_RUNS = 8  # runs at the same time that do not come into each other's way


class ProcessNumbers:
    """Hands out numbers from the upper end of what the kernel allows, where few others are."""

    def __init__(self) -> None:
        self._first = 0
        self._next = 0
        try:
            limit = int(_LIMIT.read_text())
        except (OSError, ValueError):
            return
        blocks = (limit - _SPAN * (run + 1) for run in range(_RUNS))
        self._first = next((first for first in blocks if first > _SPAN and _is_free(first)), 0)

    def take(self) -> int:
        """Return a number that nobody has; 0 if the kernel must choose."""
        for _ in range(_SPAN if self._first else 0):
            number = self._first + self._next
            self._next = (self._next + 1) % _SPAN
            if _is_free(number):
                return number
        return 0

    def refuse(self) -> None:
        """Note that we may not choose."""
        self._first = 0


def _is_free(number: int) -> bool:
    return not Path(f"/proc/{number}").exists()
