"""What happens in a run without changing it: notes for the log, sounds. Units and protocols tell, listeners hear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Note:
    """A line for the log."""

    text: str
    level: Literal["info", "warning"] = "info"


@dataclass(frozen=True, slots=True)
class Sound:
    """A robot makes itself heard: tones of (seconds, hertz; 0 is a pause), or a sound of its own list by number."""

    tones: tuple[tuple[float, float], ...] = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class NewLog:
    """A client asks for a new log file; the old ones are to be kept aside."""


News = Note | Sound | NewLog
NEWS: tuple[type, ...] = (Note, Sound, NewLog)
