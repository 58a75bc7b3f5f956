"""The Open Interface: the conversation on the serial port of a Roomba or Create.

Bytes are parsed as a stream, and commands that the mode forbids are consumed whole. Answers leave with the 15 ms cycle
of the robot, at once while the clock is held. While a wait command of a Create lasts, received bytes stay in the queue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal

from understudy.frozen import frozen
from understudy.links.base import LineState
from understudy.protocols.base import SetBaud, Tree, WireProtocol
from understudy.protocols.roomba_oi import talk
from understudy.protocols.roomba_oi.opcodes import BAUDS, opcodes
from understudy.protocols.roomba_oi.packets import contents, frame, names, pack
from understudy.robots.base import Session
from understudy.robots.roomba import orders
from understudy.robots.roomba.firmware import Roomba
from understudy.robots.roomba.sheet import Name
from understudy.units import US_PER_S
from understudy.world.changes import Done
from understudy.world.records import rule

CYCLE_US = 15_000
MOST_QUEUE, MOST_ANSWERS, MOST_FRAME = 1024, 2048, 255  # bytes; questions beyond this many bytes of answers are lost
CHARACTER_BITS = 10
RTS, DTR = 0, 1
FORCED_BAUD, PULSES, PULSE_US = 19_200, 3, (50_000, 500_000)  # what three pulses on the BRC pin do


@frozen
class RoombaOiSheet:
    """Settings of the port; the generation of the interface is that of the firmware."""

    kind: ClassVar[str] = "roomba_oi"
    units: ClassVar[tuple[str, ...]] = ("roomba",)

    checksum: Literal["whole", "text"] = rule(
        "whole",
        doc="of stream frames: whole: with the header, as drivers for all models expect; "
        "text: without it, as the Create's manual says",
    )


@dataclass(slots=True)
class Conversation:
    """The state of a conversation."""

    generation: Name = "create2"
    mode: orders.Mode = "off"
    waiting: bool = False
    paused: bool = False
    stream: list[int] = field(default_factory=list)
    baud: int = 0  # set by the client; 0: as the robot starts
    line: list[bool] = field(default_factory=lambda: [True, True])  # RTS and DTR
    edge_us: list[int] = field(default_factory=lambda: [-1_000_000, -1_000_000])  # the last one of RTS and DTR
    short: list[int] = field(default_factory=lambda: [0, 0])  # times between edges, in a row, that are those of pulses


class RoombaOi(WireProtocol):
    """One conversation with a Roomba or Create."""

    Sheet: ClassVar[type] = RoombaOiSheet
    units: ClassVar[tuple[str, ...]] = RoombaOiSheet.units

    def __init__(self, sheet: RoombaOiSheet, robot: str) -> None:
        self._whole_sum = sheet.checksum == "whole"
        self._talk = Conversation()
        self._queue, self._answers = bytearray(), bytearray()
        self._purpose: Literal["answer", "frame", "queue"] = "answer"  # of the question that is being asked
        self._now_us, self._spoken_us = -1, -1
        self._line_baud = 0  # of a line whose bytes take time, else 0
        self._free_us = 0  # when that line has carried everything
        self._counts = {"commands": 0, "unknown": 0, "answers": 0, "frames": 0, "lost": 0}

    def wired(self, baud: int, paced: bool) -> None:
        """Take the baud rate of the port at power-on, if bytes take time there."""
        self._line_baud = baud if paced else 0

    # ---- the client

    def opened(self) -> Sequence[Any]:
        """Begin with a client: nothing is half received; mode, stream and motion go on, as on the robot."""
        self._queue.clear()
        self._answers.clear()
        return Session(True), orders.Identify()

    def closed(self) -> Sequence[Any]:
        """Forget half a command; the robot does not notice that its client has disconnected."""
        self._queue.clear()
        self._answers.clear()
        return (Session(False),)

    def greet(self) -> Sequence[Any]:
        """Return to the mode, the stream and the baud rate of a client that is still there after a reset."""
        mine = self._talk
        self._queue.clear()
        mine.waiting = False
        self._free_us = 0
        baud = (SetBaud(mine.baud),) if mine.baud else ()
        going_on = (orders.Resume(mine.mode), orders.Streaming(len(mine.stream)))
        return Session(True), orders.Identify(), *going_on, *baud

    def feed(self, data: bytes) -> Iterator[Any]:
        """Yield the commands that *data* completes."""
        room = MOST_QUEUE - len(self._queue) if self._talk.waiting else len(data)
        self._queue += data[:room]
        self._counts["lost"] += max(0, len(data) - room)
        yield from self._parse()

    def _parse(self) -> Iterator[Any]:
        """Yield the commands of the queue, up to a wait or half a command."""
        queue = self._queue
        while queue and not self._talk.waiting:
            row = opcodes(self._talk.generation).get(queue[0])
            if row is None:
                self._counts["unknown"] += 1
                del queue[0]
                continue
            need = row.need(queue)
            if len(queue) < need:
                return
            data = bytes(queue[1:need])
            del queue[:need]
            self._counts["commands"] += 1
            for value in row.make(data):
                yield from self._carry_out(value)

    def _carry_out(self, value: Any) -> Iterator[Any]:
        """Yield what a value asks of the firmware and the line."""
        if isinstance(value, orders.Wait):
            yield orders.AskMode()
            self._talk.waiting = self._talk.mode != "off"
            yield value
        elif isinstance(value, talk.OWN):
            yield orders.AskMode()
            yield from self._converse(value)
        elif isinstance(
            value, orders.PushButtons
        ):  # a finger works also when the interface is off, the opcode does not
            yield orders.AskMode()
            if self._talk.mode != "off":
                yield value
        else:
            yield value

    def _converse(self, value: Any) -> Iterator[Any]:
        mine = self._talk
        if isinstance(value, talk.RestartRobot):
            yield from self._end(orders.Restart())
        elif mine.mode == "off":
            return
        match value:
            case talk.EndTalk():
                yield from self._end(orders.Enter("stop"))
            case talk.Query(ids):
                wanted = names(mine.generation, ids)
                if wanted and self._has_room():
                    yield orders.Sense(wanted)
            case talk.SetStream(ids):
                mine.stream, mine.paused = self._fitting(ids), False
                yield orders.Streaming(len(mine.stream))
            case talk.PauseStream(pause):
                mine.paused = pause
            case talk.Baud(code, passive) if code < len(BAUDS):
                mine.baud = BAUDS[code]
                self._line_baud = mine.baud if self._line_baud else 0
                yield SetBaud(mine.baud)
                if passive:
                    yield orders.Enter("start")
            case talk.ShowScript():
                mine.paused = True
                yield orders.ReadScript()
            case talk.PlayScript():
                mine.waiting = True
                yield orders.Wait("queue")  # so that a script that plays itself runs once per tick
                yield from self._load_script()

    def _load_script(self) -> Iterator[Any]:
        """Yield the question whose reply goes into the queue instead of to the client."""
        self._purpose = "queue"
        yield orders.ReadScript()
        self._purpose = "answer"

    def _end(self, command: Any) -> Iterator[Any]:
        """Stop the stream and all answers, then hand the command over."""
        self._talk.stream, self._talk.waiting = [], False
        yield orders.Streaming(0)
        yield command

    def _fitting(self, ids: Sequence[int]) -> list[int]:
        """Return the known ids, as many as fit into a frame."""
        known, size, fitting = contents(self._talk.generation), 0, []
        for number in ids:
            size += 1 + sum(packet.size for packet in known.get(number, ()))
            if number in known and size <= MOST_FRAME:
                fitting.append(number)
        return fitting

    # ---- replies

    def answered(self, command: Any, reply: Any) -> Sequence[Any]:
        """Take a reply of the firmware."""
        mine = self._talk
        match reply:
            case orders.Identity(generation):
                mine.generation = generation
            case orders.ModeIs(mode):
                mine.mode = mode
            case orders.WaitState(over):
                mine.waiting = not over
            case orders.Banner(text):
                self._answer(text.encode())
            case orders.Sensed(values) if self._purpose == "frame":
                self._counts["frames"] += 1
                self._put(frame(mine.generation, mine.stream, values, self._whole_sum))
            case orders.Sensed(values):
                self._answer(pack(command.names, values))
            case orders.Script(code) if self._purpose == "queue":
                self._queue += bytes(code[: MOST_QUEUE - len(self._queue)])
            case orders.Script(code):
                self._answer(bytes([len(code), *code]))
        return ()

    def _answer(self, data: bytes) -> None:
        self._counts["answers"] += 1
        self._put(data)

    def _put(self, data: bytes) -> None:
        """Let bytes wait for the end of the cycle."""
        self._answers += data

    def _has_room(self) -> bool:
        """Return whether another answer may wait; a question that finds no room is lost before it costs anything."""
        on_the_line = max(0, self._free_us - self._now_us) * self._line_baud // (CHARACTER_BITS * US_PER_S)
        room = on_the_line + len(self._answers) < MOST_ANSWERS
        self._counts["lost"] += not room
        return room

    # ---- the line

    def line_changed(self, line: LineState) -> Iterator[Any]:
        """Yield what RTS and DTR do, which drive the BRC pin: every edge wakes; three short pulses force 19200 baud."""
        mine, before = self._talk, self._talk.line
        mine.line = [line.rts, line.dtr]
        edges = [wire for wire in (RTS, DTR) if mine.line[wire] != before[wire]]
        if edges:
            yield orders.Wake()
        third = [self._ends_third_pulse(wire) for wire in edges]
        if any(third):
            mine.baud = FORCED_BAUD
            self._line_baud = FORCED_BAUD if self._line_baud else 0
            yield SetBaud(FORCED_BAUD)

    def _ends_third_pulse(self, wire: int) -> bool:
        """Take an edge; three pulses are five times of the right length between edges, whatever the polarity."""
        mine, (shortest, longest) = self._talk, PULSE_US
        since_us, mine.edge_us[wire] = self._now_us - mine.edge_us[wire], self._now_us
        mine.short[wire] = mine.short[wire] + 1 if shortest <= since_us <= longest else 0
        if mine.short[wire] < 2 * PULSES - 1:
            return False
        mine.short[wire] = 0
        return True

    # ---- time

    def due(self, now_us: int) -> Iterator[Any]:
        """Go on after a wait, and make a frame of the stream in every cycle."""
        new_cycle, self._now_us = now_us // CYCLE_US != self._now_us // CYCLE_US, now_us
        mine = self._talk
        if mine.waiting:
            yield orders.AskWait()
            yield from self._parse()
        if new_cycle and mine.stream and not mine.paused and self._has_room():
            self._purpose = "frame"
            yield orders.Sense(names(mine.generation, mine.stream))
            self._purpose = "answer"

    def tick(self, unit: Roomba, now_us: int) -> bytes:
        """Return the answers at the end of a cycle; at once while the clock is held."""
        before, self._spoken_us = self._spoken_us, now_us
        self._talk.mode = unit.mode
        if not self._answers or (now_us != before and now_us // CYCLE_US == before // CYCLE_US):
            return b""
        data = bytes(self._answers)
        self._answers.clear()
        if self._line_baud:
            spent_us = len(data) * CHARACTER_BITS * US_PER_S // self._line_baud
            self._free_us = max(self._free_us, now_us) + spent_us
        return data

    def done(self, outcome: Done) -> None:
        """Do nothing: it asks for no changes."""

    # ---- counters and state

    def counters(self) -> Mapping[str, int]:
        """Return commands, unknown bytes, answers, frames of the stream, lost questions and bytes."""
        return self._counts

    def state(self) -> Tree:
        """Return decoder, conversation and counters."""
        return {
            "queue": self._queue.hex(), "answers": self._answers.hex(), "talk": asdict(self._talk),
            "now_us": self._now_us, "spoken_us": self._spoken_us, "counters": dict(self._counts),
            "line_baud": self._line_baud, "free_us": self._free_us,
        }  # fmt: skip

    def restore(self, state: Tree) -> None:
        """Continue from a saved state, also in the middle of a command."""
        self._queue, self._answers = bytearray.fromhex(state["queue"]), bytearray.fromhex(state["answers"])
        saved: Tree = {name: list(value) if isinstance(value, list) else value for name, value in state["talk"].items()}
        self._talk = Conversation(**saved)
        self._line_baud, self._free_us = state["line_baud"], state["free_us"]
        self._now_us, self._spoken_us = state["now_us"], state["spoken_us"]
        self._counts = dict(state["counters"])
