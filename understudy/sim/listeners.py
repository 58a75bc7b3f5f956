"""Listeners: observers of a run that never change it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from understudy.sim.inbox import Item
from understudy.sim.outcome import Outcome
from understudy.sim.scene_codec import encode_item
from understudy.sim.view import View
from understudy.world.news import At

if TYPE_CHECKING:
    from understudy.sim.sim import Sim

log = logging.getLogger(__name__)


class Snapshot(View):
    """One tick (or one exchange while time is paused) as a listener sees it; values are copied on request."""

    __slots__ = ("_refused", "_sim", "items", "news", "sent", "sub", "tick")

    def __init__(self, sim: Sim, sub: int, items: Sequence[Item], outcome: Outcome) -> None:
        super().__init__(sim.current)
        self._sim, self.tick, self.sub = sim, sim.tick, sub
        self._refused = {id(done.change) for _, done in outcome.done if not done.ok}
        self.items, self.sent, self.news = tuple(items), tuple(outcome.sent), tuple(outcome.news)

    def positions(self) -> Mapping[str, tuple[At, ...]]:
        """Return where programs are: by the path of the unit that runs them, or by the robot of a Python program."""
        return MappingProxyType({**super().positions(), **self._sim.program_positions()})

    def recorded(self) -> tuple[list[Any], ...]:
        """Return the items as a tape keeps them."""
        return tuple(encode_item(item, self._run, id(item.body) in self._refused) for item in self.items)

    def hash(self) -> str:
        """Return the digest of engine and firmware state."""
        return self._run.hash()

    def state(self) -> dict[str, Any]:
        """Return everything that a saved run contains."""
        return self._sim.save_tree()


class Listener(Protocol):
    """Is called after every tick. A listener that raises is detached and logged; the run continues."""

    def begin(self, sim: Sim) -> None:
        """Note that a run begins, or restarts after a reset."""
        ...

    def tick(self, snapshot: Snapshot) -> None:
        """Process a tick, or an exchange while time is paused (sub above 0)."""
        ...

    def end(self, reason: str) -> None:
        """Note that the run has ended."""
        ...


class Listeners:
    """The listeners of a simulation."""

    def __init__(self) -> None:
        self.attached: list[Listener] = []

    def attach(self, listener: Listener, sim: Sim) -> None:
        """Add a listener, for which the run begins now."""
        listener.begin(sim)
        self.attached.append(listener)

    def detach(self, listener: Listener, reason: str) -> None:
        """Remove a listener."""
        self.attached.remove(listener)
        listener.end(reason)

    def begin(self, sim: Sim) -> None:
        """Tell all that a run begins."""
        self._tell("begin", sim)

    def tick(self, snapshot: Snapshot) -> None:
        """Tell all of a tick, or of an exchange while time is paused."""
        self._tell("tick", snapshot)

    def _tell(self, what: str, value: Any) -> None:
        for listener in list(self.attached):
            try:
                getattr(listener, what)(value)
            except Exception as problem:
                self.attached.remove(listener)
                log.error("listener %s failed and was detached: %r", type(listener).__name__, problem)

    def end(self, reason: str) -> None:
        """Tell all that the run has ended, and remove them."""
        for listener in self.attached:
            listener.end(reason)
        self.attached.clear()
