"""The unit of a board: runs a user's firmware once per tick, inside the run, and survives whatever it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from understudy.errors import ProgramError
from understudy.frozen import frozen
from understudy.robots.base import Session, Sessions, Tree, Unit, UnitSheet, Wiring
from understudy.robots.board.handle import Board
from understudy.robots.board.memory import plain
from understudy.world.changes import Change, Done
from understudy.world.motion import REST
from understudy.world.news import News, Note
from understudy.world.rules import rule

FUNCTIONS = ("setup", "received", "loop")  # of which a firmware has at least one
MOST_WAITING = 4096  # received bytes that wait for the next tick; further ones are lost


@frozen
class Byte:
    """One byte from the client."""

    value: int


@frozen
class BoardSheet(UnitSheet):
    """A board has one setting: its firmware."""

    kind: ClassVar[str] = "board"
    reads_all: ClassVar[bool] = True

    firmware: str = rule("", doc="Python file with setup(board), received(board, byte) or loop(board)")  # type: ignore[misc]


@frozen
class BoardPanel:
    """The firmware, why it was halted (empty while it runs), and the bytes that passed."""

    firmware: str
    problem: str
    received: int
    sent: int
    lost: int


class BoardUnit(Unit):
    """Collects bytes; each tick the firmware gets them one by one, then its loop runs. If it fails it is halted."""

    Sheet: ClassVar[type] = BoardSheet
    inputs: ClassVar[Mapping[str, str]] = BoardSheet.inputs
    drives: ClassVar[bool] = BoardSheet.drives  # a robot's own driving unit has precedence
    commands: ClassVar[tuple[type, ...]] = (Session, Byte)
    ticks: ClassVar[bool] = True

    def __init__(self, sheet: BoardSheet, wiring: Wiring) -> None:
        self.sheet, self._wiring = sheet, wiring
        self._board = Board(wiring)
        self._space: dict[str, Any] | None = None  # the loaded firmware
        self._sessions = Sessions()
        self._waiting = bytearray()
        self._begun = False  # whether setup has run
        self._problem = ""
        self._counts = {"received": 0, "sent": 0, "lost": 0}
        self._notes: list[Note] = []
        self.said, self.sendings = b"", 0  # what was sent last, and how often something was

    def rewire(self, wiring: Wiring) -> None:
        """Replace devices and wheels; the firmware goes on."""
        self._wiring = wiring
        self._board.connect(wiring)

    def order(self, command: Any) -> None:
        """Take a Session, or a Byte for the next turn of the firmware."""
        match command:
            case Byte(value=int(value)) if 0 <= value <= 255:
                self._counts["received"] += 1
                if len(self._waiting) < MOST_WAITING and not self._problem:
                    self._waiting.append(value)
                else:
                    self._counts["lost"] += 1
            case Session():
                self._sessions.take(command)
            case _:
                raise TypeError(f"board takes Session and Byte (0 to 255), not {command!r}")

    def tick(self, now_us: int, dt_us: int) -> None:
        """Let the firmware run; while time is paused it only gets the bytes that have arrived."""
        code = self._wiring.code
        if self._problem or code is None or not (dt_us or self._waiting):
            return
        data, self._waiting = bytes(self._waiting), bytearray()
        self._board.begin(now_us, bool(self._sessions.ports))
        try:
            self._board.memory = code.call(code.file, lambda: self._turn(data, bool(dt_us)))
        except ProgramError as problem:
            self._halt(str(problem))
            return
        motion, sent = self._board.results()
        if motion is not None:
            self._wiring.wheels.set(motion)
        if sent:
            self.said, self.sendings = sent, self.sendings + 1
            self._counts["sent"] += len(sent)

    def _turn(self, data: bytes, loops: bool) -> dict[str, Any]:
        """Run the firmware for one tick and return its memory. User code: called only by ``code.call``."""
        if self._space is None:
            self._space = self._loaded()
        if not self._begun and "setup" in self._space:
            self._space["setup"](self._board)
        self._begun = True
        for byte in data if "received" in self._space else b"":
            self._space["received"](self._board, byte)
        if loops and "loop" in self._space:
            self._space["loop"](self._board)
        return plain(self._board.memory)

    def _loaded(self) -> dict[str, Any]:
        code = self._wiring.code
        assert code is not None
        space = code.run()
        if not any(callable(space.get(name)) for name in FUNCTIONS):
            raise LookupError(f"no function {', '.join(FUNCTIONS[:-1])} or {FUNCTIONS[-1]}; a firmware needs one")
        return space

    def _halt(self, problem: str) -> None:
        """End the firmware; nothing of its last turn remains, since an interrupted turn ends at no certain line."""
        self._problem, self._board.memory = problem, {}
        if not self._board.driver:
            self._wiring.wheels.set(REST)
        self._notes.append(Note(f"{problem}; the board is halted until the next reset", "warning"))

    def asks(self) -> Sequence[Change | News]:
        """Return the note of a firmware that was halted."""
        notes, self._notes = self._notes, []
        return notes

    def done(self, outcome: Done) -> None:
        """Do nothing: it requests no changes."""

    def panel(self) -> BoardPanel:
        """Return firmware, problem and counters."""
        return BoardPanel(self.sheet.firmware, self._problem, **self._counts)

    def state(self) -> Tree:
        """Return memory, waiting bytes and whether the firmware runs."""
        return {
            "memory": plain(self._board.memory),
            "begun": self._begun,
            "problem": self._problem,
            "waiting": self._waiting.hex(),
            "said": self.said.hex(),
            "sendings": self.sendings,
            "sessions": list(self._sessions.ports),
            "counts": dict(self._counts),
        }

    def restore(self, state: Tree) -> None:
        """Continue from a saved state; the file is executed again, `setup` is not."""
        self._board.memory, self._space = plain(state["memory"]), None
        self._begun, self._problem = state["begun"], state["problem"]
        self._waiting = bytearray.fromhex(state["waiting"])
        self.said, self.sendings = bytes.fromhex(state["said"]), state["sendings"]
        self._sessions.ports = list(state["sessions"])
        self._counts = {name: state["counts"][name] for name in self._counts}
