"""Random and mutated packets for a conversation, and a robot that obeys whatever comes of them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from protocols.arcos.arcos_talk import CLOSE, OPEN, SYNCS, frame
from robots.robots_fakes import FIX, Bench, FakeDevice

from understudy.protocols.arcos.protocol import Arcos
from understudy.protocols.arcos.sheet import ArcosSheet
from understudy.sensors.compass import Compass
from understudy.sensors.gps import Gps
from understudy.sensors.gripper import Gripper
from understudy.sensors.inertial import Gyro
from understudy.sensors.laser import Laser
from understudy.sensors.touch import Bumper

SHEETS = (
    ArcosSheet(),
    ArcosSheet(srisim_laser_compat=False),
    ArcosSheet(srisim_compat=True, ignore_commands=(11, 200)),
)


def equipped() -> Bench:
    """Return a robot with everything on it."""
    plugged = {
        "laser1": FakeDevice("robot/front", (2.0,) * 181, Laser()),
        "bumpers": FakeDevice("robot/ring", (1.0, 0.0), Bumper()),
        "compass": FakeDevice("robot/compass", (90.0,), Compass()),
        "gyro": FakeDevice("robot/gyro", (0.0, 0.0, 0.1), Gyro()),
        "gps": FakeDevice("robot/gps", FIX, Gps()),
        "gripper": FakeDevice("robot/grip", (1.0, 1.0), Gripper()),
        "infrared1": FakeDevice("robot/ir", (1.0,)),
        "analog0": FakeDevice("robot/a", (2.5,)),
    }
    for device in plugged.values():
        device.tell(None, 0)
    return Bench("pioneer", plugged=plugged, ticks_per_mm=128.0)


def packets(source: random.Random, count: int) -> Iterator[bytes]:
    """Yield so many pieces: good packets with random contents, spoilt ones, and plain junk."""
    for _ in range(count):
        code = source.randrange(256) if source.random() < 0.9 else source.choice((35, 36, 37, 38, 230, 236))
        kind = source.choice((b"", b"\x3b", b"\x1b", b"\x2b", b"\x00"))
        packet = bytearray(frame(bytes([code]) + kind + source.randbytes(source.choice((0, 1, 2, 3, 4, 12, 60, 190)))))
        fate = source.random()
        if fate < 0.1:
            packet[source.randrange(len(packet))] = source.randrange(256)
        elif fate < 0.2:
            del packet[source.randrange(len(packet)) :]
        elif fate < 0.25:
            packet = bytearray(source.randbytes(source.randrange(40)))
        yield bytes(packet)


class Torture:
    """A conversation that is fed whatever comes; each disconnected client is followed by another."""

    def __init__(self, sheet: ArcosSheet) -> None:
        self.arcos, self.bench = Arcos(sheet, "robot"), equipped()
        self._greet()

    def _greet(self) -> None:
        self.arcos.closed()
        self.arcos.opened()
        self._obey(b"".join(SYNCS) + OPEN)

    def _obey(self, data: bytes) -> None:
        for value in self.arcos.feed(data):
            if isinstance(value, self.bench.unit.commands):
                self.bench.unit.order(value)

    def feed(self, data: bytes) -> int:
        """Take bytes and, now and then, a tick; returns how many bytes were sent."""
        self._obey(data)
        self.bench.step()
        self.bench.unit.asks()
        sent = self.arcos.tick(self.bench.unit, self.bench.now_us)
        if self.arcos.hung_up() or data.startswith(CLOSE):
            self._greet()
        return len(sent)
