"""Whether a browser keeps up: a page that is late gets nothing new to show until it has caught up.

Frames wait for the browser's acknowledgement; NiceGUI's own messages do not, and on a busy machine they would pile up.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from nicegui import ui

LATE_S = 2.0  # without a sign of life; the status is returned twice a second


class Heartbeat:
    """The sign of life of one page: it returns every status that the stream has sent."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last_s = clock()

    def beat(self) -> None:
        """Note that the page has shown a status."""
        self._last_s = self._clock()

    @property
    def is_late(self) -> bool:
        """Return whether the page has not been heard of for too long."""
        return self._clock() - self._last_s > LATE_S

    def every(self, seconds: float, call: Callable[[], None]) -> None:
        """Call something regularly that sends to the page, except while the page is late."""
        ui.timer(seconds, lambda: None if self.is_late else call())
