"""Conversations for tests: a client's packets, and a robot on a bench that obeys them."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

from robots.robots_fakes import Bench, FakeDevice

from understudy.protocols.arcos.frames import Decoder
from understudy.protocols.arcos.protocol import Arcos
from understudy.protocols.arcos.sheet import ArcosSheet

SYNCS = [bytes.fromhex(text) for text in ("FAFB03000000", "FAFB03010001", "FAFB03020002")]
OPEN, CLOSE = bytes.fromhex("FAFB06013B0100023B"), bytes.fromhex("FAFB06023B0100033B")
VEL_200 = bytes.fromhex("FAFB060B3BC800D33B")
PULSE = SYNCS[0]


def frame(body: bytes) -> bytes:
    """Return a packet, made without the code under test."""
    total = 0
    for i in range(0, len(body) - 1, 2):
        total += (body[i] << 8) + body[i + 1]
    total = total & 0xFFFF ^ (body[-1] if len(body) % 2 else 0)
    return b"\xfa\xfb" + bytes([len(body) + 2]) + body + bytes([total >> 8, total & 0xFF])


def command(code: int, value: int) -> bytes:
    """Return a command with an integer as ARIA frames it."""
    return frame(bytes([code, 0x3B if value >= 0 else 0x1B]) + struct.pack("<H", abs(value)))


def talking(plugged: Mapping[str, FakeDevice] | None = None, port: ArcosSheet | None = None, **settings: Any) -> Any:
    """Return a conversation behind its handshake, and the robot."""
    arcos, bench = Arcos(port or ArcosSheet(), "robot"), Bench("pioneer", plugged=plugged, **settings)
    arcos.opened()
    obey(arcos, bench, *SYNCS)
    arcos.tick(bench.unit, 0)
    return arcos, bench


def obey(arcos: Arcos, bench: Bench, *packets: bytes) -> list[Any]:
    """Let the robot do what packets say; returns all values."""
    values = [value for packet in packets for value in arcos.feed(packet)]
    for value in values:
        if isinstance(value, bench.unit.commands):
            bench.unit.order(value)
    return values


def run(arcos: Arcos, bench: Bench, ticks: int) -> list[bytes]:
    """Return the bodies of packets of so many ticks."""
    sent = b""
    for _ in range(ticks):
        bench.step()
        sent += arcos.tick(bench.unit, bench.now_us)
    return Decoder().feed(sent)


def ask(arcos: Arcos, bench: Bench, *packets: bytes) -> list[bytes]:
    """Return the bodies that answer packets at once."""
    obey(arcos, bench, *packets)
    return Decoder().feed(arcos.tick(bench.unit, bench.now_us))
