"""The unit of a robot without driving firmware: it passes a program's commands to the wheels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from understudy.frozen import frozen
from understudy.robots.base import Drive, Session, Tree, Unit, UnitSheet, Wiring
from understudy.world.motion import REST


@frozen
class ControllerSheet(UnitSheet):
    """A bare controller has no settings."""

    kind: ClassVar[str] = "controller"
    drives: ClassVar[bool] = True


@frozen
class ControllerPanel:
    """The commanded motion (m/s, rad/s)."""

    m_s: float
    rad_s: float
    lateral_m_s: float


class Controller(Unit):
    """Passes a program's motion to the wheels until the next command; stops when a client disconnects."""

    Sheet: ClassVar[type] = ControllerSheet
    inputs: ClassVar[Mapping[str, str]] = ControllerSheet.inputs
    drives: ClassVar[bool] = ControllerSheet.drives
    commands: ClassVar[tuple[type, ...]] = (Drive, Session)
    ticks: ClassVar[bool] = False

    def __init__(self, sheet: ControllerSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        self._wiring = wiring

    def rewire(self, wiring: Wiring) -> None:
        """Replace the handles; the motion continues."""
        self._wiring = wiring

    def order(self, command: Any) -> None:
        """Take a Drive or a Session; the end of a session stops the robot."""
        match command:
            case Drive():
                self._wiring.wheels.set(command.motion)
            case Session(open=False):
                self._wiring.wheels.set(REST)
            case Session():
                pass
            case _:
                raise TypeError(f"controller accepts Drive and Session, not {command!r}")

    def tick(self, now_us: int, dt_us: int) -> None:
        """Do nothing: the wheels keep the commanded motion."""

    def panel(self) -> ControllerPanel:
        """Return the commanded motion."""
        asked = self._wiring.wheels.asked()
        return ControllerPanel(asked.ahead_m_s, asked.turn_rad_s, asked.left_m_s)

    def state(self) -> Tree:
        """Return an empty tree: the commanded motion is stored with the wheels."""
        return {}

    def restore(self, state: Tree) -> None:
        """Do nothing: there is no state to restore."""
