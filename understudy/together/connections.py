"""Connections of programs to robots and to each other: what is done at one end has been seen at the other.

The system delivers in real time. So before simulated time passes, the links must have received all that programs have
sent; and a process that continues gets the number of bytes that must have arrived.

How much the system's buffers hold, and when they have room again, also depends on real time. So no more is ever under
way than is sure to fit, in either direction: what a robot says waits in its link until the program has read, and a
program may write only until the run has taken what it wrote before.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from understudy.links.base import Traffic, TrafficSource
from understudy.links.thread import shared
from understudy.together.wire import News, Report, Wire

log = logging.getLogger(__name__)
PATIENCE_S = 20.0  # real time for something that must come, on a busy machine
_NAP_S = 0.0002
SERIAL_WINDOW = 4095  # bytes under way in one direction: a terminal's input buffer, and a serial driver's for output
SOCKET_WINDOW = 32_768  # the system holds twice as much, in packets of any size; `native/connections.c` has these too
BOUNDLESS = 1 << 40
Find = Callable[[bool, int, int], tuple[str, TrafficSource] | None]  # serial, client's number, TCP port -> port, link
OnLine = Callable[[str], int]  # port -> bytes of its client that its serial line has not carried yet
Told = tuple[int, bool]  # bytes and end of a connection, as a process knows them


@dataclass
class HeldConnection:
    """A connection as one process has it."""

    told: Told = (0, False)
    wants: int = 0  # bytes of room that it waits for; 0: none


@dataclass
class Connection:
    """A connection of one or several processes."""

    wire: Wire
    port: str  # of which robot, for messages; empty: it leads to another program
    source: TrafficSource | None
    written: int = 0  # bytes, by programs
    read: int = 0
    taken: int = 0  # bytes of these that the run has taken ...
    on_line: int = 0  # ... but that its serial line has not carried yet
    opened: bool = False  # the link has seen it
    released: bool = False  # no process has it any more
    shut: bool = False  # programs write no more, so that the other end sees the end of the stream
    cut: int | None = None  # the program at the other end has closed it, after so many bytes
    traffic: Traffic = Traffic(0, 0)

    @property
    def ended(self) -> bool:
        """Return whether the link has hung up."""
        return self.traffic.state == "closed"

    @property
    def window(self) -> int:
        """Return how many bytes may be under way in one direction."""
        return SERIAL_WINDOW if self.wire.serial else SOCKET_WINDOW

    @property
    def most_sent(self) -> int:
        """Return how many bytes the programs may have been sent in all."""
        return self.read + self.window

    def take(self, traffic: Traffic | None) -> bool:
        """Take what the link has seen; return whether that is all that programs have done."""
        if traffic is None:
            if not self.opened:
                return False
            traffic = Traffic(self.traffic.received, self.traffic.sent, "closed")
        self.opened, self.traffic = True, traffic
        if traffic.state == "closed" or self.paused:
            return True
        if traffic.state == "waiting" or self.released or self.shut:
            return False
        return traffic.received >= self.written

    @property
    def paused(self) -> bool:
        """Return whether the link does not read what programs send, for now."""
        return self.traffic.state == "open" and not self.traffic.reading


class Connections:
    """All connections, by what they are called on the wire."""

    def __init__(self, find: Find, on_line: OnLine = lambda port: 0) -> None:
        self._find, self._on_line = find, on_line
        shared().hold()  # links come and go with their robots
        self._known: dict[Wire, Connection] = {}
        self._unsettled: set[Wire] = set()
        self._paused: set[Wire] = set()
        self.ports: set[str] = set()  # that programs have been connected to

    def take(self, reports: Iterable[Report]) -> list[Wire]:
        """Take what a process says; return which connections it has, those that it has closed included."""
        return [report.wire for report in reports if self._noted(report)]

    def _noted(self, report: Report) -> bool:
        wire = report.wire
        known = self._known.get(wire)
        if known is None:
            found = self._find(wire.serial, wire.number, wire.peer)
            if found is None and wire.serial:
                return False  # a terminal of the user
            port, source = found or ("", None)
            known = self._known[wire] = Connection(wire, port, source)
            self.ports.add(port)
        if wire.serial:
            known.written += report.written
        elif not report.closed:
            known.written = report.written
        if report.unread >= 0:
            known.read = self._sent(known) - report.unread
        if report.shut:
            known.shut = True
            self._cut_other(known)
        self._unsettled.add(wire)
        return True

    def _sent(self, known: Connection) -> int:
        """Return how many bytes the other end has sent."""
        other = None if known.source is not None else self._known.get(known.wire.reversed)
        return known.traffic.sent if other is None else other.written

    def release(self, wire: Wire) -> None:
        """Note that no process has a connection any more."""
        known = self._known.get(wire)
        if known is not None:
            known.released = True
            self._unsettled.add(wire)

    def ticked(self) -> None:
        """Note that the run has taken all that was written before."""
        for known in self._known.values():
            known.taken, known.on_line = known.written, self._on_line(known.port)

    def look(self) -> None:
        """Look at all connections again: something was written to them."""
        self._unsettled.update(self._known)

    def settle(self) -> None:
        """Come back when the links have seen all that programs have done."""
        end = time.perf_counter() + PATIENCE_S
        self._unsettled |= self._paused
        while self._unsettled:
            waiting = [self._known[wire] for wire in self._unsettled if wire in self._known]
            self._unsettled = {each.wire for each in self._looked_up(waiting)}
            if self._unsettled and time.perf_counter() > end:
                names = ", ".join(sorted({self._known[wire].port for wire in self._unsettled}))
                log.warning("bytes of %s have not arrived within %g s; this run may not repeat", names, PATIENCE_S)
                self._unsettled.clear()
            if self._unsettled:
                time.sleep(_NAP_S)

    def _looked_up(self, wanted: Sequence[Connection]) -> list[Connection]:
        """Take the traffic of connections, after all that the link thread was asked to do; return who must wait."""
        outside = [each for each in wanted if each.source is not None]
        found = shared().run(_traffic(outside)) if outside else []
        late = [each for each, traffic in zip(outside, found) if not each.take(traffic)]
        self._paused = {each.wire for each in outside if each.paused}
        for each in wanted:
            if each.released and not each.paused and each not in late:
                self._forget(each)
        return late

    def _forget(self, gone: Connection) -> None:
        del self._known[gone.wire]
        self._cut_other(gone)

    def _cut_other(self, ended: Connection) -> None:
        """Let the program at the other end, if there is one, see the end of the stream."""
        other = self._known.get(ended.wire.reversed)
        if other is not None:
            other.cut = ended.written

    def state(self, wire: Wire) -> Told | None:
        """Return what a process should know of its connection; None if there is nothing to know."""
        known = self._known.get(wire)
        if known is None:
            return None
        if known.source is not None:
            return known.traffic.sent, known.ended
        other = self._known.get(wire.reversed)
        if known.cut is not None:
            return known.cut, True
        return None if other is None else (other.written, False)

    def room(self, wire: Wire) -> int:
        """Return how many bytes may be written to a connection now."""
        known, other = self._known[wire], self._known.get(wire.reversed)
        if known.source is not None and not known.ended:
            return max(known.window - known.on_line - (known.written - known.taken), 0)
        if known.source is None and known.cut is None and other is not None:
            return max(known.window - (known.written - other.read), 0)
        return BOUNDLESS  # the system knows the other end, or that there is none

    def is_new(self, wire: Wire, held: HeldConnection) -> bool:
        """Return whether a process must go on because of a connection: bytes, its end, or room that it waits for."""
        state = self.state(wire)
        return state is not None and (state != held.told or 0 < held.wants <= self.room(wire))

    def news(self, wire: Wire) -> News | None:
        """Return what to tell a process of a connection; None if there is nothing to know."""
        state = self.state(wire)
        if state is None:
            return None
        sent, ended = state
        return News(wire, max(sent - self._known[wire].read, 0) if wire.serial else sent, ended, self.room(wire))

    def close(self) -> None:
        """Let the link thread end, if it has nothing else to do."""
        shared().release()


async def _traffic(connections: Sequence[Connection]) -> list[Traffic | None]:
    return [each.source.traffic(each.wire.number, each.most_sent) for each in connections if each.source is not None]
