"""A plain motor controller: outputs that a program powers by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from understudy.frozen import frozen
from understudy.robots.base import Session, Tree, Unit, UnitSheet, Wiring


@frozen
class Power:
    """Give an output a share of full power, from -1 to 1; 0 brakes."""

    output: str
    power: float


@frozen
class Brake:
    """Stop the motor of an output fast."""

    output: str


@frozen
class Coast:
    """Let the motor of an output roll out."""

    output: str


@frozen
class Measure:
    """Ask for the speed and the current of an output."""

    output: str


@frozen
class Measured:
    """The answer to Measure: m/s of a wheel's rim, or rad/s or m/s of a joint; and the current."""

    speed: float
    current_a: float


@frozen
class MotorsSheet(UnitSheet):
    """A motor controller has no settings of its own; its motors have."""

    kind: ClassVar[str] = "motors"
    outputs: ClassVar[tuple[str, ...]] = tuple("ABCDEFGH")


@frozen
class MotorsPanel:
    """The last command of each output, by name: its power, "brake" or "coast"."""

    outputs: tuple[tuple[str, float | str], ...]


class Motors(Unit):
    """Powers its outputs as a program says; commands for an output that it does not have are skipped."""

    Sheet: ClassVar[type] = MotorsSheet
    inputs: ClassVar[Mapping[str, str]] = MotorsSheet.inputs
    drives: ClassVar[bool] = MotorsSheet.drives
    outputs: ClassVar[tuple[str, ...]] = MotorsSheet.outputs
    commands: ClassVar[tuple[type, ...]] = (Power, Brake, Coast, Measure, Session)
    ticks: ClassVar[bool] = False

    def __init__(self, sheet: MotorsSheet, wiring: Wiring) -> None:
        self.sheet = sheet
        self._outputs = wiring.outputs
        self._commanded: dict[str, float | str] = {}

    def rewire(self, wiring: Wiring) -> None:
        """Replace the handles; motors keep running."""
        self._outputs = wiring.outputs

    def order(self, command: Any) -> Measured | None:
        """Take a Power, Brake, Coast, Measure or Session; the end of a session lets all motors roll out."""
        match command:
            case Session(open=False):
                for name in list(self._commanded):
                    self._coast(name)
            case Session():
                pass
            case Power() | Brake() | Coast() | Measure() if command.output not in self._outputs:
                pass
            case Power(name, power):
                self._outputs[name].set(power)
                self._commanded[name] = power
            case Brake(name):
                self._outputs[name].brake()
                self._commanded[name] = "brake"
            case Coast(name):
                self._coast(name)
            case Measure(name):
                return Measured(self._outputs[name].speed(), self._outputs[name].current_a())
            case _:
                raise TypeError(f"motors accept Power, Brake, Coast, Measure and Session, not {command!r}")
        return None

    def _coast(self, name: str) -> None:
        self._outputs[name].coast()
        self._commanded[name] = "coast"

    def tick(self, now_us: int, dt_us: int) -> None:
        """Do nothing: motors keep their power."""

    def panel(self) -> MotorsPanel:
        """Return the last command of each output."""
        return MotorsPanel(tuple(sorted(self._commanded.items())))

    def state(self) -> Tree:
        """Return the last command of each output, for the panel; the motors are saved with the run."""
        return {"told": dict(self._commanded)}

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        self._commanded = dict(state["told"])
