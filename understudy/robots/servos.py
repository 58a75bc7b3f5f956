"""The unit of a robot's joints: it passes on what a program asks of their servos."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from understudy.robots.base import Session, Tree, Wiring


@dataclass(frozen=True, slots=True)
class Aim:
    """Let a joint go to a position (rad or m)."""

    joint: str
    position: float


@dataclass(frozen=True, slots=True)
class Turn:
    """Let a joint move at a speed until told otherwise (rad/s or m/s)."""

    joint: str
    speed: float


@dataclass(frozen=True, slots=True)
class ServosSheet:
    """Servos have no settings here: they are on their joints' sheets."""

    kind: ClassVar[str] = "servos"
    inputs: ClassVar[Mapping[str, str]] = {}
    drives: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class ServosPanel:
    """Where each joint is, by name (rad or m)."""

    positions: tuple[tuple[str, float], ...]


class Servos:
    """Hands positions and speeds to joints; one that the robot does not have is passed over."""

    Sheet: ClassVar[type] = ServosSheet
    inputs: ClassVar[Mapping[str, str]] = ServosSheet.inputs
    drives: ClassVar[bool] = ServosSheet.drives
    commands: ClassVar[tuple[type, ...]] = (Aim, Turn, Session)
    ticks: ClassVar[bool] = False

    def __init__(self, sheet: ServosSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        self._joints = wiring.joints

    def rewire(self, wiring: Wiring) -> None:
        """Take new handles; joints go on as they were told."""
        self._joints = wiring.joints

    def order(self, command: Any) -> None:
        """Take an Aim, a Turn or a Session."""
        match command:
            case Aim(joint, position) if joint in self._joints:
                self._joints[joint].aim(position)
            case Turn(joint, speed) if joint in self._joints:
                self._joints[joint].turn(speed)
            case Aim() | Turn() | Session():
                pass
            case _:
                raise TypeError(f"servos take Aim, Turn and Session, not {command!r}")

    def tick(self, now_us: int, dt_us: int) -> None:
        """Do nothing: servos keep what they were told."""

    def panel(self) -> ServosPanel:
        """Return where the joints are."""
        return ServosPanel(tuple((name, joint.position()) for name, joint in self._joints.items()))

    def state(self) -> Tree:
        """Return nothing: what servos were told is kept with the engine."""
        return {}

    def restore(self, state: Tree) -> None:
        """Go on; there is nothing to take back."""
