"""Events of a run that do not change it: log notes, sounds, steps of programs.

Units and protocols emit them, listeners receive them, and tapes of level state and full keep them.
"""

from __future__ import annotations

from typing import Literal

from understudy.frozen import frozen
from understudy.world.media import Message


@frozen
class Note:
    """A line for the log."""

    text: str
    level: Literal["info", "warning"] = "info"


@frozen
class Sound:
    """A sound of a robot: tones of (seconds, hertz; 0 is a pause), or a sound of its own list by number."""

    tones: tuple[tuple[float, float], ...] = ()
    number: int = 0


@frozen
class NewLog:
    """A client requests a new log file; the old ones are kept."""


@frozen
class At:
    """A program has reached this position; firmware with a clock finer than a tick reports times within a tick."""

    program: str  # its name, such as that of its file
    task: str = ""  # of a program with several
    line: int = 0  # line of text or number of an icon, from 1; 0: unknown
    words: str = ""  # what stands there
    t_us: int = 0  # simulated time
    icon: int = 0  # number of the icon that it belongs to, from 1; 0: none
    says: str = ""  # what the icon says, with its parameters
    left_s: float = 0.0  # of a wait for a time


News = Note | Sound | NewLog | At | Message
NEWS: tuple[type, ...] = (Note, Sound, NewLog, At, Message)
