"""ARCOS packets: what a Pioneer says and understands on its host port, the way MobileSim does.

Layout, numbers little-endian except the checksum::

    FA FB | count | type | payload ... | checksum hi lo
            ^ bytes that follow, checksum included: 3 to 200

An argument is a type byte (3B: u16, 1B: u16 that is negative, 2B: text or block) and its value; a missing one is 0.
A client first sends SYNC0, SYNC1 and SYNC2 (bare types 0, 1, 2) and gets each back, the last with the robot's name,
class and subclass. From then on types 0, 1, 2 mean PULSE, OPEN, CLOSE; OPEN starts the status packets (SIP).

Anything between packets is skipped, a packet with a wrong checksum is dropped whole, and after a count that cannot be
the search for FA FB goes on behind that header. All of it is counted. Follows the MobileSim manual and what
MobileSim 0.9.8 and ARIA do where they differ from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from understudy.protocols.arcos_commands import COMMANDS, Own
from understudy.protocols.arcos_packets import CONFIG, SYNC2, Decoder, encode, pack, sip
from understudy.protocols.base import Tree
from understudy.robots.base import Session
from understudy.robots.pioneer import Pioneer, Pulse
from understudy.world.changes import Done

MOST_SYNCS = 10  # handshake packets after which a client is sent away
MOST_ANSWERS = 64  # waiting for the next tick

ANSWERS: Mapping[str, Callable[[Pioneer], bytes]] = MappingProxyType({
    "sync0": lambda unit: b"\x00",
    "sync1": lambda unit: b"\x01",
    "sync2": lambda unit: b"\x02" + pack(SYNC2, unit),
    "config": lambda unit: pack(CONFIG, unit),
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArcosSheet:
    """The port has no settings: what it says about the robot is the firmware's."""

    kind: ClassVar[str] = "arcos"
    units: ClassVar[tuple[str, ...]] = ("pioneer",)


@dataclass(slots=True)
class Talk:
    """The conversation with one client."""

    live: bool = False  # the handshake is done
    streaming: bool = False  # OPEN was seen
    syncs: int = 0
    hang_up: bool = False
    due_us: int = -1  # the next SIP; -1: as soon as time moves


class Arcos:
    """One ARCOS conversation: handshake, commands, a status packet per cycle of simulated time."""

    Sheet: ClassVar[type] = ArcosSheet
    units: ClassVar[tuple[str, ...]] = ArcosSheet.units

    def __init__(self, sheet: ArcosSheet, robot: str) -> None:
        self._robot = robot
        self._decoder = Decoder()
        self._talk = Talk()
        self._answers: list[str] = []
        self._now_us = 0
        self._counts = {"received": 0, "ignored": 0, "sent": 0}

    def opened(self) -> Sequence[Any]:
        """Begin anew with a handshake; ends a session that nobody has closed."""
        return self.closed()

    def closed(self) -> Sequence[Any]:
        """Forget the client; returns the end of its session, if there was one."""
        live = self._talk.live
        self._talk = Talk()
        self._decoder.clear()
        self._answers.clear()
        return (Session(False),) if live else ()

    def greet(self) -> Sequence[Any]:
        """Return the session of a client that is still there, for a unit that knows of none."""
        return (Session(True),) if self._talk.live else ()

    def feed(self, data: bytes) -> Sequence[Any]:
        """Return the commands and changes that *data* completes."""
        values: list[Any] = []
        for body in self._decoder.feed(data):
            self._counts["received"] += 1
            values += self._command(body) if self._talk.live else self._sync(body)
        return values

    def _sync(self, body: bytes) -> Sequence[Any]:
        """Echo the client's number, in whatever order it counts; 2 begins the session."""
        talk = self._talk
        if len(body) != 1 or body[0] > 2:
            self._counts["ignored"] += 1
            return ()
        self._answer(f"sync{body[0]}")
        talk.syncs += 1
        if body[0] == 2:
            talk.live = True
            return (Session(True),)
        if talk.syncs >= MOST_SYNCS:
            self._end()
        return ()

    def _command(self, body: bytes) -> Sequence[Any]:
        row = COMMANDS.get(body[0])
        if row is None or row.make is None:
            self._counts["ignored"] += 1
            return (Pulse(),)
        values = row.make(body[1:], self._robot)
        for value in values:
            if isinstance(value, Own):
                self._do(value)
        return [value for value in values if not isinstance(value, Own)]

    def _do(self, what: Own) -> None:
        if what is Own.CLOSE:
            self._end()
        elif what is Own.CONFIG:
            self._answer("config")
        else:
            self._talk.streaming = True

    def _end(self) -> None:
        self._talk = Talk(hang_up=True)

    def _answer(self, name: str) -> None:
        if len(self._answers) < MOST_ANSWERS:
            self._answers.append(name)

    def done(self, outcome: Done) -> None:
        """Hear of a change; ARCOS has no answer to it."""

    def tick(self, unit: Pioneer, now_us: int) -> bytes:
        """Return answers, and a status packet when one is due and time has moved."""
        bodies = [ANSWERS[name](unit) for name in self._answers]
        self._answers.clear()
        moved, self._now_us = now_us != self._now_us, now_us
        if moved and self._talk.streaming and self._due(unit.sheet.sip_period_us):
            bodies.append(sip(unit))
        self._counts["sent"] += len(bodies)
        return b"".join(map(encode, bodies))

    def _due(self, period_us: int) -> bool:
        """Say whether a status packet is due, and set the next; after a gap there is one, not a burst."""
        talk, now_us = self._talk, self._now_us
        if not 0 <= talk.due_us <= now_us + period_us:
            talk.due_us = now_us
        if now_us < talk.due_us:
            return False
        talk.due_us += ((now_us - talk.due_us) // period_us + 1) * period_us
        return True

    def hung_up(self) -> bool:
        """Say once that the client is to be sent away."""
        wanted, self._talk.hang_up = self._talk.hang_up, False
        return wanted

    def counters(self) -> Mapping[str, int]:
        """Return packets received, ignored and sent, bytes dropped, wrong checksums."""
        return {**self._counts, "dropped": self._decoder.dropped, "bad_checksums": self._decoder.bad}

    def state(self) -> Tree:
        """Return decoder, conversation and counters."""
        return {
            "buffer": self._decoder.buffer.hex(),
            "talk": asdict(self._talk),
            "answers": list(self._answers),
            "now_us": self._now_us,
            "counters": dict(self.counters()),
        }

    def restore(self, state: Tree) -> None:
        """Go on in the middle of a packet."""
        counts = dict(state["counters"])
        self._decoder = Decoder()
        self._decoder.buffer += bytes.fromhex(state["buffer"])
        self._decoder.dropped, self._decoder.bad = counts.pop("dropped"), counts.pop("bad_checksums")
        self._counts = counts
        self._talk = Talk(**state["talk"])
        self._answers = list(state["answers"])
        self._now_us = state["now_us"]
