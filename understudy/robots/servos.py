"""The unit of a robot's joints: it passes a program's commands to their servos."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from understudy.frozen import frozen
from understudy.robots.base import Session, Tree, Unit, UnitSheet, Wiring


@frozen
class Aim:
    """Move a joint to a position (rad or m)."""

    joint: str
    position: float


@frozen
class JointSpeed:
    """Move a joint at a speed until the next command (rad/s or m/s)."""

    joint: str
    speed: float


@frozen
class ServosSheet(UnitSheet):
    """Servos have no settings here: they are part of the joints."""

    kind: ClassVar[str] = "servos"


@frozen
class ServosPanel:
    """The position of each joint, by name (rad or m)."""

    positions: tuple[tuple[str, float], ...]


class JointServos(Unit):
    """Passes positions and speeds to joints; commands for a joint that the robot does not have are skipped."""

    Sheet: ClassVar[type] = ServosSheet
    inputs: ClassVar[Mapping[str, str]] = ServosSheet.inputs
    drives: ClassVar[bool] = ServosSheet.drives
    commands: ClassVar[tuple[type, ...]] = (Aim, JointSpeed, Session)
    ticks: ClassVar[bool] = False

    def __init__(self, sheet: ServosSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        self._joints = wiring.joints

    def rewire(self, wiring: Wiring) -> None:
        """Replace the handles; joints keep their commands."""
        self._joints = wiring.joints

    def order(self, command: Any) -> None:
        """Take an Aim, a JointSpeed or a Session."""
        match command:
            case Aim(joint, position) if joint in self._joints:
                self._joints[joint].aim(position)
            case JointSpeed(joint, speed) if joint in self._joints:
                self._joints[joint].turn(speed)
            case Aim() | JointSpeed() | Session():
                pass
            case _:
                raise TypeError(f"servos accept Aim, JointSpeed and Session, not {command!r}")

    def tick(self, now_us: int, dt_us: int) -> None:
        """Do nothing: servos keep their commands."""

    def panel(self) -> ServosPanel:
        """Return the positions of the joints."""
        return ServosPanel(tuple((name, joint.position()) for name, joint in self._joints.items()))

    def state(self) -> Tree:
        """Return an empty tree: the commands are stored with the engine."""
        return {}

    def restore(self, state: Tree) -> None:
        """Do nothing: there is no state to restore."""
