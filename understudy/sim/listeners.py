"""The listener contract: who watches a run and never changes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from understudy.sensors.base import Array
from understudy.sim.inbox import Item
from understudy.sim.outcome import Outcome

if TYPE_CHECKING:
    from understudy.sim.sim import Sim


class Snapshot:
    """One tick (or one exchange while the clock is held) as a listener sees it; values are copied when asked for."""

    __slots__ = ("_sim", "items", "news", "sent", "sub", "t_us", "tick")

    def __init__(self, sim: Sim, sub: int, items: Sequence[Item], outcome: Outcome) -> None:
        self._sim = sim
        self.tick, self.t_us, self.sub = sim.tick, sim.t_us, sub
        self.items, self.sent, self.news = tuple(items), tuple(outcome.sent), tuple(outcome.news)

    def poses(self) -> Array:
        """Return a copy of all poses: x, y, z, roll, pitch, yaw."""
        return self._sim.current.engine.poses().copy()

    def twists(self) -> Array:
        """Return a copy of all velocities."""
        return self._sim.current.engine.twists().copy()

    def reading(self, path: str) -> Array:
        """Return a copy of the newest reading of a device."""
        return self._sim.current.readings[path].read()

    def hash(self) -> str:
        """Return the digest of engine and firmware state."""
        return self._sim.current.hash()

    def state(self) -> dict[str, Any]:
        """Return everything that a saved run holds."""
        return self._sim.save_tree()


class Listener(Protocol):
    """Hears of every tick. One that raises is taken off and reported; the run goes on."""

    def begin(self, sim: Sim) -> None:
        """Hear that a run begins, or begins again after a reset."""
        ...

    def tick(self, snapshot: Snapshot) -> None:
        """Hear of a tick, or of an exchange while the clock is held (sub above 0)."""
        ...

    def end(self, reason: str) -> None:
        """Hear that the run has ended."""
        ...
