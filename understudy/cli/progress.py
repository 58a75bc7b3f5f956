"""Progress of a run: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time

from understudy.sim.sim import Sim

BAR = 30
PLAIN_EVERY_S = 10.0  # wall seconds between two plain lines


class Progress:
    """Shows how far a run of known length has come."""

    def __init__(self, sim: Sim, seconds: float | None) -> None:
        self._sim, self._seconds = sim, seconds or 0.0
        self._start_s, self._wall_s = sim.time_s, time.perf_counter()
        self._told_s = self._wall_s
        self._terminal = sys.stderr.isatty()

    def done_s(self) -> float:
        """Return the simulated seconds that are done (s)."""
        return self._sim.time_s - self._start_s

    def piece_s(self) -> float:
        """Return how much to run before the next look: about a tenth of a second of wall time (s)."""
        tick_s = self._sim.start.tick_us / 1e6
        factor = max(self.done_s() / max(time.perf_counter() - self._wall_s, 1e-6), 1.0)
        return max(0.1 * factor, tick_s)

    def show(self) -> None:
        """Draw the bar, or say a line if it is time."""
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
        elif now - self._told_s >= PLAIN_EVERY_S:
            self._told_s = now
            print(f"{self.done_s():.1f} of {self._seconds:g} s, {factor:.1f} x real time", file=sys.stderr)

    def close(self) -> None:
        """Leave the bar's line."""
        if self._terminal:
            print(file=sys.stderr)
