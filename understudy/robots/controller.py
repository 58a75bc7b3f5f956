"""The unit of a robot without driving firmware: it keeps the motion that a program asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from understudy.robots.base import Drive, Session, Tree, Wiring


@dataclass(frozen=True, slots=True)
class ControllerSheet:
    """A bare controller has no settings."""

    kind: ClassVar[str] = "controller"
    inputs: ClassVar[Mapping[str, str]] = {}
    drives: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ControllerPanel:
    """What the controller is asked to do (m/s, rad/s)."""

    m_s: float
    rad_s: float
    lateral_m_s: float


class Controller:
    """Hands a program's motion to the wheels until it is changed; stops when a client leaves."""

    Sheet: ClassVar[type] = ControllerSheet
    inputs: ClassVar[Mapping[str, str]] = ControllerSheet.inputs
    drives: ClassVar[bool] = ControllerSheet.drives
    commands: ClassVar[tuple[type, ...]] = (Drive, Session)
    ticks: ClassVar[bool] = False

    def __init__(self, sheet: ControllerSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        self._wiring = wiring

    def rewire(self, wiring: Wiring) -> None:
        """Take new handles; the motion goes on."""
        self._wiring = wiring

    def order(self, command: Any) -> None:
        """Take a Drive or a Session; the end of a session stops the robot."""
        match command:
            case Drive():
                self._wiring.wheels.set(command.m_s, command.rad_s, command.lateral_m_s)
            case Session(open=False):
                self._wiring.wheels.set(0.0, 0.0)
            case Session():
                pass
            case _:
                raise TypeError(f"controller takes Drive and Session, not {command!r}")

    def tick(self, now_us: int, dt_us: int) -> None:
        """Do nothing: the wheels keep what they were asked for."""

    def panel(self) -> ControllerPanel:
        """Return what is asked of the wheels."""
        return ControllerPanel(*self._wiring.wheels.asked())

    def state(self) -> Tree:
        """Return nothing: the motion asked for is kept with the wheels."""
        return {}

    def restore(self, state: Tree) -> None:
        """Go on; there is nothing to take back."""
