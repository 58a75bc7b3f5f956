"""The sensor packets of the Open Interface: every id, its bytes, and which generation has it."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from understudy.robots.roomba.sheet import Name

C2: tuple[Name, ...] = ("create2",)
CREATES: tuple[Name, ...] = ("create1", "create2")
ALL: tuple[Name, ...] = ("roomba400", *CREATES)
_LIMITS = {"B": (0, 255), "b": (-128, 127), "H": (0, 65_535), "h": (-32_768, 32_767)}


class Packet(NamedTuple):
    """One value: its id, its type (as in struct), the sensor that it reports (`readings`), unit or meaning."""

    id: int
    code: str
    name: str
    meaning: str = ""
    generations: tuple[Name, ...] = ALL

    @property
    def size(self) -> int:
        """Return the number of bytes."""
        return struct.calcsize(self.code)

    def pack(self, value: int) -> bytes:
        """Return the bytes of a value, high byte first; too large values are limited."""
        low, high = _LIMITS[self.code]
        return struct.pack(f">{self.code}", max(low, min(high, value)))


_SIGNAL, _COUNTS = "0 to 4095", "counts, wrap around at 65536"
PACKETS: tuple[Packet, ...] = (
    Packet(7, "B", "bumps and wheel drops", "bits: right, left bump; right, left, castor drop (not on Create 2)"),
    Packet(8, "B", "wall", "0, 1"),
    Packet(9, "B", "cliff left", "0, 1"),
    Packet(10, "B", "cliff front left", "0, 1"),
    Packet(11, "B", "cliff front right", "0, 1"),
    Packet(12, "B", "cliff right", "0, 1"),
    Packet(13, "B", "virtual wall", "0, 1"),
    Packet(14, "B", "overcurrents", "bits 3 and 4: right, left wheel; those of the brushes are always 0"),
    Packet(15, "B", "dirt", "0 to 255; unused on Create"),
    Packet(16, "B", "dirt right", "0 to 255; unused on Create and Create 2"),
    Packet(17, "B", "infrared character", "255 (Create 2: 0): none"),
    Packet(18, "B", "buttons", "bits"),
    Packet(19, "h", "distance", "mm since the last reading"),
    Packet(20, "h", "angle", "degrees since the last reading, left is positive; Roomba 400: mm"),
    Packet(21, "B", "charging state", "0 no, 1 reconditioning, 2 charging, 3 trickle, 4 waiting, 5 fault"),
    Packet(22, "H", "voltage", "mV"),
    Packet(23, "h", "current", "mA, negative when discharging"),
    Packet(24, "b", "temperature", "degrees Celsius"),
    Packet(25, "H", "charge", "mAh"),
    Packet(26, "H", "capacity", "mAh"),
    Packet(27, "H", "wall signal", "0 to 4095; Create 2: 0 to 1023", CREATES),
    Packet(28, "H", "cliff left signal", _SIGNAL, CREATES),
    Packet(29, "H", "cliff front left signal", _SIGNAL, CREATES),
    Packet(30, "H", "cliff front right signal", _SIGNAL, CREATES),
    Packet(31, "H", "cliff right signal", _SIGNAL, CREATES),
    Packet(32, "B", "cargo bay inputs", "bits; unused on Create 2", CREATES),
    Packet(33, "H", "cargo bay analog", "0 to 1023; unused on Create 2", CREATES),
    Packet(34, "B", "charging sources", "bits: cable, home base", CREATES),
    Packet(35, "B", "mode", "0 off, 1 passive, 2 safe, 3 full", CREATES),
    Packet(36, "B", "song number", "", CREATES),
    Packet(37, "B", "song playing", "0, 1", CREATES),
    Packet(38, "B", "stream packets", "number", CREATES),
    Packet(39, "h", "requested velocity", "mm/s, of the last 137", CREATES),
    Packet(40, "h", "requested radius", "mm, of the last 137", CREATES),
    Packet(41, "h", "requested right velocity", "mm/s, of the last 145", CREATES),
    Packet(42, "h", "requested left velocity", "mm/s, of the last 145", CREATES),
    Packet(43, "H", "left encoder counts", _COUNTS, C2),
    Packet(44, "H", "right encoder counts", _COUNTS, C2),
    Packet(45, "B", "light bumpers", "bits, from left to right", C2),
    Packet(46, "H", "light bump left signal", _SIGNAL, C2),
    Packet(47, "H", "light bump front left signal", _SIGNAL, C2),
    Packet(48, "H", "light bump centre left signal", _SIGNAL, C2),
    Packet(49, "H", "light bump centre right signal", _SIGNAL, C2),
    Packet(50, "H", "light bump front right signal", _SIGNAL, C2),
    Packet(51, "H", "light bump right signal", _SIGNAL, C2),
    Packet(52, "B", "infrared character left", "0: none", C2),
    Packet(53, "B", "infrared character right", "0: none", C2),
    Packet(54, "h", "left motor current", "mA", C2),
    Packet(55, "h", "right motor current", "mA", C2),
    Packet(56, "h", "main brush current", "mA", C2),
    Packet(57, "h", "side brush current", "mA", C2),
    Packet(58, "B", "stasis", "bit 0: the castor turns forwards", C2),
)


class PacketGroup(NamedTuple):
    """Several packets in one, from the first id to the last."""

    id: int
    first: int
    last: int
    generations: tuple[Name, ...] = ALL

    @property
    def size(self) -> int:
        """Return the number of bytes."""
        return sum(packet.size for packet in PACKETS if self.first <= packet.id <= self.last)


GROUPS: tuple[PacketGroup, ...] = (
    PacketGroup(0, 7, 26), PacketGroup(1, 7, 16), PacketGroup(2, 17, 20), PacketGroup(3, 21, 26),
    PacketGroup(4, 27, 34, CREATES), PacketGroup(5, 35, 42, CREATES), PacketGroup(6, 7, 42, CREATES),
    PacketGroup(100, 7, 58, C2), PacketGroup(101, 43, 58, C2), PacketGroup(106, 46, 51, C2),
    PacketGroup(107, 54, 58, C2),
)  # fmt: skip
_BY_NAME = {packet.name: packet for packet in PACKETS}


@cache
def contents(generation: Name) -> Mapping[int, tuple[Packet, ...]]:
    """Return the packets behind every id that a generation answers; a Roomba 400 answers only to groups."""
    found: dict[int, tuple[Packet, ...]] = {}
    if generation != "roomba400":
        found = {packet.id: (packet,) for packet in PACKETS if generation in packet.generations}
    for group in GROUPS:
        if generation in group.generations:
            found[group.id] = tuple(packet for packet in PACKETS if group.first <= packet.id <= group.last)
    return MappingProxyType(found)


def names(generation: Name, ids: Iterable[int]) -> tuple[str, ...]:
    """Return the sensors behind ids, in order; unknown ids have none."""
    known = contents(generation)
    return tuple(packet.name for number in ids for packet in known.get(number, ()))


def pack(sensors: Iterable[str], values: Iterable[int]) -> bytes:
    """Return the data bytes of sensors, without ids."""
    return b"".join(_BY_NAME[name].pack(value) for name, value in zip(sensors, values))


def frame(generation: Name, ids: Iterable[int], values: Iterable[int], whole_sum: bool = True) -> bytes:
    """Return a frame of the stream: 19, length, ids with their data, checksum; the 19 counts if *whole_sum*.

    >>> frame("create2", (29, 13), (549, 0)).hex(" ")
    '13 05 1d 02 25 0d 00 97'
    """
    left, body = iter(values), bytearray()
    for number in ids:
        body.append(number)
        body += b"".join(packet.pack(next(left)) for packet in contents(generation)[number])
    data = bytes([19, len(body)]) + body
    return data + bytes([-sum(data if whole_sum else data[1:]) & 0xFF])
