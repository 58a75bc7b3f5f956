"""Short descriptions of the bytes on a port, for the log pane."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Literal

from understudy.protocols.arcos.commands import commands
from understudy.protocols.arcos.frames import Decoder

Way = Literal["in", "out"]
ARCOS_STATUS, WHEELS = (0x32, 0x33), slice(7, 11)  # after type, x, y and heading
ARCOS_REPORTS = {  # type byte of what a Pioneer sends
    0x20: "CONFIG", 0x60: "laser", 0x61: "laser, extended", 0x62: "SIMSTAT",
    0x63: "SIMINFO", 0x66: "MAP_CHANGED", 0x90: "ENCODER", 0x98: "GYRO", 0xB0: "SERAUX",
    0xB8: "SERAUX2", 0xC0: "compass", 0xE0: "GRIPPER", 0xF0: "IO", 0xF8: "JOYSTICK",
}  # fmt: skip


def explained(protocol: str, way: Way, data: bytes) -> str:
    """Return a description of *data* in *protocol*; empty for unknown protocols."""
    reader = _READERS.get(protocol)
    return reader(way, data) if reader is not None else ""


def _arcos(way: Way, data: bytes) -> str:
    if data[:2] == b"\xfa\xfb" and len(data) == 6 and data[2] == 3 and data[3] < 3:
        return f"SYNC{data[3]}"
    packets = list(Decoder().feed(data))
    if way == "out":
        return ", ".join(map(_report, packets))
    table = commands()
    return ", ".join(_command(packet, table[packet[0]].name if packet[0] in table else "?") for packet in packets)


def _report(packet: bytes) -> str:
    """Return what a Pioneer sends; of its status the speeds of the wheels, because MobileSim's always says stopped."""
    if packet[0] in ARCOS_STATUS and len(packet) >= WHEELS.stop:
        left, right = struct.unpack("<hh", packet[WHEELS])
        return f"status: wheels {left}, {right} mm/s"
    return ARCOS_REPORTS.get(packet[0], f"0x{packet[0]:02X}")


def _command(packet: bytes, name: str) -> str:
    """Return a command with its argument: ``VEL 200``."""
    if len(packet) == 4 and packet[1] in (0x3B, 0x1B):
        value = int.from_bytes(packet[2:4], "little")
        return f"{name} {value if packet[1] == 0x3B else -value}"
    return name


def _text(way: Way, data: bytes) -> str:
    return data.decode("ascii", "replace").strip().replace("\r\n", " | ")


_READERS: Mapping[str, Callable[[Way, bytes], str]] = {"arcos": _arcos, "nmea": _text}
