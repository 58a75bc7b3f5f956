"""The radio of an EyeBot: what it has heard, until the program has read it."""

from __future__ import annotations

from dataclasses import dataclass, field

from understudy.world.media import Heard, Message

MEDIUM = "radio"
MOST_BYTES = 1024  # of one message


@dataclass(slots=True)
class Radio:
    """Messages with a number each, in the order in which they came."""

    on: bool = False
    heard: int = 0  # number of the newest message
    lost: int = 0
    waiting: list[tuple[int, str, bytes]] = field(default_factory=list)  # number, robot, data

    def power(self, on: bool) -> None:
        """Switch it on or off; off, it forgets what it has heard."""
        self.on = on
        if not on:
            self.waiting.clear()

    def hear(self, heard: Heard, room: int) -> None:
        """Keep a message, if it is on and there is room (bytes)."""
        if not self.on:
            return
        if sum(len(kept) for _, _, kept in self.waiting) + len(heard.data) > room:
            self.lost += 1
            return
        self.heard += 1
        self.waiting.append((self.heard, heard.sender.partition("/")[0], heard.data))

    def take(self, number: int) -> None:
        """Forget messages up to this number."""
        self.waiting = [kept for kept in self.waiting if kept[0] > number]


def message(robot: str, data: bytes) -> Message:
    """Return a message to a robot, or to all if it has no name."""
    return Message(MEDIUM, data[:MOST_BYTES], to=robot)
