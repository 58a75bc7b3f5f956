"""The listener contract: an observer of a run that never changes it."""

from __future__ import annotations

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
