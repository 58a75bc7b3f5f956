"""Driving by keys: the pressed keys define a motion; if the browser stops sending them, the robot stops.

A browser repeats the pressed keys ten times a second. Everything here runs in the web server's thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from understudy.frozen import frozen

SILENCE_S = 0.3  # without a message from the browser for this long the robot stops
GENTLE = 0.5  # share of the maximum speed: keys are on or off, so they use half

# meaning of a key: forward, left turn, sideways to the left
KEYS: dict[str, tuple[int, int, int]] = {
    "forward": (1, 0, 0), "back": (-1, 0, 0), "left": (0, 1, 0), "right": (0, -1, 0),
    "shift_left": (0, 0, 1), "shift_right": (0, 0, -1),
}  # fmt: skip


@frozen
class KeyMotion:
    """A requested motion, as shares of the drive's maximum speeds."""

    ahead: float = 0.0
    turn: float = 0.0
    aside: float = 0.0


STILL = KeyMotion()


def motion(keys: Iterable[str], share: float = GENTLE) -> KeyMotion:
    """Return the motion for the pressed keys; unknown keys are ignored.

    >>> motion({"forward", "left"}), motion({"left", "right"})
    (KeyMotion(ahead=0.5, turn=0.5, aside=0.0), KeyMotion(ahead=0.0, turn=0.0, aside=0.0))
    """
    rows = [KEYS[key] for key in set(keys) if key in KEYS]
    ahead, turn, aside = (max(-1, min(1, sum(row[i] for row in rows))) * share for i in range(3))
    return KeyMotion(ahead, turn, aside)


class Driver:
    """The robot that one browser drives, and its current motion."""

    def __init__(self, steer: Callable[[str, KeyMotion], None]) -> None:
        self._steer = steer
        self._robot = ""
        self._asked = STILL
        self._silence: asyncio.TimerHandle | None = None

    def hold(self, robot: str, keys: Iterable[str], share: float = GENTLE) -> None:
        """Take the keys that are pressed now."""
        wanted = motion(keys, share)
        if robot != self._robot:
            self.let_go()
            self._robot = robot
        if wanted != self._asked:
            self._asked = wanted
            self._steer(robot, wanted)
        self._watch()

    def _watch(self) -> None:
        """Restart the timer that stops the robot without further messages."""
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        if self._asked != STILL:
            self._silence = asyncio.get_running_loop().call_later(SILENCE_S, self.let_go)

    def let_go(self) -> None:
        """Stop the robot that this browser drives."""
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        if self._asked != STILL:
            self._asked = STILL
            self._steer(self._robot, STILL)
