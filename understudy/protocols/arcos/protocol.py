"""ARCOS: the protocol of a Pioneer's host port, as MobileSim implements it. See `frames` for packets.

Handshake: a client sends SYNC0, SYNC1 and SYNC2 (bare types 0, 1, 2) and gets each back, the last with the robot's
name, class and subclass. Then types 0, 1, 2 mean PULSE, OPEN, CLOSE; OPEN starts the status packets (SIP). A cycle is
SIMSTAT if requested, the SIP, other requested packets, then all packets of each scan.

Bytes between packets are skipped, a packet with a wrong checksum is dropped whole, and after an invalid count the
search for FA FB continues behind that header. All of this is counted. The behaviour follows the MobileSim manual, and
MobileSim 0.9.8 and ARIA where they differ from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from understudy.protocols.arcos import conversation as own
from understudy.protocols.arcos import scan_packets
from understudy.protocols.arcos.aux_ports import AuxPorts
from understudy.protocols.arcos.commands import Command, commands
from understudy.protocols.arcos.frames import Decoder, encode
from understudy.protocols.arcos.layout import PacketSource
from understudy.protocols.arcos.packets import SYNC2, sip
from understudy.protocols.arcos.reports import MOBILESIMS, REPORTS, map_changed
from understudy.protocols.arcos.sheet import ArcosSheet
from understudy.protocols.base import Tree, WireProtocol
from understudy.robots.base import Session
from understudy.robots.pioneer.firmware import Pioneer
from understudy.robots.pioneer.orders import Pulse
from understudy.world.changes import Done, Move, Reset
from understudy.world.news import Note

MOST_SYNCS, SYNC_TIME_US = 10, 10_000_000  # limits of the handshake; a client beyond either is disconnected
SILENCE_US = 60_000_000  # a client silent for so long gets no status packets until it sends something
MOST_ANSWERS = 64  # waiting for the next tick

_SYNCS: Mapping[str, Callable[[Pioneer], bytes]] = MappingProxyType({
    "sync0": lambda unit: b"\x00",
    "sync1": lambda unit: b"\x01",
    "sync2": lambda unit: b"\x02" + SYNC2.pack(PacketSource.of(unit)),
})  # fmt: skip


@dataclass(slots=True)
class Talk:
    """The conversation with one client."""

    connected: bool = False
    live: bool = False  # the handshake is done
    streaming: bool = False  # OPEN was seen
    syncs: int = 0
    hang_up: bool = False
    since_us: int = 0
    heard_us: int = 0
    due_us: int = -1  # time of the next SIP; -1: at the next tick
    sonar: int = 0  # first sonar of the next SIP
    moved: bool = False  # the robot was teleported since the last scan
    streams: dict[str, int] = field(default_factory=dict)  # packets sent with every SIP
    warned: list[int] = field(default_factory=list)  # ignored commands that were logged already


class Arcos(WireProtocol):
    """One ARCOS conversation: handshake, commands, packets per cycle of simulated time."""

    Sheet: ClassVar[type] = ArcosSheet
    units: ClassVar[tuple[str, ...]] = ArcosSheet.units

    def __init__(self, sheet: ArcosSheet, robot: str) -> None:
        self._sheet, self._robot = sheet, robot
        self._commands = commands(sheet.srisim_laser_compat, sheet.srisim_compat)
        self._decoder = Decoder()
        self._talk = Talk()
        self._aux = AuxPorts(robot)
        self._aux_gps = 0  # the auxiliary port of the GPS receiver
        self._answers: list[str] = []  # names of packets, or whole bodies in hex
        self._now_us = 0
        self._counts = {"received": 0, "ignored": 0, "sent": 0}

    # ---- the client

    def opened(self) -> Sequence[Any]:
        """Start with a new handshake; end a session that was not closed."""
        farewell = self.closed()
        self._talk = Talk(connected=True, since_us=self._now_us)
        return farewell

    def closed(self) -> Sequence[Any]:
        """Forget the client; return the end of its session, if there was one."""
        live = self._talk.live
        self._talk = Talk()
        self._aux = AuxPorts(self._robot)
        self._decoder.clear()
        self._answers.clear()
        return (Session(False),) if live else ()

    def greet(self) -> Sequence[Any]:
        """Return the session of a connected client, for a new unit."""
        return (Session(True),) if self._talk.live else ()

    def feed(self, data: bytes) -> Sequence[Any]:
        """Return the commands, changes and news that *data* completes."""
        values: list[Any] = []
        for body in self._decoder.feed(data):
            self._counts["received"] += 1
            self._talk.heard_us = self._now_us
            values += self._command(body) if self._talk.live else self._sync(body)
        return values

    def _sync(self, body: bytes) -> Sequence[Any]:
        """Echo the client's number, in any order; 2 starts the session."""
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
            return (Note(f"handshake not completed after {MOST_SYNCS} packets; disconnecting", "warning"),)
        return ()

    def _command(self, body: bytes) -> Sequence[Any]:
        row = self._commands.get(body[0])
        if row is None or row.make is None or body[0] in self._sheet.ignore_commands:
            return self._ignore(body[0], row)
        values = row.make(body[1:], self._robot)
        for value in values:
            if isinstance(value, own.OWN):
                self._do(value)
        others = [value for value in values if not isinstance(value, own.OWN)]
        return others if any(isinstance(value, Pioneer.commands) for value in others) else [*others, Pulse()]

    def _ignore(self, code: int, row: Command | None) -> Sequence[Any]:
        """Count a command that has no effect, and warn once per session."""
        self._counts["ignored"] += 1
        unheard = self._sheet.less_verbose or (row is not None and row.fate == "unheard")
        if unheard or code in self._talk.warned:
            return (Pulse(),)
        self._talk.warned.append(code)
        word = "disabled (ignore_commands)" if code in self._sheet.ignore_commands else "not supported"
        name = f"{code} {row.name}" if row else f"{code}"
        return Note(f"command {name} is {word}; ignored", "warning"), Pulse()

    def _do(self, what: Any) -> None:
        match what:
            case own.End():
                self._end()
            case own.Begin():
                self._talk.streaming = True
            case own.Send(packet, mode):
                if mode == 1:
                    self._answer(packet)
                else:
                    self._talk.streams[packet] = 2 if mode > 1 else 0
            case own.AuxWrite(port, data):
                self._aux.write(port, data, self._aux_gps)
            case own.AuxRead(port, count):
                self._aux.ask(port, count)

    def _end(self) -> None:
        self._talk = Talk(hang_up=True)

    def _answer(self, name: str) -> None:
        if len(self._answers) < MOST_ANSWERS:
            self._answers.append(name)

    def done(self, outcome: Done) -> None:
        """Note the outcome of a change: after a move, the next scan has the flag MOVED."""
        if outcome.ok and isinstance(outcome.change, Move | Reset):
            self._talk.moved = True

    def map_changed(self, file: str, by_user: bool, loaded: bool) -> None:
        """Inform the client about a map change."""
        if self._talk.live:
            self._answer(map_changed(file, by_user, loaded).hex())

    # ---- time

    def tick(self, unit: Pioneer, now_us: int) -> bytes:
        """Return answers and, if time has advanced and a cycle is due, its packets."""
        talk = self._talk
        moved, self._now_us = now_us != self._now_us, now_us
        bodies = self._answered(unit) if self._answers else []
        if moved and talk.live:
            if unit.gps is not None or self._aux.asked:
                self._aux_gps = unit.sheet.gps_aux
                bodies += self._aux.tick(unit, now_us)
            if talk.streaming and self._is_due(unit.sheet.sip_period_us):
                bodies += self._cycle(unit)
        elif moved and talk.connected:
            self._await_handshake()
        if not bodies:
            return b""
        self._counts["sent"] += len(bodies)
        return b"".join(map(encode, bodies))

    def _is_due(self, period_us: int) -> bool:
        """Return whether a cycle is due; also true if the next one is too far away, because the run was reset."""
        return self._now_us >= self._talk.due_us or self._talk.due_us > self._now_us + period_us

    def _answered(self, unit: Pioneer) -> list[bytes]:
        """Return the bodies of the requested packets."""
        names, self._answers = self._answers, []
        return [body for name in names if (body := self._body(name, unit))]

    def _body(self, name: str, unit: Pioneer) -> bytes:
        if name in _SYNCS:
            return _SYNCS[name](unit)
        if name not in REPORTS:
            return bytes.fromhex(name)
        return b"" if unit.sheet.exact and name not in MOBILESIMS else REPORTS[name](unit, self._sheet)

    def _await_handshake(self) -> None:
        """Disconnect a client whose handshake takes too long."""
        self._talk.since_us = min(self._talk.since_us, self._now_us)
        if self._now_us - self._talk.since_us >= SYNC_TIME_US:
            self._end()

    def _cycle(self, unit: Pioneer) -> list[bytes]:
        """Return the packets of a cycle and schedule the next; after a gap there is one cycle, not a burst."""
        talk, now_us, period_us = self._talk, self._now_us, unit.sheet.sip_period_us
        if not 0 <= talk.due_us <= now_us + period_us:
            talk.due_us = now_us
        talk.due_us += ((now_us - talk.due_us) // period_us + 1) * period_us
        talk.heard_us = min(talk.heard_us, now_us)
        if now_us - talk.heard_us >= SILENCE_US:
            return []
        status, talk.sonar = sip(unit, talk.sonar)
        before = [self._body("simstat", unit)] if talk.streams.get("simstat") else []
        after = [self._body(name, unit) for name, mode in talk.streams.items() if mode and name != "simstat"]
        return [body for body in (*before, status, *after, *self._scans(unit)) if body]

    def _scans(self, unit: Pioneer) -> list[bytes]:
        bodies: list[bytes] = []
        for laser, mode in enumerate(unit.scanners.modes):
            scan = unit.scanners.scan(laser) if mode else None
            if scan is None:
                continue
            if mode == 1:
                bodies += scan_packets.plain(scan, unit.odometry)
            else:
                bodies += scan_packets.extended(scan, laser, self._talk.moved)
                self._talk.moved = False
        return bodies

    def hung_up(self) -> bool:
        """Return whether the client is to be disconnected (true once)."""
        wanted, self._talk.hang_up = self._talk.hang_up, False
        return wanted

    # ---- counters and state

    def counters(self) -> Mapping[str, int]:
        """Return packets received, ignored and sent, bytes dropped, wrong checksums."""
        return {**self._counts, "dropped": self._decoder.dropped, "bad_checksums": self._decoder.bad}

    def state(self) -> Tree:
        """Return decoder, conversation and counters."""
        return {
            "buffer": self._decoder.buffer.hex(),
            "talk": asdict(self._talk),
            "answers": list(self._answers),
            "aux": self._aux.state(),
            "aux_gps": self._aux_gps,
            "now_us": self._now_us,
            "counters": dict(self.counters()),
        }

    def restore(self, state: Tree) -> None:
        """Continue from a saved state, also in the middle of a packet."""
        counts = dict(state["counters"])
        self._decoder = Decoder()
        self._decoder.buffer += bytes.fromhex(state["buffer"])
        self._decoder.dropped, self._decoder.bad = counts.pop("dropped"), counts.pop("bad_checksums")
        self._counts = counts
        talk = state["talk"]
        self._talk = Talk(**{**talk, "streams": dict(talk["streams"]), "warned": list(talk["warned"])})
        self._answers = list(state["answers"])
        for name in (*self._answers, *self._talk.streams):
            if name not in _SYNCS and name not in REPORTS:
                bytes.fromhex(name)  # a stored packet body; raises ValueError if it is not one
        self._aux.restore(state["aux"])
        self._aux_gps, self._now_us = state["aux_gps"], state["now_us"]
