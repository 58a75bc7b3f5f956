"""SIM_CTRL: what a client may ask of the simulator as a whole. A type byte, an i16 operation, and what it needs."""

from __future__ import annotations

import struct
from typing import Any

from understudy.protocols.arcos_arguments import plain
from understudy.protocols.arcos_own import Send
from understudy.robots.pioneer_orders import Describe
from understudy.world.changes import FreeMap, OpenMap
from understudy.world.news import NewLog, Note


def control(arg: bytes, robot: str) -> tuple[Any, ...]:
    """Return what an operation becomes: 1 load a map, 2 as its master, 3 free it, 4 logs, 5 state, 6 SIMINFO."""
    (operation,) = struct.unpack("<h", arg[1:3].ljust(2, b"\0"))
    rest = arg[3:]
    match operation:
        case 1 | 2:
            return _load(rest, master=operation == 2)
        case 3:
            return (FreeMap(),)
        case 4:
            return NewLog(), Note("the client asks for a new log file")
        case 5:
            return (Describe(plain(rest)),)
        case 6:
            return (Send("siminfo", 1),)
        case _:
            return (Note(f"SIM_CTRL {operation} is not known; ignored", "warning"),)


def _load(rest: bytes, master: bool) -> tuple[Any, ...]:
    """Return the wish for a map: a u16 length and a name, which may be padded or end with NULs."""
    (length,) = struct.unpack("<H", rest[:2].ljust(2, b"\0"))
    name = rest[2 : 2 + length].replace(b"\0", b"").decode("utf-8", "replace")
    if not name:
        return (Note("SIM_CTRL asks for a map without a name; ignored", "warning"),)
    return OpenMap(name, master), Note(f"the client asks for the map {name!r}")
