"""``time.sleep`` inside gated programs waits in simulated time; it is exchanged only while one of them runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from greenlet import getcurrent


class SleepPatch:
    """Exchanges ``time.sleep`` from the first entry to the last exit, of whichever simulations and threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self.real: Callable[[float], object] = time.sleep

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self.real = time.sleep
                setattr(time, "sleep", self.sleep)  # noqa: B010 - the type checker minds the plain assignment

    def __exit__(self, *problem: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                setattr(time, "sleep", self.real)  # noqa: B010

    def sleep(self, seconds: float) -> None:
        """Sleep; inside a gated program, wait in simulated time."""
        seat = getattr(getcurrent(), "seat", None)
        if seat is None:
            self.real(seconds)
        else:
            seat.sleep(seconds)


PATCH = SleepPatch()  # one, as there is one time.sleep
