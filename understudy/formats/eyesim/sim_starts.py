"""Where the robots of a ``.sim`` file start: at a pose, or at a letter of its maze."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from understudy.formats.eyesim.environment import Start
from understudy.formats.eyesim.line_words import is_number, numbers
from understudy.formats.eyesim.maze_text import HEADINGS
from understudy.world.shapes import Pose

_UP = "su"  # both mean up, so that one may stand for the other


class SimStarts:
    """The starts of a world or maze; each is given to one robot."""

    def __init__(self, starts: Sequence[Start], file: str) -> None:
        self._free, self._file = list(starts), file

    def next(self) -> Pose:
        """Return the next free start; raises ValueError if there is none."""
        if not self._free:
            raise ValueError(f"no free start for this robot in {self._file or 'the empty world'}")
        return self._free.pop(0).pose

    def pose_of(self, words: Sequence[str]) -> tuple[Pose, Sequence[str]]:
        """Return the pose that words begin with, and the rest; raises ValueError."""
        if words and words[0].lower() in HEADINGS:
            pose = self._at_letter(words[0])
            if len(words) > 1 and is_number(words[1]):
                return dataclasses.replace(pose, heading_rad=math.radians(_values(words[1:2])[0])), words[2:]
            return pose, words[1:]
        if len(words) < 3:
            raise ValueError(f"not a place: {' '.join(words)[:60]!r}")
        x, y, phi = _values(words[:3])
        return Pose(x / 1000, y / 1000, heading_rad=math.radians(phi)), words[3:]

    def _at_letter(self, letter: str) -> Pose:
        """Return the first free start with a letter; in a world file, which has none, the first free one."""
        small = letter.lower()
        exact = [start for start in self._free if start.letter in (small, "")]
        alike = [start for start in self._free if start.letter in _UP and small in _UP]
        for start in (*exact, *alike):
            self._free.remove(start)
            return start.pose
        raise ValueError(f"no free start {letter} in {self._file or 'the empty world'}")


def _values(words: Sequence[str]) -> list[float]:
    found = numbers(words)
    if found is None:
        raise ValueError(f"not a place: {' '.join(words)[:60]!r}")
    return found
