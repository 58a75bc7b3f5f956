"""Threads of a program in real time: simulated time passes by itself, and each thread runs when it likes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

FRESH_S = 0.005  # how old a frame may be: about 200 are asked for per second
_monotonic = time.monotonic


class LiveTurns:
    """The threads of a program in real time; one asks for the next frame, the others use it too."""

    def __init__(self, now_us: Callable[[], int], advance: Callable[[int], None], tick_us: int) -> None:
        self.changed = threading.Condition()
        self._now_us, self._advance = now_us, advance
        self._fresh_s = max(tick_us / 1e6, FRESH_S)
        self._talking = False  # a thread is waiting for an answer
        self._frame_at = _monotonic()
        self.over = False  # the simulation has ended: no thread goes on

    def expect(self, thread: threading.Thread) -> None:
        """Note a thread that is about to start; nothing depends on it here."""

    def leave(self, thread: threading.Thread) -> None:
        """Note that a thread has ended; nothing depends on it here."""

    def begin(self) -> None:
        """Begin a call with a frame that is not older than a tick."""
        if self.over:
            raise SystemExit(0)
        if _monotonic() - self._frame_at > self._fresh_s:
            self.next_frame(0)

    def end(self) -> None:
        """End a call."""

    def wait_until(self, t_us: int) -> None:
        """Return when simulated time has reached a time (us)."""
        while self._now_us() < t_us:
            self.next_frame(t_us - self._now_us())

    def next_frame(self, remaining_us: int) -> None:
        """Get a newer frame: ask for it, or wait until another thread that asks has it."""
        if self.alone():
            try:
                self._advance(self._now_us() + min(remaining_us, round(FRESH_S * 1e6)))
                self._frame_at = _monotonic()
            finally:
                self.done()
        elif self.over:
            raise SystemExit(0)

    def alone(self, must: bool = False) -> bool:
        """Return whether this thread may talk now; if not, another has just done so. With *must*, wait for the turn."""
        with self.changed:
            while self._talking and not self.over:
                self.changed.wait(1.0)
                if not must:
                    return False
            if self.over:
                raise SystemExit(0)
            self._talking = True
            return True

    def done(self) -> None:
        """Let others talk."""
        with self.changed:
            self._talking = False
            self.changed.notify_all()

    def block(self, reason: object, done: Callable[[], bool], told: bool = True) -> None:
        """Wait for another thread: programs use the real locks."""

    def wake(self, reason: object) -> None:
        """Let threads go on that are blocked: none is."""

    def stop(self) -> None:
        """Let no thread go on: each ends in the call that it is in, or in its next."""
        with self.changed:
            self.over = True
            self._talking = False
            self.changed.notify_all()
