"""What a run and its outside pass to each other: plugs, and what a tick leaves."""

from __future__ import annotations

from dataclasses import dataclass, field

from understudy.protocols.base import WireProtocol
from understudy.world.changes import Change, Done
from understudy.world.news import News
from understudy.world.robot import Port


@dataclass
class Plug:
    """A port inside the run: one conversation between a protocol and a unit."""

    path: str
    port: Port
    protocol: WireProtocol
    unit: str
    connected: bool = False


@dataclass
class Outcome:
    """What an exchange or a tick leaves for the outside."""

    sent: list[tuple[str, bytes]] = field(default_factory=list)
    hang_ups: list[str] = field(default_factory=list)
    done: list[tuple[str, Done]] = field(default_factory=list)
    controls: list[Change] = field(default_factory=list)  # pause, step, speed, quit, reset: for whoever owns the clock
    news: list[tuple[str, News]] = field(default_factory=list)  # (unit or port, what it tells)
    maps: list[tuple[str, str]] = field(default_factory=list)  # (who asked, file), for whoever owns the files
    restructured: bool = False
