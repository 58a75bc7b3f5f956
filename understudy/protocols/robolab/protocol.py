"""The conversation of ROBOLAB 2.9 with a brick over TCP, as LURobotSim's thesis describes it (section 3.4, appendix C).

The client sends direct commands as lines of LASM and waits for each answer, then a program, which has none. The program
is handed to the brick when something else follows it, when the client closes the connection, or after a pause. A client
that begins with a packet of the RCX's link is served as one: an infra-red tower on the same port.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from understudy.frozen import frozen
from understudy.protocols.base import Tree, WireProtocol
from understudy.protocols.json_lines.lines import is_http
from understudy.protocols.rcx_link.protocol import MOST_OUT, RcxLink, RcxLinkSheet
from understudy.protocols.robolab.commands import request_of
from understudy.protocols.robolab.text import BEGINS, ENDS, RobolabLines, RobolabProgram, first_word
from understudy.robots.base import Session
from understudy.robots.rcx.orders import LoadProgram, RcxReply, RcxRequest
from understudy.robots.rcx.packets import HEADER
from understudy.world.changes import Done
from understudy.world.rules import rule

PORT = 4266  # of LURobotSim
NAME = "robolab.lasm"  # of a program that comes in
_ENDS = {"none": b"", "lf": b"\n", "crlf": b"\r\n"}
_NEVER = -1


@frozen
class RobolabSheet:
    """Settings of the port."""

    kind: ClassVar[str] = "robolab"
    units: ClassVar[tuple[str, ...]] = ("rcx",)

    answers: Literal["text", "bytes"] = rule("text", doc="text: such as e5 00 00, in letters; bytes: three bytes")
    ends: Literal["none", "lf", "crlf"] = rule("none", doc="what follows each answer")
    start: bool = rule(True, doc="start a program as soon as it has come in")
    quiet_ms: int = rule(
        200, least=1, most=60_000, doc="pause after which a line or program without an end is complete"
    )


class Robolab(WireProtocol):
    """One conversation with ROBOLAB."""

    Sheet: ClassVar[type] = RobolabSheet
    units: ClassVar[tuple[str, ...]] = RobolabSheet.units

    def __init__(self, sheet: RobolabSheet, robot: str) -> None:
        self._sheet = sheet
        self._robot = robot
        self._counts = {"lines": 0, "answers": 0, "refused": 0, "programs": 0, "dropped": 0, "lost": 0}
        self._link: RcxLink | None = None
        self._forget()

    def _forget(self) -> None:
        self._counts["dropped"] = self.counters()["dropped"]
        self._head: bytes | None = b""  # the first bytes; None: it is known how the client speaks
        self._link = None
        self._lines, self._program = RobolabLines(), RobolabProgram()
        self._out = bytearray()
        self._deaf = self._hang_up = False  # a browser speaks: a web page must not load programs
        self._heard = False  # since the last look at the clock
        self._since_us = _NEVER  # when the client fell silent

    # ---- the client

    def opened(self) -> Sequence[Any]:
        """Begin a conversation."""
        self._forget()
        return (Session(True),)

    def closed(self) -> Sequence[Any]:
        """Hand over a program that is complete; half a one is forgotten, and the brick keeps what it has."""
        values = [*self._flushed(), *self._delivered()]
        self._counts["dropped"] += len(self._program.text) + len(self._lines.rest)
        self._forget()
        return (*values, Session(False))

    def greet(self) -> Sequence[Any]:
        """Introduce a client that is still there after a reset."""
        self._since_us = _NEVER
        return (Session(True),)

    def feed(self, data: bytes) -> Iterator[Any]:
        """Yield what the lines of *data* ask for, in their order."""
        self._heard = self._heard or bool(data)
        if self._head is not None:
            data = self._decided(self._head + data)
        if self._link is not None:
            yield from self._link.feed(data)
            return
        for line in self._lines.take(data):
            yield from self._take(line)

    def _decided(self, data: bytes) -> bytes:
        """Return what can be looked at: nothing while it may become a packet's header."""
        if len(data) < len(HEADER) and HEADER.startswith(data):
            self._head = data
            return b""
        self._head = None
        if data.startswith(HEADER):
            self._link = RcxLink(RcxLinkSheet(), self._robot)
        return data

    # ---- lines

    def _take(self, line: str | None) -> Iterator[Any]:
        self._counts["lines"] += 1
        if self._deaf:
            self._counts["refused"] += 1
        elif line is not None and is_http(line.encode("latin-1")):
            self._deaf = self._hang_up = True
            self._program = RobolabProgram()
        elif self._program.first:
            if self._program.add(line) and not self._program.end():
                self._counts["refused"] += 1
        elif line is None:
            self._counts["refused"] += 1
        elif first_word(line) in BEGINS:
            self._program.begin(line)
        else:
            yield from self._delivered()
            yield from self._direct(line)

    def _direct(self, line: str) -> Iterator[Any]:
        request = request_of(line)
        if request is not None:
            yield RcxRequest(request)
        elif first_word(line):
            self._counts["refused"] += 1

    def _delivered(self) -> Iterator[Any]:
        """Hand over the program, once, unless a part of it is still to come."""
        if self._program.fresh and not self._program.first:
            self._counts["programs"] += 1
            yield LoadProgram(NAME, self._program.whole(), self._sheet.start)

    def _flushed(self) -> Iterator[Any]:
        """Take a last line that has no end, if it is one that makes sense so far."""
        text = self._lines.rest.decode("latin-1")
        known = first_word(text) in ENDS if self._program.first else request_of(text) is not None
        if known:
            line = self._lines.flush()
            yield from self._take(line)

    def due(self, now_us: int) -> Iterator[Any]:
        """Take what has no end, after a pause."""
        if self._heard:
            self._heard, self._since_us = False, now_us
        elif self._since_us != _NEVER and now_us - self._since_us >= 1000 * self._sheet.quiet_ms:
            self._since_us = _NEVER
            yield from self._flushed()
            yield from self._delivered()

    # ---- answers

    def answered(self, command: Any, reply: Any) -> Sequence[Any]:
        """Send an answer of the brick."""
        if self._link is not None:
            return self._link.answered(command, reply)
        if isinstance(reply, RcxReply):
            text = reply.data if self._sheet.answers == "bytes" else reply.data.hex(" ").encode()
            self._counts["answers"] += 1
            self._put(text + _ENDS[self._sheet.ends])
        return ()

    def _put(self, data: bytes) -> None:
        fits = len(self._out) + len(data) <= MOST_OUT
        self._out += data if fits else b""
        self._counts["lost"] += 0 if fits else len(data)

    def done(self, outcome: Done) -> None:
        """Do nothing: it requests no changes."""

    def tick(self, unit: Any, now_us: int) -> bytes:
        """Return what waits to be sent."""
        if self._link is not None:
            return self._link.tick(unit, now_us)
        out = bytes(self._out)
        self._out.clear()
        return out

    def hung_up(self) -> bool:
        """Return whether the connection is to be closed (true once)."""
        hang_up, self._hang_up = self._hang_up, False
        return hang_up

    def counters(self) -> Mapping[str, int]:
        """Return how much was received, answered, refused and dropped."""
        by_link = self._link.counters()["dropped"] if self._link is not None else 0
        return {**self._counts, "dropped": self._counts["dropped"] + by_link}

    # ---- state

    def state(self) -> Tree:
        """Return the conversation."""
        return {
            "head": None if self._head is None else self._head.hex(), "rest": self._lines.rest.hex(),
            "too_long": self._lines.too_long, "program": self._program.state(), "out": self._out.hex(),
            "heard": self._heard, "since_us": self._since_us, "counts": dict(self._counts),
            "deaf": self._deaf, "hang_up": self._hang_up,
            "link": None if self._link is None else self._link.state(),
        }  # fmt: skip

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        self._forget()
        self._head = None if state["head"] is None else bytes.fromhex(state["head"])
        self._lines.rest, self._lines.too_long = bytearray.fromhex(state["rest"]), state["too_long"]
        self._program.restore(state["program"])
        self._out, self._counts = bytearray.fromhex(state["out"]), dict(state["counts"])
        self._deaf, self._hang_up = state["deaf"], state["hang_up"]
        self._heard, self._since_us = state["heard"], state["since_us"]
        if state["link"] is not None:
            self._link = RcxLink(RcxLinkSheet(), self._robot)
            self._link.restore(state["link"])
