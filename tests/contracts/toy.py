"""A toy device: a meter that is asked, and the text protocol of its serial port. Uses every ability of the contracts.

The toy protocol of scenes is in `toy_scene`.

==============  ============================================================================
``READ``        ``n TICKS``: how many ticks have passed since the last READ
``DRIVE 0.2``   drives; no answer
``STOP IN 50``  stops after 50 ms without another word
``BAUD 19200``  ``ok`` at the old baud rate, then the other one
``STORE text``  keeps a text over a reset; ``TEXT`` answers with it
RTS, DTR        ``rts 0 dtr 1`` whenever the client changes one of them; ``break`` for a break
``SAY text``    sends a text to other toys by infrared light; ``HEARD`` answers with what was heard last
==============  ============================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from contracts.toy_motors import ToyMotors

from understudy.links.base import LineState
from understudy.protocols import PROTOCOLS
from understudy.protocols.base import SetBaud, Tree, WireProtocol
from understudy.robots import UNITS
from understudy.robots.base import Drive, Offer, Session, Sessions, Unit, UnitSheet, Wiring
from understudy.sim.vocabulary import vocabulary
from understudy.world.changes import Change, Done
from understudy.world.media import Heard, Message
from understudy.world.motion import REST
from understudy.world.news import At, News

ICONS = ("beep", "wait", "drive", "stop")  # of the program that the meter runs when its button is pressed
ICON_US = 2_000  # how long each takes
SILENCE_US = 1_000_000  # after which half a line is forgotten


@dataclass(frozen=True, slots=True)
class Read:
    """Read the number of ticks, and begin again at zero."""


@dataclass(frozen=True, slots=True)
class Store:
    """Keep a text."""

    text: str


@dataclass(frozen=True, slots=True)
class Say:
    """Send a text to others."""

    text: str


@dataclass(frozen=True, slots=True)
class Listen:
    """Read what was heard last."""


@dataclass(frozen=True, slots=True)
class Recite:
    """Read the text."""


@dataclass(frozen=True, slots=True)
class Press:
    """Press the button: run the program of icons, or stop it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the meter answers."""

    text: str


@dataclass(frozen=True, slots=True)
class ToySheet(UnitSheet):
    """A meter has no settings."""

    kind: ClassVar[str] = "toy"
    drives: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ToyPanel:
    """What the meter shows."""

    ticks: int


class Toy(Unit):
    """Counts ticks and drives."""

    Sheet: ClassVar[type] = ToySheet
    inputs: ClassVar[Mapping[str, str]] = ToySheet.inputs
    drives: ClassVar[bool] = ToySheet.drives
    commands: ClassVar[tuple[type, ...]] = (Drive, Session, Read, Store, Recite, Say, Listen, Heard, Press)
    ticks: ClassVar[bool] = True
    media: ClassVar[tuple[str, ...]] = ("infrared", "radio")

    def __init__(self, sheet: ToySheet, wiring: Wiring) -> None:
        self.sheet, self._wiring = sheet, wiring
        self._ticks, self._text, self._heard = 0, "", ""
        self._run_us = -1  # since when the program runs
        self._news: list[News] = []
        self.sessions = Sessions()
        self._saying: list[Change | News] = []

    def rewire(self, wiring: Wiring) -> None:
        self._wiring = wiring

    def order(self, command: Any) -> Reply | None:
        match command:
            case Drive():
                self._wiring.wheels.set(command.motion)
            case Session():
                if self.sessions.take(command) and not command.open:
                    self._wiring.wheels.set(REST)
            case Store():
                self._text = command.text
            case Say():
                self._saying.append(Message("infrared", command.text.encode(), reach_m=4.0))
            case Heard():
                self._heard = f"{command.sender}:{command.data.decode('utf-8', 'replace')}:{command.distance_m:.2f}"
            case Listen():
                return Reply(self._heard)
            case Press():
                self._run_us = -1 if self._run_us >= 0 else 0
            case Recite():
                return Reply(self._text)
            case Read():
                ticks, self._ticks = self._ticks, 0
                return Reply(f"n {ticks}")
            case _:
                raise TypeError(
                    f"toy takes Drive, Session, Read, Store, Recite, Say, Listen, Heard and Press, not {command!r}"
                )
        return None

    def tick(self, now_us: int, dt_us: int) -> None:
        self._ticks += dt_us > 0
        for us in range(1_000, dt_us + 1, 1_000) if self._run_us >= 0 else ():
            self._run_us += 1_000
            if self._run_us % ICON_US == 0:
                self._news.append(self._at(now_us - dt_us + us))

    def _at(self, t_us: int) -> At:
        icon = self._run_us // ICON_US % len(ICONS)
        return At("icons", line=icon + 1, words=ICONS[icon], t_us=t_us)

    def offers(self) -> tuple[Offer, ...]:
        return (Offer("stop" if self._run_us >= 0 else "run", Press()),)

    def positions(self) -> tuple[At, ...]:
        return () if self._run_us < 0 else (self._at(0),)

    def asks(self) -> Sequence[Change | News]:
        saying, self._saying = [*self._saying, *self._news], []
        self._news = []
        return saying

    def done(self, outcome: Done) -> None:
        pass

    def panel(self) -> ToyPanel:
        return ToyPanel(self._ticks)

    def state(self) -> Tree:
        return {
            "ticks": self._ticks, "text": self._text, "heard": self._heard, "run_us": self._run_us,
            "ports": list(self.sessions.ports),
        }  # fmt: skip

    def restore(self, state: Tree) -> None:
        self._ticks, self._text, self._heard = state["ticks"], state["text"], state["heard"]
        self._run_us = state["run_us"]
        self.sessions.ports = list(state["ports"])

    def keep(self) -> Tree:
        return {"text": self._text} if self._text else {}

    def recall(self, kept: Tree) -> None:
        self._text = kept["text"]


@dataclass(frozen=True, slots=True)
class ToyTalkSheet:
    """The text protocol has no settings."""

    kind: ClassVar[str] = "toy_talk"
    units: ClassVar[tuple[str, ...]] = ("toy",)


class ToyTalk(WireProtocol):
    """Lines of text."""

    Sheet: ClassVar[type] = ToyTalkSheet
    units: ClassVar[tuple[str, ...]] = ToyTalkSheet.units

    def __init__(self, sheet: ToyTalkSheet, robot: str) -> None:
        self._forget()
        self._now_us, self._heard_us = 0, 0
        self._counts = {"lines": 0, "unknown": 0, "forgotten": 0}

    def _forget(self) -> None:
        self._buffer, self._out = bytearray(), bytearray()
        self._stop_us = -1
        self._modem = True, True  # RTS and DTR of the client

    def opened(self) -> Sequence[Any]:
        self._forget()
        return (Session(True),)

    def closed(self) -> Sequence[Any]:
        self._forget()
        return (Session(False),)

    def greet(self) -> Sequence[Any]:
        return (Session(True),)

    def feed(self, data: bytes) -> Iterator[Any]:
        self._heard_us = self._now_us
        for byte in data:
            if byte != ord("\n"):
                self._buffer.append(byte)
                del self._buffer[:-80]
            else:
                line = self._buffer.decode("ascii", "replace")
                self._buffer.clear()
                yield from self._line(line)

    def _line(self, line: str) -> list[Any]:
        self._counts["lines"] += 1
        match line.split():
            case ["READ"]:
                return [Read()]
            case ["TEXT"]:
                return [Recite()]
            case ["HEARD"]:
                return [Listen()]
            case ["SAY", text]:
                return [Say(text)]
            case ["STORE", text]:
                return [Store(text)]
            case ["DRIVE", speed] if speed.replace(".", "").isdecimal():
                return [Drive(float(speed))]
            case ["STOP", "IN", ms] if ms.isdecimal():
                self._stop_us = self._now_us + int(ms[:6]) * 1000
            case ["BAUD", baud] if baud.isdecimal():
                self._out += b"ok\n"
                return [SetBaud(int(baud[:7]))]
            case _:
                self._counts["unknown"] += 1
        return []

    def answered(self, command: Any, reply: Any) -> Sequence[Any]:
        self._out += f"{reply.text}\n".encode()
        return ()

    def line_changed(self, line: LineState) -> Sequence[Any]:
        if line.breaking:
            self._out += b"break\n"
        if (line.rts, line.dtr) != self._modem:
            self._modem = line.rts, line.dtr
            self._out += b"rts %d dtr %d\n" % self._modem
        return ()

    def due(self, now_us: int) -> Sequence[Any]:
        self._now_us = now_us
        if self._buffer and now_us - self._heard_us >= SILENCE_US:
            self._counts["forgotten"] += len(self._buffer)
            self._buffer.clear()
        if 0 <= self._stop_us <= now_us:
            self._stop_us = -1
            return (Drive(0.0),)
        return ()

    def done(self, outcome: Done) -> None:
        pass

    def tick(self, unit: Any, now_us: int) -> bytes:
        data = bytes(self._out)
        self._out.clear()
        return data

    def counters(self) -> Mapping[str, int]:
        return self._counts

    def state(self) -> Tree:
        return {
            "buffer": self._buffer.hex(), "out": self._out.hex(), "stop_us": self._stop_us, "now_us": self._now_us,
            "heard_us": self._heard_us, "counters": dict(self._counts), "modem": list(self._modem),
        }  # fmt: skip

    def restore(self, state: Tree) -> None:
        self._buffer, self._out = bytearray.fromhex(state["buffer"]), bytearray.fromhex(state["out"])
        self._stop_us, self._now_us, self._heard_us = state["stop_us"], state["now_us"], state["heard_us"]
        self._counts = dict(state["counters"])
        self._modem = state["modem"][0], state["modem"][1]


@contextmanager
def toys_in_the_tables() -> Iterator[None]:
    """Let scenes name the toy units and the toy protocols."""
    from contracts.toy_scene import SceneTalk

    tables: list[tuple[Any, str, type]] = [
        (UNITS, "toy", Toy), (UNITS, "toy_motors", ToyMotors), (PROTOCOLS, "toy_talk", ToyTalk),
        (PROTOCOLS, "toy_scene", SceneTalk),
    ]  # fmt: skip
    for table, name, kind in tables:
        table._ours._names[name], table._ours._made[name] = None, kind
    vocabulary.cache_clear()
    try:
        yield
    finally:
        for table, name, _ in tables:
            del table._ours._names[name], table._ours._made[name]
        vocabulary.cache_clear()
