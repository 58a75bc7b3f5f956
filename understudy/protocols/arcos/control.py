"""SIM_CTRL: requests of a client to the simulator as a whole. A type byte, an i16 operation, and its arguments."""

from __future__ import annotations

import struct
from typing import Any

from understudy.protocols.arcos.arguments import plain
from understudy.protocols.arcos.conversation import Send
from understudy.robots.pioneer.orders import Describe
from understudy.world.changes import FreeMap, OpenMap
from understudy.world.news import NewLog, Note


def control(arg: bytes, robot: str) -> tuple[Any, ...]:
    """Return the values of an operation: 1 load a map, 2 as map master, 3 free it, 4 logs, 5 state, 6 SIMINFO."""
    (operation,) = struct.unpack("<h", arg[1:3].ljust(2, b"\0"))
    rest = arg[3:]
    match operation:
        case 1 | 2:
            return _load(rest, master=operation == 2)
        case 3:
            return (FreeMap(),)
        case 4:
            return NewLog(), Note("the client requests a new log file")
        case 5:
            return (Describe(plain(rest)),)
        case 6:
            return (Send("siminfo", 1),)
        case _:
            return (Note(f"unknown SIM_CTRL operation {operation}; ignored", "warning"),)


def _load(rest: bytes, master: bool) -> tuple[Any, ...]:
    """Return the request for a map: a u16 length and a name, which may be padded or end with NULs."""
    (length,) = struct.unpack("<H", rest[:2].ljust(2, b"\0"))
    name = rest[2 : 2 + length].replace(b"\0", b"").decode("utf-8", "replace")
    if not name:
        return (Note("SIM_CTRL requests a map without a name; ignored", "warning"),)
    return OpenMap(name, master), Note(f"the client requests map {name!r}")
