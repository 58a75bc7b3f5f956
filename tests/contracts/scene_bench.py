"""A real run that a protocol of the whole scene can be tried on without a port."""

from __future__ import annotations

from typing import Any, ClassVar

from scenes import robot, room

from understudy.protocols.base import For, Refused
from understudy.sim.outcome import Outcome
from understudy.sim.run import Run
from understudy.sim.scene_desk import SceneDesk
from understudy.sim.view import View
from understudy.world.robot import ScenePort


class SceneBench(View):
    """Shows the run at time zero, and takes orders for its robots."""

    commands: ClassVar[tuple[type, ...]] = (For,)

    def __init__(self) -> None:
        super().__init__(Run(room(robot("scout")), seed=1))

    def order(self, order: For) -> Any:
        """Give an order as a port of the scene does; returns the reply."""
        port = ScenePort(name="bench", sheet=None, link="loop:")
        found = SceneDesk(self._of, {"scene": (object,)}).address(order, port)
        return found if isinstance(found, Refused) else self._of.orders.give(found, order.command, Outcome())

    def state(self) -> str:
        """Return what orders have changed."""
        return self._of.hash()
