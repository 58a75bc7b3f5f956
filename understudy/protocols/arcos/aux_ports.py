"""The auxiliary serial ports of a Pioneer's controller: a client writes to them and requests received bytes."""

from __future__ import annotations

from dataclasses import dataclass, field

from understudy.protocols.arcos.frames import MOST_COUNT
from understudy.protocols.base import Tree
from understudy.protocols.nmea.protocol import Nmea
from understudy.protocols.nmea.sentences import NmeaSheet
from understudy.robots.pioneer.firmware import Pioneer

PACKETS = (0xB0, 0xB8, 0xC8)  # packet types of ports 1, 2, 3
ROOM = 2048  # receive buffer of each port (bytes); the oldest are dropped
MOST = MOST_COUNT - 3  # bytes in a packet


@dataclass(slots=True)
class AuxPort:
    """One port: the received bytes, and how many of them the client waits for."""

    waiting: bytes = b""
    wanted: int = 0


@dataclass(slots=True)
class AuxPorts:
    """Three ports; a GPS receiver may be connected to one of them, and gets what is written there."""

    robot: str
    ports: list[AuxPort] = field(default_factory=lambda: [AuxPort() for _ in PACKETS])
    receiver: Nmea | None = None
    asked: bool = False  # the client has requested bytes at least once

    def write(self, port: int, data: bytes, gps: int) -> None:
        """Pass bytes to the receiver, if it is on this port."""
        if self.receiver is not None and port == gps:
            self.receiver.feed(data)

    def ask(self, port: int, count: int) -> None:
        """Note that the client waits for so many bytes; 0 clears the receive buffer."""
        aux, self.asked = self.ports[port - 1], True
        aux.wanted = max(0, min(MOST, count))
        aux.waiting = aux.waiting if count > 0 else b""

    def tick(self, unit: Pioneer, now_us: int) -> list[bytes]:
        """Read the receiver; return the packets of ports that have received the requested bytes."""
        if unit.gps is not None:
            if self.receiver is None:
                self.receiver = Nmea(NmeaSheet(), self.robot)
            aux = self.ports[unit.sheet.gps_aux - 1]
            aux.waiting = (aux.waiting + self.receiver.tick(unit.gps, now_us))[-ROOM:]
        return [bytes([code]) + data for code, port in zip(PACKETS, self.ports) if (data := _take(port))]

    def state(self) -> Tree:
        """Return buffers, requests and the receiver's state."""
        ports = [[port.waiting.hex(), port.wanted] for port in self.ports]
        return {
            "ports": ports,
            "asked": self.asked,
            "receiver": None if self.receiver is None else self.receiver.state(),
        }

    def restore(self, state: Tree) -> None:
        """Continue from a saved state."""
        self.ports = [AuxPort(bytes.fromhex(waiting), wanted) for waiting, wanted in state["ports"]]
        self.receiver, self.asked = None, state["asked"]
        if state["receiver"] is not None:
            self.receiver = Nmea(NmeaSheet(), self.robot)
            self.receiver.restore(state["receiver"])


def _take(port: AuxPort) -> bytes:
    """Return the bytes that the client waits for, if all of them are there."""
    if not port.wanted or len(port.waiting) < port.wanted:
        return b""
    data, port.waiting, port.wanted = port.waiting[: port.wanted], port.waiting[port.wanted :], 0
    return data
