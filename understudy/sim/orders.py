"""Orders of a run: commands from outside, judged before a unit sees them, and who drives while a person holds a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from understudy.robots.base import Drive, Unit
from understudy.robots.passthrough import Controller
from understudy.sensors.base import Array
from understudy.sim.commands import as_kept, name_of
from understudy.sim.inbox import ForeignCommand, Order
from understudy.sim.outcome import Outcome
from understudy.sim.outputs import Outputs
from understudy.sim.takeover import Takeover
from understudy.world import extent
from understudy.world.motion import Motion
from understudy.world.news import Note


class Orders:
    """Hands commands to the units of a run."""

    def __init__(self, outputs: Outputs, targets: Array) -> None:
        self.takeover = Takeover()
        self.connect({}, (), outputs, targets)

    def connect(self, units: Mapping[str, Unit], drivers: Sequence[str], outputs: Outputs, targets: Array) -> None:
        """Take the units that there are now; *drivers* are the paths of those that move robots, one for each row."""
        self._units, self._drivers, self._outputs, self._targets = units, drivers, outputs, targets
        self._bare = np.array([isinstance(units[path], Controller) for path in drivers], np.bool_)

    # ---- from programs, users and clients

    def take(self, source: str, order: Order, t_us: int, outcome: Outcome) -> None:
        """Hand over the command of a program or a user, unless it is refused or waits for the person who drives."""
        if order.unit not in self._units:
            return
        kept, wrong = self._judged(order.unit, order.command)
        if wrong:
            _refuse(order, wrong, outcome)
        elif not self.takeover.holds(source, order.unit, kept, t_us):
            self._obey(order, kept, outcome)

    def give_back(self, t_us: int, outcome: Outcome) -> None:
        """Let programs drive again the units that persons have not driven for a while."""
        for order in self.takeover.given_back(t_us):
            self.take("takeover", order, t_us, outcome)  # judged again: its unit may be another one by now

    def _obey(self, order: Order, kept: Any, outcome: Outcome) -> None:
        """Hand over a command as a tape keeps it, and keep the reply for whoever gave the order."""
        try:
            reply = self._hand_over(order.unit, kept)
        except Exception as problem:  # values that do not fit each other fail in many ways, and the run continues
            _refuse(order, repr(problem), outcome)
        else:
            if reply is not None:
                outcome.replies.append((order, reply))

    def give(self, unit: str, command: Any, outcome: Outcome) -> Any:
        """Hand a command to its unit and return the reply; one with NaN or infinity is refused."""
        if wrong := extent.refusal(command):
            outcome.news.append((unit, Note(f"{type(command).__name__} refused: {wrong}", "warning")))
            return None
        return self._hand_over(unit, command) if unit in self._units else None

    def drive_all(self, targets: Array) -> None:
        """Pass each row to the driving unit of its robot; plain controllers are set in one array operation."""
        if len(targets) != len(self._targets):
            return  # the number of robots has changed since the order was given
        wanted = np.isfinite(targets).all(axis=1)
        bare = wanted & self._bare
        self._targets[bare] = targets[bare]
        for row in np.nonzero(wanted & ~self._bare)[0].tolist():
            self._hand_over(self._drivers[row], Drive.at(Motion(*targets[row].tolist())))

    # ---- judging

    def commands_of(self, path: str) -> tuple[type, ...]:
        """Return the commands that the unit at *path* takes; Drive is one if its outputs turn wheels."""
        own = self._units[path].commands
        return (*own, Drive) if Drive not in own and self._outputs.turns_wheels(path) else own

    def refusal(self, order: Order) -> str:
        """Return why an order from outside is refused before its unit sees it; empty if the unit sees it."""
        return self._judged(order.unit, order.command)[1] if order.unit in self._units else as_kept(order.command)[1]

    def _judged(self, path: str, command: Any) -> tuple[Any, str]:
        """Return a command as its unit gets it, or why it does not."""
        if isinstance(command, ForeignCommand) and command.reason:
            return None, command.reason
        if not isinstance(command, self.commands_of(path)):
            known = ", ".join(sorted(each.__name__ for each in self.commands_of(path)))
            return None, f"the unit does not take {name_of(command)} commands; it takes {known}"
        kept, wrong = as_kept(command)
        return kept, wrong or extent.refusal(kept)

    def _hand_over(self, unit: str, command: Any) -> Any:
        """Let a unit take a command; a Drive that it does not know turns the wheels that are bound to its outputs."""
        if isinstance(command, Drive) and Drive not in self._units[unit].commands and self._outputs.turns_wheels(unit):
            self._outputs.turn_wheels(unit, command.motion)
            return None
        return self._units[unit].order(command)


def _refuse(order: Order, wrong: str, outcome: Outcome) -> None:
    outcome.news.append((order.unit, Note(f"{name_of(order.command)} refused: {wrong}", "warning")))
