"""Progress of a run: a bar on a terminal, otherwise a plain line every few seconds."""

from __future__ import annotations

import sys
import time

from understudy.sim.sim import Sim

BAR = 30
PLAIN_EVERY_S = 10.0  # wall seconds between two plain lines


class Progress:
    """Shows the progress of a run of known length."""

    def __init__(self, sim: Sim, seconds: float | None) -> None:
        self._sim, self._seconds = sim, seconds or 0.0
        self._start_s, self._wall_s = sim.time_s, time.perf_counter()
        self._printed_s = self._wall_s
        self._terminal = sys.stderr.isatty()

    def done_s(self) -> float:
        """Return the simulated time since the start (s)."""
        return self._sim.time_s - self._start_s

    def piece_s(self) -> float:
        """Return the simulated time to run before the next update: about 0.1 s of wall time (s)."""
        tick_s = self._sim.start.tick_us / 1e6
        factor = max(self.done_s() / max(time.perf_counter() - self._wall_s, 1e-6), 1.0)
        return max(0.1 * factor, tick_s)

    def show(self) -> None:
        """Draw the bar, or print a line if one is due."""
        now = time.perf_counter()
        factor = self.done_s() / max(now - self._wall_s, 1e-9)
        if self._terminal:
            filled = round(BAR * min(self.done_s() / self._seconds, 1.0))
            bar = "#" * filled + "." * (BAR - filled)
            print(
                f"\r[{bar}] {self.done_s():.1f} of {self._seconds:g} s, {factor:.1f} x real time ",
                end="",
                file=sys.stderr,
            )
        elif now - self._printed_s >= PLAIN_EVERY_S:
            self._printed_s = now
            print(f"{self.done_s():.1f} of {self._seconds:g} s, {factor:.1f} x real time", file=sys.stderr)

    def close(self) -> None:
        """End the line of the bar."""
        if self._terminal:
            print(file=sys.stderr)
