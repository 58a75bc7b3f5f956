"""The conversation of a download tool with an RCX, as through an infra-red tower.

A reply is a packet that begins with the complement of the request's opcode. A request with the same opcode as the one
before, toggle bit included, is a repeated one: its reply is sent again and nothing is done. A serial tower also sends
back every byte that it gets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from understudy.formats.rcx.isa import TOGGLE
from understudy.frozen import frozen
from understudy.protocols.base import Tree, WireProtocol
from understudy.protocols.rcx_link.frames import RcxDecoder
from understudy.robots.base import Session
from understudy.robots.rcx.direct import SILENT
from understudy.robots.rcx.orders import RcxReply, RcxRequest
from understudy.robots.rcx.packets import packet
from understudy.world.changes import Done
from understudy.world.rules import rule

MOST_OUT = 65_536  # bytes that wait to be sent


@frozen
class RcxLinkSheet:
    """Settings of the port."""

    kind: ClassVar[str] = "rcx_link"
    units: ClassVar[tuple[str, ...]] = ("rcx",)

    echo: Literal["auto", "on", "off"] = rule(
        "auto", doc="send back what is received, as a serial tower does; auto: on a port with a baud rate"
    )


class RcxLink(WireProtocol):
    """One conversation with an RCX."""

    Sheet: ClassVar[type] = RcxLinkSheet
    units: ClassVar[tuple[str, ...]] = RcxLinkSheet.units

    def __init__(self, sheet: RcxLinkSheet, robot: str) -> None:
        self._sheet = sheet
        self._echo = sheet.echo == "on"
        self._decoder = RcxDecoder()
        self._out = bytearray()
        self._last, self._reply = -1, b""  # opcode of the last request, and its reply on the line
        self._counts = {"requests": 0, "repeated": 0, "replies": 0, "lost": 0}

    def wired(self, baud: int, paced: bool) -> None:
        """Be a serial tower if the port has a baud rate."""
        if self._sheet.echo == "auto":
            self._echo = baud > 0

    def opened(self) -> Sequence[Any]:
        """Begin with a client: nothing is half received or repeated."""
        self._forget()
        return (Session(True),)

    def closed(self) -> Sequence[Any]:
        """Discard half a packet; the brick does not notice that the tool has disconnected."""
        self._forget()
        return (Session(False),)

    def _forget(self) -> None:
        self._decoder.clear()
        self._out.clear()
        self._last, self._reply = -1, b""

    def greet(self) -> Sequence[Any]:
        """Introduce a client that is still there after a reset."""
        return (Session(True),)

    def feed(self, data: bytes) -> Iterator[Any]:
        """Yield the requests that *data* completes."""
        if self._echo:
            self._put(data)
        for request in self._decoder.feed(data):
            self._counts["requests"] += 1
            code = request[0]
            if code == self._last and code & ~TOGGLE not in SILENT:
                self._counts["repeated"] += 1
                self._put(self._reply)
                continue
            self._last, self._reply = code, b""
            yield RcxRequest(request)

    def answered(self, command: Any, reply: Any) -> Sequence[Any]:
        """Send a reply of the brick."""
        if isinstance(reply, RcxReply):
            self._reply = packet(reply.data)
            self._counts["replies"] += 1
            self._put(self._reply)
        return ()

    def _put(self, data: bytes) -> None:
        room = MOST_OUT - len(self._out)
        self._out += data[:room]
        self._counts["lost"] += max(0, len(data) - room)

    def done(self, outcome: Done) -> None:
        """Do nothing: it requests no changes."""

    def tick(self, unit: Any, now_us: int) -> bytes:
        """Return what waits to be sent."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def counters(self) -> Mapping[str, int]:
        """Return how much was received, sent and dropped."""
        return {**self._counts, "dropped": self._decoder.dropped}

    def state(self) -> Tree:
        """Return decoder and conversation."""
        return {
            "decoder": self._decoder.state(), "out": self._out.hex(), "last": self._last, "reply": self._reply.hex(),
            "counts": dict(self._counts), "echo": self._echo,
        }  # fmt: skip

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        self._decoder.restore(**state["decoder"])
        self._out, self._reply = bytearray.fromhex(state["out"]), bytes.fromhex(state["reply"])
        self._last, self._echo, self._counts = state["last"], state["echo"], dict(state["counts"])
