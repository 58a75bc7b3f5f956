"""A serial line between a client and a protocol: baud rates, pacing, modem lines. Simulated time, part of the run.

Bytes of the client wait here until the line would have carried them, and so do bytes of the device. A rate of 0 is one
that is unknown (a TCP client has none) and fits every other.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from understudy.links.base import LineState
from understudy.sim import uart
from understudy.units import US_PER_S
from understudy.world.robot import AnyPort

Tree = dict[str, Any]
IN_LIMIT = 65_536  # bytes of a client that wait; beyond this they are lost and counted
OUT_LIMIT = 65_536  # bytes of the device that wait; beyond this they are lost and counted
HOLD_BACK, GO_ON = 1024, 256  # waiting bytes at which a link stops reading from its client, and reads again


class Lane:
    """One direction of a line: bytes in a queue, and how far the next character has come."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.queue = bytearray()
        self.progress = 0  # of the character that is on the wire, in bits times microseconds
        self.lost = 0

    def put(self, data: bytes) -> None:
        """Let bytes wait; those beyond the limit are lost."""
        room = self._limit - len(self.queue)
        self.queue += data[:room]
        self.lost += max(0, len(data) - room)

    def carried(self, baud: int, dt_us: int) -> bytes:
        """Return the bytes that have arrived after another *dt_us*; at 0 baud, and while the clock is held, all."""
        cost = uart.CHARACTER_BITS * US_PER_S
        if not baud or not dt_us:
            return self._take(len(self.queue))
        self.progress += baud * dt_us
        count = min(self.progress // cost, len(self.queue))
        self.progress = self.progress - count * cost if count < len(self.queue) else 0
        return self._take(count)

    def _take(self, count: int) -> bytes:
        data = bytes(self.queue[:count])
        del self.queue[:count]
        return data

    def clear(self) -> None:
        """Forget what is under way."""
        self.queue.clear()
        self.progress = 0

    def state(self) -> Tree:
        """Return what is under way."""
        return {"queue": self.queue.hex(), "progress": self.progress, "lost": self.lost}

    def restore(self, state: Tree) -> None:
        """Go on in the middle of a character."""
        self.queue = bytearray.fromhex(state["queue"])
        self.progress, self.lost = state["progress"], state["lost"]


class SerialLine:
    """The line of one port."""

    def __init__(self, port: AnyPort) -> None:
        self._pace, self._garbles = port.pace, port.wrong_baud == "garbage"
        self.baud = port.baud  # of the device
        self.client = LineState()
        self._lenient = False  # every client is understood, at any rate
        self._next_baud, self._next_lenient = 0, False  # of the device, once all that it has said is sent
        self._in, self._out = Lane(IN_LIMIT), Lane(OUT_LIMIT)
        self.spoilt = 0  # bytes at a wrong baud rate

    @property
    def waiting(self) -> int:
        """Return how many bytes of the client have not reached the device."""
        return len(self._in.queue)

    @property
    def lost(self) -> int:
        """Return how many bytes found no room."""
        return self._in.lost + self._out.lost

    def opened(self) -> None:
        """Begin with a client: nothing is under way, and its settings are not known yet."""
        self.client = LineState()
        self._in.clear()
        self._out.clear()

    def set_baud(self, baud: int, lenient: bool = False) -> None:
        """Change the device's rate as soon as all that it has said is sent."""
        self._next_baud, self._next_lenient = baud, lenient

    def receive(self, data: bytes) -> None:
        """Take bytes of the client."""
        self._in.put(self._heard(data, self.client.baud, self.baud))

    def arrived(self, dt_us: int) -> bytes:
        """Return the client's bytes that reach the device in this tick."""
        if not self._in.queue:
            return b""
        return self._in.carried((self.client.baud or self.baud) if self._pace else 0, dt_us)

    def send(self, data: bytes, dt_us: int) -> bytes:
        """Take bytes of the device; returns those that reach the client in this tick."""
        self._out.put(data)
        sent = self._out.carried(self.baud if self._pace else 0, dt_us) if self._out.queue else b""
        heard = self._heard(sent, self.baud, self.client.baud)
        if self._next_baud and not self._out.queue:
            self.baud, self._next_baud = self._next_baud, 0
            self._lenient = self._next_lenient
        return heard

    def _heard(self, data: bytes, sent_at: int, sampled_at: int) -> bytes:
        """Return what the other end makes of *data*."""
        if not data or self._lenient or not sent_at or not sampled_at or sent_at == sampled_at:
            return data
        heard = uart.received(data, sent_at, sampled_at)
        if heard == data:  # nearly the same rate
            return data
        self.spoilt += len(data)
        return heard if self._garbles else b""

    def state(self) -> Tree:
        """Return everything that influences the future."""
        return {
            "baud": self.baud, "next_baud": self._next_baud,
            "lenient": self._lenient, "next_lenient": self._next_lenient, "client": asdict(self.client),
            "in": self._in.state(), "out": self._out.state(), "spoilt": self.spoilt,
        }  # fmt: skip

    def restore(self, state: Tree) -> None:
        """Go on from a saved state."""
        self.baud, self._next_baud = state["baud"], state["next_baud"]
        self._lenient, self._next_lenient = state["lenient"], state["next_lenient"]
        self.client = LineState(**state["client"])
        self._in.restore(state["in"])
        self._out.restore(state["out"])
        self.spoilt = state["spoilt"]
