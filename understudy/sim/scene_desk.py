"""What ports of the scene may do in a run: which unit an order is for, whether it is allowed, and what they see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from understudy.errors import nearest
from understudy.protocols.base import For, Refused
from understudy.sim import policy
from understudy.sim.view import View
from understudy.sim.wiring import driver
from understudy.world import extent
from understudy.world.robot import AnyPort

if TYPE_CHECKING:
    from understudy.sim.run import Run


class SceneDesk:
    """Stands between the protocols of scene ports and one run."""

    def __init__(self, run: Run, rules: policy.Rules) -> None:
        self._run, self._rules = run, rules

    def view(self) -> View:
        """Return the run as it is now."""
        return View(self._run)

    def address(self, order: For, port: AnyPort) -> str | Refused:
        """Return the path of the unit that an order is for, or why it is not given to it."""
        path, units = self._path(order.unit), self._run.units
        if path not in units:
            return Refused(f"no unit {order.unit!r} {nearest(order.unit, (*units, *self._names()))}")
        if reason := policy.order_refusal(order.command, port, self._rules):
            return Refused(reason)
        if wrong := extent.refusal(order.command):
            return Refused(f"{type(order.command).__name__}: {wrong}")
        if not isinstance(order.command, self._run.orders.commands_of(path)):
            return Refused(
                f"{path} does not take {type(order.command).__name__} ({_list(self._run.orders.commands_of(path))})"
            )
        return path

    def _path(self, unit: str) -> str:
        """Return the path of a unit; a robot's name alone stands for the unit that drives it."""
        if "/" in unit:
            return unit
        robot = next((robot for robot in self._run.robots if robot.name == unit), None)
        return f"{unit}/{driver(robot).name}" if robot else unit

    def _names(self) -> list[str]:
        return [robot.name for robot in self._run.robots]


def _list(kinds: Any) -> str:
    return "it takes " + ", ".join(kind.__name__ for kind in kinds)
