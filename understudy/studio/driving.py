"""Driving by keys: the keys held down are a motion; silence, a lost window or a dead browser is a stop.

A browser repeats the held keys ten times a second. Everything here runs in the web server's thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

SILENCE_S = 0.3  # after so long without a word from the browser the robot stops
GENTLE = 0.5  # of what the drive can do: keys are all or nothing, so they ask for half

# what a key means: forward, left turn, sideways to the left
KEYS: dict[str, tuple[int, int, int]] = {
    "forward": (1, 0, 0), "back": (-1, 0, 0), "left": (0, 1, 0), "right": (0, -1, 0),
    "shift_left": (0, 0, 1), "shift_right": (0, 0, -1),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Motion:
    """What keys ask of a drive, as parts of what it can do."""

    ahead: float = 0.0
    turn: float = 0.0
    aside: float = 0.0


STILL = Motion()


def motion(keys: Iterable[str], share: float = GENTLE) -> Motion:
    """Return the motion that held keys ask for; unknown keys ask for nothing.

    >>> motion({"forward", "left"}), motion({"left", "right"})
    (Motion(ahead=0.5, turn=0.5, aside=0.0), Motion(ahead=0.0, turn=0.0, aside=0.0))
    """
    rows = [KEYS[key] for key in set(keys) if key in KEYS]
    ahead, turn, aside = (max(-1, min(1, sum(row[i] for row in rows))) * share for i in range(3))
    return Motion(ahead, turn, aside)


class Driver:
    """What one browser drives at the moment."""

    def __init__(self, steer: Callable[[str, Motion], None]) -> None:
        self._steer = steer
        self._robot = ""
        self._asked = STILL
        self._silence: asyncio.TimerHandle | None = None

    def hold(self, robot: str, keys: Iterable[str], share: float = GENTLE) -> None:
        """Take the keys that are held down now."""
        wanted = motion(keys, share)
        if robot != self._robot:
            self.let_go()
            self._robot = robot
        if wanted != self._asked:
            self._asked = wanted
            self._steer(robot, wanted)
        self._watch()

    def _watch(self) -> None:
        """Stop after a while without another word."""
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        if self._asked != STILL:
            self._silence = asyncio.get_running_loop().call_later(SILENCE_S, self.let_go)

    def let_go(self) -> None:
        """Stop what this browser drives."""
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        if self._asked != STILL:
            self._asked = STILL
            self._steer(self._robot, STILL)
