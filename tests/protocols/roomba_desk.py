"""A Roomba on a workbench with a client at its port: bytes in, bytes out, devices with preset readings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from robots.robots_fakes import TICK_US, Bench, FakeDevice

from understudy.links.base import LineState
from understudy.protocols.base import SetBaud
from understudy.protocols.roomba_oi.protocol import RoombaOi, RoombaOiSheet
from understudy.robots.roomba import orders
from understudy.sensors.battery import Battery
from understudy.sensors.ground import Cliff, Reflective
from understudy.sensors.temperature import Thermometer
from understudy.sensors.touch import Bumper, WheelDrop
from understudy.world.media import Heard
from understudy.world.shapes import Mount

GENERATIONS = ("roomba400", "create1", "create2")
FIVE = (Mount(y_m=0.129), Mount(y_m=-0.129), Mount(x_m=0.13))
SIGNALS = (700.0, 1500.0, 2900.0, 3100.0)


def devices() -> dict[str, FakeDevice]:
    """Return the devices of a robot that stands on bright ground, far from everything."""
    return {
        "bumpers": FakeDevice("bumpers", (0.0, 0.0), Bumper()),
        "drops": FakeDevice("drops", (0.0, 0.0, 0.0), WheelDrop(wheels=FIVE)),
        "cliffs": FakeDevice("cliffs", (0.0, 0.0, 0.0, 0.0, *SIGNALS), Cliff()),
        "wall": FakeDevice("wall", (0.0, 12.0), Reflective()),
        "lights": FakeDevice("lights", (0.0,) * 6 + (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), Reflective(ring=(Mount(),) * 6)),
        "battery": FakeDevice("battery", (15.5, -0.25, 2.0, 0.8), Battery(capacity_ah=2.5, chemistry="nimh", cells=12)),
        "thermometer": FakeDevice("thermometer", (22.0,), Thermometer()),
    }


class Desk:
    """The robot, its port, and what its client gets."""

    def __init__(
        self, generation: str = "create2", without: tuple[str, ...] = (), checksum: Any = "whole", **settings: Any
    ):
        self.bench = Bench("roomba", plugged=devices(), without=without, generation=generation, **settings)
        for device in self.bench.devices.values():
            device.tell(None, 0)
        self.protocol = RoombaOi(RoombaOiSheet(checksum), "robot")
        self.received: list[Any] = []  # what has reached the unit, without questions for its mode
        self.bauds: list[int] = []
        self.news: list[Any] = []
        self.heard = b""
        self.give(self.protocol.opened())
        self.received.clear()

    @property
    def unit(self) -> Any:
        return self.bench.unit

    def give(self, values: Iterable[Any]) -> None:
        for value in values:
            if isinstance(value, SetBaud):
                self.bauds.append(value.baud)
                continue
            if not isinstance(value, orders.AskMode | orders.AskWait):
                self.received.append(value)
            reply = self.unit.order(value)
            if reply is not None:
                self.give(self.protocol.answered(value, reply))

    def send(self, text: str) -> Desk:
        """Send bytes, written in hexadecimal."""
        self.give(self.protocol.feed(bytes.fromhex(text)))
        return self

    def step(self, ticks: int = 3) -> Desk:
        """Let time pass, by default one cycle of the robot."""
        for _ in range(ticks):
            self.give(self.protocol.due(self.bench.now_us + TICK_US))
            self.bench.step()
            self.news += self.unit.asks()
            self.heard += self.protocol.tick(self.unit, self.bench.now_us)
        return self

    def ask(self, text: str, ticks: int = 3) -> str:
        """Send bytes and return the answer, both in hexadecimal."""
        self.heard = b""
        self.send(text).step(ticks)
        return self.heard.hex()

    def tell(self, name: str, *values: float) -> Desk:
        """Let a device read something."""
        self.bench.devices[name].tell(values, self.bench.now_us)
        return self

    def shine(self, code: int, distance_m: float = 1.0, bearing_rad: float = 0.0) -> Desk:
        """Let infrared light fall on the robot."""
        self.unit.order(Heard("infrared", bytes([code]), "other/lamp", distance_m, bearing_rad))
        return self

    def line(self, rts: bool, dtr: bool = True) -> Desk:
        """Set the modem lines."""
        self.give(self.protocol.line_changed(LineState(115200, rts, dtr)))
        return self

    def into(self, mode: str) -> Desk:
        """Bring the robot into a mode."""
        self.unit.order(orders.Resume(mode))
        self.received.clear()
        return self

    @property
    def motion(self) -> tuple[float, float]:
        """Return what the wheels are asked for: m/s ahead, rad/s."""
        ahead, _, turn = self.bench.wheels.asked()
        return ahead, turn
