"""A toy firmware with outputs: it ramps their power, and lets go of a motor that draws too much current."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from understudy.robots.base import Session, Sessions, Tree, Unit, UnitSheet, Wiring
from understudy.world.records import rule

RAMP = 0.05  # of full power, for each tick


@dataclass(frozen=True, slots=True)
class Ramp:
    """Ramp an output to a power."""

    output: str
    power: float


@dataclass(frozen=True, slots=True)
class Amps:
    """Ask for the current of an output."""

    output: str


@dataclass(frozen=True, slots=True)
class ToyMotorsSheet(UnitSheet):
    """A fuse for each motor."""

    kind: ClassVar[str] = "toy_motors"
    outputs: ClassVar[tuple[str, ...]] = ("A", "B", "C")
    fuse_a: float = rule(100.0, above=0.0)


@dataclass(frozen=True, slots=True)
class ToyMotorsPanel:
    """The powers."""

    powers: tuple[tuple[str, float], ...]


class ToyMotors(Unit):
    """Ramps powers in its tick."""

    Sheet: ClassVar[type] = ToyMotorsSheet
    inputs: ClassVar[Mapping[str, str]] = ToyMotorsSheet.inputs
    drives: ClassVar[bool] = ToyMotorsSheet.drives
    outputs: ClassVar[tuple[str, ...]] = ToyMotorsSheet.outputs
    commands: ClassVar[tuple[type, ...]] = (Ramp, Amps, Session)
    ticks: ClassVar[bool] = True

    def __init__(self, sheet: ToyMotorsSheet, wiring: Wiring) -> None:
        self.sheet, self._wiring = sheet, wiring
        self._wanted: dict[str, float] = {}
        self._powers: dict[str, float] = {}
        self.sessions = Sessions()

    def rewire(self, wiring: Wiring) -> None:
        self._wiring = wiring

    def order(self, command: Any) -> float | None:
        match command:
            case Ramp(output, power) if output in self.outputs:
                self._wanted[output] = min(max(power, -1.0), 1.0)
            case Amps(output) if output in self.outputs:
                return self._wiring.outputs[output].current_a()
            case Session():
                if self.sessions.take(command) and not command.open:
                    self._wanted = dict.fromkeys(self._wanted, 0.0)
            case _:
                raise TypeError(f"toy_motors takes Ramp, Amps and Session, not {command!r}")
        return None

    def tick(self, now_us: int, dt_us: int) -> None:
        for output, wanted in self._wanted.items() if dt_us else ():
            before = self._powers.get(output, 0.0)
            power = min(max(wanted, before - RAMP), before + RAMP)
            if power != before:
                self._powers[output] = power
                self._wiring.outputs[output].set(power)
            if abs(self._wiring.outputs[output].current_a()) > self.sheet.fuse_a:
                self._wanted[output] = self._powers[output] = 0.0
                self._wiring.outputs[output].coast()

    def panel(self) -> ToyMotorsPanel:
        return ToyMotorsPanel(tuple(sorted(self._powers.items())))

    def state(self) -> Tree:
        ports = list(self.sessions.ports)
        return {"wanted": dict(self._wanted), "powers": dict(self._powers), "ports": ports}

    def restore(self, state: Tree) -> None:
        self._wanted, self._powers = dict(state["wanted"]), dict(state["powers"])
        self.sessions.ports = list(state["ports"])
