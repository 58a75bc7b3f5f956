"""What some opcodes change in the conversation itself, before or instead of a command to the firmware."""

from __future__ import annotations

from understudy.frozen import frozen


@frozen
class Baud:
    """Change the baud rate: a code from 0 to 11; a Roomba 400 then is in passive mode."""

    code: int
    passive: bool = False


@frozen
class Query:
    """Answer with the data of packets."""

    ids: tuple[int, ...]


@frozen
class SetStream:
    """Send packets in every cycle; without ids, none."""

    ids: tuple[int, ...]


@frozen
class PauseStream:
    """Pause the stream, or go on with it."""

    pause: bool


@frozen
class PlayScript:
    """Put the stored script into the queue of received bytes."""


@frozen
class ShowScript:
    """Answer with the stored script, and pause the stream."""


@frozen
class RestartRobot:
    """Restart the robot."""


@frozen
class EndTalk:
    """End the conversation."""


OWN = (Baud, Query, SetStream, PauseStream, PlayScript, ShowScript, RestartRobot, EndTalk)
