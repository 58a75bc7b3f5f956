"""What a tick or an exchange leaves for the outside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from understudy.world.changes import Change, Done
from understudy.world.news import News


@dataclass(slots=True)
class Outcome:
    """The output of an exchange or a tick."""

    sent: list[tuple[str, bytes]] = field(default_factory=list)
    hang_ups: list[str] = field(default_factory=list)
    done: list[tuple[str, Done]] = field(default_factory=list)
    controls: list[Change] = field(default_factory=list)  # pause, step, speed, quit, reset: for the owner of the clock
    news: list[tuple[str, News]] = field(default_factory=list)  # (unit or port, its news)
    replies: list[tuple[Any, Any]] = field(default_factory=list)  # (order, what the unit returned)
    maps: list[tuple[str, str]] = field(default_factory=list)  # (source, file), for the owner of the files
    rebuilt: bool = False

    @property
    def eventful(self) -> bool:
        """Return whether somebody has to learn of it before the next tick."""
        return bool(self.done or self.controls or self.news or self.replies or self.maps or self.rebuilt)
