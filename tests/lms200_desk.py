"""A scanner on a robot in a room, and a client that talks to it over a loopback port."""

from __future__ import annotations

import understudy as us
from understudy.links.base import Event, LineState
from understudy.protocols.sick_lms200.telegrams import encode
from understudy.sim.inbox import Bytes

SCENE = """
schema = 1
ground = {{size_m = {size}, walled = true}}
{more}
[[robot]]
model = "p3dx-nolaser"
name = "scout"
port.host.link = "loop:"
port.gps.link = "loop:"
[robot.device.sick]
model = "lms200"
mount = {{z_m = 0.4}}
noise = {noise}
[robot.unit.sick]
kind = "lms200"
uses = {{laser = "sick"}}
{unit}
[robot.port.sick]
unit = "sick"
protocol = "sick_lms200"
link = "{link}"
baud = 9600
{port}
"""
PORT = "scout/sick"
ACK = b"\x06"


DEFAULTS = {"unit": "", "port": "", "more": "", "link": "loop:", "size": "[12, 8]", "noise": '"perfect"'}


def scene(**parts: str) -> str:
    return SCENE.format(**{**DEFAULTS, **parts})


class Desk:
    """A run with a client at the scanner's port."""

    def __init__(self, **parts: str) -> None:
        self.sim = us.load_text(scene(**parts), ports=True)
        self.plug = self.sim.ports.link(PORT).client()

    def __enter__(self) -> Desk:
        self.sim.step(10)
        self.plug.receive()  # the power-on telegram
        return self

    def __exit__(self, *_: object) -> None:
        self.sim.close()

    @property
    def unit(self):
        return self.sim.current.units[PORT]

    @property
    def protocol(self):
        return self.sim.current.plugs[PORT].protocol

    def ask(self, body: str, ticks: int = 1) -> bytes:
        """Send a request, given as the hex digits of its body; returns what has come after some ticks."""
        return self.send(encode(bytes.fromhex(body)), ticks)

    def send(self, data: bytes, ticks: int = 1) -> bytes:
        self.plug.send(data)
        return self.hear(ticks)

    def hear(self, ticks: int) -> bytes:
        self.sim.step(ticks)
        return self.plug.receive()

    def set_line(self, baud: int) -> None:
        self.sim.inbox.post(f"port:{PORT}", Bytes(PORT, Event.LINE, LineState(baud).encode()))


def telegrams(data: bytes) -> list[bytes]:
    """Return the telegrams in *data*, each as its body with the status byte; other bytes are left out."""
    found = []
    while (start := data.find(b"\x02\x80")) >= 0:
        size = int.from_bytes(data[start + 2 : start + 4], "little")
        if len(data) < start + 6 + size:
            break
        found.append(data[start + 4 : start + 4 + size])
        assert encode(found[-1], 0x80) == data[start : start + 6 + size]
        data = data[start + 6 + size :]
    return found


def values(body: bytes, offset: int = 3) -> list[int]:
    """Return the values of a scan telegram's body; *offset* is where they begin."""
    count = int.from_bytes(body[offset - 2 : offset], "little") & 0x3FF
    return [int.from_bytes(body[offset + 2 * i : offset + 2 * i + 2], "little") for i in range(count)]
