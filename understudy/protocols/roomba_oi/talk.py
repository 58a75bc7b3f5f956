"""What some opcodes change in the conversation itself, before or instead of a command to the firmware."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Baud:
    """Change the baud rate: a code from 0 to 11; a Roomba 400 then is in passive mode."""

    code: int
    passive: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """Answer with the data of packets."""

    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetStream:
    """Send packets in every cycle; without ids, none."""

    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PauseStream:
    """Pause the stream, or go on with it."""

    pause: bool


@dataclass(frozen=True, slots=True)
class PlayScript:
    """Put the stored script into the queue of received bytes."""


@dataclass(frozen=True, slots=True)
class ShowScript:
    """Answer with the stored script, and pause the stream."""


@dataclass(frozen=True, slots=True)
class RestartRobot:
    """Restart the robot."""


@dataclass(frozen=True, slots=True)
class EndTalk:
    """End the conversation."""


OWN = (Baud, Query, SetStream, PauseStream, PlayScript, ShowScript, RestartRobot, EndTalk)
