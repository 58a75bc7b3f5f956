"""Records between a RoBIOS program and the simulation, and the numbers of orders and queries.

A record is the length of its content (u32), its kind (u8) and the content; least byte first, without gaps. The
simulator's side is ``understudy/protocols/robios``; a test compares the two tables.
"""

from __future__ import annotations

import socket
import struct
from typing import Any

VERSION = 1
HEAD = struct.Struct("<IB")
MOST_BYTES = 1 << 28  # of one record
# a program says
HELLO, WAIT, BYE, CALL, QUERY = 1, 2, 7, 16, 17
# a simulation says
WELCOME, GO, ERROR, END, RESULT, HEARD = 129, 130, 133, 134, 144, 145

# name of an order -> opcode, form of its numbers (as `struct` has it); text or bytes follow them
ORDERS: dict[str, tuple[int, str]] = {
    "SetSpeed": (1, "ddd"),
    "SetPosition": (2, "ddd"),
    "Straight": (3, "dd"),
    "Turn": (4, "dd"),
    "Curve": (5, "ddd"),
    "DriveTo": (6, "ddd"),
    "Control": (7, "?dddd"),
    "MotorDrive": (10, "ii"),
    "MotorSpeed": (11, "ii"),
    "MotorPid": (12, "iiii"),
    "EncoderReset": (13, "i"),
    "ServoSet": (14, "ii"),
    "ServoRange": (15, "iii"),
    "RadioPower": (20, "?"),
    "SendRadio": (21, "i"),
    "RadioTake": (22, "I"),
    "Tone": (23, "iq"),
    "PlayFile": (24, "q"),
    "DigitalSetup": (25, "i"),
    "DigitalWrite": (26, "i?"),
    "LcdPrint": (30, ""),
    "LcdPrintAt": (31, "ii"),
    "LcdClear": (32, ""),
    "LcdCursor": (33, "ii"),
    "LcdColours": (34, "ii"),
    "LcdFont": (35, "ii"),
    "LcdFontSize": (36, "i"),
    "LcdMode": (37, "i"),
    "LcdMenu": (38, ""),
    "LcdMenuItem": (39, "iii"),
    "LcdPixel": (40, "iii"),
    "LcdInvert": (41, "iiiii"),
    "LcdLine": (42, "iiiii"),
    "LcdArea": (43, "iiiii?"),
    "LcdCircle": (44, "iiii?"),
    "LcdImageArea": (45, "iiii"),
    "LcdImage": (46, "i?"),
    "LcdColourFlags": (47, "i"),
    "MoveRobot": (80, "idddd"),
    "MoveObject": (81, "idddd"),
    "AtStart": (90, ""),
}
# name of a query -> its number, form of its arguments
QUERIES: dict[str, tuple[int, str]] = {
    "LIDAR": (1, "Iii"),
    "CAMERA": (2, "II"),
    "ROBOT": (3, "i"),
    "OBJECT": (4, "i"),
    "COUNTS": (5, ""),
    "RADIO": (6, ""),
    "LCD_PIXEL": (7, "ii"),
    "LCD_CURSOR": (8, ""),
    "MICROPHONE": (9, ""),
    "SERVO": (10, "i"),
    "SENSORS": (11, "i"),
}
_PACKED = {name: struct.Struct("<B" + form) for table in (ORDERS, QUERIES) for name, (_, form) in table.items()}


def record(kind: int, content: bytes = b"") -> bytes:
    """Return a record."""
    return HEAD.pack(len(content), kind) + content


def order(name: str, *values: Any, rest: bytes = b"") -> bytes:
    """Return the record of an order; *rest* is the text or the bytes after its numbers."""
    return record(CALL, _PACKED[name].pack(ORDERS[name][0], *values) + rest)


def query(name: str, *values: int) -> bytes:
    """Return the record of a query."""
    return record(QUERY, _PACKED[name].pack(QUERIES[name][0], *values))


class RecordReader:
    """The records that come in over a blocking socket."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock, self._data, self._at = sock, b"", 0  # what has come, and how much of it has been taken

    def next(self) -> tuple[int, bytes]:
        """Return kind and content of the next record; raises EOFError at the end, ValueError for one too long."""
        while True:
            begin = self._at + HEAD.size
            if begin <= len(self._data):
                length, kind = HEAD.unpack_from(self._data, self._at)
                if length > MOST_BYTES:
                    raise ValueError(f"a record of {length:,} bytes is too long (at most {MOST_BYTES:,})")
                if begin + length <= len(self._data):
                    self._at = begin + length
                    return kind, self._data[begin : self._at]
                self._more(begin + length - len(self._data))
            else:
                self._more(1)

    def _more(self, wanted: int) -> None:
        """Receive at least *wanted* bytes more."""
        parts = [self._data[self._at :]]
        while wanted > 0:
            part = self._sock.recv(max(65536, min(wanted, 1 << 20)))
            if not part:
                raise EOFError("the simulation has disconnected")
            parts.append(part)
            wanted -= len(part)
        self._data, self._at = b"".join(parts), 0
