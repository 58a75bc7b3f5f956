"""The frames of the last minutes, so that users can see again what they have just seen.

Filled by the simulation's thread, read by the web server's. Only frames of the present scene description are kept:
those of an earlier one could not be drawn.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from understudy.frozen import frozen

KEPT_S, KEPT_BYTES = 180.0, 64_000_000
LONGEST_GAP_S = 0.1  # a pause is not seen again


@frozen
class PastFrame:
    """A frame, and how long after the one before it was shown (s)."""

    gap_s: float
    frame: bytes


class FrameMemory:
    """Keeps frames up to a time and a size."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._seen: deque[PastFrame] = deque()
        self._last_s = -LONGEST_GAP_S
        self._bytes, self._length_s = 0, 0.0
        self._lock = threading.Lock()

    def add(self, frame: bytes) -> None:
        """Keep a frame; the oldest ones are forgotten."""
        now_s = self._now_s()
        gap_s, self._last_s = min(now_s - self._last_s, LONGEST_GAP_S), now_s
        with self._lock:
            self._seen.append(PastFrame(gap_s, frame))
            self._bytes += len(frame)
            self._length_s += gap_s
            while self._length_s > KEPT_S or self._bytes > KEPT_BYTES:
                old = self._seen.popleft()
                self._bytes -= len(old.frame)
                self._length_s -= old.gap_s

    def clear(self) -> None:
        """Forget everything: the scene has changed."""
        with self._lock:
            self._seen.clear()
            self._bytes, self._length_s = 0, 0.0

    def last(self, seconds: float) -> list[PastFrame]:
        """Return the frames of the last seconds, the oldest first."""
        with self._lock:
            seen = list(self._seen)
        found: list[PastFrame] = []
        for each in reversed(seen):
            if seconds <= 0.0:
                break
            seconds -= each.gap_s
            found.append(each)
        return found[::-1]
